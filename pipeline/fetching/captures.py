"""Captures: store official answers in `data/raw/`, byte for byte, each capture once and with its receipt."""

from __future__ import annotations

import dataclasses
import datetime
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline import reader
from pipeline.fetching import receipts
from pipeline.fetching import said as saying
from pipeline.fetching.said import Said
from pipeline.progress import Track, untracked
from pipeline.sources import LARGEST, read, too_large
from pipeline.sources.day import Day, Fault, Parsed
from pipeline.store import Files, StoreError, Workspace
from pipeline.tables import cells, frames


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of an import: files read, new captures, valid days, faults."""

    files: int
    new: int
    days: int
    faults: list[Fault]


def fetch_from(workspace: Workspace, path: Path, source: str | None, track: Track = untracked) -> Fetched:
    """Import a file, or every file of a folder, as captures.

    A file that no source can read is not stored. A file or folder inside a folder that cannot be read is a fault and is
    skipped.
    """
    if not path.exists():
        raise StoreError(f"There is no {path}.")
    faults: list[Fault] = []
    paths = _below(path, faults) if path.is_dir() else [path]
    if not faults and not (paths and paths[0].is_file()):
        raise StoreError(f"{path} holds no files.")

    def files() -> Iterator[tuple[str, str, bytes]]:
        for each in track(paths, "reading"):
            try:
                if each.stat().st_size > LARGEST:
                    faults.append(too_large(str(each)))
                else:
                    yield each.name, str(each), each.read_bytes()
            except OSError as error:
                faults.append(Fault("unreadable", str(each), f"{error.strerror or error}."))

    done = take(workspace, files(), source, "ok")
    return dataclasses.replace(done, faults=faults + done.faults)


def _below(folder: Path, faults: list[Fault]) -> list[Path]:
    """List the files below a folder; add a fault for each unreadable folder and each broken link."""
    found = []
    for root, _, names in os.walk(folder, onerror=lambda error: faults.append(_unreadable(error))):
        for name in names:
            path = Path(root) / name
            if path.is_file():
                found.append(path)
            elif path.is_symlink():
                faults.append(Fault("unreadable", str(path), "The link is broken."))
    return sorted(found)


def _unreadable(error: OSError) -> Fault:
    return Fault("unreadable", str(error.filename), f"{error.strerror or error}.")


def take(workspace: Workspace, files: Iterable[tuple[str, str, bytes]], source: str | None, status: str) -> Fetched:
    """Read files (name, origin, bytes), and keep each file that has a day, under the source of its format."""
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
    """Format a time as in receipts."""
    return time.astimezone(datetime.UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Captures:
    """The content of the captures: (source, day) pairs, the latest capture of a source last, and the faults.

    `seen` maps each (source, date) to the time of its last capture; `said` is what can be cached for the next time.
    """

    days: list[tuple[str, Day]]
    faults: list[Fault]
    seen: dict[tuple[str, str], str]
    said: Said = dataclasses.field(default_factory=dict)


def decode(files: Files, track: Track = untracked) -> Captures:
    """Parse captures, files by a path that ends in `source/name`, each with its receipt in `source/receipts.csv`.

    A capture that is missing or does not match the checksum of its receipt is a fault, and is not used.
    The days of a capture with the same bytes as before come from the cache.
    """
    before = saying.decode(files[saying.PATH]) if saying.PATH in files else {}
    said: dict[str, tuple[Day, ...]] = {}
    found = [
        (path.split("/")[-2], path.replace("receipts.csv", row["name"]), row["sha256"], row["fetched_at"])
        for path in sorted(files)
        if path.endswith("/receipts.csv")
        for row in receipts.in_order(frames.read_log(files[path], path, "receipts"))
    ]
    days: list[tuple[str, Day]] = []
    torn = [
        path for path in sorted(files) if path.endswith("/receipts.csv") and cells.healed(files[path]) != files[path]
    ]
    faults = [Fault("cut-short", "/".join(path.split("/")[-2:]), "a broken line was ignored") for path in torn]
    seen: dict[tuple[str, str], str] = {}
    for source, path, digest, fetched_at in track(found, "reading captures"):
        where = "/".join(path.split("/")[-2:])
        if path not in files:
            faults.append(Fault("capture-changed", where, "the file is gone"))
            continue
        if digest in before and files.sha256(path) == digest:
            parsed = Parsed(before[digest])
        elif reader.sha256(data := files[path]) == digest:
            parsed = read(data, where).parsed
        else:
            faults.append(Fault("capture-changed", where, "it does not match its receipt"))
            continue
        if not parsed.faults:
            said[digest] = parsed.days
        days += [(source, day) for day in parsed.days]
        seen |= {(source, day.date): fetched_at for day in parsed.days}
        faults += parsed.faults
    return Captures(days, faults, seen, said)
