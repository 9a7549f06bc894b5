"""Captures: what came from the sources, unchanged, in one SQLite file, `data/raw/captures.db`, with every request and
the days that were parsed. `captures.sql` describes its tables.

The same bytes from two sources are one witness. Bytes are found by their SHA-256, and each row from which the record is
made has a checksum, so a damaged file is an error and never another fact. The two weeks of answers that come with the
project, in `data/raw/sample/`, are a source of their own.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import importlib.metadata
import shlex
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import reader, store
from pipeline.errors import StoreError
from pipeline.facts.day_decisions import SourceDate
from pipeline.progress import Progress, no_progress
from pipeline.sources import TRUST_RANK, read_capture
from pipeline.sources.day import Day, Fault, Parsed
from pipeline.store import Files, Workspace
from pipeline.words import Puzzle

PATH = "raw/captures.db"
SAMPLE = "raw/sample"
SAMPLE_SOURCE = "sample"
SAMPLE_AGE = datetime.timedelta(days=8)
"""The sample was taken this long after its last day, when its lists could no longer change."""
SCHEMA = (Path(__file__).parent / "captures.sql").read_text("utf-8")
SUCCESSES = ("new", "same")
"""The outcomes of a request that brought a day."""


@dataclass(frozen=True, slots=True)
class Capture:
    """A page or file that came: its source and name, the URL or path that it came from, its bytes, the time, and the
    headers for a conditional request."""

    source: str
    name: str
    url: str
    data: bytes
    came_at: str
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a day. The outcome is new, same, missing, or the reason why the page was refused."""

    source: str
    date: str
    requested_at: str
    outcome: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Whether something went wrong. A missing page does not count as a failure."""
        return self.outcome not in (*SUCCESSES, "missing")


@dataclass(frozen=True, slots=True)
class Captures:
    """What the captures say: (source, day) pairs, the latest list of a source last, and the faults.

    `seen` has the time at which each (source, date) last came, also unchanged.
    """

    days: list[tuple[str, Day]]
    faults: list[Fault]
    seen: dict[SourceDate, str]


def stamp(time: datetime.datetime) -> str:
    """Format a time as in the tables; such texts sort like the times."""
    return time.astimezone(datetime.UTC).isoformat(timespec="seconds")


def last_date(came_at: str) -> str:
    """Return the last date that a puzzle can have in a capture of this time: the next day, as elsewhere it is later.

    >>> last_date("2025-03-05T08:00:00+00:00")
    '2025-03-06'
    """
    return (datetime.date.fromisoformat(came_at[:10]) + datetime.timedelta(days=1)).isoformat()


# ---------------------------------------------------------------- the file


@contextlib.contextmanager
def opened(path: Path, wait: float, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the database, and close it at the end; `with connection:` is a transaction. Without a file, the database is
    an empty one in memory, unless `create` is given.

    Raises StoreError, in one sentence with the way back, if the file is damaged, cannot be read or written, or stays
    locked by another program for longer than `wait` seconds.
    """
    if path.is_symlink() and not path.exists():
        raise StoreError(f"{path} is a link to {path.readlink()}, which is not there. Maybe a disk is missing.")
    if create and not path.exists():
        _journal(path).unlink(missing_ok=True)  # otherwise, SQLite would restore the lost file from it
        store.write_bytes(path, _empty().serialize())
    url = f"{path.absolute().as_uri()}?mode=rw" if path.exists() else ":memory:"
    try:
        with contextlib.closing(sqlite3.connect(url, uri=True, timeout=wait, isolation_level="IMMEDIATE")) as database:
            database.text_factory = lambda text: text.decode("utf-8", "replace")  # a checksum finds what is damaged
            if url == ":memory:":
                database.executescript(SCHEMA)
            if _version(database) > _version(_empty()):
                raise StoreError(f"{path} was made by a newer version of this program; update the program.")
            if not _columns(_empty()) <= _columns(database):
                raise sqlite3.DatabaseError("it does not have the tables of this program")
            if create:  # a file that cannot be written is told before any request is sent
                database.execute("BEGIN IMMEDIATE")
                database.rollback()
            yield database
    except (sqlite3.Error, zlib.error, UnicodeDecodeError) as error:  # the last one if the text of an error is damaged
        raise _explained(error, path, wait) from error


@functools.cache
def _empty() -> sqlite3.Connection:
    """Return an empty database in memory."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.executescript(SCHEMA)
    return database


def _journal(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _columns(database: sqlite3.Connection) -> set[tuple[object, ...]]:
    """Return table, place, name, type and place in the primary key of each column."""
    return set(
        database.execute(
            "SELECT schema.name, columns.cid, columns.name, columns.type, columns.pk FROM sqlite_schema AS schema, "
            "pragma_table_info(schema.name) AS columns WHERE schema.type = 'table'"
        )
    )


_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_OF_THE_DISK = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PERM", "SQLITE_AUTH")


def _explained(error: Exception, path: Path, wait: float) -> StoreError:
    """Return an error of SQLite as a sentence with the way back."""
    kind = getattr(error, "sqlite_errorname", "")
    journal = _journal(path)
    if kind.startswith(_BUSY):
        problem = f"Another program has kept {path} locked for {wait:g} s"
        return StoreError(f"{problem}; close it, or wait longer with --wait SECONDS.", can_retry=True)
    if kind.startswith(_OF_THE_DISK):
        advice = "Check the disk, its free space and the permissions."
        if journal.exists():
            advice = f"A command was stopped while it wrote; a command that may write {journal} restores the file."
        return StoreError(f"Cannot read or write {path}: {error}. {advice}", can_retry=True)
    problem = " ".join(str(error).split())
    delete = f"`rm -f {shlex.quote(str(path))} {shlex.quote(str(journal))}`"
    return StoreError(
        f"{path} is damaged ({problem}). {delete} deletes it; then put a copy back or, without one, `bee run "
        "--fetch` asks for the days that the record lacks, and files can be imported again. The record keeps its "
        "days.",
    )


def _checksum(*cells: object) -> int:
    return zlib.crc32("".join(f"{cell}\n" for cell in cells).encode())


def _checked_rows(database: sqlite3.Connection, query: str, *values: object) -> list[dict[str, Any]]:
    """Return the rows of a query on captures or requests, by column; raises sqlite3.DatabaseError if one is damaged."""
    cursor = database.execute(query, values)
    names = [column[0] for column in cursor.description]
    rows = []
    for number, *cells, checksum in cursor:
        if _checksum(*cells) != checksum:
            raise sqlite3.DatabaseError(f"row {number} is not as it was stored")
        rows.append(dict(zip(names, (number, *cells, checksum), strict=True)))
    return rows


# ---------------------------------------------------------------- writing


def keep(database: sqlite3.Connection, capture: Capture, days: Iterable[Day] | None) -> bool:
    """Store a capture, and return whether it differs from the last one of its source and name.

    `days` are those in its bytes, or None if they have faults, which are told again each time they are read. The caller
    is in a transaction.
    """
    digest = reader.sha256(capture.data)
    content = (digest, len(capture.data), zlib.compress(capture.data))
    database.execute("INSERT OR IGNORE INTO contents VALUES (?, ?, ?)", content)
    last = last_capture(database, capture.source, capture.name)
    if last and last["sha256"] == digest:
        see_again(database, last, capture.came_at, capture.etag, capture.last_modified)
        return False
    origin = (capture.source, capture.name, capture.url, capture.came_at)
    cells = (*origin, capture.came_at, digest, capture.etag, capture.last_modified)
    database.execute("INSERT INTO captures VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*cells, _checksum(*cells)))
    if days is not None:
        _keep_days(database, digest, tuple(days))
    return True


def last_capture(database: sqlite3.Connection, source: str, name: str) -> dict[str, Any] | None:
    """Return the row of the last capture of a source and name."""
    query = "SELECT * FROM captures WHERE source = ? AND name = ? ORDER BY id DESC LIMIT 1"
    return next(iter(_checked_rows(database, query, source, name)), None)


def see_again(
    database: sqlite3.Connection, capture: Mapping[str, Any], seen_at: str, etag: str = "", last_modified: str = ""
) -> None:
    """Store that a capture, given as its row, came again unchanged. The caller is in a transaction."""
    row = {**capture, "seen_at": max(capture["seen_at"], seen_at)}  # a clock may have been set back
    row["etag"] = etag or row["etag"]
    row["last_modified"] = last_modified or row["last_modified"]
    number, *cells, _ = row.values()
    values = (number, *cells, _checksum(*cells))
    database.execute("REPLACE INTO captures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)


def log(database: sqlite3.Connection, request: Request) -> None:
    """Store a request with its outcome. The caller is in a transaction."""
    cells = (request.source, request.date, request.requested_at, request.outcome, request.detail)
    database.execute("INSERT INTO requests VALUES (NULL, ?, ?, ?, ?, ?, ?)", (*cells, _checksum(*cells)))


def forget(workspace: Workspace, name: str) -> dict[str, int]:
    """Delete the captures of a source, or those with this name of a file; return their number by source."""
    chosen = "FROM captures WHERE source = ? OR name = ?"
    with opened(workspace.root / PATH, workspace.wait) as database:
        with database:
            deleted = dict(
                database.execute(f"SELECT source, count(*) {chosen} GROUP BY source", (name, name)).fetchall()
            )
            database.execute(f"DELETE {chosen}", (name, name))
            for table in ("contents", "days"):
                database.execute(f"DELETE FROM {table} WHERE sha256 NOT IN (SELECT sha256 FROM captures)")
        database.execute("VACUUM")  # otherwise, the bytes would stay in the file
    return deleted


# ---------------------------------------------------------------- days


@functools.cache
def parser() -> str:
    """Return a digest of the code that parses and of the versions that run it."""
    package = Path(__file__).parent.parent
    files = [*sorted((package / "sources").glob("*.py")), package / "words.py", package / "violations.py"]
    code = [store.read_bytes(path, store.PROGRAM) for path in files]
    versions = f"{sys.version} {importlib.metadata.version('beautifulsoup4')}"
    return reader.sha256(b"\0".join([versions.encode(), *code]))


def _keep_days(database: sqlite3.Connection, digest: str, days: tuple[Day, ...]) -> None:
    rows = []
    for day in days:
        cells = (day.date, day.puzzle.center, day.puzzle.outer, " ".join(day.answers), " ".join(day.refused))
        key = (digest, parser())
        rows.append((*key, *cells, _checksum(len(days), *key, *cells)))
    database.executemany("INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _days_kept(database: sqlite3.Connection) -> dict[str, tuple[Day, ...]]:
    """Return the days of all bytes that this version of the parser read, by SHA-256, without those of which a row is
    damaged or gone: these are parsed again."""
    rows_of: dict[str, list[tuple[Any, ...]]] = {}
    for row in database.execute("SELECT * FROM days WHERE parser = ? ORDER BY sha256, date", (parser(),)):
        rows_of.setdefault(row[0], []).append(row)
    days_of = {}
    for digest, rows in rows_of.items():
        if all(_checksum(len(rows), *cells) == checksum for *cells, checksum in rows):
            days_of[digest] = tuple(
                Day(date, Puzzle(center, outer), tuple(answers.split()), tuple(refused.split()))
                for _, _, date, center, outer, answers, refused, _ in rows
            )
    return days_of


def _bytes(database: sqlite3.Connection, digest: str) -> bytes:
    """Return the bytes with a SHA-256; raises sqlite3.DatabaseError or zlib.error if they are not there."""
    row = database.execute("SELECT CAST(compressed AS BLOB) FROM contents WHERE sha256 = ?", (digest,)).fetchone()
    data = zlib.decompress(row[0]) if row else b""
    if reader.sha256(data) != digest:
        raise sqlite3.DatabaseError(f"it lacks the bytes {digest[:12]}")
    return data


def _all_captures(database: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the rows of all captures in the order in which they came last."""
    return _checked_rows(database, "SELECT * FROM captures ORDER BY seen_at, id")


def parse_new(workspace: Workspace, progress: Progress = no_progress) -> None:
    """If other versions of the parser read captures, parse these again, and store the days of this version instead."""
    with opened(workspace.root / PATH, workspace.wait) as database:
        if not database.execute("SELECT 1 FROM days WHERE parser != ?", (parser(),)).fetchone():
            return
        kept = _days_kept(database)
        new = {row["sha256"]: row["name"] for row in _all_captures(database) if row["sha256"] not in kept}
        for digest, name in progress(list(new.items()), "parsing"):
            parsed = read_capture(_bytes(database, digest), name)
            if not parsed.faults:
                with database:
                    _keep_days(database, digest, parsed.days)
        with database:
            database.execute("DELETE FROM days WHERE parser != ?", (parser(),))


def verify(workspace: Workspace) -> None:
    """Raise StoreError unless the bytes of all captures are as they came."""
    with opened(workspace.root / PATH, workspace.wait) as database:
        for digest in {row["sha256"] for row in _all_captures(database)}:
            _bytes(database, digest)


def load(files: Files, progress: Progress = no_progress) -> Captures:
    """Return what all captures and the sample say; `files` are those of the registry.

    Of the same bytes, only the capture of the most trusted source is used, and they were last seen when any source had
    them. Raises StoreError if the database is damaged.
    """
    found = Captures([], [], {})
    with opened(files.root / PATH, files.wait) as database:
        if (problem := database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(problem)
        _add_captures(found, database, progress)
    for path_of_sample in files:
        if path_of_sample.startswith(f"{SAMPLE}/"):
            _add_sample(found, path_of_sample, files[path_of_sample])
    return found


def _add_captures(found: Captures, database: sqlite3.Connection, progress: Progress) -> None:
    rows = _all_captures(database)
    location: dict[str, str] = {}
    last_seen: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: _distrust(row["source"])):
        location.setdefault(row["sha256"], f"{row['source']}/{row['name']}")
        last_seen[row["sha256"]] = max(row["seen_at"], last_seen.get(row["sha256"], ""))
    kept = _days_kept(database)
    days_in: dict[str, tuple[Day, ...]] = {}
    for digest, place in progress(list(location.items()), "reading captures"):
        parsed = Parsed(kept[digest]) if digest in kept else read_capture(_bytes(database, digest), place)
        found.faults.extend(parsed.faults)
        days_in[digest] = parsed.days
    current: dict[SourceDate, str] = {}  # the last bytes of each source and date
    versions = []
    for row in rows:
        digest, source = row["sha256"], row["source"]
        for day in days_in[digest]:
            if day.date <= last_date(last_seen[digest]):
                versions.append((source, day))
                current[source, day.date] = digest
            elif location[digest] == f"{source}/{row['name']}":
                found.faults.append(_too_early(row, day, last_seen[digest]))
    witness: dict[SourceDate, str] = {}  # the most trusted source that has these bytes now, by bytes and date
    for source, date in sorted(current, key=lambda source_date: _distrust(source_date[0])):
        witness.setdefault((current[source, date], date), source)
    for source, day in versions:
        digest = current[source, day.date]
        if witness[digest, day.date] == source:
            found.days.append((source, day))
            found.seen[source, day.date] = last_seen[digest]


def _distrust(source: str) -> tuple[int, str]:
    """Return a key that sorts sources, the most trusted first."""
    return TRUST_RANK.get(source, len(TRUST_RANK)), source


def _too_early(row: Mapping[str, Any], day: Day, seen_at: str) -> Fault:
    """Return the fault of a day that had not come when its capture came. The clock is not used."""
    problem = f"{day.date} is later than {seen_at[:10]}, the day on which the file came"
    remedy = f"Once that day has come: `bee import {shlex.quote(row['url'])} --as {row['source']}`"
    return Fault("bad-date", f"{row['source']}/{row['name']}", f"{problem}. {remedy}")


def _add_sample(found: Captures, path: str, data: bytes) -> None:
    parsed = read_capture(data, path.removeprefix("raw/"))
    found.faults.extend(parsed.faults)
    last = max((day.date for day in parsed.days), default="")
    for day in parsed.days:
        found.days.append((SAMPLE_SOURCE, day))
        found.seen[SAMPLE_SOURCE, day.date] = f"{datetime.date.fromisoformat(last) + SAMPLE_AGE}T12:00:00+00:00"


# ---------------------------------------------------------------- what is there


def digest(files: Files) -> str:
    """Return a digest of what `load` depends on: the rows of the captures and the sample. That of the bytes of the
    database would change with each request."""
    lines = [f"{path} {files.sha256(path)}" for path in files if path != PATH]
    with opened(files.root / PATH, files.wait) as database:
        lines += [str(row["checksum"]) for row in _all_captures(database)]
    return reader.sha256("\n".join(lines).encode()) if lines else ""


def last_requests(workspace: Workspace) -> dict[SourceDate, Request]:
    """Return the last request for each (source, date)."""
    last = "SELECT * FROM requests WHERE id IN (SELECT max(id) FROM requests GROUP BY source, date)"
    with opened(workspace.root / PATH, workspace.wait) as database:
        requests = [
            Request(row["source"], row["date"], row["requested_at"], row["outcome"], row["detail"])
            for row in _checked_rows(database, last)
        ]
    return {(request.source, request.date): request for request in requests}


def numbers(workspace: Workspace) -> dict[str, int]:
    """Return the number of captures of each source in the database."""
    with opened(workspace.root / PATH, workspace.wait) as database:
        return dict(database.execute("SELECT source, count(DISTINCT sha256) FROM captures GROUP BY source").fetchall())
