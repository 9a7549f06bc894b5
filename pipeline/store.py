"""The disk: where each file is, atomic writes of whole files, and one writer at a time.

A *workspace* is a folder with `raw/` (captures and lexicon), `build/` (derived tables) and `custom/` (files that people
write, and the release). Cells are read as text, because *null* is a word. Packages are imported only where they are
needed, because `bee export` writes files without them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from pipeline import reader
from pipeline.errors import ReleaseError, StoreError
from pipeline.words import count

WAIT = 10.0
"""The seconds to wait for another program that has locked a workspace or its captures."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder that commands work in."""

    root: Path

    @property
    def raw(self) -> Path:
        """The captures, the lexicon, and the sample of answers."""
        return self.root / "raw"

    @property
    def build(self) -> Path:
        """Derived tables, which can be deleted."""
        return self.root / "build"

    @property
    def custom(self) -> Path:
        """Files that people write, the weights, and the release."""
        return self.root / "custom"


def is_merging(folder: Path) -> bool:
    """Return whether git has begun a merge or a rebase in the checkout of a folder, and has not finished it."""
    for parent in (folder.resolve(), *folder.resolve().parents):
        git = parent / ".git"
        if git.is_file():  # in a further working tree, it names the folder
            git = parent / git.read_text().strip().removeprefix("gitdir: ")
        if git.exists():
            return any((git / name).exists() for name in MERGING)
    return False


MERGING = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
"""What git keeps in its folder until a merge or the like is finished."""


def user_name(folder: Path) -> str:
    """Return the name of git's user in a folder, or else of the system's user; "" if there is none."""
    name = ""
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        command = ["git", "config", "user.name"]
        output = subprocess.check_output(command, cwd=folder, stderr=subprocess.DEVNULL)
        name = output.decode("utf-8", "replace").strip()
    return name or os.environ.get("USER") or os.environ.get("USERNAME") or ""


def program_version() -> str:
    """Return the version of this program; "0" if it runs without being installed."""

    import importlib.metadata  # only --version and the network need it, and importing it takes time

    try:
        return importlib.metadata.version("bee-pipeline")
    except importlib.metadata.PackageNotFoundError:
        return "0"


def find_workspace(folder: Path | None = None) -> Workspace:
    """Return the workspace in a folder, by default that of BEE_DATA, `data/` in the current folder, or else `data/` in
    the checkout.

    Without a folder, a workspace must have a lexicon or a release. If there is none, it is `data/` in the current
    folder, where `bee init` makes one. Raises StoreError if a folder that is named does not exist.
    """
    named = folder or os.environ.get("BEE_DATA")
    if named:
        if not Path(named).is_dir():
            raise StoreError(f"There is no folder {named}.")
        return Workspace(Path(named))
    here = Path("data")
    for root in (here, Path(__file__).parent.parent / "data"):
        has_lexicon = (root / "raw/lexicon").is_dir()
        has_release = (root / "raw").is_dir() and (root / "custom" / reader.SUMS).is_file()
        if has_lexicon or has_release:
            return Workspace(root)
    return Workspace(here)


def find_release(workspace: Workspace) -> Path:
    """Return the folder of the release to read: that of a workspace, or of the program if the workspace has none."""
    custom = workspace.custom
    has_release = any((custom / name).exists() for name in (reader.SUMS, reader.PACKAGE, reader.READY, "wordlist.txt"))
    return custom if has_release else reader.RELEASE


LOCK = ".lock"
"""The lock of a workspace."""


@contextlib.contextmanager
def locked(workspace: Workspace, name: str = LOCK) -> Iterator[None]:
    """Lock the workspace, so that two commands never write at once, and clean up after a killed command.

    `name` is the file of the lock; another one than that of the workspace locks nothing else. Raises StoreError if
    there is no workspace, and if another command holds the lock for longer than `WAIT` seconds.
    """
    import filelock  # only commands that write need it, and importing it takes time

    if not workspace.root.is_dir():
        raise StoreError(
            "There is no workspace here: `bee init` makes one in ./data; --data DIR or BEE_DATA names another."
        )
    lock = filelock.FileLock(workspace.root / name)
    try:
        lock.acquire(timeout=WAIT, poll_interval=0.02)
    except filelock.Timeout:
        raise StoreError(
            f"Another bee command is still running in {workspace.root} after {WAIT:g} seconds; wait until it ends."
        ) from None
    except OSError as error:
        raise StoreError(f"Cannot write in {workspace.root}: {error.strerror}.") from error
    try:
        if name == LOCK:
            _finish_replacement(workspace.custom)
            for folder in (workspace.build, workspace.custom):
                delete_temporary_files(folder)
        yield
    finally:
        lock.release()


def write_bytes(path: Path, data: bytes) -> bool:
    """Write a file atomically (temporary file, fsync, rename), and return whether anything changed.

    An existing file keeps its permissions, and a new one gets those of the umask. A link is followed. A device or a
    pipe is written directly, because it cannot be replaced.
    """
    if path.is_dir():
        raise StoreError(f"Cannot write {path}: it is a folder.")
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                file.write(data)
            return True
        path = path.resolve() if path.is_symlink() else path
        if _has_content(path, data):
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
        try:
            with temporary.open("xb") as file:
                if path.exists():
                    shutil.copymode(path, temporary)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)  # noqa: PTH105
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreError(f"Cannot write {path}: {error.strerror or error}. Nothing was changed.") from error
    return True


def write_folder(
    folder: Path, files: Mapping[str, bytes], own_entries: Callable[[Path], AbstractSet[str]], force: bool
) -> None:
    """Write the files of a command to a folder, and delete what only its last run wrote there.

    `own_entries` returns the files and folders at the top of the folder that the last run made; all others stay. Raises
    StoreError, before anything is changed, if one of the others has the name of a new entry, or if the folder has only
    others, unless `force` is given. If a run is interrupted, the next one completes the folder.
    """
    entries = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    own = own_entries(folder) & entries
    others = entries - own
    refused = sorted(others & {name.partition("/")[0] for name in files} if own else others)
    if refused and not force:
        why = f"{folder} has {count(len(refused), 'file')} that this command did not make, such as {refused[0]}"
        raise StoreError(f"Nothing was written: {why}. Name another folder, or use --force.")
    for name, data in files.items():
        write_bytes(folder / name, data)
    for path in sorted(path for entry in own for path in (folder / entry, *(folder / entry).rglob("*"))):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()


def write_together(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace files in a folder, all or none; files that are already correct are not changed.

    The files are first written to another folder, which is renamed to `.ready` when it is complete. From then on,
    `reader.read` returns the new files, wherever they are. The caller must hold the lock. If a replacement is
    interrupted after the rename, the next command that takes the lock finishes it. If it is interrupted earlier, the
    next replacement deletes what it left.
    """
    changed = {name: data for name, data in files.items() if not _has_content(folder / name, data)}
    if not changed:
        return
    unfinished = folder / ".begun"
    shutil.rmtree(unfinished, ignore_errors=True)
    for name, data in changed.items():
        write_bytes(unfinished / name, data)
        if (folder / name).exists():
            shutil.copymode(folder / name, unfinished / name)
    _sync_folder(unfinished)
    unfinished.rename(folder / reader.READY)
    _sync_folder(folder)
    _finish_replacement(folder)


def _finish_replacement(folder: Path) -> None:
    """Finish a `write_together` that was interrupted while it moved files. The caller must hold the lock.

    Raises StoreError if the files in `.ready` do not match the checksums of their release; then nothing is moved.
    """
    ready = folder / reader.READY
    if not ready.is_dir():
        return
    try:
        files = {path.name: path.read_bytes() for path in sorted(ready.iterdir())}
        if files:
            checksums = reader.parse_checksums(files.get(reader.SUMS) or (folder / reader.SUMS).read_bytes(), ready)
            for name, data in files.items():
                if name != reader.SUMS and reader.sha256(data) != checksums.get(name):
                    raise ReleaseError(f"{name} is not the published file")
        for name in files:
            (ready / name).replace(folder / name)
        ready.rmdir()
    except (OSError, ReleaseError) as error:
        why = getattr(error, "strerror", None) or error
        raise StoreError(f"Cannot move {ready} into place ({why}).") from error


def _has_content(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def delete_temporary_files(folder: Path) -> None:
    """Delete temporary files that a killed command left. The caller must hold the lock."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power failure, if the system allows opening a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


PROGRAM = "the program"
"""What makes the files that are part of the program."""


def missing_file(path: Path, made_by: str) -> StoreError:
    """Return the error for a file that does not exist; it names the command that makes the file."""
    if made_by == PROGRAM:
        return StoreError(f"There is no {path}; it is a part of the program, so install the program again.")
    return StoreError(f"There is no {path}; `{made_by}` makes it.")


def read_bytes(path: Path, made_by: str, max_bytes: int = -1) -> bytes:
    """Read a file, or the first `max_bytes` bytes of it.

    Raises StoreError if it cannot be read; if it does not exist, the message names the command that makes it.
    """
    try:
        with path.open("rb") as file:
            return file.read(max_bytes)
    except FileNotFoundError:
        raise missing_file(path, made_by) from None
    except OSError as error:
        raise StoreError(f"Cannot read {path}: {error.strerror}.") from error


def is_missing_or_empty(path: Path) -> bool:
    """Return whether a file does not exist or is empty; a full disk may leave an empty file."""
    return not path.is_file() or not path.stat().st_size


def read_if_exists(path: Path) -> bytes:
    """Read a whole file; return no bytes if it does not exist."""
    return read_bytes(path, "") if path.exists() else b""
