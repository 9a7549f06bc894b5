"""The puzzles of nytimes.com: its JSON of one day, its game page, and collections of such days.

Forms of a day: the object in the game page (`printDate`, `centerLetter`, `outerLetters` a list, `answers` with the
pangrams); the object of the JSON endpoint (`print_date`, `center_letter`, `outer_letters` one string, `answers`
*without* the pangrams, so the union is used); and the "verified" form of tedmiston/spelling-bee-answers (MIT), with
`date`. Each of the three sources at the end reads all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.sources.day import BrokenDay, Collector, Day, Live, Parsed, Source, day


def recognises(text: str) -> bool:
    """Return whether this is JSON with a center letter in one of the forms."""
    return text.lstrip()[:1] in ("{", "[") and bool(re.search(r'"center_?[lL]etter"\s*:', text[:20_000]))


def parse(text: str, name: str) -> Parsed:
    """Read one day, or a list of days."""
    gathered = Collector(name)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        gathered.fault("cut-short", f"The JSON is incomplete or damaged: {error}.")
        return gathered.parsed()
    for item in value if isinstance(value, list) else [value]:
        with gathered.refusing():
            gathered.add(official(item))
    return gathered.parsed()


def official(value: object) -> Day:
    """Parse one JSON object, in any form, as a day; raises BrokenDay with the rule that it breaks."""
    if not isinstance(value, Mapping):
        raise BrokenDay("broken-line", "No JSON object.")
    date = _first(value, "printDate", "print_date", "date")
    center = _first(value, "centerLetter", "center_letter")
    outer = _first(value, "outerLetters", "outer_letters")
    answers, pangrams = _first(value, "answers"), value.get("pangrams", [])
    if isinstance(outer, list) and all(isinstance(letter, str) for letter in outer):
        outer = "".join(outer)
    if not all(isinstance(text, str) for text in (date, center, outer)):
        raise BrokenDay("broken-line", "The date and the letters must be text.")
    if not isinstance(answers, list) or not isinstance(pangrams, list):
        raise BrokenDay("broken-line", f"{date}: answers and pangrams must be lists.")
    if wrong := [word for word in answers + pangrams if not isinstance(word, str)]:
        raise BrokenDay("bad-word", f"{date}: an answer is no text but a {type(wrong[0]).__name__}.")
    listed = set(answers)
    return day(date, center, outer, answers + [word for word in pangrams if word not in listed])


def _first(value: Mapping[str, Any], *names: str) -> Any:
    for name in names:
        if name in value:
            return value[name]
    raise BrokenDay("broken-line", f"No field {' or '.join(names)}.")


DAYS = Source(
    name="days",
    format="NYT-shaped JSON days",
    about="as served by nytimes.com; days/ of github.com/tedmiston/spelling-bee-answers (MIT)",
    recognises=recognises,
    parse=parse,
)


SITE = ("BEE_NYT_URL", "https://www.nytimes.com")
REACH = 14
"""Older days have no page, and a page has no older days."""

MARKER = "window.gameData"
_LETTER = re.compile(r'"center_?[lL]etter"\s*:')
_PLACES = ("today", "yesterday", "thisWeek", "lastWeek", "pastPuzzles", "puzzles")
_PLACED = re.compile(rf'"({"|".join(_PLACES)})"\s*:\s*[\[{{0-9]')


def _recognises_page(text: str) -> bool:
    """Return whether this is the page, or an object with one of the places where the page has puzzles.

    `active.json` of the same site is such an object: numbers under "today" and the others, and a list of "puzzles".
    """
    head = text[:20_000]
    return MARKER in text or (head.lstrip()[:1] == "{" and bool(_PLACED.search(head) and _LETTER.search(head)))


def parse_page(text: str, name: str) -> Parsed:
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
        with gathered.refusing():
            gathered.add(official(item))
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


PAGE = Source(
    name="nyt_page",
    format="game page of nytimes.com, or its gameData",
    about="nytimes.com; facts about puzzles, its terms of service hold; never committed here",
    recognises=_recognises_page,
    parse=parse_page,
    live=Live(
        *SITE, lambda base, date: f"{base}/puzzles/spelling-bee/{date}", "{}.html".format, reach=REACH, earlier=REACH
    ),
)


def _recognises_day(text: str) -> bool:
    """Return whether this is one JSON object with `print_date` and `center_letter`, and not a collection of them."""
    return (
        text.lstrip()[:1] == "{"
        and all(re.search(rf'"{name}"\s*:', text[:20_000]) for name in ("print_date", "center_letter"))
        and not _recognises_page(text)
    )


DAY = Source(
    name="nyt",
    format="JSON of one day with print_date",
    about="nytimes.com; facts about puzzles, its terms of service hold; never committed here",
    recognises=_recognises_day,
    parse=parse,
    live=Live(*SITE, lambda base, date: f"{base}/svc/spelling-bee/v1/{date}.json", "{}.json".format),
)
