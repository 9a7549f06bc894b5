"""The new record: that of the last release plus the settled days on disk that it does not cover, in one pure step.

A rebuild counts all settled days on disk from nothing. Merges after it start from nothing, too, until a release is
made. Only the tables `news` and `doubts` also keep rows of the last merge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import BeeError, ReleaseError
from pipeline.facts import coverage, lists, merge, record
from pipeline.facts.coverage import Coverage
from pipeline.facts.lexicon import add_unlisted_words
from pipeline.facts.own_lists import OwnLists
from pipeline.intake import new_days, track
from pipeline.intake.new_days import NewDays
from pipeline.intake.track import Expectation
from pipeline.opinions import constancy, estimate, flag
from pipeline.opinions.model import Model, fitted_on
from pipeline.sources import LIVE_SITES, TRUST_RANK
from pipeline.tables import columns, frames
from pipeline.words import count

LATEST = 14
"""The number of last days of which news and words in doubt are kept from the last merge."""


@dataclass(frozen=True, slots=True)
class DaysOnDisk:
    """The tables of the days on disk, as the stage `facts` makes them."""

    days: pd.DataFrame
    puzzles: pd.DataFrame
    answers: pd.DataFrame
    conflicts: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Published:
    """The record, the coverage, the track record and the file words.csv of the last release, and the weights in the
    workspace; empty before the first release."""

    published_record: pd.DataFrame
    published_coverage: Coverage
    published_track: pd.DataFrame
    published_words: bytes
    model_so_far: Model | None


@dataclass(frozen=True, slots=True)
class WordLists:
    """The files of the lexicon, and the user's own lists."""

    lexicon_files: Mapping[str, bytes]
    own_lists: OwnLists


@dataclass(frozen=True, slots=True)
class Latest:
    """The news and the words in doubt of the last days, from the last merge."""

    news: pd.DataFrame
    doubts: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Tried:
    """The lexicon with all other tried words (`vocabulary`), the forms, the candidates, and the trials of the days on
    disk."""

    vocabulary: pd.DataFrame
    forms: pd.DataFrame
    candidates: pd.DataFrame
    trials: pd.DataFrame


@dataclass(frozen=True, slots=True)
class NewRecord:
    """The record after a merge and the tables beside it, by their names in the registry."""

    record: pd.DataFrame
    coverage: Coverage
    track: pd.DataFrame
    news: pd.DataFrame
    waits: pd.DataFrame
    doubts: pd.DataFrame


def require_consistent(published: Published) -> None:
    """Raise ReleaseError if the published record has a date that its release does not cover."""
    rows = published.published_record
    dates = {date for name in ("first_accepted", "last_accepted", "last_refused") for date in rows[name].unique()}
    uncovered = dates - published.published_coverage.dates - {""}
    if uncovered:
        raise ReleaseError(
            f"record.csv has {min(uncovered)}, which datapackage.json does not cover. Take both from one release."
        )


def require_all_days(before: Collection[str], made: NewRecord) -> None:
    """Raise BeeError if a rebuild loses days that were covered before."""
    lost = set(before) - made.coverage.dates
    if lost:
        waiting = lost.intersection(made.waits["date"])
        where = "not on disk, not settled, rejected, or waiting" if waiting else "not on disk, not settled, or rejected"
        decide = "decide on those that wait, " if waiting else ""
        raise BeeError(
            f"A rebuild would lose {count(len(lost), 'covered day')} ({where}): {coverage.ranges(lost)}. Nothing was "
            f"changed: import the files that have these days, {decide}or give the days up with `bee merge --rebuild "
            "--force`.",
        )


def try_words(
    lexicon: pd.DataFrame,
    forms: pd.DataFrame,
    frequencies: pd.DataFrame,
    days: DaysOnDisk,
    published_record: pd.DataFrame,
) -> Tried:
    """Return all words that can be tried, and their trials on the days on disk."""
    answered = columns.sorted_words([days.answers["word"], published_record["word"]])
    vocabulary = add_unlisted_words(lexicon, frequencies, forms, answered)
    candidates = merge.candidates(vocabulary, answered)
    return Tried(vocabulary, forms, candidates, merge.trials(days.puzzles, days.answers, candidates))


def update_record(
    days: DaysOnDisk,
    tried: Tried,
    published: Published,
    latest: Latest,
    grades: pd.DataFrame,
    from_nothing: bool,
) -> NewRecord:
    """Return the published record with the settled days on disk that it does not cover or, `from_nothing`, the record
    of all settled days on disk. `grades` are those that people gave."""
    covered = published.published_coverage
    start, start_dates = published.published_record, covered.dates
    if from_nothing:
        start, start_dates = frames.empty("record"), frozenset()
    settled = set(days.days["date"][days.days["settled"]]).intersection(days.puzzles["date"])
    dates = sorted(settled - start_dates)
    common_words = tried.candidates["word"][tried.candidates["common"]]
    judged = _judge(days, tried, published, grades, common_words, start, dates)
    trials = _without_doubts(tried.trials[columns.is_in(tried.trials["date"], judged.counted)], judged.doubts)
    trials = record.trials_to_count(trials, common_words, start)
    made = record.add(start, record.tally(trials, days.answers))
    all_dates = start_dates | judged.counted
    new_coverage = Coverage(all_dates, covered.candidates if start_dates else coverage.checksum_of_words(common_words))
    known_dates = sorted(all_dates.union(days.puzzles["date"]))
    stay = set(known_dates[-LATEST:]).difference(dates)
    return NewRecord(
        record=made,
        coverage=new_coverage,
        track=_track(published.published_track, judged.track, covered.dates, all_dates),
        news=new_days.latest("news", latest.news, judged.news, stay),
        waits=judged.waits,
        doubts=new_days.latest("doubts", latest.doubts, judged.doubts, stay),
    )


def _judge(
    days: DaysOnDisk,
    tried: Tried,
    published: Published,
    grades: pd.DataFrame,
    common_words: pd.Series,
    start: pd.DataFrame,
    dates: list[str],
) -> new_days.Judged:
    """Decide which of the `dates` count. If the last release covers enough days, each is scored but, if the record
    starts from nothing, only days of a live or unknown source, because the imported archives are witnesses."""
    vocabulary, candidates = tried.vocabulary, tried.candidates
    possible_words = tried.trials["word"][columns.is_in(tried.trials["date"], dates)]
    unknown_sources = set(days.days["source"]) - TRUST_RANK.keys()
    unwitnessed_sources = frozenset(LIVE_SITES) | unknown_sources
    days_to_score: frozenset[str] = frozenset()
    if dates and len(published.published_coverage.dates) >= track.ENOUGH:
        days_to_score = frozenset(dates)
        if start.empty:
            source = days.puzzles["source"]
            days_to_score &= set(days.puzzles["date"][columns.is_in(source, unwitnessed_sources)])
    scored_words = columns.sorted_words([tried.trials["word"][columns.is_in(tried.trials["date"], days_to_score)]])
    expected: dict[str, Expectation] = {}
    if days_to_score:
        expected = track.expectations(published.published_words, scored_words)
    to_judge = NewDays(
        dates=dates,
        puzzles=days.puzzles,
        answers=days.answers,
        conflicts=days.conflicts,
        trials=tried.trials,
        week_over=frozenset(days.days["date"][days.days["week_over"]]),
        accepted=frozenset(days.days["date"][days.days["accepted"]]),
        unwitnessed_sources=unwitnessed_sources,
        slurs=_slurs(days, tried, grades, start, dates, unwitnessed_sources),
        unknown_words=frozenset(candidates["word"][~candidates["known"]]),
        common_words=frozenset(common_words[columns.is_in(common_words, possible_words)].tolist()),
        days_to_score=days_to_score,
        expected=expected,
        rarity=constancy.rarities(vocabulary, scored_words),
    )
    return new_days.judge(to_judge, track.word_records(start[columns.is_in(start["word"], possible_words)]))


def _slurs(
    days: DaysOnDisk,
    tried: Tried,
    grades: pd.DataFrame,
    start: pd.DataFrame,
    dates: Collection[str],
    unwitnessed_sources: Collection[str],
) -> frozenset[str]:
    """Return all slurs, or none if no slur can matter: if each answer of a live or unknown source on the `dates` was
    accepted before."""
    is_unwitnessed = columns.is_in(days.puzzles["source"], unwitnessed_sources)
    unwitnessed = set(days.puzzles["date"][is_unwitnessed]).intersection(dates)
    answers = days.answers["word"][columns.is_in(days.answers["date"], unwitnessed)]
    if columns.is_in(answers, start["word"][start["accepted"] > 0]).all():
        return frozenset()
    offensive_words = flag.offensive_words(tried.vocabulary, tried.forms, grades)
    return frozenset(offensive_words["word"][offensive_words["flag"] == "slur"])


def known_words(tried: Tried, lexicon: pd.DataFrame, made: pd.DataFrame) -> Tried:
    """Return the vocabulary and the candidates without words that only uncounted answers have, so that a day that does
    not count changes no opinion."""
    is_common_or_tried = tried.candidates["common"] | columns.is_in(tried.candidates["word"], made["word"])
    words = tried.vocabulary["word"]
    is_listed_or_tried = columns.is_in(words, lexicon["word"]) | columns.is_in(words, made["word"])
    return Tried(
        vocabulary=tried.vocabulary[is_listed_or_tried].reset_index(drop=True),
        forms=tried.forms,
        candidates=tried.candidates[is_common_or_tried].reset_index(drop=True),
        trials=tried.trials,
    )


def _without_doubts(trials: pd.DataFrame, doubts: pd.DataFrame) -> pd.DataFrame:
    """Return the trials without those of words in doubt."""
    is_of_day = columns.is_in(trials["date"], doubts["date"])
    of_days = trials[is_of_day]
    is_doubted = columns.is_in(of_days["date"] + " " + of_days["word"], doubts["date"] + " " + doubts["word"])
    return trials.drop(of_days.index[is_doubted])


def _track(
    before: pd.DataFrame, now: pd.DataFrame, covered_before: Collection[str], covered: Collection[str]
) -> pd.DataFrame:
    """Return the track record with a row for each new day, unless a later day was published before it. Rows stay as
    they were made, without those of days that are no longer covered."""
    stays = before[columns.is_in(before["date"], covered)]
    new = now[(now["date"] > max(covered_before, default="")).to_numpy()]
    return frames.check(pd.concat([stays, new]), "track")


def model_after(
    made: NewRecord,
    vocabulary: pd.DataFrame,
    forms: pd.DataFrame,
    grades: pd.DataFrame,
    word_lists: WordLists,
) -> Model:
    """Return the model of the estimates, fitted to a record."""
    offensive_words = flag.offensive_words(vocabulary, forms, grades)
    known = estimate.estimate_input(vocabulary, forms, made.record, offensive_words)
    lists_digest = lists.digest(word_lists.lexicon_files, word_lists.own_lists)
    return fitted_on(estimate.fit(known), len(made.coverage.dates), lists_digest)
