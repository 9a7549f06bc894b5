"""JSON keyed by date: `{"20180729": {"center": "l", "others": "acfiny", "solutions": ["acyclic", …]}}`.

Several public solvers store data from nytbee.com in this form.
"""

from __future__ import annotations

import json
import re

from pipeline.sources.day import Collector, Day, InvalidDayError, Parsed, Source, official_day

_KEY = re.compile(r'[\s,]*"([^"\\]*)"\s*:\s*')
_END = re.compile(r"\s*\}\s*$")


def recognizes(text: str) -> bool:
    """Return whether this is an object whose first key is a date and whose first value has `center` or `solutions`."""
    return bool(re.match(r'\s*\{\s*"\d{4}-?\d\d-?\d\d"\s*:\s*\{[^{}]*"(center|others|solutions)"', text[:5000]))


def parse(text: str, name: str) -> Parsed:
    """Read every day; in a file that ends early, the complete days."""
    collector = Collector(name)
    decoder = json.JSONDecoder()
    position = text.index("{") + 1
    line, line_position = 1, 0  # the number of the line of the character at `line_position`
    while key := _KEY.match(text, position):
        line += text.count("\n", line_position, key.start(1))
        line_position = key.start(1)
        date = key[1]
        try:
            value, position = decoder.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            collector.add_fault("cut-short", f"{date}: the JSON is incomplete or damaged here.", line)
            return collector.parsed()
        with collector.recording_faults(line):
            collector.add_day(_day(date, value), line)
    if not _END.match(text, position):
        last_line = 1 + text.count("\n", 0, position)
        collector.add_fault("cut-short", "The JSON is incomplete or damaged here.", last_line)
    return collector.parsed()


def _day(date: str, value: object) -> Day:
    """Read the day of a key and its decoded value; raises InvalidDayError."""
    if not isinstance(value, dict) or not {"center", "others", "solutions"} <= value.keys():
        raise InvalidDayError("broken-line", f"{date}: no object with center, others and solutions.")
    center, others, words = value["center"], value["others"], value["solutions"]
    if isinstance(others, list):
        others = "".join(map(str, others))
    if not (isinstance(center, str) and isinstance(others, str) and isinstance(words, list)):
        raise InvalidDayError("broken-line", f"{date}: center and others are text, solutions is a list.")
    return official_day(date, center, others, map(str, words))


SOURCE = Source(
    name="seed",
    format='JSON `{"20180729": {"center", "others", "solutions"}}`',
    about="scraped from nytbee.com by the solver that the file comes from; facts about puzzles",
    recognizes=recognizes,
    parse=parse,
)
