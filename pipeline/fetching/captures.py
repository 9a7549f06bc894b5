"""Captures: official answers in `data/raw/`, byte for byte, each stored once and with its receipt; and what they say.

The days of each capture are also kept by its checksum in `build/parsed.csv`, so that a merge parses only new captures.
Only captures without faults are kept. The others are parsed each time, because a fault names its file, and because a
day in the future is a fault today but not later. That file starts with a checksum of its rows, of the parsing code and
of the versions that run it. If the checksum differs, for example because the file is damaged, everything is parsed
again. It can be deleted at any time.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import importlib.metadata
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pipeline import reader, store
from pipeline.facts import corrections as correcting
from pipeline.facts import merge
from pipeline.fetching import receipts
from pipeline.progress import Track, untracked
from pipeline.sources import LARGEST, TRUST, read, too_large
from pipeline.sources.day import Day, Fault, Parsed, days_between, latest
from pipeline.store import Files, StoreError, Workspace
from pipeline.tables import cells, frames
from pipeline.violations import Finding
from pipeline.words import Puzzle


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
        for file in track(paths, "reading"):
            try:
                if file.stat().st_size > LARGEST:
                    faults.append(too_large(str(file)))
                else:
                    yield file.name, str(file), file.read_bytes()
            except OSError as error:
                faults.append(Fault("unreadable", str(file), f"{error.strerror or error}."))

    done = take(workspace, files(), source)
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


def take(
    workspace: Workspace, files: Iterable[tuple[str, str, bytes]], source: str | None, status: str = ""
) -> Fetched:
    """Read files (name, origin, bytes), and keep each file that has a day, under the source of its format.

    `status` is the HTTP status with which they came, "" for files from a disk.
    """
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

    `seen` maps each (source, date) to the time of its last capture; `parsed` is what can be cached for the next time.
    """

    days: list[tuple[str, Day]]
    faults: list[Fault]
    seen: dict[tuple[str, str], str]
    parsed: ParsedDays = dataclasses.field(default_factory=dict)


def decode(files: Files, track: Track = untracked) -> Captures:
    """Parse captures, files by a path that ends in `source/name`, each with its receipt in `source/receipts.csv`.

    A capture that is missing or does not match the checksum of its receipt is a fault, and is not used.
    The days of a capture with the same bytes as before come from the cache.
    """
    before = decode_parsed(files[PARSED]) if PARSED in files else {}
    parsed: dict[str, tuple[Day, ...]] = {}
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
            content = Parsed(before[digest])
        elif reader.sha256(data := files[path]) == digest:
            content = read(data, where).parsed
        else:
            faults.append(Fault("capture-changed", where, "it does not match its receipt"))
            continue
        if not content.faults:
            parsed[digest] = content.days
        days += [(source, day) for day in content.days]
        seen |= {(source, day.date): fetched_at for day in content.days}
        faults += content.faults
    return Captures(days, faults, seen, parsed)


ParsedDays = Mapping[str, tuple[Day, ...]]
"""The days of each capture, by its checksum."""

PARSED = "build/parsed.csv"
PARSERS = ("sources", "words", "violations", "tables", "fetching/captures")
"""The code that parses and stores captures."""


def encode_parsed(parsed: ParsedDays) -> bytes:
    """Encode the days of captures."""
    rows = [
        {"sha256": digest, "date": day.date, "center": day.puzzle.center, "outer": day.puzzle.outer}
        | {"answers": " ".join(day.answers), "refused": " ".join(day.refused)}
        for digest, days in parsed.items()
        for day in days
    ]
    body = frames.csv_bytes(frames.from_rows(rows, "parsed"))
    return _seal(body) + body


def decode_parsed(data: bytes) -> dict[str, tuple[Day, ...]]:
    """Decode the days of captures; empty if another version of the code wrote them, or if the file is damaged."""
    seal, end, body = data.partition(b"\n")
    if seal + end != _seal(body):
        return {}
    parsed: dict[str, list[Day]] = {}
    for row in frames.rows(frames.from_text(frames.read_csv(body, PARSED), "parsed")):
        letters, answers, refused = Puzzle(row["center"], row["outer"]), row["answers"], row["refused"]
        parsed.setdefault(row["sha256"], []).append(
            Day(row["date"], letters, tuple(answers.split()), tuple(refused.split()))
        )
    last = latest()  # because the clock may have been set back since
    return {digest: tuple(days) for digest, days in parsed.items() if days[-1].date <= last}


def _seal(body: bytes) -> bytes:
    return f"# sha256 {reader.sha256(_parser() + body)}\n".encode()


@functools.cache
def _parser() -> bytes:
    """Return a checksum of the parsing code and of the versions that run it."""
    package = Path(__file__).parent.parent
    files = [path for name in PARSERS for path in (package / f"{name}.py", *sorted((package / name).glob("*.py")))]
    code = [store.read_bytes(path, "pip install") for path in files if path.is_file()]
    versions = f"{sys.version} {importlib.metadata.version('beautifulsoup4')}"
    return reader.sha256(b"\0".join([versions.encode(), *code])).encode()


def inspect(
    captures: Captures, corrections: pd.DataFrame, covered: Collection[str], settled: merge.Settled
) -> pd.DataFrame:
    """Return the violations in captures that were just read; `covered` are the dates of the evidence, and `settled` the
    (source, date) of settled lists."""
    kept, stale = correcting.corrected(captures.days, corrections)
    _, _, conflicts = merge.reconcile(kept, TRUST, settled)
    known = {*covered, *(day.date for _, day in captures.days)}

    def findings() -> Iterator[Finding]:
        for fault in captures.faults:
            yield Finding(fault.rule, fault.where, fault.detail)
        yield from stale + merge.refused_and_accepted(kept)
        for row in frames.rows(conflicts):
            yield Finding("source-conflict", f"{row['date']} {row['subject']}", row["detail"])
        for date in set(days_between(min(known), max(known))) - known if known else ():
            yield Finding("day-missing", date, "it is in no capture and not in the evidence")

    return frames.from_findings(findings())
