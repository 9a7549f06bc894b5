"""Known ways to count every puzzle that a list makes possible, to compare with ours.

Each takes a list of playable words and returns points by puzzle (letters, center first), over all sets of seven letters
that are the letters of some word. The code is ours; the ideas are from the named sources.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

import numpy as np
import pandas as pd

from benchmarks.algorithms import centered_subsets
from pipeline.errors import BeeError
from pipeline.tables import columns
from pipeline.words import Puzzle, mask, pangram, score

Points = Mapping[str, int]

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Generator:
    """A way to count all puzzles: its name, the source of the idea, and the function."""

    name: str
    source: str
    count: Callable[[list[str]], Points]


def possible(words: list[str]) -> list[Puzzle]:
    """List every puzzle that has a pangram in the list."""
    sets = sorted({"".join(sorted(set(word))) for word in words if pangram(word)})
    return [Puzzle(center, letters.replace(center, "")) for letters in sets for center in letters]


def by_subset(words: list[str]) -> dict[str, int]:
    """Sum the points of each set of letters once; a puzzle has the points of the 64 subsets that contain its center."""
    points: dict[int, int] = defaultdict(int)
    for word in words:
        points[mask(word)] += score(word)
    known = dict(points)
    return {
        asked.letters: sum(known[subset] for subset in centered_subsets(asked) if subset in known)
        for asked in possible(words)
    }


def by_scan(words: list[str]) -> dict[str, int]:
    """Test every set of letters of the list against every set of seven, as compiled programs do."""
    masks, which = np.unique(columns.masks(words), return_inverse=True)
    points = np.bincount(which, [score(word) for word in words]).astype(np.int64)
    asked = possible(words)
    counted: dict[str, int] = {}
    for first in range(0, len(asked), 7):
        inside = np.flatnonzero(masks & ~mask(asked[first].letters) == 0)
        for each in asked[first : first + 7]:
            counted[each.letters] = int(points[inside[masks[inside] & mask(each.center) != 0]].sum())
    return counted


GENERATORS: tuple[Generator, ...] = (
    Generator("sets against masks", "bit sets, as generators in C++ and numpy compare them", by_scan),
    Generator("points by subset", "P. Norvig, pytudes, SpellingBee.ipynb: 64 subsets a puzzle", by_subset),
)


def compare(words: list[str], ours: Callable[[list[str]], Points]) -> pd.DataFrame:
    """Time all generators and `ours` in turn: columns generator, seconds (median), ours_is_faster, puzzles, source.

    Raises BeeError if two of them give different counts.
    """
    every = (*GENERATORS, Generator("ours (bee puzzles)", "all sets of a subset at once, see `play.puzzles`", ours))
    expected = ours(words)
    took: dict[str, list[float]] = {each.name: [] for each in every}
    for _ in range(ROUNDS):
        for each in every:
            started = time.perf_counter()
            counted = each.count(words)
            took[each.name].append(time.perf_counter() - started)
            if counted != expected:
                raise BeeError(f"{each.name} counts different points than bee puzzles.")
    best = median(took[every[-1].name])
    rows = [(each.name, median(took[each.name]), median(took[each.name]) / best, each.source) for each in every]
    frame = pd.DataFrame(rows, columns=["generator", "seconds", "ours_is_faster", "source"])
    return frame.assign(puzzles=len(expected))
