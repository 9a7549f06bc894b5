"""Builds the Python package `bee_wordlist`: makes the files of its project, from which hatchling builds a wheel and an
sdist."""

from __future__ import annotations

import bz2
import csv
import io
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from packages.contents import DATES, DESCRIPTION, Contents
from pipeline.errors import BeeError

PROJECT = Path(__file__).parent.parent
MODULES = "errors words solver reader play/__init__ play/difficulty play/hints play/reply".split()
COPIED = (*(f"{name}.py" for name in MODULES), "py.typed")
"""The modules of `pipeline/` that are copied to the package."""
OWN = ("__init__.py", "__main__.py", "lookup.py")
INSTALL_AGAIN = '"Install bee-wordlist again."'
REWRITTEN = {
    "from pipeline": "from bee_wordlist",
    "import pipeline": "import bee_wordlist",
    "from packages.bee_wordlist": "from bee_wordlist",
    "from packages import bee_wordlist": "import bee_wordlist",
    'VERSION = "checkout"': 'VERSION = "{version}"',
    '"Take all files from one release."': INSTALL_AGAIN,
}
"""The texts that are replaced in the package: imports, its version, and how to repair it."""
COLUMNS = ("word", "tier", "p", "offered", "accepted", "flags", "kind", "because", *DATES)
"""The columns of the packed table."""
LEVEL = 9
"""The level of compression. Of the formats in the standard library, bz2 at level 9 makes the smallest table: 0.80 MB in
0.9 s. xz makes 0.87 MB in 3.3 s or 0.80 MB in 12 s, and zlib makes 1.2 MB. Decompression takes 0.2 s, happens once, and
only if `wordlist.txt` is not enough."""

PYPROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "bee-wordlist"
version = "{version}"
description = "{description}"
readme = "README.md"
requires-python = ">=3.11"
license = "{license}"
license-files = ["LICENSE", "LICENSES.txt"]
keywords = ["spelling-bee", "word-list", "solver"]
classifiers = [
    "Programming Language :: Python :: 3",
    "Topic :: Games/Entertainment :: Puzzle Games",
    "Topic :: Text Processing :: Linguistic",
    "Typing :: Typed",
]

[tool.hatch.build]
ignore-vcs = true
"""


def files(contents: Contents) -> dict[str, bytes]:
    """Return the files of the package's project, path to bytes."""
    values = {"version": contents.version, "license": contents.license, "description": DESCRIPTION}
    own_folder = PROJECT / "packages/bee_wordlist"
    sources = {name: PROJECT / "pipeline" / name for name in COPIED} | {name: own_folder / name for name in OWN}
    return {
        "pyproject.toml": PYPROJECT.format_map(values).encode(),
        "README.md": (own_folder / "README.md").read_text().replace("{version}", contents.version).encode(),
        "LICENSE": (PROJECT / "LICENSE").read_bytes(),
        "LICENSES.txt": contents.licenses,
        **{f"bee_wordlist/{name}": _rewritten(path.read_text(), values) for name, path in sources.items()},
        "bee_wordlist/wordlist.txt": _by_first_letter(contents.listed),
        "bee_wordlist/words.csv.bz2": bz2.compress(table(contents.rows), LEVEL),
    }


def _rewritten(source: str, values: Mapping[str, str]) -> bytes:
    for old, new in REWRITTEN.items():
        source = source.replace(old, new.format_map(values))
    return source.encode()


def _by_first_letter(words: Iterable[str]) -> bytes:
    """Return the list with one line per first letter, so that a puzzle reads only the lines of its letters."""
    lines = [" ".join(group) for _, group in itertools.groupby(words, key=lambda word: word[0])]
    return "".join(f"{line}\n" for line in lines).encode()


def table(rows: Iterable[Mapping[str, str]]) -> bytes:
    """Return the table before compression."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([row[name] for name in COLUMNS])
    return text.getvalue().encode()


def build(contents: Contents) -> dict[str, bytes]:
    """Return the wheel and the sdist, file name to bytes. The same release gives the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files(contents).items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        command = [sys.executable, "-m", "hatchling", "build"]
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if result.returncode:
            reason = result.stderr.strip().rpartition("\n")[2]
            raise BeeError(f"hatchling did not build the Python package ({reason}); `make packages` installs it first.")
        return {path.name: path.read_bytes() for path in sorted(Path(folder, "dist").iterdir())}
