"""The daily pages of nytbee.com, in every layout since the first page of 2018-07-29.

A page is self-checking: the printed number of answers, score and pangrams must match its list. The center is in a
chart, not in the text. Without the chart, it is the one letter that all answers share; if there is not exactly one, the
center is unknown. The page also lists dictionary words that the game refused that day. Pages have up to 286 KB, but
only small parts matter, so these are cut out before they are parsed.
"""

from __future__ import annotations

import calendar
import datetime
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bs4 import BeautifulSoup, ParserRejectedMarkup
from bs4.filter import SoupStrainer

from pipeline.sources.day import Collector, Day, InvalidDayError, LiveSite, ParseResult, Source, iso_date, official_day
from pipeline.words import count, pangram, score

FIRST_PAGE = "2018-07-29"
NO_PAGE = frozenset({"2018-09-12", "2018-11-03", "2018-11-17", "2018-12-23"})
"""Days without a page."""

WITH_ID = "2019-08-17"
"""From this day on, the official list has its own id. A page without the id is refused, because another list could be
mistaken for the official one."""
WITH_REFUSED = "2019-01-14"
"""From this day on, every page lists the refused words."""

_IN_TAG = "[^<>]{0,300}?"
_DIV = rf"<div\b{_IN_TAG}\b"
_ANSWERS_BY_ID = re.compile(rf"""{_DIV}id\s*=\s*["']?main-answer-list["'\s>]""")
_ANSWERS_BY_OLD_ID = re.compile(rf"""{_DIV}id\s*=\s*["']?answer-list["'\s>]""")
_ANSWERS_BY_CLASS = re.compile(rf"""{_DIV}class\s*=\s*["']?answer-list["'\s>]""")
_REFUSED = re.compile(rf"""{_DIV}id\s*=\s*["']?not_official["'\s>]""")
_HEADING = re.compile(r"<h2\b[^<>]{0,300}>\s*((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day),\s+([^<]{5,40}?)\s*</h2>")
_WRITTEN_DATE = re.compile(r"([A-Z][a-z]+)\s+([0-9]{1,2}),\s+([0-9]{4})")
_OTHER_DATE = re.compile(r"""pics/([0-9]{8})\.png|id="date-selector"\s+value="([0-9-]{10})\"""")
_PRINTED_TOTAL = re.compile(
    r"<h3>\s*(Number of Pangrams|Number of Answers|Maximum Puzzle Score|Points Needed for Genius)"
    r":\s*([0-9]{1,6})\s*</h3>"
)
MAX_LIST_LENGTH, MAX_TAG_LENGTH, MAX_TAGS, MAX_DEPTH = 200_000, 2_000, 2_000, 20
"""The limits of the parser: characters of a list, characters of a tag, tags of a list, and depth of nested tags. The
longest known list has 9,370 characters, tags of up to 47 characters, and a depth of 5. Without limits, parsing 40 KB of
nested tags takes 12 s, and parsing a million attributes takes 918 MB of memory."""
_TAG = re.compile(r"<(/?)([a-zA-Z]+)")
_TAGS_WITHOUT_END = ("br", "hr", "img", "input", "wbr")
_MONTHS = list(calendar.month_name)
_CHART = '"text":"Center Letter Frequency"'


def _file_name(date: str) -> str:
    return f"Bee_{date.replace('-', '')}.html"


def recognizes(text: str) -> bool:
    """Return whether this is HTML that mentions an answer list, as all layouts do."""
    return text.lstrip()[:1] == "<" and "answer-list" in text


def parse(text: str, name: str) -> ParseResult:
    """Return the day of a page and its faults."""
    collector = Collector(name)
    with collector.recording_faults():
        collector.add_day(_day(text, collector))
    return collector.parsed()


def _day(text: str, collector: Collector) -> Day:
    """Return the day of a page, and record faults that do not affect its answers; raise InvalidDayError for the
    others."""
    body = text[max(text.find("<body"), 0) :]
    date = _date(body)
    answers = _list_from(body, _answers_start(body, date), date)
    if not answers.words:
        raise InvalidDayError("no-answers", f"{date} has no answers.")
    for word in answers.words:
        if not re.fullmatch("[a-z]+", word):
            raise InvalidDayError("bad-word", f"{date}: {word[:40]!r} is not a word of the letters a to z.")
    refused = _refused_words(body, date, collector)
    totals = _printed_totals(body[answers.end :], date)
    center = _charted_center(text) or _only_center(answers.words, date)
    outer = "".join(sorted(set("".join(answers.words)) - {center}))
    day = official_day(date, center, outer, answers.words, refused)
    _check_totals(day, totals, collector)
    if len(day.refused) < len(refused):
        impossible = sorted(set(refused) - set(day.refused))
        collector.add_fault("refused-impossible", f"{date}: {', '.join(impossible)}.")
    return day


def _date(body: str) -> str:
    """Return the date in the heading of a page; raise InvalidDayError if another part of the page has another date."""
    headings = _HEADING.findall(body)
    if len(headings) != 1:
        raise InvalidDayError(
            "layout-drift", f"The page has {count(len(headings), 'heading')} with a date instead of one."
        )
    weekday, written_date = headings[0]
    match = _WRITTEN_DATE.fullmatch(written_date)
    if not match or match[1] not in _MONTHS:
        raise InvalidDayError("bad-date", f"{written_date!r} is not a date.")
    month = _MONTHS.index(match[1])
    date = iso_date(f"{match[3]}-{month:02}-{int(match[2]):02}")
    if calendar.day_name[datetime.date.fromisoformat(date).weekday()] != weekday:
        raise InvalidDayError("bad-date", f"{date} is not a {weekday}.")
    for date_of_picture, date_of_selector in _OTHER_DATE.findall(body):
        other_date = date_of_picture or date_of_selector
        if other_date.replace("-", "") != date.replace("-", ""):
            raise InvalidDayError(
                "other-day", f"The heading says {date}, but another part of the page says {other_date}."
            )
    return date


def _answers_start(body: str, date: str) -> int:
    """Return the position of the official list: its id, or, on old pages without ids, the first list."""
    match = _ANSWERS_BY_ID.search(body)
    if not match and date < WITH_ID:
        match = _ANSWERS_BY_OLD_ID.search(body) or _ANSWERS_BY_CLASS.search(body)
    if not match:
        raise InvalidDayError("layout-drift", f"{date}: the list of answers is not in its usual place.")
    return match.start()


@dataclass(frozen=True, slots=True)
class _List:
    """The words of a list on a page, and the position where the list ends."""

    words: list[str]
    end: int


def _list_from(body: str, start: int, date: str) -> _List:
    """Return the first list from `start` on; raise InvalidDayError if it cannot be parsed within the limits."""
    end = body.find("</ul>", start)
    if end < 0:
        raise InvalidDayError("cut-short", f"{date}: a list is not closed.")
    html = body[start : end + len("</ul>")]
    excess = _excess(html)
    if excess:
        raise InvalidDayError("layout-drift", f"{date}: a list {excess}.")

    try:
        soup = BeautifulSoup(html, "html.parser", parse_only=SoupStrainer("li"))
    except (ParserRejectedMarkup, ValueError):
        raise InvalidDayError("layout-drift", f"{date}: a list is not valid HTML.") from None
    items = soup.find_all("li")
    for link in soup.find_all("a"):
        link.extract()
    return _List([item.get_text().strip() for item in items], end)


def _excess(html: str) -> str:
    """Return which limit of the parser a part of a page exceeds, in words, or ""."""
    if len(html) > MAX_LIST_LENGTH:
        return f"has more than {MAX_LIST_LENGTH:,} characters"
    for part in html.split("<")[1:]:
        if len(part.partition(">")[0]) > MAX_TAG_LENGTH:
            return f"has a tag of more than {MAX_TAG_LENGTH:,} characters"
    tags = _TAG.findall(html)
    if len(tags) > MAX_TAGS:
        return f"has more than {MAX_TAGS:,} tags"
    depth = 0
    for slash, name in tags:
        if slash:
            depth = max(0, depth - 1)
        elif name.lower() not in _TAGS_WITHOUT_END:
            depth += 1
        if depth > MAX_DEPTH:
            return f"is nested more than {MAX_DEPTH} deep"
    return ""


def _refused_words(body: str, date: str, collector: Collector) -> list[str]:
    """Return the refused words of a page; record a fault if a page that should list them does not."""
    match = _REFUSED.search(body)
    if match:
        return _list_from(body, match.start(), date).words
    if date >= WITH_REFUSED:
        collector.add_fault("layout-drift", f"{date}: the page has no list of refused words.")
    return []


def _printed_totals(html: str, date: str) -> dict[str, int]:
    """Return the totals that a page prints, by label; raise InvalidDayError if a label is missing or repeated."""
    totals = _PRINTED_TOTAL.findall(html)
    labels = [label for label, _ in totals]
    needed = {"Maximum Puzzle Score", "Number of Answers"}
    if date >= WITH_ID:
        needed.add("Number of Pangrams")
    if len(set(labels)) < len(labels) or not needed <= set(labels):
        raise InvalidDayError("layout-drift", f"{date}: the totals are missing or printed twice.")
    return {label: int(number) for label, number in totals}


def _check_totals(day: Day, printed: Mapping[str, int], collector: Collector) -> None:
    """Compare a day with the totals that its page prints. Raise InvalidDayError for a difference, except for the Genius
    figure, for which a fault is recorded."""
    points = sum(map(score, day.answers))
    counted = {
        "Number of Answers": len(day.answers),
        "Maximum Puzzle Score": points,
        "Number of Pangrams": sum(map(pangram, day.answers)),
    }
    for label, number in counted.items():
        if printed.get(label, number) != number:
            detail = f"{day.date}: {label} is {number}, but the page says {printed[label]}."
            raise InvalidDayError("count-mismatch", detail)
    genius = int(0.7 * points + 0.5)  # rounded in binary floating point, like the script of the page
    printed_genius = printed.get("Points Needed for Genius", genius)
    if printed_genius != genius:
        detail = f"{day.date}: Genius needs {genius} points, but the page says {printed_genius}."
        collector.add_fault("genius-mismatch", detail)


def _only_center(answers: Iterable[str], date: str) -> str:
    """Return the one letter that all answers share; raise InvalidDayError if they share none or several."""
    shared = "".join(sorted(set.intersection(*map(set, answers))))
    if len(shared) != 1:
        detail = f"{date}: no chart shows the center, and all answers share the letters {shared!r}."
        raise InvalidDayError("center-unknown", detail)
    return shared


def _charted_center(text: str) -> str | None:
    """Return the letter that the chart of center letters shows in red, if the page has that chart."""
    position = text.find(_CHART)
    if position < 0:
        return None
    start = text.rfind("'{", 0, position)
    end = text.find("}'", position)
    if start < 0 or end < 0:
        return None
    try:
        charts = json.loads(text[start + 1 : end + 1])
        for columns in _chart_columns(charts):
            colored_letters = zip(columns["plotX"], columns["color"], strict=True)
            red = [letter for letter, color in colored_letters if color == "firebrick"]
            if len(red) == 1 and re.fullmatch("[a-z]", red[0]):
                return str(red[0])
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        return None
    return None


def _chart_columns(charts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the columns of each data source of the charts, which are in the JSON format of the library Bokeh."""
    columns = []
    for chart in charts.values():
        for item in chart["roots"]["references"]:
            if item["type"] == "ColumnDataSource":
                columns.append(item["attributes"]["data"])
    return columns


OWNER = "nytbee.com"

SOURCE = Source(
    name="nytbee",
    format="daily page of nytbee.com",
    about="nytbee.com; facts about puzzles; no license is stated; never committed here",
    recognizes=recognizes,
    parse=parse,
    owner=OWNER,
    one_day=True,
    site=LiveSite(
        url_variable="BEE_NYTBEE_URL",
        base_url="https://nytbee.com",
        url_for=lambda base, date: f"{base}/{_file_name(date)}",
        file_name_for=_file_name,
        first_day=FIRST_PAGE,
        missing_days=NO_PAGE,
    ),
)
