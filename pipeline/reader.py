"""The only reader of the data that came with the package: a release, which is checked, and tables of the lexicon.

A release is a folder with `SHA256SUMS` and the files that it lists, including `datapackage.json`, which describes the
others. Standard library only.
"""

from __future__ import annotations

import bisect
import csv
import gzip
import hashlib
import itertools
import json
import os
import re
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import BeeError, ReleaseError
from pipeline.words import WORD_COLUMNS, count

SUMS = "SHA256SUMS"
PACKAGE = "datapackage.json"
MODEL, GLOSSES = "model.csv", "glosses.csv"
BY_PEOPLE = ("days.csv", GLOSSES, "offensive.csv", "verdicts.csv")
"""The files next to a release that people write."""
LICENSES = "LICENSES.txt"
READY = ".ready"
"""The folder of files that a publish has written, but not yet moved to the folder of the release."""
MAX_TRIES = 20
"""The number of times that a release is read again while it is being replaced, a twentieth of a second apart."""
_REMEDY = "Take all files from one release."

_HERE = Path(__file__).parent
IS_INSTALLED = (_HERE / "release").is_dir()
_CHECKOUT = _HERE.parent / "data"
RELEASE = _HERE / "release" if IS_INSTALLED else _CHECKOUT / "custom"
"""The folder of the release that came with this package: inside an installed wheel, or in the checkout."""
LEXICON_FOLDER = _HERE / "lexicon" if IS_INSTALLED else _CHECKOUT / "raw/lexicon"
"""The folder of the tables of the lexicon that came with this package: glosses and SCOWL's sizes."""
FEW_WORDS = 1_000
"""Up to this many words are looked up in a table one by one; for more of them, reading the whole table is faster."""

MAX_LINES = 20
"""Up to this many words are looked up in a file of people one by one; for more, reading the whole file is faster."""


@dataclass(frozen=True, slots=True)
class Release:
    """Files of a release, name to bytes, each one checked."""

    files: dict[str, bytes]

    @property
    def package(self) -> dict[str, Any]:
        """The parsed description of the release, `datapackage.json`, which must be among the files."""
        try:
            package = dict(json.loads(self.files[PACKAGE]))
        except (ValueError, TypeError, RecursionError):  # the last one if it is nested too deeply
            package = {}
        if not {"title", "version", "licenses", "sources"} <= package.keys():
            raise ReleaseError(f"{PACKAGE} does not describe a release. {_REMEDY}")
        return package

    @property
    def version(self) -> str:
        """The version of the release, such as `2025.12.31.1`."""
        return str(self.package["version"])


def read(folder: str | os.PathLike[str], *names: str) -> Release:
    """Read files of the release in a folder and check each; without names, all that `SHA256SUMS` lists.

    A publish puts all its new files into `.ready` with one rename before it moves them. So a file there takes
    precedence over the one in the folder, and all files read belong to one release, even if the publish is running or
    was killed. Files that were moved in the meantime are read again. Raises ReleaseError, which names the file, the
    problem, and a way to repair it.
    """
    folder = Path(folder)
    tries = 0
    while True:
        checksums = _read_file(folder, SUMS)
        tries += 1
        try:
            wanted = names or tuple(parse_checksums(checksums, folder))
            files = {name: _read_file(folder, name) for name in wanted}
            return check({SUMS: checksums} | files, folder)
        except ReleaseError:
            is_being_replaced = (folder / READY).is_dir() or _read_file(folder, SUMS) != checksums
            if tries == MAX_TRIES or not is_being_replaced:
                raise
        time.sleep(0.05)


def check(files: Mapping[str, bytes], path: object, needed: Iterable[str] = ()) -> Release:
    """Check files of a release, name to bytes, against their checksums; `SHA256SUMS` must be among them.

    Raises ReleaseError for a file that is not the published one, and if one of the `needed` files is missing.
    """
    if SUMS not in files:
        raise ReleaseError(f"There is no {SUMS} in {path}, so nothing there can be verified. {_REMEDY}")
    expected = parse_checksums(files[SUMS], path)
    absent = sorted({*needed} - files.keys())
    if absent:
        raise ReleaseError(f"There is no {absent[0]} in {path}, so the release there is incomplete. {_REMEDY}")
    for name, data in files.items():
        if name != SUMS and sha256(data) != expected.get(name):
            wrong = "is not the file that was published" if name in expected else f"is not listed in {SUMS}"
            raise ReleaseError(f"{name} in {path} {wrong}: it was edited, or it is from another release. {_REMEDY}")
    return Release({name: data for name, data in files.items() if name != SUMS})


def parse_checksums(sums: bytes, path: object) -> dict[str, str]:
    """Parse `SHA256SUMS` in the format of `sha256sum`: file name to checksum.

    Raises ReleaseError if it is damaged.
    """
    checksums = {}
    for line in sums.decode("utf-8", "replace").splitlines():
        checksum, _, name = line.partition("  ")
        if len(checksum) != 64 or not name:
            raise ReleaseError(f"{SUMS} in {path} is damaged. {_REMEDY}")
        checksums[name] = checksum
    if not checksums:
        raise ReleaseError(f"{SUMS} in {path} is damaged. {_REMEDY}")
    return checksums


def format_checksums(files: Mapping[str, bytes]) -> bytes:
    """Write `SHA256SUMS`: a line for each file, A to Z, as `sha256sum -c` reads it."""
    return "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files)).encode()


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hex."""
    return hashlib.sha256(data).hexdigest()


def _read_file(folder: Path, name: str) -> bytes:
    """Read a file of a release: from `.ready` if a publish has not moved it yet, else from the folder."""
    for path in (folder / READY / name, folder / name):
        try:
            return path.read_bytes()
        except FileNotFoundError as error:
            reason = error.strerror
        except OSError as error:
            raise ReleaseError(f"There is no release in {folder}: {name} cannot be read ({error.strerror}).") from error
    if name != SUMS and (folder / SUMS).is_file():
        raise ReleaseError(f"The release in {folder} lacks {name}. {_REMEDY}")
    raise ReleaseError(f"There is no release in {folder}: {name} cannot be read ({reason}).")


def word_rows(
    data: bytes, accepts_line: Callable[[str], bool] | None = None, columns: Collection[str] = tuple(WORD_COLUMNS)
) -> Iterator[dict[str, str]]:
    """Yield the rows of `words.csv` as text, column to cell; with `accepts_line`, only those whose line it accepts.

    Raises ReleaseError if one of the columns is absent, or if a row has the wrong number of cells.
    """
    try:
        lines = data.decode("utf-8-sig").rstrip("\n").split("\n")
        header = next(csv.reader(lines[:1]), [])
        absent = [name for name in columns if name not in header]
        if absent:
            raise ReleaseError(f"words.csv has no column {absent[0]}. {_REMEDY}")
        positions = {name: header.index(name) for name in columns}
        for row in csv.reader(lines[1:] if accepts_line is None else filter(accepts_line, lines[1:])):
            if len(row) != len(header):
                cells = count(len(row), "cell")
                raise ReleaseError(f"words.csv has a row of {cells}, but its header has {len(header)}. {_REMEDY}")
            yield {name: row[position] for name, position in positions.items()}
    except (UnicodeDecodeError, csv.Error) as error:
        raise ReleaseError(f"words.csv is damaged ({error}). {_REMEDY}") from error


def check_words(data: bytes) -> list[dict[str, str]]:
    """Return all rows of `words.csv`, A to Z, after checking each cell against the format of its column.

    Raises ReleaseError for an invalid cell, a word that occurs twice, or a table without words.
    """
    rows = sorted(word_rows(data), key=lambda row: row["word"])
    for name, cell_format in WORD_COLUMNS.items():
        different_cells = {row[name] for row in rows}
        wrong = {cell for cell in different_cells if not re.fullmatch(cell_format, cell)}
        if wrong:
            row = next(row for row in rows if row[name] in wrong)
            raise ReleaseError(f'words.csv: "{row[name]}" is not a valid {name} (word "{row["word"]}"). {_REMEDY}')
    if not rows:
        raise ReleaseError(f"words.csv has no words. {_REMEDY}")
    for previous, row in itertools.pairwise(rows):
        if row["word"] == previous["word"]:
            raise ReleaseError(f'words.csv has "{row["word"]}" twice. {_REMEDY}')
    return rows


def glosses(folder: str | os.PathLike[str], words: Collection[str] | None = None) -> list[list[str]]:
    """Return the rows of `glosses.csv`: word, base, pos, gloss; none if the release in the folder was made without it.
    With few `words`, only their lines are read.

    Raises ReleaseError if it is missing or damaged.
    """
    if GLOSSES not in read(folder, PACKAGE).package.get("made_with", {}):
        return []
    folder = Path(folder)
    if not (folder / GLOSSES).is_file():
        raise ReleaseError(f"{GLOSSES} is missing from {folder}; the release was made with it.", file=folder / GLOSSES)
    try:
        table = _read_file(folder, GLOSSES)
        if words is not None:
            table = lines_of(table, words)
        header, *rows = csv.reader(table.decode("utf-8-sig").rstrip("\r\n").split("\n"), strict=True)
    except (ValueError, csv.Error, ReleaseError) as error:
        raise ReleaseError(f"{GLOSSES} in {folder} cannot be read ({error}).", file=folder / GLOSSES) from error
    for row in [header, *rows]:
        is_definition = len(row) == 4 and row[0] and row[2] and row[3]
        if not is_definition:
            raise ReleaseError(f'{GLOSSES} in {folder}: "{",".join(row)}" is not a definition.', file=folder / GLOSSES)
    return rows


def lines_of(table: bytes, words: Collection[str]) -> bytes:
    """Return the header of a table and the lines of some words, which may be in any order; the whole table for more
    than `MAX_LINES` words, or if the word is not first and without quotes in each line.

    >>> lines_of(b"word,base\\nluff,a\\nluff,c\\ncove,b\\n", ["luff"])
    b'word,base\\nluff,a\\nluff,c\\n'
    """
    is_plain = re.match(rb"(\xef\xbb\xbf)?word,", table) and b'\n"' not in table
    if len(words) > MAX_LINES or not is_plain:
        return table
    lines = [table[: table.find(b"\n") + 1 or len(table)]]
    for word in sorted(words):
        start = table.find(f"\n{word},".encode())
        while start >= 0:
            end = table.find(b"\n", start + 1) + 1 or len(table)
            lines.append(table[start + 1 : end])
            start = table.find(f"\n{word},".encode(), end - 1)
    return b"".join(lines)


def lexicon_table(name: str, folder: str | os.PathLike[str] = LEXICON_FOLDER) -> bytes:
    """Return a table of the lexicon; raise BeeError if it is absent or damaged."""
    path = Path(folder, f"{name}.csv.gz")
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError, ValueError, zlib.error) as error:
        remedy = f"`git -C {folder} checkout HEAD -- .` brings it back"
        if IS_INSTALLED:
            remedy = "install the program again"
        raise BeeError(f"Cannot read {path} ({error}); {remedy}.") from error


def table_rows(table: bytes, words: Collection[str] | None = None) -> Iterator[list[str]]:
    """Yield the rows of a table of the lexicon, without its header; with `words`, only the rows of these words."""
    wanted_words = None if words is None else frozenset(words)
    if wanted_words is not None and len(wanted_words) <= FEW_WORDS:
        table = only_words(table, wanted_words)
    rows = csv.reader(table.decode("utf-8").splitlines()[1:])
    return rows if wanted_words is None else (row for row in rows if row[0] in wanted_words)


def only_words(table: bytes, words: Iterable[str]) -> bytes:
    """Return a table with its header and the lines of some words only, without the comments before the header.

    The lines are found by bisection, because reading all lines takes longer. So the table must be sorted by the word in
    its first column, as the tables of a release and of the lexicon are.

    >>> only_words(b"# sum\\nword,size\\ncave,10\\ncave,35\\ncove,60\\n", ["cove", "cave", "dove"])
    b'word,size\\ncave,10\\ncave,35\\ncove,60\\n'
    """
    header = 0
    while table.startswith(b"#", header):
        header = table.find(b"\n", header) + 1
    body = table.find(b"\n", header) + 1

    def word_at(position: int) -> bytes:
        line = table.rfind(b"\n", 0, position) + 1
        return table[line : table.find(b",", line)]

    parts = [table[header:body]]
    for word in sorted(set(words)):
        first = end = bisect.bisect_left(range(len(table)), word.encode(), lo=body, key=word_at)
        while table.startswith(f"{word},".encode(), end):
            end = table.find(b"\n", end) + 1 or len(table)
        parts.append(table[first:end])
    return b"".join(parts)
