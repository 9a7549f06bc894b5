"""Evidence: the record of every word that was ever possible, stored as counts per word, never as puzzles.

The first line of the file has the dates that it covers and a checksum of these dates and the rest. So counts and
coverage are written together, and an incomplete file is always detected:

    # sha256 5d41… covers 2018-05-09..2025-06-02 2025-06-04..2025-12-31
    word,offered,accepted,first_accepted,last_accepted,last_rejected,vouched

`vouched` is the largest number of sources that named the word on one day. All columns are sums, minimums or maximums,
so days can be added one by one or all at once, in any order, with the same result.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.facts.seal import REPAIR, EvidenceError, coverage, ranges, sealed
from pipeline.tables import columns, frames

LATER_THAN_ALL = "9999-99-99"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The record: the table `evidence`, and the dates that it covers."""

    record: pd.DataFrame
    covered: frozenset[str]


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
) -> Evidence:
    """Add the days of `dates` to a record; `trials` are those of all days on disk.

    Days can be given in any order, all at once or one by one, as long as the record that they are added to stays the
    same. A word counts if it is a common word of the lexicon (`plain`), was accepted on one of the days, or is in the
    record. A word that is not in the record yet also counts on the days on disk that the record covers: if it had been
    a candidate on those days, the record would already contain it.
    """
    counts, before = (columns.among(trials["date"], days) for days in (dates, base.covered))
    words, which = columns.different(columns.text(trials["word"]))
    accepted = np.zeros(len(words), np.bool_)
    accepted[which[counts & trials["accepted"].to_numpy()]] = True
    on_record = columns.among(words, base.record["word"])
    considered = on_record | columns.among(words, plain) | accepted
    new = considered[which] & ((counts & ~before) | (before & ~on_record[which]))
    return Evidence(add(base.record, tally(trials[new], answers)), base.covered | frozenset(dates))


def need_all(covered: Collection[str], seen: Collection[str]) -> None:
    """Raise EvidenceError if counting again would lose days that are covered and not on disk."""
    if lost := set(covered) - set(seen):
        raise EvidenceError(
            f"Rebuilding would lose {len(lost)} days that the evidence covers and raw/ does not have, "
            f"{ranges(lost)[:60]}. Fetch them first: bee import ARCHIVE."
        )


def encode(kept: Evidence) -> bytes:
    """Encode the evidence file."""
    return sealed(kept.covered, frames.csv_bytes(kept.record))


def decode(data: bytes) -> Evidence:
    """Decode the evidence file; raise EvidenceError or FrameError if it is incomplete or damaged."""
    covered = coverage(data)
    record = frames.from_text(frames.read_csv(data, "evidence.csv"), "evidence")
    if len(wrong := record["word"][~columns.playable(record["word"])]):
        raise EvidenceError(f'evidence.csv has "{wrong.iloc[0]}", which cannot be a word of a puzzle; {REPAIR}.')
    return Evidence(record, covered)
