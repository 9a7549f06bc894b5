"""The new record: that of the last release plus the days on disk that count and that it does not cover, in one pure
step.

A rebuild counts all days on disk that count, from nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import BeeError
from pipeline.facts import record, track, trials
from pipeline.facts.count_days import CountedDays, PriorKnowledge
from pipeline.facts.coverage import Coverage, checksum_of_words
from pipeline.facts.lexicon import Lexicon, add_unlisted_words
from pipeline.tables import columns, frames
from pipeline.words import count, date_ranges

MAX_REASONS = 5
"""The maximum number of days whose reasons a message has."""


@dataclass(frozen=True, slots=True)
class PublishedTables:
    """The tables of the last release from which a run goes on; empty before the first release."""

    record: pd.DataFrame
    coverage: Coverage
    track: pd.DataFrame
    listed: pd.Series  # the words on its list


@dataclass(frozen=True)
class NewRecord:
    """The new record, and the tables of the days on disk, by their names. `lexicon` has all tried words, also those in
    no list, and `candidates` the words that may be listed: columns word, common."""

    puzzles: pd.DataFrame
    answers: pd.DataFrame
    lexicon: pd.DataFrame
    candidates: pd.DataFrame
    trials: pd.DataFrame
    record: pd.DataFrame
    coverage: Coverage
    track: pd.DataFrame
    waits: pd.DataFrame
    without_trial: pd.DataFrame


def prior_knowledge(published: PublishedTables, in_lists: pd.Series, offensive_words: pd.DataFrame) -> PriorKnowledge:
    """Return what is known without the new days; `in_lists` are the words of the word lists."""
    rows = published.record
    return PriorKnowledge(
        covered=published.coverage.dates,
        accepted_on=record.accepted_on(rows),
        listed=published.listed,
        accepted=frozenset(rows["word"][rows["accepted"] > 0]),
        in_lists=in_lists,
        slurs=frozenset(offensive_words["word"][offensive_words["flag"] == "slur"]),
    )


def new_record(
    day_lists: pd.DataFrame,
    days: CountedDays,
    lexicon: Lexicon,
    published: PublishedTables,
    decided: pd.Series,
    from_nothing: bool,
) -> NewRecord:
    """Return the published record with the new days that count or, `from_nothing`, the record of all days on disk that
    count. `days` says which of their days count. The words on which people `decided` have trials like those of the
    lexicon."""
    start, covered, track_before = published.record, published.coverage, published.track
    if from_nothing:
        start, covered = frames.empty("record"), Coverage()
        track_before = track.recounted(track_before, days)
    puzzles = days.puzzles
    without_trial = track.without_trial(days.without_trial, track_before)
    answers = trials.leave_out(days.answers, without_trial)
    candidates = trials.candidates(lexicon.words, columns.sorted_words([answers["word"], start["word"], decided]))
    common_words = candidates["word"][candidates["common"]]
    always_count = columns.sorted_words([common_words, decided])
    tried = trials.leave_out(trials.find_trials(puzzles, answers, candidates), without_trial)
    new_dates = set(puzzles["date"]) - covered.dates
    counted = record.trials_to_count(tried[columns.is_in(tried["date"], new_dates)], always_count, start)
    made = record.add(start, record.tally(counted))
    dates = covered.dates | new_dates
    # an answer of a covered day that the record does not have changes no opinion
    known_words = columns.sorted_words([always_count, made["word"]])
    is_known = columns.is_in(candidates["word"], known_words)
    return NewRecord(
        puzzles=puzzles,
        answers=answers,
        lexicon=add_unlisted_words(lexicon, known_words),
        candidates=candidates[is_known].reset_index(drop=True),
        trials=tried,
        record=made,
        coverage=Coverage(dates, covered.candidates_checksum if covered.dates else checksum_of_words(common_words)),
        track=track.updated(track_before, days.track, dates, day_lists, start),
        waits=_without_dates(days.waits, dates),
        without_trial=without_trial,
    )


def _without_dates(frame: pd.DataFrame, dates: Collection[str]) -> pd.DataFrame:
    return frame[~columns.is_in(frame["date"], dates)].reset_index(drop=True)


def require_all_days(before: Collection[str], made: NewRecord) -> None:
    """Raise BeeError if a rebuild loses days that were covered before."""
    lost = set(before) - made.coverage.dates
    if not lost:
        return
    waits = made.waits[columns.is_in(made.waits["date"], lost)].head(MAX_REASONS)
    reasons = [f" {row['date']} waits: {row['because']}." for row in frames.rows(waits)]
    raise BeeError(
        f"A rebuild would lose {count(len(lost), 'covered day')}: {date_ranges(lost)}. Nothing was changed. Import the "
        f"files that have these days, or give them up with `bee run --rebuild --force`.{''.join(reasons)}"
    )
