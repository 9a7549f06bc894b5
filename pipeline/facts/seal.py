"""The first line of `evidence.csv`: the dates it covers, and its own checksum. Standard library only."""

from __future__ import annotations

import datetime
import functools
import re
from collections.abc import Iterable

from pipeline import reader
from pipeline.words import GAME, BeeError

REPAIR = "restore it from the repository, or make it again from the archives with bee merge --rebuild"


class EvidenceError(BeeError):
    """The evidence file is damaged or does not fit the captures on disk."""


def ranges(dates: Iterable[str]) -> str:
    """Format dates as ranges.

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
    """Parse the output of `ranges`; raise EvidenceError for days that cannot have a puzzle.

    >>> sorted(dates("2018-05-09..2018-05-10 2018-05-12..2018-05-12"))
    ['2018-05-09', '2018-05-10', '2018-05-12']
    """
    covered: set[str] = set()
    latest = datetime.date.today() + datetime.timedelta(days=1)
    for span in ranges.split():
        first, _, last = span.partition("..")
        try:
            date, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
        except ValueError:
            raise EvidenceError(
                f'The first line of the evidence has "{span}", which is not a range of dates.'
            ) from None
        if not datetime.date.fromisoformat(GAME.first_day) <= date <= end <= latest:
            raise EvidenceError(
                f'The first line of the evidence has "{span}"; days run from {GAME.first_day} to {latest}.'
            )
        covered |= {str(date + datetime.timedelta(days=day)) for day in range((end - date).days + 1)}
    return frozenset(covered)


def sealed(covered: Iterable[str], body: bytes) -> bytes:
    """Add the first line to the body of the evidence file; its checksum is of the rest of that line and the body."""
    rest = f" covers {ranges(covered)}\n".encode() + body
    return f"# sha256 {reader.sha256(rest)}".encode() + rest


def coverage(data: bytes) -> frozenset[str]:
    """Return the dates that an evidence file covers; raise EvidenceError if its first line or checksum is wrong.

    In files up to release 0.2.0 the checksum is of the rows only. They can still be read; the next merge rewrites them.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    match = re.match(rb"# sha256 ([0-9a-f]{64})( covers ?([^\n]*)\n)", data)
    if not match:
        raise EvidenceError(f"evidence.csv does not start with `# sha256 SUM covers DATES`; {REPAIR}.")
    seal = match[1].decode()
    if seal not in (reader.sha256(data[match.start(2) :]), reader.sha256(data[match.end() :])):
        raise EvidenceError(f"evidence.csv was changed or cut short: its checksum does not match; {REPAIR}.")
    return dates(match[3].decode("ascii", "replace"))
