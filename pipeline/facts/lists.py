"""The word lists of the lexicon: defines them, and makes and reads the files of `data/raw/lexicon/`.

Every list is one compressed table with its license text; `glosses.csv.gz` has WordNet's definitions. `sources.csv` has
the lists with their versions, and `lines.csv` counts the lines that broke a rule. docs/EXTENDING.md adds a list.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Mapping

import pandas as pd

from pipeline import reader
from pipeline.facts import rude, scowl, wordnet
from pipeline.facts.own_lists import SOURCE_COLUMNS, OwnList
from pipeline.facts.word_list import Files, ListError, WordList
from pipeline.tables import frames

LISTS: tuple[WordList, ...] = (scowl.LIST, wordnet.LIST, rude.CUSS, rude.LDNOOBW)
REPAIR = "`git checkout HEAD -- data/raw/lexicon` brings it back in a checkout, or `bee lexicon` makes it again"
OWN = "own"
"""The column of the lexicon with the lists of the user that have a word, separated by blanks."""
DEFAULTS: dict[str, object] = {name: default for item in LISTS for name, default in item.defaults.items()} | {OWN: ""}
"""Every column that a list adds to the lexicon, with its value for a word that is not in the list."""


def build(packages: Mapping[str, Files]) -> tuple[dict[str, bytes], pd.DataFrame]:
    """Make the files of `raw/lexicon/` from the files of each list's package, by the name of the list, and count what
    was kept and left out: columns list, rule, lines. Raises ListError if a package is not as expected."""
    files: dict[str, bytes] = {}
    counts, sources = [], []
    opened: dict[str, dict[str, str]] = {}
    for item in LISTS:
        version, text, data = item.package.open(packages[item.name])
        opened[item.name] = data
        table, rejected = item.parse(data)
        files[f"{item.name}.csv.gz"] = gzip.compress(frames.csv_bytes(table), compresslevel=9, mtime=0)
        files[f"licences/{item.name}.txt"] = text.encode()
        counts += [(item.name, rule, lines) for rule, lines in sorted({**rejected, "kept": len(table)}.items())]
        sources.append((item.name, item.title, version, item.license, item.home, str(item.package)))
    meanings = wordnet.glosses(opened["wordnet"], scowl.parse(opened["scowl"])[0]["word"])
    files["glosses.csv.gz"] = gzip.compress(frames.csv_bytes(meanings), compresslevel=9, mtime=0)
    counts.append(("glosses", "kept", len(meanings)))
    frame = pd.DataFrame(counts, columns=["list", "rule", "lines"])
    files["lines.csv"] = frames.csv_bytes(frame)
    files["sources.csv"] = frames.csv_bytes(pd.DataFrame(sources, columns=SOURCE_COLUMNS))
    return {**files, reader.SUMS: reader.sums(files)}, frame


def tables(files: Files) -> dict[str, pd.DataFrame]:
    """Read the table of each list, by name, from the files of `raw/lexicon/`; raise ListError for damaged files."""
    return {item.name: _table(item, files) for item in LISTS}


def _table(item: WordList, files: Files) -> pd.DataFrame:
    name = f"{item.name}.csv.gz"
    data = _file(files, name)
    try:
        return frames.read_csv(gzip.decompress(data), name).astype(dict.fromkeys(item.numbers, int))
    except (frames.FrameError, OSError, EOFError, zlib.error, LookupError, ValueError) as error:
        raise ListError(f"raw/lexicon/{name} is damaged ({error}); {REPAIR}.") from error


def attributes(tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.Series]:
    """Return every column that the lists add to the lexicon, indexed by word; raise ListError for a damaged table."""
    found: dict[str, pd.Series] = {}
    for item in LISTS:
        try:
            found |= item.attributes(tables[item.name])
        except (LookupError, ValueError, TypeError) as error:
            raise ListError(f"The list {item.name} is damaged ({error}); {REPAIR}.") from error
    return found


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


def digest(files: Files, own: Mapping[str, OwnList]) -> str:
    """Return a checksum of all word lists: those of `raw/lexicon/`, and those of the user by name."""
    named = "".join(f"{name} {own[name].sha256}\n" for name in sorted(own))
    return reader.sha256(_file(files, reader.SUMS) + named.encode())


def changed(files: Files) -> Iterator[tuple[str, str]]:
    """Yield (file, fault) for the files that do not match SHA256SUMS."""
    sums = reader.digests(_file(files, reader.SUMS), "raw/lexicon")
    for name in sorted(sums.keys() | (files.keys() - {reader.SUMS})):
        if name not in files:
            yield name, "the file is missing"
        elif name not in sums:
            yield name, f"it is not in {reader.SUMS}"
        elif reader.sha256(files[name]) != sums[name]:
            yield name, f"its checksum is not the one in {reader.SUMS}"
