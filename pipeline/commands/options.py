"""Options that several commands share, and checks of their values."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline import clock, word_list
from pipeline.commands.messages import say
from pipeline.words import puzzle_day

MAX_DELAY = 3600.0
"""The longest pause between two requests, in seconds."""


def _seconds(seconds: float) -> float:
    if not 0 <= seconds <= MAX_DELAY:  # NaN, too
        raise typer.BadParameter(f"{seconds} is not a number of seconds from 0 to {MAX_DELAY:.0f}.")
    return seconds


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Column = Annotated[
    str, typer.Option(help="The column of a table, or field of JSON objects, that has the words. Default: word.")
]
By = Annotated[str, typer.Option("--by", help="The name of the person who decides. Default: your name in git.")]
Reason = Annotated[str, typer.Option("--reason", help="The reason, which is published with the decision.")]
Delay = Annotated[
    float,
    typer.Option(
        callback=_seconds,
        envvar="BEE_DELAY",
        help="Seconds between two requests to the same host; robots.txt may require more.",
    ),
]


def iso_date(text: str) -> str:
    """Parse an option that is a date, `today` or `yesterday` (the date of that puzzle), or empty."""
    if text in ("today", "yesterday"):
        return puzzle_day(clock.now(), days_ago=int(text == "yesterday"))
    try:
        date = datetime.date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise typer.BadParameter(f'"{text}" is not a date like 2025-07-01, today or yesterday.') from None
    if date and not "2000" < date < "2100":
        raise typer.BadParameter(f"{date} is not a date from 2000 to 2099.")
    return date


def read_word_list(path: Path, column: str = "") -> list[str]:
    """Return the words of a list, and print what was left out."""
    found = word_list.read(path, column)
    if found.left_out:
        say(f"{list_name(path)}: {found.describe()}.")
    return found.words


def list_name(path: Path) -> str:
    """Return the name of a list in messages and tables."""
    return "stdin" if str(path) == word_list.STDIN else path.name


def read_stdin() -> str:
    """Return the text of standard input; a byte that is not UTF-8 becomes the replacement character."""
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace") if sys.stdin else ""
