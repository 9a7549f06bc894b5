"""Plain facts, one line per day: `2025-02-20 o afginr: afro agog …`: date, center, outer letters, answers.

Such a line has no totals to check, so a last line without a line end counts as cut short.
"""

from __future__ import annotations

import re

from pipeline.sources.day import Collector, Day, InvalidDayError, Line, Parsed, Source, numbered_lines, official_day

_LINE = re.compile(r"(\S+) (\S+) (\S+): *(.*)")


def recognizes(text: str) -> bool:
    """Return whether one of the first lines has this form."""
    first_lines = text[:20_000].splitlines()[:20]
    return any(re.match(r"\d{4}-\d\d-\d\d \S+ [a-z]+:", line) for line in first_lines)


def parse(text: str, name: str) -> Parsed:
    """Read the complete lines."""
    collector = Collector(name)
    for line in numbered_lines(text):
        with collector.recording_faults(line.number):
            collector.add_day(_day(line), line.number)
    return collector.parsed()


def _day(line: Line) -> Day:
    """Read the day of a line; raises InvalidDayError."""
    match = _LINE.fullmatch(line.text)
    if not match:
        raise InvalidDayError("broken-line", f"Not `date center outer: answers`: {line.text[:60]!r}.")
    date, center, outer, answers = match.groups()
    if not line.complete:
        raise InvalidDayError("cut-short", f"{date}: the last line has no end, so words may be lost.")
    return official_day(date, center, outer, answers.split())


SOURCE = Source(
    name="lines",
    format="lines `2025-02-20 o afginr: words`",
    about="any list of facts in this shape; whoever imports it vouches for it",
    recognizes=recognizes,
    parse=parse,
)
