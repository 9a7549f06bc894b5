"""The settings of every command: the workspace, whether to print messages, and how long to wait for another command.

Data goes to stdout, messages to stderr.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pipeline import reader
from pipeline.errors import BeeError, Command, Message, ReleaseError
from pipeline.store import WAIT

if TYPE_CHECKING:
    from pipeline.progress import Progress
    from pipeline.store import Workspace


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one command.

    `data` is the folder of the workspace, or None for the default one. `options` are the names of the options that were
    typed, and `command_line` is the whole command without `bee`.
    """

    data: str | None = None
    quiet: bool = False
    wait: float = WAIT
    options: frozenset[str] = frozenset()
    command_line: str = ""

    def find_workspace(self) -> Workspace:
        """Return the workspace; raises StoreError if there is none."""
        from pipeline import store

        return store.find_workspace(self.data, self.wait)

    def describe_workspace(self) -> str:
        """Return the path of the workspace and how it was found; raises StoreError if there is none."""
        root = self.find_workspace().root
        if "--data" in self.options:
            how = "named by --data"
        elif self.data:
            how = "named by BEE_DATA"
        elif root == Path("data"):
            how = "in the current folder"
        else:
            how = "of the checkout"
        return f"{root.resolve()} ({how})"

    def release_folder(self) -> str:
        """Return the folder of the release to read, which is that of the program if the workspace has none."""
        from pipeline import store

        return str(store.find_release(self.data))

    def text(self, *parts: str | Command | Message) -> str:
        """Return a message in which each command names the workspace as the user did, so that it runs as printed.

        >>> settings = Settings("my data", options=frozenset({"--data"}))
        >>> settings.text("Damaged; ", Command("fetch"), " asks again.")
        "Damaged; `bee fetch --data 'my data'` asks again."
        """
        named_workspace = f" --data {shlex.quote(self.data)}" if self.data and "--data" in self.options else ""
        return Message(*parts).text(named_workspace)

    def say(self, *parts: str | Command | Message) -> None:
        """Print a message on stderr, except with `--quiet`."""
        if not self.quiet:
            self.complain(*parts)

    def complain(self, *parts: str | Command | Message) -> None:
        """Print an error on stderr, even with `--quiet`. The command continues if stderr is closed."""
        with contextlib.suppress(BrokenPipeError):
            typer.echo(escaped(self.text(*parts)), err=True)

    def print_error(self, error: BeeError) -> None:
        """Print an error and, if it helps, how to run the same command again."""
        parts: list[str | Command | Message] = ["bee: ", error.message]
        if isinstance(error, ReleaseError):
            parts.append(f" {self._way_back(error)}".rstrip())
        if error.can_retry:
            parts += [" Once that is resolved: ", Command(self.command_line)]
        if error.can_force:
            parts += [" ", Command(_with_force(self.command_line)), " goes ahead."]
        self.complain(*parts)

    def _way_back(self, error: ReleaseError) -> str:
        """Return a sentence on how to repair the release of the workspace, or a file beside it; "" if it is not that
        one that has the error."""
        from pipeline import store

        if error.file:
            return store.way_back(error.file)
        custom = Path(self.release_folder())
        try:
            reader.read(custom)
        except ReleaseError:
            return store.way_back_of_release(custom) if (custom / reader.SUMS).exists() else ""
        return ""

    def say_release(self, folder: str | Path) -> None:
        """Print which release a command uses; raises ReleaseError if it is damaged."""
        self.say(f"Release {reader.read(folder, reader.PACKAGE).version} in {folder}.")

    def print_json(self, value: dict[str, Any] | list[Any]) -> None:
        """Print a value as JSON, a list under the name `rows`, with the version of the release (null if damaged)."""
        version = None
        with contextlib.suppress(ReleaseError):
            version = reader.read(self.release_folder(), reader.PACKAGE).version
        fields = value if isinstance(value, dict) else {"rows": value}
        typer.echo(json.dumps({"version": version, **fields}, indent=2, ensure_ascii=False))

    @contextlib.contextmanager
    def progress_bar(self) -> Iterator[Progress]:
        """Show a progress bar on a terminal. The modules that draw it are imported when the first loop starts."""
        from pipeline.progress import no_progress

        if self.quiet or not sys.stderr.isatty():
            yield no_progress
            return
        with contextlib.ExitStack() as display:
            loops: Any = None

            def with_bar(items: Any, label: str) -> Any:
                nonlocal loops
                if loops is None:
                    loops = display.enter_context(_rich_display())
                return loops.track(items, description=label)

            yield with_bar

    def lock(self, workspace: Workspace, repair: bool = True) -> contextlib.AbstractContextManager[None]:
        """Lock a workspace; wait for another command for at most the seconds of `--wait`."""
        from pipeline import store

        return store.locked(workspace, self.wait, repair)

    @contextlib.contextmanager
    def open_workspace(self, lock: bool = True) -> Iterator[tuple[Workspace, Progress]]:
        """Print warnings, lock the workspace while a command runs (unless it only reads), and show progress."""
        from pipeline.commands import warnings

        workspace = self.find_workspace()
        for warning in warnings.warnings(workspace):
            self.say(warning)
        locked = self.lock(workspace) if lock else contextlib.nullcontext()
        with locked, self.progress_bar() as progress:
            try:
                yield workspace, progress
            except KeyboardInterrupt:
                self.say("Stopped. No file is half-written; run the same command again to continue.")
                raise


def _with_force(command_line: str) -> str:
    """Return a command line with the option `--force`, which must come before the separator `--`.

    >>> _with_force("site -o 'my page'"), _with_force("drop --reason 'slang -- rare' -- cove")
    ("site -o 'my page' --force", "drop --reason 'slang -- rare' --force -- cove")
    """
    words = shlex.split(command_line)
    place = words.index("--") if "--" in words else len(words)
    return shlex.join([*words[:place], "--force", *words[place:]])


def _rich_display() -> Any:
    """Return a Rich display on stderr with one progress bar per loop."""
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
    )
    return progress.Progress(*columns, console=Console(stderr=True), transient=True)


def escaped(text: str) -> str:
    """Escape the control characters of a text, such as those in a file name.

    >>> escaped("\\x1b[31mred.txt")
    '\\\\x1b[31mred.txt'
    """
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)
