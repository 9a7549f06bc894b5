"""Plain facts, one line per day: `2025-02-20 o afginr: afro agog …`: date, center, outer letters, answers.

Such a line has no totals to check, so a last line without a line end counts as cut short.
"""

from __future__ import annotations

import re

from pipeline.sources.day import BrokenDay, Collector, Parsed, Source, day, lines

_LINE = re.compile(r"(\S+) (\S+) (\S+): *(.*)")


def recognises(text: str) -> bool:
    """Return whether one of the first lines has this form."""
    return any(re.match(r"\d{4}-\d\d-\d\d \S+ [a-z]+:", line) for line in text[:20_000].splitlines()[:20])


def parse(text: str, name: str) -> Parsed:
    """Read the complete lines."""
    gathered = Collector(name)
    for number, line, whole in lines(text):
        match = _LINE.fullmatch(line)
        with gathered.refusing(number):
            if not match:
                raise BrokenDay("broken-line", f"Not `date center outer: answers`: {line[:60]!r}.")
            if not whole:
                raise BrokenDay("cut-short", f"{match[1]}: the last line has no end, so words may be lost.")
            gathered.add(day(match[1], match[2], match[3], match[4].split()), number)
    return gathered.parsed()


SOURCE = Source(
    name="lines",
    format="lines `2025-02-20 o afginr: words`",
    about="any list of facts in this shape; whoever imports it vouches for it",
    recognises=recognises,
    parse=parse,
)
