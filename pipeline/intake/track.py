"""Track: compares each day with the forecast of the list as it stood before; one row per day, counts only.

A *forecast* gives a probability to every word that a puzzle makes possible. A word with a record is expected to have
the same outcome as its last trial (`constancy.agreement`, as in the published p). A word without a record has its
estimate from the beginning of the month (`forecast`). So no row uses the record of its own day. A rebuild goes forward
month by month; days that were counted with the same model get the same rows.

A *version* is the list that one source has of a day. All of a day are compared for the person who has to choose one.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from pipeline.facts import merge
from pipeline.opinions import constancy
from pipeline.tables import frames
from pipeline.words import GAME, LIKELY

SUREST = 0.995
"""The maximum certainty of an estimate. A word that was not expected has the remaining probability."""
CERTAIN = 0.999
"""The maximum certainty of an outcome when its surprise is measured, so that two reversals of old records do not hold a
day: 2025-02-04 accepted *alfa* and *luff*, which had been refused 63 and 50 times."""
FIRST = datetime.date.fromisoformat(GAME.first_day)
ENOUGH = 100
"""The number of days that a record must cover before forecasts are made from it."""

ALLOWED, DRIFT = 3.0, 40.0
"""Drift is reported when the surprise of a source's days above `ALLOWED` bits per day adds up to `DRIFT` bits. This
never happened in 1,120 real days, where the highest sum was 30. A source that swaps one or two words per day is
detected in about a week."""

Trial = tuple[str, bool]
"""A word that was possible on a day, and whether it was accepted."""


@dataclass(slots=True)
class Past:
    """The record of one word: trials, acceptances, date and outcome of the last trial."""

    offered: int
    accepted: int
    last: str
    yes: bool


Record = dict[str, Past]


def remember(evidence: pd.DataFrame) -> Record:
    """Convert the table `evidence` into a record to which days are added one by one."""
    columns = ("word", "offered", "accepted", "last_accepted", "last_rejected")
    rows = zip(*(evidence[name].tolist() for name in columns), strict=True)
    return {word: Past(offered, yes, max(last, no), last > no) for word, offered, yes, last, no in rows}


def fold(record: Record, date: str, trials: Iterable[Trial]) -> None:
    """Add one day to a record."""
    for word, yes in trials:
        past = record.get(word)
        if past is None:
            record[word] = Past(1, int(yes), date, yes)
            continue
        past.offered += 1
        past.accepted += yes
        if date >= past.last:
            past.last, past.yes = date, yes


Rarity = Mapping[str, tuple[float, float]]
"""The Zipf frequency and the SCOWL size of words, as in `constancy.rarity`."""


def chance(past: Past | None, estimate: float, date: str, rarity: tuple[float, float] = constancy.UNKNOWN) -> float:
    """Return the probability that a word is accepted on a date, by its record, else by its estimate.

    >>> round(chance(Past(1, 1, "2020-01-01", True), 0.5, "2025-02-01", (2.0, 70)), 2), chance(None, 1.0, "2025-02-01")
    (0.94, 0.995)
    """
    if past is None:
        return min(max(estimate, 1 - SUREST), SUREST)
    today = datetime.date.fromisoformat(date)
    cells = {
        "mixed": past.accepted not in (0, past.offered),
        "age": abs((today - datetime.date.fromisoformat(past.last)).days),
        "trials": past.offered,
        "zipf": rarity[0],
        "size": rarity[1],
        "years": (today - FIRST).days / 365.25,
    }
    agreed = float(constancy.agreement(past.yes, cells))
    return agreed if past.yes else 1 - agreed


@dataclass(frozen=True, slots=True)
class Score:
    """A row of the track record without its sources, the probability of each outcome, and the words it got wrong."""

    date: str
    answers: int
    missing: int
    extra: int
    expected: float
    surprise: float
    outcomes: Mapping[str, float]
    otherwise: tuple[str, ...] = ()

    @property
    def wrong(self) -> int:
        """The number of missing and extra words."""
        return self.missing + self.extra


def score(
    date: str,
    trials: Iterable[Trial],
    record: Record,
    estimates: Mapping[str, float],
    plain: Collection[str],
    rarity: Rarity,
) -> Score:
    """Score a day with what was known before it.

    `plain` are the common words of the lexicon. Any other word is known only after it was accepted, so its earlier
    trials do not count. `surprise` is the information content of the outcomes in bits, minus the value that the
    forecast expects.
    """
    outcomes: dict[str, float] = {}
    answers = 0
    missing: list[str] = []
    extra: list[str] = []
    bits, expected = 0.0, 1.0
    for word, yes in sorted(trials):
        past = record.get(word)
        if not yes and word not in plain and not (past and past.accepted):
            continue
        p = chance(past, estimates.get(word, 0.0), date, rarity.get(word, constancy.UNKNOWN))
        listed = past.yes if past else estimates.get(word, 0.0) >= LIKELY
        expected *= p if listed else 1 - p
        p = min(max(p, 1 - CERTAIN), CERTAIN)
        outcomes[word] = p if yes else 1 - p
        answers += yes
        if yes != listed:
            (missing if yes else extra).append(word)
        bits += -math.log2(outcomes[word]) + p * math.log2(p) + (1 - p) * math.log2(1 - p)
    counts = answers, len(missing), len(extra)
    return Score(date, *counts, round(expected, 4), round(bits, 2), outcomes, (*missing, *extra))


def row(scored: Score) -> dict[str, int | float]:
    """Return the counts of a row of the track record."""
    names = ("answers", "missing", "extra", "expected", "surprise")
    return {"exact": int(not scored.wrong), **{name: getattr(scored, name) for name in names}}


def drift(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Find drift by a running sum (CUSUM) for each source and for all days: (source or "all sources", description).

    The sum never falls below 0, so good days do not offset later bad ones. After an alarm it starts again.
    """
    found = []
    for source, days in [("all sources", rows), *rows.groupby("source")]:
        total, since = 0.0, ""
        for date, surprise in zip(days["date"], days["surprise"], strict=True):
            since = date if not total else since
            total = max(0.0, total + surprise - ALLOWED)
            if total >= DRIFT:
                found.append((str(source), f"{since} to {date}: {total:.0f} bits more than the forecast allows"))
                total = 0.0
    return found


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
