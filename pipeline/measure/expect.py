"""Expectation: the number of exact lists if every word were accepted with its p, to compare with the actual number."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.intake import track
from pipeline.words import pangram


def chances(evidence: pd.DataFrame, estimates: pd.DataFrame, later: pd.DataFrame, daily: bool) -> pd.Series:
    """Return the probability that each later trial accepts its word, from the earlier record and estimates; same index.

    A tried word has the probability of records of its kind, any other word its estimate. `daily` adds each day to the
    record after it is scored.
    """
    record = track.remember(evidence)
    estimated = dict(zip(estimates["word"].tolist(), estimates["p"].tolist(), strict=True))
    told = {}
    for date, day in later.groupby("date"):
        words = day["word"].tolist()
        for at, word in zip(day.index.tolist(), words, strict=True):
            told[at] = track.chance(record.get(word), estimated.get(word, 0.0), str(date))
        if daily:
            track.fold(record, str(date), zip(words, day["accepted"].tolist(), strict=True))
    return pd.Series(told, dtype="float64").reindex(later.index)


def expected(sided: pd.DataFrame, chance: pd.Series) -> float:
    """Sum the probabilities that a list is exact over all puzzles.

    `sided` are the trials of `sides`, with the index of `chance`. A puzzle always has a pangram, so a list without one
    is never exact. For other lists the probability is conditional on at least one accepted pangram.
    """
    on, pangrams = sided["right"] | sided["extra"], sided["word"].map(pangram)
    frame = pd.DataFrame(
        {
            "date": sided["date"],
            "right": np.log(np.where(on, chance, 1 - chance)),
            "none": np.where(pangrams, np.log1p(-chance), 0.0),
            "has": on & pangrams,
        }
    )
    sums = frame.groupby("date").agg({"right": "sum", "none": "sum", "has": "any"})
    sums = sums[sums["has"]]
    return float(np.minimum(np.exp(sums["right"]) / -np.expm1(sums["none"]), 1).sum())
