"""The daily pages of nytbee.com, in every layout since the first page of 2018-07-29.

A page is self-checking: the printed number of answers, score and pangrams must match its list. The center is in a
chart, not in the text. Without the chart it is the one letter that all answers share; if there is not exactly one, the
center is unknown. The page also lists words that dictionaries have and the game refused that day. Only small parts of a
page of up to 286 KB matter, so they are cut out before they are parsed.
"""

from __future__ import annotations

import calendar
import datetime
import json
import re
from collections.abc import Iterable, Mapping

from pipeline.sources.day import BrokenDay, Collector, Day, Live, Parsed, Source, day, iso_date
from pipeline.words import count, pangram, score

FIRST = "2018-07-29"
NEVER = frozenset({"2018-09-12", "2018-11-03", "2018-11-17", "2018-12-23"})
"""Days without a page."""

WITH_ID = "2019-08-17"
"""From this day on the official list has its own id; a page without it is refused, because another list could be
mistaken for it."""
WITH_REFUSED = "2019-01-14"

_IN_TAG = "[^<>]{0,300}?"
_DIV = rf"<div\b{_IN_TAG}\b"
_BY_ID = tuple(re.compile(rf"""{_DIV}id\s*=\s*["']?{name}["'\s>]""") for name in ("main-answer-list", "answer-list"))
_BY_CLASS = re.compile(rf"""{_DIV}class\s*=\s*["']?answer-list["'\s>]""")
_REFUSED = re.compile(rf"""{_DIV}id\s*=\s*["']?not_official["'\s>]""")
_HEADING = re.compile(r"<h2\b[^<>]{0,300}>\s*((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day),\s+([^<]{5,40}?)\s*</h2>")
_ALSO_DATED = re.compile(r"""pics/([0-9]{8})\.png|id="date-selector"\s+value="([0-9-]{10})\"""")
_PRINTED = re.compile(
    r"<h3>\s*(Number of Pangrams|Number of Answers|Maximum Puzzle Score|Points Needed for Genius)"
    r":\s*([0-9]{1,6})\s*</h3>"
)
LONGEST_LIST, LONGEST_TAG, MOST_TAGS, DEEPEST = 200_000, 2_000, 2_000, 20
"""Limits: characters of a list and of a tag, tags of a list, and nested tags. The longest known list has 9,370
characters, its longest tag 47, and its depth is 5. Without limits 40 KB of nested tags took 12 s, and a million
attributes 918 MB."""
_TAG = re.compile(r"<(/?)([a-zA-Z]+)")
_EMPTY = ("br", "hr", "img", "input", "wbr")
_MONTHS = list(calendar.month_name)
_CHART = '"text":"Center Letter Frequency"'


def _file(date: str) -> str:
    return f"Bee_{date.replace('-', '')}.html"


def recognises(text: str) -> bool:
    """Return whether this is HTML that mentions an answer list, as all layouts do."""
    return text.lstrip()[:1] == "<" and "answer-list" in text


def parse(text: str, name: str) -> Parsed:
    """Read the day of the page, and check it."""
    gathered = Collector(name)
    with gathered.refusing():
        gathered.add(_day(text, gathered))
    return gathered.parsed()


def _day(text: str, gathered: Collector) -> Day:
    body = text[max(text.find("<body"), 0) :]
    date = _date(body)
    answers, after = _list(body, _start(body, date), date)
    if not answers:
        raise BrokenDay("no-answers", f"{date} has no answers.")
    if wrong := [word for word in answers if not re.fullmatch("[a-z]+", word)]:
        raise BrokenDay("bad-word", f"{date}: {wrong[0][:40]!r} is no word of the letters a to z.")
    refused = _refused(body, date, gathered)
    printed = _printed(body[after:], date)
    center = _charted_center(text) or _only_center(answers, date)
    outer = "".join(sorted(set("".join(answers)) - {center}))
    made = day(date, center, outer, answers, refused)
    _prove(made, printed, gathered)
    if len(made.refused) < len(refused):
        lost = ", ".join(sorted(set(refused) - set(made.refused)))
        gathered.fault("refused-impossible", f"{date}: {lost}.")
    return made


def _date(body: str) -> str:
    found = _HEADING.findall(body)
    if len(found) != 1:
        raise BrokenDay("layout-drift", f"{count(len(found), 'heading')} with a date, not one.")
    weekday, written = found[0]
    match = re.fullmatch(r"([A-Z][a-z]+)\s+([0-9]{1,2}),\s+([0-9]{4})", written)
    if not match or match[1] not in _MONTHS:
        raise BrokenDay("bad-date", f"{written!r} is no date.")
    date = iso_date(f"{match[3]}-{_MONTHS.index(match[1]):02}-{int(match[2]):02}")
    if calendar.day_name[datetime.date.fromisoformat(date).weekday()] != weekday:
        raise BrokenDay("bad-date", f"{date} is no {weekday}.")
    for picture, chosen in _ALSO_DATED.findall(body):
        if (picture or chosen.replace("-", "")) != date.replace("-", ""):
            raise BrokenDay("other-day", f"The heading says {date}, another place {picture or chosen}.")
    return date


def _start(body: str, date: str) -> int:
    """Return the start of the official list: its id, or on old pages, which have none, the first list."""
    found = _BY_ID[0].search(body)
    if not found and date < WITH_ID:
        found = _BY_ID[1].search(body) or _BY_CLASS.search(body)
    if not found:
        raise BrokenDay("layout-drift", f"{date}: the list of answers is not where it always was.")
    return found.start()


def _list(body: str, start: int, date: str) -> tuple[list[str], int]:
    """Return the words of the first list from `start` on, and its end."""
    end = body.find("</ul>", start)
    if end < 0:
        raise BrokenDay("cut-short", f"{date}: a list has no end.")
    part = body[start : end + 5]
    if wrong := _too_much(part):
        raise BrokenDay("layout-drift", f"{date}: a list {wrong}.")
    from bs4 import BeautifulSoup, ParserRejectedMarkup  # inside, as few commands read a page
    from bs4.filter import SoupStrainer

    try:
        soup = BeautifulSoup(part, "html.parser", parse_only=SoupStrainer("li"))
    except (ParserRejectedMarkup, ValueError):
        raise BrokenDay("layout-drift", f"{date}: a list is no HTML.") from None
    items = soup.find_all("li")
    for link in soup.find_all("a"):
        link.extract()
    return [item.get_text().strip() for item in items], end


def _too_much(part: str) -> str:
    """Describe what exceeds the limits of the parser in a part of a page, or return ""."""
    if len(part) > LONGEST_LIST:
        return f"has more than {LONGEST_LIST:,} characters"
    if any(len(piece.partition(">")[0]) > LONGEST_TAG for piece in part.split("<")[1:]):
        return f"has a tag of more than {LONGEST_TAG:,} characters"
    tags = _TAG.findall(part)
    if len(tags) > MOST_TAGS:
        return f"has more than {MOST_TAGS:,} tags"
    depth = 0
    for closing, name in tags:
        depth = max(0, depth - 1) if closing else depth + (name.lower() not in _EMPTY)
        if depth > DEEPEST:
            return f"is nested more than {DEEPEST} deep"
    return ""


def _refused(body: str, date: str, gathered: Collector) -> list[str]:
    found = _REFUSED.search(body)
    if found:
        return _list(body, found.start(), date)[0]
    if date >= WITH_REFUSED:
        gathered.fault("layout-drift", f"{date}: no list of refused words.")
    return []


def _printed(after: str, date: str) -> dict[str, int]:
    found = _PRINTED.findall(after)
    needed = {"Maximum Puzzle Score", "Number of Answers"} | ({"Number of Pangrams"} if date >= WITH_ID else set())
    if len({label for label, _ in found}) < len(found) or not needed <= {label for label, _ in found}:
        raise BrokenDay("layout-drift", f"{date}: the totals are not printed, or twice.")
    return {label: int(number) for label, number in found}


def _prove(made: Day, printed: Mapping[str, int], gathered: Collector) -> None:
    total = sum(map(score, made.answers))
    counted = {
        "Number of Answers": len(made.answers),
        "Maximum Puzzle Score": total,
        "Number of Pangrams": sum(map(pangram, made.answers)),
    }
    for label, number in counted.items():
        if printed.get(label, number) != number:
            raise BrokenDay("count-mismatch", f"{made.date}: {label} is {number}, the page says {printed[label]}.")
    genius = int(0.7 * total + 0.5)  # as the page's script rounds, in binary floating point
    if (stated := printed.get("Points Needed for Genius", genius)) != genius:
        gathered.fault("genius-mismatch", f"{made.date}: Genius needs {genius} points, the page says {stated}.")


def _only_center(answers: Iterable[str], date: str) -> str:
    shared = "".join(sorted(set.intersection(*map(set, answers))))
    if len(shared) != 1:
        raise BrokenDay("center-unknown", f"{date}: no chart names the center, and all answers share {shared!r}.")
    return shared


def _charted_center(text: str) -> str | None:
    """Return the letter that the chart of center letters shows in red, if the page has that chart."""
    at = text.find(_CHART)
    start, end = text.rfind("'{", 0, max(at, 0)), text.find("}'", max(at, 0))
    if at < 0 or start < 0 or end < 0:
        return None
    try:
        charts = json.loads(text[start + 1 : end + 1]).values()
        drawn = [
            item for chart in charts for item in chart["roots"]["references"] if item["type"] == "ColumnDataSource"
        ]
        for data in [item["attributes"]["data"] for item in drawn]:
            red = [letter for letter, color in zip(data["plotX"], data["color"], strict=True) if color == "firebrick"]
            if len(red) == 1 and re.fullmatch("[a-z]", red[0]):
                return str(red[0])
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    return None


SOURCE = Source(
    name="nytbee",
    format="daily page of nytbee.com",
    about="nytbee.com; facts about puzzles, no licence named; never committed here",
    recognises=recognises,
    parse=parse,
    live=Live("BEE_NYTBEE_URL", "https://nytbee.com", lambda base, date: f"{base}/{_file(date)}", _file, FIRST, NEVER),
)
