"""The game page of nytimes.com: the puzzles of today, yesterday and, since 2024, of this week and last week.

The page sets `window.gameData` to one JSON object; a saved copy of that object alone is read too. Its puzzles are
identified by their own `printDate`, never by their position: on the page of a past day "today" is that day.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from pipeline.sources import days
from pipeline.sources.day import BrokenDay, Collector, Parsed
from pipeline.sources.source import Live, Source

REACH = 14
"""Older days have no page, and a page has no older days."""

MARKER = "window.gameData"
_LETTER = re.compile(r'"center_?[lL]etter"\s*:')
_PLACES = ("today", "yesterday", "thisWeek", "lastWeek", "pastPuzzles", "puzzles")
_PLACED = re.compile(rf'"({"|".join(_PLACES)})"\s*:\s*[\[{{0-9]')


def url_for(base: str, date: str) -> str:
    """Return the URL of a day's page."""
    return f"{base}/puzzles/spelling-bee/{date}"


def name_for(date: str) -> str:
    """Return the file name of a day's capture."""
    return f"{date}.html"


def recognises(text: str) -> bool:
    """Return whether this is the page, or an object with one of the places where the page has puzzles.

    `active.json` of the same site is such an object: numbers under "today" and the others, and a list of "puzzles".
    """
    head = text[:20_000]
    return MARKER in text or (head.lstrip()[:1] == "{" and bool(_PLACED.search(head) and _LETTER.search(head)))


def parse(text: str, name: str) -> Parsed:
    """Read every puzzle of the page; a broken puzzle does not affect the others."""
    gathered = Collector(name)
    start = text.find("{", max(text.find(MARKER), 0))
    try:
        value, _ = json.JSONDecoder().raw_decode(text, max(start, 0))
    except (ValueError, RecursionError) as error:
        gathered.fault("cut-short", f"The page's JSON is incomplete or damaged: {error}.")
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
    """Yield the objects at the known places; numbers and nulls, which the page also has there, are skipped."""
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


SOURCE = Source(
    name="nyt_page",
    format="game page of nytimes.com, or its gameData",
    about="nytimes.com; facts about puzzles, its terms of service hold; never committed here",
    recognises=recognises,
    parse=parse,
    live=Live("BEE_NYT_URL", "https://www.nytimes.com", url_for, name_for, reach=REACH, earlier=REACH),
)
