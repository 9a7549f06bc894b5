"""Sides: on which trials a list is right, misses a word, or has an extra word, and the resulting figures."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.tables import columns


def sides(later: pd.DataFrame, words: set[str]) -> pd.DataFrame:
    """Compare every trial with a list: columns date, center, word, right, missing, extra."""
    on = pd.Series(columns.among(later["word"], words), index=later.index)
    frame = later[["date", "center", "word"]].copy()
    frame["right"], frame["missing"], frame["extra"] = (
        on & later["accepted"],
        ~on & later["accepted"],
        on & ~later["accepted"],
    )
    return frame


def folded(later: pd.DataFrame, words: set[str]) -> pd.DataFrame:
    """Do the same for a list that is updated daily: if a word had a trial since the cutoff, the last one decides."""
    frame = later.sort_values(["word", "date"])
    last = frame.groupby("word")["accepted"].shift(1)
    on = last.where(last.notna(), columns.among(frame["word"], words)).astype(bool)
    frame["right"], frame["missing"], frame["extra"] = (
        on & frame["accepted"],
        ~on & frame["accepted"],
        on & ~frame["accepted"],
    )
    return frame[["date", "center", "word", "right", "missing", "extra"]]


def interval(exact: float, puzzles: int) -> tuple[float, float]:
    """Return the 95% interval of a share of exact lists, by a bootstrap over puzzles.

    A puzzle is exact or not. So the sum over puzzles drawn with replacement is binomial and can be drawn directly.

    >>> [round(end, 2) for end in interval(0.65, 915)], interval(1.0, 10)
    ([0.62, 0.68], (1.0, 1.0))
    """
    draws = np.random.default_rng(0).binomial(puzzles, exact, 10_000) / max(1, puzzles)
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(low), float(high)


def measured(sided: pd.DataFrame) -> dict[str, float]:
    """Measure a list over trials of `sides`: puzzles, precision, recall, f1, exact, missing and extra words per
    puzzle."""
    right, missing, extra = (int(sided[name].sum()) for name in ("right", "missing", "extra"))
    puzzles = sided["date"].nunique()
    wrong = sided["date"][sided["missing"] | sided["extra"]].nunique()
    return {
        "puzzles": puzzles,
        "precision": right / max(1, right + extra),
        "recall": right / max(1, right + missing),
        "f1": 2 * right / max(1, 2 * right + missing + extra),
        "exact": 1 - wrong / max(1, puzzles),
        "missing": missing / max(1, puzzles),
        "extra": extra / max(1, puzzles),
    }
