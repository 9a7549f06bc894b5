"""Plain facts, one line per day: date, center, outer letters and answers, as in `2025-02-20 o afginr: afro agog …`.

Such a line has no totals to check, so a last line without a line end counts as cut short.
"""

from __future__ import annotations

import re

from pipeline.sources.day import (
    Collector,
    Day,
    InvalidDayError,
    Line,
    ParseResult,
    Source,
    numbered_lines,
    official_day,
)

_LINE = re.compile(r"(\S+) (\S+) (\S+): *(.*)")


def recognizes(text: str) -> bool:
    """Return whether one of the first lines has this form."""
    first_lines = text[:20_000].splitlines()[:20]
    return any(re.match(r"\d{4}-\d\d-\d\d \S+ [a-z]+:", line) for line in first_lines)


def parse(text: str, name: str) -> ParseResult:
    """Return the days of the complete lines, and the faults of the others."""
    collector = Collector(name)
    for line in numbered_lines(text):
        with collector.recording_faults(line.number):
            collector.add_day(_day(line), line.number)
    return collector.parsed()


def _day(line: Line) -> Day:
    """Return the day of a line; raise InvalidDayError for an invalid one."""
    match = _LINE.fullmatch(line.text)
    if not match:
        raise InvalidDayError("broken-line", f"The line is not `date center outer: answers`: {line.text[:60]!r}.")
    date, center, outer, answers = match.groups()
    if not line.complete:
        raise InvalidDayError("cut-short", f"{date}: the last line has no line end, so words may be missing.")
    return official_day(date, center, outer, answers.split())


SOURCE = Source(
    name="lines",
    format="lines `2025-02-20 o afginr: words`",
    about="any list of facts in this format; the person who imports it is responsible for it",
    recognizes=recognizes,
    parse=parse,
)
