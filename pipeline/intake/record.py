"""Record: adds the days on disk to the record so far, and scores the list on each new day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.facts import by_hand, corrections, lists
from pipeline.facts.evidence import Evidence
from pipeline.facts.lexicon import is_common
from pipeline.facts.own_lists import OwnList
from pipeline.intake import checkpoint, new_days, track
from pipeline.intake.base_record import (
    DatesOnDisk,
    StartOfCount,
    choose_start,
    evidence_so_far,
    next_base_record,
    require_all_days,
)
from pipeline.intake.forecast import Forecasts
from pipeline.intake.record_state import NO_CHECKPOINT, RecordState
from pipeline.opinions import constancy, estimate, flag
from pipeline.opinions.model import Model, fitted_on, usable
from pipeline.sources import LIVE_SITES, TRUST_RANK


@dataclass(frozen=True, slots=True)
class DaysOnDisk:
    """The tables of the days on disk, as the stage `facts` makes them."""

    dates: pd.DataFrame
    puzzles: pd.DataFrame
    answers: pd.DataFrame
    conflicts: pd.DataFrame
    reported: pd.DataFrame

    @property
    def settled(self) -> frozenset[str]:
        """The dates with a settled list."""
        return frozenset(self.dates["date"][self.dates["final"]])


@dataclass(frozen=True, slots=True)
class RecordSoFar:
    """The results of the last merge; `published_days` are the days that the release covers."""

    evidence_file: bytes | None
    record_state: RecordState
    published_days: frozenset[str]
    track: pd.DataFrame
    news: pd.DataFrame
    forecasts: pd.DataFrame
    model_so_far: Model | None


@dataclass(frozen=True, slots=True)
class DayDecisions:
    """The decisions of people about days: the tables `admitted` and `corrections`."""

    admitted: pd.DataFrame
    corrections: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Tried:
    """The tables `candidates` and `trials`."""

    candidates: pd.DataFrame
    trials: pd.DataFrame


@dataclass(frozen=True, slots=True)
class WordLists:
    """The files of the lexicon, and the user's own lists by name."""

    lexicon_files: Mapping[str, bytes]
    own_lists: Mapping[str, OwnList]


@dataclass(frozen=True, slots=True)
class NewRecord:
    """The record after a merge, with provisional days (`evidence`) and without (`settled`)."""

    settled: Evidence
    evidence: Evidence
    track: pd.DataFrame
    news: pd.DataFrame
    forecasts: pd.DataFrame
    waiting: pd.DataFrame
    versions: pd.DataFrame
    record_state: RecordState


def start_of(
    evidence_file: bytes | None, record_state: RecordState, dates: pd.DataFrame, puzzles: pd.DataFrame, rebuild: bool
) -> StartOfCount:
    """Choose the record to which the days on disk are added; see `base_record.choose_start`."""
    so_far = evidence_so_far(evidence_file, record_state.base_record, rebuild)
    on_disk = DatesOnDisk(
        captured=frozenset(dates["date"]),
        settled=frozenset(dates["date"][dates["final"]]),
        puzzles=frozenset(puzzles["date"]),
    )
    return choose_start(record_state.base_record, so_far, evidence_file, on_disk, rebuild)


def update_record(
    days: DaysOnDisk,
    tried: Tried,
    vocabulary: pd.DataFrame,
    so_far: RecordSoFar,
    decisions: DayDecisions,
    grades: pd.DataFrame,
    rebuild: bool = False,
) -> NewRecord:
    """Return the record with the days on disk. Raises DataError if it would cover fewer days than before.

    `vocabulary` is the lexicon with all other tried words, and `grades` has the grades that people gave.
    """
    state = so_far.record_state
    start = start_of(so_far.evidence_file, state, days.dates, days.puzzles, rebuild)
    before = start.so_far
    days_to_score = new_days.choose_days_to_score(
        days.settled - start.known_dates, so_far.track, bool(before.covered), rebuild
    )
    to_count = _days_to_count(days, tried, vocabulary, decisions, start, days_to_score)
    forecasts = Forecasts(vocabulary, grades, so_far.forecasts, usable(so_far.model_so_far, before.covered))
    last_checkpoint = NO_CHECKPOINT if rebuild else state.checkpoint
    result = checkpoint.count_from(last_checkpoint, to_count, forecasts.probabilities)
    counted = result.counted
    settled = counted.settled_evidence
    rejected_dates = {date for _, date in corrections.rejected_days(decisions.corrections)}
    require_all_days(
        before=so_far.published_days | before.covered | start.base_evidence.covered,
        after=settled.covered | rejected_dates | set(counted.waiting["date"]),
        evidence_is_sound=rebuild and before is not state.base_record.evidence,
    )
    is_first = rebuild or not before.covered
    base = next_base_record(start, settled, so_far.evidence_file, is_first)
    scored = counted.scored_days
    return NewRecord(
        settled=settled,
        evidence=counted.evidence,
        track=new_days.with_new_rows("track", so_far.track, counted.track, scored, settled),
        news=new_days.with_new_rows("news", so_far.news, counted.news, scored, settled),
        forecasts=forecasts.table(),
        waiting=counted.waiting,
        versions=counted.versions,
        record_state=RecordState(base, result.checkpoint),
    )


def _days_to_count(
    days: DaysOnDisk,
    tried: Tried,
    vocabulary: pd.DataFrame,
    decisions: DayDecisions,
    start: StartOfCount,
    days_to_score: frozenset[str],
) -> new_days.DaysToCount:
    unknown_sources = set(days.puzzles["source"]) - TRUST_RANK.keys()
    return new_days.DaysToCount(
        add_to=start.add_to,
        puzzles=days.puzzles,
        answers=days.answers,
        conflicts=days.conflicts,
        trials=tried.trials,
        common_words=frozenset(vocabulary["word"][is_common(vocabulary)].tolist()),
        admitted=by_hand.valid_rows("admitted", decisions.admitted),
        settled_days=days.settled,
        days_to_score=days_to_score,
        live_sources=frozenset(LIVE_SITES) | unknown_sources,
        rarity=constancy.rarities(vocabulary, tried.trials["word"]),
        words_that_waited=start.base_evidence.waiting,
        corrected_words=corrections.corrected_words(decisions.corrections),
        versions=track.versions_by_date(days.reported, tried.candidates),
    )


def model_after(
    record: Evidence,
    vocabulary: pd.DataFrame,
    grades: pd.DataFrame,
    word_lists: WordLists,
    model_so_far: Model | None,
    added: bool,
) -> Model:
    """Return the model of the estimates, fitted to a record; with `added`, only the missing weights are fitted."""
    offensive_words = flag.offensive_words(vocabulary, grades)
    known = estimate.estimate_input(vocabulary, record.record, offensive_words)
    model = estimate.fit_added(known, model_so_far) if model_so_far and added else estimate.fit(known)
    lists_digest = lists.digest(word_lists.lexicon_files, word_lists.own_lists)
    return fitted_on(model, record.covered, lists_digest)
