"""Publish: make the next release, or refuse."""

from __future__ import annotations

import csv
import datetime
import gzip
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline import reader
from pipeline.errors import BeeError, Command
from pipeline.play import daily, difficulty
from pipeline.publishing import changes, release, verify
from pipeline.publishing.release import ReleaseOrigins, ReleaseTables
from pipeline.publishing.verify import SINCE, approved_list
from pipeline.tables import columns, frames
from pipeline.words import LISTED, Reason, count

MOVED = 0.02
"""The share of the list that may change since the last approved release. One day changes about two words; larger
changes, such as a new lexicon, need a person's approval."""
AHEAD = 365
"""`daily.csv` reaches this many days after the last covered day, or after `daily.FIRST_DAY` if that is later. It
depends on no clock, so every clone makes the same file. With a year, today has a row even if the record is many months
behind; more would fix puzzles that a better list would not choose."""


@dataclass(frozen=True, slots=True)
class Next:
    """A release that may be published: its files, name to bytes, and the numbers of words, additions and removals."""

    files: dict[str, bytes]
    words: int
    added: int
    removed: int


def publish(
    tables: ReleaseTables,
    origins: ReleaseOrigins,
    last: reader.Release | None,
    force: bool = False,
    approve: bool = False,
) -> Next:
    """Make the next release; see `release.make`.

    Raises BeeError unless forced, and ReleaseError if the last release is not as it was published, since a published
    puzzle of the day never changes. `approve` means that a person reviewed the changes; later changes are then counted
    from this release on. A release with the same content as the last one keeps its version and its CHANGES.md.
    """
    before = last.package if last else {}
    published_puzzles = daily.published(verify.described(last, "custom")) if last else {}
    old_list = last.files["wordlist.txt"].decode().split() if last else []
    new_list = release.wordlist(tables.decisions)
    approved = approved_list(last)
    if not force:
        refuse(new_list if approve else approved, new_list, tables.violations, str(before.get("approved", "")))

    def daily_puzzles(words: pd.DataFrame) -> bytes:
        return days(published_puzzles, max(tables.evidence.covered, default=""), words, origins.scowl)

    counts_from_here = approve or not last
    changes_since_approval = [] if counts_from_here else changes.moved(approved, new_list)
    files = release.make(tables, origins, before, daily_puzzles, changes_since_approval, counts_from_here)
    package = reader.Release(files).package
    version = str(package["version"])
    if last and last.version == version:
        files["CHANGES.md"] = last.files["CHANGES.md"]
    else:
        cause = changes.causes(before, package) if before and set(old_list) != set(new_list) else ""
        files["CHANGES.md"] = _changes(old_list, new_list, version, last, tables.decisions, cause).encode()
    files[reader.SUMS] = reader.format_checksums(files)
    return Next(
        files=files,
        words=len(new_list),
        added=len(set(new_list) - set(old_list)),
        removed=len(set(old_list) - set(new_list)),
    )


def days(published: Mapping[str, str], covered: str, words: pd.DataFrame, scowl: bytes) -> bytes:
    """Write `daily.csv`: the published puzzles of the day, date to letters, and one for each later day up to `AHEAD`.

    `covered` is the last day that the record covers, `words` the table words.csv.
    """
    known, first = dict(published), min(published, default=daily.FIRST_DAY)
    span = datetime.date.fromisoformat(max(covered, daily.FIRST_DAY)) - datetime.date.fromisoformat(first)
    later = daily.dates(first, span.days + 1 + AHEAD)[len(known) :]
    levels = _levels(words, scowl) if later else {}
    for date in later if levels else ():
        known[date] = daily.letters_of_day(levels, date, known)
    return "".join([f"{daily.HEADER}\n", *(f"{date},{letters}\n" for date, letters in known.items())]).encode()


def _levels(words: pd.DataFrame, scowl: bytes) -> dict[str, str]:
    """Return the letters of all our own puzzles, with their levels."""
    rows = {row["word"]: row for row in frames.rows(words)}
    listed = [word for word, row in rows.items() if row["tier"] in LISTED]
    accepted = {word: int(row["accepted"]) for word, row in rows.items()}
    hard = difficulty.load_hardness(listed, accepted, csv.reader(gzip.decompress(scowl).decode().splitlines()))
    return daily.pool(listed, hard, rows)


def _changes(
    old: list[str], new: list[str], version: str, last: reader.Release | None, decisions: pd.DataFrame, why: str
) -> str:
    """Write CHANGES.md, with the reasons of the decisions, and the kinds of reasons of the last release."""
    differ = set(old) ^ set(new)
    decided = decisions[columns.is_in(decisions["word"], differ)]
    reasons = {row["word"]: Reason.decode(row["kind"], row["details"]) for row in frames.rows(decided)}
    was = {}
    if last:
        rows = reader.word_rows(last.files["words.csv"], lambda line: line.partition(",")[0] in differ)
        was = {row["word"]: row["kind"] for row in rows}
    return changes.as_text(old, new, version, last.version if last else "", reasons, was, why)


def refuse(old: list[str], new: list[str], violations: pd.DataFrame, approved: str = "") -> None:
    """Raise BeeError if there are errors, or if the list changed too much since `old`, the approved list."""
    errors = violations[violations["severity"] == "error"]
    if len(errors):
        first = errors.iloc[0]
        raise BeeError(
            f"Not published: {count(len(errors), 'violation')} of severity error, the first {first['rule']} on "
            f'"{first["subject"]}" ({first["detail"]}). ',
            Command("check"),
            " lists them.",
        )
    if not new:
        raise BeeError("Not published: the list would be empty.")
    moved = len(changes.moved(old, new))
    if old and moved > MOVED * len(old):
        raise BeeError(
            f"Not published: {count(moved, 'word')} would be added or removed since release {approved or 'before'}, "
            f"which a person approved, more than {MOVED:.0%} of the {len(old):,} on its list. Look at them with ",
            Command("diff"),
            f" and in {SINCE}; ",
            Command("publish --approve"),
            " goes ahead and counts from there.",
        )
