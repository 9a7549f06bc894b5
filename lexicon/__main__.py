"""Builds the files of `data/raw/lexicon/`: `python -m lexicon [--root DIR] [--npm DIR] [--python DIR] [--data DIR]`.

The Debian packages scowl and wordnet-base are read from where they are installed or, with `--root`, from where they are
unpacked. The npm packages cuss and naughty-words are read from `--npm`, and the Python package lemminflect from
`--python` (`pip install --no-deps --target DIR lemminflect`). Our own list of modern words is in `lexicon/modern/`, and
corrections of forms are in `lexicon/forms/`. The opinions of our readers, `readers.csv`, are kept as they are.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from lexicon import forms, modern, profanity, scowl, wordnet
from lexicon.packages import Origin, Package
from pipeline import reader, store
from pipeline.errors import BeeError, StoreError
from pipeline.facts import by_hand
from pipeline.facts.lexicon_files import Files
from pipeline.tables import frames

ORIGIN_OF_LIST: dict[str, Origin] = {
    "scowl": scowl.ORIGIN,
    "wordnet": wordnet.ORIGIN,
    "cuss": profanity.CUSS,
    "ldnoobw": profanity.LDNOOBW,
    "modern": modern.ORIGIN,
}
"""The origin of each list of `pipeline.facts.lexicon_files`."""
PACKAGES: dict[str, Package] = {
    **{name: origin.package for name, origin in ORIGIN_OF_LIST.items()},
    "lemminflect": forms.PACKAGE,
}
"""All packages that are read."""
CORRECTIONS = Path(__file__).parent / "forms" / "corrections.csv"
"""What is corrected in the table of forms."""
CUSTOM = Path(__file__).parent.parent / "data" / "custom"
"""The last release, and the definitions that people wrote, which say what parts of speech a base has."""
READERS = "readers.csv"
"""The words that readers judged, with their opinion."""


def build(
    packages: Mapping[str, Files],
    readers: bytes,
    corrections: str,
    definitions: pd.DataFrame,
    published: Iterable[str],
) -> tuple[dict[str, bytes], pd.DataFrame]:
    """Return the files of `raw/lexicon/`, and the numbers of lines that were kept and left out: columns list, rule,
    lines.

    `packages` has the files of each package, by the name of the list or `lemminflect`. `readers` is the content of
    `READERS`, `corrections` that of `CORRECTIONS`, `definitions` is the table `custom/glosses.csv`, and `published`
    are the words of the last release, some of which only puzzles have. Raises DataError if a package is not as
    expected, or if a correction corrects nothing.
    """
    contents = {name: package.open(packages[name]) for name, package in PACKAGES.items()}
    files = {READERS: readers}
    tables, counts, sources = {}, [], []
    for name, origin in ORIGIN_OF_LIST.items():
        tables[name], rejected = origin.parse(contents[name].texts)
        files[f"{name}.csv.gz"] = _compressed(tables[name])
        files[f"licences/{name}.txt"] = contents[name].license.encode()
        for rule, lines in sorted({**rejected, "kept": len(tables[name])}.items()):
            counts.append((name, rule, lines))
        sources.append((name, origin.title, contents[name].version, origin.license, origin.home, str(origin.package)))
    of_forms = contents["lemminflect"]
    files["licences/forms.txt"] = of_forms.license.encode()
    sources.append(("forms", forms.TITLE, of_forms.version, "MIT", forms.HOME, str(forms.PACKAGE)))
    senses = wordnet.read_senses(contents["wordnet"].texts)
    words = forms.read_words(
        contents["scowl"].texts,
        senses,
        contents["wordnet"].texts,
        of_forms.texts,
        [*tables["modern"]["word"], *published],
        definitions,
    )
    times = {(word, sense.pos): sense.times for word in senses for sense in reversed(senses[word])}
    usual_part = definitions[definitions["pos"].isin(["noun", "verb"])].drop_duplicates("word").set_index("word")["pos"]
    forms_table = forms.table(forms.claims(words), forms.read_corrections(corrections), times, usual_part.to_dict())
    bases = zip(forms_table["base"], forms_table["form"].map(forms.PART_OF_SPEECH), strict=True)
    glosses = wordnet.glosses(senses, bases)
    for name, table in (("forms", forms_table), ("glosses", glosses)):
        files[f"{name}.csv.gz"] = _compressed(table)
        counts.append((name, "kept", len(table)))
    counts_table = pd.DataFrame(counts, columns=["list", "rule", "lines"])
    files["lines.csv"] = frames.csv_bytes(counts_table)
    columns = ["list", "title", "version", "licence", "home", "origin"]
    files["sources.csv"] = frames.csv_bytes(pd.DataFrame(sources, columns=columns))
    files[reader.SUMS] = reader.format_checksums({name: files[name] for name in files if name != READERS})
    return files, counts_table


def _compressed(table: pd.DataFrame) -> bytes:
    """Return a table as compressed CSV. The same table always gives the same bytes."""
    return gzip.compress(frames.csv_bytes(table), compresslevel=9, mtime=0)


def _package_files(home: Path, package: Package) -> dict[str, bytes]:
    """Return the files of a package, by path relative to the folder with the packages of its kind."""
    files = {}
    for folder in package.folders:
        if not (paths := sorted(home.glob(f"{folder}/*"))):
            raise StoreError(
                f"There is no {home / folder}: install the {package}, or give its folder (--root, --npm, --python)."
            )
        for path in filter(Path.is_file, paths):
            files[str(path.relative_to(home))] = store.read_bytes(path, "the package")
    return files


def main(arguments: list[str]) -> int:
    """Build the files, print what was kept and left out, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m lexicon", description="Build the files of data/raw/lexicon/.")
    parser.add_argument("--root", type=Path, default=Path("/"), help="where the Debian packages are unpacked")
    parser.add_argument("--npm", type=Path, default=Path("node_modules"), help="where the npm packages are installed")
    parser.add_argument(
        "--python", type=Path, default=Path(sysconfig.get_path("purelib")), help="where the Python package is installed"
    )
    parser.add_argument("--data", type=Path, help="the workspace; default ./data")
    parser.add_argument("--corrections", type=Path, default=CORRECTIONS, help="the corrections of forms")
    options = parser.parse_args(arguments)
    homes = {"Debian": options.root, "npm": options.npm, "Python": options.python, "project": Path(__file__).parent}
    try:
        workspace = store.find_workspace(options.data)
        with store.locked(workspace):
            packages = {name: _package_files(homes[package.kind], package) for name, package in PACKAGES.items()}
            readers = store.read_bytes(reader.LEXICON_FOLDER / READERS, "git checkout")
            corrections = store.read_bytes(options.corrections, "git checkout -- lexicon/forms").decode()
            written = by_hand.parse("glosses", store.read_bytes(CUSTOM / reader.GLOSSES, "git checkout"))
            definitions = frames.from_rows(written, "glosses")
            published = [
                row["word"] for row in reader.rows(reader.read(CUSTOM, "words.csv").files["words.csv"], "words")
            ]
            files, counts = build(packages, readers, corrections, definitions, published)
            for name, content in files.items():
                store.write_bytes(workspace.raw / "lexicon" / name, content)
    except BeeError as error:
        print(error, file=sys.stderr)
        return 1
    print(counts.to_string(index=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
