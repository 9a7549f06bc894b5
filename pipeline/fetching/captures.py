"""Fetch: bring official answers to `data/raw/`, byte for byte, each capture once and with its receipt."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from pipeline import receipts, store
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
    if not paths or not paths[0].is_file():
        raise StoreError(f"{path} holds no files.")
    files = ((each.name, str(each), store.read_bytes(each, "bee fetch --from")) for each in track(paths, "reading"))
    return take(workspace, files, source, "ok")


def take(workspace: Workspace, files: Iterable[tuple[str, str, bytes]], source: str | None, status: str) -> Fetched:
    """Read files (name, where from, bytes), and keep each that has a day, under the source that its format names."""
    keep: dict[str, receipts.Keep] = {}
    faults: list[Fault] = []
    count = new = days = 0
    for name, where, data in files:
        made_by, parsed = read(data, name)
        faults += parsed.faults
        days += len(parsed.days)
        count += 1
        if made_by is not None and parsed.days:
            folder = source or made_by
            if folder not in keep:
                keep[folder] = receipts.keeper(workspace, folder)
            new += keep[folder](name, where, data, stamp(datetime.datetime.now(datetime.UTC)), status)
    return Fetched(count, new, days, faults)


def stamp(time: datetime.datetime) -> str:
    """Write a time as receipts have it."""
    return time.astimezone(datetime.UTC).isoformat(timespec="seconds")


def read_captures(workspace: Workspace, track: Track = untracked) -> tuple[list[tuple[str, Day]], list[Fault]]:
    """Parse every capture on disk again: (source, day) pairs, oldest capture first, and the faults met.

    A capture whose bytes are gone or are not those of its receipt is a fault, and is not used.
    """
    found = {path: (source, digest) for source, path, digest in receipts.captures(workspace)}
    days: list[tuple[str, Day]] = []
    faults: list[Fault] = []
    for path in track(list(found), "reading captures"):
        source, digest = found[path]
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
