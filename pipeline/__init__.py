"""A curated word list for the Spelling Bee: the public API, and nothing that is slow to import.

>>> import pipeline
>>> pipeline.solve("vctaoen")[0]
'covenant'
"""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.solver import load_words, ranked, scan
from pipeline.words import BeeError, LettersError, Puzzle, pangram, perfect_pangram, puzzle, score

__all__ = [
    "BeeError",
    "LettersError",
    "Puzzle",
    "load_words",
    "pangram",
    "perfect_pangram",
    "puzzle",
    "score",
    "solve",
]


def solve(letters: str | Puzzle, words: Iterable[str] | None = None) -> list[str]:
    """Return the answers of a puzzle, pangrams first, then the longest, then A to Z.

    `letters` are seven letters, center first; `words` is any word list, by default the one that came along. Raises
    LettersError when the letters are no puzzle.
    """
    asked = letters if isinstance(letters, Puzzle) else puzzle(letters)
    return ranked(scan(load_words() if words is None else words, asked))
