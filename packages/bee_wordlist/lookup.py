"""The table of all words, with the tier, p, flags, reason and record of each. It is read once, when it is first
needed."""

from __future__ import annotations

import bz2
import csv
import functools
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import BeeError
from pipeline.solver import Candidate, most_likely_first, pangram_candidates, scan
from pipeline.words import LISTED, Puzzle, pangram

_TABLE = Path(__file__).with_name("words.csv.bz2")
UNKNOWN = "We do not know this word"
"""The reason for a word that is not in the release."""


class Record(NamedTuple):
    """The record of a word: on how many days it was possible, and on how many of them it was accepted.

    `first` and `last` are the dates of the first and the last acceptance, and `refused` is the date of the last
    refusal. A date is empty if there was no such day.
    """

    offered: int
    accepted: int
    first: str
    last: str
    refused: str


class Why(NamedTuple):
    """What the release says about a word.

    `tier` is one of `TIERS`, or "unknown". `p` is the probability that the word is accepted the next time it is
    possible, or None for a word that is not in the release. `record` is None if the word was never possible.
    """

    word: str
    tier: str
    listed: bool
    p: float | None
    reason: str
    flags: tuple[str, ...]
    record: Record | None


@functools.cache
def _lines() -> tuple[list[str], dict[str, str]]:
    """Return the columns of the table, and its lines by word. Only needed lines are parsed, because parsing all of them
    takes long."""
    try:
        header, *lines = bz2.decompress(_TABLE.read_bytes()).decode("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise BeeError(f"The table of words cannot be read ({error}). Install bee-wordlist again.") from error
    return header.split(","), {line.partition(",")[0]: line for line in lines}


def _rows(words: Collection[str] | None = None) -> Iterator[dict[str, str]]:
    """Yield the rows of some words, or the rows of all words, A to Z."""
    columns, lines = _lines()
    wanted = lines.values() if words is None else [lines[word] for word in words if word in lines]
    for row in csv.reader(wanted):
        yield dict(zip(columns, row, strict=True))


def why(word: str) -> Why:
    """Return what the release says about a word, which can be in upper or lower case."""
    word = word.strip().lower()
    row = next(_rows([word]), None)
    if row is None:
        return Why(word, tier="unknown", listed=False, p=None, reason=UNKNOWN, flags=(), record=None)
    return Why(
        word,
        tier=row["tier"],
        listed=row["tier"] in LISTED,
        p=float(row["p"]) if row["p"] else None,
        reason=row["because"],
        flags=tuple(row["flags"].split()),
        record=_record(row),
    )


def _record(row: Mapping[str, str]) -> Record | None:
    """Return the record in a row of the table."""
    offered = int(row["offered"])
    if not offered:
        return None
    return Record(
        offered,
        accepted=int(row["accepted"]),
        first=row["first_accepted"],
        last=row["last_accepted"],
        refused=row["last_refused"],
    )


def chosen(tiers: Collection[str], without: Collection[str] = ()) -> list[str]:
    """Return the words of these tiers that do not have any of the flags `without`, A to Z."""
    unwanted = set(without)
    return [row["word"] for row in _rows() if row["tier"] in tiers and unwanted.isdisjoint(row["flags"].split())]


def pangrams(letters: Puzzle) -> list[Candidate]:
    """Return the unlisted pangrams that can be the guess for some letters, each with its p, most likely first."""
    possible_pangrams = [word for word in scan(_lines()[1], letters) if pangram(word)]
    probabilities = pangram_candidates(_rows(possible_pangrams))
    return [{"word": word, "p": probabilities[word]} for word in most_likely_first(probabilities)]
