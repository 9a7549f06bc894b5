"""A curated word list for the Spelling Bee: the public API, and nothing that is slow to import.

>>> import pipeline
>>> pipeline.solve("vctaoen")[0]
'covenant'
"""

from __future__ import annotations

import os
from collections.abc import Iterable

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

# The solver is imported inside: it is a module to run, too, and Python warns when such a one is there already.


def load_words(path: str | os.PathLike[str] | None = None) -> list[str]:
    """Read the playable words of a list, one a line; without a path, the list that came along.

    Raises BeeError when the file cannot be read.
    """
    from pipeline import solver

    return solver.load_words(path)


def solve(letters: str | Puzzle, words: Iterable[str] | None = None) -> list[str]:
    """Return the answers of a puzzle, pangrams first, then the longest, then A to Z.

    `letters` are seven letters, center first; `words` is any word list, by default the one that came along. Raises
    LettersError when the letters are no puzzle.
    """
    from pipeline import solver

    asked = letters if isinstance(letters, Puzzle) else puzzle(letters)
    return solver.ranked(solver.scan(solver.load_words() if words is None else words, asked))
