"""Makes the files of a release, as bytes: the list, the tables that explain it, and their description.

The files depend only on files in the repository (the lexicon, the last release, the weights and the decisions of
people) and on the new days. So a fresh clone makes the same bytes as its commit, without an archive and without a
network.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline import reader
from pipeline.errors import ReleaseError
from pipeline.facts import coverage
from pipeline.facts.coverage import Coverage
from pipeline.play import daily
from pipeline.publishing.check import CATALOG
from pipeline.publishing.datapackage import TRACK, checksums_of
from pipeline.publishing.diff import by_word
from pipeline.tables import columns, frames
from pipeline.tables.frames import csv_bytes
from pipeline.words import DATES_OF_RECORD, LISTED, TIERS

FILES = (
    "wordlist.txt", "words.csv", daily.FILE, "diffs.csv", "violations.csv", TRACK, "LICENSES.txt", reader.PACKAGE,
    "CHANGES.md", reader.SUMS,
)  # fmt: skip
"""All files of a release."""


def wordlist(decisions: pd.DataFrame) -> list[str]:
    """Return the words of the list, A to Z."""
    return sorted(decisions["word"][columns.is_in(decisions["tier"], LISTED)].tolist())


def write_list(listed: Iterable[str]) -> bytes:
    """Return the file of the list.

    >>> write_list(["octave", "coves"])
    b'coves\\noctave\\n'
    """
    return "".join(f"{word}\n" for word in sorted(listed)).encode()


def verify(release: reader.Release) -> None:
    """Raise ReleaseError if the list of a release is not that of the listed words in its table."""
    listed = [row["word"] for row in reader.rows(release.files["words.csv"], "words.csv") if row["tier"] in LISTED]
    if release.files["wordlist.txt"] != write_list(listed):
        raise ReleaseError(f"wordlist.txt does not match the words of words.csv that are {' or '.join(LISTED)}.")


def words_table(decisions: pd.DataFrame, record: pd.DataFrame, flags: pd.DataFrame) -> pd.DataFrame:
    """Return the table `words.csv`: the decisions with the record and the flags of each word; its columns are in
    `words.WORD_COLUMNS`."""
    text_of_p = {p: f"{p:.2f}" for p in decisions["p"].unique()}
    untried = {"offered": 0, "accepted": 0, **dict.fromkeys(DATES_OF_RECORD, "")}
    table = decisions.assign(p=decisions["p"].map(text_of_p).astype("str"))
    table = table.join(columns.look_up_rows(table["word"], record.set_index("word"), untried))
    flags_of_table = flags[["word", "flag"]][columns.is_in(flags["word"], table["word"])]
    table["flags"] = columns.look_up(table["word"], columns.join_by_word(flags_of_table, "flag"), "")
    return frames.check(table[list(frames.CONTRACTS["words"].columns)], "words")


@dataclass(frozen=True, slots=True)
class ReleaseTables:
    """The tables from which a release is made."""

    flags: pd.DataFrame
    decisions: pd.DataFrame
    violations: pd.DataFrame
    record: pd.DataFrame
    coverage: Coverage
    track: pd.DataFrame
    without_trial: pd.DataFrame


@dataclass(frozen=True, slots=True)
class ReleaseOrigins:
    """The origins of a release: the files of `datapackage.MADE_WITH` by name, the table of word lists, the full license
    texts by title, and the file with SCOWL's table."""

    made_with: Mapping[str, bytes]
    sources: pd.DataFrame
    licenses: Mapping[str, str]
    scowl: bytes


def make_files(
    tables: ReleaseTables,
    origins: ReleaseOrigins,
    last: reader.Release | None,
    daily_puzzles: Callable[[pd.DataFrame], bytes],
    changes_since_approval: Sequence[tuple[str, str]] | None = None,
) -> dict[str, bytes]:
    """Return the files of a release except its changes and checksums, name to bytes. If they are those of the `last`
    release, the version stays.

    `daily_puzzles` makes `daily.csv` from the table `words.csv`. `changes_since_approval` are the words that changed
    since the last release that a person approved; None if a person approves this release.
    """
    decisions, record = tables.decisions, tables.record
    is_of_release = tables.violations["rule"].isin([rule.id for rule in CATALOG if rule.scope == "release"])
    table = words_table(decisions, record, tables.flags)
    licenses = [f"{title}\n{'=' * len(title)}\n\n{text}" for title, text in origins.licenses.items()]
    files = {
        "LICENSES.txt": "\n\n".join(licenses).encode(),
        "words.csv": csv_bytes(table),
        "diffs.csv": csv_bytes(by_word(record, decisions)),
        "violations.csv": csv_bytes(tables.violations[is_of_release]),
        "wordlist.txt": write_list(wordlist(decisions)),
        TRACK: csv_bytes(tables.track),
        daily.FILE: daily_puzzles(table),
    }
    dates = tables.coverage.dates
    last_date = max(dates, default="")
    package = {
        "name": "bee-wordlist",
        "title": "A curated word list for the Spelling Bee",
        "description": "Not affiliated with The New York Times.",
        "version": "",
        "covers": {
            "first": min(dates, default=""),
            "last": last_date,
            "days": len(dates),
            "dates": coverage.ranges(dates),
            "candidates": tables.coverage.candidates_checksum,
        },
        "made_with": checksums_of(origins.made_with),
        "words": {tier: int((table["tier"] == tier).sum()) for tier in TIERS},
        "approved": "",
        "since_approved": {
            change: [word for word, its_change in changes_since_approval or () if its_change == change]
            for change in ("added", "removed")
        },
        "licenses": [
            {"name": "MIT", "title": "MIT License, see LICENSES.txt"},
            {"name": "CC-BY-4.0", "title": "for the column flags of words.csv, see LICENSES.txt"},
        ],
        "sources": [
            {"title": f"{row['title']} {row['version']}, {row['licence']}", "path": row["home"]}
            for row in frames.rows(origins.sources)
        ],
    }
    package_before = last.package if last else {}
    version_before = str(package_before.get("version", ""))
    approved_before = str(package_before.get("approved") or version_before)

    def with_version(version: str) -> dict[str, bytes]:
        """Return the files with the description of a release that has this version."""
        approved = version if changes_since_approval is None else approved_before
        description = package | {"version": version, "approved": approved}
        return files | {reader.PACKAGE: (json.dumps(description, indent=2, ensure_ascii=False) + "\n").encode()}

    same = with_version(version_before)
    if last and same.items() <= last.files.items():
        return same
    return with_version(next_version(last_date, version_before))


def next_version(last_date: str, version_before: str) -> str:
    """Return the version of a new release: the last date that it covers, but not before that of the last release, and a
    build number from 1.

    >>> next_version("2025-12-31", ""), next_version("2025-12-31", "2025.12.31.1")
    ('2025.12.31.1', '2025.12.31.2')
    >>> next_version("2025-12-30", "2025.12.31.1"), next_version("2026-01-01", "2025.12.31.1")
    ('2025.12.31.2', '2026.01.01.1')
    """
    day_before, _, build = version_before.rpartition(".")
    day = max((last_date or "0000-00-00").replace("-", "."), day_before)
    build_before = int(build) if day == day_before and build.isdecimal() else 0
    return f"{day}.{build_before + 1}"
