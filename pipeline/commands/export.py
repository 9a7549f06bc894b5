"""`bee export`: the list in the form that another program wants."""

from __future__ import annotations

import enum
import json
import sys
from pathlib import Path
from typing import Annotated, Optional

import typer

from pipeline import solver
from pipeline.commands import app, say


class Format(enum.StrEnum):
    """What `formats.FORMATS` can write."""

    txt = "txt"
    capitals = "TXT"
    csv = "csv"
    json = "json"
    jsonl = "jsonl"
    scored = "scored"
    hunspell = "hunspell"
    c = "c"
    js = "js"
    masks = "masks"
    sqlite = "sqlite"


FORMAT_HELP = (
    "txt; TXT, upper case; csv; json; jsonl; scored, WORD;SCORE: 100 for tier core, 0 for refused, else 100 times p; "
    "hunspell, two files; c, a header; js, an ES module; masks, binary; sqlite."
)


@app.command()
def export(
    form: Annotated[Format, typer.Option("--format", help=FORMAT_HELP)],
    tier: Annotated[str, typer.Option(help="Tiers, with commas: core, likely, review, refused.")] = "core,likely",
    safe: Annotated[bool, typer.Option("--safe", help="Leave out words flagged slur, vulgar or sensitive.")] = False,
    min_length: Annotated[int, typer.Option(min=1, help="Leave shorter words out.")] = 4,
    output: Annotated[Optional[Path], typer.Option("-o", "--output", help="A file; default stdout.")] = None,  # noqa: UP045
    release: Annotated[Optional[Path], typer.Option(help="A folder with words.csv; default the release here.")] = None,  # noqa: UP045
) -> None:
    """Write the list in the form that another program wants."""
    from pipeline import export as exporting
    from pipeline import formats, store

    writers = formats.FORMATS[form]
    if len(writers) > 1 and not output:
        raise exporting.ChoiceError(f"{form} is {len(writers)} files, {' and '.join(writers)}; name them with -o NAME.")
    if form in formats.BINARY and not output and sys.stdout.isatty():
        raise exporting.ChoiceError(f"{form} is no text for a terminal; name a file with -o FILE, or use a pipe.")
    if output and output.is_dir():
        raise exporting.ChoiceError(f"{output} is a folder; name a file in it with -o FILE.")
    tiers = list(dict.fromkeys(each.strip() for each in tier.split(",")))
    path = Path(release or solver.RELEASE) / "words.csv"
    data = store.read_bytes(path, "bee publish")
    words = exporting.read(data, path)
    chosen = exporting.choose(words, tiers, safe, min_length)
    package = path.with_name("datapackage.json")
    facts = exporting.facts(
        store.read_bytes(package, "bee publish") if package.exists() else None,
        exporting.content(len(chosen), tiers, safe, min_length), package,
    )  # fmt: skip
    if package.exists():
        exporting.check_seal(data, json.loads(package.read_bytes()), path)
    files = {ending: write(chosen, facts) for ending, write in writers.items()}
    if not output:
        typer.echo(files[""], nl=False)
        return
    name = output.with_suffix("") if output.suffix in files else output
    for ending, data in files.items():
        store.write_bytes(name.parent / (name.name + ending), data)
    named = " and ".join(str(name) + ending for ending in files)
    say(f"{len(chosen):,} words of release {facts['version']} in {named}. Licence: {facts['licence']}.")
