"""Scores: finds the trials on which a list is right, misses a word, or has an extra word, and computes figures from
them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from pipeline.errors import BeeError
from pipeline.facts.trials import find_trials, leave_out
from pipeline.tables import columns


def compare(trials: pd.DataFrame, words: set[str]) -> pd.DataFrame:
    """Return a comparison of every trial with a list: columns date, center, word, right, missing, extra."""
    return _compared(trials, pd.Series(columns.is_in(trials["word"], words), index=trials.index))


def compare_daily(trials: pd.DataFrame, words: set[str]) -> pd.DataFrame:
    """Return the same as `compare` for a list that is updated daily: after the first of these trials of a word, its
    previous trial decides."""
    trials = trials.sort_values(["word", "date"])
    previous = trials.groupby("word")["accepted"].shift(1)
    listed = previous.where(previous.notna(), columns.is_in(trials["word"], words)).astype(bool)
    return _compared(trials, listed)


def _compared(trials: pd.DataFrame, listed: pd.Series) -> pd.DataFrame:
    """Return the comparison of every trial with whether its word is `listed` on that day."""
    accepted = trials["accepted"]
    return trials[["date", "center", "word"]].assign(
        right=listed & accepted, missing=~listed & accepted, extra=listed & ~accepted
    )


Z = 1.959964
"""The 97.5 % point of the normal distribution."""


def interval(exact: int, puzzles: int) -> tuple[float, float]:
    """Return the 95% interval of a share of exact lists: the score interval of Wilson (1927), which also suits few
    puzzles.

    >>> [round(end, 3) for end in interval(8, 10)], interval(0, 0)
    ([0.49, 0.943], (0.0, 1.0))
    """
    if not puzzles:
        return 0.0, 1.0
    share, part = exact / puzzles, Z * Z / puzzles
    half = Z * math.sqrt(share * (1 - share) / puzzles + part / (4 * puzzles))
    low = (share + part / 2 - half) / (1 + part)
    high = (share + part / 2 + half) / (1 + part)
    return max(0.0, low), min(1.0, high)


def measure(compared: pd.DataFrame) -> dict[str, float]:
    """Return the figures of a list from trials of `compare`: puzzles, precision, recall, f1, exact, and missing and
    extra per puzzle."""
    right = int(compared["right"].sum())
    missing = int(compared["missing"].sum())
    extra = int(compared["extra"].sum())
    puzzles = compared["date"].nunique()
    return {
        "puzzles": puzzles,
        "precision": right / max(1, right + extra),
        "recall": right / max(1, right + missing),
        "f1": _f1(right, missing + extra),
        "exact": 1 - len(inexact_dates(compared)) / max(1, puzzles),
        "missing": missing / max(1, puzzles),
        "extra": extra / max(1, puzzles),
    }


def inexact_dates(compared: pd.DataFrame) -> set[str]:
    """Return the dates on which a list is not exact, from trials of `compare`."""
    return set(compared["date"][compared["missing"] | compared["extra"]])


def _f1(right: int, wrong: int) -> float:
    return 2 * right / max(1, 2 * right + wrong)


SPANS = (30, 90, 365)
"""The lengths of the spans in days. Each span ends with the last day that counts."""


def summarize_track(track: pd.DataFrame) -> pd.DataFrame:
    """Return a summary of the last days of the track record: columns span, days, exact, low, high, missing, extra, f1.

    `exact` is the share of exact lists, and `low` to `high` is its 95% interval.
    """
    if track.empty:
        return pd.DataFrame(columns=["span", "days", "exact", "low", "high", "missing", "extra", "f1"])
    last_day = pd.Timestamp(track["date"].max())
    rows = []
    for length in SPANS:
        first_day = str((last_day - pd.Timedelta(days=length - 1)).date())
        rows.append({"span": f"last {length} days", **_summary(track[track["date"] >= first_day])})
    rows.append({"span": "all days", **_summary(track)})
    return pd.DataFrame(rows)


def _summary(days: pd.DataFrame) -> dict[str, object]:
    """Return the figures of days of the track record."""
    exact = (days["missing"] + days["extra"]) == 0
    low, high = interval(int(exact.sum()), len(days))
    right = int((days["answers"] - days["missing"]).sum())
    wrong = int((days["missing"] + days["extra"]).sum())
    return {
        "days": len(days),
        "exact": exact.mean(),
        "low": low,
        "high": high,
        "missing": days["missing"].mean(),
        "extra": days["extra"].mean(),
        "f1": _f1(right, wrong),
    }


RELEASE_SHARE = 0.99
"""The share of common words from which a list counts as one of our releases. The nearest public list shares 0.9 of its
words with ours."""


def is_release(words: set[str], released: set[str]) -> bool:
    """Return whether a list is a release or at least half of one, of the current or a slightly older version.

    >>> is_release({"cove", "cave"}, {"cove", "cave", "octave", "vacate"})
    True
    >>> is_release({"cove"}, {"cove", "cave", "octave"})
    False
    """
    return 2 * len(words) >= len(released) and len(words & released) >= RELEASE_SHARE * len(words)


def audit(
    puzzles: pd.DataFrame,
    answers: pd.DataFrame,
    without_trial: pd.DataFrame,
    words: set[str],
    since: str = "",
    until: str = "",
) -> pd.DataFrame:
    """Return the comparison of any word list with official puzzles from `since` to before `until`, as in `compare`.
    Words without a trial on a day do not count on that day."""
    chosen = puzzles[puzzles["date"] >= since]
    if until:
        chosen = chosen[chosen["date"] < until]
    if chosen.empty:
        raise BeeError(f"There are no puzzles on disk from {since or 'the first'} to {until or 'the last'}.")
    candidates = pd.DataFrame({"word": sorted(words | set(answers["word"]))})
    tried = leave_out(find_trials(chosen, answers, candidates), without_trial)
    return compare(tried.merge(chosen[["date", "center"]], on="date"), words)


OUTCOMES = ("right", "wrong", "not tried")
"""The outcomes of a verdict: the last trial after its day agrees with it, or disagrees, or there is no such trial."""


def verdict_outcomes(verdicts: pd.DataFrame, puzzles: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Return a comparison of each verdict with the trials after its day: the columns of `verdicts`, trials, accepted,
    outcome."""
    tried = find_trials(puzzles, answers, verdicts[["word"]]).merge(verdicts, on="word")
    later = tried[tried["date"] > tried["after"]].sort_values("date").groupby("word")["accepted"]
    frame = verdicts.join(later.agg(trials="size", accepted="sum", last="last"), on="word")
    never_tried = frame["trials"].isna()
    last_accepted = frame["last"].fillna(False).astype(bool)
    agrees = last_accepted == (frame["verdict"] == "keep")
    right, wrong, not_tried = OUTCOMES
    frame["outcome"] = np.select([never_tried, agrees], [not_tried, right], wrong)
    return frame.fillna({"trials": 0, "accepted": 0}).astype({"trials": int, "accepted": int}).drop(columns="last")


def count_outcomes(verdicts: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the numbers of outcomes of verdicts, for each value of the column `by`: columns `by`, verdicts, right,
    wrong, not tried."""
    counts = pd.crosstab(verdicts[by], verdicts["outcome"]).reindex(columns=list(OUTCOMES), fill_value=0)
    counts.insert(0, "verdicts", counts.sum(axis=1))
    return counts.rename_axis(columns=None).sort_values(["verdicts", by], ascending=[False, True]).reset_index()
