"""Bench: the time that each algorithm takes to prepare a list and to solve a puzzle, all in one run on one machine.

Only ratios can be compared with other machines; every figure is a median. The C scans of other projects are compiled
from `scan.c` if there is a C compiler, and timed separately, without Python.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import pandas as pd

from benchmarks.algorithms import ALGORITHMS, Algorithm
from pipeline import solver
from pipeline.errors import BeeError
from pipeline.words import Puzzle, puzzle

PUZZLES = ("octpnme", "vctaoen", "entivcz", "lndraio")
"""Puzzles that descriptions of solvers use as examples; they are part of every run."""

REPEATS = 5
"""The number of times that a puzzle is solved in a row, so that caches are warm."""

PEER = "radix tree"


def letters(some: Iterable[str] = ()) -> list[Puzzle]:
    """Return the puzzles of a run: the four fixed ones, then others, letters center first."""
    return [puzzle(each) for each in dict.fromkeys([*PUZZLES, *some])]


def bench(
    words: list[str], asked: list[Puzzle], seconds: float = 2.0, algorithms: Iterable[Algorithm] = ALGORITHMS
) -> pd.DataFrame:
    """Time every algorithm on the same words: one row each.

    A first round is checked and not timed. It ends after the given number of seconds, so that slow algorithms solve
    fewer puzzles. Then rounds are timed for the same number of seconds. Columns: algorithm, solve_us (median over
    puzzles of the median over rounds, warm), cold_us (the same for the first solution in each round, when caches hold
    another puzzle), times_radix (how many times as fast as the radix tree on the same puzzles, warm), build_ms,
    memory_mb (memory of the structure), puzzles (number of puzzles solved), source. Raises BeeError if an
    algorithm finds other words than a scan does.
    """
    expected = [sorted(solver.scan(words, each)) for each in asked]
    measured = [_measure(algorithm, words, asked, expected, seconds) for algorithm in algorithms]
    peer = next((took for row, took in measured if row["algorithm"] == PEER), [])
    rows = []
    for row, took in measured:
        both = min(len(took), len(peer))
        ratio = median(peer[:both]) / median(took[:both]) if both else float("nan")
        rows.append({**row, "times_radix": ratio})
    order = ["algorithm", "solve_us", "cold_us", "times_radix", "build_ms", "memory_mb", "puzzles", "source"]
    return pd.DataFrame(rows, columns=order)


def _measure(
    algorithm: Algorithm, words: list[str], asked: list[Puzzle], expected: list[list[str]], seconds: float
) -> tuple[dict[str, object], list[float]]:
    """Time one algorithm; return its row, and the median of each puzzle in microseconds."""
    started = time.perf_counter()
    made = algorithm.build(words)
    build = time.perf_counter() - started
    took: list[list[int]] = []
    cold: list[list[int]] = []
    deadline = time.perf_counter() + seconds
    for each, answers in zip(asked, expected, strict=True):
        if len(took) >= len(PUZZLES) and time.perf_counter() > deadline:
            break
        if sorted(algorithm.solve(made, each)) != answers:
            raise BeeError(f"{algorithm.name} finds different words than a scan for {each.letters}.")
        took.append([])
        cold.append([])
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline or not took[-1]:
        for each, times, firsts in zip(asked, took, cold, strict=False):
            for repeat in range(REPEATS if time.perf_counter() < deadline else 2):
                start = time.perf_counter_ns()
                algorithm.solve(made, each)
                (times if repeat else firsts).append(time.perf_counter_ns() - start)
    del made
    tracemalloc.start()
    try:
        kept = algorithm.build(words)
        held, _ = tracemalloc.get_traced_memory()
        del kept
    finally:
        tracemalloc.stop()
    medians = [median(times) / 1000 for times in took]
    row = {
        "algorithm": algorithm.name,
        "solve_us": median(medians),
        "cold_us": median(median(times) / 1000 for times in cold),
        "build_ms": 1000 * build,
        "memory_mb": held / 1e6,
        "puzzles": len(took),
        "source": algorithm.source,
    }
    return row, medians


def compiled(words: list[str], asked: list[Puzzle]) -> pd.DataFrame:
    """Time the C scans on the same words: columns algorithm, solve_us, puzzles, source; no rows without `cc`.

    Raises BeeError if a scan finds a different number of words than ours.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return pd.DataFrame(columns=["algorithm", "solve_us", "puzzles", "source"])
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program, listed = Path(folder) / "scan", Path(folder) / "words.txt"
        source = Path(__file__).with_name("scan.c")
        subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True)
        listed.write_text("\n".join(words) + "\n")
        for name, scan in (("letter check in C", "letters"), ("packed scan in C", "masks")):
            done = subprocess.run(
                [str(program), scan, str(listed), *(each.letters for each in asked)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            lines = [line.split() for line in done.stdout.splitlines()]
            if [int(hits) for hits, _ in lines] != [len(solver.scan(words, each)) for each in asked]:
                raise BeeError(f"The {name} finds a different number of words.")
            rows.append(
                {
                    "algorithm": name,
                    "solve_us": median(float(took) / 1000 for _, took in lines),
                    "puzzles": len(lines),
                    "source": "scan.c, compiled with -O2",
                }
            )
    return pd.DataFrame(rows)
