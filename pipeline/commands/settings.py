"""The settings of every command: the workspace, whether to print messages, and how long to wait for another command.

Data goes to stdout, messages to stderr.
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
from dataclasses import dataclass, field
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
    typed, and `command_line` is the whole command without `bee`. `commands` are those that the printed messages name.
    """

    data: str | None = None
    quiet: bool = False
    wait: float = WAIT
    options: frozenset[str] = frozenset()
    command_line: str = ""
    commands: set[str] = field(default_factory=set)

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

    def _custom(self) -> Path:
        """Return the folder of the release of the workspace; without a workspace, that of the program."""
        try:
            return self.find_workspace().custom
        except BeeError:
            return reader.RELEASE

    def say(self, text: str) -> None:
        """Print a message on stderr, except with `--quiet`."""
        if not self.quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """Print an error on stderr, even with `--quiet`. The command continues if stderr is closed."""
        with contextlib.suppress(BrokenPipeError):
            typer.echo(self.noted(escaped(text)), err=True)

    def noted(self, text: str) -> str:
        """Return a text that is printed, and remember the commands in it that do not name a workspace."""
        self.commands.update(re.findall(r"`bee (?!init \w|[^`]*--data)[^`]*`", text))
        return text

    def say_workspace(self) -> None:
        """At the end of a command with `--data`, say that the commands in its messages need it, too."""
        if self.commands and "--data" in self.options:
            self.commands.clear()
            self.complain(f"Add --data {shlex.quote(str(self.data))} to the commands named above.")

    def print_error(self, error: BeeError) -> None:
        """Print an error and, if it helps, how to run the same command again."""
        text = f"bee: {described(error, self._custom())}"
        if error.can_retry:
            text += f" Once that is resolved: `bee {self.command_line}`"
        if error.can_force:
            text += f" `bee {_with_force(self.command_line)}` goes ahead."
        self.complain(text)

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


def described(error: BeeError, custom: Path) -> str:
    """Return an error in words. If the release in the folder `custom` or a file beside it is damaged or lost, they say
    how to bring it back."""
    if not isinstance(error, ReleaseError):
        return str(error)
    if error.file:
        return f"{error} {store.way_back(error.file)}"
    try:
        reader.read(custom)
    except ReleaseError:
        way_back = store.way_back_of_release(custom)
        if way_back.startswith("`git") or any((custom / name).exists() for name in (reader.SUMS, reader.PACKAGE)):
            return f"{error} {way_back}"
    return str(error)


def _with_force(command_line: str) -> str:
    """Return a command line with the option `--force`, which must come before the separator `--`.

    >>> _with_force("site -o 'my page'"), _with_force("drop --reason 'slang -- rare' -- cove")
    ("site -o 'my page' --force", "drop --reason 'slang -- rare' --force -- cove")
    """
    words = shlex.split(command_line)
    place = words.index("--") if "--" in words else len(words)
    return shlex.join([*words[:place], "--force", *words[place:]])


def escaped(text: str) -> str:
    """Escape the control characters of a text, such as those in a file name.

    >>> escaped("\\x1b[31mred.txt")
    '\\\\x1b[31mred.txt'
    """
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)
