"""`bee export`: the list in a format for another program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader
from pipeline.commands import USE, Data, command, release_folder, say, say_release
from pipeline.play import difficulty
from pipeline.publishing import formats
from pipeline.words import FAMILY, SAFE


def known_format(name: str) -> formats.Format:
    """Return the format with a name; raises BadParameter if there is none."""
    if name not in formats.FORMATS:
        raise typer.BadParameter(f'"{name}" is not a format; the formats are {", ".join(formats.FORMATS)}.')
    return formats.FORMATS[name]


def named_output(form: formats.Format, output: Path | None) -> Path | None:
    """Return the start of the names of a format's files; raises ChoiceError if the format cannot be written there."""
    from pipeline.publishing.export import ChoiceError

    if len(form.endings) > 1 and not output:
        pair = " and ".join(form.endings)
        raise ChoiceError(f"{form.name} is {len(form.endings)} files, {pair}; name them with -o NAME.")
    if form.binary and not output and sys.stdout.isatty():
        raise ChoiceError(f"{form.name} is not text for a terminal; name a file with -o FILE, or use a pipe.")
    if output and output.is_dir():
        raise ChoiceError(f"{output} is a folder; name a file in it with -o FILE.")
    return output.with_suffix("") if output and output.suffix in form.writers else output


def write_files(form: formats.Format, chosen: formats.Rows, facts: formats.Facts, name: Path | None) -> str:
    """Write words in a format to stdout, or to files whose names start with `name`; return where they were written."""
    from pipeline import store

    files = {ending: write(chosen, facts) for ending, write in form.writers.items()}
    if name is None:
        typer.echo(files[""], nl=False)
        return ""
    for ending, content in files.items():
        store.write_bytes(name.parent / (name.name + ending), content)
    return " and ".join(str(name) + ending for ending in files)


NAMES = "|".join(formats.FORMATS)


@command(USE, "bee export > words.txt", "bee export --format csv -o words.csv")
def export(
    named: Annotated[str, typer.Option("--format", metavar=NAMES, help=formats.described())] = "txt",
    tier: Annotated[str, typer.Option(help="Tiers, comma-separated: core, likely, review, refused.")] = "core,likely",
    safe: Annotated[bool, typer.Option("--safe", help=f"Leave out words flagged {', '.join(SAFE)}.")] = False,
    family: Annotated[bool, typer.Option("--family", help=f"Leave out words flagged {', '.join(FAMILY)}.")] = False,
    min_length: Annotated[int, typer.Option(min=1, help="Leave out shorter words.")] = 4,
    max_length: Annotated[int, typer.Option(min=0, help="Leave out longer words; 0 for no limit.")] = 0,
    no_plural_s: Annotated[
        bool, typer.Option("--no-plural-s", help="Leave out words that only add -s or -es to another word.")
    ] = False,
    common: Annotated[int, typer.Option(min=0, help="Keep only this many of the most familiar words; 0 for all.")] = 0,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; default stdout.")] = None,
    release: Annotated[
        Path | None, typer.Option(help="A folder with words.csv; default the release of the workspace.")
    ] = None,
    data: Data = None,
) -> None:
    """Write the list in a format for another program."""
    from pipeline.publishing import export as exporting

    form = known_format(named)
    name = named_output(form, output)
    tiers = list(dict.fromkeys(each.strip() for each in tier.split(",")))
    folder = release or release_folder(data)
    found = reader.read(folder, "words.csv", reader.PACKAGE)
    words = exporting.words_of(found.files["words.csv"])
    without = FAMILY if family else SAFE if safe else ()
    choice = exporting.Choice(tiers, without, min_length, max_length, no_plural_s, common)
    accepted = {row["word"]: int(row["accepted"]) for row in words} if common else {}
    chosen = exporting.choose(words, choice, difficulty.load(accepted, accepted) if common else None)
    facts = exporting.facts(found.package, exporting.content(len(chosen), choice))
    written = write_files(form, chosen, facts, name)
    if not written:
        say_release(folder)
        return
    say(f"{len(chosen):,} words of release {facts['version']} ({folder}) in {written}. License: {facts['licence']}.")
