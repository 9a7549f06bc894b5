"""JSON keyed by date: `{"20180729": {"center": "l", "others": "acfiny", "solutions": ["acyclic", …]}}`.

The shape in which several public solvers keep what they scraped from nytbee.com.
"""

from __future__ import annotations

import json
import re

from pipeline.capture import BrokenDay, Collector, Day, Parsed, day

NAME = "seed"
FORMAT = 'JSON `{"20180729": {"center", "others", "solutions"}}`'
ABOUT = "scraped from nytbee.com by the solver that the file comes from; facts about puzzles"


def recognises(text: str) -> bool:
    """Say whether this is an object whose first key is a date and whose first value names `center` or `solutions`."""
    return bool(re.match(r'\s*\{\s*"\d{4}-?\d\d-?\d\d"\s*:\s*\{[^{}]*"(center|others|solutions)"', text[:5000]))


def parse(text: str, name: str) -> Parsed:
    """Read every day, in a file that ends early those that are whole."""
    gathered = Collector(name)
    decoder = json.JSONDecoder()
    at = text.index("{") + 1
    while key := re.compile(r'[\s,]*"([^"\\]*)"\s*:\s*').match(text, at):
        line = text.count("\n", 0, key.start(1)) + 1
        try:
            value, at = decoder.raw_decode(text, key.end())
        except (ValueError, RecursionError):
            gathered.fault("cut-short", f"{key[1]}: the JSON breaks off or is damaged here.", line)
            return gathered.parsed()
        try:
            gathered.add(_day(key[1], value), line)
        except BrokenDay as broken:
            gathered.fault(broken.rule, str(broken), line)
    if not re.compile(r"\s*\}\s*$").match(text, at):
        gathered.fault("cut-short", "The JSON breaks off or is damaged here.", text.count("\n", 0, at) + 1)
    return gathered.parsed()


def _day(date: str, value: object) -> Day:
    if not isinstance(value, dict) or not {"center", "others", "solutions"} <= value.keys():
        raise BrokenDay("broken-line", f"{date}: no object with center, others and solutions.")
    center, others, words = value["center"], value["others"], value["solutions"]
    others = "".join(map(str, others)) if isinstance(others, list) else others
    if not (isinstance(center, str) and isinstance(others, str) and isinstance(words, list)):
        raise BrokenDay("broken-line", f"{date}: center and others are text, solutions is a list.")
    return day(date, center, others, map(str, words))
