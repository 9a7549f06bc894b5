"""Finds where the list and the official answers differ.

A difference is a measurement, not an error: the editor sometimes changes a decision, and the list follows only later.
"""

from __future__ import annotations

import pandas as pd

from pipeline.tables import columns, frames
from pipeline.words import LISTED


def by_day(trials: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Return each official answer that is not on the list (missing) and each listed word that was refused (extra)."""
    if trials.empty:
        return frames.empty("day_diffs")
    listed_words = decisions["word"][columns.is_in(decisions["tier"], LISTED)]
    is_listed = columns.is_in(trials["word"], listed_words)
    differing = trials[trials["accepted"] != is_listed]
    because = columns.look_up(differing["word"], decisions.set_index("word")["because"], "no decision on this word")
    side = differing["accepted"].map({True: "missing", False: "extra"})
    return frames.check(differing[["date", "word"]].assign(side=side, because=because), "day_diffs")


def by_word(record: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Return the numbers of differences in all covered puzzles, from the record alone: columns word, side, puzzles,
    because.

    A listed word is extra on every day on which it was refused. An unlisted word is missing on every day on which it
    was accepted. So the numbers can be computed without puzzles, and the release can include them.
    """
    place = columns.positions(record["word"], decisions["word"])
    tried = record[place >= 0].reset_index(drop=True)
    decided = decisions.iloc[place[place >= 0]].reset_index(drop=True)
    is_listed = decided["tier"].isin(LISTED)
    tried["side"] = is_listed.map({True: "extra", False: "missing"})
    tried["puzzles"] = (tried["offered"] - tried["accepted"]).where(is_listed, tried["accepted"])
    counts = tried.assign(because=decided["because"])[tried["puzzles"] > 0]
    counts = counts.sort_values(["puzzles", "word"], ascending=[False, True], ignore_index=True)
    return counts[["word", "side", "puzzles", "because"]]
