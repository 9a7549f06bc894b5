"""`make bench`: our solver and generator and those that others have described, timed on the same list in one run."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline import solver
from pipeline.commands.options import seconds_up_to
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError, StoreError

List = Annotated[Path | None, typer.Option("--list", help="Any word list; default the list of the workspace.")]

SAMPLED = 200
"""The number of official puzzles in a bench, if there are any on disk."""


def bench(
    words: List = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, callback=seconds_up_to(3600), help="Seconds per algorithm.")
    ] = 2.0,
    data: Annotated[str | None, typer.Option(metavar="DIR", help="The workspace; default ./data.")] = None,
) -> None:
    """Time our solver and generator and those that others have described, all on the same list in one run."""
    import pandas as pd

    from benchmarks import algorithms, counting, solving
    from pipeline import store
    from pipeline.run import registry

    settings = Settings(data)
    listed = solver.load_words(words) if words else solver.load_release(settings.release_folder())
    official: list[str] = []
    try:
        found = registry.load(store.find_workspace(data), "puzzles")
        official = (found["center"] + found["outer"]).tolist()
    except StoreError as error:
        settings.say(f"No official puzzles on disk, so only the four built-in ones are used: {error}")
    asked = solving.letters(random.Random(0).sample(official, min(SAMPLED, len(official))))
    with settings.progress_bar() as progress:
        made = solving.bench(listed, asked, seconds, progress(algorithms.ALGORITHMS, "algorithms"))
    in_c = solving.compiled(listed, asked)
    if in_c.empty:
        settings.say("There is no C compiler here, so the scans in C are left out.")
    table = pd.concat([made, in_c]) if len(in_c) else made
    ours = float(made["solve_us"][made["algorithm"] == "ours"].iloc[0])
    table["ours_is_faster"] = table["solve_us"] / ours
    typer.echo(f"{len(listed):,} words, {len(asked)} puzzles; medians\n")
    shown = table[
        ["algorithm", "solve_us", "cold_us", "times_radix", "ours_is_faster", "build_ms", "memory_mb", "puzzles"]
    ]
    typer.echo(shown.to_string(index=False, float_format="{:,.1f}".format, na_rep="-", justify="right"))
    counted = counting.compare(listed, _points)
    typer.echo(f"\n{counted['puzzles'].iloc[0]:,} possible puzzles, all counted; medians\n")
    shown = counted[["generator", "seconds", "ours_is_faster"]]
    typer.echo(shown.to_string(index=False, float_format="{:,.3f}".format, justify="right"))


def _points(words: list[str]) -> dict[str, int]:
    """Count the points of every possible puzzle with our generator."""
    from pipeline.play import puzzles

    every = puzzles.possible(words)
    return dict(zip((every["center"] + every["outer"]).tolist(), every["points"].tolist(), strict=True))


if __name__ == "__main__":
    try:
        typer.run(bench)
    except BeeError as error:
        sys.exit(f"bench: {error}")
