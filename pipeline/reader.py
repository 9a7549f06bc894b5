"""The only reader of what came with the package: a release, checked before it is used, and tables of the lexicon.

A release is a folder with `SHA256SUMS` and the files that it lists, including `datapackage.json`, which describes the
others. `evidence.csv` is in the same folder; it carries its own checksum, because `bee merge` writes it between
releases. Standard library only.
"""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Callable, Collection, Iterator, Mapping

from pipeline.words import WORDS, BeeError, count

TYPE_CHECKING = False
if TYPE_CHECKING:  # the import of typing would take a tenth of the time that an answer takes
    from typing import Any

SUMS, PACKAGE, READY, GLOSSES = "SHA256SUMS", "datapackage.json", ".ready", "glosses.csv"
LICENSES = "LICENSES.txt"
TRIES = 20
"""The number of times that a release is read again while it is being replaced, a twentieth of a second apart."""
_LOST = "In a workspace, `bee restore --only glosses.csv` brings it back."
_REMEDY = "Take all files from one release; in a workspace, `bee restore` brings it back."

# `os.path` and `open`, not `pathlib`: its import alone takes longer than solving a puzzle.
_HERE = os.path.dirname(__file__)  # noqa: PTH120
_INSTALLED = os.path.isdir(f"{_HERE}/release")  # noqa: PTH112
_CHECKOUT = f"{os.path.dirname(_HERE)}/data"  # noqa: PTH120
RELEASE = f"{_HERE}/release" if _INSTALLED else f"{_CHECKOUT}/custom"
"""The folder of the release that came with this package: inside an installed wheel, or in the checkout."""
LEXICON = f"{_HERE}/lexicon" if _INSTALLED else f"{_CHECKOUT}/raw/lexicon"
"""The folder of the tables of the lexicon that came with this package: glosses and SCOWL's sizes."""


class ReleaseError(BeeError):
    """A release cannot be used: a file is missing, or is not the published one."""


class Release(namedtuple("Release", ("files",))):
    """Files of a release, name to bytes, each one checked."""

    __slots__ = ()
    files: dict[str, bytes]

    @property
    def package(self) -> dict[str, Any]:
        """The parsed description of the release, `datapackage.json`, which must be among the files."""
        import json

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
    problem, and where to get a good one.
    """
    for left in range(TRIES - 1, -1, -1):
        before = _bytes(folder, SUMS)
        try:
            wanted = names or tuple(digests(before, folder))
            return check({SUMS: before} | {name: _bytes(folder, name) for name in wanted}, folder)
        except ReleaseError:
            if not left or (_bytes(folder, SUMS) == before and not os.path.isdir(os.path.join(folder, READY))):  # noqa: PTH112, PTH118
                raise
        from time import sleep

        sleep(0.05)
    raise AssertionError


def check(files: Mapping[str, bytes], where: object, whole: bool = False) -> Release:
    """Check files of a release, name to bytes, against their checksums; `SHA256SUMS` must be among them.

    Raises ReleaseError for a file that is not the published one, and for a missing file if the `whole` release is
    required.
    """
    if SUMS not in files:
        raise ReleaseError(f"There is no {SUMS} in {where}, so nothing there can be verified. {_REMEDY}")
    expected = digests(files[SUMS], where)
    if absent := sorted(expected.keys() - files.keys()) if whole else []:
        raise ReleaseError(f"There is no {absent[0]} in {where}, which {SUMS} names. {_REMEDY}")
    for name, data in files.items():
        if name != SUMS and sha256(data) != expected.get(name):
            wrong = "is not the file that was published" if name in expected else f"is not named in {SUMS}"
            raise ReleaseError(f"{name} in {where} {wrong}: it was edited, or is from another release. {_REMEDY}")
    return Release({name: data for name, data in files.items() if name != SUMS})


def digests(sums: bytes, where: object) -> dict[str, str]:
    """Parse `SHA256SUMS` in the format of `sha256sum`: file name to checksum.

    Raises ReleaseError if it is damaged.
    """
    lines = [line.partition("  ") for line in sums.decode("utf-8", "replace").splitlines()]
    if not lines or not all(len(digest) == 64 and name for digest, _, name in lines):
        raise ReleaseError(f"{SUMS} in {where} is damaged. {_REMEDY}")
    return {name: digest for digest, _, name in lines}


def sums(files: Mapping[str, bytes]) -> bytes:
    """Write `SHA256SUMS`: a line for each file, A to Z, as `sha256sum -c` reads it."""
    return "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files)).encode()


def sha256(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hex."""
    from hashlib import sha256 as digest  # inside, because a solver with a list of its own needs none

    return digest(data).hexdigest()


def _bytes(folder: str | os.PathLike[str], name: str) -> bytes:
    """Read a file of a release: from `.ready` if a publish has not moved it yet, else from the folder."""
    for path in (os.path.join(folder, READY, name), os.path.join(folder, name)):  # noqa: PTH118
        try:
            with open(path, "rb") as file:  # noqa: PTH123
                return file.read()
        except FileNotFoundError as error:
            reason = error.strerror
        except OSError as error:
            raise ReleaseError(f"No release in {folder}: {name} cannot be read ({error.strerror}).") from error
    if name != SUMS and os.path.isfile(os.path.join(folder, SUMS)):  # noqa: PTH113, PTH118
        raise ReleaseError(f"The release in {folder} lacks {name}. {_REMEDY}")
    raise ReleaseError(f"No release in {folder}: {name} cannot be read ({reason}).")


def word_rows(
    data: bytes, only: Callable[[str], bool] | None = None, columns: Collection[str] = tuple(WORDS)
) -> Iterator[dict[str, str]]:
    """Yield the rows of `words.csv` as text, column to cell; if `only` is given, those whose line it accepts.

    Raises ReleaseError if one of the columns is absent, or if a row does not fit.
    """
    import csv

    lines = data.decode("utf-8-sig").splitlines()
    header = next(csv.reader(lines[:1]), [])
    absent = [name for name in columns if name not in header]
    if absent:
        raise ReleaseError(f"words.csv has no column {absent[0]}. {_REMEDY}")
    places = {name: header.index(name) for name in columns}
    for row in csv.reader(lines[1:] if only is None else filter(only, lines[1:])):
        if len(row) != len(header):
            raise ReleaseError(f"words.csv has a row of {count(len(row), 'cell')}, not {len(header)}. {_REMEDY}")
        yield {name: row[place] for name, place in places.items()}


def checked_words(data: bytes) -> list[dict[str, str]]:
    """Return all rows of `words.csv`, A to Z, after checking each cell against the format of its column.

    Raises ReleaseError for a wrong cell, a word that is there twice, or a table without words.
    """
    import re

    rows = sorted(word_rows(data), key=lambda row: row["word"])
    for name, cells in WORDS.items():
        if wrong := {cell for cell in {row[name] for row in rows} if not re.fullmatch(cells, cell)}:
            row = next(row for row in rows if row[name] in wrong)
            raise ReleaseError(f'words.csv: "{row[name]}" is no {name} (word "{row["word"]}"). {_REMEDY}')
    twice = [row["word"] for row, before in zip(rows[1:], rows, strict=False) if row["word"] == before["word"]]
    if twice or not rows:
        fault = f'"{twice[0]}" twice' if twice else "no words"
        raise ReleaseError(f"words.csv has {fault}. {_REMEDY}")
    return rows


def glosses(folder: str | os.PathLike[str]) -> list[list[str]]:
    """Return the rows of `glosses.csv`: word, base, pos, gloss; none if the release in the folder was made without it.

    Raises ReleaseError if it is missing or damaged.
    """
    import csv

    if GLOSSES not in read(folder, PACKAGE).package.get("made_with", {}):
        return []
    path = os.path.join(folder, GLOSSES)  # noqa: PTH118
    if not os.path.isfile(path):  # noqa: PTH113
        raise ReleaseError(f"{GLOSSES} is missing in {folder}; the release was made with it. {_LOST}")
    try:
        header, *rows = csv.reader(_bytes(folder, GLOSSES).decode("utf-8").splitlines(), strict=True)
    except (ValueError, csv.Error, ReleaseError) as error:
        raise ReleaseError(f"{GLOSSES} in {folder} cannot be read ({error}). {_LOST}") from error
    if wrong := [row for row in [header, *rows] if len(row) != 4 or not all((row[0], row[2], row[3]))]:
        raise ReleaseError(f'{GLOSSES} in {folder}: "{",".join(wrong[0])}" is no definition. {_LOST}')
    return rows


def lexicon_rows(name: str, folder: str | os.PathLike[str] = LEXICON) -> Iterator[list[str]]:
    """Yield the rows of a table of the lexicon without its header.

    Raises BeeError if the table is absent or damaged.
    """
    import csv
    import io

    return csv.reader(io.StringIO(lexicon_table(name, folder)))


def lexicon_table(name: str, folder: str | os.PathLike[str] = LEXICON) -> str:
    """Return a table of the lexicon as text without its header; raises BeeError like `lexicon_rows`."""
    import gzip  # imported here, because a puzzle that needs no table is solved faster without it

    path = os.path.join(folder, f"{name}.csv.gz")  # noqa: PTH118
    try:
        with gzip.open(path) as file:
            text = file.read().decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BeeError(f"Cannot read {path} ({error}); `git checkout HEAD -- {folder}` brings it back.") from error
    return text.partition("\n")[2]
