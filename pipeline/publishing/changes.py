"""Changes: the differences between the lists of two releases, as a table for other programs. Standard library only."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import NamedTuple

from pipeline.words import LISTED, BeeError

GONE = "no longer in words.csv, so neither tried nor likely"
"""The reason for a word that the new release does not have: `words.csv` leaves out untried words that are unlikely."""


class ChangesError(BeeError):
    """A table of changes cannot be read, or does not fit the list."""


class Change(NamedTuple):
    """A word that was added or removed. `before` and `after` are tiers, or empty if the word has none."""

    word: str
    change: str
    before: str
    after: str
    because: str


def changes(old: bytes, new: bytes) -> list[Change]:
    """Compare two releases by their `words.csv`; return the added and removed words, A to Z.

    >>> changes(b"word,tier,because\\ncave,core,was\\n", b"word,tier,because\\ncave,refused,late\\ncove,core,seen\\n")
    ... # doctest: +NORMALIZE_WHITESPACE
    [Change(word='cave', change='removed', before='core', after='refused', because='late'),
     Change(word='cove', change='added', before='', after='core', because='seen')]
    """
    before, after = _rows(old), _rows(new)
    listed = [{word for word, row in rows.items() if row["tier"] in LISTED} for rows in (before, after)]
    return [
        Change(
            word,
            "added" if word in listed[1] else "removed",
            before[word]["tier"] if word in before else "",
            after[word]["tier"] if word in after else "",
            after[word]["because"] if word in after else GONE,
        )
        for word in sorted(listed[0] ^ listed[1])
    ]


def _rows(data: bytes) -> dict[str, Mapping[str, str]]:
    """Read `words.csv`: word to row."""
    table = csv.DictReader(io.StringIO(data.decode()))
    if not {"word", "tier", "because"} <= set(table.fieldnames or ()):
        raise ChangesError("words.csv lacks one of the columns word, tier, because; is this a release?")
    return {row["word"]: row for row in table}


def encode(found: list[Change]) -> str:
    """Write changes as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([Change._fields, *found])
    return text.getvalue()


def decode(text: str) -> list[Change]:
    """Read what `encode` writes; raises ChangesError."""
    header, *rows = csv.reader(io.StringIO(text)) if text.strip() else [[]]
    if tuple(header) != Change._fields or any(len(row) != len(Change._fields) for row in rows):
        raise ChangesError(f"This is not a table of changes; its columns are {', '.join(Change._fields)}.")
    if wrong := [row for row in rows if row[1] not in ("added", "removed")]:
        raise ChangesError(f'"{wrong[0][1]}" of {wrong[0][0]} is no change; there are added and removed.')
    return [Change(*row) for row in rows]


def applied(words: list[str], found: list[Change]) -> list[str]:
    """Update a list, A to Z. Raises ChangesError if a word to add is present, or a word to remove is not."""
    listed = set(words)
    for change in found:
        if (change.word in listed) == (change.change == "added"):
            state = "is there already" if change.change == "added" else "is not there"
            raise ChangesError(f"The changes do not fit this list: {change.word} {state}.")
        listed ^= {change.word}
    return sorted(listed)
