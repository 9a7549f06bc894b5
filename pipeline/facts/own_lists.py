"""Lists of the user: word lists that a user added to a workspace, each used as a list of common words.

Each list is a folder `raw/lists/NAME/` with the original files and `receipt.csv`, one row per file. A release names
each list with its license, and `bee check` prints a warning about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline import reader
from pipeline.facts import word_files
from pipeline.facts.word_files import Files, ListError, RejectedLines
from pipeline.tables import frames

RECEIPT = "receipt.csv"
SOURCE_COLUMNS = ["list", "title", "version", "licence", "home", "origin"]


@dataclass(frozen=True, slots=True)
class OwnList:
    """A list of the user: its playable words, the lines that broke a rule, and the fields of its receipt."""

    name: str
    words: tuple[str, ...]
    rejected: RejectedLines
    file: str
    license: str
    sha256: str


def decode(files: Files) -> dict[str, OwnList]:
    """Read the lists, by name, from files whose paths end in `NAME/file`; raise ListError for a damaged list."""
    receipts = [path for path in sorted(files) if path.endswith(f"/{RECEIPT}")]
    return {path.split("/")[-2]: _read(path, files) for path in receipts}


def _read(path: str, files: Files) -> OwnList:
    name, folder = path.split("/")[-2], path.removesuffix(RECEIPT)
    rows = frames.rows(frames.from_text(frames.read_csv(files[path], path), "list_receipts"))
    data = {row["file"]: files.get(folder + row["file"], b"") for row in rows}
    for row in rows:
        if row["list"] != name or reader.sha256(data[row["file"]]) != row["sha256"]:
            remedy = f"add the list again with its name, {name}, or `bee lists remove {name}` removes it"
            raise ListError(f"{folder}{row['file']} is not the file in its receipt; {remedy}.")
    if not rows:
        raise ListError(f"{path} names no file; `bee lists remove {name}` removes the list.")
    main = next((row for row in rows if not word_files.is_affix(row["file"])), rows[0])
    kept, rejected = word_files.read(data, main["column"])
    return OwnList(name, tuple(kept), rejected, main["file"], main["license"], main["sha256"])


def column(lists: Iterable[OwnList]) -> pd.Series:
    """Return the column `own` of the lexicon, indexed by word: the names of the lists that have the word, A to Z."""
    names: dict[str, list[str]] = {}
    for item in sorted(lists, key=lambda item: item.name):
        for word in item.words:
            names.setdefault(word, []).append(item.name)
    return pd.Series({word: " ".join(listed) for word, listed in names.items()}, dtype="str")


def names(own: pd.Series) -> list[str]:
    """Return all list names in a column `own`, A to Z."""
    return sorted({name for cell in own[own != ""].unique().tolist() for name in cell.split()})


def sources(lists: Mapping[str, OwnList]) -> pd.DataFrame:
    """Describe the lists like `lists.sources`: list, title, version, licence, home, origin."""
    rows = [
        (item.name, f"{item.name} (a list of the user)", item.sha256[:12], _license(item), item.file, "a file")
        for _, item in sorted(lists.items())
    ]
    return pd.DataFrame(rows, columns=SOURCE_COLUMNS, dtype="str")


def licenses(lists: Mapping[str, OwnList]) -> dict[str, str]:
    """Return the known facts about each list's license, by title."""
    sentence = "Its words were candidates for this release. It came in the file {0.file}, sha256 {0.sha256}.\n"
    return {
        f"{item.name} (a list of the user), {_license(item)}": sentence.format(item)
        for _, item in sorted(lists.items())
    }


def warnings(lists: Mapping[str, OwnList]) -> list[tuple[str, str]]:
    """Return what to consider before publishing a release made with these lists, as (list, sentence)."""
    advice = "the release has words of {} and names it, so publish it only if you may"
    return [(name, f"{_license(item)}; {advice.format(item.file)}") for name, item in sorted(lists.items())]


def _license(item: OwnList) -> str:
    return item.license or "license not stated"
