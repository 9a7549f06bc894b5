"""The commands, and what they share. Each reads its options, calls one function, and says in a line what came of it.

Data goes to stdout, talk to stderr. `bee solve` must start at once, so what needs pandas is imported inside the
commands that need it.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from pipeline.words import BeeError

if TYPE_CHECKING:
    from pipeline.fetch import Track
    from pipeline.store import Workspace

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def bee() -> None:
    """A curated word list for the Spelling Bee: make it, check it, and solve with it."""


Data = Annotated[Optional[str], typer.Option("--data", envvar="BEE_DATA", help="The workspace; default ./data.")]  # noqa: UP045

By = Annotated[str, typer.Option("--by", help="Who decides; default the user name.")]


def decider(by: str) -> str:
    """Return who decides: the one named, else the user; raise BeeError when nobody is known."""
    name = by.strip() or os.environ.get("USER") or os.environ.get("USERNAME") or ""
    if not name:
        raise BeeError("Who decides? Name yourself with --by.")
    return name


def say(text: str) -> None:
    """Talk to the user, not to the pipe."""
    typer.echo(text, err=True)


def iso_date(text: str) -> str:
    """Read an option that is a date, or nothing."""
    try:
        return datetime.date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise typer.BadParameter(f'"{text}" is no date like 2025-07-01.') from None


@contextlib.contextmanager
def progress() -> Iterator[Track]:
    """Show on a terminal how far a loop has come."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    hidden = not sys.stderr.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden) as bar:
        yield lambda items, label: bar.track(items, description=label)


@contextlib.contextmanager
def at_work(named: str | None, writes: bool = True) -> Iterator[tuple[Workspace, Track]]:
    """Hold the named workspace for the length of a command (only reading needs no hold), and show progress."""
    from pipeline import store

    workspace = store.find_workspace(named)
    with store.locked(workspace) if writes else contextlib.nullcontext(), progress() as track:
        try:
            yield workspace, track
        except KeyboardInterrupt:
            say("Stopped. Nothing is half-written; the same command goes on from here.")
            raise
