"""Plain facts, one line a day: `2025-02-20 o afginr: afro agog …`: date, center, outer letters, answers.

Nothing on such a line proves that it is whole, so a last line without a line end counts as cut short.
"""

from __future__ import annotations

import re

from pipeline.capture import BrokenDay, Collector, Parsed, day, lines

NAME = "lines"
FORMAT = "lines `2025-02-20 o afginr: words`"
ABOUT = "any list of facts in this shape; whoever imports it vouches for it"

_LINE = re.compile(r"(\S+) (\S+) (\S+): *(.*)")


def recognises(text: str) -> bool:
    """Say whether one of the first lines has this shape."""
    return any(re.match(r"\d{4}-\d\d-\d\d \S+ [a-z]+:", line) for line in text[:20_000].splitlines()[:20])


def parse(text: str, name: str) -> Parsed:
    """Read the lines that are whole."""
    gathered = Collector(name)
    for number, line, whole in lines(text):
        match = _LINE.fullmatch(line)
        try:
            if not match:
                raise BrokenDay("broken-line", f"Not `date center outer: answers`: {line[:60]!r}.")
            if not whole:
                raise BrokenDay("cut-short", f"{match[1]}: the last line has no end, so words may be lost.")
            gathered.add(day(match[1], match[2], match[3], match[4].split()), number)
        except BrokenDay as broken:
            gathered.fault(broken.rule, str(broken), number)
    return gathered.parsed()
