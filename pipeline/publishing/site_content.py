"""The content of a site: a release, definitions, our own puzzles, relatives of words, and downloads. The functions are
pure."""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline import reader, solver
from pipeline.errors import DataError
from pipeline.facts import endings
from pipeline.opinions.catalog import FLAGS
from pipeline.play import daily, difficulty
from pipeline.play.glosses import Glosses, Sense
from pipeline.publishing import export, formats
from pipeline.reader import Release
from pipeline.tables import cells
from pipeline.words import LISTED, TIERS, puzzle

Row = Mapping[str, Any]

FILES_OF_RELEASE = "wordlist.txt words.csv record.csv glosses.csv datapackage.json".split()
"""The files of the release, and of those that it was made with, that the site offers unchanged if they exist. Large
files are compressed."""
SENTENCES = {
    "record.csv": "How often each word was possible and accepted, with the first and last dates.",
    reader.GLOSSES: "Our own definitions of words, or the bases of which they are forms. Other words use WordNet's.",
    reader.PACKAGE: "The description of the release: schemas, sources, licenses, checksums.",
}
"""The sentences about the files that the description of a release does not describe."""
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
class LeveledPuzzle:
    """One of our own puzzles: its letters, center first, and its level, 0 to 2."""

    letters: str
    level: int


@dataclass(frozen=True, slots=True)
class SiteRelease:
    """The release that a site shows: the rows of `words.csv` and of `record.csv`, its description, the text of its
    changes, and its licenses."""

    rows: Sequence[Row]
    record: Sequence[Row]
    package: Mapping[str, Any]
    changes: str
    licenses: bytes


@dataclass(frozen=True, slots=True)
class SiteContent:
    """What a site has in addition to the release: definitions and SCOWL sizes by word, our own puzzles, the puzzles of
    the day by date, pairs of words and their bases (as positions among all words A to Z), and downloads."""

    senses: Mapping[str, Sequence[Sense]] = field(default_factory=dict)
    scowl_sizes: Mapping[str, int] = field(default_factory=dict)
    own_puzzles: Sequence[LeveledPuzzle] = ()
    daily_puzzles: Mapping[str, LeveledPuzzle] = field(default_factory=dict)
    forms_with_bases: Sequence[tuple[int, int]] = ()
    downloads: Sequence[Download] = ()


def read_release(release: Release) -> SiteRelease:
    """Return a release with its record, as a site shows it; raise ReleaseError or DataError if a row is invalid."""
    return SiteRelease(
        rows=rows_of(release.files["words.csv"]),
        record=record_of(release.files["record.csv"]),
        package=release.package,
        changes=release.files["CHANGES.md"].decode("utf-8", "replace"),
        licenses=release.files[reader.LICENSES],
    )


def record_of(record: bytes) -> list[dict[str, Any]]:
    """Return the rows of record.csv, with counts as numbers; raise DataError for one that is not."""
    rows = cells.read_rows(record, "record.csv")
    wrong = [cell for row in rows for cell in (row["offered"], row["accepted"]) if not cell.isdecimal()]
    if wrong:
        raise DataError(f'record.csv: "{wrong[0]}" is not a number.')
    return [{**row, "offered": int(row["offered"]), "accepted": int(row["accepted"])} for row in rows]


def rows_of(words: bytes) -> list[dict[str, str]]:
    """Return the rows of words.csv (all cells text), A to Z; raise ReleaseError or DataError if a row is invalid."""
    rows = reader.check_words(words)
    known_flags = {rule.id for rule in FLAGS}
    for row in rows:
        unknown_flags = set(row["flags"].split()) - known_flags
        if unknown_flags:
            wrong = f'"{row["word"]}" has the flag "{min(unknown_flags)}"'
            raise DataError(f"words.csv: {wrong}, which is not a flag; `bee flag --list` prints all flags.")
    return rows


def collect_content(
    release: SiteRelease, glosses: Glosses, daily_puzzles: Mapping[str, str], downloads: Sequence[Download]
) -> SiteContent:
    """Return what a site has in addition to the release. `daily_puzzles` are the published ones, from date to
    letters."""
    words = [row["word"] for row in release.rows]
    listed = [row["word"] for row in release.rows if row["tier"] in LISTED]
    accepted = {row["word"]: row["accepted"] for row in release.record}
    scowl_sizes = difficulty.load_sizes(words)
    hardness = {
        row["word"]: difficulty.hardness_of(scowl_sizes[row["word"]], accepted.get(row["word"], 0))
        for row in release.rows
        if row["tier"] != TIERS[-1]
    }
    pool = daily.pool(listed, hardness, {row["word"]: row for row in release.rows})
    index = solver.build_index(listed)

    def level_of(letters: str) -> str:
        return difficulty.level(difficulty.difficulty(solver.solve(index, puzzle(letters)), hardness))

    return SiteContent(
        senses={word: glosses[word].senses for word in words if word in glosses},
        scowl_sizes=scowl_sizes,
        own_puzzles=[LeveledPuzzle(letters, difficulty.LEVELS.index(level)) for letters, level in pool.items()],
        daily_puzzles={
            date: LeveledPuzzle(letters, difficulty.LEVELS.index(level_of(letters)))
            for date, letters in daily_puzzles.items()
        },
        forms_with_bases=forms_with_bases(scowl_sizes, glosses, set(accepted)),
        downloads=downloads,
    )


def forms_with_bases(scowl_sizes: Mapping[str, int], glosses: Glosses, tried: set[str]) -> list[tuple[int, int]]:
    """Return pairs of words of a release and their bases, as positions A to Z, if at least one of the two was tried.

    The bases are those that the definition names. If it names none, they are the words without an ending
    (`endings.bases`).
    """
    position = {word: number for number, word in enumerate(sorted(scowl_sizes))}
    pairs = []
    for form, number in position.items():
        senses = glosses[form].senses if form in glosses else ()
        bases = {sense.base for sense in senses if sense.base} or endings.bases(form)
        for base in sorted(position.keys() & bases):
            if form in tried or base in tried:
                pairs.append((number, position[base]))
    return pairs


def make_downloads(release: Release, beside: Mapping[str, bytes]) -> list[Download]:
    """Return the downloads: the list in every format, the files of the release, and those `beside` it (name to
    bytes)."""
    files = {**release.files, **beside}
    sentences = SENTENCES | {resource["path"]: resource["description"] for resource in release.package["resources"]}
    downloads = [_download(name, sentences[name], files[name]) for name in FILES_OF_RELEASE if name in files]
    choice = export.Choice()
    chosen = export.choose(reader.check_words(release.files["words.csv"]), choice)
    what_was_chosen = export.describe_choice(len(chosen), choice)
    for file_format in formats.FORMATS.values():
        notice = export.notice(release.package, what_was_chosen, file_format.has_flags)
        for name, data in formats.write_format(file_format, chosen, notice).items():
            downloads.append(_download(name, f"For {file_format.use}: {file_format.sentence}.", data))
    return downloads


def _download(name: str, sentence: str, data: bytes) -> Download:
    """Return a download, compressed if it is large."""
    if len(data) > LARGE:
        return Download(f"list/{name}.gz", sentence, gzip.compress(data, 6, mtime=0))
    return Download(f"list/{name}", sentence, data)
