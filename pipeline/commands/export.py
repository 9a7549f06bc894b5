"""The commands that write a list for other programs: `bee export` and `bee convert`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, store, word_list
from pipeline.commands.messages import say, say_release
from pipeline.commands.options import Column, list_name
from pipeline.publishing.export import Choice, choose, describe_choice, notice
from pipeline.publishing.formats import FORMATS, Format, format_of_file, help_text
from pipeline.words import NOT_FOR_FAMILIES, TIERS, UNSAFE_FLAGS, count

Output = Annotated[Path | None, typer.Option("-o", "--output", help="The file to write. Default: stdout.")]
NAMES = "|".join(FORMATS)


def _known_format(name: str, output: Path | None) -> Format:
    """Return the format with a name or, without a name, that of an output file; raises BadParameter for others."""
    if not name and output:
        format_of_output = format_of_file(output.name)
        if format_of_output is None:
            raise typer.BadParameter(f"{output.suffix} is the ending of no format; name one with --format.")
        return format_of_output
    name = name or "txt"
    if name not in FORMATS:
        raise typer.BadParameter(f'"{name}" is not a format; the formats are {", ".join(FORMATS)}.')
    return FORMATS[name]


def export(
    ctx: typer.Context,
    format_name: Annotated[
        str,
        typer.Option(
            "--format", metavar=NAMES, help=f"The format. Default: by the ending of the file, or txt. {help_text()}"
        ),
    ] = "",
    tier: Annotated[
        str, typer.Option(help="The tiers to write, comma-separated: core, likely, review, refused.")
    ] = "core,likely",
    safe: Annotated[bool, typer.Option("--safe", help=f"Leave out words flagged {', '.join(UNSAFE_FLAGS)}.")] = False,
    family: Annotated[
        bool, typer.Option("--family", help=f"Leave out words flagged {', '.join(NOT_FOR_FAMILIES)}.")
    ] = False,
    min_p: Annotated[
        float,
        typer.Option(
            "--min-p", min=0, max=1, help="Minimum probability that a word is accepted next time; core words stay."
        ),
    ] = 0.0,
    lemmas: Annotated[bool, typer.Option("--lemmas", help="Keep only base forms: cove and octave, not coves.")] = False,
    without: Annotated[
        str,
        typer.Option(
            metavar="FLAGS", help="Leave out words with these flags, comma-separated, for example british,proper."
        ),
    ] = "",
    output: Output = None,
) -> None:
    """Write the list in a format for another program.

    \b
    Examples:
      bee export > words.txt
      bee export --format csv -o list.csv
    """
    if not 0 <= min_p <= 1:  # not a number
        raise typer.BadParameter(f"--min-p is a probability from 0 to 1, not {min_p}.")
    file_format = _known_format(format_name, output)
    tiers = _known_tiers(tier)
    folder = store.find_release(ctx.obj)
    typed_flags = tuple(name.strip() for name in without.split(",") if name.strip())
    flags = typed_flags
    if safe:
        flags = (*UNSAFE_FLAGS, *flags)
    if family:
        flags = (*NOT_FOR_FAMILIES, *flags)
    choice = Choice(tiers, flags, lemmas, min_p)
    if file_format.only_words and choice == Choice():
        files = reader.read(folder, "wordlist.txt", reader.PACKAGE)
        chosen = [{"word": word} for word in files.files["wordlist.txt"].decode().split()]
    else:
        files = reader.read(folder, "words.csv", reader.PACKAGE)
        words = reader.rows(files.files["words.csv"], "words.csv")
        _require_known(typed_flags, {flag for row in words for flag in row["flags"].split()})
        chosen = choose(words, choice)
    about_export = notice(files.package, describe_choice(len(chosen), choice))
    _write(file_format.write(chosen, about_export), output)
    if not output:
        say_release(folder)
        return
    say(
        f"Wrote {count(len(chosen), 'word')} of release {files.version} ({folder}) to {output}. "
        f"License: {about_export['licence']}."
    )


def _write(content: bytes, output: Path | None) -> None:
    """Write to a file, or to stdout if there is none."""
    if not output:
        typer.echo(content, nl=False)
        return
    if output.is_dir():
        raise typer.BadParameter(f"{output} is a folder; name a file in it.")
    if not output.parent.is_dir():
        raise typer.BadParameter(f"The folder {output.parent} does not exist; create it first.")
    store.write_bytes(output, content)


def _known_tiers(names: str) -> tuple[str, ...]:
    """Return the tiers in a comma-separated list, in the order of `TIERS`; raises BadParameter if one is unknown."""
    tiers = [name.strip() for name in names.split(",")]
    for tier in tiers:
        if tier not in TIERS:
            raise typer.BadParameter(f'"{tier}" is not a tier; the tiers are {", ".join(TIERS)}.')
    return tuple(tier for tier in TIERS if tier in tiers)


def _require_known(flags: Iterable[str], known_flags: set[str]) -> None:
    """Raise BadParameter if no word has one of the flags."""
    for flag in flags:
        if flag not in known_flags:
            raise typer.BadParameter(f'No word has the flag "{flag}"; the flags are {", ".join(sorted(known_flags))}.')


def convert(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A word list: text with one word per line, a table (.csv, .tsv), or a JSON array. Default: stdin.",
        ),
    ] = None,
    column: Column = "",
    output: Output = None,
) -> None:
    """Clean any word list for use in a solver: print its playable words, one per line.

    Keeps the words of 4 to 19 letters a to z with at most 7 different letters, and reports what it leaves out.

    \b
    Examples:
      bee convert words.txt > clean.txt
      bee convert table.csv --column term -o clean.txt
    """
    if path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("Name a FILE, or pipe a list into bee convert.")
    cleaned = word_list.read(path or word_list.STDIN, column)
    _write("".join(f"{word}\n" for word in cleaned.words).encode(), output)
    say(f"{list_name(path or Path(word_list.STDIN))}: {cleaned.describe()}.")
