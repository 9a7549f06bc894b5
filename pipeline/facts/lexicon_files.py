"""Defines the word lists of the lexicon, and reads the files of `data/raw/lexicon/`, which `lexicon/` builds.

Every list is one compressed table with its license text; `forms.csv.gz` says which word is a form of which base, and
`glosses.csv.gz` has WordNet's definitions. `sources.csv` has the lists with their versions, and `lines.csv` counts the
lines that broke a rule. docs/EXTENDING.md explains how to add a list.
"""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline import reader
from pipeline.errors import DataError, ReleaseError
from pipeline.facts import by_hand
from pipeline.facts.own_lists import OWN_LIST, OwnLists, words_of
from pipeline.tables import columns, frames

Files = Mapping[str, bytes]
"""Files by path."""
NO_SIZE = 100
"""The size that stands for "in no SCOWL list of this kind", so that `size <= 60` is false."""


@dataclass(frozen=True, slots=True)
class LexiconList:
    """A list of the lexicon. `lexicon/` builds its table.

    `integer_columns` are the columns of the table that have whole numbers. `attributes(table)` returns a table, indexed
    by word, with the columns that the list adds to the lexicon. `defaults` has the values of these columns for words
    that are not in the list.
    """

    name: str
    title: str
    integer_columns: tuple[str, ...]
    attributes: Callable[[pd.DataFrame], pd.DataFrame]
    defaults: Mapping[str, object]


def _scowl(table: pd.DataFrame) -> pd.DataFrame:
    """Return each word's smallest size by kind, region and spelling, and its lowest level as a variant spelling."""
    is_usual = table["variant"] == 0
    is_american = table["region"].isin(["english", "american"])
    is_word = table["kind"].isin(["words", "accented"])
    rows_of_column = {
        "scowl_size": is_word & is_usual & is_american,
        "scowl_british": is_word & is_usual & ~is_american,
        "scowl_variant": is_word & ~is_usual,
        "scowl_upper": table["kind"] == "upper",
        "scowl_name": table["kind"] == "proper-names",
        "scowl_abbreviation": table["kind"] == "abbreviations",
        "scowl_special": table["kind"].isin(["hacker", "roman-numerals"]),
    }
    cells = pd.DataFrame({name: table["size"].where(rows, NO_SIZE) for name, rows in rows_of_column.items()})
    cells["scowl_variant_level"] = table["variant"].where(is_word & ~is_usual)
    smallest = cells.groupby(table["word"]).min()
    return smallest.fillna({"scowl_variant_level": 0}).astype(int)


def _wordnet(table: pd.DataFrame) -> pd.DataFrame:
    """Return the parts of speech, senses, tags, capitals and labels of each word."""
    return table.set_index("word").add_prefix("wordnet_")


LISTS: tuple[LexiconList, ...] = (
    LexiconList(
        name="scowl",
        title="SCOWL",
        integer_columns=("variant", "size"),
        attributes=_scowl,
        defaults={
            "scowl_size": NO_SIZE,
            "scowl_british": NO_SIZE,
            "scowl_variant": NO_SIZE,
            "scowl_upper": NO_SIZE,
            "scowl_name": NO_SIZE,
            "scowl_abbreviation": NO_SIZE,
            "scowl_special": NO_SIZE,
            "scowl_variant_level": 0,
        },
    ),
    LexiconList(
        name="wordnet",
        title="WordNet",
        integer_columns=("senses", "tagged", "capitalised"),
        attributes=_wordnet,
        defaults={
            "wordnet_senses": 0,
            "wordnet_tagged": 0,
            "wordnet_capitalised": 0,
            "wordnet_pos": "",
            "wordnet_labels": "",
        },
    ),
    LexiconList(
        name="cuss",
        title="cuss",
        integer_columns=("sureness",),
        attributes=lambda table: table.groupby("word")["sureness"].max().to_frame("cuss"),
        defaults={"cuss": -1},
    ),
    LexiconList(
        name="ldnoobw",
        title="List of Dirty, Naughty, Obscene and Otherwise Bad Words",
        integer_columns=(),
        attributes=lambda table: pd.DataFrame({"ldnoobw": True}, index=table["word"].unique()),
        defaults={"ldnoobw": False},
    ),
    LexiconList(
        name="modern",
        title="Modern words",
        integer_columns=(),
        attributes=lambda table: pd.DataFrame({"modern": True}, index=table["word"]),
        defaults={"modern": False},
    ),
)
READERS = "readers.csv"
"""The words that readers judged, tried and untried: columns word, opinion, reading (its release)."""
REPAIR = "In a checkout, `git checkout -- data/raw/lexicon` brings it back; elsewhere, `bee init`."
"""The end of the messages about missing and damaged files."""
DEFAULTS: dict[str, object] = {
    **{column: default for word_list in LISTS for column, default in word_list.defaults.items()},
    "opinion": "",
    OWN_LIST: False,
}
"""Every column that a list adds to the lexicon, with its value for a word that is not in the list."""


def tables(files: Files) -> dict[str, pd.DataFrame]:
    """Return the table of each list, by name, from the files of `raw/lexicon/`; raise DataError for damaged files."""
    return {word_list.name: _table(word_list, files) for word_list in LISTS}


def _table(word_list: LexiconList, files: Files) -> pd.DataFrame:
    """Return the table of a list, with the right types."""
    name = f"{word_list.name}.csv.gz"
    data = _file(files, name)
    with _reading(name):
        table = frames.read_csv(gzip.decompress(data), name)
        return table.astype(dict.fromkeys(word_list.integer_columns, int))


def forms(files: Files) -> pd.DataFrame:
    """Return the forms of words with their bases (see `lexicon/forms.py`): columns word, base, form. The rows of a word
    are in order, the base that is told of it first.

    Raises DataError if it is missing or damaged.
    """
    name = "forms.csv.gz"
    data = _file(files, name)
    with _reading(name):
        table = frames.read_csv(gzip.decompress(data), name)
        return frames.conform(table.drop(columns="own"), "forms")


def opinions(files: Files) -> pd.Series:
    """Return the opinion of readers about each word that they judged, indexed by word; raise BeeError if the file is
    missing or a line is wrong."""
    rows = by_hand.parse("readers", _file(files, READERS))
    return pd.Series({row["word"]: row["opinion"] for row in rows}, dtype="str")


def attributes(words: pd.Series, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return every column that the lists add to the lexicon, one row for each word; raise DataError for a damaged
    table."""
    found = []
    for word_list in LISTS:
        with _reading(f"{word_list.name}.csv.gz"):
            of_list = word_list.attributes(tables[word_list.name])
            found.append(columns.look_up_rows(words, of_list, word_list.defaults))
    return pd.concat(found, axis=1)


@contextlib.contextmanager
def _reading(name: str) -> Iterator[None]:
    """Raise DataError if the block fails to read a file of the lexicon."""
    try:
        yield
    except (DataError, OSError, EOFError, zlib.error, LookupError, ValueError, TypeError) as error:
        raise DataError(f"raw/lexicon/{name} is damaged ({error}). {REPAIR}") from error


def _file(files: Files, name: str) -> bytes:
    if name not in files:
        raise DataError(f"There is no raw/lexicon/{name}. {REPAIR}")
    return files[name]


def sources(files: Files) -> pd.DataFrame:
    """Return the lists of the lexicon as a table: list, title, version, licence, home, origin."""
    return frames.read_csv(_file(files, "sources.csv"), "raw/lexicon/sources.csv")


def licenses(files: Files) -> dict[str, str]:
    """Return the full license of each list, by title."""
    texts = {}
    for row in frames.rows(sources(files)):
        title = f"{row['title']} {row['version']}, {row['licence']}, {row['home']}"
        texts[title] = _file(files, f"licences/{row['list']}.txt").decode("utf-8", "replace")
    return texts


def digest(files: Files, own_lists: OwnLists) -> str:
    """Return a checksum of the word lists that the estimates depend on: those of `raw/lexicon/`, except our own, which
    only adds candidates, and the words of the user's lists."""
    digests = {READERS: reader.sha256(files.get(READERS, b""))}
    for name in ("forms", *(word_list.name for word_list in LISTS)):
        if name != "modern":
            digests[name] = reader.sha256(files.get(f"{name}.csv.gz", b""))
    if words := words_of(own_lists):
        digests[OWN_LIST] = reader.sha256(" ".join(words).encode())
    lines = [f"{name} {digests[name]}\n" for name in sorted(digests)]
    return reader.sha256("".join(lines).encode())


def changed_files(files: Files) -> Iterator[tuple[str, str]]:
    """Yield the name and the fault of each file that does not match SHA256SUMS. People write `READERS`, so it is not
    there."""
    try:
        digests = reader.parse_checksums(_file(files, reader.SUMS), "raw/lexicon")
    except ReleaseError:
        raise DataError(f"raw/lexicon/{reader.SUMS} is damaged. {REPAIR}") from None
    for name in sorted(digests.keys() | (files.keys() - {reader.SUMS, READERS})):
        if name not in files:
            yield name, f"the file is missing. {REPAIR}"
        elif name not in digests:
            yield name, f"it is not in {reader.SUMS}; delete it."
        elif reader.sha256(files[name]) != digests[name]:
            yield name, f"its checksum differs from the one in {reader.SUMS}. {REPAIR}"
