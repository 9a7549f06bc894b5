"""Sheets: puzzles on paper, a page each, and a page of answers for each at the end, as one HTML file without script.
Pure."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from html import escape
from string import Template
from typing import Any

from pipeline.words import count

TEMPLATES = ("sheets.html", "sheet.html", "sheet-answers.html")
"""The templates of the whole, of a puzzle, and of its answers."""
ROOM = 72
"""The maximum number of lines to write words on that fit a page of A4 or letter."""


def sheets(
    made: Sequence[Mapping[str, Any]], dates: Sequence[str], version: str, templates: Mapping[str, bytes]
) -> bytes:
    """Write the sheets of puzzles, each from `daily.describe`, with their dates if they have some. `version` is that
    of the release, or ""."""
    whole, *parts = (Template(templates[name].decode()) for name in TEMPLATES)
    release = f"Release {escape(version)}" if version else "A list of your own"
    cells = [_cells(*one) | {"release": release} for one in zip(made, dates or [""] * len(made), strict=True)]
    pages = [part.substitute(one) for part in parts for one in cells]
    return whole.substitute(pages="\n".join(pages)).encode()


def _cells(made: Mapping[str, Any], date: str) -> dict[str, str]:
    """Return what a puzzle puts into the templates, as HTML."""
    letters = (made["center"] + made["outer"]).upper()
    words = sorted(word for tier in made["answers"].values() for word in tier)
    day = datetime.date.fromisoformat(date) if date else None
    marks = {word: f"<b>{word}</b>" for word in made["pangrams"]}
    return {
        **{f"letter{at}": letter for at, letter in enumerate(letters)},
        "name": f"Puzzle of {day:%B} {day.day}" if day else f"{letters[0]} {letters[1:]}",
        "when": f"{day:%A, %B} {day.day}, {day.year}. " if day else "",
        "level": made["level"],
        "counts": f"{count(made['words'], 'word')}, {count(made['points'], 'point')}",
        "pangrams": count(len(made["pangrams"]), "pangram"),
        "lines": "<li></li>" * min(len(words), ROOM),
        "ranks": "\n".join(f"<li>{name} <b>{points}</b></li>" for name, points in made["ranks"].items()),
        "answers": "\n".join(f"<li>{marks.get(word, word)}</li>" for word in words),
    }
