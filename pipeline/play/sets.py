"""Sets: full descriptions of puzzles, for players and for authors of games. Standard library only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pipeline.play import difficulty
from pipeline.words import Puzzle, bingo, pangram, plural, ranks, score


def similar(answers: Collection[str]) -> int:
    """Count the answers that only add -s, -es or -ing to another answer.

    >>> similar(["cove", "coves", "coving", "canning", "can", "moss"])
    3
    """
    words = set(answers)
    return sum(plural(word, words) or _ing(word, words) for word in words)


def _ing(word: str, words: Collection[str]) -> bool:
    stem = word.removesuffix("ing")
    doubled = stem[-1:] == stem[-2:-1]
    return stem != word and (stem in words or f"{stem}e" in words or (doubled and stem[:-1] in words))


def fits(answers: Collection[str], rude: Collection[str], most_similar: int | None) -> bool:
    """Return whether a puzzle has no offensive answer, and at most this many similar answers."""
    return not set(answers).intersection(rude) and (most_similar is None or similar(answers) <= most_similar)


def described(
    letters: Puzzle, answers: Sequence[str], tiers: Mapping[str, str], hard: Mapping[str, int]
) -> dict[str, Any]:
    """Describe a puzzle as JSON: letters, answers by tier, pangrams, points, points of each rank, difficulty.

    A word without a tier, such as one from another list, has the tier `listed`.
    """
    by_tier: dict[str, list[str]] = {}
    for word in sorted(answers):
        by_tier.setdefault(tiers.get(word, "listed"), []).append(word)
    points = sum(map(score, answers))
    figure = difficulty.difficulty(answers, hard)
    return {
        "center": letters.center,
        "outer": letters.outer,
        "answers": by_tier,
        "pangrams": sorted(filter(pangram, answers)),
        "words": len(answers),
        "points": points,
        "bingo": bingo(letters, answers),
        "similar": similar(answers),
        "ranks": ranks(points),
        "difficulty": figure,
        "level": difficulty.level(figure),
    }
