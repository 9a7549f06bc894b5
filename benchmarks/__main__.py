"""Times our solver and generator, and those that others have described, on the same list in one run (`make bench`)."""

from __future__ import annotations

import argparse
import random
import sys

import pandas as pd

from benchmarks import counting, solving
from pipeline import solver, store
from pipeline.errors import BeeError, StoreError
from pipeline.run import registry

MAX_PUZZLES = 200
"""The maximum number of official puzzles on disk that are used."""


def main(arguments: list[str]) -> None:
    """Time our solver and generator, and those that others have described, on the same list in one run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--list", help="any word list; default: the list of the release")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds per algorithm; default 2")
    parser.add_argument("--data", help="the workspace with official puzzles; default ./data")
    options = parser.parse_args(arguments)
    if not 0 < options.seconds <= 3600:
        parser.error("--seconds must be a number of seconds up to 3600.")
    words = solver.load_words(options.list) if options.list else solver.load_release(store.find_release(options.data))
    puzzles = solving.puzzles(_official_puzzles(options.data))
    times = solving.bench(words, puzzles, options.seconds)
    times_in_c = solving.compiled(words, puzzles)
    if times_in_c.empty:
        print("No C compiler was found, so the scans in C are left out.", file=sys.stderr)
    else:
        times = pd.concat([times, times_in_c])
    times["ours_is_faster"] = times["solve_us"] / float(times["solve_us"][times["algorithm"] == "ours"].iloc[0])
    columns = ["algorithm", "solve_us", "cold_us", "times_radix", "ours_is_faster", "build_ms", "memory_mb", "puzzles"]
    print(f"{len(words):,} words, {len(puzzles)} puzzles; medians\n")
    print(times[columns].to_string(index=False, float_format="{:,.1f}".format, na_rep="-", justify="right"))
    generators = counting.compare(words)
    print(f"\n{generators['puzzles'].iloc[0]:,} possible puzzles, all counted; medians\n")
    columns = ["generator", "seconds", "ours_is_faster"]
    print(generators[columns].to_string(index=False, float_format="{:,.3f}".format, justify="right"))


def _official_puzzles(data: str | None) -> list[str]:
    """Return the letters of some official puzzles on disk; none if there is no workspace."""
    try:
        table = registry.load(store.find_workspace(data), "puzzles")
    except StoreError as error:
        print(
            f"There are no official puzzles on disk, so only the four built-in puzzles are used: {error}",
            file=sys.stderr,
        )
        return []
    letters = (table["center"] + table["outer"]).tolist()
    return random.Random(0).sample(letters, min(MAX_PUZZLES, len(letters)))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BeeError as error:
        sys.exit(f"bench: {error}")
