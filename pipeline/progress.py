"""Progress: lets a long loop report its progress without knowing how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Progress(Protocol):
    """A function that iterates over a sequence and shows progress under a label."""

    def __call__(self, items: Sequence[Item], label: str) -> Iterable[Item]:
        """Yield the items in order."""
        ...


def no_progress(items: Sequence[Item], label: str) -> Iterable[Item]:  # noqa: ARG001
    """Iterate over a sequence without showing progress."""
    return items
