"""The game page of nytimes.com: today's puzzle, yesterday's and, since 2024, all of this week and of the last.

The page sets `window.gameData` to one JSON object; a saved copy of that object alone is read too. Its puzzles are known
by their own `printDate`, never by where they stand: on the page of a past day "today" is that day.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from pipeline.capture import FIRST_DAY, BrokenDay, Collector, Parsed
from pipeline.sources import days

NAME = "nyt_page"
FORMAT = "game page of nytimes.com, or its gameData"
ABOUT = "nytimes.com; facts about puzzles, its terms of service hold; never committed here"

SETTING, BASE = "BEE_NYT_URL", "https://www.nytimes.com"
FIRST = FIRST_DAY
NEVER: frozenset[str] = frozenset()
REACH: int | None = 14
"""Older days have no page."""

MARKER = "window.gameData"
_PLACES = ("today", "yesterday", "thisWeek", "lastWeek", "pastPuzzles", "puzzles")


def url_for(base: str, date: str) -> str:
    """Return the URL of a day's page."""
    return f"{base}/puzzles/spelling-bee/{date}"


def name_for(date: str) -> str:
    """Return the file name of a day's capture."""
    return f"{date}.html"


def recognises(text: str) -> bool:
    """Say whether this is the page, or an object that has "today" or "yesterday" first."""
    return MARKER in text or bool(re.match(rf'\s*\{{\s*"({"|".join(_PLACES)}|isPastPuzzle)"\s*:', text))


def parse(text: str, name: str) -> Parsed:
    """Read every puzzle of the page; one that is broken costs no other."""
    gathered = Collector(name)
    start = text.find("{", max(text.find(MARKER), 0))
    try:
        value, _ = json.JSONDecoder().raw_decode(text, max(start, 0))
    except (ValueError, RecursionError) as error:
        gathered.fault("cut-short", f"The page's JSON breaks off or is damaged: {error}.")
        return gathered.parsed()
    puzzles = list(_puzzles(value))
    if not puzzles:
        gathered.fault("layout-drift", f"No puzzle under {', '.join(_PLACES)}.")
    for item in puzzles:
        try:
            gathered.add(days.official(item))
        except BrokenDay as broken:
            gathered.fault(broken.rule, str(broken))
    return gathered.parsed()


def _puzzles(value: object) -> Iterator[Mapping[str, object]]:
    """Yield the objects at the known places; numbers and nulls, which the page has there too, are passed over."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, Mapping):
            if "centerLetter" in item or "center_letter" in item:
                yield item
            else:
                waiting += [item[place] for place in _PLACES if place in item]
