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

from pipeline.facts.seal import REPAIR, EvidenceError, Waits, opened, sealed
from pipeline.tables import columns, frames

LATER_THAN_ALL = "9999-99-99"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The record: the table `evidence`, the dates that it covers, and their (date, word) that do not count yet."""

    record: pd.DataFrame
    covered: frozenset[str]
    waits: Waits = frozenset()


NONE = Evidence(frames.empty("evidence"), frozenset())
"""The evidence before the first merge."""


def tally(trials: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Count trials as evidence, one row per word; `answers` has how many sources vouched for each acceptance."""
    if trials.empty:
        return frames.empty("evidence")
    (word, words), (date, dates) = (pd.factorize(trials[name], sort=True) for name in ("word", "date"))
    yes = trials["accepted"].to_numpy()
    size, none = len(words), len(dates)
    first, last, refused = np.full(size, none), np.full(size, -1), np.full(size, -1)
    np.minimum.at(first, word[yes], date[yes])
    np.maximum.at(last, word[yes], date[yes])
    np.maximum.at(refused, word[~yes], date[~yes])
    place, day = columns.places(answers["word"], words), columns.places(answers["date"], dates)
    counts = (place >= 0) & (day >= 0) & np.isin(day * size + place, date[yes] * size + word[yes])
    vouched = np.zeros(size, np.int64)
    np.maximum.at(vouched, place[counts], answers["vouched"].to_numpy()[counts])
    written = np.array([*dates, ""], dtype=object)
    cells = {
        "word": words,
        "offered": np.bincount(word, minlength=size),
        "accepted": np.bincount(word[yes], minlength=size),
        "first_accepted": written[first],
        "last_accepted": written[last],
        "last_rejected": written[refused],
        "vouched": vouched,
    }
    return frames.check(pd.DataFrame(cells), "evidence")


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
    plain: Collection[str],
    waits: Waits = frozenset(),
) -> Evidence:
    """Add the days of `dates` to a record, without the (date, word) of `waits`; `trials` are those of all days on disk.

    Days can be given in any order, all at once or one by one, as long as the record that they are added to stays the
    same. A word counts if it is a common word of the lexicon (`plain`), was accepted on one of the days, or is in the
    record. A word that is not in the record yet also counts on the days on disk that the record covers: if it had been
    a candidate on those days, the record would already contain it. So does a word that waited and no longer does.
    """
    trials = trials[~_pairs(trials, waits)]
    counts, before = (columns.among(trials["date"], days) for days in (dates, base.covered))
    again = before & _pairs(trials, base.waits)
    words, which = columns.different(columns.text(trials["word"]))
    accepted = np.zeros(len(words), np.bool_)
    accepted[which[(counts | again) & trials["accepted"].to_numpy()]] = True
    on_record = columns.among(words, base.record["word"])
    considered = on_record | columns.among(words, plain) | accepted
    new = considered[which] & ((counts & ~before) | (before & ~on_record[which]) | again)
    covered = base.covered | frozenset(dates)
    left = frozenset(pair for pair in waits if pair[0] in covered)
    return Evidence(add(base.record, tally(trials[new], answers)), covered, left)


def _pairs(trials: pd.DataFrame, pairs: Waits) -> npt.NDArray[np.bool_]:
    """Return which trials are among some (date, word)."""
    found = np.flatnonzero(columns.among(trials["date"], {date for date, _ in pairs}))
    mask = np.zeros(len(trials), np.bool_)
    near = trials.iloc[found]
    mask[found] = [pair in pairs for pair in zip(near["date"], near["word"], strict=True)]
    return mask


def encode(kept: Evidence) -> bytes:
    """Encode the evidence file."""
    return sealed(kept.covered, frames.csv_bytes(kept.record), kept.waits)


def decode(data: bytes) -> Evidence:
    """Decode the evidence file; raise EvidenceError or FrameError if it is incomplete or damaged."""
    covered, waits = opened(data)
    record = frames.from_text(frames.read_csv(data, "evidence.csv"), "evidence")
    if len(wrong := record["word"][~columns.playable(record["word"])]):
        raise EvidenceError(f'evidence.csv has "{wrong.iloc[0]}", which cannot be a word of a puzzle; {REPAIR}.')
    return Evidence(record, covered, waits)
