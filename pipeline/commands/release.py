"""The commands about releases: `bee changes` compares two, `bee verify` checks one, `bee restore` brings files back."""

from __future__ import annotations

import contextlib
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader
from pipeline.commands import RUN, USE, Data, command, held, release_folder, say
from pipeline.words import BeeError, count

IN_WHEEL, IN_CHECKOUT = "pipeline/release/", "data/custom/"
ELSE = "In a workspace, `bee restore` takes the last commit or the release of the program."
LARGEST = 100_000_000
"""The size in bytes, unpacked, beyond which a file in a wheel is not read. The largest file of a release has 12 MB."""


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
    say(f"{count(added, 'word')} added, {len(found) - added:,} removed.")


def words_of(named: str) -> bytes:
    """Return `words.csv` of a folder, a wheel or a git revision after checking all its files; raises BeeError."""
    from pipeline.publishing.verify import BESIDE

    files = files_of(named)
    release = reader.check({name: data for name, data in files.items() if name not in BESIDE}, named, whole=True)
    if "words.csv" not in release.files:
        raise BeeError(f"The release {named} has no words.csv.")
    return release.files["words.csv"]


def files_of(named: str, beside: str = ".") -> dict[str, bytes]:
    """Return the files of a release, name to bytes, unchecked, and those that belong to it (`verify.BESIDE`).

    The release is in a folder, in a wheel, or in git at a revision, which is looked up in the folder `beside`.
    """
    from pipeline.publishing.verify import BESIDE

    path = Path(named)
    if path.is_dir():
        whole = reader.read(path).files
        found = {**whole, reader.SUMS: reader.sums(whole)}
        return found | {name: (path / name).read_bytes() for name in BESIDE if (path / name).is_file()}
    read = _zipped(path) if path.is_file() else _committed(named, beside)
    sums = read(reader.SUMS)
    if sums is None:
        raise BeeError(f"{named} is not a folder, a wheel or a git revision with a release in {IN_CHECKOUT}. {ELSE}")
    names = [*reader.digests(sums, named), *BESIDE]
    return {reader.SUMS: sums} | {name: data for name in names if (data := read(name)) is not None}


Read = Callable[[str], bytes | None]
"""A function that returns a file of a release by its name, None if there is none."""


def _zipped(path: Path) -> Read:
    """Return a function that reads a file of the release in a wheel; raises BeeError for what is no wheel."""

    def read(name: str) -> bytes | None:
        try:
            with zipfile.ZipFile(path) as wheel:
                if IN_WHEEL + name not in wheel.namelist():
                    return None
                if wheel.getinfo(IN_WHEEL + name).file_size > LARGEST:
                    raise BeeError(f"{name} in {path} has more than {LARGEST // 1_000_000} MB; it is no release.")
                return wheel.read(IN_WHEEL + name)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
            raise BeeError(f"{path} is not a wheel with a release in it ({error}). {ELSE}") from error

    return read


def _committed(revision: str, folder: str) -> Read:
    """Return a function that reads a file of the release at a git revision: below `folder`, or in data/custom of the
    checkout."""

    def read(name: str) -> bytes | None:
        for path in (f"./{name}", f"{IN_CHECKOUT}{name}"):
            command = ["git", "-C", folder, "show", "--end-of-options", f"{revision}:{path}"]
            with contextlib.suppress(OSError):
                shown = subprocess.run(command, capture_output=True, check=False)
                if not shown.returncode:
                    return shown.stdout
        return None

    return read


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
        typer.Argument(
            metavar="DIR", help="A folder with a release, or a wheel; default the release of the workspace."
        ),
    ] = None,
    data: Data = None,
) -> None:
    """Check a release: checksums, description, columns, the list, the puzzles of the day, the record beside it."""
    from pipeline.publishing import verify as verifying

    place = folder or Path(release_folder(data))
    made = verifying.verify(files_of(str(place)), place)
    words = len(made.files["wordlist.txt"].split())
    say(f"{place}: release {made.version}, {count(words, 'word')} in {count(len(made.files), 'file')}, as published.")


@command(RUN, "bee restore", "bee restore --only track.csv")
def restore(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FROM",
            help="A folder, a wheel or a git revision with a release; default the last commit, else "
            "the release that came with the program.",
        ),
    ] = "",
    only: Annotated[str, typer.Option(help="Take this file only, also if there is another one.")] = "",
    data: Data = None,
) -> None:
    """Bring back the record, the track record and lost files from a release that verifies.

    Decisions of people that are there stay as they are. A release that is damaged is brought back as a whole.
    """
    from pipeline import store
    from pipeline.publishing import verify as verifying
    from pipeline.run import registry, runner

    workspace = store.find_workspace(data)
    with held(workspace, repair=False):
        source = source or _default(workspace.custom)
        files = files_of(source, str(workspace.custom))
        verifying.verify(files, source)
        if only and only not in files:
            raise BeeError(f"{source} has no {only}; it has {', '.join(sorted(files))}.")
        lost = {name for name in verifying.BESIDE if not (workspace.custom / name).is_file()}
        chosen = {only} if only else ({verifying.RECORD, verifying.TRACK} | lost) & files.keys()
        if not only or only not in verifying.BESIDE:
            if not _whole(workspace.custom):
                chosen |= files.keys() - {*verifying.BESIDE}
                store.drop_replacement(workspace.custom)
            elif only and files[reader.SUMS] != (workspace.custom / reader.SUMS).read_bytes():
                raise BeeError(f"{only} of {source} is from another release than {workspace.custom}; nothing changed.")
        written = [name for name in sorted(chosen) if store.write_bytes(workspace.custom / name, files[name])]
        if verifying.TRACK in chosen:
            runner.restored(workspace)
        covered = registry.load(workspace, "settled").covered
    say(f"From {source}: {', '.join(written) or 'nothing; all files were as they are there'}.")
    say(f"The record covers {len(covered):,} days up to {max(covered, default='none')}; `bee run` goes on from there.")


def _default(folder: Path) -> str:
    """Return what `bee restore` takes without an argument: the last commit if it has a release, else the program's."""
    return "HEAD" if _committed("HEAD", str(folder))(reader.SUMS) is not None else str(reader.RELEASE)


def _whole(folder: Path) -> bool:
    """Return whether there is an undamaged release in a folder."""
    try:
        return bool(reader.read(folder).files)
    except reader.ReleaseError:
        return False
