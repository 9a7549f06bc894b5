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


def random_words(count: int, random_source: random.Random) -> list[str]:
    """Generate playable words."""
    letter_counts = Counter("".join(solver.load_words()))
    letters = list(letter_counts)
    weights = list(letter_counts.values())
    words: set[str] = set()
    while len(words) < count:
        length = random_source.randint(5, 9)
        word = "".join(random_source.choices(letters, weights, k=length))
        if playable(word):
            words.add(word)
    return sorted(words)


def random_puzzles(count: int, random_source: random.Random) -> pd.DataFrame:
    """Choose puzzles of the list, with consecutive dates."""
    letter_sets = sorted({"".join(sorted(set(word))) for word in solver.load_words() if pangram(word)})
    dates = pd.date_range("2018-05-09", periods=count).strftime("%Y-%m-%d")
    rows = []
    for date, letters in zip(dates, random_source.choices(letter_sets, k=count), strict=True):
        center = random_source.choice(letters)
        rows.append({"date": date, "center": center, "outer": letters.replace(center, ""), "source": "random"})
    return frames.from_rows(rows, "puzzles")


def main() -> None:
    """Print seconds and trials for each step of candidates and of puzzles."""
    random_source = random.Random(0)
    print("| candidates | puzzles | trials | seconds | microseconds per trial |\n|--:|--:|--:|--:|--:|")
    words = random_words(CANDIDATES * max(STEPS), random_source)
    sizes_with_more_words = [(CANDIDATES * step, PUZZLES) for step in STEPS]
    sizes_with_more_puzzles = [(CANDIDATES, PUZZLES * step) for step in STEPS[1:]]
    for word_count, puzzle_count in sizes_with_more_words + sizes_with_more_puzzles:
        candidates = pd.DataFrame({"word": sorted(random_source.sample(words, word_count))})
        puzzles = random_puzzles(puzzle_count, random_source)
        started = time.perf_counter()
        trials = merge.trials(puzzles, frames.empty("answers"), candidates)
        seconds = time.perf_counter() - started
        per_trial = 1e6 * seconds / len(trials)
        print(f"| {word_count:,} | {puzzle_count:,} | {len(trials):,} | {seconds:.2f} | {per_trial:.2f} |")


if __name__ == "__main__":
    main()
