"""The files of a release that may come from anyone, in a folder or in an archive.

Only regular files are read, and all of them together must not be larger than `reader.MAX_BYTES`. Nothing is unpacked to
the disk.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pipeline import reader
from pipeline.errors import BeeError, ReleaseError
from pipeline.publishing.verify import MADE_WITH, coverage_of

MAX_ARCHIVE = 300_000_000
"""A larger archive is not read; the size of a tarball is the unpacked one. An archive of the repository has 31 MB."""
MAX_ENTRIES = 10_000
"""An archive with more entries is not read. An archive of the repository has about 500."""
GZIP, ZIP, ZIP_ENTRY = b"\x1f\x8b", b"PK", b"PK\1\2"
"""The first bytes of a compressed file, of a zip, and of each entry in the directory of a zip."""
TAR, TAR_AT = b"ustar", 257
"""The text that marks a tarball, and its position."""
BLOCK = tarfile.BLOCKSIZE
UNREADABLE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError)
"""What reading a damaged or encrypted archive raises."""

ReadFile = Callable[[str], bytes | None]
"""A function that returns a file of a release by its name, or None if there is no such file."""


def files_of(origin: str) -> dict[str, bytes]:
    """Return the unchecked files of a release, name to bytes, and those of `verify.MADE_WITH` next to it.

    `origin` is a folder or an archive. Raises BeeError if it has no release, or if it is too large.
    """
    path = Path(origin)
    if path.is_dir():
        release = reader.read(path)
        files = {**release.files, reader.SUMS: reader.format_checksums(release.files)}
        return files | reader.gather(MADE_WITH, partial(_file_in_folder, path), path)
    if not path.is_file():
        raise BeeError(f"There is no folder or archive {origin}.")
    read_file = _archive(path)
    checksums = reader.gather([reader.SUMS], read_file, origin)
    if not checksums:
        raise BeeError(f"{origin} has no release.")
    names = [*reader.parse_checksums(checksums[reader.SUMS], origin), *MADE_WITH]
    return checksums | reader.gather(names, read_file, origin)


def is_whole(folder: Path) -> bool:
    """Return whether there is an undamaged release in a folder, from which a merge can go on."""
    try:
        coverage_of(reader.read(folder).files[reader.PACKAGE])
    except ReleaseError:
        return False
    return True


def is_archive(path: Path) -> bool:
    """Return whether a file is a zip or a tarball."""
    try:
        start = _unpacked(path, TAR_AT + len(TAR))
    except UNREADABLE:
        return False
    return start.startswith(ZIP) or start[TAR_AT:] == TAR


def _file_in_folder(folder: Path, name: str) -> bytes | None:
    """Return a file in a folder, or None if it is not a regular file; at most one byte more than the limit is read."""
    if not (folder / name).is_file():
        return None
    with (folder / name).open("rb") as file:
        return file.read(reader.MAX_BYTES + 1)


def _archive(path: Path) -> ReadFile:
    """Return a function that reads a file of the release in a wheel, a zip or a tarball; raises BeeError for others."""
    try:
        data = _unpacked(path, MAX_ARCHIVE + 1)
        if len(data) > MAX_ARCHIVE:
            raise BeeError(f"{path} is larger than {MAX_ARCHIVE // 1_000_000} MB, so it is not a release.")
        entries = _zip_entries(data) if data.startswith(ZIP) else _tar_entries(data)
    except UNREADABLE as error:
        raise BeeError(f"{path} is damaged or does not contain a release.") from error
    if len(entries) > MAX_ENTRIES:
        raise BeeError(f"{path} has more than {MAX_ENTRIES:,} files, so it is not a release.")
    # A wheel and the repository have word lists with checksums, too.
    paths_of_sums = [name for name in entries if f"/{name}".endswith(f"/{reader.SUMS}") and "lexicon/" not in name]
    folder = min(paths_of_sums, key=len, default="").removesuffix(reader.SUMS)

    def read_file(name: str) -> bytes | None:
        if folder + name not in entries:
            return None
        try:
            return entries[folder + name]()
        except UNREADABLE as error:
            raise BeeError(f"{name} in {path} is damaged or encrypted.") from error

    return read_file


def _unpacked(path: Path, max_bytes: int) -> bytes:
    """Return the start of a file, decompressed if the whole file is compressed with gzip."""
    with path.open("rb") as file:
        is_packed = file.read(len(GZIP)) == GZIP
        file.seek(0)
        if not is_packed:
            return file.read(max_bytes)
        with gzip.GzipFile(fileobj=file) as unpacked:
            return unpacked.read(max_bytes)


def _zip_entries(data: bytes) -> dict[str, Callable[[], bytes]]:
    """Return the files in a zip by name, each as a function that unpacks it.

    Files with a rare compression method are left out, because `zipfile` unpacks them whole, however large they are.
    """
    if data.count(ZIP_ENTRY) > MAX_ENTRIES:
        raise zipfile.BadZipFile("too many entries")
    archive = zipfile.ZipFile(io.BytesIO(data))

    def read_entry(entry: zipfile.ZipInfo) -> bytes:
        with archive.open(entry) as file:
            return file.read(reader.MAX_BYTES + 1)

    usual_methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    entries = [entry for entry in archive.infolist() if entry.compress_type in usual_methods and not entry.is_dir()]
    return {entry.filename: partial(read_entry, entry) for entry in entries}


def _tar_entries(data: bytes) -> dict[str, Callable[[], bytes]]:
    """Return the regular files in a tarball by name, each as a function that returns its bytes; raises TarError.

    The headers are read one by one, because `tarfile` reads extended headers of any size, and by recursion. Extended
    headers are for names of more than 100 letters, links and sparse files, which no release has.
    """
    entries: dict[str, Callable[[], bytes]] = {}
    header_start = 0
    while any(data[header_start : header_start + BLOCK]) and len(entries) <= MAX_ENTRIES:
        content_start = header_start + BLOCK
        header = tarfile.TarInfo.frombuf(data[header_start:content_start], "utf-8", "surrogateescape")
        content_end = content_start + header.size
        if not content_start <= content_end <= len(data):
            raise tarfile.ReadError(f"{header.name} is cut short")
        if header.type in (tarfile.REGTYPE, tarfile.AREGTYPE):
            entries[header.name] = partial(bytes, memoryview(data)[content_start:content_end])
        padding = (BLOCK - header.size % BLOCK) % BLOCK
        header_start = content_end + padding
    return entries
