"""The table of all words: tier, p, flags, reason and record of each. It is read once, when it is first needed."""

from __future__ import annotations

import bz2
import csv
import functools
import os
from collections import namedtuple
from collections.abc import Collection, Iterator

from pipeline.errors import BeeError
from pipeline.solver import most_likely_first, pangram_candidates, scan
from pipeline.words import LISTED, Puzzle, Reason, pangram

_TABLE = os.path.join(os.path.dirname(__file__), "words.csv.bz2")  # noqa: PTH118, PTH120
UNKNOWN = "We do not know this word"
"""The reason of a word that the release does not have."""


class Record(namedtuple("Record", "offered accepted first last refused")):
    """What puzzles did with a word: on how many days it was possible, and on how many it was accepted.

    `first` and `last` are the dates of the first and the last acceptance, and `refused` is that of the last refusal. A
    date that does not exist is empty.
    """

    __slots__ = ()
    offered: int
    accepted: int
    first: str
    last: str
    refused: str


class Why(namedtuple("Why", "word tier listed p reason flags record")):
    """What the release says about a word.

    `tier` is one of `TIERS`, or "unknown". `p` is the probability that the word is accepted the next time it is
    possible, or None if there is none. `record` is None if no puzzle had its letters.
    """

    __slots__ = ()
    word: str
    tier: str
    listed: bool
    p: float | None
    reason: str
    flags: tuple[str, ...]
    record: Record | None


@functools.cache
def _lines() -> tuple[list[str], dict[str, str]]:
    """Return the columns of the table, and its lines by word; parsing all lines at once would take long."""
    try:
        with open(_TABLE, "rb") as file:  # noqa: PTH123
            header, *lines = bz2.decompress(file.read()).decode("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise BeeError(f"The table of words cannot be read ({error}). Install bee-wordlist again.") from error
    return header.split(","), {line.partition(",")[0]: line for line in lines}


def _rows(words: Collection[str] | None = None) -> Iterator[dict[str, str]]:
    """Yield the rows of some words, or of all, A to Z."""
    columns, lines = _lines()
    wanted = lines.values() if words is None else [lines[word] for word in words if word in lines]
    for row in csv.reader(wanted):
        yield dict(zip(columns, row, strict=True))


def why(word: str) -> Why:
    """Return what the release says about a word, in any case."""
    asked = word.strip().lower()
    row = next(_rows([asked]), None)
    if row is None:
        return Why(asked, "unknown", False, None, UNKNOWN, (), None)
    offered = int(row["offered"])
    dates = (row["first_accepted"], row["last_accepted"], row["last_rejected"])
    return Why(
        asked,
        row["tier"],
        row["tier"] in LISTED,
        float(row["p"]) if row["p"] else None,
        row["because"] or Reason.decode(row["kind"], row["details"]).sentence,
        tuple(row["flags"].split()),
        Record(offered, int(row["accepted"]), *dates) if offered else None,
    )


def chosen(tiers: Collection[str], without: Collection[str] = ()) -> list[str]:
    """Return the words of some tiers that have none of some flags, A to Z."""
    unwanted = set(without)
    return [row["word"] for row in _rows() if row["tier"] in tiers and unwanted.isdisjoint(row["flags"].split())]


def pangrams(letters: Puzzle) -> list[dict[str, str | float]]:
    """Return the unlisted pangrams that may be the guess for some letters, each with its p, most likely first."""
    spelled = [word for word in scan(_lines()[1], letters) if pangram(word)]
    chance = pangram_candidates(_rows(spelled))
    return [{"word": word, "p": chance[word]} for word in most_likely_first(chance)]
