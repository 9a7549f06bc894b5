"""The errors that a user can fix. Standard library only.

Two more errors are defined elsewhere, because they have values of their own: an invalid day of a source, and a failed
download.
"""

from __future__ import annotations

from pathlib import Path


class BeeError(Exception):
    """An error that the user can fix. The message states what is wrong, where, and what to do.

    `can_retry` says that the same command works once a problem outside the program is resolved, such as a full disk.
    `can_force` says that the same command works with `--force`.
    """

    exit_code = 1

    def __init__(self, text: str, can_retry: bool = False, can_force: bool = False) -> None:
        super().__init__(text)
        self.can_retry = can_retry
        self.can_force = can_force


class LettersError(BeeError):
    """The given letters are not a puzzle."""

    exit_code = 2


class StoreError(BeeError):
    """A file or a folder does not exist, or cannot be read or written."""


class ReleaseError(BeeError):
    """A release cannot be used: a file is missing, or is not the published one. `file` is a file that stands beside the
    release."""

    def __init__(self, text: str, file: Path | None = None) -> None:
        super().__init__(text)
        self.file = file


class DataError(BeeError):
    """The content of a file is not valid: a table, a word list, the record, or the model."""


class DecisionError(BeeError):
    """A decision of a person cannot be read, written or undone."""
