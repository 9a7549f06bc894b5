"""Makes sheets to print: one page per puzzle, and at the end one page of answers per puzzle, as one HTML file without
scripts. The functions are pure."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from html import escape
from string import Template
from typing import Any

from pipeline.words import count

WHOLE, *PAGES = TEMPLATES = ("sheets.html", "sheet.html", "sheet-answers.html")
"""The templates of the file, of a puzzle, and of its answers."""
MAX_LINES = 72
"""The maximum number of lines for words that fit on a page of A4 or letter size."""


def sheets(
    puzzles: Sequence[Mapping[str, Any]], dates: Sequence[str], version: str, templates: Mapping[str, bytes]
) -> bytes:
    """Return the sheets of puzzles, which come from `daily.describe`, with their dates if there are any. `version` is
    the version of the release, or ""."""
    release = f"Release {escape(version)}" if version else "Your own list"
    dates_of_puzzles = dates or [""] * len(puzzles)
    pages = []
    for name in PAGES:
        template = Template(templates[name].decode())
        for puzzle, date in zip(puzzles, dates_of_puzzles, strict=True):
            pages.append(template.substitute(_values(puzzle, date), release=release))
    return Template(templates[WHOLE].decode()).substitute(pages="\n".join(pages)).encode()


def _values(puzzle: Mapping[str, Any], date: str) -> dict[str, str]:
    """Return the values of a puzzle for the templates, as HTML."""
    letters = (puzzle["center"] + puzzle["outer"]).upper()
    name = f"{letters[0]} {letters[1:]}"
    date_sentence = ""
    if date:
        day = datetime.date.fromisoformat(date)
        name = f"Puzzle of {day:%B} {day.day}"
        date_sentence = f"{day:%A, %B} {day.day}, {day.year}. "
    answers = sorted(word for words_of_tier in puzzle["answers"].values() for word in words_of_tier)
    bold_pangrams = {word: f"<b>{word}</b>" for word in puzzle["pangrams"]}
    return {
        **{f"letter{position}": letter for position, letter in enumerate(letters)},
        "name": name,
        "when": date_sentence,
        "level": puzzle["level"],
        "counts": f"{count(puzzle['words'], 'word')}, {count(puzzle['points'], 'point')}",
        "pangrams": count(len(puzzle["pangrams"]), "pangram"),
        "lines": "<li></li>" * min(len(answers), MAX_LINES),
        "ranks": "\n".join(f"<li>{rank} <b>{points}</b></li>" for rank, points in puzzle["ranks"].items()),
        "answers": "\n".join(f"<li>{bold_pangrams.get(word, word)}</li>" for word in answers),
    }
