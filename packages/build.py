"""Builds both packages: copies the source of each, writes the data of a release next to it, and packs the folder.

The same release gives the same bytes.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import reader
from pipeline.errors import BeeError
from pipeline.play import about, glosses
from pipeline.publishing import release_files
from pipeline.words import LISTED, NOT_FOR_FAMILIES, UNSAFE_FLAGS

HERE = Path(__file__).parent
GAME = HERE.parent / "pipeline/site/page/game.js"
"""The game of the web page, which the npm package carries."""
NEEDED = (reader.PACKAGE, reader.LICENSES, "wordlist.txt", "words.csv")
"""The files of a release that the packages need."""
PACKED_AT = 499162500
"""The time of all files in the npm package: 1985-10-26 08:15 UTC, as in every tarball that npm makes."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What the packages contain: the version of a release, its list, an entry for each word, and its licenses."""

    version: str
    wordlist: bytes
    entries: list[dict[str, Any]]
    licenses: bytes


def read(folder: Path) -> Contents:
    """Read the release in a folder; raise BeeError if it is damaged or incomplete."""
    release = reader.read(folder, *NEEDED)
    release_files.verify(release)
    rows = reader.rows(release.files["words.csv"], "words.csv")
    definitions = glosses.load(folder, {row["word"] for row in rows})
    entries = [_entry(row, definitions.get(row["word"])) for row in rows]
    return Contents(release.version, release.files["wordlist.txt"], entries, release.files[reader.LICENSES])


def semver(version: str) -> str:
    """Return the npm version of a release, which has three parts without leading zeros.

    >>> semver("2026.07.24.4"), semver("2025.12.31.10")
    ('2026.724.4', '2025.1231.10')
    """
    year, month, day, build = map(int, version.split("."))
    return f"{year}.{100 * month + day}.{build}"


def _entry(row: Mapping[str, str], definition: glosses.Definition | None) -> dict[str, Any]:
    """Return the entry of a word, without what is not known about it."""
    entry: dict[str, Any] = {"word": row["word"], "tier": row["tier"], "p": float(row["p"])}
    entry |= {name: cell for name, cell in about.record_of(row).items() if cell != ""}
    if row["flags"]:
        entry["flags"] = row["flags"].split()
    entry["because"] = row["because"]
    if definition:
        entry["definition"] = glosses.line(definition)
    return entry


def _packed_entries(contents: Contents) -> bytes:
    """Return `words.jsonl.gz`: one entry per line, A to Z."""
    lines = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in contents.entries]
    return gzip.compress("\n".join(lines).encode(), mtime=0)


def build(contents: Contents) -> dict[str, bytes]:
    """Return the wheel, the sdist and the npm tarball, file name to bytes."""
    licenses = {"LICENSE": (HERE.parent / "LICENSE").read_bytes(), reader.LICENSES: contents.licenses}
    entries = _packed_entries(contents)
    python_data = {
        "bee_wordlist/version.txt": f"{contents.version}\n".encode(),
        "bee_wordlist/wordlist.txt": contents.wordlist,
        "bee_wordlist/words.jsonl.gz": entries,
    }
    npm_data = {"game.js": GAME.read_bytes(), "data.js": _data_module(contents), "words.jsonl.gz": entries}
    with tempfile.TemporaryDirectory() as folder:
        python_folder, npm_folder = Path(folder, "python"), Path(folder, "npm")
        _copy(HERE / "python", python_folder, licenses | python_data)
        _copy(HERE / "npm", npm_folder, licenses | npm_data)
        return _build_python(python_folder) | _build_npm(npm_folder, semver(contents.version))


def _copy(source: Path, folder: Path, files: Mapping[str, bytes]) -> None:
    """Copy a folder of sources, and write more files into the copy."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _build_python(folder: Path) -> dict[str, bytes]:
    """Let hatchling build the wheel and the sdist of a folder."""
    command = [sys.executable, "-m", "hatchling", "build"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        reason = result.stderr.strip().rpartition("\n")[2]
        raise BeeError(f"hatchling did not build the Python package ({reason}); `make packages` installs it first.")
    return {path.name: path.read_bytes() for path in sorted((folder / "dist").iterdir())}


def _build_npm(folder: Path, version: str) -> dict[str, bytes]:
    """Pack a folder into a tarball as `npm pack` does, but always with the same bytes."""
    description = json.loads((folder / "package.json").read_text()) | {"version": version}
    (folder / "package.json").write_text(json.dumps(description, indent=2) + "\n")
    tar_bytes = io.BytesIO()
    with tarfile.open(fileobj=tar_bytes, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(folder.iterdir()):
            entry = tarfile.TarInfo(f"package/{path.name}")
            entry.size, entry.mtime, entry.mode = path.stat().st_size, PACKED_AT, 0o644
            tar.addfile(entry, io.BytesIO(path.read_bytes()))
    return {f"bee-wordlist-{version}.tgz": gzip.compress(tar_bytes.getvalue(), mtime=0)}


def _data_module(contents: Contents) -> bytes:
    """Return `data.js`: the version, the words of the tiers, and the listed words that the milder lists leave out."""
    words: dict[str, list[str]] = {"core": [], "likely": [], "review": [], "unsafe": [], "notForFamilies": []}
    for entry in contents.entries:
        word, tier, flags = entry["word"], entry["tier"], entry.get("flags", [])
        if tier in words:
            words[tier].append(word)
        if tier in LISTED and not set(UNSAFE_FLAGS).isdisjoint(flags):
            words["unsafe"].append(word)
        if tier in LISTED and not set(NOT_FOR_FAMILIES).isdisjoint(flags):
            words["notForFamilies"].append(word)
    constants = {"version": contents.version, **words}
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in constants.items()).encode()
