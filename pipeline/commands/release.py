"""The commands about releases: `bee changes` compares two, and `bee verify` checks one.

`bee init` makes a workspace from the release that came with the program.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, solver, store
from pipeline.commands import RUN, USE, command
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError, ReleaseError
from pipeline.words import count


@command(USE, "bee changes old/data/custom data/custom", "bee changes old.zip data/custom > changes.csv")
def changes(
    settings: Settings,
    old: Annotated[
        str,
        typer.Argument(help="The earlier release (a folder, or an archive such as one of `git archive`), or a list."),
    ],
    new: Annotated[str, typer.Argument(help="The later release, or another list.")],
) -> None:
    """Print the words that a release adds and removes, as CSV.

    The release is compared with an earlier one. Either can be a plain list of one word per line.
    """
    from pipeline.publishing.changes import compare, encode_changes

    differences = compare(words_of(old), words_of(new))
    typer.echo(encode_changes(differences), nl=False)
    added = sum(change.change == "added" for change in differences)
    settings.say(f"{count(added, 'word')} added, {len(differences) - added:,} removed.")


def words_of(origin: str) -> bytes | list[str]:
    """Return the words of a plain list, or `words.csv` of a release after checking all its files; raises BeeError."""
    from pipeline.commands.release_files import files_of, is_archive
    from pipeline.publishing.verify import MADE_WITH

    path = Path(origin)
    if path.name == "words.csv":
        path = path.parent
    if path.is_file() and not is_archive(path):
        return solver.load_words(path)
    files = files_of(str(path))
    files_of_release = {name: data for name, data in files.items() if name not in MADE_WITH}
    release = reader.check(files_of_release, origin, whole=True)
    if "words.csv" not in release.files:
        raise BeeError(f"The release {origin} has no words.csv.")
    return release.files["words.csv"]


@command(USE, "bee verify", "bee verify data/custom")
def verify(
    settings: Settings,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIR", help="A folder or an archive with a release. Default: the release of the workspace."
        ),
    ] = None,
) -> None:
    """Check a release and the files that it was made with.

    Checks the checksums, description, columns, list, daily puzzles, record and track record of the release.
    """
    from pipeline.commands.release_files import files_of
    from pipeline.publishing.verify import not_applied, verify_release

    origin = folder or Path(settings.release_folder())
    files = files_of(str(origin))
    release = verify_release(files, origin)
    number_of_words = len(release.files["wordlist.txt"].split())
    size = f"{count(number_of_words, 'word')} in {count(len(release.files), 'file')}"
    settings.say(f"{origin}: release {release.version}, {size}, is exactly as published.")
    for name in not_applied(release, files):
        settings.say(f"{name} has changed since this release, and the change is not applied yet.")


@command(RUN, "bee init", "bee init work")
def init(
    settings: Settings,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A new or empty folder, or a workspace. Default: data.")
    ] = None,
) -> None:
    """Make a workspace with word lists, two weeks of answers, the release, and the decisions of curators.

    In an existing workspace, brings back missing and changed word lists, and replaces a damaged release with that of
    the program. Decisions there are never changed.
    """
    from pipeline.commands.release_files import files_of, is_whole
    from pipeline.publishing.verify import MADE_WITH

    root = folder or Path(settings.data or "data")
    entries = {path.name for path in root.iterdir()} - {".lock"} if root.is_dir() else set()
    has_other_files = bool(entries) and "raw" not in entries
    if root.is_file() or has_other_files:
        problem = "is a file" if root.is_file() else "has other files"
        raise BeeError(f"{root} {problem}; name a new folder: `bee init work`")
    has_decisions = (root / "custom").is_dir() and any((root / "custom").iterdir())
    lexicon = reader.LEXICON_FOLDER
    files = {f"raw/lexicon/{name}": content for name, content in _files_of_lexicon(lexicon).items()}
    for path in sorted((lexicon.parent / "sample").iterdir()):
        files[f"raw/sample/{path.name}"] = path.read_bytes()
    (root / "raw").mkdir(parents=True, exist_ok=True)
    with settings.lock(store.Workspace(root)):
        for folder_of_file in sorted({(root / name).parent for name in files}):
            store.delete_temporary_files(folder_of_file)
        release: dict[str, bytes] = {}
        if not is_whole(root / "custom"):
            if not reader.RELEASE.is_dir():
                raise ReleaseError(f"{reader.RELEASE} is missing.")
            release = files_of(str(reader.RELEASE))
            beside = {f"custom/{name}": release.pop(name) for name in MADE_WITH if name in release}
            files |= {} if has_decisions else beside
        written = [name for name, content in files.items() if _write_missing(root, name, content)]
        if release:
            store.write_together(root / "custom", release)
    settings.say(f"{root}: {count(len(written) + len(release), 'file')} written.")
    if release and has_decisions:
        settings.say("The release was damaged or lost; it is that of the program now, and so is its record.")
    where = "" if root == Path("data") else f" --data {shlex.quote(str(root))}"
    settings.say(f"`bee run{where}` makes the list.")


def _write_missing(root: Path, name: str, content: bytes) -> bool:
    """Write a file of a workspace and return whether anything changed. Only word lists replace an existing file."""
    is_kept = name.startswith(("custom/", "raw/sample/")) and (root / name).is_file()
    return not is_kept and store.write_bytes(root / name, content)


def _files_of_lexicon(folder: Path) -> dict[str, bytes]:
    """Read the word lists that came with the program; raises BeeError if they are damaged."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    expected = reader.parse_checksums(files.get(reader.SUMS, b""), folder)
    wrong = [name for name, checksum in expected.items() if reader.sha256(files.get(name, b"")) != checksum]
    if wrong:
        remedy = "Install the program again." if reader.IS_INSTALLED else store.way_back(folder / wrong[0])
        raise BeeError(f"{wrong[0]} in {folder} is damaged. {remedy}")
    return files
