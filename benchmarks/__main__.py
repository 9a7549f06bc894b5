"""Times commands and pipeline runs beside imports, and our solver beside those of others (`make bench`)."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks import commands
from benchmarks.algorithms import ALGORITHMS, OURS, Algorithm, compile_scan
from pipeline import solver, store, word_list
from pipeline.errors import BeeError
from pipeline.store import Workspace
from pipeline.words import puzzle

PUZZLES = tuple(map(puzzle, ("octpnme", "vctaoen", "entivcz", "lndraio")))
"""Puzzles that descriptions of solvers use as examples."""
ROUNDS = 25
"""How many times the algorithms take turns, so that a busy time of the machine slows down all of them."""
COMMANDS_PER_RUN = 4
"""How many times as many turns the commands have as the runs, which take much longer."""


def main(arguments: list[str]) -> None:
    """Time commands and pipeline runs beside imports, and our solver beside those of others on one list."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=main.__doc__)
    parser.add_argument("--list", metavar="FILE", help="any word list; default: the list of the release")
    parser.add_argument("--data", type=Path, metavar="DIR", help="the workspace, which is copied; default ./data")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds per algorithm; default 2")
    parser.add_argument("--turns", type=int, default=5, help="turns of runs; default 5; 0: solvers only")
    options = parser.parse_args(arguments)
    if not 0 < options.seconds <= 3600:
        parser.error("--seconds must be a number of seconds up to 3600.")
    if options.turns < 0:
        parser.error("--turns must be 0 or more.")
    workspace = store.find_workspace(options.data)
    words = solver.load_release(store.find_release(workspace))
    if options.list:
        words = word_list.read(options.list).words
    if options.turns:  # first, because the system counts the memory of this process as that of each new one
        print_times_of_commands(workspace, options.turns)
    with tempfile.TemporaryDirectory() as folder:
        algorithms = list(ALGORITHMS)
        try:
            algorithms.append(compile_scan(Path(folder)))
        except BeeError as error:
            print(f"bench: {error}", file=sys.stderr)
        times = time_algorithms(words, algorithms, options.seconds)
    print_table(f"solver, {len(words):,} words", ("µs per puzzle", "times ours", "ms to build"), times)


def print_times_of_commands(workspace: Workspace, turns: int) -> None:
    """Print the medians of commands and of pipeline runs in a workspace."""
    times = commands.medians(commands.time_commands(workspace, COMMANDS_PER_RUN * turns))
    times |= commands.medians(commands.time_decisions(workspace, turns))
    figures = {name: (timing.seconds, timing.times_import) for name, timing in times.items()}
    print_table("command", ("seconds", "times import typer"), figures)
    times = commands.medians(commands.time_runs(workspace, turns))
    print_table("pipeline", ("seconds", f"times import {commands.PANDAS}", "peak MB"), times)
    if commands.AFTER_A_DAY not in times:
        days = commands.OLD.days
        print(f"bench: Without a puzzle on disk that is {days} days old, no run after a new day.", file=sys.stderr)


def time_algorithms(
    words: list[str], algorithms: Sequence[Algorithm], seconds: float
) -> dict[str, tuple[float, float, float]]:
    """Return the times of algorithms by name: the median µs to solve a puzzle, this as a multiple of ours, and the ms
    to prepare the list.

    Raises BeeError if an algorithm finds other words than a scan.
    """
    structures, build_ms = {}, {}
    for algorithm in algorithms:
        started = time.perf_counter()
        structures[algorithm] = algorithm.build(words)
        build_ms[algorithm] = 1e3 * (time.perf_counter() - started)
        for asked in PUZZLES:
            if sorted(algorithm.solve(structures[algorithm], asked)) != sorted(solver.scan(words, asked)):
                raise BeeError(f"{algorithm.name} finds other words than a scan for {asked.letters}.")
    solve_us: dict[Algorithm, list[float]] = {algorithm: [] for algorithm in algorithms}
    for algorithm in ROUNDS * list(algorithms):
        deadline = time.perf_counter() + seconds / ROUNDS
        while (started := time.perf_counter()) < deadline or not solve_us[algorithm]:
            for asked in PUZZLES:
                algorithm.solve(structures[algorithm], asked)
            solve_us[algorithm].append(1e6 * (time.perf_counter() - started) / len(PUZZLES))
    medians = {algorithm: median(times) for algorithm, times in solve_us.items()}
    return {each.name: (medians[each], medians[each] / medians[OURS], build_ms[each]) for each in algorithms}


def print_table(title: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> None:
    """Print a table in Markdown: a name and numbers in each row."""
    cells = [(title, *columns)]
    cells += [(name, *(f"{number:,.{0 if number >= 100 else 2}f}" for number in row)) for name, row in rows.items()]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ("-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])))
    for name, *numbers in cells:
        print("|", " | ".join([name.ljust(widths[0]), *map(str.rjust, numbers, widths[1:])]), "|")
    print(flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BeeError as error:
        sys.exit(f"bench: {error}")
