"""Scores: on which trials a list is right, misses a word, or has an extra word, and the resulting figures."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from pipeline.facts import merge
from pipeline.tables import columns
from pipeline.words import BeeError


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


OUTCOMES = ("right", "wrong", "not tried")
"""What became of a verdict: the last trial after its day agrees with it or not, or there is none."""


def verdicts(given: pd.DataFrame, puzzles: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Compare each verdict with the trials after its day: the columns of `verdicts`, trials, accepted, outcome."""
    tried = merge.trials(puzzles, answers, given[["word"]]).merge(given, on="word")
    later = tried[tried["date"] > tried["on"]].sort_values("date").groupby("word")["accepted"]
    frame = given.join(later.agg(trials="size", accepted="sum", last="last"), on="word")
    agrees = (frame["last"] == True) == (frame["verdict"] == "keep")  # noqa: E712 - without a trial it is missing
    frame["outcome"] = np.select([frame["trials"].isna(), agrees], [OUTCOMES[2], OUTCOMES[0]], OUTCOMES[1])
    return frame.fillna({"trials": 0, "accepted": 0}).astype({"trials": int, "accepted": int}).drop(columns="last")


def outcomes(judged: pd.DataFrame, by: str) -> pd.DataFrame:
    """Count the outcomes of verdicts by person or by reason: columns by, verdicts, right, wrong, not tried."""
    counts = pd.crosstab(judged[by], judged["outcome"]).reindex(columns=list(OUTCOMES), fill_value=0)
    counts.insert(0, "verdicts", counts.sum(axis=1))
    return counts.rename_axis(columns=None).sort_values(["verdicts", by], ascending=[False, True]).reset_index()
