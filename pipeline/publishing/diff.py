"""Diff: where the list and the official answers differ, by puzzle and word.

A diff is a measurement, not an error: words change sides, and the record follows afterwards.
"""

from __future__ import annotations

import pandas as pd

from pipeline.tables import columns, frames
from pipeline.words import LISTED


def diff(trials: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """List each official answer that is not on the list (missing) and each listed word that was refused (extra)."""
    if trials.empty:
        return frames.empty("diffs")
    listed = columns.among(trials["word"], decisions["word"][columns.among(decisions["tier"], LISTED)])
    frame = trials[trials["accepted"] != listed]
    because = columns.look_up(frame["word"], decisions.set_index("word")["because"], "no decision on this word")
    side = frame["accepted"].map({True: "missing", False: "extra"})
    return frames.check(frame[["date", "word"]].assign(side=side, because=because), "diffs")


def by_word(evidence: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Count diffs over all covered puzzles from the record alone: columns word, side, puzzles, because.

    A listed word is extra on every day on which it was refused. An unlisted word is missing on every day on which it
    was accepted. So the counts need no puzzles, and the release can include them.
    """
    place = columns.places(evidence["word"], decisions["word"])
    frame = evidence[place >= 0].reset_index(drop=True)
    decided = decisions.iloc[place[place >= 0]].reset_index(drop=True)
    frame["because"] = decided["because"]
    listed = decided["tier"].isin(LISTED)
    frame["side"] = listed.map({True: "extra", False: "missing"})
    frame["puzzles"] = (frame["offered"] - frame["accepted"]).where(listed, frame["accepted"])
    frame = frame[frame["puzzles"] > 0].sort_values(["puzzles", "word"], ascending=[False, True], ignore_index=True)
    return frame[["word", "side", "puzzles", "because"]]
