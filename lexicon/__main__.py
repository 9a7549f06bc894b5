"""Builds the files of `data/raw/lexicon/`: `python -m lexicon [--root DIR] [--npm DIR] [--data DIR]`.

The Debian packages scowl and wordnet-base are read from where they are installed or, with `--root`, from where they are
unpacked. The npm packages cuss and naughty-words are read from `--npm`. Our own list of modern words is in
`lexicon/modern/`. The choices of our readers, `readers.csv`, are kept as they are.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from lexicon import modern, profanity, scowl, wordnet
from lexicon.packages import Origin, Package
from pipeline import reader, store
from pipeline.errors import BeeError, StoreError
from pipeline.facts.lists import Files
from pipeline.tables import frames

ORIGIN_OF_LIST: dict[str, Origin] = {
    "scowl": scowl.ORIGIN,
    "wordnet": wordnet.ORIGIN,
    "cuss": profanity.CUSS,
    "ldnoobw": profanity.LDNOOBW,
    "modern": modern.ORIGIN,
}
"""The origin of each list of `pipeline.facts.lists`."""
READERS = "readers.csv"
"""The tried words that readers judged: what they chose, and whether the last trial accepted the word."""


def build(packages: Mapping[str, Files], readers: bytes) -> tuple[dict[str, bytes], pd.DataFrame]:
    """Return the files of `raw/lexicon/`, and the numbers of lines that were kept and left out: columns list, rule,
    lines.

    `packages` has the files of each list's package, by the name of the list. `readers` is the content of `READERS`.
    Raises DataError if a package is not as expected.
    """
    contents = {name: origin.package.open(packages[name]) for name, origin in ORIGIN_OF_LIST.items()}
    files = {READERS: readers}
    tables, counts, sources = {}, [], []
    for name, origin in ORIGIN_OF_LIST.items():
        tables[name], rejected = origin.parse(contents[name].texts)
        files[f"{name}.csv.gz"] = _compressed(tables[name])
        files[f"licences/{name}.txt"] = contents[name].license.encode()
        for rule, lines in sorted({**rejected, "kept": len(tables[name])}.items()):
            counts.append((name, rule, lines))
        sources.append((name, origin.title, contents[name].version, origin.license, origin.home, str(origin.package)))
    glosses = wordnet.glosses(contents["wordnet"].texts, tables["scowl"]["word"])
    files["glosses.csv.gz"] = _compressed(glosses)
    counts.append(("glosses", "kept", len(glosses)))
    counts_table = pd.DataFrame(counts, columns=["list", "rule", "lines"])
    files["lines.csv"] = frames.csv_bytes(counts_table)
    columns = ["list", "title", "version", "licence", "home", "origin"]
    files["sources.csv"] = frames.csv_bytes(pd.DataFrame(sources, columns=columns))
    files[reader.SUMS] = reader.format_checksums(files)
    return files, counts_table


def _compressed(table: pd.DataFrame) -> bytes:
    """Return a table as compressed CSV. The same table always gives the same bytes."""
    return gzip.compress(frames.csv_bytes(table), compresslevel=9, mtime=0)


def _package_files(home: Path, package: Package) -> dict[str, bytes]:
    """Return the files of a package, by path relative to the folder with the packages of its kind."""
    files = {}
    for folder in package.folders:
        if not (home / folder).is_dir():
            raise StoreError(
                f"There is no {home / folder}: install the {package}, or give its folder with --root or --npm."
            )
        for path in sorted((home / folder).iterdir()):
            if path.is_file():
                files[f"{folder}/{path.name}"] = store.read_bytes(path, "the package")
    return files


def main(arguments: list[str]) -> int:
    """Build the files, print what was kept and left out, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lexicon", description="Build the files of data/raw/lexicon/.")
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the Debian packages are unpacked")
    parser.add_argument("--npm", type=Path, default=Path("node_modules"), help="where the npm packages are installed")
    parser.add_argument("--data", help="the workspace; default ./data")
    options = parser.parse_args(arguments)
    homes = {"Debian": options.root, "npm": options.npm, "project": Path(__file__).parent}
    try:
        workspace = store.find_workspace(options.data)
        with store.locked(workspace):
            packages = {
                name: _package_files(homes[origin.package.kind], origin.package)
                for name, origin in ORIGIN_OF_LIST.items()
            }
            readers = store.read_bytes(reader.LEXICON_FOLDER / READERS, "git checkout")
            files, counts = build(packages, readers)
            for name, content in files.items():
                store.write_bytes(workspace.raw / "lexicon" / name, content)
    except BeeError as error:
        print(error, file=sys.stderr)
        return 1
    print(counts.to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
