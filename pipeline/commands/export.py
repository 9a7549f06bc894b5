"""`bee export`: the list in the form that another program wants."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, Optional

import typer

from pipeline import solver
from pipeline.commands import app, say
from pipeline.words import BeeError


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

    path = Path(release or solver.RELEASE) / "words.csv"
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
