"""Captures: what came from the sources, unchanged, in one SQLite file, `data/raw/captures.db`, with the days in it.

Days are parsed when they come. `captures.sql` describes the tables. The two weeks of answers that come with the
project, in `data/raw/sample/`, are a source of their own.
"""

from __future__ import annotations

import contextlib
import datetime
import shlex
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline import reader, store
from pipeline.errors import StoreError
from pipeline.progress import Progress, no_progress
from pipeline.sources import read_capture
from pipeline.sources.day import Day, Fault
from pipeline.store import Workspace

PATH = "raw/captures.db"
SAMPLE = "raw/sample"
SAMPLE_SOURCE = "sample"
SAMPLE_AGE = datetime.timedelta(days=8)
"""The sample was taken this long after its last day, when its lists could no longer change."""
SCHEMA = (Path(__file__).parent / "captures.sql").read_text("utf-8")
VERSION = 2
"""The version of the tables, `user_version` in `captures.sql`."""


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
    """A request for a day. The outcome is new, same, missing or failed; the detail says why it failed."""

    source: str
    date: str
    requested_at: str
    outcome: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Whether something went wrong. A missing page does not count as a failure."""
        return self.outcome == "failed"


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
def opened(path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the database, and close it at the end; `with connection:` is a transaction. Without a file, the database is
    an empty one in memory, unless `create` is given.

    Raises StoreError, in one sentence with the way back, if the file is damaged, cannot be read or written, or stays
    locked by another program for longer than `store.WAIT` seconds.
    """
    if path.is_symlink() and not path.exists():
        raise StoreError(f"{path} is a link to {path.readlink()}, which is not there. Maybe a disk is missing.")
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        url = f"{path.absolute().as_uri()}?mode=rwc" if create or path.exists() else ":memory:"
        with contextlib.closing(
            sqlite3.connect(url, uri=True, timeout=store.WAIT, isolation_level="IMMEDIATE")
        ) as database:
            is_empty = not database.execute("SELECT 1 FROM sqlite_schema").fetchone()
            if is_empty:
                database.executescript(f"BEGIN; {SCHEMA} COMMIT;")
            elif database.execute("PRAGMA user_version").fetchone() != (VERSION,):
                raise sqlite3.DatabaseError("it does not have the tables of this version of the program")
            if create:  # a file that cannot be written is told before any request is sent
                database.execute("BEGIN IMMEDIATE")
                database.rollback()
            yield database
    except (sqlite3.Error, zlib.error, OSError) as error:
        raise _explained(error, path) from error


_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")
_OF_THE_DISK = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PERM", "SQLITE_AUTH")


def _explained(error: Exception, path: Path) -> StoreError:
    """Return an error of SQLite as a sentence with the way back."""
    kind = getattr(error, "sqlite_errorname", "")
    if kind.startswith(_BUSY):
        problem = f"Another program has kept {path} locked for {store.WAIT:g} s"
        return StoreError(f"{problem}; close it, and run the command again.")
    if isinstance(error, OSError) or kind.startswith(_OF_THE_DISK):
        advice = "Check the disk, its free space and the permissions."
        return StoreError(f"Cannot read or write {path}: {error}. {advice}")
    return StoreError(
        f"{path} is damaged ({' '.join(str(error).split())}). `rm {shlex.quote(str(path))}` deletes it; then put a "
        "copy back or, without one, `bee run --fetch` asks for the days that the record lacks, and files can be "
        "imported again. The record keeps its days.",
    )


# ---------------------------------------------------------------- writing


def keep(database: sqlite3.Connection, capture: Capture, days: Iterable[Day]) -> bool:
    """Store a capture and the days in it, and return whether it differs from the last one of its source and name. The
    caller is in a transaction."""
    digest = reader.sha256(capture.data)
    last = last_capture(database, capture.source, capture.name)
    if last and last["sha256"] == digest:
        see_again(database, last, capture.came_at, capture.etag, capture.last_modified)
        _keep_days(database, days, capture.source, digest, capture.came_at, capture.came_at)
        return False
    origin = (capture.source, capture.name, capture.url, capture.came_at, capture.came_at)
    content = (digest, len(capture.data), zlib.compress(capture.data))
    cells = (*origin, *content, capture.etag, capture.last_modified)
    database.execute("INSERT INTO captures VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", cells)
    _keep_days(database, days, capture.source, digest, capture.came_at, capture.came_at)
    return True


_KEEP_DAY = """
INSERT INTO days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET
    came_at = CASE
        WHEN (center, outer, answers) = (excluded.center, excluded.outer, excluded.answers) THEN came_at
        ELSE excluded.came_at
    END,
    seen_at = CASE
        WHEN (center, outer, answers) = (excluded.center, excluded.outer, excluded.answers)
        THEN max(seen_at, excluded.seen_at)
        ELSE excluded.seen_at
    END,
    center = excluded.center, outer = excluded.outer, answers = excluded.answers, refused = excluded.refused,
    sha256 = excluded.sha256
"""
"""A list that is as before came when it first came; any other list, also an earlier one that comes again, replaces
it."""


def _keep_days(
    database: sqlite3.Connection, days: Iterable[Day], source: str, digest: str, came_at: str, seen_at: str
) -> None:
    for day in days:
        letters = (day.date, day.puzzle.center, day.puzzle.outer)
        words = (" ".join(day.answers), " ".join(day.refused))
        database.execute(_KEEP_DAY, (source, *letters, *words, digest, came_at, seen_at))


def last_capture(database: sqlite3.Connection, source: str, name: str) -> dict[str, Any] | None:
    """Return the row of the last capture of a source and name, without its bytes."""
    columns = ("id", "source", "sha256", "seen_at", "etag", "last_modified")
    query = f"SELECT {', '.join(columns)} FROM captures WHERE source = ? AND name = ? ORDER BY id DESC LIMIT 1"
    row = database.execute(query, (source, name)).fetchone()
    return dict(zip(columns, row, strict=True)) if row else None


def see_again(
    database: sqlite3.Connection, capture: Mapping[str, Any], seen_at: str, etag: str = "", last_modified: str = ""
) -> None:
    """Store that a capture, given as its row, came again unchanged. The caller is in a transaction."""
    headers = (etag or capture["etag"], last_modified or capture["last_modified"])
    query = "UPDATE captures SET seen_at = max(seen_at, ?), etag = ?, last_modified = ? WHERE id = ?"
    database.execute(query, (seen_at, *headers, capture["id"]))
    days = "UPDATE days SET seen_at = max(seen_at, ?) WHERE source = ? AND sha256 = ?"
    database.execute(days, (seen_at, capture["source"], capture["sha256"]))


def log(database: sqlite3.Connection, request: Request) -> None:
    """Store the outcome of a request as the last one of its source. The caller is in a transaction."""
    cells = (request.source, request.date, request.requested_at, request.outcome, request.detail)
    database.execute("REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?)", cells)


def forget(workspace: Workspace, name: str) -> dict[str, int]:
    """Delete the captures of a source, or those with this name of a file; return their number by source."""
    chosen = "FROM captures WHERE source = ? OR name = ?"
    with opened(workspace.root / PATH) as database:
        with database:
            counts = database.execute(f"SELECT source, count(*) {chosen} GROUP BY source", (name, name)).fetchall()
            database.execute(f"DELETE {chosen}", (name, name))
            for source, _ in counts:
                _read_again(database, source)
        database.execute("VACUUM")  # otherwise, the bytes would stay in the file
    return dict(counts)


def read_again(workspace: Workspace, progress: Progress = no_progress) -> list[Fault]:
    """Parse the bytes of all captures anew, as after a change of a parser, and return their faults. Raises StoreError
    if bytes are not as they came."""
    faults: list[Fault] = []
    with opened(workspace.root / PATH) as database, database:
        sources = [source for (source,) in database.execute("SELECT DISTINCT source FROM captures ORDER BY source")]
        for source in sources:
            faults += _read_again(database, source, progress)
    return faults


def _read_again(database: sqlite3.Connection, source: str, progress: Progress = no_progress) -> list[Fault]:
    """Make the days of a source again from its captures, the one that came last in the end, and return the faults."""
    database.execute("DELETE FROM days WHERE source = ?", (source,))
    query = "SELECT id, name, came_at, seen_at, sha256 FROM captures WHERE source = ? ORDER BY seen_at, id"
    faults: list[Fault] = []
    for number, name, came_at, seen_at, digest in progress(database.execute(query, (source,)).fetchall(), source):
        (compressed,) = database.execute("SELECT compressed FROM captures WHERE id = ?", (number,)).fetchone()
        data = zlib.decompress(compressed)
        if reader.sha256(data) != digest:
            raise sqlite3.DatabaseError(f"the bytes of {source}/{name} are not as they came")
        parsed = read_capture(data, name)
        faults += parsed.faults
        days = [day for day in parsed.days if day.date <= last_date(came_at)]
        _keep_days(database, days, source, digest, came_at, seen_at)
    return faults


# ---------------------------------------------------------------- what is there


_COLUMNS = ("source", "date", "center", "outer", "answers", "came_at", "seen_at")


def load(workspace: Workspace) -> pd.DataFrame:
    """Return the last list of each source and date, also of the sample: columns source, date, center, outer, answers,
    came_at, seen_at. Raises StoreError if the database is damaged."""
    with opened(workspace.root / PATH) as database:
        if (problem := database.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(problem)
        rows = database.execute(f"SELECT {', '.join(_COLUMNS)} FROM days ORDER BY source, date").fetchall()
    for path in sorted((workspace.root / SAMPLE).glob("*.csv")):
        rows += _sample(read_capture(path.read_bytes(), path.name).days)
    return pd.DataFrame(rows, columns=list(_COLUMNS), dtype="str")


def _sample(days: Iterable[Day]) -> list[tuple[str, ...]]:
    """Return the days of the sample as rows of `load`."""
    last = max((day.date for day in days), default="")
    rows: list[tuple[str, ...]] = []
    for day in days:
        seen_at = f"{datetime.date.fromisoformat(last) + SAMPLE_AGE}T12:00:00+00:00"
        letters = (day.puzzle.center, day.puzzle.outer)
        rows.append((SAMPLE_SOURCE, day.date, *letters, " ".join(day.answers), seen_at, seen_at))
    return rows


def last_outcomes(workspace: Workspace) -> list[Request]:
    """Return the last request to each source."""
    with opened(workspace.root / PATH) as database:
        rows = database.execute("SELECT source, date, requested_at, outcome, detail FROM outcomes").fetchall()
    return [Request(*row) for row in rows]


def numbers(workspace: Workspace) -> dict[str, int]:
    """Return the number of captures of each source in the database."""
    with opened(workspace.root / PATH) as database:
        return dict(database.execute("SELECT source, count(DISTINCT sha256) FROM captures GROUP BY source").fetchall())
