"""The definition of a source of official answers: one value with everything that the other modules need."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass

from pipeline.sources.day import FIRST_DAY, Parsed


@dataclass(frozen=True, slots=True)
class Live:
    """How to request a day from a source, and which days it has.

    `setting` is the environment variable that replaces `base`, the address of the site. `url_for(base, date)` is the
    URL of a day and `name_for(date)` the file name of its capture. `first` is the first day of the source, `never` are
    days that it does not have, and `reach` is how many days back it goes (None: no limit). `earlier` is the number of
    days before the requested one that a response may also contain; 0 means only the requested day.
    """

    setting: str
    base: str
    url_for: Callable[[str, str], str]
    name_for: Callable[[str], str]
    first: str = FIRST_DAY
    never: frozenset[str] = frozenset()
    reach: int | None = None
    earlier: int = 0

    def has(self, date: str, today: str) -> bool:
        """Return whether the source can be asked for a day if `today` is the day of the current puzzle."""
        if date < self.first or date in self.never or date > today:
            return False
        return self.reach is None or days_apart(date, today) <= self.reach

    def may_hold(self, date: str, asked: str) -> bool:
        """Return whether the response to a request for the day `asked` may contain `date`."""
        return date == asked or (date < asked and days_apart(date, asked) <= self.earlier)


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its name, its format in a few words, its owner and terms, and its parser.

    `recognises(text)` tells whether a text is in its format. `parse(text, name)` reads it and never raises for invalid
    text. `folders` are other folders in `data/raw` whose captures have the trust of this source. `live` tells how to
    request a day; None if this is not possible.
    """

    name: str
    format: str
    about: str
    recognises: Callable[[str], bool]
    parse: Callable[[str, str], Parsed]
    folders: tuple[str, ...] = ()
    live: Live | None = None


def days_apart(first: str, last: str) -> int:
    """Count the days from one ISO date to another.

    >>> days_apart("2024-12-31", "2025-01-02")
    2
    """
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days
