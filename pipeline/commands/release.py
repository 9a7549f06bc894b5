"""The commands about releases: `bee changes` compares two, or applies the changes; `bee verify` checks one."""

from __future__ import annotations

import io
import subprocess
import zipfile
import zlib
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader
from pipeline.commands import USE, Data, command, release_folder, say
from pipeline.words import BeeError

IN_WHEEL, IN_CHECKOUT = "pipeline/release/", "data/custom/"


@command(USE, "bee changes old/data/custom data/custom", "bee changes HEAD data/custom > changes.csv")
def changes(
    old: Annotated[
        str, typer.Argument(help="A release: a folder, a wheel, or a tag or other git revision of this checkout.")
    ],
    new: Annotated[str, typer.Argument(help="A later release; with --apply, a list of one word per line.")],
    apply: Annotated[
        bool, typer.Option("--apply", help="OLD is a table of changes: apply it to the list NEW and print the result.")
    ] = False,
) -> None:
    """Print the words that a release adds to and removes from an earlier one, as CSV."""
    from pipeline.publishing import changes as comparing

    if apply:
        words = _text(new).split()
        typer.echo("".join(f"{word}\n" for word in comparing.applied(words, comparing.decode(_text(old)))), nl=False)
        return
    found = comparing.changes(words_of(old), words_of(new))
    typer.echo(comparing.encode(found), nl=False)
    added = sum(change.change == "added" for change in found)
    say(f"{added:,} words added, {len(found) - added:,} removed.")


def words_of(named: str) -> bytes:
    """Return `words.csv` of a folder, a wheel or a git revision after checking all its files; raises BeeError."""
    path = Path(named)
    if path.is_dir():
        return _table(reader.read(path), named)
    read = _zipped(path) if path.is_file() else _revision(named)
    return _table(reader.check(read, named, whole=True), named)


def _table(release: reader.Release, named: str) -> bytes:
    if "words.csv" not in release.files:
        raise BeeError(f"The release {named} has no words.csv.")
    return release.files["words.csv"]


def _zipped(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as wheel:
            sums = wheel.read(IN_WHEEL + reader.SUMS)
            return {reader.SUMS: sums} | {name: wheel.read(IN_WHEEL + name) for name in reader.digests(sums, path)}
    except (zipfile.BadZipFile, zlib.error, KeyError, NotImplementedError, RuntimeError) as error:
        raise BeeError(f"{path} is not a wheel with a release in it ({error}).") from error


def _revision(named: str) -> dict[str, bytes]:
    sums = _committed(named, reader.SUMS)
    return {reader.SUMS: sums} | {name: _committed(named, name) for name in reader.digests(sums, named)}


def _committed(revision: str, name: str) -> bytes:
    """Read a file of the release at a git revision."""
    wrong = f"{revision} is not a folder, a wheel or a git revision with a release in {IN_CHECKOUT}."
    try:
        shown = subprocess.run(
            ["git", "show", "--end-of-options", f"{revision}:{IN_CHECKOUT}{name}"], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise BeeError(wrong) from None
    if shown.returncode:
        raise BeeError(wrong)
    return shown.stdout


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except OSError as error:
        raise BeeError(f"Cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BeeError(f"{path} is not text in UTF-8.") from error


@command(USE, "bee verify", "bee verify data/custom")
def verify(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="A folder with a release; default the release of the workspace."),
    ] = None,
    data: Data = None,
) -> None:
    """Check a release: checksums, description, columns, that words.csv gives the list, the checksum of the evidence."""
    from pipeline.publishing import release as verifying

    place = folder or Path(release_folder(data))
    files = {reader.SUMS: b"", **reader.read(place).files}
    files[reader.SUMS] = reader.sums({name: data for name, data in files.items() if name != reader.SUMS})
    files |= {name: (place / name).read_bytes() for name in verifying.BESIDE if (place / name).is_file()}
    made = verifying.verify(files, place)
    words = len(made.files["wordlist.txt"].split())
    say(f"{place}: release {made.version}, {words:,} words in {len(made.files)} files, as published.")
