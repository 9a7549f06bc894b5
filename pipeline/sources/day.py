"""What a source's parser gives back: official days that hold together, and the faults of those that do not.

A *day* is one official puzzle with its date and answers. `day` is the only way to make one, and it refuses, with the
name of the broken rule, whatever cannot be an official puzzle. So every table downstream starts from clean facts.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.words import (
    MIN_LENGTH,
    BeeError,
    LettersError,
    Puzzle,
    mask,
    pangram,
    puzzle,
    spells,
)

FIRST_DAY = "2018-05-09"
"""The date of the first puzzle online; whatever claims to be older is mistaken."""

_ANSWER = re.compile(f"[a-z]{{{MIN_LENGTH},}}")


@dataclass(frozen=True, slots=True)
class Day:
    """One official puzzle: ISO date, letters, answers A to Z, and the words that its source says were refused."""

    date: str
    puzzle: Puzzle
    answers: tuple[str, ...]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a capture broke: where (`file:line`), and what is wrong. The rules are in `check.CATALOGUE`."""

    rule: str
    where: str
    detail: str

    def __str__(self) -> str:
        """Write a fault as one line for people."""
        return f"{self.where}: {self.rule}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Parsed:
    """All that was read from one capture."""

    days: tuple[Day, ...]
    faults: tuple[Fault, ...] = ()


class BrokenDay(BeeError):
    """A day that cannot be an official puzzle, and the rule that says so."""

    def __init__(self, rule: str, detail: str):
        super().__init__(detail)
        self.rule = rule


def iso_date(text: str) -> str:
    """Read `2018-05-09` or `20180509`; raises BrokenDay (bad-date) for anything else or before the first puzzle.

    >>> iso_date("20251231")
    '2025-12-31'
    """
    try:
        if not re.fullmatch(r"\d{8}|\d{4}-\d\d-\d\d", text):
            raise ValueError
        date = datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise BrokenDay("bad-date", f'"{text}" is no date.') from None
    if date > (datetime.date.today() + datetime.timedelta(days=1)).isoformat():
        raise BrokenDay("bad-date", f"{date} is in the future.")
    if date < FIRST_DAY:
        raise BrokenDay("bad-date", f"{date} is before the first puzzle, {FIRST_DAY}.")
    return date


def day(date: str, center: str, outer: str, answers: Iterable[str], refused: Iterable[str] = ()) -> Day:
    """Make an official day, or raise BrokenDay with the rule that it breaks.

    Of the refused words those that the puzzle could not have had anyway, or that it accepted, are left out.
    """
    date = iso_date(date)
    try:
        letters = puzzle(outer, center)
    except LettersError as error:
        raise BrokenDay("bad-letters", f"{date}: {error}") from None
    words = list(answers)
    if not words:
        raise BrokenDay("no-answers", f"{date} has no answers.")
    for word in words:
        if not _ANSWER.fullmatch(word):
            raise BrokenDay("bad-word", f"{date}: {word[:40]!r} is no word of {MIN_LENGTH} or more letters a to z.")
        if not spells(letters, word):
            raise BrokenDay("unspellable", f'{date}: center {center} and {outer} cannot spell "{word}".')
    if len(set(words)) < len(words):
        twice = next(word for i, word in enumerate(words) if word in words[:i])
        raise BrokenDay("twice", f'{date}: "{twice}" is listed twice.')
    if not any(map(pangram, words)):
        raise BrokenDay("no-pangram", f"{date}: no answer uses all of {center}{outer}.")
    possible = {word for word in refused if _ANSWER.fullmatch(word) and spells(letters, word)}
    return Day(date, letters, tuple(sorted(words)), tuple(sorted(possible - set(words))))


def common_center(words: Iterable[str]) -> str:
    """Return the letters that all words share, A to Z: the center is one of them.

    >>> common_center(["cove", "covenant", "vote"])
    'eov'
    """
    shared = -1
    for word in words:
        shared &= mask(word)
    return "".join(letter for letter in "abcdefghijklmnopqrstuvwxyz" if shared & mask(letter))


class Collector:
    """Gather the days and faults of one capture, so that a broken day never costs a good one."""

    def __init__(self, name: str):
        self.name = name
        self._days: dict[str, Day] = {}
        self._faults: list[Fault] = []

    def fault(self, rule: str, detail: str, line: int | None = None) -> None:
        """Record a fault, at a line when there is one."""
        self._faults.append(Fault(rule, self.name if line is None else f"{self.name}:{line}", _plain(detail)))

    def add(self, made: Day, line: int | None = None) -> None:
        """Keep a day; a second, different day of the same date is a fault and the first one stays."""
        first = self._days.setdefault(made.date, made)
        if first != made:
            self.fault("date-twice", f"{made.date} is there twice, and they differ; the first is kept.", line)

    def parsed(self) -> Parsed:
        """Return what was gathered, days by date."""
        return Parsed(tuple(self._days[date] for date in sorted(self._days)), tuple(self._faults))


LONGEST_DETAIL = 300
"""Enough for every sentence of ours; what a page says may be of any length."""


def _plain(text: str) -> str:
    """Make text from a page fit to be shown and stored: no control characters, no half characters, not endless."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text[:LONGEST_DETAIL])


def lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield (number, line, whole) of the lines that are not blank; `whole` is false when a last line has no end.

    >>> list(lines("a\\n\\nb"))
    [(1, 'a', True), (3, 'b', False)]
    """
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if line.strip():
            yield number, line.strip(), line.endswith(("\n", "\r"))
