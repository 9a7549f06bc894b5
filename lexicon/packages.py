"""Reads the version, the license and the data files of a word list from packages of Debian, npm and Python."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import DataError
from pipeline.facts.lexicon_files import Files
from pipeline.word_list import LeftOut
from pipeline.words import rule_broken


@dataclass(frozen=True, slots=True)
class PackageContents:
    """The content of a package: its version, the text of its license, and the texts of its data files by name."""

    version: str
    license: str
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Package:
    """The package of a list: its kind, its name, the folders to read (`*` stands for any text), and the function that
    reads their files."""

    kind: str
    name: str
    folders: tuple[str, ...]
    open: Callable[[Files], PackageContents]

    def __str__(self) -> str:
        """Return the name of a package as in `sources.csv`."""
        return "this project" if self.kind == "project" else f"{self.kind} package {self.name}"


def debian(name: str, data: str, paragraph: str = "") -> Package:
    """Return the description of a Debian package that is unpacked in a root folder, with its data in `data` in
    /usr/share.

    `paragraph` is the name of the data's license in a machine-readable copyright file. Without it, the whole file is
    the license.
    """
    data_folder = f"usr/share/{data}"
    doc_folder = f"usr/share/doc/{name}"

    def open_files(files: Files) -> PackageContents:
        license_text = _text(files, f"{doc_folder}/copyright")
        changelog = gzip.decompress(_file(files, f"{doc_folder}/changelog.Debian.gz")).decode()
        version = changelog.partition("(")[2].partition(")")[0]
        if paragraph:
            license_text = _license_paragraph(license_text, paragraph)
        return PackageContents(version, license_text, _texts(files, data_folder))

    return Package("Debian", name, (data_folder, doc_folder), open_files)


def _license_paragraph(text: str, paragraph: str) -> str:
    """Return the text of a license in a machine-readable copyright file. In the file, its lines start with a blank, and
    its empty lines are ` .`."""
    start = text.index(f"\nLicense: {paragraph}\n")
    text_with_heading = text[start:].strip().partition("\n\n")[0]
    lines = text_with_heading.splitlines()[1:]
    return "".join(f"{line[1:].removeprefix('.')}\n" for line in lines)


def npm(name: str) -> Package:
    """Return the description of an npm package that is installed in a folder."""

    def open_files(files: Files) -> PackageContents:
        version = json.loads(_file(files, f"{name}/package.json"))["version"]
        license_path = next(path for path in files if path.lower().startswith(f"{name}/license"))
        return PackageContents(version, _text(files, license_path), _texts(files, name))

    return Package("npm", name, (name,), open_files)


def python(name: str) -> Package:
    """Return the description of a Python package that is installed in a folder, with its data in `resources`."""

    def open_files(files: Files) -> PackageContents:
        about = next((path for path in files if re.fullmatch(rf"{name}-[^/]*/METADATA", path)), f"{name}/METADATA")
        version = re.findall("^Version: (.*)$", _text(files, about), re.MULTILINE)[0]
        license_text = _text(files, about.replace("METADATA", "LICENSE"))
        texts = {
            path.rpartition("/")[2].removesuffix(".gz"): gzip.decompress(content).decode()
            for path, content in files.items()
            if path.startswith(f"{name}/") and path.endswith(".csv.gz")
        }
        return PackageContents(version, license_text, texts)

    return Package("Python", name, (f"{name}/resources", f"{name}-*.dist-info"), open_files)


def project_folder(name: str) -> Package:
    """Return the description of a list of this project. Its folder, next to this module, has a `words.txt` whose first
    line begins with `# version`."""

    def open_files(files: Files) -> PackageContents:
        first_line = _text(files, f"{name}/words.txt").partition("\n")[0]
        version = first_line.removeprefix("# version ")
        return PackageContents(version, _text(files, f"{name}/LICENSE"), _texts(files, name))

    return Package("project", name, (name,), open_files)


def _file(files: Files, path: str) -> bytes:
    if path not in files:
        raise DataError(f"There is no {path}: install the package, or give its folder (--root, --npm, --python).")
    return files[path]


def _text(files: Files, path: str) -> str:
    return _file(files, path).decode("utf-8", "replace")


def _texts(files: Files, folder: str) -> dict[str, str]:
    """Return the texts of the files of a folder, by name."""
    texts = {}
    for path in files:
        folder_of_file, _, name = path.rpartition("/")
        if folder_of_file == folder:
            texts[name] = _text(files, path)
    return texts


def playable_rows(table: pd.DataFrame, name: str) -> tuple[pd.DataFrame, LeftOut]:
    """Return the rows with playable words, sorted and without duplicates, and the counts of the other rows. Raise
    DataError if there are no playable words."""
    rules = [rule_broken(word) for word in table["word"]]
    rejected: LeftOut = Counter(rule for rule in rules if rule)
    playable = table[[rule is None for rule in rules]]
    if playable.empty:
        raise DataError(f"There are no words of {name} in its package.")
    return playable.drop_duplicates().sort_values(list(table.columns), ignore_index=True), rejected


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a list of the lexicon: its title, license and home, its package, and the function that makes one
    table of playable words from the package's data files and counts what it left out."""

    title: str
    license: str
    home: str
    package: Package
    parse: Callable[[Mapping[str, str]], tuple[pd.DataFrame, LeftOut]]
