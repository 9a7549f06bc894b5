"""Captures and their receipts: `raw/<source>/` holds bytes as they came, and one line for each that says from where.

`build/requests.csv` remembers the requests that brought nothing new, so that a page that does not exist is not asked
for again and a page that has not changed need not be sent again. It can be thrown away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from pipeline import frames, store
from pipeline.store import StoreError, Workspace


def read_receipts(workspace: Workspace, source: str) -> pd.DataFrame:
    """Read the receipts of a source; none yet is an empty table."""
    return store.read_log(workspace.raw / source / "receipts.csv", "receipts")


def read_requests(workspace: Workspace) -> pd.DataFrame:
    """Read what came of the last request of each source for each day, where that was no new capture."""
    return store.read_log(workspace.build / "requests.csv", "requests")


def log_request(workspace: Workspace, row: Mapping[str, object]) -> None:
    """Note what came of a request."""
    store.append_row(workspace.build / "requests.csv", "requests", row)


Keep = Callable[[str, str, bytes, str, str], bool]
"""Stores one capture (name, url, bytes, time, status) and says whether it was new."""


def keeper(workspace: Workspace, source: str) -> Keep:
    """Return what stores captures of a source as they came, each with its receipt at once.

    Bytes that are there already are not stored again, unless another capture of the same name came in between; other
    bytes of a known name get a name of their own. A capture without a receipt (the command was killed between the two)
    is stored again by the next run.
    """
    if not re.fullmatch("[a-z0-9_-]{1,40}", source) or source == "lexicon":
        raise StoreError(f'"{source[:40]}" is no name for a source: use a to z, digits, - and _, and not "lexicon".')
    store.sweep(workspace.raw / source)
    known = frames.rows(read_receipts(workspace, source).sort_values(["fetched_at", "name"]))
    hashes, names = {row["sha256"] for row in known}, {row["name"] for row in known}
    latest = {first_name(row["name"]): row["sha256"] for row in known}

    def keep(name: str, url: str, data: bytes, fetched_at: str, status: str) -> bool:
        name = re.sub(r"[^A-Za-z0-9._+-]", "_", name)[-100:]
        name = f"capture-{name}" if name == "receipts.csv" or name.startswith(".") else name
        digest, first = store.sha256(data), name
        if digest == latest.get(first) or (first not in latest and digest in hashes):
            return False
        stem, dot, suffix = first.partition(".")
        for mark in (f"-{digest[:8]}", *(f"-{digest[:8]}-{n}" for n in range(2, len(names) + 3))):
            if name not in names:
                break
            name = f"{stem}{mark}{dot}{suffix}"
        store.write_bytes(workspace.raw / source / name, data)
        row = {"source": source, "name": name, "url": url, "fetched_at": fetched_at, "status": status}
        store.append_row(
            workspace.raw / source / "receipts.csv", "receipts", {**row, "bytes": len(data), "sha256": digest}
        )
        hashes.add(digest)
        names.add(name)
        latest[first] = digest
        return True

    return keep


def first_name(name: str) -> str:
    """Return the name that a capture had before it got one of its own."""
    return re.sub(r"-[0-9a-f]{8}(-[0-9]+)?(?=\.|$)", "", name, count=1)


def keep_captures(workspace: Workspace, source: str, found: Iterable[tuple[str, str, bytes]], fetched_at: str) -> int:
    """Store captures (name, url, bytes) and their receipts; return how many are new."""
    keep = keeper(workspace, source)
    return sum([keep(name, url, data, fetched_at, "ok") for name, url, data in found])


def all_receipts(workspace: Workspace) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield path and receipt of every capture, the latest of a source last."""
    for folder in sorted(workspace.raw.glob("*/receipts.csv")):
        for row in frames.rows(read_receipts(workspace, folder.parent.name).sort_values(["fetched_at", "name"])):
            yield folder.parent / row["name"], row


def captures(workspace: Workspace) -> Iterator[tuple[str, Path, str]]:
    """Yield (source, path, sha256) of every capture with a receipt, the latest of a source last."""
    for path, row in all_receipts(workspace):
        yield path.parent.name, path, row["sha256"]
