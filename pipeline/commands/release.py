"""The commands about releases: `bee changes` compares two, and `bee verify` checks one.

`bee init` makes a workspace from the release that came with the program.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from pipeline import inputs, reader, store
from pipeline.commands.messages import say
from pipeline.commands.options import read_word_list
from pipeline.errors import BeeError, DataError, ReleaseError
from pipeline.publishing import release_files
from pipeline.publishing.changes import compare, encode_changes
from pipeline.publishing.datapackage import MADE_WITH
from pipeline.words import count


def changes(
    old: Annotated[Path, typer.Argument(help="The folder of the earlier release, or a word list.")],
    new: Annotated[Path, typer.Argument(help="The folder of the later release, or another word list.")],
) -> None:
    """Print the words that a release adds and removes, as CSV.

    \b
    Examples:
      bee changes old/data/custom data/custom
      bee changes old.txt new.txt > changes.csv
    """
    differences = compare(_words_of(old), _words_of(new))
    typer.echo(encode_changes(differences), nl=False)
    added = sum(change.change == "added" for change in differences)
    say(f"{count(added, 'word')} added, {len(differences) - added:,} removed.")


def _words_of(path: Path) -> bytes | list[str]:
    """Return the words of a list, or `words.csv` of the release in a folder."""
    if path.is_dir():
        return reader.read(path, "words.csv").files["words.csv"]
    return read_word_list(path)


def verify(
    ctx: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="The folder of a release. Default: the release of the workspace."),
    ] = None,
) -> None:
    """Check that a release is as it was published.

    Its files must match SHA256SUMS, and its list the tiers in words.csv.

    \b
    Examples:
      bee verify
      bee verify data/custom
    """
    origin = folder or store.find_release(ctx.obj)
    release = reader.read(origin)
    release_files.verify(release)
    number_of_words = len(release.files["wordlist.txt"].split())
    size = f"{count(number_of_words, 'word')} in {count(len(release.files), 'file')}"
    say(f"{origin}: release {release.version}, {size}, is exactly as published.")


def init(
    ctx: typer.Context,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A new or empty folder, or a workspace. Default: data.")
    ] = None,
) -> None:
    """Make a workspace with word lists, two weeks of answers, the release, and the decisions of curators.

    In an existing workspace, brings back missing and changed word lists, and replaces a damaged release with that of
    the program. Decisions there are never changed.

    \b
    Examples:
      bee init
      bee init work
    """
    root = folder or Path(ctx.find_root().params["data"] or "data")
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
    with store.locked(store.Workspace(root)):
        for folder_of_file in sorted({(root / name).parent for name in files}):
            store.delete_temporary_files(folder_of_file)
        release: dict[str, bytes] = {}
        if not _has_release(root / "custom"):
            last = reader.read(reader.RELEASE).files
            release = last | {reader.SUMS: reader.format_checksums(last)}
            beside = {name: store.read_if_exists(reader.RELEASE / name) for name in MADE_WITH}
            if not has_decisions:
                files |= {f"custom/{name}": data for name, data in beside.items() if data}
        written = [name for name, content in files.items() if _write_missing(root, name, content)]
        if release:
            store.write_together(root / "custom", release)
    say(f"{root}: {count(len(written) + len(release), 'file')} written.")
    if release and has_decisions:
        say("The release was damaged or lost; it is that of the program now, and so is its record.")
    where = "" if root == Path("data") else f"--data {shlex.quote(str(root))} "
    say(f"`bee {where}run` makes the list.")


def _has_release(folder: Path) -> bool:
    """Return whether there is an undamaged release in a folder, of this version of the program."""
    try:
        inputs.published(reader.read(folder))
    except (DataError, ReleaseError):
        return False
    return True


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
        raise BeeError(f"{wrong[0]} in {folder} is damaged.")
    return files
