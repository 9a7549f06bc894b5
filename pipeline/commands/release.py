"""The commands about releases: `bee changes` compares two, `bee verify` checks one.

`bee init` makes a workspace of the release that came with the program.
"""

from __future__ import annotations

import contextlib
import shlex
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline import git, reader, solver, store
from pipeline.commands import RUN, USE, command
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError, ReleaseError
from pipeline.publishing import changes as comparing
from pipeline.publishing import verify as verifying
from pipeline.publishing.verify import RECORD_AND_DECISIONS
from pipeline.words import count

IN_CHECKOUT = "data/custom/"
ELSE = "In a workspace, `bee restore` takes the last commit or the release of the program."
LARGEST = 100_000_000
"""The size in bytes, unpacked, beyond which a file in an archive is not read. The largest of a release has 18 MB."""


@command(USE, "bee changes old/data/custom data/custom", "bee changes HEAD data/custom > changes.csv")
def changes(
    settings: Settings,
    old: Annotated[
        str,
        typer.Argument(help="A release (a folder, an archive, or a git revision of this checkout), or a plain list."),
    ],
    new: Annotated[str, typer.Argument(help="A later release, or another list; with --apply, a list.")],
    apply: Annotated[
        bool, typer.Option("--apply", help="OLD is a table of changes: apply it to the list NEW and print the result.")
    ] = False,
) -> None:
    """Print the words that a release adds to and removes from an earlier one, as CSV.

    Either may be a plain list of one word per line.
    """
    if apply:
        words = store.read_text(Path(new)).split()
        typer.echo(
            "".join(f"{word}\n" for word in comparing.applied(words, comparing.decode(store.read_text(Path(old))))),
            nl=False,
        )
        return
    found = comparing.changes(words_of(old), words_of(new))
    typer.echo(comparing.encode(found), nl=False)
    added = sum(change.change == "added" for change in found)
    settings.say(f"{count(added, 'word')} added, {len(found) - added:,} removed.")


def words_of(named: str) -> bytes | list[str]:
    """Return the words of a plain list, or `words.csv` of a release after checking all its files; raises BeeError."""
    path = Path(named).parent if Path(named).name == "words.csv" else Path(named)
    if path.is_file() and not (zipfile.is_zipfile(path) or tarfile.is_tarfile(path)):
        return solver.load_words(path)
    files = files_of(str(path))
    release = reader.check(
        {name: data for name, data in files.items() if name not in RECORD_AND_DECISIONS}, named, whole=True
    )
    if "words.csv" not in release.files:
        raise BeeError(f"The release {named} has no words.csv.")
    return release.files["words.csv"]


def files_of(named: str, beside: str = ".") -> dict[str, bytes]:
    """Return the files of a release, name to bytes, unchecked, with those of `verify.RECORD_AND_DECISIONS`.

    The release is in a folder, in an archive, or in git at a revision, which is looked up in the folder `beside`.
    """
    path = Path(named)
    if path.is_dir():
        whole = reader.read(path).files
        found = {**whole, reader.SUMS: reader.format_checksums(whole)}
        return found | {name: (path / name).read_bytes() for name in RECORD_AND_DECISIONS if (path / name).is_file()}
    read = _archived(path) if path.is_file() else _committed(named, beside)
    sums = read(reader.SUMS)
    if sums is None:
        raise BeeError(f"{named} is not a folder, an archive or a git revision with a release in {IN_CHECKOUT}. {ELSE}")
    names = [*reader.parse_checksums(sums, named), *RECORD_AND_DECISIONS]
    return {reader.SUMS: sums} | {name: data for name in names if (data := read(name)) is not None}


Read = Callable[[str], bytes | None]
"""A function that returns a file of a release by its name, None if there is none."""


def _archived(path: Path) -> Read:
    """Return a function that reads a file of the release in a wheel, a zip or a tarball; raises BeeError for others."""
    try:
        return dict(_packed(path)).get
    except UNREADABLE as error:
        raise BeeError(f"{path} is damaged, or is not an archive with a release in it. {ELSE}") from error


UNREADABLE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, OSError, EOFError, NotImplementedError, RuntimeError)
"""What reading a damaged archive raises."""


def _packed(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive that are in the folder of its release: name, content."""
    with contextlib.ExitStack() as opened:
        if zipfile.is_zipfile(path):
            wheel = opened.enter_context(zipfile.ZipFile(path))
            sizes = {entry.filename: entry.file_size for entry in wheel.infolist()}
            read: Callable[[str], Any] = wheel.open
        else:
            tar = opened.enter_context(tarfile.open(path))
            sizes = {entry.name: entry.size for entry in tar.getmembers() if entry.isfile()}
            read = tar.extractfile
        homes = [name for name in sizes if f"/{name}".endswith(f"/{reader.SUMS}") and "lexicon/" not in name]
        folder = min(homes, key=len, default="").removesuffix(reader.SUMS)
        for name, size in sizes.items():
            if name.startswith(folder) and "/" not in name[len(folder) :]:
                if size > LARGEST:
                    raise BeeError(f"{name} in {path} has more than {LARGEST // 1_000_000} MB; it is no release.")
                yield name.removeprefix(folder), read(name).read()


def _committed(revision: str, folder: str) -> Read:
    """Return a function that reads a file of the release at a git revision: below `folder`, or in data/custom of the
    checkout."""

    def read(name: str) -> bytes | None:
        below = git.shown(folder, revision, name)
        return (
            below
            if below is not None
            else git.run(folder, "show", "--end-of-options", f"{revision}:{IN_CHECKOUT}{name}")
        )

    return read


@command(USE, "bee verify", "bee verify data/custom")
def verify(
    settings: Settings,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR", help="A folder or an archive with a release; default the release of the workspace."
        ),
    ] = None,
) -> None:
    """Check a release: checksums, description, columns, the list, the puzzles of the day, the record beside it."""
    place = folder or Path(settings.release_folder())
    files = files_of(str(place))
    made = verifying.verify(files, place)
    words = len(made.files["wordlist.txt"].split())
    settings.say(
        f"{place}: release {made.version}, {count(words, 'word')} in {count(len(made.files), 'file')}, as published."
    )
    for name in verifying.changed_decisions(made, files):
        settings.say(f"{name} has changed since this release; the next one is made with it as it is now.")


@command(RUN, "bee init", "bee init work")
def init(
    settings: Settings,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A new or empty folder, or a workspace; default data.")
    ] = None,
) -> None:
    """Make a workspace anywhere: word lists, two weeks of answers, and the release with the decisions of people.

    In a workspace it brings back what is missing, and word lists that were changed, from the last commit if they are in
    git; decisions stay as they are.
    """
    root = folder or Path(settings.data or "data")
    if root.is_file() or (root.is_dir() and any(root.iterdir()) and not (root / "raw").is_dir()):
        raise BeeError(f"{root} has other files; name a new folder: `bee init work`")
    if _checked_out(root / "raw/lexicon"):
        settings.say(f"{root / 'raw/lexicon'} is as in the last commit. `bee restore` brings back a damaged release.")
        return
    lists = reader.LEXICON_FOLDER
    brought = {f"raw/lexicon/{name}": content for name, content in _lexicon(lists).items()}
    for path in sorted((lists.parent / "sample").iterdir()):
        brought[f"raw/sample/{path.name}"] = path.read_bytes()
    (root / "raw").mkdir(parents=True, exist_ok=True)
    with settings.lock(store.Workspace(root), repair=False):
        for folder in sorted({(root / name).parent for name in brought}):
            store.delete_temporary_files(folder)
        files = {} if (root / "custom" / reader.SUMS).is_file() else files_of(str(reader.RELEASE))
        order = sorted(files, key=lambda name: (name == reader.SUMS, name))  # the checksums say that the rest is there
        brought |= {f"custom/{name}": files[name] for name in order}
        kept = ("custom/", "raw/sample/")
        written = [
            name
            for name, content in brought.items()
            if not (name.startswith(kept) and (root / name).is_file()) and store.write_bytes(root / name, content)
        ]
    settings.say(f"{root}: {count(len(written), 'file')} written.")
    if not whole_release(root / "custom"):
        settings.say("The release in it is damaged; `bee restore` brings it back.")
    settings.say(
        "`bee run` makes the list."
        if root == Path("data")
        else f"`bee run --data {shlex.quote(str(root))}` makes the list."
    )


def _lexicon(folder: Path) -> dict[str, bytes]:
    """Read the word lists that came with the program; raises BeeError if they are damaged."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    expected = reader.parse_checksums(files.get(reader.SUMS, b""), folder)
    if wrong := [name for name, digest in expected.items() if reader.sha256(files.get(name, b"")) != digest]:
        raise BeeError(f"{wrong[0]} in {folder} is damaged, so the program is; install it again.")
    return files


def _checked_out(lists: Path) -> bool:
    """Bring back word lists that are in git from the last commit; return whether they are."""
    if git.shown(lists.parent, "HEAD", f"{lists.name}/{reader.SUMS}") is None:
        return False
    return git.run(lists.parent, "checkout", "HEAD", "--", lists.name) is not None


def whole_release(folder: Path) -> bool:
    """Return whether there is an undamaged release in a folder."""
    try:
        return bool(reader.read(folder).files)
    except ReleaseError:
        return False
