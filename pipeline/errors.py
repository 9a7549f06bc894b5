"""The errors that a user can fix. Standard library only.

Two more errors are defined elsewhere, because they have values of their own: an invalid day of a source, and a failed
download.
"""

from __future__ import annotations


class BeeError(Exception):
    """An error that the user can fix. The message states what is wrong, where, and what to do."""

    exit_code = 1


class LettersError(BeeError):
    """The given letters are not a puzzle."""

    exit_code = 2


class StoreError(BeeError):
    """A file or a folder does not exist, or cannot be read or written."""


class ReleaseError(BeeError):
    """A release cannot be used: a file is missing, or is not the published one."""


class DataError(BeeError):
    """The content of a file is not valid: a table, a word list, the record, or the model."""


class DecisionError(BeeError):
    """A decision of a person cannot be read, written or undone."""
