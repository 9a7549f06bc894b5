"""Opens the workspace for a command: prints warnings, locks it, and shows progress.

A warning is about a matter that only a person can settle.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
from collections.abc import Iterator
from typing import Any

from rich import progress
from rich.console import Console

from pipeline import word_list
from pipeline.commands.settings import Settings
from pipeline.errors import DataError
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


def _warnings(workspace: Workspace) -> Iterator[str]:
    """Yield all warnings about a workspace, one sentence each."""
    yield from _lists_not_read(workspace)


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
