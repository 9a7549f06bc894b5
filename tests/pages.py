"""The pages of the two live sources, made from a day."""

from __future__ import annotations

import datetime
import json

from pipeline.sources.day import Day
from pipeline.words import pangram, score


def nyt_json(day: Day) -> bytes:
    """A day as nytimes.com has it: the pangrams are not among the answers."""
    plain = [word for word in day.answers if not pangram(word)]
    said = {"id": 1, "center_letter": day.puzzle.center, "outer_letters": day.puzzle.outer, "print_date": day.date}
    return json.dumps({**said, "pangrams": sorted({*day.answers} - {*plain}), "answers": plain}).encode()


def nytbee_page(day: Day) -> bytes:
    """A day as nytbee.com has it, in the parts that matter."""
    date = datetime.date.fromisoformat(day.date)
    drawn = {"type": "ColumnDataSource", "attributes": {"data": {"plotX": [day.puzzle.center], "color": ["firebrick"]}}}
    title = {"type": "Title", "attributes": {"text": "Center Letter Frequency"}}
    chart = json.dumps({"0": {"roots": {"references": [title, drawn]}}}, separators=(",", ":"))
    printed = {
        "Number of Pangrams": sum(map(pangram, day.answers)),
        "Maximum Puzzle Score": sum(map(score, day.answers)),
        "Number of Answers": len(day.answers),
    }
    items = "".join(f"<li>{word}</li>\n" for word in day.answers)
    totals = "".join(f"<h3>{name}: {number}</h3>\n" for name, number in printed.items())
    return (
        f"<html><script>draw('{chart}')</script><body><h2>{date:%A}, {date:%B} {date.day}, {date.year}</h2>\n"
        f'<div id="main-answer-list" class="answer-list"><ul>{items}</ul></div>{totals}'
        '<div id="not_official" class="answer-list"><ul></ul></div></body></html>'
    ).encode()


PAGES = {"nyt": nyt_json, "nytbee": nytbee_page}
"""The function that makes the page of each source."""
