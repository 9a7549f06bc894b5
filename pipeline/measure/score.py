"""Scores: on which trials a list is right, misses a word, or has an extra word, and the resulting figures."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from pipeline.facts import merge
from pipeline.intake import track
from pipeline.tables import columns
from pipeline.words import BeeError, pangram


def sides(later: pd.DataFrame, words: set[str]) -> pd.DataFrame:
    """Compare every trial with a list: columns date, center, word, right, missing, extra."""
    return _sided(later, pd.Series(columns.among(later["word"], words), index=later.index))


def _sided(later: pd.DataFrame, on: pd.Series) -> pd.DataFrame:
    yes = later["accepted"]
    return later[["date", "center", "word"]].assign(right=on & yes, missing=~on & yes, extra=on & ~yes)


def folded(later: pd.DataFrame, words: set[str]) -> pd.DataFrame:
    """Do the same for a list that is updated daily: if a word had a trial since the cutoff, the last one decides."""
    frame = later.sort_values(["word", "date"])
    last = frame.groupby("word")["accepted"].shift(1)
    return _sided(frame, last.where(last.notna(), columns.among(frame["word"], words)).astype(bool))


Z = 1.959964
"""The 97.5 % point of the normal distribution."""


def interval(exact: int, puzzles: int) -> tuple[float, float]:
    """Return the 95% interval of a share of exact lists: the score interval of Wilson (1927), for few puzzles too.

    >>> [round(end, 3) for end in interval(8, 10)], interval(0, 0)
    ([0.49, 0.943], (0.0, 1.0))
    """
    if not puzzles:
        return 0.0, 1.0
    share, part = exact / puzzles, Z * Z / puzzles
    half = Z * math.sqrt(share * (1 - share) / puzzles + part / (4 * puzzles))
    return max(0.0, (share + part / 2 - half) / (1 + part)), min(1.0, (share + part / 2 + half) / (1 + part))


def measured(sided: pd.DataFrame) -> dict[str, float]:
    """Measure a list over trials of `sides`: puzzles, precision, recall, f1, exact, missing and extra per puzzle."""
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


SPANS = (30, 90, 365)
"""Lengths of the spans in days, each ending with the last counted day."""


def live(track: pd.DataFrame) -> pd.DataFrame:
    """Summarize the last days of the track record: columns span, days, exact, low, high, expected, missing, extra, f1.

    `exact` is the share of exact lists, `low` to `high` its 95% interval, and `expected` the share that was predicted.
    """
    last = pd.Timestamp(max(track["date"], default="1970-01-01"))
    rows = []
    for span in (*SPANS, None):
        since = str((last - pd.Timedelta(days=span - 1)).date()) if span else ""
        days = track[track["date"] >= since]
        if days.empty:
            continue
        low, high = interval(int(days["exact"].sum()), len(days))
        right = int((days["answers"] - days["missing"]).sum())
        wrong = int((days["missing"] + days["extra"]).sum())
        row: dict[str, object] = {"span": f"last {span} days" if span else "all days", "days": len(days)}
        row |= {"exact": days["exact"].mean(), "low": low, "high": high}
        row |= {name: days[name].mean() for name in ("expected", "missing", "extra")}
        rows.append(row | {"f1": 2 * right / max(1, 2 * right + wrong)})
    return pd.DataFrame(rows)


def trial_chances(
    evidence: pd.DataFrame, estimates: pd.DataFrame, later: pd.DataFrame, daily: bool, rarity: track.Rarity
) -> pd.Series:
    """Return the probability that each later trial accepts its word, by its record or else its estimate; same index.

    `daily` adds each day to the record after it is scored.
    """
    record = track.remember(evidence)
    estimated = dict(zip(estimates["word"].tolist(), estimates["p"].tolist(), strict=True))
    chances = {}
    for date, day in later.groupby("date"):
        words = day["word"].tolist()
        for at, word in zip(day.index.tolist(), words, strict=True):
            chances[at] = track.chance(record.get(word), estimated.get(word, 0.0), str(date), rarity[word])
        if daily:
            track.fold(record, str(date), zip(words, day["accepted"].tolist(), strict=True))
    return pd.Series(chances, dtype="float64").reindex(later.index)


def expected_exact(sided: pd.DataFrame, chance: pd.Series) -> float:
    """Sum the probabilities that a list is exact over all puzzles; `sided` is as in `sides`, indexed like `chance`.

    A puzzle always has a pangram, so a list without one is never exact, and other lists have at least one right.
    """
    on, pangrams = sided["right"] | sided["extra"], sided["word"].map(pangram)
    cells = {"right": np.log(np.where(on, chance, 1 - chance)), "none": np.where(pangrams, np.log1p(-chance), 0.0)}
    frame = sided[["date"]].assign(**cells, has=on & pangrams)
    sums = frame.groupby("date").agg({"right": "sum", "none": "sum", "has": "any"})
    sums = sums[sums["has"]]
    return float(np.minimum(np.exp(sums["right"]) / -np.expm1(sums["none"]), 1).sum())


class BacktestError(BeeError):
    """The dates leave no puzzles to learn from, or none to score."""


OURS = 0.99
"""From this share on a list is taken for a release of ours; the nearest public list shares 0.9 of its words with us."""


def ours(words: set[str], released: set[str]) -> bool:
    """Say whether a list is a release, whole or half of it, as it is or a little older.

    >>> ours({"cove", "cave"}, {"cove", "cave", "octave", "vacate"}), ours({"cove"}, {"cove", "cave", "octave"})
    (True, False)
    """
    return 2 * len(words) >= len(released) and len(words & released) >= OURS * len(words)


def audit(
    puzzles: pd.DataFrame, answers: pd.DataFrame, words: set[str], since: str = "", until: str = ""
) -> pd.DataFrame:
    """Score any word list on official puzzles from `since` to before `until`; columns as in `sides`."""
    chosen = puzzles[(puzzles["date"] >= since) & ((puzzles["date"] < until) | (until == ""))]
    if chosen.empty:
        raise BacktestError(f"There are no puzzles on disk from {since or 'the first'} to {until or 'the last'}.")
    candidates = pd.DataFrame({"word": sorted(words | set(answers["word"]))})
    tried = merge.trials(chosen, answers, candidates)
    return sides(tried.merge(chosen[["date", "center"]], on="date"), words)
