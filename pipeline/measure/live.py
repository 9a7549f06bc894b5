"""Live: a summary of the track record, which scores the list on each day before that day was counted."""

from __future__ import annotations

import math

import pandas as pd

SPANS = (30, 90, 365)
"""Lengths of the spans in days, each ending with the last counted day."""
Z = 1.959964
"""The 97.5 % point of the normal distribution."""


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return the 95% interval of a share (Wilson score interval).

    >>> [round(end, 3) for end in interval(8, 10)]
    [0.49, 0.943]
    """
    if not of:
        return 0.0, 1.0
    share, part = hits / of, Z * Z / of
    half = Z * math.sqrt(share * (1 - share) / of + part / (4 * of))
    return (share + part / 2 - half) / (1 + part), (share + part / 2 + half) / (1 + part)


def live(track: pd.DataFrame) -> pd.DataFrame:
    """Summarize the last days of the track record: columns span, days, exact, low, high, expected, missing, extra, f1.

    `exact` is the share of days on which the list was exactly right, `low` to `high` its 95% interval, and `expected`
    the share that the forecast predicted. `missing` and `extra` are words per day.
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
        rows.append(
            {
                "span": f"last {span} days" if span else "all days",
                "days": len(days),
                "exact": days["exact"].mean(),
                "low": low,
                "high": high,
                "expected": days["expected"].mean(),
                "missing": days["missing"].mean(),
                "extra": days["extra"].mean(),
                "f1": 2 * right / max(1, 2 * right + wrong),
            }
        )
    return pd.DataFrame(rows)
