"""Evidence: the record of every word that was ever possible, stored as counts per word, never as puzzles.

The first line of the file has the dates that it covers, the words of these days that do not count yet, and a checksum
of all that and the rest. So counts and coverage are written together, and an incomplete file is always detected:

    # sha256 5d41… covers 2018-05-09..2025-06-02 2025-06-04..2025-12-31 without 2025-03-14 loll
    word,offered,accepted,first_accepted,last_accepted,last_rejected,vouched

`vouched` is the largest number of sources that named the word on one day. All columns are sums, minimums or maximums,
so days can be added one by one or all at once, in any order, with the same result.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.facts.seal import REPAIR, EvidenceError, WordsByDate, opened, sealed
from pipeline.tables import columns, frames

LATER_THAN_ALL = "9999-99-99"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The record: the table `evidence`, the dates that it covers, and their (date, word) that do not count yet."""

    record: pd.DataFrame
    covered: frozenset[str]
    waiting: WordsByDate = frozenset()


NO_EVIDENCE = Evidence(frames.empty("evidence"), frozenset())
"""The evidence before the first merge."""


def tally(trials: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Count trials as evidence, one row per word; `answers` has how many sources vouched for each acceptance."""
    if trials.empty:
        return frames.empty("evidence")
    word_of_trial, words = pd.factorize(trials["word"], sort=True)
    date_of_trial, dates = pd.factorize(trials["date"], sort=True)
    accepted = trials["accepted"].to_numpy()
    first_accepted = np.full(len(words), len(dates))
    last_accepted = np.full(len(words), -1)
    last_rejected = np.full(len(words), -1)
    np.minimum.at(first_accepted, word_of_trial[accepted], date_of_trial[accepted])
    np.maximum.at(last_accepted, word_of_trial[accepted], date_of_trial[accepted])
    np.maximum.at(last_rejected, word_of_trial[~accepted], date_of_trial[~accepted])
    date_text = np.array([*dates, ""], dtype=object)  # the positions `len(dates)` and -1 mean no date
    cells = {
        "word": words,
        "offered": np.bincount(word_of_trial, minlength=len(words)),
        "accepted": np.bincount(word_of_trial[accepted], minlength=len(words)),
        "first_accepted": date_text[first_accepted],
        "last_accepted": date_text[last_accepted],
        "last_rejected": date_text[last_rejected],
        "vouched": _vouched(trials[accepted], answers, words),
    }
    return frames.check(pd.DataFrame(cells), "evidence")


def _vouched(accepted: pd.DataFrame, answers: pd.DataFrame, words: pd.Index) -> columns.Numbers:
    """Return for each word the largest number of sources that vouched for one of its acceptances."""
    dates = pd.Index(accepted["date"].unique())
    word_of_answer = columns.positions(answers["word"], words)
    date_of_answer = columns.positions(answers["date"], dates)
    key_of_answer = date_of_answer * len(words) + word_of_answer
    key_of_accepted = columns.positions(accepted["date"], dates) * len(words) + columns.positions(
        accepted["word"], words
    )
    counts = (word_of_answer >= 0) & (date_of_answer >= 0) & np.isin(key_of_answer, key_of_accepted)
    vouched = np.zeros(len(words), np.int64)
    np.maximum.at(vouched, word_of_answer[counts], answers["vouched"].to_numpy()[counts])
    return vouched


def add(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
    """Add two records that cover different days."""
    if left.empty or right.empty:
        return frames.check(right if left.empty else left, "evidence")
    both = pd.concat([left, right], ignore_index=True)
    both["first_accepted"] = both["first_accepted"].replace("", LATER_THAN_ALL)
    sums = {
        "offered": "sum",
        "accepted": "sum",
        "first_accepted": "min",
        "last_accepted": "max",
        "last_rejected": "max",
        "vouched": "max",
    }
    frame = both.groupby("word").agg(sums).reset_index()
    frame["first_accepted"] = frame["first_accepted"].replace(LATER_THAN_ALL, "")
    return frames.check(frame, "evidence")


def counted(
    base: Evidence,
    trials: pd.DataFrame,
    answers: pd.DataFrame,
    dates: Collection[str],
    common_words: Collection[str],
    waiting: WordsByDate = frozenset(),
) -> Evidence:
    """Add the days of `dates` to a record, without the words that wait; `trials` are those of all days on disk.

    Days can be given in any order, all at once or one by one, as long as the record that they are added to stays the
    same. A word counts if it is a common word of the lexicon, was accepted on one of the days, or is in the record. A
    word that is not in the record yet also counts on the days on disk that the record covers: if it had been a
    candidate on those days, the record would already contain it. So does a word that waited and no longer does.
    """
    trials = trials[~_are_among(trials, waiting)]
    is_new_day = columns.is_in(trials["date"], dates)
    is_known_day = columns.is_in(trials["date"], base.covered)
    waited = is_known_day & _are_among(trials, base.waiting)
    words, word_of_trial = columns.distinct(columns.as_text(trials["word"]))
    was_accepted = np.zeros(len(words), np.bool_)
    was_accepted[word_of_trial[(is_new_day | waited) & trials["accepted"].to_numpy()]] = True
    on_record = columns.is_in(words, base.record["word"])
    considered = on_record | columns.is_in(words, common_words) | was_accepted
    counts = (is_new_day & ~is_known_day) | (is_known_day & ~on_record[word_of_trial]) | waited
    tallied = tally(trials[considered[word_of_trial] & counts], answers)
    covered = base.covered | frozenset(dates)
    still_waiting = frozenset((date, word) for date, word in waiting if date in covered)
    return Evidence(add(base.record, tallied), covered, still_waiting)


def _are_among(trials: pd.DataFrame, words_by_date: WordsByDate) -> npt.NDArray[np.bool_]:
    """Return for each trial whether it is of one of these words on its date."""
    on_these_dates = np.flatnonzero(columns.is_in(trials["date"], {date for date, _ in words_by_date}))
    is_among = np.zeros(len(trials), np.bool_)
    chosen = trials.iloc[on_these_dates]
    is_among[on_these_dates] = [pair in words_by_date for pair in zip(chosen["date"], chosen["word"], strict=True)]
    return is_among


def encode(evidence: Evidence) -> bytes:
    """Encode the evidence file."""
    return sealed(evidence.covered, frames.csv_bytes(evidence.record), evidence.waiting)


def decode(data: bytes) -> Evidence:
    """Decode the evidence file; raise EvidenceError or FrameError if it is incomplete or damaged."""
    first_line = opened(data)
    record = frames.from_text(frames.read_csv(data, "evidence.csv"), "evidence")
    impossible = record["word"][~columns.is_playable(record["word"])]
    if len(impossible):
        raise EvidenceError(f'evidence.csv has "{impossible.iloc[0]}", which cannot be a word of a puzzle; {REPAIR}.')
    return Evidence(record, first_line.covered, first_line.waiting)
