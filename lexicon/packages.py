"""Packages: the version, the license and the data files of a word list, as Debian and npm distribute it."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.facts.word_files import Files, ListError, RejectedLines


@dataclass(frozen=True, slots=True)
class Contents:
    """What a package holds: its version, the text of its license, and the texts of its data files by name."""

    version: str
    license: str
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Package:
    """The package of a list: its kind, its name, the folders to read, and the function that reads their files."""

    kind: str
    name: str
    folders: tuple[str, ...]
    open: Callable[[Files], Contents]

    def __str__(self) -> str:
        """Format a package as in `sources.csv`."""
        return "this project" if self.kind == "project" else f"{self.kind} package {self.name}"


def debian(name: str, data: str, paragraph: str = "") -> Package:
    """Describe a Debian package, unpacked in a root folder, with its data in `data` under /usr/share.

    `paragraph` names the data's license in a machine-readable copyright file; without it, the file is the license.
    """
    data_folder = f"usr/share/{data}"
    doc_folder = f"usr/share/doc/{name}"

    def open_files(files: Files) -> Contents:
        changelog = f"{doc_folder}/changelog.Debian.gz"
        license_text = _text(files, f"{doc_folder}/copyright", "strict")
        try:
            first_line = gzip.decompress(_file(files, changelog)).decode()
        except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
            raise ListError(f"{changelog} is damaged: {error}") from error
        version = first_line.partition("(")[2].partition(")")[0]
        if paragraph:
            license_text = _license_paragraph(license_text, paragraph)
        return Contents(version, license_text, _texts(files, data_folder))

    return Package("Debian", name, (data_folder, doc_folder), open_files)


def _license_paragraph(text: str, paragraph: str) -> str:
    """Return the text of a license in a machine-readable copyright file; the whole file if it has no such paragraph.

    Its lines start with a blank, and empty lines are ` .`.
    """
    _, heading, rest = text.partition(f"\nLicense: {paragraph}\n")
    if not heading:
        return text
    lines = rest.partition("\n\n")[0].splitlines()
    return "".join(f"{line[1:].removeprefix('.')}\n" for line in lines)


def npm(name: str) -> Package:
    """Describe an npm package, installed in a folder."""

    def open_files(files: Files) -> Contents:
        licenses = sorted(path for path in files if path.rpartition("/")[2].partition(".")[0].lower() == "license")
        if not licenses:
            raise ListError(f"{name} has no license; npm install the package {name} again.")
        try:
            version = str(json.loads(_file(files, f"{name}/package.json"))["version"])
        except (ValueError, LookupError, TypeError) as error:
            raise ListError(f"{name}/package.json is damaged: {error}") from error
        return Contents(version, _text(files, licenses[0], "strict"), _texts(files, name))

    return Package("npm", name, (name,), open_files)


def project_folder(name: str) -> Package:
    """Describe a list of this project, in a folder beside this module: `words.txt`, whose first line is `# version`."""

    def open_files(files: Files) -> Contents:
        texts = _texts(files, name)
        first_line = texts.get("words.txt", "").partition("\n")[0]
        mark, _, version = first_line.rpartition(" ")
        if mark != "# version":
            raise ListError(f"{name}/words.txt does not begin with a line `# version DATE`.")
        return Contents(version, _text(files, f"{name}/LICENSE", "strict"), texts)

    return Package("project", name, (name,), open_files)


def _file(files: Files, path: str) -> bytes:
    if path not in files:
        raise ListError(f"There is no {path}: install the package, or name the folder where it is.")
    return files[path]


def _text(files: Files, path: str, errors: str) -> str:
    """Return the text of a file with the line ends of Unix; `errors` is as in `bytes.decode`."""
    try:
        text = _file(files, path).decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise ListError(f"{path} is not UTF-8 text: {error}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _texts(files: Files, folder: str) -> dict[str, str]:
    """Return the texts of the files of a folder, by name."""
    texts = {}
    for path in files:
        folder_of_file, _, name = path.rpartition("/")
        if folder_of_file == folder:
            texts[name] = _text(files, path, "replace")
    return texts


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a list of the lexicon: its title, license and home, its package, and the function that makes one
    table of playable words from the package's data files and counts what it left out."""

    title: str
    license: str
    home: str
    package: Package
    parse: Callable[[Mapping[str, str]], tuple[pd.DataFrame, RejectedLines]]
