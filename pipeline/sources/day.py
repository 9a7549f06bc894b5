"""The result of a source's parser: valid official days, and the faults of the others.

A *day* is one official puzzle with its date and answers. `day` is the only function that makes one. It refuses, with
the name of the broken rule, everything that cannot be an official puzzle. So every later table starts from valid facts.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pipeline.words import GAME, BeeError, LettersError, Puzzle, count, pangram, puzzle, spells

_ANSWER = re.compile(f"[a-z]{{{GAME.shortest},{GAME.longest}}}")
MOST_ANSWERS = 400
"""More answers than any puzzle can have; the maximum up to 2025 is below 100."""
_LENGTHS = f"{GAME.shortest} to {GAME.longest}"


@dataclass(frozen=True, slots=True)
class Day:
    """One official puzzle: ISO date, letters, answers A to Z, and the words that its source lists as refused."""

    date: str
    puzzle: Puzzle
    answers: tuple[str, ...]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a capture broke: where (`file:line`), and the details. The rules are in `violations.CATALOG`."""

    rule: str
    where: str
    detail: str

    def __str__(self) -> str:
        """Format a fault as one line."""
        return f"{self.where}: {self.rule}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Parsed:
    """Everything that was read from one capture."""

    days: tuple[Day, ...]
    faults: tuple[Fault, ...] = ()


class BrokenDay(BeeError):
    """A day that cannot be an official puzzle, with the rule that it breaks."""

    def __init__(self, rule: str, detail: str):
        super().__init__(detail)
        self.rule = rule


def iso_date(text: str) -> str:
    """Parse `2018-05-09` or `20180509`; raises BrokenDay (bad-date) for anything else or before the first puzzle.

    It does not ask the clock: whether a date is in the future is judged where a capture or a decision comes in.

    >>> iso_date("20251231")
    '2025-12-31'
    """
    try:
        if not re.fullmatch(r"\d{8}|\d{4}-\d\d-\d\d", text):
            raise ValueError
        date = datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise BrokenDay("bad-date", f'"{text}" is no date.') from None
    if date < GAME.first_day:
        raise BrokenDay("bad-date", f"{date} is before the first puzzle, {GAME.first_day}.")
    return date


def day(date: str, center: str, outer: str, answers: Iterable[str], refused: Iterable[str] = ()) -> Day:
    """Make an official day, or raise BrokenDay with the rule that it breaks.

    Refused words that the puzzle could not have, or that it accepted, are left out.
    """
    date = iso_date(date)
    try:
        letters = puzzle(outer, center)
    except LettersError as error:
        raise BrokenDay("bad-letters", f"{date}: {error}") from None
    words = list(itertools.islice(answers, MOST_ANSWERS + 1))
    if len(words) > MOST_ANSWERS:
        raise BrokenDay("too-many", f"{date} has more than {MOST_ANSWERS} answers.")
    if not words:
        raise BrokenDay("no-answers", f"{date} has no answers.")
    for word in words:
        if not _ANSWER.fullmatch(word):
            raise BrokenDay("bad-word", f"{date}: {word[:40]!r} is no word of {_LENGTHS} letters a to z.")
        if not spells(letters, word):
            raise BrokenDay("unspellable", f'{date}: center {center} and {outer} cannot spell "{word}".')
    if len(set(words)) < len(words):
        twice = Counter(words).most_common(1)[0][0]
        raise BrokenDay("twice", f'{date}: "{twice}" is listed twice.')
    if not any(map(pangram, words)):
        raise BrokenDay("no-pangram", f"{date}: no answer uses all of {center}{outer}.")
    possible = {word for word in refused if _ANSWER.fullmatch(word) and spells(letters, word)}
    return Day(date, letters, tuple(sorted(words)), tuple(sorted(possible - set(words))))


class Collector:
    """Collects the days and faults of one capture, so that a broken day does not affect the valid ones."""

    def __init__(self, name: str):
        self.name = name
        self._days: dict[str, Day] = {}
        self._faults: list[Fault] = []
        self._more = 0

    def fault(self, rule: str, detail: str, line: int | None = None) -> None:
        """Record a fault, with a line number if there is one; after many faults, only their number."""
        if len(self._faults) >= MOST_FAULTS:
            self._more += 1
            return
        self._faults.append(Fault(rule, self.name if line is None else f"{self.name}:{line}", _plain(detail)))

    def add(self, made: Day, line: int | None = None) -> None:
        """Keep a day; a second, different day of the same date is a fault and the first one stays."""
        first = self._days.setdefault(made.date, made)
        if first != made:
            self.fault("date-twice", f"{made.date} is there twice, and they differ; the first is kept.", line)

    @contextlib.contextmanager
    def refusing(self, line: int | None = None) -> Iterator[None]:
        """Record the fault of a day that breaks a rule, and go on."""
        try:
            yield
        except BrokenDay as broken:
            self.fault(broken.rule, str(broken), line)

    def parsed(self) -> Parsed:
        """Return the collected days and faults, days by date."""
        more = [Fault(self._faults[-1].rule, self.name, f"{count(self._more, 'more fault')}.")] if self._more else []
        return Parsed(tuple(self._days[date] for date in sorted(self._days)), (*self._faults, *more))


MOST_FAULTS = 1000
"""The maximum number of faults per capture."""
LONGEST_DETAIL = 300
"""The maximum length of a message; text from a page may be of any length."""


def _plain(text: str) -> str:
    """Make text from a page safe to show and store: no control characters, no broken characters, limited length."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text[:LONGEST_DETAIL])


def lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield (number, line, whole) of the lines that are not blank; `whole` is false for a last line without a line end.

    >>> list(lines("a\\n\\nb"))
    [(1, 'a', True), (3, 'b', False)]
    """
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if line.strip():
            yield number, line.strip(), line.endswith(("\n", "\r"))


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
    first: str = GAME.first_day
    never: frozenset[str] = frozenset()
    reach: int | None = None
    earlier: int = 0

    def has(self, date: str, today: str) -> bool:
        """Return whether the source can be asked for a day if `today` is the day of the current puzzle."""
        if date < self.first or date in self.never or date > today:
            return False
        return self.reach is None or _days_apart(date, today) <= self.reach

    def may_hold(self, date: str, asked: str) -> bool:
        """Return whether the response to a request for the day `asked` may contain `date`."""
        return date == asked or (date < asked and _days_apart(date, asked) <= self.earlier)


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


def _days_apart(first: str, last: str) -> int:
    """Count the days from one ISO date to another.

    >>> _days_apart("2024-12-31", "2025-01-02")
    2
    """
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def days_between(since: str, until: str) -> list[str]:
    """List dates, newest first.

    >>> days_between("2024-12-31", "2025-01-01")
    ['2025-01-01', '2024-12-31']
    """
    first, last = datetime.date.fromisoformat(since).toordinal(), datetime.date.fromisoformat(until).toordinal()
    return [datetime.date.fromordinal(number).isoformat() for number in range(last, first - 1, -1)]
