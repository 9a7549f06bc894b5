"""Packages: the version, the license and the data files of a word list, as Debian and npm distribute it."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from pipeline.facts.word_files import Files, ListError, RejectedLines


class Opened(NamedTuple):
    """A package: its version, the text of its license, and the texts of its data files by name."""

    version: str
    license: str
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Package:
    """The origin of a list: the kind of package, its name, the folders to read, and the function that opens it."""

    kind: str
    name: str
    folders: tuple[str, ...]
    open: Callable[[Files], Opened]

    def __str__(self) -> str:
        """Format a package as in `sources.csv`."""
        return "this project" if self.kind == "project" else f"{self.kind} package {self.name}"


def debian(name: str, data: str, paragraph: str = "") -> Package:
    """Describe a Debian package, unpacked in a root folder, with its data in `data` under /usr/share.

    `paragraph` names the data's license in a machine-readable copyright file; without it, the file is the license.
    """
    data, papers = f"usr/share/{data}", f"usr/share/doc/{name}"

    def opened(files: Files) -> Opened:
        changelog, text = f"{papers}/changelog.Debian.gz", _text(files, f"{papers}/copyright", "strict")
        try:
            first_line = gzip.decompress(_file(files, changelog)).decode()
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise ListError(f"{changelog} is damaged: {error}") from error
        _, mark, rest = text.partition(f"\nLicense: {paragraph}\n") if paragraph else ("", "", "")
        if mark:
            lines = rest.partition("\n\n")[0].splitlines()
            text = "".join(f"{line[1:].removeprefix('.')}\n" for line in lines)
        return Opened(first_line.partition("(")[2].partition(")")[0], text, _texts(files, data))

    return Package("Debian", name, (data, papers), opened)


def npm(name: str) -> Package:
    """Describe an npm package, installed in a folder."""

    def opened(files: Files) -> Opened:
        papers = sorted(path for path in files if path.rpartition("/")[2].partition(".")[0].lower() == "license")
        if not papers:
            raise ListError(f"{name} has no license; npm install the package {name} again.")
        try:
            version = str(json.loads(_file(files, f"{name}/package.json"))["version"])
        except (ValueError, LookupError, TypeError) as error:
            raise ListError(f"{name}/package.json is damaged: {error}") from error
        return Opened(version, _text(files, papers[0], "strict"), _texts(files, name))

    return Package("npm", name, (name,), opened)


def own(name: str) -> Package:
    """Describe a list of this project, in a folder beside this module: `words.txt`, whose first line is `# version`."""

    def opened(files: Files) -> Opened:
        texts = _texts(files, name)
        mark, _, version = texts.get("words.txt", "").partition("\n")[0].rpartition(" ")
        if mark != "# version":
            raise ListError(f"{name}/words.txt does not begin with a line `# version DATE`.")
        return Opened(version, _text(files, f"{name}/LICENSE", "strict"), texts)

    return Package("project", name, (name,), opened)


def _file(files: Files, path: str) -> bytes:
    if path not in files:
        raise ListError(f"There is no {path}: install the package, or name the folder where it is.")
    return files[path]


def _text(files: Files, path: str, errors: str) -> str:
    try:
        text = _file(files, path).decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise ListError(f"{path} is not UTF-8 text: {error}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _texts(files: Files, folder: str) -> dict[str, str]:
    inside = [path for path in files if path.rpartition("/")[0] == folder]
    return {path.rpartition("/")[2]: _text(files, path, "replace") for path in inside}


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a list of the lexicon: its title, license and home, its package, and the function that makes one
    table of playable words from the package's data files and counts what it left out."""

    title: str
    license: str
    home: str
    package: Package
    parse: Callable[[Mapping[str, str]], tuple[pd.DataFrame, RejectedLines]]
