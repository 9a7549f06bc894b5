"""A curated word list for the Spelling Bee, with a solver. Not affiliated with The New York Times.

>>> import bee_wordlist
>>> bee_wordlist.solve("vctaoen")[0]
'covenant'
"""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["VERSION", "Entry", "define", "score", "solve", "why", "words"]

_FOLDER = Path(__file__).parent
_UNSAFE = frozenset({"slur", "vulgar", "explicit"})
_NOT_FOR_FAMILIES = _UNSAFE | {"crude", "sensitive"}

VERSION = (_FOLDER / "version.txt").read_text().strip()
"""The version of the list: the last date that it covers, then a build number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known about a word.

    `tier` is core, likely, review or refused; the list consists of core and likely. `p` is the probability that a
    puzzle accepts the word the next time it is possible. `offered` and `accepted` are the numbers of days on which it
    was possible and accepted. A date is None if there was no such day.
    """

    word: str
    tier: str
    p: float
    because: str
    flags: Sequence[str] = ()
    offered: int = 0
    accepted: int = 0
    first_accepted: str | None = None
    last_accepted: str | None = None
    last_refused: str | None = None
    definition: str = ""

    @property
    def listed(self) -> bool:
        """Whether the word is on the list."""
        return self.tier in ("core", "likely")


@functools.cache
def _list() -> tuple[str, ...]:
    return tuple((_FOLDER / "wordlist.txt").read_text().split())


@functools.cache
def _lines() -> dict[str, str]:
    """Return the entry of each word, A to Z, as a line of JSON. A line starts with the word: {"word":"luff", ..."""
    lines = gzip.decompress((_FOLDER / "words.jsonl.gz").read_bytes()).decode().split("\n")
    return {line.split('"', 4)[3]: line for line in lines}


def words(*, safe: bool = False, family: bool = False) -> list[str]:
    """Return the words of the list, A to Z.

    `safe` leaves out slurs, vulgar and explicit words. `family` also leaves out crude and sensitive words.
    """
    if not safe and not family:
        return list(_list())
    unwanted = _NOT_FOR_FAMILIES if family else _UNSAFE
    return [word for word in _list() if unwanted.isdisjoint(json.loads(_lines()[word]).get("flags", ()))]


def solve(letters: str, words: Iterable[str] | None = None) -> list[str]:
    """Return the answers of a puzzle: pangrams first, then longest first, then A to Z.

    `letters` are seven letters, center first; case and blanks are ignored. `words` is any word list in lower case; the
    default is the list of this package. Raises ValueError if the letters are not a puzzle.
    """
    letters = "".join(letters.split()).lower()
    for letter in letters:
        if not "a" <= letter <= "z":
            raise ValueError(f'"{letter}" is not a letter from a to z.')
    for position, letter in enumerate(letters):
        if letter in letters[:position]:
            raise ValueError(f'The letter "{letter}" is in "{letters}" twice; seven different letters are needed.')
    if len(letters) != 7:
        problem = f'"{letters}" has {len(letters)}' if letters else "you gave none"
        raise ValueError(f"A puzzle has seven letters, center first; {problem}.")
    center, allowed = letters[0], set(letters)
    candidates = _list() if words is None else words
    answers = [word for word in candidates if 4 <= len(word) <= 19 and center in word and allowed.issuperset(word)]
    return sorted(answers, key=lambda word: (not _is_pangram(word), -len(word), word))


def score(word: str) -> int:
    """Return the points of a word: 1 for four letters, otherwise its length, and 7 more for a pangram."""
    points = len(word) if len(word) > 4 else 1
    return points + 7 if _is_pangram(word) else points


def _is_pangram(word: str) -> bool:
    return len(set(word)) == 7


def why(word: str) -> Entry | None:
    """Return what is known about a word in upper or lower case; None if it was never tried and is not likely."""
    line = _lines().get(word.strip().lower())
    return Entry(**json.loads(line)) if line else None


def define(word: str) -> str:
    """Return the definition of a word in one line, or an empty string if there is none."""
    entry = why(word)
    return entry.definition if entry else ""
