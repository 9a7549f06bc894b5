"""The word lists of the lexicon: defines them, and reads the files of `data/raw/lexicon/`, which `lexicon/` builds.

Every list is one compressed table with its license text; `glosses.csv.gz` has WordNet's definitions. `sources.csv` has
the lists with their versions, and `lines.csv` counts the lines that broke a rule. docs/EXTENDING.md adds a list.
"""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline import reader
from pipeline.facts.endings import NO_SIZE
from pipeline.facts.own_lists import OwnList
from pipeline.facts.word_files import Files, ListError
from pipeline.tables import frames


@dataclass(frozen=True, slots=True)
class WordList:
    """A list of the lexicon: its name and title, the columns of its table that are whole numbers (`numbers`), the
    columns that it adds to the lexicon, each indexed by word (`attributes`), and their values for other words
    (`defaults`). `lexicon/` builds its table."""

    name: str
    title: str
    numbers: tuple[str, ...]
    attributes: Callable[[pd.DataFrame], dict[str, pd.Series]]
    defaults: Mapping[str, object]


def _scowl(table: pd.DataFrame) -> dict[str, pd.Series]:
    """Return each word's smallest size by kind, region and spelling, and its lowest level of a variant spelling."""
    usual = table["variant"] == 0
    american = table["region"].isin(["english", "american"])
    plain = table["kind"].isin(["words", "accented"])
    rows = {
        "scowl_size": plain & usual & american,
        "scowl_british": plain & usual & ~american,
        "scowl_variant": plain & ~usual,
        "scowl_upper": table["kind"] == "upper",
        "scowl_name": table["kind"] == "proper-names",
        "scowl_abbreviation": table["kind"] == "abbreviations",
        "scowl_special": table["kind"].isin(["hacker", "roman-numerals"]),
    }
    sizes = {name: table[chosen].groupby("word")["size"].min() for name, chosen in rows.items()}
    return {**sizes, "scowl_variant_level": table[plain & ~usual].groupby("word")["variant"].min()}


def _wordnet(table: pd.DataFrame) -> dict[str, pd.Series]:
    """Return part of speech, senses, tags, capitals and labels of each word, and the base of irregular forms."""
    net = table.set_index("word")
    entries = {f"wordnet_{name}": net[name] for name in ("senses", "tagged", "capitalised", "pos", "labels")}
    return {**entries, "lemma": net["base"]}


LISTS: tuple[WordList, ...] = (
    WordList(
        "scowl",
        "SCOWL",
        ("variant", "size"),
        _scowl,
        dict.fromkeys(("scowl_size", "scowl_british", "scowl_variant", "scowl_upper"), NO_SIZE)
        | dict.fromkeys(("scowl_name", "scowl_abbreviation", "scowl_special"), NO_SIZE)
        | {"scowl_variant_level": 0},
    ),
    WordList(
        "wordnet",
        "WordNet",
        ("senses", "tagged", "capitalised"),
        _wordnet,
        dict.fromkeys(("wordnet_senses", "wordnet_tagged", "wordnet_capitalised"), 0)
        | dict.fromkeys(("wordnet_pos", "wordnet_labels", "lemma"), ""),
    ),
    WordList(
        "cuss",
        "cuss",
        ("sureness",),
        lambda table: {"cuss": table.groupby("word")["sureness"].max()},
        {"cuss": -1},
    ),
    WordList(
        "ldnoobw",
        "List of Dirty, Naughty, Obscene and Otherwise Bad Words",
        (),
        lambda table: {"ldnoobw": pd.Series(True, index=table["word"].unique())},
        {"ldnoobw": False},
    ),
    WordList(
        "modern",
        "Modern words",
        (),
        lambda table: {"modern": pd.Series(True, index=table["word"])},
        {"modern": False},
    ),
)
REPAIR = "`bee init` brings it back"
GLOSSES = "glosses.csv.gz"
"""WordNet's definitions, in the rows that `play/glosses` reads."""
OWN = "own"
"""The column of the lexicon with the lists of the user that have a word, separated by blanks."""
DEFAULTS: dict[str, object] = {name: default for item in LISTS for name, default in item.defaults.items()} | {OWN: ""}
"""Every column that a list adds to the lexicon, with its value for a word that is not in the list."""


def tables(files: Files) -> dict[str, pd.DataFrame]:
    """Read the table of each list, by name, from the files of `raw/lexicon/`; raise ListError for damaged files."""
    return {item.name: _table(item, files) for item in LISTS}


def _table(item: WordList, files: Files) -> pd.DataFrame:
    name = f"{item.name}.csv.gz"
    with _damaged(name):
        return frames.read_csv(gzip.decompress(_file(files, name)), name).astype(dict.fromkeys(item.numbers, int))


def attributes(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.Series]:
    """Return every column that the lists add to the lexicon, indexed by word; raise ListError for a damaged table."""
    found: dict[str, pd.Series] = {}
    for item in LISTS:
        with _damaged(f"{item.name}.csv.gz"):
            found |= item.attributes(tables[item.name])
    return found


@contextlib.contextmanager
def _damaged(name: str) -> Iterator[None]:
    """Raise ListError for a file of the lexicon that cannot be read."""
    try:
        yield
    except (frames.FrameError, OSError, EOFError, zlib.error, LookupError, ValueError, TypeError) as error:
        raise ListError(f"raw/lexicon/{name} is damaged ({error}); {REPAIR}.") from error


def _file(files: Files, name: str) -> bytes:
    if name not in files:
        raise ListError(f"There is no raw/lexicon/{name}; {REPAIR}.")
    return files[name]


def sources(files: Files) -> pd.DataFrame:
    """Read the lists of the lexicon: list, title, version, licence, home, origin."""
    return frames.read_csv(_file(files, "sources.csv"), "raw/lexicon/sources.csv")


def licenses(files: Files) -> dict[str, str]:
    """Return the full license of each list, by title."""
    texts = {}
    for row in frames.rows(sources(files)):
        title = f"{row['title']} {row['version']}, {row['licence']}, {row['home']}"
        texts[title] = _file(files, f"licences/{row['list']}.txt").decode("utf-8", "replace")
    return texts


def glosses(files: Files) -> str:
    """Return the table of WordNet's definitions as text; raise ListError if it is damaged."""
    with _damaged(GLOSSES):
        return gzip.decompress(_file(files, GLOSSES)).decode("utf-8")


def digest(files: Files, own: Mapping[str, OwnList]) -> str:
    """Return a checksum of the word lists of the estimates: those of `raw/lexicon/` but our own, which only adds
    candidates, and those of the user by name."""
    names = [item.name for item in LISTS if item.name != "modern"]
    named = {name: reader.sha256(files.get(f"{name}.csv.gz", b"")) for name in names}
    named |= {f"own {name}": item.sha256 for name, item in own.items()}
    return reader.sha256("".join(f"{name} {named[name]}\n" for name in sorted(named)).encode())


def changed(files: Files) -> Iterator[tuple[str, str]]:
    """Yield (file, fault) for the files that do not match SHA256SUMS."""
    sums = reader.digests(_file(files, reader.SUMS), "raw/lexicon")
    for name in sorted(sums.keys() | (files.keys() - {reader.SUMS})):
        if name not in files:
            yield name, f"the file is missing; {REPAIR}."
        elif name not in sums:
            yield name, f"it is not in {reader.SUMS}; {REPAIR}."
        elif reader.sha256(files[name]) != sums[name]:
            yield name, f"its checksum is not the one in {reader.SUMS}; {REPAIR}."
