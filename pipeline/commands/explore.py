"""The commands that look at many puzzles at once: how fast they are solved, and which are possible."""

from __future__ import annotations

import enum
import random
import time
from pathlib import Path
from typing import Annotated, Optional

import typer

from pipeline import solver
from pipeline.commands import Data, app, progress, say

List = Annotated[Optional[Path], typer.Option("--list", help="Any word list; default the one that came along.")]  # noqa: UP045
Bound = Annotated[Optional[int], typer.Option(min=0, help="Only puzzles with so many at least or at most.")]  # noqa: UP045

SAMPLED = 200
"""So many puzzles of the archive are part of a bench, when there are any on disk."""


@app.command()
def bench(
    words: List = None,
    seconds: Annotated[float, typer.Option(min=0.01, help="For so long each algorithm solves puzzles.")] = 2.0,
    data: Data = None,
) -> None:
    """Time the solver beside the ones that others have described, all on one list in one run."""
    import pandas as pd

    from pipeline import algorithms, store
    from pipeline import bench as benching

    listed = solver.load_words(words)
    official: list[str] = []
    try:
        found = store.read_table(store.find_workspace(data), "puzzles", "bee run")
        official = (found["center"] + found["outer"]).tolist()
    except store.StoreError as error:
        say(f"No official puzzles at hand, so only the four that are always there: {error}")
    asked = benching.letters(random.Random(0).sample(official, min(SAMPLED, len(official))))
    with progress() as track:
        made = benching.bench(listed, asked, seconds, track(algorithms.ALGORITHMS, "algorithms"))
    in_c = benching.compiled(listed, asked)
    if in_c.empty:
        say("No C compiler here, so the scans in C are left out.")
    table = pd.concat([made, in_c]) if len(in_c) else made
    ours = float(made["solve_us"][made["algorithm"] == "ours"].iloc[0])
    table["ours_is_faster"] = table["solve_us"] / ours
    typer.echo(f"{len(listed):,} words, {len(asked)} puzzles; medians\n")
    shown = table[["algorithm", "solve_us", "times_radix", "ours_is_faster", "build_ms", "memory_mb", "puzzles"]]
    typer.echo(shown.to_string(index=False, float_format="{:,.1f}".format, na_rep="-", justify="right"))


class Best(enum.StrEnum):
    """What the richest puzzles are rich in."""

    words = "words"
    points = "points"
    pangrams = "pangrams"
    perfect = "perfect"


@app.command()
def puzzles(
    contains: Annotated[str, typer.Option(help="Only puzzles with all these letters.")] = "",
    without: Annotated[str, typer.Option(help="Only puzzles with none of these letters.")] = "",
    center: Annotated[str, typer.Option(help="Only puzzles with one of these centers.")] = "",
    min_words: Bound = None,
    max_words: Bound = None,
    min_points: Bound = None,
    max_points: Bound = None,
    min_pangrams: Bound = None,
    max_pangrams: Bound = None,
    bingo: Annotated[
        bool, typer.Option("--bingo", help="Only puzzles in which every letter starts an answer.")
    ] = False,
    best: Annotated[Best, typer.Option(help="What to sort by, the most first.")] = Best.words,
    limit: Annotated[int, typer.Option(min=0, help="Print so many; 0 for all.")] = 20,
    words: List = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Count every puzzle that the list makes possible: which there are, and which are the richest."""
    from pipeline import frames
    from pipeline import puzzles as counting

    for asked in (contains, without, center):
        if wrong := [letter for letter in asked.lower() if not "a" <= letter <= "z"]:
            raise typer.BadParameter(f'"{wrong[0]}" is not a letter from a to z.')
    listed = solver.load_words(words)
    started = time.perf_counter()
    every = counting.possible(listed)
    took = time.perf_counter() - started
    bounds = {"words": (min_words, max_words), "points": (min_points, max_points)}
    bounds |= {"pangrams": (min_pangrams, max_pangrams), "bingo": (int(bingo), None)}
    kept = counting.choose(every, contains.lower(), without.lower(), center.lower(), **bounds)
    kept = kept.sort_values([best.value, "points", "outer", "center"], ascending=[False, False, True, True])
    say(f"{len(kept):,} of {len(every):,} possible puzzles, which {len(listed):,} words make; counted in {took:.2f} s.")
    kept = kept.head(limit) if limit else kept
    if as_csv:
        typer.echo(frames.csv_bytes(kept).decode(), nl=False)
    elif len(kept):
        typer.echo(kept.to_string(index=False))
