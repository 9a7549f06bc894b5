"""The only reader of the data that came with the package: a release, which is checked, and tables of the lexicon.

A release is a folder with `SHA256SUMS` and the files that it lists, including `datapackage.json`, which describes the
others. Standard library only.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import io
import json
import os
import re
import time
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import BeeError, ReleaseError

SUMS = "SHA256SUMS"
PACKAGE = "datapackage.json"
MODEL, GLOSSES = "model.csv", "glosses.csv"
BY_PEOPLE = ("days.csv", GLOSSES, "offensive.csv", "verdicts.csv")
"""The files next to a release that people write."""
LICENSES = "LICENSES.txt"
NEEDED = (PACKAGE, "wordlist.txt", "words.csv")
"""The files without which a whole release is incomplete."""
READY = ".ready"
"""The folder of files that a publish has written, but not yet moved to the folder of the release."""
MAX_TRIES = 20
"""The number of times that a release is read again while it is being replaced, a twentieth of a second apart."""
FEW_WORDS = 1_000
"""Up to this many words are looked for in a table; for more of them, reading the whole table is faster."""
_REMEDY = "Take all files from one release."

_HERE = Path(__file__).parent
IS_INSTALLED = (_HERE / "release").is_dir()
_CHECKOUT = _HERE.parent / "data"
RELEASE = _HERE / "release" if IS_INSTALLED else _CHECKOUT / "custom"
"""The folder of the release that came with this package: inside an installed wheel, or in the checkout."""
LEXICON_FOLDER = _HERE / "lexicon" if IS_INSTALLED else _CHECKOUT / "raw/lexicon"
"""The folder of the tables of the lexicon that came with this package: glosses and SCOWL's sizes."""


@dataclass(frozen=True, slots=True)
class Release:
    """Files of a release, name to bytes, each one checked."""

    files: dict[str, bytes]

    @property
    def package(self) -> dict[str, Any]:
        """The parsed description of the release, `datapackage.json`, which must be among the files."""
        try:
            package = dict(json.loads(self.files[PACKAGE]))
        except (ValueError, TypeError):
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
            return check({SUMS: checksums} | files, folder, needed=() if names else NEEDED)
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


def rows(table: bytes, name: str, words: str | None = None) -> list[dict[str, str]]:
    """Return the rows of a CSV table of a release or of the lexicon, column to cell; each cell is its text, unchanged.

    `words` is a regular expression for the first cell, such as one of `any_of`: only rows that match it are parsed,
    which is much faster. No cell may have a line end.

    Raises ReleaseError, which has the `name`, if the table is damaged.

    >>> rows(b"word,size\\ncave,10\\nnull,60\\n", "scowl", "null|nil")
    [{'word': 'null', 'size': '60'}]
    """
    if words is not None:  # beginning with the line end is ten times as fast as with `^`
        lines = re.findall(rb'\n"?(?:%s)"?,[^\n]*' % words.encode(), table)
        table = b"".join([_first_line(table), *lines])
    try:
        text = table.decode("utf-8-sig").rstrip("\r\n")
        columns, *rows_of_cells = csv.reader(text.split("\n"), strict=True)
        if not columns or any(len(cells) != len(columns) for cells in rows_of_cells):
            raise ValueError("a row has the wrong number of cells")
        return [dict(zip(columns, cells, strict=True)) for cells in rows_of_cells]
    except (ValueError, csv.Error) as error:
        raise ReleaseError(f"{name} is damaged: {error}.") from error


def _first_line(table: bytes) -> bytes:
    """Return the first line of a table, without its end and without a copy of the rest."""
    return io.BytesIO(table).readline().rstrip(b"\n")


def any_of(words: Collection[str]) -> str | None:
    """Return a regular expression for some words; None, which stands for all rows, if there are more than `FEW_WORDS`.

    >>> any_of({"luff", "cove"})
    'cove|luff'
    """
    return "|".join(map(re.escape, sorted(words))) if len(words) <= FEW_WORDS else None


def glosses(folder: str | os.PathLike[str], words: str | None = None) -> list[dict[str, str]]:
    """Return the rows of `glosses.csv`: word, pos, gloss; none if the release in the folder was made without it.
    `words` is as in `rows`.

    Raises ReleaseError if it is missing or damaged.
    """
    if GLOSSES not in read(folder, PACKAGE).package.get("made_with", {}):
        return []
    path = Path(folder, GLOSSES)
    if not path.is_file():
        raise ReleaseError(f"{GLOSSES} is missing from {folder}; the release was made with it.")
    try:
        table = path.read_bytes()
        definitions = rows(table, GLOSSES, words)
    except (OSError, ReleaseError) as error:
        raise ReleaseError(f"{GLOSSES} in {folder} is damaged.") from error
    header = _first_line(table).removeprefix(codecs.BOM_UTF8).strip()
    if header != b"word,pos,gloss" or not all(row["word"] and row["pos"] and row["gloss"] for row in definitions):
        raise ReleaseError(f"{GLOSSES} in {folder} has other columns, or a line that is no definition.")
    return definitions


def lexicon_table(name: str, folder: str | os.PathLike[str] = LEXICON_FOLDER) -> bytes:
    """Return a table of the lexicon; raise BeeError if it is absent or damaged."""
    path = Path(folder, f"{name}.csv.gz")
    try:
        return gzip.decompress(path.read_bytes())
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise BeeError(f"Cannot read {path} ({error}).") from error
