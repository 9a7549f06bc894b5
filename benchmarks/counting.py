"""Known ways to count every puzzle that a list makes possible, for comparison with ours.

Each function takes a list of playable words and returns the points of every puzzle (letters, center first) whose seven
letters are the letters of some word. The code is ours; the ideas are from the named sources.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np
import pandas as pd

from benchmarks.algorithms import centered_subsets
from pipeline.errors import BeeError
from pipeline.play import puzzles
from pipeline.tables import columns
from pipeline.words import Puzzle, mask, pangram, score

Points = dict[str, int]
"""The points of all answers, by puzzle (letters, center first)."""
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Generator:
    """A way to count all puzzles: its name, the source of the idea, and the function."""

    name: str
    source: str
    count: Callable[[list[str]], Points]


def possible(words: list[str]) -> list[Puzzle]:
    """Return every puzzle that has a pangram in the list."""
    letter_sets = sorted({"".join(sorted(set(word))) for word in words if pangram(word)})
    return [Puzzle(center, letters.replace(center, "")) for letters in letter_sets for center in letters]


def by_subset(words: list[str]) -> Points:
    """Return the points of all puzzles. The points of each letter set are summed once; a puzzle has the points of the
    64 subsets that contain its center."""
    points: dict[int, int] = defaultdict(int)
    for word in words:
        points[mask(word)] += score(word)
    points = dict(points)
    return {
        puzzle.letters: sum(points[subset] for subset in centered_subsets(puzzle) if subset in points)
        for puzzle in possible(words)
    }


def by_scan(words: list[str]) -> Points:
    """Return the points of all puzzles by testing every letter set of the list against every set of seven letters, as
    compiled programs do."""
    masks, rows = np.unique(columns.masks(words), return_inverse=True)
    points = np.bincount(rows, [score(word) for word in words]).astype(np.int64)
    points_of: Points = {}
    for letters, puzzles_of_set in itertools.groupby(possible(words), key=lambda puzzle: mask(puzzle.letters)):
        inside = np.flatnonzero(masks & ~letters == 0)
        for puzzle in puzzles_of_set:
            has_center = masks[inside] & mask(puzzle.center) != 0
            points_of[puzzle.letters] = int(points[inside[has_center]].sum())
    return points_of


def ours(words: list[str]) -> Points:
    """Return the points of all puzzles from our generator."""
    table = puzzles.possible(words)
    return dict(zip((table["center"] + table["outer"]).tolist(), table["points"].tolist(), strict=True))


GENERATORS = (
    Generator("sets against masks", "bit sets, as generators in C++ and numpy compare them", by_scan),
    Generator("points by subset", "P. Norvig, pytudes, SpellingBee.ipynb: 64 subsets a puzzle", by_subset),
    Generator("ours (bee puzzles)", "all sets of a subset at once, see `play.puzzles`", ours),
)


def compare(words: list[str]) -> pd.DataFrame:
    """Return the times of all generators: columns generator, seconds (median), ours_is_faster, puzzles, source.

    Raises BeeError if two generators give different points.
    """
    expected = ours(words)
    seconds_of: dict[str, list[float]] = {generator.name: [] for generator in GENERATORS}
    for _ in range(ROUNDS):
        for generator in GENERATORS:
            started = time.perf_counter()
            points = generator.count(words)
            seconds_of[generator.name].append(time.perf_counter() - started)
            if points != expected:
                raise BeeError(f"{generator.name} counts points differently from bee puzzles.")
    table = pd.DataFrame(
        {
            "generator": [generator.name for generator in GENERATORS],
            "seconds": [median(seconds_of[generator.name]) for generator in GENERATORS],
            "source": [generator.source for generator in GENERATORS],
        }
    )
    return table.assign(ours_is_faster=table["seconds"] / table["seconds"].iloc[-1], puzzles=len(expected))
