"""The puzzles of nytimes.com: its JSON of one day, its game page, and collections of such days.

Forms of a day: the object in the game page (`printDate`, `centerLetter`, `outerLetters` a list, `answers` with the
pangrams); the object of the JSON endpoint (`print_date`, `center_letter`, `outer_letters` one string, `answers`
*without* the pangrams, so the union is used); and the "verified" form of tedmiston/spelling-bee-answers (MIT), with
`date`. Each of the three sources at the end reads all of them.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.sources import json_text
from pipeline.sources.day import Collector, Day, InvalidDayError, LiveSite, ParseResult, Source, official_day
from pipeline.words import pangram


def recognizes(text: str) -> bool:
    """Return whether this is JSON with a center letter in one of the forms."""
    return text.lstrip()[:1] in ("{", "[") and bool(re.search(r'"center_?[lL]etter"\s*:', text[:20_000]))


def parse(text: str, name: str) -> ParseResult:
    """Return the day of an object, or the days of a list, and the faults."""
    collector = Collector(name)
    try:
        value = json_text.loads(text)
    except (ValueError, RecursionError) as error:
        collector.add_fault("cut-short", f"The JSON is incomplete or damaged: {error}.")
        return collector.parsed()
    if not isinstance(value, list):
        with collector.recording_faults():
            collector.add_day(_day(value))
        return collector.parsed()
    for number, item in enumerate(value, 1):
        place = f"item {number}"
        with collector.recording_faults(place):
            collector.add_day(_day(item), place)
    return collector.parsed()


def _day(value: object) -> Day:
    """Return the day of one JSON object in any of the forms; raise InvalidDayError with the rule that it breaks."""
    if not isinstance(value, Mapping):
        raise InvalidDayError("broken-line", "The value is not a JSON object.")
    if isinstance(value, json_text.RepeatedFields):
        raise InvalidDayError("broken-line", f'The object has the field "{value.repeated}" twice.')
    date = _field(value, "printDate", "print_date", "date")
    center = _field(value, "centerLetter", "center_letter")
    outer = _field(value, "outerLetters", "outer_letters")
    answers = _field(value, "answers")
    pangrams = value.get("pangrams", [])
    if isinstance(outer, list) and all(isinstance(letter, str) for letter in outer):
        outer = "".join(outer)
    if not all(isinstance(text, str) for text in (date, center, outer)):
        raise InvalidDayError("broken-line", "The date and the letters must be text.")
    if not isinstance(answers, list) or not isinstance(pangrams, list):
        raise InvalidDayError("broken-line", f"{date}: answers and pangrams must be lists.")
    not_text = [word for word in answers + pangrams if not isinstance(word, str)]
    if not_text:
        raise InvalidDayError(
            "bad-word", f"{date}: an answer has the type {type(not_text[0]).__name__}; it must be text."
        )
    answer_set = set(answers)
    missing_pangrams = [word for word in pangrams if word not in answer_set]
    day = official_day(date, center, outer, answers + missing_pangrams)
    wrong = sorted(set(filter(pangram, day.answers)) ^ set(pangrams)) if "pangrams" in value else []
    if wrong:
        detail = f"{date}: {', '.join(wrong)}: the pangrams are not the answers that use all letters."
        raise InvalidDayError("count-mismatch", detail)
    return day


def _field(value: Mapping[str, Any], *names: str) -> Any:
    """Return the first field of an object that has one of these names; raise InvalidDayError if there is none."""
    for name in names:
        if name in value:
            return value[name]
    raise InvalidDayError("broken-line", f"The object has no field {' or '.join(names)}.")


OWNER = "nytimes.com"

DAYS = Source(
    name="days",
    format="NYT-shaped JSON days",
    about="as served by nytimes.com; days/ of github.com/tedmiston/spelling-bee-answers (MIT)",
    recognizes=recognizes,
    parse=parse,
    owner=OWNER,
)


URL_VARIABLE = "BEE_NYT_URL"
BASE_URL = "https://www.nytimes.com"
PAGE_DAYS = 14
"""How many days back a page can be requested, and how many days back the puzzles of a page go."""

_MARKER = "window.gameData"
_ASSIGNMENT = re.compile(r"window\.gameData\s*=\s*(?=[\[{])")
MAX_ASSIGNMENTS = 100
"""Later assignments of a page are not read, because an error of the JSON decoder counts the lines before it."""
_LETTER = re.compile(r'"center_?[lL]etter"\s*:')
_PLACES = ("today", "yesterday", "thisWeek", "lastWeek", "pastPuzzles", "puzzles")
"""The fields of the page's JSON that have puzzles, or further such fields."""
_PLACE = re.compile(rf'"({"|".join(_PLACES)})"\s*:\s*[\[{{0-9]')


def _recognizes_page(text: str) -> bool:
    """Return whether this is the page, or an object with one of the fields in which the page has puzzles.

    `active.json` of the same site is such an object: numbers under "today" and the others, and a list of "puzzles".
    """
    if _MARKER in text:
        return True
    head = text[:20_000]
    is_object = head.lstrip()[:1] == "{"
    return is_object and bool(_PLACE.search(head)) and bool(_LETTER.search(head))


def parse_page(text: str, name: str) -> ParseResult:
    """Return every day of the page; an invalid puzzle does not affect the others.

    The page has JSON after `window.gameData =`, and may assign or mention that name elsewhere, too.
    """
    collector = Collector(name)
    puzzles: list[Mapping[str, Any]] = []
    problem = f"The page has no JSON after {_MARKER}."
    for start in _starts_of_json(text):
        try:
            value, _ = json_text.value_at(text, start)
        except (ValueError, RecursionError) as error:
            problem = f"The page's JSON is incomplete or damaged: {error}."
            continue
        puzzles += _puzzles(value)
        problem = ""
    if not puzzles and problem:
        collector.add_fault("cut-short", problem)
    elif not puzzles:
        collector.add_fault("layout-drift", f"The page has no puzzle in the fields {', '.join(_PLACES)}.")
    for item in puzzles:
        with collector.recording_faults():
            collector.add_day(_day(item))
    return collector.parsed()


def _starts_of_json(text: str) -> list[int]:
    """Return the positions at which JSON begins: in each assignment of the page; or else at the first brace after the
    name, as in `JSON.parse('{…}')`, or in the text."""
    assignments = itertools.islice(_ASSIGNMENT.finditer(text), MAX_ASSIGNMENTS)
    starts = [assignment.end() for assignment in assignments]
    return starts or [max(text.find("{", max(text.find(_MARKER), 0)), 0)]


def _puzzles(value: object) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in the known fields, that of today first; the numbers and nulls that the page also has there
    are skipped."""
    to_visit = [value]
    while to_visit:
        item = to_visit.pop()
        if isinstance(item, list):
            to_visit += reversed(item)
        elif isinstance(item, dict):
            if "centerLetter" in item or "center_letter" in item:
                yield item
            else:
                fields = json_text.fields(item)
                to_visit += [field for place in reversed(_PLACES) for name, field in reversed(fields) if name == place]


PAGE = Source(
    name="nyt_page",
    format="game page of nytimes.com, or its gameData",
    about="nytimes.com; facts about puzzles; its terms of service apply; never committed here",
    recognizes=_recognizes_page,
    parse=parse_page,
    owner=OWNER,
    site=LiveSite(
        url_variable=URL_VARIABLE,
        base_url=BASE_URL,
        url_for=lambda base, date: f"{base}/puzzles/spelling-bee/{date}",
        file_name_for="{}.html".format,
        days_back=PAGE_DAYS,
        earlier_days=PAGE_DAYS,
    ),
)


def _recognizes_day(text: str) -> bool:
    """Return whether this is one JSON object with `print_date` and `center_letter`, and not a collection of them."""
    if text.lstrip()[:1] != "{" or _recognizes_page(text):
        return False
    head = text[:20_000]
    return all(re.search(rf'"{name}"\s*:', head) for name in ("print_date", "center_letter"))


DAY = Source(
    name="nyt",
    format="JSON of one day with print_date",
    about="nytimes.com; facts about puzzles; its terms of service apply; never committed here",
    recognizes=_recognizes_day,
    parse=parse,
    owner=OWNER,
    one_day=True,
    site=LiveSite(
        url_variable=URL_VARIABLE,
        base_url=BASE_URL,
        url_for=lambda base, date: f"{base}/svc/spelling-bee/v1/{date}.json",
        file_name_for="{}.json".format,
    ),
)
