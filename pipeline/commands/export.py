"""The commands that write a list for other programs: `bee export` and `bee convert`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, store
from pipeline.commands import USE, command
from pipeline.commands.options import NAMED_TWICE, Overwrite, Release, read_word_list, refuse_together
from pipeline.commands.settings import Settings
from pipeline.errors import ReleaseError
from pipeline.publishing.formats import FORMATS, Format, Notice, Rows, format_of_file, help_text, write_format
from pipeline.words import NOT_FOR_FAMILIES, TIERS, UNSAFE_FLAGS, count


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


def _start_of_names(file_format: Format, output: Path | None) -> Path | None:
    """Return the path that the names of a format's files start with, or None for stdout.

    Raises BadParameter if the format cannot be written there.
    """
    if len(file_format.writers) > 1 and not output:
        endings = " and ".join(file_format.writers)
        raise typer.BadParameter(
            f"The format {file_format.name} consists of {len(file_format.writers)} files ({endings}); give their "
            "common name with -o NAME."
        )
    if file_format.is_binary and not output and sys.stdout.isatty():
        raise typer.BadParameter(
            f"The format {file_format.name} is binary and cannot be shown in a terminal; name a file with -o FILE, or "
            "use a pipe."
        )
    if not output:
        return None
    if output.is_dir():
        raise typer.BadParameter(f"{output} is a folder; name a file in it with -o FILE.")
    if not output.parent.is_dir():
        raise typer.BadParameter(f"The folder {output.parent} does not exist; create it first.")
    return output.with_suffix("") if output.suffix in file_format.writers else output


def _write_files(file_format: Format, rows: Rows, notice: Notice, name: Path | None) -> str:
    """Write words in a format to stdout, or to files whose names start with `name`; return where they were written."""
    files = {ending: write(rows, notice) for ending, write in file_format.writers.items()}
    if name is None:
        typer.echo(files[""], nl=False)
        return ""
    for ending, content in files.items():
        store.write_bytes(name.parent / (name.name + ending), content)
    return " and ".join(str(name) + ending for ending in files)


LIST_OF_MADE_FILES = "made-by-bee-export.txt"
"""A file that older versions of the program wrote into the folder of an export."""
NAMES = "|".join(FORMATS)
BY_ENDING = "Default: by the ending of the file, or txt."


@command(USE, "bee export > words.txt", "bee export --format csv -o list.csv")
def export(
    settings: Settings,
    format_name: Annotated[str, typer.Option("--format", metavar=NAMES, help=f"{BY_ENDING} {help_text()}")] = "",
    tier: Annotated[
        str, typer.Option(help="The tiers to write, comma-separated: core, likely, review, refused.")
    ] = "core,likely",
    safe: Annotated[bool, typer.Option("--safe", help=f"Leave out words flagged {', '.join(UNSAFE_FLAGS)}.")] = False,
    family: Annotated[
        bool, typer.Option("--family", help=f"Leave out words flagged {', '.join(NOT_FOR_FAMILIES)}.")
    ] = False,
    min_length: Annotated[int, typer.Option(min=1, help="Minimum number of letters in a word.")] = 4,
    min_p: Annotated[
        float, typer.Option("--min-p", min=0, max=1, help="Minimum probability that a word is accepted next time.")
    ] = 0.0,
    lemmas: Annotated[bool, typer.Option("--lemmas", help="Keep only base forms: cove and octave, not coves.")] = False,
    without: Annotated[
        str,
        typer.Option(
            metavar="FLAGS", help="Leave out words with these flags, comma-separated, for example british,proper."
        ),
    ] = "",
    edit: Annotated[
        Path | None, typer.Option(help="A file of your own edits, one +word or -word per line, applied last.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The file to write. Default: stdout.")] = None,
    all_formats: Annotated[
        Path | None,
        typer.Option("--all", metavar="DIR", help="Write all formats, licenses and checksums to this folder."),
    ] = None,
    force: Overwrite = False,
    release: Release = None,
) -> None:
    """Write the list in a format for another program."""
    from pipeline.publishing.export import Choice, apply_edits, choose, describe_choice, notice
    from pipeline.publishing.lemmas import base_forms

    stricter = "--family already leaves out everything that {} leaves out; use only one of them."
    refuse_together(settings, "--family", {"--safe"}, stricter)
    refuse_together(
        settings, "--all", {"--format", "--output"}, "--all writes all formats, so it cannot be combined with {}."
    )
    refuse_together(settings, "--release", {"--data"}, NAMED_TWICE)
    if not 0 <= min_p <= 1:  # not a number
        raise typer.BadParameter(f"--min-p is a probability from 0 to 1, not {min_p}.")
    if force and not all_formats:
        raise typer.BadParameter("--force works only with --all DIR.")
    file_format = _known_format(format_name, output)
    start = None if all_formats else _start_of_names(file_format, output)
    flags = _known_flags(without)
    if safe:
        flags = [*UNSAFE_FLAGS, *flags]
    if family:
        flags = [*NOT_FOR_FAMILIES, *flags]
    choice = Choice(_known_tiers(tier), flags, min_length, lemmas, min_p)
    folder = release or settings.release_folder()
    names = ["words.csv", reader.PACKAGE]
    if all_formats:
        names.append(reader.LICENSES)
    files = reader.read(folder, *names)
    words = reader.check_words(files.files["words.csv"])
    chosen = choose(words, choice, base_forms({row["word"] for row in words}, folder) if lemmas else frozenset())
    content = describe_choice(len(chosen), choice)
    if edit:
        chosen, needless = apply_edits(chosen, words, store.read_text(edit), edit.name)
        content += f", edited: {count(len(chosen), 'word')}"
        if needless:
            settings.say(f"{edit}: these edits are no longer needed: {', '.join(needless)}.")
    if all_formats:
        store.write_folder(all_formats, _files_of_all_formats(chosen, files, content), _entries_of_export, force)
        written = str(all_formats)
    else:
        written = _write_files(file_format, chosen, notice(files.package, content, file_format.has_flags), start)
    if not written:
        settings.say_release(folder)
        return
    license = notice(files.package, content, bool(all_formats) or file_format.has_flags)["licence"]
    settings.say(
        f"Wrote {count(len(chosen), 'word')} of release {files.version} ({folder}) to {written}. License: {license}."
    )


def _known_tiers(names: str) -> list[str]:
    """Return the tiers in a comma-separated list; raises BadParameter if one is unknown."""
    tiers = list(dict.fromkeys(name.strip() for name in names.split(",")))
    for tier in tiers:
        if tier not in TIERS:
            raise typer.BadParameter(f'"{tier}" is not a tier; the tiers are {", ".join(TIERS)}.')
    return tiers


def _known_flags(names: str) -> list[str]:
    """Return the flags in a comma-separated list; raises BadParameter if one is unknown."""
    from pipeline.opinions.catalog import FLAGS

    flags = [name.strip() for name in names.split(",") if name.strip()]
    known_flags = {rule.id for rule in FLAGS}
    for flag in flags:
        if flag not in known_flags:
            raise typer.BadParameter(f'"{flag}" is not a flag; `bee flag --list` explains the flags.')
    return flags


def _files_of_all_formats(rows: Rows, release: reader.Release, content: str) -> dict[str, bytes]:
    """Return the files of an export by name: all formats, the licenses and, last, the checksums of the others."""
    from pipeline.publishing.export import notice

    files = {reader.LICENSES: release.files[reader.LICENSES]}
    for file_format in FORMATS.values():
        files |= write_format(file_format, rows, notice(release.package, content, file_format.has_flags))
    return files | {reader.SUMS: reader.format_checksums(files)}


def _entries_of_export(folder: Path) -> set[str]:
    """Return the names of the files that the last `bee export --all` wrote to a folder; none if one was changed."""
    try:
        files = reader.read(folder).files
    except ReleaseError:
        return set()
    if "bee-wordlist.txt" not in files:  # a release, or other files with checksums
        return set()
    return {*files, reader.SUMS, LIST_OF_MADE_FILES}


WORDS_ONLY = [file_format.name for file_format in FORMATS.values() if file_format.needs_only_words]
"""The formats of `bee convert`."""


@command(USE, "bee convert words.txt > clean.txt", "bee convert words.csv --column term --format js -o words.mjs")
def convert(
    settings: Settings,
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            help="A word list: text with one word per line, a table (CSV), or JSON. Default: stdin.",
        ),
    ] = None,
    column: Annotated[str, typer.Option(help="The column of a table that contains the words. Default: word.")] = "",
    format_name: Annotated[
        str, typer.Option("--format", metavar="|".join(WORDS_ONLY), help=f"The format to write. {BY_ENDING}")
    ] = "",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The file to write. Default: stdout.")] = None,
) -> None:
    """Clean any word list for use in a solver.

    Keeps the words of 4 to 19 letters a to z with at most 7 different letters, and reports what it leaves out. Numbers
    next to the words, as in a frequency list, are ignored.
    """
    from pipeline.facts import word_files

    file_format = _known_format(format_name, output)
    if not file_format.needs_only_words:
        formats = ", ".join(WORDS_ONLY)
        raise typer.BadParameter(f"{file_format.name} needs data that only a release has; the formats are {formats}.")
    start = _start_of_names(file_format, output)
    if path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("Name a FILE, or pipe a list into bee convert.")
    source, data = read_word_list(path or Path("-"))
    words, rejected = word_files.read(source, data, column)
    _say_counts(settings, len(words), rejected)
    title = {"title": f"{source}, cleaned for a solver", "version": reader.sha256(data)[:12]}
    _write_files(file_format, [{"word": word} for word in words], title, start)


def _say_counts(settings: Settings, words: int, rejected: Mapping[str, int]) -> None:
    for rule, number in sorted(rejected.items(), key=lambda item: (-item[1], item)):
        settings.say(f"{number:10,} left out: {rule}")
    settings.say(f"{count(words, 'word'):>16} kept")
