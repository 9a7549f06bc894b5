"""The commands that write files for others: `bee export`, `bee convert`, `bee site`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, store
from pipeline.commands import USE, command
from pipeline.commands.options import read_list_files, refuse_together
from pipeline.commands.settings import Settings
from pipeline.errors import StoreError
from pipeline.facts import word_files
from pipeline.opinions.catalog import FLAGS
from pipeline.play import daily, difficulty, glosses
from pipeline.publishing import export as exporting
from pipeline.publishing import extras, formats
from pipeline.publishing import site as making
from pipeline.publishing.export import ChoiceError
from pipeline.words import FAMILY, SAFE, count


def _known_format(name: str) -> formats.Format:
    """Return the format with a name; raises BadParameter if there is none."""
    if name not in formats.FORMATS:
        raise typer.BadParameter(f'"{name}" is not a format; the formats are {", ".join(formats.FORMATS)}.')
    return formats.FORMATS[name]


def _named_output(form: formats.Format, output: Path | None) -> Path | None:
    """Return the start of the names of a format's files; raises ChoiceError if the format cannot be written there."""
    if len(form.writers) > 1 and not output:
        pair = " and ".join(form.writers)
        raise ChoiceError(f"{form.name} is {len(form.writers)} files, {pair}; name them with -o NAME.")
    if form.binary and not output and sys.stdout.isatty():
        raise ChoiceError(f"{form.name} is not text for a terminal; name a file with -o FILE, or use a pipe.")
    if output and output.is_dir():
        raise ChoiceError(f"{output} is a folder; name a file in it with -o FILE.")
    if output and not output.parent.is_dir():
        raise ChoiceError(f"There is no folder {output.parent} for {output.name}; make it first.")
    return output.with_suffix("") if output and output.suffix in form.writers else output


def _write_files(form: formats.Format, chosen: formats.Rows, facts: formats.Facts, name: Path | None) -> str:
    """Write words in a format to stdout, or to files whose names start with `name`; return where they were written."""
    files = {ending: write(chosen, facts) for ending, write in form.writers.items()}
    if name is None:
        typer.echo(files[""], nl=False)
        return ""
    for ending, content in files.items():
        store.write_bytes(name.parent / (name.name + ending), content)
    return " and ".join(str(name) + ending for ending in files)


Force = Annotated[bool, typer.Option("--force", help="Write over files in the folder that this command did not make.")]
NAMED_TWICE = ("--release", {"--data"}, "Name the release either by its folder with --release or by {}.")

NAMES = "|".join(formats.FORMATS)


@command(USE, "bee export > words.txt", "bee export --format csv -o list.csv")
def export(
    settings: Settings,
    named: Annotated[str, typer.Option("--format", metavar=NAMES, help=formats.described())] = "txt",
    tier: Annotated[str, typer.Option(help="Tiers, comma-separated: core, likely, review, refused.")] = "core,likely",
    in_play: Annotated[
        bool,
        typer.Option(
            "--in-play",
            help="Leave out words with S, or with both E and R. The smaller list lacks answers of official puzzles "
            "that have these letters.",
        ),
    ] = False,
    safe: Annotated[bool, typer.Option("--safe", help=f"Leave out words flagged {', '.join(SAFE)}.")] = False,
    family: Annotated[bool, typer.Option("--family", help=f"Leave out words flagged {', '.join(FAMILY)}.")] = False,
    min_length: Annotated[int, typer.Option(min=1, help="Leave out shorter words.")] = 4,
    max_length: Annotated[int, typer.Option(min=0, help="Leave out longer words; 0 for no limit.")] = 0,
    no_plural_s: Annotated[
        bool, typer.Option("--no-plural-s", help="Leave out words that only add -s or -es to another word.")
    ] = False,
    common: Annotated[int, typer.Option(min=0, help="Keep only this many of the most familiar words; 0 for all.")] = 0,
    lemmas: Annotated[bool, typer.Option("--lemmas", help="Keep only base forms: cove and octave, not coves.")] = False,
    without: Annotated[
        str, typer.Option(metavar="FLAGS", help="Leave out words with these flags, comma-separated: british,proper.")
    ] = "",
    edit: Annotated[
        Path | None, typer.Option(help="Edits of your own, a line +word or -word each, applied at the end.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; default stdout.")] = None,
    every: Annotated[
        Path | None,
        typer.Option("--all", metavar="DIR", help="Write all formats, licenses and checksums into a folder."),
    ] = None,
    force: Force = False,
    release: Annotated[
        Path | None, typer.Option(help="A folder with words.csv; default the release of the workspace.")
    ] = None,
) -> None:
    """Write the list in a format for another program."""
    stricter = "--family leaves out everything that {} does: give one of them."
    whole = ("--all", {"--format", "--output"}, "--all writes all formats; leave out {}.")
    refuse_together(settings, "--family", {"--safe"}, stricter)
    refuse_together(settings, *whole)
    refuse_together(settings, *NAMED_TWICE)
    if force and not every:
        raise typer.BadParameter("--force is for a folder: add --all DIR.")
    form = _known_format(named)
    name = None if every else _named_output(form, output)
    tiers = list(dict.fromkeys(name.strip() for name in tier.split(",")))
    flags = [*(FAMILY if family else SAFE if safe else ()), *_known_flags(without)]
    folder = release or settings.release_folder()
    found = reader.read(folder, "words.csv", reader.PACKAGE, *[reader.LICENSES] * bool(every))
    words = reader.check_words(found.files["words.csv"])
    choice = exporting.Choice(tiers, flags, min_length, max_length, no_plural_s, common, in_play, lemmas)
    accepted = {row["word"]: int(row["accepted"]) for row in words} if common else {}
    hard = difficulty.load_hardness(accepted, accepted) if common else None
    chosen = exporting.choose(words, choice, hard, glosses.load(folder) if lemmas else None)
    about = exporting.content(len(chosen), choice)
    if edit:
        chosen, about = _edited(settings, chosen, words, edit, about)
    facts = exporting.facts(found.package, about, bool(every) or form.flagged)
    written = str(every) if every else _write_files(form, chosen, facts, name)
    if every:
        store.write_results(every, _all(chosen, found, about), "export", force)
    if not written:
        settings.say_release(folder)
        return
    many = count(len(chosen), "word")
    settings.say(f"{many} of release {facts['version']} ({folder}) in {written}. License: {facts['licence']}.")


def _known_flags(named: str) -> list[str]:
    """Return the flags of a list with commas; raises BadParameter if one is unknown."""
    flags = [flag.strip() for flag in named.split(",") if flag.strip()]
    if unknown := [flag for flag in flags if flag not in {rule.id for rule in FLAGS}]:
        raise typer.BadParameter(f'"{unknown[0]}" is not a flag; `bee flag --list` explains the flags.')
    return flags


def _edited(
    settings: Settings, chosen: formats.Rows, words: formats.Rows, file: Path, about: str
) -> tuple[list[dict[str, str]], str]:
    """Apply the edits in a file, and say which change nothing; return the words and what they are."""
    rows, idle = exporting.edited([*map(dict, chosen)], [*map(dict, words)], store.read_text(file), file.name)
    if idle:
        settings.say(f"{file}: not needed any more: {', '.join(idle)}.")
    return rows, f"{about}, edited: {count(len(rows), 'word')}"


def _all(chosen: formats.Rows, release: reader.Release, about: str) -> dict[str, bytes]:
    """Write all formats, the licenses and, at the end, the checksums of all of these; name to bytes."""
    files = {reader.LICENSES: release.files[reader.LICENSES]}
    for form in formats.FORMATS.values():
        files |= formats.written(form, chosen, exporting.facts(release.package, about, form.flagged))
    return files | {reader.SUMS: reader.format_checksums(files)}


BARE = [form.name for form in formats.FORMATS.values() if form.bare]
"""The formats that need only words."""


@command(USE, "bee convert words.txt.gz > clean.txt", "bee convert en_US.dic --format js -o words.mjs")
def convert(
    settings: Settings,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Text, CSV, TSV, JSON, Hunspell .dic with .aff; also gzip; default stdin."),
    ] = None,
    column: Annotated[str, typer.Option(help="The column of a table that contains the words; default word.")] = "",
    named: Annotated[str, typer.Option("--format", metavar="|".join(BARE), help="A format of bee export.")] = "txt",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="A file; default stdout.")] = None,
) -> None:
    """Clean any word list for a solver: 4 to 19 letters a to z, at most 7 different; reports what is left out.

    Numbers beside the words, as in a frequency list, are ignored.
    """
    form = _known_format(named)
    if not form.bare:
        raise ChoiceError(f"{form.name} needs data that only a release has; the formats are {', '.join(BARE)}.")
    name = _named_output(form, output)
    if path is None and (sys.stdin is None or sys.stdin.isatty()):
        raise typer.BadParameter("Name a FILE, or pipe a list into bee convert.")
    files = read_list_files(path or Path("-"))
    source, data = next(iter(files.items()))
    kept, rejected = word_files.read(files, column)
    _say_counts(settings, len(kept), rejected)
    if not kept:
        raise word_files.no_words_error(source, rejected)
    facts = {"title": f"{source}, cleaned for a solver", "version": reader.sha256(data)[:12]}
    _write_files(form, [{"word": word} for word in kept], facts, name)


def _say_counts(settings: Settings, kept: int, rejected: Mapping[str, int]) -> None:
    for rule, number in sorted(rejected.items(), key=lambda pair: (-pair[1], pair)):
        settings.say(f"{number:10,} left out: {rule}")
    settings.say(f"{count(kept, 'word'):>16} kept")


PACKAGE = Path(__file__).parent.parent
DOCS = PACKAGE.parent / "docs"
"""The folder of the accuracy report in a checkout; an installed package has no report."""


def _https(text: str) -> str:
    """Check an option that is the address of a folder on the web."""
    if text and not re.fullmatch(r"https://[\w.-]+(:\d+)?(/[\w.~/%-]*)?", text, re.ASCII):
        raise typer.BadParameter(f'"{text}" is not an address like https://example.org/bee.')
    return text


@command(USE, "bee site", "bee site -o public --address https://example.org/bee")
def site(
    settings: Settings,
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write; default site.")] = Path("site"),
    force: Force = False,
    release: Annotated[
        Path | None, typer.Option(help="A folder with words.csv; default the release of the workspace.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(help="A folder with ACCURACY.md and its plots; default docs/ in a checkout, else none."),
    ] = None,
    repository: Annotated[
        str, typer.Option(callback=_https, help="The address of a repository with issues, for reports about words.")
    ] = "",
    address: Annotated[
        str, typer.Option(callback=_https, help="The address that the page will have; search engines need it.")
    ] = "",
) -> None:
    """Write a page for playing and solving in the browser: open index.html, or copy the folder to any web host."""
    refuse_together(settings, *NAMED_TWICE)
    there = next(path for path in (output.absolute(), *output.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        raise StoreError(
            f"Cannot write {output}: {there} is no folder that you may change. Use -o DIR.", can_retry=True
        )
    folder = Path(release or settings.release_folder())
    found = reader.read(folder)
    recorded = store.read_bytes(folder / "evidence.csv", "bee merge")
    beside = {"evidence.csv": recorded}
    beside |= {reader.GLOSSES: defined} if (defined := store.read_if_exists(folder / reader.GLOSSES)) else {}
    rows, record = making.rows_of(found.files["words.csv"]), making.record_of(recorded)
    here, names = PACKAGE / "publishing/page", (*making.PAGE, *making.PLAIN)
    page = {name: store.read_bytes(here / name, "pip install") for name in names}
    words = [row["word"] for row in rows]
    gathered = extras.extras(
        rows, record, glosses.load(folder, set(words)), difficulty.load_sizes(words),
        days=daily.published(found), downloads=extras.downloads(found, beside), report=_report(report),
        repository=repository, address=address and address.rstrip("/") + "/",
    )  # fmt: skip
    files = making.site(rows, record, found.package, found.files, page, gathered)
    store.write_results(output, files, "site", force)
    size = sum(map(len, files.values())) / 1_000_000
    settings.say(f"Release {found.version} in {folder}.")
    settings.say(f"{count(len(files), 'file')}, {size:.1f} MB, in {output}; open {output / 'index.html'}.")


def _report(named: Path | None) -> dict[str, bytes]:
    """Read the accuracy report and its plots; return nothing if no folder was named and the default has none."""
    folder = named or DOCS
    if named is None and not (folder / making.REPORT).is_file():
        return {}
    command = f"python -m docs.accuracy --to {folder}"
    text = store.read_bytes(folder / making.REPORT, command)
    plots = {path.name: store.read_bytes(path, command) for path in sorted(folder.glob("accuracy-*.svg"))}
    return {making.REPORT: text, **plots}
