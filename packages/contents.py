"""The content of both packages: a release that was read and checked, with the dates of each record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import reader
from pipeline.errors import BeeError
from pipeline.tables import cells
from pipeline.words import LISTED

DATES = ("first_accepted", "last_accepted", "last_refused")
"""The columns of `record.csv` that the packages include."""
DESCRIPTION = "A measured word list for the Spelling Bee, and a solver. Not affiliated with The New York Times."
LICENSES = ("LICENSES.txt", "LICENCES.txt")
"""The possible names of the file with all licenses. The second one is that of the first releases."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A release: its version and description, its list, the rows of `words.csv` with the dates, and its licenses."""

    package: dict[str, Any]
    listed: list[str]
    rows: list[dict[str, str]]
    licenses: bytes

    @property
    def version(self) -> str:
        """The version of the release, such as `2026.07.24.4`."""
        return str(self.package["version"])

    @property
    def license(self) -> str:
        """The licenses of the release as an SPDX expression, such as `MIT AND CC-BY-4.0`."""
        return " AND ".join(license["name"] for license in self.package["licenses"])


def read(folder: Path) -> Contents:
    """Return the release in a folder; raise BeeError if it is damaged or its version is not four numbers."""
    release = reader.read(folder)
    licenses = next((release.files[name] for name in LICENSES if name in release.files), None)
    absent = sorted({"words.csv", "wordlist.txt", "record.csv"} - release.files.keys())
    if licenses is None:
        absent.append(LICENSES[0])
    if absent or licenses is None:
        raise BeeError(f"The release in {folder} has no {absent[0]}, which the packages need. Use a complete release.")
    numbers(release.version)  # raises BeeError
    rows = sorted(reader.word_rows(release.files["words.csv"]), key=lambda row: row["word"])
    listed = release.files["wordlist.txt"].decode().split()
    if listed != [row["word"] for row in rows if row["tier"] in LISTED]:
        raise BeeError(f"wordlist.txt and words.csv in {folder} differ. Use a complete release.")
    dates = _dates(release.files["record.csv"])
    for row in rows:
        row |= dates.get(row["word"], dict.fromkeys(DATES, ""))
    return Contents(release.package, listed, rows, licenses)


def numbers(version: str) -> tuple[int, int, int, int]:
    """Return the four numbers of the version of a release.

    >>> numbers("2026.07.24.4")
    (2026, 7, 24, 4)
    """
    try:
        year, month, day, build = map(int, version.split("."))
    except ValueError:
        raise BeeError(f'"{version}" is not a version of a release, such as 2026.07.24.4.') from None
    return year, month, day, build


def _dates(record: bytes) -> dict[str, dict[str, str]]:
    """Return the dates of each record, by word."""
    rows = cells.read_rows(record, "record.csv")
    return {row["word"]: {name: row[name] for name in DATES} for row in rows}
