"""Evidence: the record of every word that was ever possible, stored as counts per word, never as puzzles.

The first line of the file has the dates that it covers, the words of these days that do not count yet, and a checksum
of this and of the rows. So counts and coverage are written together, and an incomplete file is always detected:

    # sha256 5d41… covers 2018-05-09..2025-06-02 2025-06-04..2025-12-31 without 2025-03-14 loll
    word,offered,accepted,first_accepted,last_accepted,last_rejected,vouched

`vouched` is the largest number of sources that listed the word on one day. All columns are sums, minimums or maximums,
so days can be added one by one or all at once, in any order, with the same result.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import DataError
from pipeline.facts.seal import REPAIR, WordsByDate, opened, sealed
from pipeline.tables import columns, frames


@dataclass(frozen=True, slots=True)
class Evidence:
    """The record: the table `evidence`, the dates that it covers, and the words of these dates that do not count
    yet."""

    record: pd.DataFrame
    covered: frozenset[str]
    waiting: WordsByDate = frozenset()


NO_EVIDENCE = Evidence(frames.empty("evidence"), frozenset())
"""The evidence before the first merge."""


def tally(trials: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of trials, one row per word, as the table `evidence`. `answers` has the number of sources that
    vouched for each acceptance."""
    trials_of_word = trials.groupby("word")
    acceptances = trials[trials["accepted"]].merge(answers, how="left").groupby("word")
    rejections = trials[~trials["accepted"]].groupby("word")
    counts = pd.DataFrame(
        {
            "offered": trials_of_word.size(),
            "accepted": trials_of_word["accepted"].sum(),
            "first_accepted": acceptances["date"].min(),
            "last_accepted": acceptances["date"].max(),
            "last_rejected": rejections["date"].max(),
            "vouched": acceptances["vouched"].max(),
        }
    )
    counts = counts.fillna({"first_accepted": "", "last_accepted": "", "last_rejected": "", "vouched": 0})
    return frames.check(counts.reset_index(names="word"), "evidence")


def add(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
    """Return the sum of two records that cover different days."""
    both = pd.concat([left, right], ignore_index=True)
    both["first_accepted"] = both["first_accepted"].replace("", None)  # so that "" does not count as the first date
    sums = {
        "offered": "sum",
        "accepted": "sum",
        "first_accepted": "min",
        "last_accepted": "max",
        "last_rejected": "max",
        "vouched": "max",
    }
    counts = both.groupby("word").agg(sums).fillna({"first_accepted": ""})
    return frames.check(counts.reset_index(), "evidence")


def counted(
    base: Evidence,
    trials: pd.DataFrame,
    answers: pd.DataFrame,
    dates: Collection[str],
    common_words: Collection[str],
    waiting: WordsByDate = frozenset(),
) -> Evidence:
    """Return a record with the days of `dates` added, without the words that wait; `trials` are those of all days on
    disk.

    Days can be given in any order, all at once or one by one, as long as the record that they are added to stays the
    same. A word counts if it is a common word of the lexicon, was accepted on one of the days, or is in the record. A
    word that is not in the record yet is also counted on the days on disk that the record covers: if it had been a
    candidate on those days, the record would already contain it. The same applies to a word that no longer waits.
    """
    trials = trials[~_are_among(trials, waiting)]
    is_new_day = columns.is_in(trials["date"], dates)
    is_known_day = columns.is_in(trials["date"], base.covered)
    waited = is_known_day & _are_among(trials, base.waiting)
    accepted_words = trials["word"][(is_new_day | waited) & trials["accepted"]]
    is_on_record = columns.is_in(trials["word"], base.record["word"])
    is_considered = (
        is_on_record | columns.is_in(trials["word"], common_words) | columns.is_in(trials["word"], accepted_words)
    )
    counts = (is_new_day & ~is_known_day) | (is_known_day & ~is_on_record) | waited
    tallied = tally(trials[is_considered & counts], answers)
    covered = base.covered | frozenset(dates)
    still_waiting = frozenset((date, word) for date, word in waiting if date in covered)
    return Evidence(add(base.record, tallied), covered, still_waiting)


def _are_among(trials: pd.DataFrame, words_by_date: WordsByDate) -> columns.Flags:
    """Return, for each trial, whether its date and word are among these."""
    is_among = columns.is_in(trials["date"], {date for date, _ in words_by_date}).copy()
    chosen = trials[is_among]
    is_among[is_among] = [pair in words_by_date for pair in zip(chosen["date"], chosen["word"], strict=True)]
    return is_among


def encode(evidence: Evidence) -> bytes:
    """Return the evidence file."""
    return sealed(evidence.covered, frames.csv_bytes(evidence.record), evidence.waiting)


def decode(data: bytes) -> Evidence:
    """Return the evidence of a file; raise DataError if it is incomplete or damaged."""
    first_line = opened(data)
    record = frames.from_text(frames.read_csv(data, "evidence.csv"), "evidence")
    impossible = record["word"][~columns.is_playable(record["word"])]
    if len(impossible):
        raise DataError(f'evidence.csv has "{impossible.iloc[0]}", which cannot be an answer of a puzzle; ', REPAIR)
    return Evidence(record, first_line.covered, first_line.waiting)
