"""Fetch: bring official answers to `data/raw/`, byte for byte, each capture once and with its receipt."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from pipeline import store
from pipeline.capture import Day, Fault
from pipeline.sources import read
from pipeline.store import StoreError, Workspace

Item = TypeVar("Item")


class Track(Protocol):
    """Walks a sequence while it shows progress under a label."""

    def __call__(self, items: Sequence[Item], label: str) -> Iterable[Item]:
        """Yield the items in order."""
        ...


def untracked(items: Sequence[Item], label: str) -> Iterable[Item]:  # noqa: ARG001
    """Walk a sequence without showing progress."""
    return items


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an import brought: files read, new captures, days that hold together, faults."""

    files: int
    new: int
    days: int
    faults: list[Fault]


def fetch_from(workspace: Workspace, path: Path, source: str | None, track: Track = untracked) -> Fetched:
    """Import a file, or every file of a folder, as captures. A file that no source can read is not stored."""
    if not path.exists():
        raise StoreError(f"There is no {path}.")
    paths = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    if not paths:
        raise StoreError(f"{path} holds no files.")
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    found: dict[str, list[tuple[str, str, bytes]]] = {}
    faults: list[Fault] = []
    days = files = 0
    for each in track(paths, "reading"):
        data = store.read_bytes(each, "bee fetch --from")
        made_by, parsed = read(data, each.name)
        faults += parsed.faults
        days += len(parsed.days)
        files += 1
        if made_by is not None and parsed.days:
            found.setdefault(source or made_by, []).append((each.name, str(each), data))
    new = sum(store.keep_captures(workspace, name, captures, now) for name, captures in sorted(found.items()))
    return Fetched(files, new, days, faults)


def read_captures(workspace: Workspace, track: Track = untracked) -> tuple[list[tuple[str, Day]], list[Fault]]:
    """Parse every capture on disk again: (source, day) pairs, oldest capture first, and the faults met.

    A capture whose bytes are gone or are not those of its receipt is a fault, and is not used.
    """
    receipts = {path: (source, digest) for source, path, digest in store.captures(workspace)}
    days: list[tuple[str, Day]] = []
    faults: list[Fault] = []
    for path in track(list(receipts), "reading captures"):
        source, digest = receipts[path]
        where = f"{source}/{path.name}"
        if not path.is_file():
            faults.append(Fault("capture-changed", where, "the file is gone"))
            continue
        data = store.read_bytes(path, "bee fetch")
        if store.sha256(data) != digest:
            faults.append(Fault("capture-changed", where, "its bytes are not those of its receipt"))
            continue
        parsed = read(data, where).parsed
        days += [(source, day) for day in parsed.days]
        faults += parsed.faults
    return days, faults
