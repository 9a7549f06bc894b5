"""Disk, and nothing but: where each file is, whole-file writes that cannot be half done, one writer at a time.

A *workspace* is a folder with `raw/` (captures and lexicon), `build/` (derived tables) and `custom/` (what people
write, the evidence, the release). Cells are read literally: *null* is a word.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import hashlib
import io
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import filelock
import pandas as pd

from pipeline import frames
from pipeline.words import BeeError

LONGEST_LINE = 65_536


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
    """Write a whole file or nothing: a temporary file, fsync, rename. Return whether anything changed.

    A link is followed; a device or a pipe is written to as it is, for there is nothing to put in its place.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            with path.open("wb") as file:
                file.write(data)
            return True
        path = path.resolve() if path.is_symlink() else path
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


def sweep(folder: Path) -> None:
    """Take away what a killed writer left half-written; only for who holds the workspace."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


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
    try:
        return frames.check(pd.read_parquet(io.BytesIO(data)), table)
    except (ValueError, OSError) as error:
        path = workspace.build / f"{table}.parquet"
        raise StoreError(f"{path} is damaged; delete it, and `{made_by}` makes it again.") from error


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


def read_log(path: Path, table: str) -> pd.DataFrame:
    """Read a table that grows by lines: the last row of a key counts, and a last line that was cut off does not."""
    data = read_bytes(path, "bee fetch") if path.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if not whole:
        return frames.empty(table)
    frame = frames.read_csv(whole, path)
    return frames.from_text(frame.drop_duplicates(list(frames.CONTRACTS[table].key), keep="last"), table)


def append_row(path: Path, table: str, row: Mapping[str, object]) -> None:
    """Add one line to a table; what a killed writer left of a line is taken away first.

    The line outlives a kill at once, a power cut only when the system gets round to it: what it speaks of is on disk
    before, and without its line is fetched again.
    """
    columns = list(frames.CONTRACTS[table].columns)
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
        raise StoreError(f"Cannot write {path}: {error.strerror or error}. What is there stays.") from error


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hex."""
    return hashlib.sha256(data).hexdigest()
