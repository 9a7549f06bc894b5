"""A curated word list for the Spelling Bee, with a solver. Not affiliated with The New York Times.

>>> import bee_wordlist
>>> bee_wordlist.solve("vctaoen")[0]
'covenant'

Importing it and solving need only the list; the table with all that is known about words is read when first asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from pipeline import solver
from pipeline.errors import BeeError, LettersError
from pipeline.words import FAMILY, LISTED, SAFE, TIERS, Puzzle, puzzle, score
from pipeline.words import in_play as _in_play

TYPE_CHECKING = False
if TYPE_CHECKING:
    from packages.bee_wordlist.lookup import Record, Why

__all__ = [
    "TIERS",
    "VERSION",
    "BeeError",
    "LettersError",
    "Puzzle",
    "Record",
    "Why",
    "family",
    "in_play",
    "puzzle",
    "safe",
    "score",
    "solve",
    "why",
    "words",
]

VERSION = "checkout"
"""The version of the list: the last date that it covers, then a build number."""

_FOLDER = os.path.dirname(__file__)  # noqa: PTH120


def __getattr__(name: str) -> object:
    """Import the classes of `why` when they are needed: solving does not need them."""
    if name not in ("Record", "Why"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from packages.bee_wordlist import lookup

    return getattr(lookup, name)


def words(tier: str | None = None) -> list[str]:
    """Return the words of the list, A to Z, or those of one tier: core, likely, review or refused.

    The list is core and likely. Raises BeeError for any other tier.
    """
    if tier is None:
        return listed()
    if tier not in TIERS:
        raise BeeError(f'"{tier}" is no tier; there are {", ".join(TIERS)}.')
    from packages.bee_wordlist import lookup

    return lookup.chosen({tier})


def listed(starts: str = "") -> list[str]:
    """Return the words of the list, A to Z; with letters, only those that start with one of them.

    No other words are answers of these letters. The file has one line per first letter, so the others cost no time.
    """
    try:
        with open(f"{_FOLDER}/wordlist.txt", "rb") as file:  # noqa: PTH123
            lines = file.read().decode("ascii").splitlines()
    except (OSError, ValueError) as error:
        raise BeeError(f"The word list cannot be read ({error}). Install bee-wordlist again.") from error
    return " ".join([line for line in lines if not starts or line[0] in starts]).split()


def in_play() -> list[str]:
    """Return a smaller list: the words without S, and without E and R together.

    It lacks answers of the official puzzles that have these letters. `words` and `solve` use the whole list.
    """
    return [word for word in listed() if _in_play(word)]


def safe() -> list[str]:
    """Return the words of the list without slurs, vulgar and explicit words."""
    from packages.bee_wordlist import lookup

    return lookup.chosen(LISTED, without=SAFE)


def family() -> list[str]:
    """Return the words of `safe` without crude and sensitive words."""
    from packages.bee_wordlist import lookup

    return lookup.chosen(LISTED, without=FAMILY)


def solve(letters: str | Puzzle, words: Iterable[str] | None = None) -> list[str]:
    """Return the answers of a puzzle, pangrams first, then longest first, then A to Z.

    `letters` are seven letters, center first. `words` is any word list; the default is the whole list of this package.
    Raises LettersError if the letters are not a puzzle.
    """
    asked = letters if isinstance(letters, Puzzle) else puzzle(letters)
    return solver.pangrams_first(solver.scan(listed(asked.letters) if words is None else words, asked))


def why(word: str) -> Why:
    """Return what the release says about a word; for a word that it does not have, the tier is "unknown"."""
    from packages.bee_wordlist import lookup

    return lookup.why(word)
