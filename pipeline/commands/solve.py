"""The commands of those who use the list: solve with it, or take it elsewhere."""

from __future__ import annotations

import enum
import json
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from pipeline import solver
from pipeline.commands import app, say
from pipeline.words import BeeError, LettersError, pangram, puzzle, score


class Order(enum.StrEnum):
    """How answers are sorted."""

    rank = "rank"
    alpha = "alpha"


@app.command()
def solve(
    letters: Annotated[Optional[list[str]], typer.Argument(help="Seven letters, center first.")] = None,  # noqa: UP045
    named: Annotated[str, typer.Option("--letters", help="The same, as an option.")] = "",
    center: Annotated[str, typer.Option("-c", "--center", help="The center letter.")] = "",
    outer: Annotated[str, typer.Option("-o", "--outer", help="The six outer letters.")] = "",
    sort: Annotated[Order, typer.Option(help="rank: pangrams, then the longest; alpha: A to Z.")] = Order.rank,
    min_length: Annotated[int, typer.Option(min=1, help="Leave shorter words out.")] = 4,
    words: Annotated[Optional[Path], typer.Option("--list", help="Any word list, one word a line.")] = None,  # noqa: UP045
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Print the answers of a puzzle."""
    given = "".join(letters or []) + named
    if outer and given:
        raise LettersError("Give the letters once: either all seven, or --center and --outer.")
    if not (given or outer or center):
        typer.echo("Enter letters: ", nl=False, err=True)
        given = sys.stdin.readline().strip()
    asked = puzzle(outer or given, center or None)
    found = solver.ranked(solver.scan(solver.load_words(words), asked))
    found = [word for word in found if len(word) >= min_length]
    if sort is Order.alpha:
        found.sort()
    points, pangrams = sum(map(score, found)), sum(map(pangram, found))
    if as_json:
        listed = [{"word": word, "points": score(word), "pangram": pangram(word)} for word in found]
        head = {"center": asked.center, "outer": asked.outer, "count": len(found), "points": points}
        typer.echo(json.dumps({**head, "pangrams": pangrams, "words": listed}))
    elif sys.stdout.isatty():
        plural = "" if pangrams == 1 else "s"
        typer.echo(f"{asked.letters.upper()}: {len(found)} words, {points} points, {pangrams} pangram{plural}")
        typer.echo("\n".join(map(solver.starred, found)))
    elif found:
        typer.echo("\n".join(found))


class Format(enum.StrEnum):
    """What `export.FORMATS` can write."""

    txt = "txt"
    capitals = "TXT"
    csv = "csv"
    json = "json"
    jsonl = "jsonl"
    scored = "scored"


@app.command()
def export(
    form: Annotated[Format, typer.Option("--format", help="txt, TXT (upper case), csv, json, jsonl, scored.")],
    tier: Annotated[str, typer.Option(help="Tiers, with commas.")] = "core,likely",
    safe: Annotated[bool, typer.Option("--safe", help="Leave out words flagged slur, vulgar or sensitive.")] = False,
    min_length: Annotated[int, typer.Option(min=1, help="Leave shorter words out.")] = 4,
    output: Annotated[Optional[Path], typer.Option("-o", "--output", help="A file; default stdout.")] = None,  # noqa: UP045
    release: Annotated[Optional[Path], typer.Option(help="A folder with words.csv; default the release here.")] = None,  # noqa: UP045
) -> None:
    """Write the list in the form that another program wants."""
    from pipeline import export as exporting
    from pipeline import frames, store

    path = (release or solver.RELEASE) / "words.csv"
    words = frames.read_csv(store.read_bytes(path, "bee publish"), path)
    if absent := {"word", "tier", "p", "flags"} - set(words.columns):
        raise BeeError(f"{path} has no column {sorted(absent)[0]}; `bee publish` makes it anew.")
    chosen = exporting.choose(words, tier.split(","), safe, min_length)
    text = exporting.FORMATS[form.value](chosen)
    if output:
        store.write_bytes(output, text.encode())
        say(f"{len(chosen):,} words in {output}.")
    else:
        typer.echo(text, nl=False)
