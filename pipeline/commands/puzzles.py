"""`bee puzzles`: the puzzles that a list makes possible."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, solver, store
from pipeline.commands.messages import say, say_release
from pipeline.commands.options import read_word_list
from pipeline.play import daily, difficulty, puzzles
from pipeline.tables import frames
from pipeline.words import count


def print_puzzles(
    ctx: typer.Context,
    own: Annotated[
        bool, typer.Option("--own", help="Only puzzles that are like official ones but were never official.")
    ] = False,
    limit: Annotated[int, typer.Option(min=0, help="Number of puzzles to print; 0 for all.")] = 20,
    list_path: Annotated[
        Path | None, typer.Option("--list", help="The word list to use. Default: the list of the workspace.")
    ] = None,
) -> None:
    """Count and print the puzzles that the list makes possible.

    The puzzles with the most words come first. Prints columns on a terminal and CSV otherwise. Difficulty is estimated
    from how common the answers are; it has not been tested with players. Exits with code 1 if there are none.

    \b
    Examples:
      bee puzzles --own --limit 3
      bee puzzles --limit 0 > puzzles.csv
    """
    folder = store.find_release(ctx.obj)
    table = reader.read(folder, "words.csv").files["words.csv"]
    rows = {row["word"]: row for row in reader.rows(table, "words.csv")}
    words = read_word_list(list_path) if list_path else solver.load_release(folder)
    hardness = difficulty.load_hardness(words, {word: int(row["accepted"]) for word, row in rows.items()})
    possible = puzzles.possible(words, hardness)
    if own:
        pool = daily.pool(words, hardness, rows)
        possible = possible[(possible["center"] + possible["outer"]).isin(pool)]
    possible = possible.assign(level=possible["difficulty"].map(difficulty.level))
    possible = possible.sort_values(["words", "points", "outer", "center"], ascending=[False, False, True, True])
    kind = "own puzzle" if own else "possible puzzle"
    say(f"{count(len(possible), kind)} from {count(len(words), 'word')}.")
    if not list_path:
        say_release(folder)
    shown = possible.head(limit) if limit else possible
    if shown.empty:
        raise typer.Exit(1)
    if sys.stdout.isatty():
        typer.echo(shown.to_string(index=False))
    else:
        typer.echo(frames.csv_bytes(shown).decode(), nl=False)
