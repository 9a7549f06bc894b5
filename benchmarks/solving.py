"""Measures how long each algorithm takes to prepare a list and to solve a puzzle, in one run on one machine.

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
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

from benchmarks.algorithms import ALGORITHMS, Algorithm
from pipeline import solver
from pipeline.errors import BeeError
from pipeline.words import Puzzle, puzzle

PUZZLES = ("octpnme", "vctaoen", "entivcz", "lndraio")
"""Puzzles that descriptions of solvers use as examples. They are part of every run."""

REPEATS = 5
"""How many times a puzzle is solved in a row, so that caches are warm."""

PEER = "radix tree"


def puzzles(others: Iterable[str] = ()) -> list[Puzzle]:
    """Return the puzzles of a run: the four fixed ones, followed by `others` (letters, center first)."""
    return [puzzle(letters) for letters in dict.fromkeys([*PUZZLES, *others])]


def bench(
    words: list[str], puzzles: list[Puzzle], seconds: float = 2.0, algorithms: Iterable[Algorithm] = ALGORITHMS
) -> pd.DataFrame:
    """Return the times of all algorithms on the same words, one row per algorithm.

    The first round is checked but not timed. It ends after `seconds`, so that slow algorithms solve fewer puzzles. Then
    rounds are timed for the same number of seconds. Columns: algorithm, solve_us (the median over puzzles of the median
    over rounds, with warm caches), cold_us (the same for the first solution in each round, when caches have another
    puzzle), times_radix (how many times as fast as the radix tree on the same puzzles, with warm caches), build_ms,
    memory_mb (the memory of the structure), puzzles (the number of puzzles solved), source. Raises BeeError if an
    algorithm finds other words than a scan.
    """
    answers = [sorted(solver.scan(words, puzzle)) for puzzle in puzzles]
    timings = [_measure(algorithm, words, puzzles, answers, seconds) for algorithm in algorithms]
    radix_times = next((timing.warm for timing in timings if timing.algorithm.name == PEER), [])
    rows = []
    for timing in timings:
        both = min(len(timing.warm), len(radix_times))
        row = {
            "algorithm": timing.algorithm.name,
            "solve_us": median(timing.warm),
            "cold_us": median(timing.cold),
            "times_radix": median(radix_times[:both]) / median(timing.warm[:both]) if both else float("nan"),
            "build_ms": timing.build_ms,
            "memory_mb": timing.memory_mb,
            "puzzles": len(timing.warm),
            "source": timing.algorithm.source,
        }
        rows.append(row)
    return pd.DataFrame(rows)


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of an algorithm: the median of each puzzle in microseconds, with warm and with cold caches."""

    algorithm: Algorithm
    build_ms: float
    memory_mb: float
    warm: list[float]
    cold: list[float]


def _measure(
    algorithm: Algorithm, words: list[str], puzzles: list[Puzzle], answers: list[list[str]], seconds: float
) -> Timing:
    """Return the times of one algorithm."""
    started = time.perf_counter()
    structure = algorithm.build(words)
    build_seconds = time.perf_counter() - started
    solved = _check(algorithm, structure, puzzles, answers, seconds)
    warm: list[list[int]] = [[] for _ in solved]
    cold: list[list[int]] = [[] for _ in solved]
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline or not warm[-1]:
        for letters, warm_times, cold_times in zip(solved, warm, cold, strict=True):
            for repeat in range(REPEATS if time.perf_counter() < deadline else 2):
                start = time.perf_counter_ns()
                algorithm.solve(structure, letters)
                times = warm_times if repeat else cold_times
                times.append(time.perf_counter_ns() - start)
    del structure
    return Timing(
        algorithm,
        build_ms=1000 * build_seconds,
        memory_mb=_memory(algorithm, words) / 1e6,
        warm=[median(times) / 1000 for times in warm],
        cold=[median(times) / 1000 for times in cold],
    )


def _check(
    algorithm: Algorithm, structure: Any, puzzles: list[Puzzle], answers: list[list[str]], seconds: float
) -> list[Puzzle]:
    """Return the puzzles that an algorithm solves in the given time; raise BeeError if it finds other words."""
    solved: list[Puzzle] = []
    deadline = time.perf_counter() + seconds
    for letters, expected in zip(puzzles, answers, strict=True):
        if len(solved) >= len(PUZZLES) and time.perf_counter() > deadline:
            break
        if sorted(algorithm.solve(structure, letters)) != expected:
            raise BeeError(f"{algorithm.name} finds other words than a scan for {letters.letters}.")
        solved.append(letters)
    return solved


def _memory(algorithm: Algorithm, words: list[str]) -> int:
    """Return the number of bytes of the structure that an algorithm builds."""
    tracemalloc.start()
    try:
        structure = algorithm.build(words)
        size, _ = tracemalloc.get_traced_memory()
        del structure
    finally:
        tracemalloc.stop()
    return size


def compiled(words: list[str], puzzles: list[Puzzle]) -> pd.DataFrame:
    """Return the times of the C scans on the same words: columns algorithm, solve_us, puzzles, source. Without a
    compiler, there are no rows.

    Raises BeeError if a scan finds a different number of words than ours.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        return pd.DataFrame(columns=["algorithm", "solve_us", "puzzles", "source"])
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program, word_list = Path(folder) / "scan", Path(folder) / "words.txt"
        source = Path(__file__).with_name("scan.c")
        subprocess.run([compiler, "-O2", "-o", str(program), str(source)], check=True)
        word_list.write_text("\n".join(words) + "\n")
        for name, method in (("letter check in C", "letters"), ("packed scan in C", "masks")):
            done = subprocess.run(
                [str(program), method, str(word_list), *(puzzle.letters for puzzle in puzzles)],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            lines = [line.split() for line in done.stdout.splitlines()]
            numbers_of_words = [int(number) for number, _ in lines]
            if numbers_of_words != [len(solver.scan(words, puzzle)) for puzzle in puzzles]:
                raise BeeError(f"The {name} finds a different number of words.")
            rows.append(
                {
                    "algorithm": name,
                    "solve_us": median(float(nanoseconds) / 1000 for _, nanoseconds in lines),
                    "puzzles": len(lines),
                    "source": "scan.c, compiled with -O2",
                }
            )
    return pd.DataFrame(rows)
