"""JSON keyed by date: `{"20180729": {"center": "l", "others": "acfiny", "solutions": ["acyclic", …]}}`.

Several public solvers store data from nytbee.com in this form.
"""

from __future__ import annotations

import re

from pipeline.sources import json_text
from pipeline.sources.day import Collector, Day, InvalidDayError, ParseResult, Source, official_day


def recognizes(text: str) -> bool:
    """Return whether this is an object whose first key is a date and whose first value has `center` or `solutions`."""
    return bool(re.match(r'\s*\{\s*"\d{4}-?\d\d-?\d\d"\s*:\s*\{[^{}]*"(center|others|solutions)"', text[:5000]))


def parse(text: str, name: str) -> ParseResult:
    """Return the day of each date, and the faults."""
    collector = Collector(name)
    try:
        days = json_text.loads(text)
    except (ValueError, RecursionError) as error:
        collector.add_fault("cut-short", f"The JSON is incomplete or damaged: {error}.")
        return collector.parsed()
    for date, day in json_text.fields(days):
        with collector.recording_faults():
            collector.add_day(_day(date, day))
    return collector.parsed()


def _day(date: str, value: object) -> Day:
    """Return the day of a key and its decoded value; raise InvalidDayError for an invalid one."""
    if not isinstance(value, dict) or not {"center", "others", "solutions"} <= value.keys():
        raise InvalidDayError("broken-line", f"{date}: the value is not an object with center, others and solutions.")
    if isinstance(value, json_text.RepeatedFields):
        raise InvalidDayError("broken-line", f'{date}: the object has the field "{value.repeated}" twice.')
    center, others, words = value["center"], value["others"], value["solutions"]
    if isinstance(others, list):
        others = "".join(map(str, others))
    if not (isinstance(center, str) and isinstance(others, str) and isinstance(words, list)):
        raise InvalidDayError("broken-line", f"{date}: center and others must be text, and solutions must be a list.")
    return official_day(date, center, others, map(str, words))


SOURCE = Source(
    name="seed",
    format='JSON `{"20180729": {"center", "others", "solutions"}}`',
    about="scraped from nytbee.com by the solver that the file comes from; facts about puzzles",
    recognizes=recognizes,
    parse=parse,
)
