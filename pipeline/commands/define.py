"""`bee define`: the meaning of a word."""

from __future__ import annotations

import json
from typing import Annotated, Optional

import typer

from pipeline import solver
from pipeline.commands import PLAY, Data, command, release_folder


@command(PLAY, "bee define luff", "bee define --coverage")
def define(
    words: Annotated[Optional[list[str]], typer.Argument(help="The words.")] = None,  # noqa: UP045
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Count the words of the list that have a gloss.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
    data: Data = None,
) -> None:
    """Print the definitions of words, from WordNet."""
    from pipeline.play import glosses as meanings

    words = [word for word in words or [] if word.strip()]
    if not (words or coverage):
        raise typer.BadParameter("Name a word, or use --coverage.")
    table = meanings.load()
    if coverage:
        have, listed = meanings.coverage(solver.load_release(release_folder(data)), table)
        typer.echo(f"{have:,} of {listed:,} listed words have a gloss ({have / listed:.1%}).")
    asked = [meanings.define(word.strip().lower(), table) for word in words]
    for each in asked:
        senses = [{**sense._asdict(), "pos": meanings.PARTS[sense.pos]} for sense in each.senses]
        told = json.dumps({"word": each.word, "base": each.base, "senses": senses})
        typer.echo(told if as_json else meanings.text(each))
    if asked and not any(each.senses for each in asked):
        raise typer.Exit(1)
