"""`bee convert`: any word list, cleaned for a solver."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from pipeline.commands import USE, command, say
from pipeline.commands.export import known_format, named_output, write_files
from pipeline.publishing import formats

BARE = [each.name for each in formats.FORMATS.values() if each.bare]
"""The formats that need only words."""


@command(USE, "bee convert words.txt.gz > clean.txt", "bee convert en_US.dic --format js -o words.mjs")
def convert(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="Text, CSV, TSV, JSON or a Hunspell .dic with its .aff; also gzip.")
    ],
    column: Annotated[str, typer.Option(help="The column of a table that contains the words; default word.")] = "",
    named: Annotated[str, typer.Option("--format", metavar="|".join(BARE), help="A format of bee export.")] = "txt",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; default stdout.")] = None,
) -> None:
    """Clean any word list for a solver: 4 to 19 letters a to z, at most 7 different; reports what is left out."""
    from pipeline import reader
    from pipeline.facts import word_files
    from pipeline.fetching.list_files import files_of
    from pipeline.publishing.export import ChoiceError

    form = known_format(named)
    if not form.bare:
        raise ChoiceError(f"{form.name} needs data that only a release has; the formats are {', '.join(BARE)}.")
    name = named_output(form, output)
    files = files_of(path)
    kept, rejected = word_files.read(files, column)
    _say_counts(len(kept), rejected)
    if not kept:
        raise word_files.nothing_left(str(path), rejected)
    facts = {"title": f"{path.name}, cleaned for a solver", "version": reader.sha256(files[path.name])[:12]}
    write_files(form, [{"word": word} for word in kept], facts, name)


def _say_counts(kept: int, rejected: Mapping[str, int]) -> None:
    for rule, count in sorted(rejected.items(), key=lambda pair: (-pair[1], pair)):
        say(f"{count:10,} left out: {rule}")
    say(f"{kept:10,} words kept")
