"""Captures: files with official answers in `data/raw/`, unchanged, each stored once with its receipt; and their days.

Each folder of `data/raw/` is a source. An imported file is a source of its own, without trust, unless a person names
its source. The same bytes from two sources are one witness.

The days of each capture are also stored by its checksum in `build/parsed.csv`, so that a merge parses only new
captures. This cache only has captures without faults. The others are parsed each time, because a fault names its file.
The cache starts with a checksum of its rows, of the parsing code and of the versions that run it. If the checksum
differs, for example because the cache is damaged, everything is parsed again. It can be deleted at any time.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import importlib.metadata
import os
import re
import shlex
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pipeline import clock, reader, store
from pipeline.errors import Command, DataError, Message, StoreError
from pipeline.fetching import receipts
from pipeline.fetching.receipts import Capture
from pipeline.progress import Progress, no_progress
from pipeline.sources import LIVE_SITES, MAX_BYTES, TRUST_RANK, read_capture, too_large
from pipeline.sources.day import Day, Fault, Parsed
from pipeline.store import Files, Workspace
from pipeline.tables import frames
from pipeline.words import Puzzle, count


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import: files read, new captures, valid days, and faults."""

    files: int
    new: int
    days: int
    faults: list[Fault]


def source_name(name: str) -> str:
    """Return the name of an unknown source, made from its file, folder or host; never the name of a trusted source.

    >>> source_name("example.org"), source_name("Days (2).csv"), source_name("nyt")
    ('example-org', 'days-2-csv', 'import-nyt')
    """
    slug = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:33]
    return f"import-{slug}" if slug in ("", *TRUST_RANK, *receipts.NOT_SOURCES) else slug


def import_path(workspace: Workspace, path: Path, source: str, progress: Progress = no_progress) -> ImportResult:
    """Import a file, or every file of a folder, as captures of a source.

    Without a `source`, it is named after the file or folder. A file in an unknown format is not stored. A file or
    folder inside a folder that cannot be read is a fault and is skipped.
    """
    if not path.is_dir() and not path.is_file():
        if path.exists():
            raise StoreError(f"{path} is a pipe or a device; save its output as a file, and import that.")
        raise StoreError(f"There is no file {path}.")
    faults: list[Fault] = []
    paths = _files_below(path, faults) if path.is_dir() else [path]
    if not faults and not paths:
        raise StoreError(f"{path} contains no files.")

    def files() -> Iterator[Capture]:
        for file in progress(paths, "reading"):
            try:
                if file.stat().st_size > MAX_BYTES:
                    faults.append(too_large(str(file)))
                else:
                    yield Capture(file.name, str(file), file.read_bytes(), stamp(clock.now()))
            except OSError as error:
                faults.append(_unreadable(file, error))

    result = import_files(workspace, files(), source or source_name(path.resolve().name), source_is_named=bool(source))
    return dataclasses.replace(result, faults=faults + result.faults)


def _files_below(folder: Path, faults: list[Fault]) -> list[Path]:
    """List the files below a folder, without receipts and hidden files; add a fault for each unreadable folder and each
    broken link."""
    paths = []

    def add_fault(error: OSError) -> None:
        faults.append(_unreadable(error.filename, error))

    for root, folders, names in os.walk(folder, onerror=add_fault):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(root) / name
            if name.startswith(".") or name == "receipts.csv":
                continue
            if path.is_file():
                paths.append(path)
            elif path.is_symlink():
                faults.append(Fault("unreadable", str(path), "The link is broken."))
    return sorted(paths)


def _unreadable(path: object, error: OSError) -> Fault:
    return Fault("unreadable", str(path), f"{error.strerror or error}.")


def import_files(workspace: Workspace, files: Iterable[Capture], source: str, source_is_named: bool) -> ImportResult:
    """Store each file that has a day, as a capture of a source.

    Bytes that another source has are not stored again, unless a person named this source. A stored capture with the
    same bytes gets a new receipt if the list of one of its days could still grow when it was stored.
    """
    stored: dict[str, list[tuple[Path, str]]] = {}
    for path, row in receipts.all_receipts(workspace):
        stored.setdefault(row["sha256"], []).append((path, row["fetched_at"]))
    source_folder = receipts.SourceFolder(workspace, source)
    faults: list[Fault] = []
    file_count = new_count = day_count = 0
    for capture in files:
        parsed = read_capture(capture.data, capture.name)
        days, early_faults = _days_that_came(capture, parsed.days)
        faults += [*parsed.faults, *early_faults]
        day_count += len(days)
        file_count += 1
        if not days:
            continue
        stored_copies = stored.get(reader.sha256(capture.data), [])
        for path, fetched_at in stored_copies:
            if any(day.date > _last_settled_date(fetched_at) for day in days):
                receipts.add_receipt(path, capture)
        sources_of_copies = {path.parent.name for path, _ in stored_copies}
        if source_is_named or not stored_copies or source in sources_of_copies:
            is_new = source_folder.keep(capture)
            new_count += int(is_new)
    return ImportResult(file_count, new_count, day_count, faults)


def _days_that_came(capture: Capture, days: Iterable[Day]) -> tuple[list[Day], list[Fault]]:
    """Return the days up to tomorrow, going by the time of a capture, and a fault for each later day."""
    last = last_date(capture.fetched_at)
    clock_text = f"the clock of this computer says {capture.fetched_at[:10]}"
    later_dates = [day.date for day in days if day.date > last]
    faults = [
        Fault("bad-date", capture.name, f"{date} is later than tomorrow; {clock_text}. If the clock is wrong, set it.")
        for date in later_dates
    ]
    return [day for day in days if day.date <= last], faults


def _last_settled_date(fetched_at: str) -> str:
    """Return the last date of which a list is certainly settled at the time of a capture."""
    return (datetime.date.fromisoformat(last_date(fetched_at)) - datetime.timedelta(days=4)).isoformat()


def last_date(fetched_at: str) -> str:
    """Return the last date that a puzzle can have in a capture of this time: the next day, as elsewhere it is later.

    >>> last_date("2025-03-05T08:00:00+00:00")
    '2025-03-06'
    """
    try:
        return (datetime.date.fromisoformat(fetched_at[:10]) + datetime.timedelta(days=1)).isoformat()
    except (ValueError, OverflowError):
        return datetime.date.max.isoformat()


def repair(workspace: Workspace) -> Iterator[Message]:
    """Repair the logs, set lost captures aside, and make missing receipts, with the times of the files.

    Yields a message after each repair. The caller must hold the lock.
    """
    yield from receipts.repair_logs(workspace)
    yield from receipts.set_aside_lost(workspace)
    paths = (path.relative_to(workspace.root).as_posix() for path in workspace.raw.glob("*/*") if path.is_file())
    files = Files(workspace.root, tuple(sorted(paths)))
    receipted = {capture.path for capture in _with_receipts(files)}
    for source, names in _without_receipts(files, receipted, {}).items():
        for name in names:
            path = workspace.root / name
            changed = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC)
            receipts.add_receipt(path, Capture(path.name, str(path), files[name], stamp(changed)))
        number = count(len(names), "capture")
        yield Message(f"{workspace.raw / source}: made receipts for {number} that had none.")


def stamp(time: datetime.datetime) -> str:
    """Format a time as in receipts."""
    return time.astimezone(datetime.UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Captures:
    """The content of the captures: (source, day) pairs, the latest capture of a source last, and the faults.

    `seen` maps each (source, date) to the time of its last capture. `parsed` has the days that can be cached.
    """

    days: list[tuple[str, Day]]
    faults: list[Fault]
    seen: dict[tuple[str, str], str]
    parsed: ParsedDays = dataclasses.field(default_factory=dict)


def decode(files: Files, progress: Progress = no_progress) -> Captures:
    """Parse captures: files whose path ends in `source/name`, each with its receipt in `source/receipts.csv`.

    A capture that is missing or does not match the checksum of its receipt is a fault, and is not used. Of captures
    with the same bytes, only the capture of the most trusted source is used. The days of known bytes come from the
    cache.
    """
    cached = decode_parsed(files[PARSED]) if PARSED in files else {}
    captures = _with_receipts(files)
    faults = []
    for source, paths in _without_receipts(files, {capture.path for capture in captures}, cached).items():
        problem = f"{len(paths):,} captures have no receipt. `bee run` makes the receipts again from the files"
        faults.append(Fault("receipt-missing", source, problem))
    whole = []
    for capture in captures:
        if capture.path in files and files.sha256(capture.path) == capture.digest:
            whole.append(capture)
        else:
            faults.append(Fault("capture-changed", capture.location, _lost_advice(capture.source)))
    most_trusted: dict[str, str] = {}
    for capture in sorted(whole, key=_trust):
        most_trusted.setdefault(capture.digest, capture.source)
    days: list[tuple[str, Day]] = []
    parsed: dict[str, tuple[Day, ...]] = {}
    seen: dict[tuple[str, str], str] = {}
    for capture in progress(whole, "reading captures"):
        if capture.digest in cached:
            content = Parsed(cached[capture.digest])
        else:
            content = read_capture(files[capture.path], capture.location)
        if not content.faults:
            parsed[capture.digest] = content.days
        if most_trusted[capture.digest] == capture.source:
            last = last_date(capture.fetched_at)
            possible = [day for day in content.days if day.date <= last]
            days += [(capture.source, day) for day in possible]
            seen |= {(capture.source, day.date): capture.fetched_at for day in possible}
            faults += content.faults
            faults += [_too_early(files, capture, day) for day in content.days if day.date > last]
    return Captures(days, faults, seen, parsed)


@dataclass(frozen=True, slots=True)
class _Receipt:
    """The receipt of a capture: its source, path, checksum and time."""

    source: str
    path: str
    digest: str
    fetched_at: str

    @property
    def location(self) -> str:
        """The source and the name of the capture, which faults use to name it."""
        return f"{self.source}/{self.path.rpartition('/')[2]}"


def _trust(receipt: _Receipt) -> tuple[int, str]:
    """Return a key that sorts receipts by the trust of their sources."""
    return TRUST_RANK.get(receipt.source, len(TRUST_RANK)), receipt.source


def _with_receipts(files: Files) -> list[_Receipt]:
    """Return the receipts of all captures, without incomplete lines.

    Raises StoreError if a table of receipts cannot be read: without it, all days of a source would seem to be gone.
    """
    all_receipts = []
    for path in sorted(files):
        folder, _, name = path.rpartition("/")
        if name != "receipts.csv":
            continue
        try:
            table = frames.read_log(files[path], path, "receipts")
        except DataError as error:
            raise StoreError(f"{error} ", Command("run"), " makes the receipts again from the files.") from error
        for row in receipts.in_order(table):
            source = folder.rpartition("/")[2]
            all_receipts.append(_Receipt(source, f"{folder}/{row['name']}", row["sha256"], row["fetched_at"]))
    return all_receipts


def _without_receipts(files: Files, receipted: Collection[str], cached: ParsedDays) -> dict[str, list[str]]:
    """Return the files that have days but no receipt, by source."""
    paths_of: dict[str, list[str]] = {}
    for path in files:
        source, name = path.split("/")[-2:]
        if path in receipted or path == PARSED or source in receipts.NOT_SOURCES:
            continue
        if name == "receipts.csv" or name.startswith("."):
            continue
        if files.sha256(path) in cached or read_capture(files[path], name).days:
            paths_of.setdefault(source, []).append(path)
    return paths_of


def _too_early(files: Files, receipt: _Receipt, day: Day) -> Fault:
    """Return a fault for a day that was in the future at the time of the receipt; the clock is not used."""
    path = shlex.quote(str((files.root / receipt.path).resolve()))
    problem = f"{day.date} is later than {receipt.fetched_at[:10]}, the day on which the file was stored"
    remedy = f"Once that day has come: `bee import {path} --as {receipt.source}`"
    return Fault("bad-date", receipt.location, f"{problem}. {remedy}")


def _lost_advice(source: str) -> str:
    """Return a sentence on what happens to a capture that is missing or damaged."""
    advice = "it is missing, or it does not match its receipt. `bee run` sets it aside"
    if source in LIVE_SITES:
        return f"{advice}, and `bee fetch` requests its day again"
    return f"{advice}; if you have the file, import it again"


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
    code = [store.read_bytes(path, store.PROGRAM) for path in files if path.is_file()]
    versions = f"{sys.version} {importlib.metadata.version('beautifulsoup4')}"
    return reader.sha256(b"\0".join([versions.encode(), *code])).encode()
