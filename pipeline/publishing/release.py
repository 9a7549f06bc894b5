"""Makes the files of a release, as bytes: the list, the tables that explain it, and their description.

The files depend only on files in the repository (the lexicon, the last release, the weights and the decisions of
people) and on the new days. So a fresh clone makes the same bytes as its commit, without an archive and without a
network.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pipeline import reader
from pipeline.errors import ReleaseError
from pipeline.facts import coverage
from pipeline.facts.coverage import Coverage
from pipeline.opinions.decide import least_p
from pipeline.play import daily
from pipeline.publishing.check import CATALOG
from pipeline.publishing.datapackage import RECORD, TRACK, checksums_of
from pipeline.publishing.diff import by_word
from pipeline.tables import columns, frames
from pipeline.tables.frames import csv_bytes
from pipeline.words import GAME, KINDS_BY_P, LISTED, TIERS

DESCRIPTIONS = {
    "LICENSES.txt": "The licence of this release, and of every source that it is made from, in full.",
    "wordlist.txt": "The list, for every solver: tiers core and likely, one word per line, A to Z.",
    "words.csv": "Words of the list, and others tried or in doubt: tier, p (the chance to be accepted next), record, "
    "flags, reason.",
    RECORD: "How often each word was possible and accepted, and its first and last dates.",
    "diffs.csv": "Words on whose trials list and record differ, with the number of puzzles.",
    "violations.csv": "What the checks found about this release.",
    TRACK: "One row a day: how the list did on it before the day was counted, and what the day left open.",
    daily.FILE: "Our own puzzles of the day, center first. Later releases add rows and change none.",
}
"""The description of each file."""
GUESSED = 0.01
"""The minimum p of an unlisted pangram that can be the guess for its letters. All 17 guesses in the backtest were
correct; 5 of them had a p below `DOUBTFUL`, and one had exactly this p."""
FILES = (*DESCRIPTIONS, reader.PACKAGE, "CHANGES.md", reader.SUMS)
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
    """Return the table `words.csv`; its columns are in `words.WORD_COLUMNS`.

    It has every word of the tiers core, likely and review, every word that was ever tried, and, for letters that have
    no listed pangram, the pangrams with a p of at least `GUESSED`. All other words are too unlikely and are left out.
    """
    masks = columns.masks(decisions["word"])
    p = least_p(decisions, record["word"])
    has_listed_pangram = np.isin(masks, masks[columns.is_in(decisions["tier"], LISTED)])
    is_pangram = np.bitwise_count(masks) == GAME.letter_count
    may_be_guessed = is_pangram & ~has_listed_pangram & (p >= GUESSED) & columns.is_in(decisions["kind"], KINDS_BY_P)
    is_in_table = (decisions["tier"] != "refused") | (decisions["by"] != "estimate") | may_be_guessed
    text_of_p = {cell: f"{cell:.2f}" for cell in p.unique()}
    table = decisions[is_in_table].assign(p=p[is_in_table].map(text_of_p))
    counts = record.set_index("word")
    for name in ("offered", "accepted"):
        table[name] = columns.look_up(table["word"], counts[name], 0)
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


def make_release(
    tables: ReleaseTables,
    origins: ReleaseOrigins,
    package_before: Mapping[str, Any],
    daily_puzzles: Callable[[pd.DataFrame], bytes],
    changes_since_approval: Sequence[tuple[str, str]] | None = None,
) -> dict[str, bytes]:
    """Return the files of a release except its changes and checksums, name to bytes.

    `package_before` is the parsed `datapackage.json` of the last release, or empty; if the content is the same, the
    version stays. `daily_puzzles` makes `daily.csv` from the table `words.csv`. `changes_since_approval` are the words
    that changed since the last release that a person approved; None if a person approves this release.
    """
    decisions, record = tables.decisions, tables.record
    is_of_release = tables.violations["rule"].isin([rule.id for rule in CATALOG if rule.scope == "release"])
    table = words_table(decisions, record, tables.flags)
    licenses = [f"{title}\n{'=' * len(title)}\n\n{text}" for title, text in origins.licenses.items()]
    files = {
        "LICENSES.txt": "\n\n".join(licenses).encode(),
        "words.csv": csv_bytes(table),
        RECORD: csv_bytes(record),
        "diffs.csv": csv_bytes(by_word(record, decisions)),
        "violations.csv": csv_bytes(tables.violations[is_of_release]),
        "wordlist.txt": write_list(wordlist(decisions)),
        TRACK: csv_bytes(tables.track),
        daily.FILE: daily_puzzles(table),
    }
    dates = tables.coverage.dates
    package = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "bee-wordlist",
        "title": "A curated word list for the Spelling Bee",
        "description": "Not affiliated with The New York Times.",
        "version": "",
        "covers": {
            "first": min(dates, default=""),
            "last": max(dates, default=""),
            "days": len(dates),
            "dates": coverage.ranges(dates),
            "candidates": tables.coverage.candidates,
        },
        "made_with": checksums_of(origins.made_with),
        "words": {tier: int((table["tier"] == tier).sum()) for tier in TIERS},
        "licenses": [
            {"name": "MIT", "title": "MIT License, see LICENSES.txt"},
            {"name": "CC-BY-4.0", "title": "for the column flags of words.csv, see LICENSES.txt"},
        ],
        "sources": [
            {"title": f"{row['title']} {row['version']}, {row['licence']}", "path": row["home"]}
            for row in frames.rows(origins.sources)
        ],
        "resources": [_resource(name, data, DESCRIPTIONS[name]) for name, data in files.items()],
    }
    package["approved"] = ""
    package["since_approved"] = {
        change: [word for word, its_change in changes_since_approval or () if its_change == change]
        for change in ("added", "removed")
    }
    if changes_since_approval is not None:
        package["approved"] = str(package_before.get("approved") or package_before["version"])
    package["version"] = version(package, package_before)
    package["approved"] = package["approved"] or package["version"]
    files[reader.PACKAGE] = (json.dumps(package, indent=2, ensure_ascii=False) + "\n").encode()
    return files


def version(package: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """Return the version of a release: the last date that it covers, but not before that of the last release, and a
    build number from 1.

    A release with the same content as the last one keeps its version.

    >>> package = {"covers": {"last": "2025-12-31"}, "words": {"core": 2}}
    >>> first = version(package, {})
    >>> first, version(package, {**package, "version": first}), version({**package, "words": {}}, {"version": first})
    ('2025.12.31.1', '2025.12.31.1', '2025.12.31.2')
    >>> version({"covers": {"last": "2025-12-30"}}, {"version": first})
    '2025.12.31.2'
    """
    version_before = str(before.get("version", ""))
    last_day = max((package["covers"]["last"] or "0000-00-00").replace("-", "."), version_before.rpartition(".")[0])
    build_before = _build_number(version_before, last_day)
    if before.get("approved") == version_before:
        before = {**before, "approved": package["approved"]}
    is_same = {**package, "version": ""} == {**before, "version": ""}
    if is_same and build_before:
        return version_before
    return f"{last_day}.{build_before + 1}"


def _build_number(version: str, day: str) -> int:
    """Return the build number of a version if it is one of a day, such as `2025.12.31`; otherwise 0."""
    day_of_version, _, build = version.rpartition(".")
    return int(build) if day_of_version == day and build.isdecimal() else 0


def _resource(name: str, data: bytes, description: str) -> dict[str, Any]:
    """Return the description of a file of a release as a resource of a data package."""
    resource: dict[str, Any] = {
        "name": name.partition(".")[0].lower(),
        "path": name,
        "description": description,
        "format": name.rpartition(".")[2],
        "mediatype": "text/csv" if name.endswith(".csv") else "text/plain",
        "encoding": "utf-8",
        "bytes": len(data),
        "hash": f"sha256:{reader.sha256(data)}",
    }
    if name.endswith(".csv"):
        header = data.partition(b"\n")[0].decode().split(",")
        fields = [{"name": column, "type": _TYPES.get(column, "string")} for column in header]
        resource |= {"type": "table", "schema": {"fields": fields, "missingValues": [""]}}
    return resource


_TYPES = {
    "p": "number", "offered": "integer", "accepted": "integer", "puzzles": "integer", "witnesses": "integer",
    "answers": "integer", "missing": "integer", "extra": "integer",
}  # fmt: skip
