"""Opens the workspace for a command: prints warnings, locks it, and shows progress.

A warning is about a matter that only a person can settle. A date in the future means that either the clock of this
computer or the date is wrong.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Iterator
from typing import Any

from rich import progress
from rich.console import Console

from pipeline import clock, inputs, word_list
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError, DataError
from pipeline.facts import by_hand
from pipeline.progress import Progress, no_progress
from pipeline.store import Workspace


@contextlib.contextmanager
def open_workspace(settings: Settings, lock: bool = True) -> Iterator[tuple[Workspace, Progress]]:
    """Print warnings, lock the workspace while a command runs (unless it only reads), and show progress."""
    workspace = settings.find_workspace()
    for warning in _warnings(workspace):
        settings.say(warning)
    locked = settings.lock(workspace) if lock else contextlib.nullcontext()
    with locked, progress_bar(settings) as progress_of_command:
        try:
            yield workspace, progress_of_command
        except KeyboardInterrupt:
            settings.say("Stopped. No file is half-written; run the same command again to continue.")
            raise


@contextlib.contextmanager
def progress_bar(settings: Settings) -> Iterator[Progress]:
    """Show a progress bar for each loop on a terminal, from the start of the first one."""
    if settings.quiet or not sys.stderr.isatty():
        yield no_progress
        return
    with contextlib.ExitStack() as stack:
        display: progress.Progress | None = None

        def with_bar(items: Any, label: str) -> Any:
            nonlocal display
            if display is None:
                display = stack.enter_context(_display())
            return display.track(items, description=label)

        yield with_bar


def _display() -> progress.Progress:
    """Return a display on stderr with one progress bar per loop."""
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
    )
    return progress.Progress(*columns, console=Console(stderr=True), transient=True)


DATED = {"verdicts": "on", "day_decisions": "date"}
"""The column of each decision file that has a date: that of the decision for verdicts, and that of the puzzle for days,
for which the date of tomorrow has come elsewhere."""


def _warnings(workspace: Workspace) -> Iterator[str]:
    """Yield all warnings about a workspace, one sentence each."""
    yield from _lists_not_read(workspace)
    yield from _future_dates(workspace)


def _lists_not_read(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each file in `raw/lists/` that is no list, because its name does not end in `.txt`."""
    for path in sorted((workspace.raw / "lists").glob("[!.]*")):
        if path.is_file() and path.suffix != ".txt":
            problem = f"{path} is not read, because it is no .txt file"
            try:
                word_list.read(path)
            except DataError:
                yield f"{problem}."
                continue
            convert = f"`bee {shlex.join(['convert', str(path), '-o', str(path.with_suffix('.txt'))])}`"
            yield f"{problem}; {convert} makes a list of it."


def _future_dates(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each decision file with dates in the future, and for a record with such days."""
    wrong = f"but the clock of this computer says {clock.today()}; one of the two is wrong."
    for table, column in DATED.items():
        last = clock.today() if table == "verdicts" else clock.tomorrow()
        try:
            dates = inputs.read_decisions(workspace, table)[column]
        except BeeError:
            continue  # the command that needs the file says what is wrong with it
        if len(dates) and dates.max() > last:
            yield f"{by_hand.PATHS[table]} has the date {dates.max()}, {wrong}"
    covered = _covered(workspace)
    if covered > clock.tomorrow():
        yield f"The record covers {covered}, {wrong}"


def _covered(workspace: Workspace) -> str:
    """Return the last day that the record covers, or "" if the record cannot be read."""
    try:
        return max(inputs.read_coverage(workspace).dates, default="")
    except BeeError:
        return ""
