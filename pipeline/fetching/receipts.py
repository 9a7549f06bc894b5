"""Captures and their receipts: `raw/<source>/` has unchanged files, and one line for each with its origin.

Its `status` is the HTTP status, or empty for an imported file; in older receipts such a file has "ok".

`build/requests.csv` stores the requests without a new capture, so that a missing page is not requested again and an
unchanged page is not sent again. It can be deleted.
"""

from __future__ import annotations

import csv
import io
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline import reader, store
from pipeline.errors import DataError, StoreError
from pipeline.store import Workspace
from pipeline.tables import cells, frames
from pipeline.words import count

LONGEST_LINE = 65_536
NO_SOURCES = ("lexicon", "lists")
"""The folders of `raw/` that have no captures."""
ASIDE = ".damaged"
"""The folder, beside the captures of a source, for damaged files."""


def read_log(path: Path) -> pd.DataFrame:
    """Read `receipts.csv` of a source, or `requests.csv`; an empty table if there is none yet."""
    return frames.read_log(store.read_bytes(path, "bee fetch") if path.is_file() else b"", path, path.stem)


def heal(workspace: Workspace) -> list[str]:
    """Remove incomplete lines that a power failure left in the logs, and move a file that is no log aside; return one
    message for each repaired log.

    `captures.heal` makes the receipts of captures that have none. A request without its line is made again.
    """
    repaired = []
    for path in sorted([*workspace.raw.glob("*/receipts.csv"), *workspace.build.glob("requests.csv")]):
        try:
            if not path.is_file():
                raise DataError
            data = store.read_bytes(path, "bee fetch")
            whole = cells.heal(data)
            frames.read_log(whole, path, path.stem)
        except DataError:
            repaired.append(f"{path} cannot be read; it is kept as {_set_aside(path)}.")
            continue
        if whole != data:
            store.write_bytes(path, whole)
            repaired.append(f"{path}: incomplete lines ({count(len(data) - len(whole), 'byte')}) were removed.")
    return repaired


def _set_aside(path: Path) -> Path:
    """Move a damaged file into a folder that has no captures, so that nothing is lost; return its new path."""
    aside = path.parent / ASIDE
    aside.mkdir(exist_ok=True)
    return path.rename(aside / f"{secrets.token_hex(4)}-{path.name}")


def whole(path: Path, row: Mapping[str, Any]) -> bool:
    """Return whether a capture is on disk as its receipt says."""
    return path.is_file() and store.checksum(path) == row["sha256"]


def put_back(path: Path, data: bytes) -> bool:
    """Write the bytes of a capture to its path again; return whether it was missing or damaged."""
    if path.exists() and not path.is_file():
        _set_aside(path)
    return store.write_bytes(path, data)


def forget(workspace: Workspace, source: str, name: str) -> str:
    """Remove the receipt of a capture that is missing or damaged, and move its file aside; return what was done.

    Raises StoreError if there is no such receipt, or if the capture is whole.
    """
    path = workspace.raw / source / name
    table = read_log(path.with_name("receipts.csv"))
    named = table["name"] == name
    if not named.any():
        raise StoreError(f"There is no receipt of {source}/{name}; `bee check --captures` names damaged captures.")
    if whole(path, frames.rows(table[named])[0]):
        raise StoreError(
            f"{path} is as its receipt says, so it stays. Only missing or damaged captures can be given up."
        )
    moved = f"; the damaged file is kept as {_set_aside(path)}" if path.exists() else ""
    store.write_bytes(path.with_name("receipts.csv"), frames.csv_bytes(table[~named]))
    return f"{source}/{name}: forgotten{moved}. `bee run` goes on without it."


Keep = Callable[[str, str, bytes, str, str], bool]
"""A function that stores one capture (name, url, bytes, time, status) and returns whether it was new."""


def keeper(workspace: Workspace, source: str) -> Keep:
    """Return a function that stores captures of a source unchanged, each with its receipt immediately.

    Bytes that are already stored are not stored again, unless another capture of the same name came in between.
    Different bytes with a known name get a new name. A capture without a receipt (the command was killed between the
    two) is stored again by the next run.
    """
    if not re.fullmatch("[a-z0-9_-]{1,40}", source) or source in NO_SOURCES:
        taken = 'use a to z, digits, - and _, and neither "lexicon" nor "lists"'
        raise StoreError(f'"{source[:40]}" is no name for a source: {taken}.')
    store.delete_temporary_files(workspace.raw / source)
    known = in_order(read_log(workspace.raw / source / "receipts.csv"))
    hashes, names = {row["sha256"] for row in known}, {row["name"] for row in known}
    latest = {first_name(row["name"]): row["sha256"] for row in known}

    def keep(name: str, url: str, data: bytes, fetched_at: str, status: str) -> bool:
        name = re.sub(r"[^A-Za-z0-9._+-]", "_", name)[-100:]
        name = f"capture-{name}" if name == "receipts.csv" or name.startswith(".") else name
        digest, first = reader.sha256(data), name
        if digest == latest.get(first) or (first not in latest and digest in hashes):
            return False
        stem, dot, suffix = first.partition(".")
        for mark in (f"-{digest[:8]}", *(f"-{digest[:8]}-{n}" for n in range(2, len(names) + 3))):
            if name not in names:
                break
            name = f"{stem}{mark}{dot}{suffix}"
        store.write_bytes(workspace.raw / source / name, data)
        add(workspace, source, name, url, data, fetched_at, status)
        hashes.add(digest)
        names.add(name)
        latest[first] = digest
        return True

    return keep


def add(workspace: Workspace, source: str, name: str, url: str, data: bytes, fetched_at: str, status: str = "") -> None:
    """Add the receipt of a capture that is on disk."""
    row = {"source": source, "name": name, "url": url, "fetched_at": fetched_at, "status": status}
    content = {"bytes": len(data), "sha256": reader.sha256(data)}
    append_row(workspace.raw / source / "receipts.csv", {**row, **content})


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


def append_row(path: Path, row: Mapping[str, object]) -> None:
    """Append one line to `receipts.csv` or `requests.csv`; first remove an incomplete line of a killed command.

    The line survives a kill at once, and a power failure only after the system has written it. Its capture is written
    earlier, and without its line is fetched again.
    """
    columns = list(frames.CONTRACTS[path.stem].columns)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([row[column] for column in columns])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LONGEST_LINE))
            tail = file.read()
            whole = size - len(tail) + tail.rfind(b"\n") + 1
            file.truncate(whole)
            header = "" if whole else ",".join(columns) + "\n"
            try:
                file.write((header + text.getvalue()).encode())
                file.flush()
            except OSError:
                file.truncate(whole)
                raise
    except OSError as error:
        why = error.strerror or error
        raise StoreError(f"Cannot write {path}: {why}. The existing lines are unchanged.", can_retry=True) from error
