"""Disk, and nothing but: where each file is, whole-file writes that cannot be half done, one writer at a time.

A *workspace* is a folder with `raw/` (captures and lexicon), `build/` (derived tables) and `custom/` (what people
write, the evidence, the release). Cells are read literally: *null* is a word.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import filelock
import pandas as pd

from pipeline import frames
from pipeline.words import BeeError


class StoreError(BeeError):
    """A file is not there, cannot be read or cannot be written."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder that the stages work in."""

    root: Path

    @property
    def raw(self) -> Path:
        """Captures as they came, one folder a source, and the lexicon."""
        return self.root / "raw"

    @property
    def build(self) -> Path:
        """Derived tables, which can be thrown away."""
        return self.root / "build"

    @property
    def custom(self) -> Path:
        """Verdicts, corrections, evidence and the release."""
        return self.root / "custom"


def find_workspace(named: str | None) -> Workspace:
    """Return the workspace that was named, or `data/` here, or the checkout's own; raise StoreError without one."""
    if named:
        root = Path(named)
        if not root.is_dir():
            raise StoreError(f"There is no folder {root}; make it, or name another with --data.")
        return Workspace(root)
    for root in (Path("data"), Path(__file__).parent.parent / "data"):
        if (root / "raw").is_dir():
            return Workspace(root)
    raise StoreError("No workspace here: name one with --data DIR or BEE_DATA, or work in a checkout.")


@contextlib.contextmanager
def locked(workspace: Workspace) -> Iterator[None]:
    """Hold the workspace, so that two commands never write at once; raise StoreError when another one holds it."""
    lock = filelock.FileLock(workspace.root / ".lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise StoreError(f"Another bee is at work in {workspace.root}; wait for it, or name another --data.") from None
    except OSError as error:
        raise StoreError(f"Cannot write in {workspace.root}: {error.strerror}.") from error
    try:
        yield
    finally:
        lock.release()


def write_bytes(path: Path, data: bytes) -> bool:
    """Write a whole file or nothing: a temporary file, fsync, rename. Return whether anything changed."""
    try:
        if path.is_file() and path.read_bytes() == data:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)  # noqa: PTH101 - mkstemp gives a name, not a path
            os.replace(temporary, path)  # noqa: PTH105
        except BaseException:
            os.unlink(temporary)  # noqa: PTH108
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"Cannot write {path}: {error.strerror or error}. Nothing was changed.") from error
    return True


def _sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut, where the system allows a folder to be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_bytes(path: Path, made_by: str) -> bytes:
    """Read a whole file; when it is not there, say which command makes it."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise StoreError(f"There is no {path}; `{made_by}` makes it.") from None
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror}.") from error


def gzipped(data: bytes) -> bytes:
    """Compress without a clock in the header, so that the same data makes the same bytes."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def gunzipped(data: bytes, where: object) -> bytes:
    """Decompress; raise StoreError when the data is damaged."""
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise StoreError(f"{where} is damaged: {error}") from error


def read_table(workspace: Workspace, table: str, made_by: str) -> pd.DataFrame:
    """Read a derived table from `build/` and check it."""
    data = read_bytes(workspace.build / f"{table}.parquet", made_by)
    return frames.check(pd.read_parquet(io.BytesIO(data)), table)


def write_table(workspace: Workspace, table: str, frame: pd.DataFrame) -> bool:
    """Check a derived table and write it to `build/`."""
    buffer = io.BytesIO()
    frames.check(frame, table).to_parquet(buffer, index=False)
    return write_bytes(workspace.build / f"{table}.parquet", buffer.getvalue())


def read_custom(workspace: Workspace, table: str) -> pd.DataFrame:
    """Read a table from `custom/` that may not be there yet."""
    path = workspace.custom / f"{table}.csv"
    if not path.exists():
        return frames.empty(table)
    try:
        return frames.from_text(frames.read_csv(read_bytes(path, "bee merge"), path), table)
    except frames.FrameError as error:
        raise StoreError(f"{path}: {error}") from error


def receipts(workspace: Workspace, source: str) -> pd.DataFrame:
    """Read the receipts of a source; none yet is an empty table."""
    path = workspace.raw / source / "receipts.csv"
    if not path.exists():
        return frames.empty("receipts")
    return frames.from_text(frames.read_csv(read_bytes(path, "bee fetch"), path), "receipts")


def keep_captures(workspace: Workspace, source: str, found: Iterable[tuple[str, str, bytes]], fetched_at: str) -> int:
    """Store captures (name, url, bytes) as they came, each once, and then their receipts. Return how many are new.

    The same bytes are never stored again; other bytes of a known name get a name of their own. A capture without
    a receipt (the command was killed between the two) is stored again by the next run.
    """
    known = receipts(workspace, source)
    hashes, names = set(known["sha256"]), set(known["name"])
    rows = frames.rows(known)
    for name, url, data in found:
        digest = sha256(data)
        if digest in hashes:
            continue
        if name in names:
            stem, dot, suffix = name.partition(".")
            name = f"{stem}-{digest[:8]}{dot}{suffix}"
        write_bytes(workspace.raw / source / name, data)
        hashes.add(digest)
        names.add(name)
        row = {"source": source, "name": name, "url": url, "fetched_at": fetched_at, "status": "ok"}
        rows.append({**row, "bytes": len(data), "sha256": digest})
    if len(rows) > len(known):
        write_bytes(
            workspace.raw / source / "receipts.csv", frames.csv_bytes(frames.check(pd.DataFrame(rows), "receipts"))
        )
    return len(rows) - len(known)


def captures(workspace: Workspace) -> Iterator[tuple[str, Path, str]]:
    """Yield (source, path, sha256) of every capture with a receipt, the latest of a source last."""
    for folder in sorted(workspace.raw.glob("*/receipts.csv")):
        source = folder.parent.name
        for row in frames.rows(receipts(workspace, source).sort_values(["fetched_at", "name"])):
            yield source, folder.parent / row["name"], row["sha256"]


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hex."""
    return hashlib.sha256(data).hexdigest()
