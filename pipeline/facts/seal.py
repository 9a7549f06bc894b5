"""The evidence on disk: read only when it is whole."""

from __future__ import annotations

import pandas as pd

from pipeline import evidence, frames, store
from pipeline.store import Workspace
from pipeline.words import BeeError, playable


def read(workspace: Workspace) -> tuple[pd.DataFrame, set[str]]:
    """Read the evidence and the dates that it covers; before the first merge it is empty and covers none."""
    path = workspace.custom / "evidence.csv"
    if not path.exists():
        return frames.empty("evidence"), set()
    covered = evidence.coverage(store.read_bytes(path, "bee merge"))
    record = store.read_custom(workspace, "evidence")
    if wrong := [word for word in record["word"] if not playable(word)]:
        raise evidence.EvidenceError(f'{path} has "{wrong[0]}", which is no word of a puzzle; {evidence.REPAIR}.')
    return record, covered


def to_go_on(workspace: Workspace, rebuild: bool) -> tuple[pd.DataFrame, set[str]]:
    """Read the evidence; a rebuild goes on without it when it is damaged."""
    try:
        return read(workspace)
    except BeeError:
        if rebuild:
            return frames.empty("evidence"), set()
        raise


def covered(workspace: Workspace) -> set[str]:
    """Return the dates that the evidence covers; before the first merge there are none."""
    path = workspace.custom / "evidence.csv"
    if not path.exists():
        return set()
    return evidence.coverage(store.read_bytes(path, "bee merge"))
