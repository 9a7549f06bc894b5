"""The errors that a user can fix, and the commands that their messages name. Standard library only.

Two more errors are defined elsewhere, because they have values of their own: an invalid day of a source, and a failed
download.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Command:
    """A command of `bee` that a message names: what follows `bee` on the command line, quoted as in a shell.

    >>> Command("check --captures").text(" --data work")
    '`bee check --captures --data work`'
    """

    line: str

    def text(self, options: str = "") -> str:
        """Return the command as it is printed, with `options` at its end unless it names a workspace itself."""
        if "--data" in self.line:
            return f"`bee {self.line}`"
        return f"`bee {self.line}{options}`"

    def __str__(self) -> str:
        return self.text()


class Message:
    """A text for people, as a sequence of texts and commands.

    >>> message = Message("Gone; ", Command("fetch"), " asks again.")
    >>> str(message), message.text(" --data work")
    ('Gone; `bee fetch` asks again.', 'Gone; `bee fetch --data work` asks again.')
    """

    def __init__(self, *parts: str | Command | Message) -> None:
        self.parts = parts

    def text(self, options: str = "") -> str:
        """Return the whole text, with `options` at the end of each command."""
        return "".join(part if isinstance(part, str) else part.text(options) for part in self.parts)

    def __str__(self) -> str:
        return self.text()

    def __bool__(self) -> bool:
        return any(self.parts)

    @classmethod
    def join(cls, parts: Iterable[str | Command | Message], separator: str) -> Message:
        """Return one message of several parts, with a separator between them.

        >>> str(Message.join([Command("keep luff"), Command("drop luff")], " or "))
        '`bee keep luff` or `bee drop luff`'
        """
        separated: list[str | Command | Message] = []
        for part in parts:
            separated += [separator, part]
        return cls(*separated[1:])

    @classmethod
    def parse(cls, text: str) -> Message:
        """Parse a message in a cell of a table, where commands are in backticks.

        >>> Message.parse("It is gone; `bee fetch` asks again.").parts
        ('It is gone; ', Command(line='fetch'), ' asks again.')
        """
        texts_and_commands = re.split("`bee ([^`]*)`", text)
        parts = [Command(part) if number % 2 else part for number, part in enumerate(texts_and_commands)]
        return cls(*parts)


class BeeError(Exception):
    """An error that the user can fix. The message states what is wrong, where, and what to do.

    `can_retry` says that the same command works once a problem outside the program is resolved, such as a full disk.
    `can_force` says that the same command works with `--force`.
    """

    exit_code = 1

    def __init__(self, *parts: str | Command | Message, can_retry: bool = False, can_force: bool = False) -> None:
        self.message = Message(*parts)
        self.can_retry = can_retry
        self.can_force = can_force
        super().__init__(str(self.message))


class LettersError(BeeError):
    """The given letters are not a puzzle."""

    exit_code = 2


class StoreError(BeeError):
    """A file or a folder does not exist, or cannot be read or written."""


class ReleaseError(BeeError):
    """A release cannot be used: a file is missing, or is not the published one. `file` is a file that stands beside the
    release."""

    def __init__(self, *parts: str | Command | Message, file: Path | None = None) -> None:
        super().__init__(*parts)
        self.file = file


class DataError(BeeError):
    """The content of a file is not valid: a table, a word list, the record, or the model."""


class DecisionError(BeeError):
    """A decision of a person cannot be read, written or undone."""
