"""Messages: what a command prints beside its data, on stderr, and its data as JSON."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from pipeline import reader, store
from pipeline.errors import ReleaseError
from pipeline.progress import Progress, no_progress
from pipeline.store import Workspace


class Stderr:
    """How this process uses stderr: with `--quiet`, for errors only."""

    is_quiet = False


def say(text: str) -> None:
    """Print a message, except with `--quiet`."""
    if not Stderr.is_quiet:
        complain(text)


def complain(text: str) -> None:
    """Print an error, even with `--quiet`. The command continues if stderr is closed."""
    with contextlib.suppress(BrokenPipeError):
        typer.echo(escaped(text), err=True)


def say_release(folder: Path) -> None:
    """Print which release a command uses; raises ReleaseError if it is damaged."""
    say(f"Release {reader.read(folder, reader.PACKAGE).version} in {folder}.")


def print_json(value: dict[str, Any] | list[Any], workspace: Workspace) -> None:
    """Print a value as JSON, a list under the name `rows`, with the version of the release (null if damaged)."""
    version = None
    with contextlib.suppress(ReleaseError):
        version = reader.read(store.find_release(workspace), reader.PACKAGE).version
    fields = value if isinstance(value, dict) else {"rows": value}
    typer.echo(json.dumps({"version": version, **fields}, indent=2, ensure_ascii=False))


def escaped(text: str) -> str:
    """Escape the control characters of a text, such as those in a file name.

    >>> escaped("\\x1b[31mred.txt")
    '\\\\x1b[31mred.txt'
    """
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar for each loop on a terminal, from the start of the first one."""
    if Stderr.is_quiet or not sys.stderr.isatty():
        yield no_progress
        return
    from rich import progress  # only a terminal needs it, and importing it takes time
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as display:
        yield lambda items, label: display.track(items, description=label)
