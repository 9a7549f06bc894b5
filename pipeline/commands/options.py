"""Options that several commands share, and checks of their values."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from pipeline import clock, word_list
from pipeline.commands.settings import Settings
from pipeline.words import puzzle_day

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Release = Annotated[Path | None, typer.Option(help="The folder of a release. Default: the release of the workspace.")]
NAMED_TWICE = "Name the release with either --release or {}, not both."
"""Why `--release` and `--data` are refused together."""
Column = Annotated[
    str, typer.Option(help="The column of a table, or field of JSON objects, that has the words. Default: word.")
]
Overwrite = Annotated[
    bool, typer.Option("--force", help="Overwrite files in the folder even if this command did not create them.")
]
By = Annotated[str, typer.Option("--by", help="The name of the person who decides. Default: the user name.")]


def seconds_up_to(most: float) -> Callable[[float], float]:
    """Return a function that checks an option that is a number of seconds, at most `most`."""

    def checked(seconds: float) -> float:
        if not 0 <= seconds <= most:
            raise typer.BadParameter(f"{seconds} is not a number of seconds from 0 to {most:.0f}.")
        return seconds

    return checked


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


def refuse_together(settings: Settings, option: str, others: set[str], reason: str) -> None:
    """Raise BadParameter if an option was typed together with one of the others, which replaces `{}` in the reason."""
    typed = sorted(others & settings.options - {option})
    if option in settings.options and typed:
        raise typer.BadParameter(reason.format(typed[0]))


def read_word_list(settings: Settings, path: Path, column: str = "") -> list[str]:
    """Return the words of a list, and print what was left out."""
    found = word_list.read(path, column)
    if found.left_out:
        settings.say(f"{list_name(path)}: {found.describe()}.")
    return found.words


def list_name(path: Path) -> str:
    """Return the name of a list in messages and tables."""
    return "stdin" if str(path) == word_list.STDIN else path.name


def read_stdin() -> str:
    """Return the text of standard input; a byte that is not UTF-8 becomes the replacement character."""
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace") if sys.stdin else ""
