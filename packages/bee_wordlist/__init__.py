"""A curated word list for the Spelling Bee, with a solver. Not affiliated with The New York Times.

>>> import bee_wordlist
>>> bee_wordlist.solve("vctaoen")[0]
'covenant'

Solving reads only the list. The table with everything else about words is read when it is first needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from packages.bee_wordlist import lookup
from packages.bee_wordlist.lookup import Record, Why
from pipeline import solver
from pipeline.errors import BeeError, LettersError
from pipeline.words import LISTED, NOT_FOR_FAMILIES, TIERS, UNSAFE_FLAGS, Puzzle, puzzle, score

__all__ = [
    "TIERS",
    "VERSION",
    "BeeError",
    "LettersError",
    "Puzzle",
    "Record",
    "Why",
    "family",
    "puzzle",
    "safe",
    "score",
    "solve",
    "why",
    "words",
]

VERSION = "checkout"
"""The version of the list: the last date that it covers, then a build number."""

_LIST = Path(__file__).with_name("wordlist.txt")


def words(tier: str | None = None) -> list[str]:
    """Return the words of the list, A to Z, or the words of one tier: core, likely, review or refused.

    The list consists of core and likely. Raises BeeError for any other tier.
    """
    if tier is None:
        return listed()
    if tier not in TIERS:
        raise BeeError(f'"{tier}" is not a tier; the tiers are {", ".join(TIERS)}.')
    return lookup.chosen({tier})


def listed(first_letters: str = "") -> list[str]:
    """Return the words of the list, A to Z; with `first_letters`, only those that start with one of these letters.

    A puzzle has answers only among the words that start with one of its letters. The file has one line per first
    letter, so other words cost no time.
    """
    try:
        lines = _LIST.read_text("ascii").splitlines()
    except (OSError, ValueError) as error:
        raise BeeError(f"The word list cannot be read ({error}). Install bee-wordlist again.") from error
    if first_letters:
        lines = [line for line in lines if line[0] in first_letters]
    return " ".join(lines).split()


def safe() -> list[str]:
    """Return the words of the list without slurs, vulgar and explicit words."""
    return lookup.chosen(LISTED, without=UNSAFE_FLAGS)


def family() -> list[str]:
    """Return the words of `safe` without crude and sensitive words."""
    return lookup.chosen(LISTED, without=NOT_FOR_FAMILIES)


def solve(letters: str | Puzzle, words: Iterable[str] | None = None) -> list[str]:
    """Return the answers of a puzzle, pangrams first, then longest first, then A to Z.

    `letters` are seven letters, center first. `words` is any word list; the default is the whole list of this package.
    Raises LettersError if the letters are not a puzzle.
    """
    if not isinstance(letters, Puzzle):
        letters = puzzle(letters)
    if words is None:
        words = listed(letters.letters)
    return solver.pangrams_first(solver.scan(words, letters))


def why(word: str) -> Why:
    """Return what the release says about a word; for a word that it does not have, the tier is "unknown"."""
    return lookup.why(word)
