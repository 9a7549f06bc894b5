"""Versions: the lists that the sources have of a day, side by side, for the person who has to choose one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd

from pipeline.facts import merge
from pipeline.intake.track import Record, Trial
from pipeline.tables import frames


class Version(NamedTuple):
    """The list of a source: its letters, center first, and the words that were possible, accepted or not."""

    source: str
    letters: str
    trials: Sequence[Trial]


def by_date(reported: pd.DataFrame, candidates: pd.DataFrame) -> dict[str, list[Version]]:
    """Return the versions of each day on which sources differ."""
    found: dict[str, list[Version]] = {}
    for row in frames.rows(reported):
        puzzle = frames.from_rows([{name: row[name] for name in ("date", "center", "outer", "source")}], "puzzles")
        possible = merge.trials(puzzle, frames.empty("answers"), candidates)["word"].tolist()
        tried = dict.fromkeys(possible, False) | dict.fromkeys(row["answers"].split(), True)
        found.setdefault(row["date"], []).append(Version(row["source"], row["center"] + row["outer"], [*tried.items()]))
    return found


def used(date: str, puzzles: pd.DataFrame, trials: pd.DataFrame) -> Version:
    """Return the version of a day that is used."""
    (row,) = frames.rows(puzzles[puzzles["date"] == date])
    tried = trials[trials["date"] == date]
    pairs = zip(tried["word"].tolist(), tried["accepted"].tolist(), strict=True)
    return Version(row["source"], row["center"] + row["outer"], list(pairs))


def compared(
    date: str, versions: Sequence[Version], record: Record, surprise: Callable[[Sequence[Trial]], float | None]
) -> list[dict[str, Any]]:
    """Return the rows of the table `versions` of a day; the record and the surprise are those before the day."""
    rows = []
    answers = [{word for word, yes in version.trials if yes} for version in versions]
    for version, mine in zip(versions, answers, strict=True):
        alike = [has for other, has in zip(versions, answers, strict=True) if other.letters == version.letters]
        bits = surprise(version.trials)
        rows.append(
            {
                "date": date,
                "source": version.source,
                "letters": version.letters,
                "answers": len(mine),
                "met": sum(word in record and record[word].accepted > 0 for word in mine),
                "surprise": "" if bits is None else f"{bits:.1f}",
                "words": " ".join(sorted(mine - mine.intersection(*alike))),
            }
        )
    return rows
