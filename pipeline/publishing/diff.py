"""Diff: where the list and the official answers part ways, puzzle by puzzle and word by word.

A diff is a measurement, never a fault: words change sides, and the record follows only afterwards.
"""

from __future__ import annotations

import pandas as pd

from pipeline import frames
from pipeline.decide import LISTED


def diff(trials: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """List each official answer that the list lacks (missing) and each listed word that was refused (extra)."""
    if trials.empty:
        return frames.empty("diffs")
    frame = trials.merge(decisions, on="word", how="left", validate="many_to_one")
    frame["because"] = frame["because"].fillna("no decision on this word")
    listed = frame["tier"].isin(LISTED)
    frame["side"] = ""
    frame.loc[frame["accepted"] & ~listed, "side"] = "missing"
    frame.loc[~frame["accepted"] & listed, "side"] = "extra"
    return frames.check(frame[frame["side"] != ""][["date", "word", "side", "because"]], "diffs")


def by_word(evidence: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Count diffs over all covered puzzles from the record alone: columns word, side, puzzles, because.

    A word on the list is extra wherever it was refused, one off the list is missing wherever it was accepted; so the
    counts need no puzzle, and the release can carry them.
    """
    frame = evidence.merge(decisions, on="word", validate="one_to_one")
    listed = frame["tier"].isin(LISTED)
    frame["side"] = listed.map({True: "extra", False: "missing"})
    frame["puzzles"] = (frame["offered"] - frame["accepted"]).where(listed, frame["accepted"])
    frame = frame[frame["puzzles"] > 0].sort_values(["puzzles", "word"], ascending=[False, True], ignore_index=True)
    return frame[["word", "side", "puzzles", "because"]]
