"""The user's own lists: word lists that a user added to a workspace. Each is used as a list of common words.

Each list is a folder `raw/lists/NAME/` with the original files and `receipt.csv`, which has one row per file. A release
names each list with its license, and `bee check` prints a warning about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline import reader
from pipeline.errors import Command, DataError
from pipeline.facts import word_files
from pipeline.facts.word_files import Files, RejectedLines
from pipeline.tables import frames

RECEIPT = "receipt.csv"
SOURCE_COLUMNS = ["list", "title", "version", "licence", "home", "origin"]


@dataclass(frozen=True, slots=True)
class OwnList:
    """One of the user's lists: its playable words, the lines that broke a rule, and the fields of its receipt."""

    name: str
    words: tuple[str, ...]
    rejected: RejectedLines
    file: str
    license: str
    sha256: str


def decode(files: Files) -> dict[str, OwnList]:
    """Return the lists, A to Z by name, from files whose paths end in `NAME/file`; raise DataError for a damaged
    list."""
    own_lists = [_read(path, files) for path in files if path.endswith(f"/{RECEIPT}")]
    return {own_list.name: own_list for own_list in sorted(own_lists, key=lambda own_list: own_list.name)}


def _read(receipt: str, files: Files) -> OwnList:
    """Return the list that a receipt describes, from the path of the receipt and all files. Raise DataError if a file
    does not match its row."""
    name = receipt.split("/")[-2]
    folder = receipt.removesuffix(RECEIPT)
    rows = frames.rows(frames.from_text(frames.read_csv(files[receipt], receipt), "list_receipts"))
    if not rows:
        raise DataError(f"{receipt} does not name a file; ", Command(f"lists remove {name}"), " removes the list.")
    data = {row["file"]: files.get(folder + row["file"], b"") for row in rows}
    for row in rows:
        if row["list"] != name or reader.sha256(data[row["file"]]) != row["sha256"]:
            raise DataError(
                f"{folder}{row['file']} does not match its receipt; add the list again under the name {name}. ",
                Command(f"lists remove {name}"),
                " removes the list.",
            )
    word_rows = [row for row in rows if not word_files.is_affix(row["file"])]
    row = word_rows[0] if word_rows else rows[0]
    words, rejected = word_files.read(data, row["column"])
    return OwnList(name, tuple(words), rejected, file=row["file"], license=row["license"], sha256=row["sha256"])


def own_column(lists: Iterable[OwnList]) -> pd.Series:
    """Return the column `own` of the lexicon, indexed by word: the names of the lists that have the word, in order."""
    names: dict[str, list[str]] = {}
    for own_list in lists:
        for word in own_list.words:
            names.setdefault(word, []).append(own_list.name)
    return pd.Series({word: " ".join(names_of_word) for word, names_of_word in names.items()}, dtype="str")


def list_names(own: pd.Series) -> list[str]:
    """Return all list names in a column `own`, A to Z."""
    return sorted(set(" ".join(own.unique()).split()))


def sources(lists: Mapping[str, OwnList]) -> pd.DataFrame:
    """Return a table of the user's lists with the columns of `lists.sources`."""
    rows = []
    for name, own_list in lists.items():
        title = f"{name} (a list of the user)"
        rows.append((name, title, own_list.sha256[:12], _license(own_list), own_list.file, "a file"))
    return pd.DataFrame(rows, columns=SOURCE_COLUMNS, dtype="str")


def licenses(lists: Mapping[str, OwnList]) -> dict[str, str]:
    """Return what is known about the license of each list, by title."""
    texts = {}
    for name, own_list in lists.items():
        texts[f"{name} (a list of the user), {_license(own_list)}"] = (
            "Its words were candidates for this release. "
            f"It came in the file {own_list.file}, sha256 {own_list.sha256}.\n"
        )
    return texts


def warnings(lists: Mapping[str, OwnList]) -> list[tuple[str, str]]:
    """Return, as (list, sentence), what to consider before a release with words of these lists is published."""
    sentences = []
    for name, own_list in lists.items():
        advice = f"the release contains words of {own_list.file}, so publish it only if you are allowed to"
        sentences.append((name, f"{_license(own_list)}; {advice}"))
    return sentences


def _license(own_list: OwnList) -> str:
    return own_list.license or "license not stated"
