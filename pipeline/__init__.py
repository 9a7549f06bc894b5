"""A curated word list for the Spelling Bee: the public API. Nothing here is slow to import.

>>> import pipeline
>>> pipeline.solve("vctaoen")[0]
'covenant'
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from pipeline import reader, solver, word_list
from pipeline.errors import BeeError, LettersError
from pipeline.words import Puzzle, pangram, perfect_pangram, puzzle, score

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


def load_words(path: str | os.PathLike[str] | None = None) -> list[str]:
    """Return the playable words of a list, A to Z; without a path, the list that came with the package.

    Raises BeeError if the file cannot be read; see `word_list.read`.
    """
    return solver.load_release(reader.RELEASE) if path is None else word_list.read(path).words


def solve(letters: str | Puzzle, words: Iterable[str] | None = None) -> list[str]:
    """Return the answers of a puzzle, pangrams first, then longest first, then A to Z.

    `letters` are seven letters, center first. `words` is any word list; the default is the list that came with the
    package. Raises LettersError if the letters are not a puzzle.
    """
    if not isinstance(letters, Puzzle):
        letters = puzzle(letters)
    if words is None:
        words = load_words()
    return solver.pangrams_first(solver.scan(words, letters))
