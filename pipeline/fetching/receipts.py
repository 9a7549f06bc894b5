"""Captures and their receipts: `raw/<source>/` has unchanged files, and `receipts.csv` with the origin of each.

The `status` of a receipt is the HTTP status. It is empty for an imported file, or "ok" in older receipts.

A capture that is missing or does not match its receipt is set aside: the file and the receipt are moved to
`raw/<source>/.damaged/`.

`build/requests.csv` stores the requests without a new capture, so that a missing page is not requested again and an
unchanged page is not sent again. It can be deleted.
"""

from __future__ import annotations

import csv
import io
import re
import secrets
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline import reader, store
from pipeline.errors import Command, DataError, Message, StoreError
from pipeline.sources import LIVE_SITES
from pipeline.store import Workspace
from pipeline.tables import cells, frames
from pipeline.words import count

NOT_SOURCES = ("lexicon", "lists")
"""The folders of `raw/` that have no captures."""
DAMAGED = ".damaged"
"""The folder, next to the captures of a source, for files that are set aside."""
MAX_LOST = 10
"""If a source has lost more captures than this, none is set aside: probably a disk is missing, or a program changed all
files, and a person can restore them. The number is chosen so that a few damaged or deleted files need no person."""


def read_log(path: Path) -> pd.DataFrame:
    """Read `receipts.csv` of a source, or `requests.csv`; an empty table if there is none yet."""
    return frames.read_log(store.read_bytes(path, "bee fetch") if path.is_file() else b"", path, path.stem)


def repair_logs(workspace: Workspace) -> Iterator[Message]:
    """Remove incomplete lines from the logs, which a power failure may leave, and set aside files that are not logs.

    Yields a message for each repaired log.
    """
    logs = [*workspace.raw.glob("*/receipts.csv"), *workspace.raw.glob(f"*/{DAMAGED}/receipts.csv")]
    for path in sorted([*logs, *workspace.build.glob("requests.csv")]):
        try:
            if not path.is_file():
                raise DataError
            data = store.read_bytes(path, "bee fetch")
            complete = cells.heal(data)
            frames.read_log(complete, path, path.stem)
        except DataError:
            new_path = _move_to_damaged(path)
            yield Message(f"{path} cannot be read; it was moved to {new_path}.")
            continue
        if store.write_bytes(path, complete):
            removed = count(len(data) - len(complete), "byte")
            yield Message(f"{path}: incomplete lines ({removed}) were removed.")


def set_aside_lost(workspace: Workspace) -> Iterator[Message]:
    """Set aside the captures that are missing or damaged, each with its receipt; yield one message for each.

    Raises StoreError, and does not change the source, if a capture cannot be read, because that may be temporary, or if
    the source has lost more than `MAX_LOST`.
    """
    for log in sorted(workspace.raw.glob("*/receipts.csv")):
        folder = log.parent
        table = read_log(log)
        # Only files of this folder are moved, whatever a damaged receipt names.
        lost_by_name = {
            row["name"]: row
            for row in frames.rows(table)
            if not _is_whole(folder / Path(row["name"]).name, row["sha256"])
        }
        if len(lost_by_name) > MAX_LOST:
            problem = f"{len(lost_by_name):,} captures in {folder} are missing or damaged, such as {min(lost_by_name)}"
            remedy = (
                "Maybe a disk is missing. Restore the captures, or move the folder elsewhere to continue without it"
            )
            raise StoreError(f"{problem}. {remedy}.", can_retry=True)
        for row in lost_by_name.values():
            yield _set_capture_aside(folder / Path(row["name"]).name, row)
        if lost_by_name:
            store.write_bytes(log, frames.csv_bytes(table[~table["name"].isin(lost_by_name)]))


def _is_whole(path: Path, digest: str) -> bool:
    """Return whether a capture has this checksum; raises StoreError if it exists but cannot be read."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        if not path.is_symlink():
            return False
        raise StoreError(f"Cannot read {path}: The link is broken.", can_retry=True) from None
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror}.", can_retry=True) from error
    return stat.S_ISREG(mode) and store.checksum(path) == digest


def _set_capture_aside(path: Path, row: Mapping[str, Any]) -> Message:
    """Set aside a lost capture and a copy of its receipt; return a message on what happened and what happens next."""
    what = f"{path} is missing, so its receipt was set aside. "
    if path.exists():
        new_path = _move_to_damaged(path)
        what = f"{path} does not match its receipt; it was moved to {new_path}. "
    append_row(path.parent / DAMAGED / "receipts.csv", row)
    source = path.parent.name
    if source in LIVE_SITES:
        return Message(what, Command("fetch"), " requests its day again.")
    return Message(what, f"If you have the file ({row['url']}), import it again with --as {source}.")


def _move_to_damaged(path: Path) -> Path:
    """Move a damaged file to the folder `DAMAGED`, so that nothing is lost, and return its new path."""
    aside = path.parent / DAMAGED
    try:
        aside.mkdir(exist_ok=True)
        return path.rename(aside / f"{secrets.token_hex(4)}-{path.name}")
    except OSError as error:
        raise StoreError(f"Cannot move {path} to {aside}: {error.strerror}.", can_retry=True) from error


@dataclass(frozen=True, slots=True)
class Capture:
    """A file to keep: its name, the URL or path that it came from, its bytes, the time, and the HTTP status."""

    name: str
    url: str
    data: bytes
    fetched_at: str
    status: str = ""


class SourceFolder:
    """The captures of a source. New captures are added unchanged, each immediately followed by its receipt."""

    def __init__(self, workspace: Workspace, source: str) -> None:
        """Read the receipts of a source; raises StoreError if the name is not a valid name for a source."""
        if not re.fullmatch("[a-z0-9_-]{1,40}", source) or source in NOT_SOURCES:
            rule = 'use only a to z, digits, - and _; the names "lexicon" and "lists" are reserved'
            raise StoreError(f'"{source[:40]}" is not a valid name for a source: {rule}.')
        self.path = workspace.raw / source
        store.delete_temporary_files(self.path)
        rows = in_order(read_log(self.path / "receipts.csv"))
        self._digests = {row["sha256"] for row in rows}
        self._names = {row["name"] for row in rows}
        self._latest_digest = {first_name(row["name"]): row["sha256"] for row in rows}

    def keep(self, capture: Capture) -> bool:
        """Store a capture, and return whether it is new.

        Bytes that are already stored are not stored again, unless another capture of the same name was stored in
        between. Different bytes with a known name get a new name. A capture without a receipt, which a killed command
        may leave, is replaced.
        """
        name = re.sub(r"[^A-Za-z0-9._+-]", "_", capture.name)[-100:]
        if name == "receipts.csv" or name.startswith("."):
            name = f"capture-{name}"
        digest = reader.sha256(capture.data)
        is_latest = digest == self._latest_digest.get(name)
        if is_latest or (name not in self._latest_digest and digest in self._digests):
            return False
        free_name = self._free_name(name, digest)
        store.write_bytes(self.path / free_name, capture.data)
        add_receipt(self.path / free_name, capture)
        self._digests.add(digest)
        self._names.add(free_name)
        self._latest_digest[name] = digest
        return True

    def _free_name(self, name: str, digest: str) -> str:
        """Return the name or, if it is taken, the name with a part of the checksum and, if needed, a number."""
        if name not in self._names:
            return name
        stem, dot, suffix = name.partition(".")
        numbers = ("", *(f"-{number}" for number in range(2, len(self._names) + 3)))
        candidates = (f"{stem}-{digest[:8]}{number}{dot}{suffix}" for number in numbers)
        return next(candidate for candidate in candidates if candidate not in self._names)


def add_receipt(path: Path, capture: Capture) -> None:
    """Add the receipt of a capture that is on disk at this path, in the folder of its source."""
    row = {"source": path.parent.name, "name": path.name, "url": capture.url, "fetched_at": capture.fetched_at}
    content = {"status": capture.status, "bytes": len(capture.data), "sha256": reader.sha256(capture.data)}
    append_row(path.with_name("receipts.csv"), row | content)


def first_name(name: str) -> str:
    """Return the original name of a capture that got a new one."""
    return re.sub(r"-[0-9a-f]{8}(-[0-9]+)?(?=\.|$)", "", name, count=1)


def in_order(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the receipts of a source, the latest capture last."""
    return frames.rows(table.sort_values(["fetched_at", "name"]))


def all_receipts(workspace: Workspace) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield path and receipt of every capture, the latest of a source last."""
    for path in sorted(workspace.raw.glob("*/receipts.csv")):
        for row in in_order(read_log(path)):
            yield path.parent / row["name"], row


def receipts_set_aside(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """Yield the receipts of the captures that were set aside."""
    for path in sorted(workspace.raw.glob(f"*/{DAMAGED}/receipts.csv")):
        yield from frames.rows(read_log(path))


def lost_files(workspace: Workspace) -> list[dict[str, Any]]:
    """Return the receipts of imported files that were set aside and not imported again. No source can be asked for
    them."""
    digests = {row["sha256"] for _, row in all_receipts(workspace)}
    return [
        row for row in receipts_set_aside(workspace) if row["source"] not in LIVE_SITES and row["sha256"] not in digests
    ]


def append_row(path: Path, row: Mapping[str, object]) -> None:
    """Append one line to `receipts.csv` or `requests.csv`, which must have no incomplete line; see `repair_logs`.

    The line survives a kill immediately, but a power failure only once the system has written it to the disk. A capture
    is written before its line. If the line is lost, `captures.repair` makes it again.
    """
    columns = list(frames.CONTRACTS[path.stem].columns)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", newline="") as file:
            if not file.tell():
                writer.writerow(columns)
            writer.writerow([row[column] for column in columns])
            file.write(text.getvalue())
    except OSError as error:
        why = error.strerror or error
        raise StoreError(f"Cannot write {path}: {why}. The existing lines are unchanged.", can_retry=True) from error
