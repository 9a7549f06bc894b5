"""Imports: takes official answers from files into the captures.

A file in the format of a site is a list of that site, whatever its name. Any other file is a source of its own, without
trust. A person can name another source.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pipeline import clock
from pipeline.errors import StoreError
from pipeline.facts.by_hand import NO_SOURCE
from pipeline.fetching import captures
from pipeline.fetching.captures import Capture
from pipeline.progress import Progress, no_progress
from pipeline.sources import MAX_BYTES, SITE_OF, read_capture, too_large
from pipeline.sources.day import Day, Fault
from pipeline.store import Workspace


@dataclass(slots=True)
class ImportResult:
    """The result of an import: files read, new captures, valid days, faults, and the sources of the files."""

    files: int = 0
    new: int = 0
    days: int = 0
    faults: list[Fault] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)


def source_name(name: str) -> str:
    """Return the name of an untrusted source, made from its file, folder or host; never that of a trusted source.

    >>> source_name("example.org"), source_name("Days (2).csv"), source_name("nyt")
    ('example-org', 'days-2-csv', 'import-nyt')
    """
    slug = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:33]
    return f"import-{slug}" if slug in ("", *SITE_OF, NO_SOURCE, captures.SAMPLE_SOURCE) else slug


def import_path(workspace: Workspace, path: Path, source: str, progress: Progress = no_progress) -> ImportResult:
    """Import a file, or every file of a folder, as captures of a source.

    Without a `source`, that of each file is the one whose format it has; a file in a format that anyone may write is
    named after the imported path. A file in an unknown format is not stored. A file or folder inside a folder that
    cannot be read is a fault and is skipped. Raises StoreError for a path that is no file and no folder with files.
    """
    if not path.is_dir() and not path.is_file():
        if path.exists():
            raise StoreError(f"{path} is a pipe or a device; save its output as a file, and import that.")
        raise StoreError(f"There is no file {path}.")
    faults: list[Fault] = []
    paths = _files_below(path, faults) if path.is_dir() else [path]
    if not faults and not paths:
        raise StoreError(f"{path} contains no files.")
    name = source_name(path.resolve().name)

    def files() -> Iterator[Capture]:
        for file in progress(paths, "reading"):
            try:
                if file.stat().st_size > MAX_BYTES:
                    faults.append(too_large(str(file)))
                else:
                    yield _capture(source or name, file, path)
            except OSError as error:
                faults.append(_unreadable(file, error))

    result = import_files(workspace, source, files())
    return replace(result, faults=faults + result.faults)


def _capture(source: str, file: Path, imported: Path) -> Capture:
    """Return a file as a capture, named by its path in the imported folder. What is no text in a name is replaced."""
    name = file.name if file == imported else file.relative_to(imported)
    texts = [os.fsencode(each).decode("utf-8", "replace") for each in (name, file.absolute())]
    return Capture(source, texts[0], texts[1], file.read_bytes(), captures.stamp(clock.now()))


def _files_below(folder: Path, faults: list[Fault]) -> list[Path]:
    """List the files below a folder, without hidden ones; add a fault for each unreadable folder and broken link."""
    paths = []

    def add_fault(error: OSError) -> None:
        faults.append(_unreadable(error.filename, error))

    for root, folders, names in os.walk(folder, onerror=add_fault):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(root) / name
            if name.startswith("."):
                continue
            if path.is_file():
                paths.append(path)
            elif path.is_symlink():
                faults.append(Fault("unreadable", str(path), "The link is broken."))
    return sorted(paths)


def _unreadable(path: object, error: OSError) -> Fault:
    return Fault("unreadable", str(path), f"{error.strerror or error}.")


def import_files(workspace: Workspace, source: str, files: Iterable[Capture]) -> ImportResult:
    """Store each file that has a day, each in a transaction of its own.

    A file is a list of the `source`, or else of the trusted source whose format it has, or else of its own source.
    Raises StoreError for a name that is not valid for a source, and if the database cannot be written.
    """
    if source and (not re.fullmatch("[a-z0-9_-]{1,40}", source) or source in (captures.SAMPLE_SOURCE, NO_SOURCE)):
        rule = f"use only a to z, digits, - and _, and not {captures.SAMPLE_SOURCE} or {NO_SOURCE}"
        raise StoreError(f'"{source[:40]}" is not a valid name for a source: {rule}.')
    result = ImportResult()
    with captures.opened(workspace.root / captures.PATH, create=True) as database:
        for file in files:
            parsed = read_capture(file.data, file.name)
            days = _days_that_came(file, parsed.days, result.faults)
            result.faults += parsed.faults
            result.days += len(days)
            result.files += 1
            if days:
                of_format = parsed.source if parsed.source in SITE_OF else ""
                named = replace(file, source=source or of_format or file.source)
                result.sources.add(named.source)
                with database:
                    result.new += captures.keep(database, named, days)
    return result


def _days_that_came(file: Capture, days: Iterable[Day], faults: list[Fault]) -> list[Day]:
    """Return the days up to tomorrow, going by the time of a capture; add a fault for each later day."""
    last = captures.last_date(file.came_at)
    clock_text = f"the clock of this computer says {file.came_at[:10]}"
    days_that_came = []
    for day in days:
        if day.date <= last:
            days_that_came.append(day)
        else:
            problem = f"{day.date} is later than tomorrow; {clock_text}. If the clock is wrong, set it."
            faults.append(Fault("bad-date", file.name, problem))
    return days_that_came
