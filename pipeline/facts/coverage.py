"""Coverage: the days that a record covers, and the words for which it was counted. Standard library only.

`datapackage.json` has the coverage of a release.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline import reader
from pipeline.errors import DataError
from pipeline.words import GAME, days_between, spans_of

FIRST_DAY, LAST_DAY = datetime.date.fromisoformat(GAME.first_day), datetime.date(2099, 12, 31)
"""The first and the last day that can be in a record. The limit keeps a forged range of dates from filling the
memory."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The dates that a record covers, and a checksum of the common words for which all trials of these dates were
    counted."""

    dates: frozenset[str] = frozenset()
    candidates_checksum: str = ""


def parse(description: Any) -> Coverage:
    """Return the coverage in a parsed description, such as `covers` in `datapackage.json`; raise DataError if it is
    damaged."""
    if not isinstance(description, Mapping):
        raise DataError("The coverage of the record is not an object.")
    cells = [description.get(name) for name in ("dates", "candidates")]
    if not all(isinstance(cell, str) for cell in cells):
        raise DataError("The coverage of the record lacks its dates or the checksum of its words.")
    ranges_of_dates, candidates = map(str, cells)
    return Coverage(dates(ranges_of_dates), candidates)


def checksum_of_words(words: Iterable[str]) -> str:
    """Return the checksum of the words for which trials are counted."""
    return reader.sha256("\n".join(sorted(words)).encode())


def gaps(known: Collection[str], until: str = "") -> list[str]:
    """Return the dates between the first and the last of the known ones (or `until`, if that is later) that are not
    known.

    >>> gaps({"2024-12-30", "2025-01-01"}, until="2025-01-02")
    ['2024-12-31', '2025-01-02']
    """
    if not known:
        return []
    return sorted(set(days_between(min(known), max(until, *known))).difference(known))


def ranges(dates: Iterable[str]) -> str:
    """Return dates as ranges in one text.

    >>> ranges(["2018-05-09", "2018-05-10", "2018-05-12"])
    '2018-05-09..2018-05-10 2018-05-12..2018-05-12'
    """
    return " ".join(f"{first}..{last}" for first, last in spans_of(dates))


@functools.cache
def dates(ranges: str) -> frozenset[str]:
    """Return the dates of a text like the output of `ranges`. Raise DataError for dates that cannot have a puzzle or
    are out of order.

    >>> sorted(dates("2018-05-09..2018-05-10 2018-05-12..2018-05-12"))
    ['2018-05-09', '2018-05-10', '2018-05-12']
    """
    covered: set[str] = set()
    next_day = FIRST_DAY
    for span in ranges.split():
        first, _, last = span.partition("..")
        try:
            date, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
        except ValueError:
            raise DataError(f'The covered days have "{span}", which is not a range of dates.') from None
        if not next_day <= date <= end <= LAST_DAY:
            problem = f"but its ranges must be in order and start at {GAME.first_day} or later"
            raise DataError(f'The covered days have "{span}", {problem}.')
        covered |= {str(date + datetime.timedelta(days=day)) for day in range((end - date).days + 1)}
        next_day = end + datetime.timedelta(days=1)
    return frozenset(covered)


OPEN_DAYS = 14
"""The number of days for which a day of one site is compared with a second site, and its words are asked about."""


def first_open(covered: Collection[str]) -> str:
    """Return the first of the last `OPEN_DAYS` up to the last covered date."""
    last = datetime.date.fromisoformat(max(covered, default="2000-01-01"))
    return str(last - datetime.timedelta(days=OPEN_DAYS - 1))
