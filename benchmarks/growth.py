"""Measure the time of making trials for growing numbers of candidates and puzzles.

`python benchmarks/growth.py` prints the table of docs/PERFORMANCE.md. The words are random letters with the letter
frequencies of the list, so that puzzles make about as many words possible.
"""

from __future__ import annotations

import random
import time
from collections import Counter

import pandas as pd

from pipeline import solver
from pipeline.facts import merge
from pipeline.tables import frames
from pipeline.words import pangram, playable

CANDIDATES, PUZZLES = 50_000, 700
STEPS = (1, 4, 16)


def words(count: int, chance: random.Random) -> list[str]:
    """Generate playable words."""
    letters = Counter("".join(solver.load_words()))
    names, weights = list(letters), list(letters.values())
    made: set[str] = set()
    while len(made) < count:
        drawn = "".join(chance.choices(names, weights, k=chance.randint(5, 9)))
        if playable(drawn):
            made.add(drawn)
    return sorted(made)


def puzzles(count: int, chance: random.Random) -> pd.DataFrame:
    """Choose puzzles of the list, with consecutive dates."""
    sets = sorted({"".join(sorted(set(word))) for word in solver.load_words() if pangram(word)})
    rows = []
    for day, letters in enumerate(chance.choices(sets, k=count)):
        center = chance.choice(letters)
        date = str((pd.Timestamp("2018-05-09") + pd.Timedelta(days=day)).date())
        rows.append({"date": date, "center": center, "outer": letters.replace(center, ""), "source": "made"})
    return frames.from_rows(rows, "puzzles")


def main() -> None:
    """Print seconds and trials for each step of candidates and of puzzles."""
    chance = random.Random(0)
    print("| candidates | puzzles | trials | seconds | microseconds per trial |\n|--:|--:|--:|--:|--:|")
    pool = words(CANDIDATES * max(STEPS), chance)
    for more_words, more_puzzles in [*((step, 1) for step in STEPS), *((1, step) for step in STEPS[1:])]:
        listed = sorted(chance.sample(pool, CANDIDATES * more_words))
        candidates = pd.DataFrame({"word": listed})
        asked = puzzles(PUZZLES * more_puzzles, chance)
        started = time.perf_counter()
        made = merge.trials(asked, frames.empty("answers"), candidates)
        took = time.perf_counter() - started
        print(f"| {len(listed):,} | {len(asked):,} | {len(made):,} | {took:.2f} | {1e6 * took / len(made):.2f} |")


if __name__ == "__main__":
    main()
