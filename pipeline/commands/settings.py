"""The settings of every command: the workspace, whether to print messages, and how long to wait for another command.

Data goes to stdout, messages to stderr.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from pipeline import reader, store
from pipeline.errors import BeeError, ReleaseError
from pipeline.store import WAIT, Workspace


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one command.

    `data` is the folder of the workspace, or None for the default one. `options` are the names of the options that were
    typed.
    """

    data: str | None = None
    quiet: bool = False
    wait: float = WAIT
    options: frozenset[str] = frozenset()

    def find_workspace(self) -> Workspace:
        """Return the workspace; raises StoreError if there is none."""
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
        return str(store.find_release(self.data))

    def say(self, text: str) -> None:
        """Print a message on stderr, except with `--quiet`."""
        if not self.quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """Print an error on stderr, even with `--quiet`. The command continues if stderr is closed."""
        with contextlib.suppress(BrokenPipeError):
            typer.echo(escaped(text), err=True)

    def print_error(self, error: BeeError) -> None:
        """Print an error."""
        self.complain(f"bee: {error}")

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

    def lock(self, workspace: Workspace, name: str = store.LOCK) -> contextlib.AbstractContextManager[None]:
        """Lock a workspace; wait for another command for at most the seconds of `--wait`."""
        return store.locked(workspace, self.wait, name)


def escaped(text: str) -> str:
    """Escape the control characters of a text, such as those in a file name.

    >>> escaped("\\x1b[31mred.txt")
    '\\\\x1b[31mred.txt'
    """
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)
