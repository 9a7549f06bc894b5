"""The first line of `evidence.csv`: a checksum, the dates that the file covers, and the words of these dates that do
not count yet. Standard library only."""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pipeline import reader
from pipeline.errors import Command, DataError, Message
from pipeline.words import GAME

REPAIR = Message(Command("restore"), " brings it back from the last commit or from the program.")

FIRST_DAY, LAST_DAY = datetime.date.fromisoformat(GAME.first_day), datetime.date(2099, 12, 31)
"""The first and the last day that can be in a record. The limit keeps a forged range of dates from filling the
memory."""

WordsByDate = frozenset[tuple[str, str]]
"""Words that do not count yet, as (date, word)."""


def ranges(dates: Iterable[str]) -> str:
    """Return dates as ranges in one text.

    >>> ranges(["2018-05-09", "2018-05-10", "2018-05-12"])
    '2018-05-09..2018-05-10 2018-05-12..2018-05-12'
    """
    spans: list[list[datetime.date]] = []
    for date in sorted(map(datetime.date.fromisoformat, dates)):
        if spans and (date - spans[-1][1]).days == 1:
            spans[-1][1] = date
        else:
            spans.append([date, date])
    return " ".join(f"{first}..{last}" for first, last in spans)


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
            raise DataError(f'The first line of evidence.csv has "{span}", which is not a range of dates.') from None
        if not next_day <= date <= end <= LAST_DAY:
            problem = f"but its ranges must be in order and start at {GAME.first_day} or later"
            raise DataError(f'The first line of evidence.csv has "{span}", {problem}.')
        covered |= {str(date + datetime.timedelta(days=day)) for day in range((end - date).days + 1)}
        next_day = end + datetime.timedelta(days=1)
    return frozenset(covered)


def sealed(covered: Iterable[str], rows: bytes, waiting: WordsByDate = frozenset()) -> bytes:
    """Return the evidence file with these rows and its first line. The checksum covers the rest of that line and the
    rows."""
    rest_of_line = f" covers {ranges(covered)}"
    if waiting:
        rest_of_line += " without " + " ".join(f"{date} {word}" for date, word in sorted(waiting))
    sealed_part = f"{rest_of_line}\n".encode() + rows
    return f"# sha256 {reader.sha256(sealed_part)}".encode() + sealed_part


@dataclass(frozen=True, slots=True)
class FirstLine:
    """The content of the first line of an evidence file: the dates it covers, and the words that do not count yet."""

    covered: frozenset[str]
    waiting: WordsByDate


def coverage(data: bytes) -> frozenset[str]:
    """Return the dates that an evidence file covers; raise DataError if its first line or its checksum is wrong."""
    return opened(data).covered


def opened(data: bytes) -> FirstLine:
    """Return the first line of an evidence file; raise DataError if that line or its checksum is wrong."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    match = re.match(rb"# sha256 ([0-9a-f]{64})( covers ?([^\n]*?)(?: without ([^\n]*))?\n)", data)
    if not match:
        raise DataError("evidence.csv does not start with `# sha256 SUM covers DATES`; ", REPAIR)
    checksum, _, ranges_of_dates, waiting = match.groups(default=b"")
    if checksum.decode() != reader.sha256(data[match.start(2) :]):
        raise DataError("evidence.csv was changed or cut short: its checksum does not match; ", REPAIR)
    parts = waiting.decode("ascii", "replace").split()
    words_by_date = frozenset(zip(parts[::2], parts[1::2], strict=True))
    return FirstLine(dates(ranges_of_dates.decode("ascii", "replace")), words_by_date)
