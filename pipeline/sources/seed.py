"""JSON keyed by date: `{"20180729": {"center": "l", "others": "acfiny", "solutions": ["acyclic", …]}}`.

Several public solvers store data from nytbee.com in this form.
"""

from __future__ import annotations

import json
import re

from pipeline.sources.day import BrokenDay, Collector, Day, Parsed, Source, day


def recognises(text: str) -> bool:
    """Return whether this is an object whose first key is a date and whose first value has `center` or `solutions`."""
    return bool(re.match(r'\s*\{\s*"\d{4}-?\d\d-?\d\d"\s*:\s*\{[^{}]*"(center|others|solutions)"', text[:5000]))


def parse(text: str, name: str) -> Parsed:
    """Read every day; in a file that ends early, the complete days."""
    gathered = Collector(name)
    decoder = json.JSONDecoder()
    at = text.index("{") + 1
    line = counted = 0
    while key := re.compile(r'[\s,]*"([^"\\]*)"\s*:\s*').match(text, at):
        line, counted = line + text.count("\n", counted, key.start(1)), key.start(1)
        try:
            value, at = decoder.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            gathered.fault("cut-short", f"{key[1]}: the JSON is incomplete or damaged here.", line + 1)
            return gathered.parsed()
        with gathered.refusing(line + 1):
            gathered.add(_day(key[1], value), line + 1)
    if not re.compile(r"\s*\}\s*$").match(text, at):
        gathered.fault("cut-short", "The JSON is incomplete or damaged here.", text.count("\n", 0, at) + 1)
    return gathered.parsed()


def _day(date: str, value: object) -> Day:
    if not isinstance(value, dict) or not {"center", "others", "solutions"} <= value.keys():
        raise BrokenDay("broken-line", f"{date}: no object with center, others and solutions.")
    center, others, words = value["center"], value["others"], value["solutions"]
    others = "".join(map(str, others)) if isinstance(others, list) else others
    if not (isinstance(center, str) and isinstance(others, str) and isinstance(words, list)):
        raise BrokenDay("broken-line", f"{date}: center and others are text, solutions is a list.")
    return day(date, center, others, map(str, words))


SOURCE = Source(
    name="seed",
    format='JSON `{"20180729": {"center", "others", "solutions"}}`',
    about="scraped from nytbee.com by the solver that the file comes from; facts about puzzles",
    recognises=recognises,
    parse=parse,
)
