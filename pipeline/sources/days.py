"""JSON of one day as nytimes.com serves it, in each of its forms, and lists of such days.

Forms: the object in the game page (`printDate`, `centerLetter`, `outerLetters` a list, `answers` with the pangrams);
the object of the JSON endpoint (`print_date`, `center_letter`, `outer_letters` one string, `answers` *without* the
pangrams, so the union is used; `sources.nyt` is this form); and the "verified" form of tedmiston/spelling-bee-answers
(MIT), with `date`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pipeline.sources.day import BrokenDay, Collector, Day, Parsed, day
from pipeline.sources.source import Source


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
        try:
            gathered.add(official(item))
        except BrokenDay as broken:
            gathered.fault(broken.rule, str(broken))
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


SOURCE = Source(
    name="days",
    format="NYT-shaped JSON days",
    about="as served by nytimes.com; days/ of github.com/tedmiston/spelling-bee-answers (MIT)",
    recognises=recognises,
    parse=parse,
)
