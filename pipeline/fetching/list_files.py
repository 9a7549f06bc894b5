"""The files of `data/raw/lexicon/`: built from packages by `bee lexicon`, read by the stages.

Every list is one compressed table with its licence text; `sources.csv` names them with their versions, `lines.csv`
counts the lines that broke a rule, `SHA256SUMS` (checked by `sha256sum -c`) seals them all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pipeline import frames, lexicon, lists, store
from pipeline.store import StoreError, Workspace


@dataclass(frozen=True, slots=True)
class WordList:
    """A list of the lexicon: name, title, licence, home page, where its version and its licence stand."""

    name: str
    title: str
    licence: str
    home: str
    origin: str


LISTS = (
    WordList("scowl", "SCOWL", "SCOWL (MIT-like)", "http://wordlist.aspell.net/", "Debian package scowl"),
    WordList("wordnet", "WordNet", "WordNet 3.0", "https://wordnet.princeton.edu/", "Debian package wordnet-base"),
    WordList("cuss", "cuss", "MIT", "https://github.com/words/cuss", "npm package cuss"),
    WordList(
        "ldnoobw",
        "List of Dirty, Naughty, Obscene and Otherwise Bad Words",
        "CC-BY-4.0",
        "https://github.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words",
        "npm package naughty-words",
    ),
)


def _texts(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise StoreError(f"There is no {folder}: install the package that README names under bee lexicon.")
    return {path.name: path.read_text("utf-8", errors="replace") for path in folder.iterdir() if path.is_file()}


def build_lexicon(workspace: Workspace, root: Path, npm: Path) -> pd.DataFrame:
    """Build `raw/lexicon/` from unpacked Debian packages under `root` and npm packages under `npm`.

    Returns the counts: columns list, rule, lines; the rule "kept" counts the rows of the built table.
    """
    share = root / "usr/share"
    built = {
        "scowl": lists.scowl(_texts(share / "dict/scowl")),
        "wordnet": lists.wordnet(_texts(share / "wordnet")),
        "cuss": lists.cuss(_texts(npm / "cuss").get("index.js", "")),
        "ldnoobw": lists.ldnoobw(_texts(npm / "naughty-words").get("en.json", "[]")),
    }
    documents = {
        "scowl": _debian(share / "doc/scowl"),
        "wordnet": _debian(share / "doc/wordnet-base"),
        "cuss": _npm(npm / "cuss"),
        "ldnoobw": _npm(npm / "naughty-words"),
    }
    files: dict[str, bytes] = {}
    counts, sources = [], []
    for item in LISTS:
        table, rejected = built[item.name]
        version, licence = documents[item.name]
        files[f"{item.name}.csv.gz"] = store.gzipped(frames.csv_bytes(table))
        files[f"licences/{item.name}.txt"] = licence.encode()
        counts += [(item.name, rule, lines) for rule, lines in sorted({**rejected, "kept": len(table)}.items())]
        sources.append((item.name, item.title, version, item.licence, item.home, item.origin))
    frame = pd.DataFrame(counts, columns=["list", "rule", "lines"])
    files["lines.csv"] = frames.csv_bytes(frame)
    columns = ["list", "title", "version", "licence", "home", "origin"]
    files["sources.csv"] = frames.csv_bytes(pd.DataFrame(sources, columns=columns))
    files["SHA256SUMS"] = "".join(f"{store.sha256(files[name])}  {name}\n" for name in sorted(files)).encode()
    for name, data in files.items():
        store.write_bytes(workspace.raw / "lexicon" / name, data)
    return frame


def _debian(folder: Path) -> tuple[str, str]:
    """Return version and licence text of an unpacked Debian package."""
    if not (folder / "copyright").is_file():
        raise StoreError(f"There is no {folder}/copyright: install the Debian package.")
    changelog = folder / "changelog.Debian.gz"
    first_line = store.gunzipped(store.read_bytes(changelog, "apt-get install"), changelog).decode()
    text = (folder / "copyright").read_text("utf-8")
    if "\nLicense: WordNet3.0\n" in text:  # machine-readable: the paragraph of the data, not that of the packaging
        paragraph = text.partition("\nLicense: WordNet3.0\n")[2].partition("\n\n")[0]
        text = "".join(f"{line[1:].removeprefix('.')}\n" for line in paragraph.splitlines())
    return first_line.partition("(")[2].partition(")")[0], text


def _npm(folder: Path) -> tuple[str, str]:
    """Return version and licence text of an npm package."""
    if not (folder / "package.json").is_file():
        raise StoreError(
            f"There is no {folder}: npm install the package {folder.name}, and name its folder with --npm."
        )
    version = json.loads((folder / "package.json").read_text("utf-8"))["version"]
    texts = sorted(path for path in folder.iterdir() if path.stem.lower() == "license")
    return version, texts[0].read_text("utf-8")


def sources(workspace: Workspace) -> pd.DataFrame:
    """Read which lists the lexicon is made of: list, title, version, licence, home, origin."""
    path = workspace.raw / "lexicon" / "sources.csv"
    return frames.read_csv(store.read_bytes(path, "bee lexicon"), path)


def changed(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield (file, what is wrong) for the files that are not what SHA256SUMS says."""
    folder = workspace.raw / "lexicon"
    for line in store.read_bytes(folder / "SHA256SUMS", "bee lexicon").decode().splitlines():
        digest, _, name = line.partition("  ")
        if not (folder / name).is_file():
            yield name, "the file is gone"
        elif store.sha256((folder / name).read_bytes()) != digest:
            yield name, "its bytes are not those that were sealed"


def read_lists(workspace: Workspace) -> pd.DataFrame:
    """Read the lists and join them, one row a word, without frequencies."""
    tables = {}
    for item in LISTS:
        path = workspace.raw / "lexicon" / f"{item.name}.csv.gz"
        tables[item.name] = frames.read_csv(store.gunzipped(store.read_bytes(path, "bee lexicon"), path), path)
    numbers = {
        "scowl": ["variant", "size"],
        "wordnet": ["senses", "tagged", "capitalised"],
        "cuss": ["sureness"],
        "ldnoobw": [],
    }
    try:
        typed = {name: tables[name].astype(dict.fromkeys(columns, int)) for name, columns in numbers.items()}
        return lexicon.join(typed["scowl"], typed["wordnet"], typed["cuss"], typed["ldnoobw"])
    except (KeyError, ValueError) as error:
        raise StoreError(f"The lists of {workspace.raw / 'lexicon'} are damaged ({error}).") from error
