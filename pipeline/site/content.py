"""What a site shows: a release, definitions, our own puzzles, and downloads. The functions are pure."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline import reader, solver
from pipeline.play import daily, difficulty
from pipeline.play.glosses import Glosses
from pipeline.publishing import export, formats
from pipeline.reader import Release
from pipeline.words import LISTED, puzzle

Row = Mapping[str, Any]

FILES_OF_RELEASE = {
    "wordlist.txt": "The list, for every solver: tiers core and likely, one word per line, A to Z.",
    "words.csv": "Words of the list, and others tried or in doubt: tier, p (the chance to be accepted next), record, "
    "flags, reason.",
    reader.GLOSSES: "Our own definitions of words, or the bases of which they are forms. Other words use WordNet's.",
    reader.PACKAGE: "The description of the release: version, days that it covers, sources, licenses.",
}
"""The files of the release, and of those that it was made with, that the site offers unchanged if they exist, each with
a sentence about it. Large files are compressed."""
LARGE = 1_000_000


@dataclass(frozen=True, slots=True)
class Download:
    """A file for other programs: its path from the root of the site, a sentence about it, and its bytes."""

    path: str
    sentence: str
    data: bytes

    def entry(self) -> dict[str, str | int]:
        """Return the description of the download for programs."""
        checksum = reader.sha256(self.data)
        return {"path": self.path, "says": self.sentence, "bytes": len(self.data), "sha256": checksum}


@dataclass(frozen=True, slots=True)
class Content:
    """What a site shows: the rows of `words.csv` (A to Z), the description of the release, its changes (Markdown) and
    its licenses; definitions and the hardness (`difficulty`) by word; our own puzzles, letters to level; the published
    puzzles of the day, date to letters and level; and downloads."""

    rows: Sequence[Row]
    package: Mapping[str, Any]
    changes: str
    licenses: bytes
    definitions: Glosses
    hardness: Mapping[str, int]
    own_puzzles: Mapping[str, str]
    daily_puzzles: Mapping[str, tuple[str, str]]
    downloads: Sequence[Download]

    @property
    def version(self) -> str:
        """The version of the release."""
        return str(self.package["version"])


def collect(release: Release, rows: list[dict[str, str]], definitions: Glosses, beside: Mapping[str, bytes]) -> Content:
    """Return what a site shows of a release, from the rows of its `words.csv` and the definitions of their words.
    `beside` are files that the release was made with, name to bytes; they become downloads."""
    listed = [row["word"] for row in rows if row["tier"] in LISTED]
    accepted = {row["word"]: int(row["accepted"]) for row in rows}
    hardness = difficulty.load_hardness([row["word"] for row in rows if row["tier"] != "refused"], accepted)
    index = solver.build_index(listed)
    daily_puzzles = {}
    for date, letters in daily.published(release).items():
        figure = difficulty.difficulty(solver.solve(index, puzzle(letters)), hardness)
        daily_puzzles[date] = (letters, difficulty.level(figure))
    return Content(
        rows=rows,
        package=release.package,
        changes=release.files["CHANGES.md"].decode("utf-8", "replace"),
        licenses=release.files[reader.LICENSES],
        definitions=definitions,
        hardness=hardness,
        own_puzzles=daily.pool(listed, hardness, {row["word"]: row for row in rows}),
        daily_puzzles=daily_puzzles,
        downloads=make_downloads(release, rows, beside),
    )


def make_downloads(release: Release, rows: list[dict[str, str]], beside: Mapping[str, bytes]) -> list[Download]:
    """Return the downloads: the files of the release, those `beside` it (name to bytes), and the list in every
    format."""
    files = {**release.files, **beside}
    downloads = [_download(name, text, files[name]) for name, text in FILES_OF_RELEASE.items() if name in files]
    choice = export.Choice()
    chosen = export.choose(rows, choice)
    notice = export.notice(release.package, export.describe_choice(len(chosen), choice))
    for form in formats.FORMATS.values():
        downloads.append(_download(form.file_name, f"For {form.use}: {form.sentence}.", form.write(chosen, notice)))
    return downloads


def _download(name: str, sentence: str, data: bytes) -> Download:
    """Return a download, compressed if it is large."""
    if len(data) > LARGE:
        return Download(f"list/{name}.gz", sentence, gzip.compress(data, 6, mtime=0))
    return Download(f"list/{name}", sentence, data)
