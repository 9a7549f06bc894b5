"""The state of a day: whether it counts, waits, or has no list on disk. All commands and notebooks show this one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd

from pipeline.tables import frames


@dataclass(frozen=True, slots=True)
class DayState:
    """Whether a day counts and its list is on disk, and a sentence on what is special about the day, or ""."""

    counts: bool
    sentence: str


def day_state(
    date: str, covered: Collection[str], puzzles: pd.DataFrame, waits: pd.DataFrame, without_trial: pd.DataFrame
) -> DayState:
    """Return the state of a day, from the tables of these names and the dates that the record covers."""
    for because in waits["because"][waits["date"] == date]:
        return DayState(False, f"{date} does not count yet: {because}.")
    if (puzzles["date"] == date).any():
        words = without_trial[without_trial["date"] == date]
        reasons = [f"{row['word']} ({row['because']})" for row in frames.rows(words)]
        return DayState(True, f"{date}: left out: {'; '.join(reasons)}." if reasons else "")
    if date in covered:
        return DayState(False, f"The record covers {date}, but the list that it counted is not on disk.")
    return DayState(False, f"There is no settled list of {date} on disk.")
