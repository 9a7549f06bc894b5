"""Captures: official answers in `data/raw/`, byte for byte, each stored once and with its receipt; and what they say.

A folder of `data/raw/` is a source. What is imported is a source of its own, without trust, unless a person says whose
it is. The same bytes from two sources are one witness.

The days of each capture are also kept by its checksum in `build/parsed.csv`, so that a merge parses only new captures.
Only captures without faults are kept. The others are parsed each time, because a fault names its file. That
file starts with a checksum of its rows, of the parsing code and of the versions that run it. If the checksum differs,
for example because the file is damaged, everything is parsed again. It can be deleted at any time.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import importlib.metadata
import itertools
import os
import re
import shlex
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pipeline import clock, reader, store
from pipeline.errors import DataError, StoreError
from pipeline.fetching import receipts
from pipeline.progress import Progress, no_progress
from pipeline.sources import LIVE_SITES, MAX_BYTES, TRUST_RANK, read_capture, too_large
from pipeline.sources.day import Day, Fault, Parsed
from pipeline.store import Files, Workspace
from pipeline.tables import cells, frames
from pipeline.words import Puzzle, count


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result of an import: files read, new captures, captures put back to their places, valid days, faults."""

    files: int
    new: int
    back: int
    days: int
    faults: list[Fault]


def origin(name: str) -> str:
    """Name a source that nobody vouches for after its file, folder or host; never like a source that is trusted.

    >>> origin("example.org"), origin("Days (2).csv"), origin("nyt")
    ('example-org', 'days-2-csv', 'import-nyt')
    """
    slug = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:33]
    return f"import-{slug}" if slug in ("", *TRUST_RANK, *receipts.NO_SOURCES) else slug


def fetch_from(workspace: Workspace, path: Path, source: str, progress: Progress = no_progress) -> Fetched:
    """Import a file, or every file of a folder, as captures of a source, or else of a source with its name.

    A file that no source can read is not stored. A file or folder inside a folder that cannot be read is a fault and is
    skipped.
    """
    if not path.is_dir() and not path.is_file():
        what = "It is a pipe or a device; save what it gives as a file." if path.exists() else "There is no such file."
        raise StoreError(f"{path}: {what}")
    faults: list[Fault] = []
    paths = _below(path, faults) if path.is_dir() else [path]
    if not faults and not paths:
        raise StoreError(f"{path} holds no files.")

    def files() -> Iterator[tuple[str, str, bytes]]:
        for file in progress(paths, "reading"):
            try:
                if file.stat().st_size > MAX_BYTES:
                    faults.append(too_large(str(file)))
                else:
                    yield file.name, str(file), file.read_bytes()
            except OSError as error:
                faults.append(Fault("unreadable", str(file), f"{error.strerror or error}."))

    done = take(workspace, files(), source, path.resolve().name)
    return dataclasses.replace(done, faults=faults + done.faults)


def _below(folder: Path, faults: list[Fault]) -> list[Path]:
    """List the files below a folder, without receipts and hidden files; add a fault for each unreadable folder and each
    broken link."""
    found = []
    for root, folders, names in os.walk(folder, onerror=lambda error: faults.append(_unreadable(error))):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(root) / name
            if name.startswith(".") or name == "receipts.csv":
                continue
            if path.is_file():
                found.append(path)
            elif path.is_symlink():
                faults.append(Fault("unreadable", str(path), "The link is broken."))
    return sorted(found)


def _unreadable(error: OSError) -> Fault:
    return Fault("unreadable", str(error.filename), f"{error.strerror or error}.")


def take(
    workspace: Workspace, files: Iterable[tuple[str, str, bytes]], source: str, came_from: str, status: str = ""
) -> Fetched:
    """Read files (name, place, bytes), and keep each file that has a day, as a capture of a source.

    `source` is what a person calls it. Without that, the source is named after what the files `came_from`, and bytes
    that any source has are not stored again. `status` is the HTTP status with which they came, "" for a disk.
    """
    places: dict[str, list[tuple[Path, str]]] = {}
    for path, row in receipts.all_receipts(workspace):
        places.setdefault(row["sha256"], []).append((path, row["fetched_at"]))
    folder = source or origin(came_from)
    keep = receipts.keeper(workspace, folder)
    faults: list[Fault] = []
    count = new = back = days = 0
    for name, where, data in files:
        now = clock.now()
        parsed = read_capture(data, name)
        faults += parsed.faults
        possible = [day for day in parsed.days if day.date <= last_date(stamp(now))]
        faults += [_from_the_future(name, day, now) for day in parsed.days if day not in possible]
        days += len(possible)
        count += 1
        if possible:
            stored = places.get(reader.sha256(data), [])
            back += sum([receipts.put_back(path, data) for path, _ in stored])
            for path, fetched_at in stored:
                if any(last_date(fetched_at) < day.date for day in possible):
                    receipts.add(workspace, path.parent.name, path.name, where, data, stamp(now), status)
            if source or not stored or folder in {path.parent.name for path, _ in stored}:
                new += keep(name, where, data, stamp(now), status)
    return Fetched(count, new, back, days, faults)


def last_date(fetched_at: str) -> str:
    """Return the last date that a puzzle can have in a capture of that time: the day after, as it is later elsewhere.

    >>> last_date("2025-03-05T08:00:00+00:00")
    '2025-03-06'
    """
    try:
        return (datetime.date.fromisoformat(fetched_at[:10]) + datetime.timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return datetime.date.max.isoformat()


def _from_the_future(name: str, day: Day, now: datetime.datetime) -> Fault:
    detail = f"{day.date} is later than tomorrow; the clock of this machine says {now.date()}. Set it if it is wrong."
    return Fault("bad-date", name, detail)


def heal(workspace: Workspace) -> list[str]:
    """Repair the logs, and make the receipts of captures that have none, with the times of their files.

    Returns one message for each repair.
    """
    said = receipts.heal(workspace)
    names = (path.relative_to(workspace.root).as_posix() for path in workspace.raw.glob("*/*") if path.is_file())
    files = Files(workspace.root, tuple(sorted(names)))
    for source, lost in _without_receipts(files, {one.path for one in _with_receipts(files)[0]}, {}).items():
        for path in map(workspace.root.joinpath, lost):
            changed = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
            receipts.add(workspace, source, path.name, str(path), store.read_bytes(path, "bee fetch"), stamp(changed))
        said.append(f"{workspace.raw / source}: made the receipts of {count(len(lost), 'capture')} without any.")
    return said


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


def decode(files: Files, progress: Progress = no_progress) -> Captures:
    """Parse captures, files by a path that ends in `source/name`, each with its receipt in `source/receipts.csv`.

    A capture that is missing or does not match the checksum of its receipt is not used. It is a fault, unless its
    source has a later capture of the same first name. Of equal captures only that of the most trusted source is used.
    The days of a capture with the same bytes as before come from the cache.
    """
    before = decode_parsed(files[PARSED]) if PARSED in files else {}
    found, faults = _with_receipts(files)
    for source, lost in _without_receipts(files, {one.path for one in found}, before).items():
        faults.append(Fault("receipt-missing", source, f"{len(lost):,} captures have none. {_again(files, source)}"))
    whole = (one for one in found if one.path in files and files.sha256(one.path) == one.digest)
    witness: dict[str, str] = {}
    for one in sorted(whole, key=lambda one: (TRUST_RANK.get(one.source, len(TRUST_RANK)), one.source)):
        witness.setdefault(one.digest, one.source)
    days: list[tuple[str, Day]] = []
    parsed: dict[str, tuple[Day, ...]] = {}
    seen: dict[tuple[str, str], str] = {}
    broken: dict[str, list[Fault]] = {}
    for one in progress(found, "reading captures"):
        where = "/".join(one.path.split("/")[-2:])
        first, content = receipts.first_name(where), _content(files, one, before)
        if content is None:
            broken.setdefault(first, []).append(Fault("capture-changed", where, _remedies(one.source, where)))
            continue
        broken.pop(first, None)
        if not content.faults:
            parsed[one.digest] = content.days
        if witness.get(one.digest, one.source) == one.source:
            last = last_date(one.fetched_at)
            possible = [day for day in content.days if day.date <= last]
            days += [(one.source, day) for day in possible]
            seen |= {(one.source, day.date): one.fetched_at for day in possible}
            faults += content.faults
            faults += [_too_early(files, one, day) for day in content.days if day.date > last]
    return Captures(days, [*faults, *itertools.chain(*broken.values())], seen, parsed)


class _Capture(NamedTuple):
    """A capture: its source, its path, and what its receipt says."""

    source: str
    path: str
    digest: str
    fetched_at: str


def _with_receipts(files: Files) -> tuple[list[_Capture], list[Fault]]:
    """Return the captures that have a receipt, and a fault for each table of receipts with broken lines.

    Raises StoreError if such a table cannot be read: without it, all days of a source would seem to be gone.
    """
    found, faults = [], []
    for path in (path for path in sorted(files) if path.endswith("/receipts.csv")):
        source, data = path.split("/")[-2], files[path]
        try:
            rows = receipts.in_order(frames.read_log(data, path, "receipts"))
            if data and not cells.heal(data):
                raise DataError(f"{path} has no readable line.")
        except DataError as error:
            raise StoreError(f"{error} {_again(files, source)}.") from error
        if cells.heal(data) != data:
            faults.append(Fault("cut-short", f"{source}/receipts.csv", "a broken line was ignored"))
        found += [_Capture(source, path.replace("receipts.csv", r["name"]), r["sha256"], r["fetched_at"]) for r in rows]
    return found, faults


def _without_receipts(files: Files, known: Collection[str], before: ParsedDays) -> dict[str, list[str]]:
    """Return the files that have days and no receipt, by source."""
    found: dict[str, list[str]] = {}
    for path in files:
        source, name = path.split("/")[-2:]
        if path in known or source in receipts.NO_SOURCES or name == "receipts.csv" or name[0] == "." or path == PARSED:
            continue
        if files.sha256(path) in before or read_capture(files[path], name).days:
            found.setdefault(source, []).append(path)
    return found


def _again(files: Files, source: str) -> str:
    folder = shlex.quote(str((files.root / "raw" / source).resolve()))
    return f"`bee import {folder} --as {source}` makes the receipts again from the files"


def _content(files: Files, one: _Capture, before: ParsedDays) -> Parsed | None:
    """Return what a capture says; None if it is not what its receipt says."""
    if one.digest in before and one.path in files and files.sha256(one.path) == one.digest:
        return Parsed(before[one.digest])
    data = files.get(one.path, b"")
    if reader.sha256(data) != one.digest:
        return None
    return read_capture(data, "/".join(one.path.split("/")[-2:]))


def _too_early(files: Files, one: _Capture, day: Day) -> Fault:
    """Say that a capture has a day that had not come when it was taken, by its receipt; so no clock is asked."""
    again = f"bee import {shlex.quote(str((files.root / one.path).resolve()))} --as {one.source}"
    detail = f"{day.date} is later than {one.fetched_at[:10]}, when the file was taken in. When it has come: `{again}`"
    return Fault("bad-date", "/".join(one.path.split("/")[-2:]), detail)


def _remedies(source: str, where: str) -> str:
    """Name the commands that lead out when a capture is missing or damaged."""
    ask = "`bee fetch` asks for it again; i" if source in LIVE_SITES and LIVE_SITES[source].days_back is None else "I"
    give_up = f"`bee forget {shlex.quote(where)}` gives it up"
    return f"it is gone, or not what its receipt says. {ask}mporting the same file puts it back; {give_up}"


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
    return {digest: tuple(days) for digest, days in parsed.items()}


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
