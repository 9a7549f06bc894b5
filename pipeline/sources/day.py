"""The result of a source's parser: valid official days, and the faults of the others.

A *day* is one official puzzle with its date and answers. `official_day` is the only function that makes one. It
refuses, with the name of the broken rule, everything that cannot be an official puzzle. So every later table starts
from valid facts.
"""

from __future__ import annotations

import contextlib
import datetime
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pipeline.errors import BeeError, LettersError
from pipeline.words import GAME, Puzzle, count, pangram, puzzle, spells

_ANSWER = re.compile(f"[a-z]{{{GAME.min_length},{GAME.max_length}}}")
MAX_ANSWERS = 400
"""More answers than any puzzle can have; the maximum up to 2025 is below 100."""


@dataclass(frozen=True, slots=True)
class Day:
    """One official puzzle: ISO date, letters, answers A to Z, and the words that its source lists as refused."""

    date: str
    puzzle: Puzzle
    answers: tuple[str, ...]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a capture breaks, in a word or two, the place (`file:line` or `file:item 3`), and the details."""

    rule: str
    location: str
    detail: str

    def __str__(self) -> str:
        """Format a fault as one line."""
        return f"{self.location}: {self.rule}: {self.detail}"


@dataclass(frozen=True, slots=True)
class ParseResult:
    """Everything that was read from one capture. `source` is the name of the source whose format the capture has; it is
    None for an unknown format and in the result of a single parser."""

    days: tuple[Day, ...]
    faults: tuple[Fault, ...] = ()
    source: str | None = None


class InvalidDayError(BeeError):
    """A day that cannot be an official puzzle, with the rule that it breaks and the answer that breaks it, if any."""

    def __init__(self, rule: str, detail: str, answer: str = ""):
        super().__init__(detail)
        self.rule = rule
        self.answer = answer


def iso_date(text: str) -> str:
    """Return a date like `2018-05-09` or `20180509` in ISO format. Raise InvalidDayError (bad-date) for other text and
    for dates before the first puzzle.

    Dates in the future are valid here; they are refused where captures and decisions come in.

    >>> iso_date("20251231")
    '2025-12-31'
    """
    try:
        if not re.fullmatch(r"\d{8}|\d{4}-\d\d-\d\d", text):
            raise ValueError
        date = datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise InvalidDayError("bad-date", f'"{text}" is not a date.') from None
    if date < GAME.first_day:
        raise InvalidDayError("bad-date", f"{date} is before the first puzzle, {GAME.first_day}.")
    return date


def official_day(date: str, center: str, outer: str, answers: Iterable[str], refused: Iterable[str] = ()) -> Day:
    """Return an official day; raise InvalidDayError with the rule that it breaks if it is invalid.

    Words in `refused` that the letters cannot spell, or that are answers, are left out.
    """
    date = iso_date(date)
    try:
        letters = puzzle(outer, center)
    except LettersError as error:
        raise InvalidDayError("bad-letters", f"{date}: {error}") from None
    words = list(itertools.islice(answers, MAX_ANSWERS + 1))
    if len(words) > MAX_ANSWERS:
        raise InvalidDayError("too-many", f"{date} has more than {MAX_ANSWERS} answers.")
    if not words:
        raise InvalidDayError("no-answers", f"{date} has no answers.")
    for word in words:
        if not _ANSWER.fullmatch(word):
            lengths = f"{GAME.min_length} to {GAME.max_length}"
            problem = f"{date}: {word[:40]!r} is not a word of {lengths} letters from a to z."
            raise InvalidDayError("bad-word", problem, answer=word)
        if not spells(letters, word):
            problem = f'{date}: center {center} and {outer} cannot spell "{word}".'
            raise InvalidDayError("unspellable", problem, answer=word)
    if len(set(words)) < len(words):
        repeated = Counter(words).most_common(1)[0][0]
        raise InvalidDayError("twice", f'{date}: "{repeated}" is listed twice.', answer=repeated)
    if not any(map(pangram, words)):
        raise InvalidDayError("no-pangram", f"{date}: no answer uses all of {center}{outer}.")
    possible = {word for word in refused if _ANSWER.fullmatch(word) and spells(letters, word)}
    return Day(date, letters, tuple(sorted(words)), tuple(sorted(possible - set(words))))


class Collector:
    """A collection of the days and faults of one capture, so that an invalid day does not affect the valid ones."""

    def __init__(self, name: str):
        self.name = name
        self._days: dict[str, Day] = {}
        self._faults: list[Fault] = []
        self._omitted_faults = 0

    def add_fault(self, rule: str, detail: str, line: int | str | None = None) -> None:
        """Record a fault, with its line number or another place in the file if there is one. After `MAX_FAULTS`,
        further faults are only counted."""
        if len(self._faults) >= MAX_FAULTS:
            self._omitted_faults += 1
            return
        location = self.name if line is None else f"{self.name}:{line}"
        self._faults.append(Fault(rule, location, _printable(detail)))

    def add_day(self, day: Day, line: int | str | None = None) -> None:
        """Add a day. If there is already a different day of the same date, record a fault and keep the first day."""
        first = self._days.setdefault(day.date, day)
        if first != day:
            self.add_fault(
                "date-twice", f"{day.date} occurs twice with different contents; the first one is used.", line
            )

    @contextlib.contextmanager
    def recording_faults(self, line: int | str | None = None) -> Iterator[None]:
        """Record a fault if the block raises InvalidDayError, and continue."""
        try:
            yield
        except InvalidDayError as error:
            self.add_fault(error.rule, str(error), line)

    def parsed(self) -> ParseResult:
        """Return the collected days, sorted by date, and the faults."""
        faults = list(self._faults)
        if self._omitted_faults:
            faults.append(Fault(faults[-1].rule, self.name, f"{count(self._omitted_faults, 'more fault')}."))
        days = [self._days[date] for date in sorted(self._days)]
        return ParseResult(tuple(days), tuple(faults))


MAX_FAULTS = 1000
"""The maximum number of faults per capture."""
MAX_DETAIL_LENGTH = 300
"""The maximum length of a message; text from a page may be of any length."""


def _printable(text: str) -> str:
    """Return text from a page in a form that is safe to show and store: without control characters and invalid
    characters, and with a limited length."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text[:MAX_DETAIL_LENGTH])


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a capture: its number, its text without blanks around it, and whether it has a line end.

    Only the last line of a file can lack its line end; then words may be missing.
    """

    number: int
    text: str
    complete: bool


def numbered_lines(text: str) -> Iterator[Line]:
    """Yield the lines that are not blank.

    >>> list(numbered_lines("a\\n\\nb"))
    [Line(number=1, text='a', complete=True), Line(number=3, text='b', complete=False)]
    """
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if line.strip():
            yield Line(number, line.strip(), complete=line.endswith(("\n", "\r")))


@dataclass(frozen=True, slots=True)
class LiveSite:
    """How to request a day from a site, and which days it has.

    `base_url` is the address of the site; the environment variable `url_variable` can replace it. `url_for(base, date)`
    returns the URL of a day, and `file_name_for(date)` returns the file name of its capture. `first_day` is the first
    day of the site, `missing_days` are later days that it does not have, and `days_back` is how many days back it goes
    (None: no limit). `earlier_days` is how many days before the requested one a response may also contain; 0 means that
    it contains only the requested day.
    """

    url_variable: str
    base_url: str
    url_for: Callable[[str, str], str]
    file_name_for: Callable[[str], str]
    first_day: str = GAME.first_day
    missing_days: frozenset[str] = frozenset()
    days_back: int | None = None
    earlier_days: int = 0

    def has_day(self, date: str, today: str) -> bool:
        """Return whether a day can be requested from the site if `today` is the day of the current puzzle."""
        if date < self.first_day or date in self.missing_days or date > today:
            return False
        return self.days_back is None or _days_apart(date, today) <= self.days_back

    def may_contain(self, date: str, requested: str) -> bool:
        """Return whether the response to a request for the day `requested` may contain `date`."""
        if date >= requested:
            return date == requested
        return _days_apart(date, requested) <= self.earlier_days


@dataclass(frozen=True, slots=True)
class Source:
    """A source: its name, its format in a few words, its owner and terms, and its parser.

    `recognizes(text)` returns whether a text is in its format. `parse(text, name)` returns the days and faults of a
    text, and never raises for an invalid one. `owner` is the site whose lists have this format, or "" for a format that
    anyone may write, and `one_day` says that a file has one day as the site shows it. `site` describes how to request a
    day; None if this is not possible.
    """

    name: str
    format: str
    about: str
    recognizes: Callable[[str], bool]
    parse: Callable[[str, str], ParseResult]
    owner: str = ""
    one_day: bool = False
    site: LiveSite | None = None


def _days_apart(first: str, last: str) -> int:
    """Return the number of days from one ISO date to another.

    >>> _days_apart("2024-12-31", "2025-01-02")
    2
    """
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days
