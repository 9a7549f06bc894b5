"""Our own puzzles: a pool of possible puzzles that were never official, and one of them for each date.

A letter set is in the pool only if no pangram of it was ever accepted. An official puzzle has an accepted pangram, so
no puzzle of the pool was official up to the last day that the record covers. Later official puzzles are unknown. About
0.24 new letter sets per day appear (2025), of 2,109 that are possible, so the chance that one of them has the letters
and center of a given puzzle of ours within 60 days is about one in a thousand. Letter sets with S, or with both E and
R, are left out, as are offensive pangrams.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pipeline import solver
from pipeline.play import difficulty
from pipeline.words import Puzzle, bingo, in_play, pangram, plural, ranks, score

WORDS, POINTS = (22, 64), (84, 313)
"""The numbers of words and points of the middle 90% of the 2,794 official puzzles from 2018-05-09 to 2025-12-31."""
EASIEST_PANGRAM = 60
"""At least one pangram is at most this hard, as in 90% of the official puzzles."""


class Own(NamedTuple):
    """One of our own puzzles: center, outer letters, level."""

    center: str
    outer: str
    level: str


def pool(
    listed: Collection[str], hard: Mapping[str, int], accepted: Mapping[str, int], rude: Collection[str]
) -> list[Own]:
    """Return our own puzzles, sorted by letters: the good puzzles of a list; see `fresh` and `usual`."""
    index = solver.index(listed)
    found = []
    for letters in sorted(fresh(listed, hard, accepted, rude)):
        for center in letters:
            asked = Puzzle(center, letters.replace(center, ""))
            answers = solver.solve(index, asked)
            if usual(len(answers), sum(map(score, answers))):
                found.append(Own(center, asked.outer, difficulty.level(difficulty.difficulty(answers, hard))))
    return found


def usual(words: int, points: int) -> bool:
    """Return whether a puzzle has about as many words and points as official ones."""
    return WORDS[0] <= words <= WORDS[1] and POINTS[0] <= points <= POINTS[1]


def fresh(
    listed: Iterable[str], hard: Mapping[str, int], accepted: Mapping[str, int], rude: Collection[str]
) -> set[str]:
    """Return the letter sets, A to Z, that were never official, with an easy pangram and no rude one, in play."""
    sets: dict[str, list[str]] = {}
    for word in listed:
        if pangram(word):
            sets.setdefault("".join(sorted(set(word))), []).append(word)
    return {
        letters
        for letters, pangrams in sets.items()
        if in_play(letters)
        and not any(accepted.get(word, 0) or word in rude for word in pangrams)
        and min(hard[word] for word in pangrams) <= EASIEST_PANGRAM
    }


def daily(levels: Mapping[str, str], date: str) -> str:
    """Choose the puzzle of a date from letters and their levels.

    First choose the level, so that a third of the days each is easy, fair and hard, like the official puzzles. Then
    choose the letters with the smallest hash, so that a new release rarely changes them.

    >>> daily({"vacenot": "fair", "cehimny": "hard"}, "2026-01-01") in ("vacenot", "cehimny")
    True
    """
    level = difficulty.LEVELS[fnv(date) % len(difficulty.LEVELS)]
    some = [letters for letters in levels if levels[letters] == level] or list(levels)
    return min(some, key=lambda letters: (fnv(f"{date} {letters}"), letters))


def fnv(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text, which takes few lines in any language.

    >>> fnv(""), fnv("a")
    (2166136261, 3826002220)
    """
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


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
