"""Difficulty: how hard a puzzle is, estimated from how common its answers are. It was not tested with players.

The *hardness* of a word is the size of the smallest SCOWL list that has it (10 to 95, or `HARDEST`), minus `EASIER` for
a word that puzzles accepted `FAMILIAR` times or more, because regular players know it. The *difficulty* of a puzzle is
the mean hardness of its answers, weighted by points. Standard library only.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from pipeline import reader
from pipeline.words import score

HARDEST = 100
"""The size of a word that is in no SCOWL list."""
FAMILIAR = 5
"""How often puzzles must have accepted a word for it to be familiar. Daily players have then seen it about once in two
years."""
EASIER = 10
MEDIUM, HARD = 31.7, 35.8
"""The difficulties from which puzzles are medium or hard. They divide the 2,794 official puzzles up to 2025-12-31 into
thirds."""
LEVELS = ("easy", "medium", "hard")


def hardness_of(size: int, accepted: int) -> int:
    """Return how hard a word is, from 0 to 100.

    >>> hardness_of(60, 4), hardness_of(60, 5), hardness_of(10, 9)
    (60, 50, 0)
    """
    return size - EASIER if accepted >= FAMILIAR else size


def difficulty(words: Collection[str], hardness: Mapping[str, int]) -> float:
    """Return the mean hardness of words, weighted by points and rounded to tenths (half up); 0 if there are no words.

    >>> difficulty(["cove", "octave"], {"cove": 20, "octave": 55})
    50.0
    """
    return rounded_mean(sum(score(word) * hardness[word] for word in words), sum(map(score, words)))


def rounded_mean(total: int, points: int) -> float:
    """Return a quotient rounded to tenths (half up), computed with whole numbers so that every program gets the same
    result.

    >>> rounded_mean(325, 10), rounded_mean(1, 20), rounded_mean(0, 0)
    (32.5, 0.1, 0.0)
    """
    return (20 * total + points) // (2 * points) / 10 if points else 0.0


def level(difficulty: float) -> str:
    """Return the level of a difficulty.

    >>> level(31.6), level(31.7), level(35.7), level(35.8)
    ('easy', 'medium', 'medium', 'hard')
    """
    if difficulty >= HARD:
        return "hard"
    return "medium" if difficulty >= MEDIUM else "easy"


def load_hardness(words: Collection[str], accepted: Mapping[str, int], scowl: bytes | None = None) -> dict[str, int]:
    """Return the hardness of words from SCOWL's table and the number of times that each was accepted; see
    `load_sizes`."""
    return {word: hardness_of(size, accepted.get(word, 0)) for word, size in load_sizes(words, scowl).items()}


def load_sizes(words: Collection[str], scowl: bytes | None = None) -> dict[str, int]:
    """Return the size of the smallest SCOWL list that has each word, from SCOWL's table, by default that in the
    package.

    Raises BeeError if the package has no such table.
    """
    sizes = dict.fromkeys(words, HARDEST)
    for row in reader.rows(scowl or reader.lexicon_table("scowl"), "scowl", reader.any_of(words)):
        if row["word"] in sizes and row["kind"] in ("words", "accented"):
            sizes[row["word"]] = min(int(row["size"]), sizes[row["word"]])
    return sizes


def load_accepted_counts(release: str | os.PathLike[str], words: Collection[str] | None = None) -> dict[str, int]:
    """Return how often each word was accepted, from the `words.csv` of a release. With few `words`, only their rows are
    read."""
    table = reader.read(release, "words.csv").files["words.csv"]
    rows = reader.rows(table, "words.csv", None if words is None else reader.any_of(words))
    return {row["word"]: int(row["accepted"]) for row in rows}
