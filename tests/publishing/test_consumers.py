"""docs/CONSUMERS.md and docs/recipes: recipes find the same words as `bee solve`, and the lines of the page work."""

from __future__ import annotations

import contextlib
import csv
import itertools
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import needs
import pytest
from conftest import PROJECT, part_of_the_release, reseal
from once import succeed

import pipeline
from pipeline import reader
from pipeline.publishing import formats
from pipeline.words import LISTED, REASONS, TIERS, WORD_COLUMNS

pytestmark = pytest.mark.slow

PAGE = (PROJECT / "docs/CONSUMERS.md").read_text()
RECIPES = {path.name: path.read_text() for path in sorted((PROJECT / "docs/recipes").iterdir())}
LETTERS = "vctaoen"
"""The letters that the commands of the recipes ask for."""
TOOLS = {"solve.c": "gcc", "solve.mjs": "node", "solve.sql": "sqlite3"}
"""The program that a recipe needs besides Python and a shell."""


def blocks(language: str) -> list[str]:
    """The blocks of code on the page in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def puzzles(sample_days) -> dict[str, list[str]]:
    """Three puzzles of the sample: letters with what we find, A to Z."""
    found = {day.puzzle.letters: sorted(pipeline.solve(day.puzzle)) for day in sample_days[::5]}
    assert all(len(words) > 10 for words in found.values())
    return found


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory, puzzles: dict[str, list[str]]) -> Path:
    """A folder with the recipes, a workspace with a small release, and the exports that commands of the page make."""
    folder = tmp_path_factory.mktemp("consumers")
    (folder / "data/raw").mkdir(parents=True)
    rows = reader.rows((reader.RELEASE / "words.csv").read_bytes(), "words.csv")
    kept = {"null", "true", "false", *(row["word"] for row in rows[::50]), *itertools.chain(*puzzles.values())}
    custom = part_of_the_release(folder / "data/custom", kept)
    listed = [row["word"] for row in rows if row["word"] in kept and row["tier"] in LISTED]
    (custom / "wordlist.txt").write_text("".join(f"{word}\n" for word in listed))
    reseal(custom)
    for name, code in RECIPES.items():
        (folder / name).write_text(code)
    exports = next(block for block in blocks("sh") if "words.txt" in block)
    with contextlib.chdir(folder):
        for command in exports.splitlines():
            bee, *arguments = shlex.split(command)
            assert bee == "bee"
            succeed(*arguments)
    return folder


@pytest.fixture(scope="module")
def listed(kitchen: Path) -> list[str]:
    """The words of the list in the small release."""
    return (kitchen / "data/custom/wordlist.txt").read_text().split()


def sh(script: str, folder: Path) -> str:
    """Run commands of the page in a folder, with the `bee` of this project; each must end well."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (script, done.stderr)
    return done.stdout


@pytest.mark.parametrize("name", RECIPES)
def test_each_recipe_finds_what_we_find(name, kitchen, puzzles):
    """The first line of a recipe ends with a colon and the command."""
    if name in TOOLS:
        needs.require(TOOLS[name])
    command = RECIPES[name].partition("\n")[0].partition(": ")[2].removesuffix('"""')
    assert LETTERS in command
    for letters, expected in puzzles.items():
        assert sorted(sh(command.replace(LETTERS, letters), kitchen).split()) == expected
    if name in ("solve.c", "solve.mjs", "solve.py"):
        letters, expected = next(iter(puzzles.items()))
        assert sorted(sh(command.replace(LETTERS, letters.upper()), kitchen).split()) == expected


def test_the_sql_recipe_gives_the_list_also_from_a_database_with_more_words(kitchen, tmp_path, puzzles):
    every_tier = ("--tier", "core,likely,review,refused")
    path = tmp_path / "all.db"
    succeed("--data", kitchen / "data", "export", "--format", "sqlite", *every_tier, "-o", path)
    with contextlib.closing(sqlite3.connect(path)) as base:
        for letters, expected in puzzles.items():
            found = base.execute(RECIPES["solve.sql"], {"letters": letters}).fetchall()
            assert sorted(word for (word,) in found) == expected


def test_the_lines_for_pandas_keep_every_word(kitchen, listed, monkeypatch):
    monkeypatch.chdir(kitchen)
    names: dict[str, Any] = {}
    exports, release = blocks("python")
    exec(exports, names)
    assert {"null", "true", "false"} <= {*listed}
    assert names["words"]["word"].tolist() == names["table"]["word"].tolist() == listed
    assert names["scores"]["word"].str.lower().tolist() == listed
    exec(release, names)
    assert names["listed"]["word"].tolist() == listed


READERS: dict[str, Callable[[str], object]] = {
    "upper.txt": lambda text: text.lower().split(),
    "list.jsonl": lambda text: [json.loads(line)["word"] for line in text.splitlines()],
    "words.mjs": lambda text: json.loads(text.removeprefix("export const words = ").removesuffix(";\n")),
    "bee.h": lambda text: re.findall('^  "(.*)",$', text, re.MULTILINE),
    "bee.dic": lambda text: text.split()[1:],
    "clean.json": json.loads,
    "bee.csv": lambda text: [row["word"] for row in csv.DictReader(text.splitlines())],
}
"""How to read the words back from files that the lines of the page make from the list."""


def test_the_lines_for_what_went_make_the_same(kitchen, listed, tmp_path):
    folder = tmp_path / "kitchen"
    shutil.copytree(kitchen, folder)
    shutil.copy(folder / "words.txt", folder / "clean.txt")
    (folder / "remove.txt").write_text(f"{listed[0]}\nzzzz\n")
    (folder / "add.txt").write_text("aaaaa\nzyzzyva\n")
    shutil.make_archive(str(folder / "old"), "zip", root_dir=folder, base_dir="data/custom")
    section = PAGE.partition("## What went")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| .*? \| (`.*`) \|$", section, re.MULTILINE)
    outputs = [sh(line, folder) for row in rows for line in re.findall("`(.*?)`", row)]
    assert len(rows) == 11, "each row but those of the head and of masks has lines"
    for name, words_in in READERS.items():
        assert words_in((folder / name).read_text()) == listed, name
    assert (folder / "bee.dic").read_text().split()[0] == str(len(listed))
    assert (folder / "long.txt").read_text().split() == [word for word in listed if len(word) >= 5]
    assert (folder / "mine.txt").read_text().split() == sorted({*listed[1:], "aaaaa", "zyzzyva"})
    assert (folder / "changes.csv").read_text().count("\n") == 1
    assert outputs[-1].count(": OK\n") == (folder / "data/custom/SHA256SUMS").read_text().count("\n")


def test_every_column_kind_and_tier_is_on_the_page_and_the_table_of_formats():
    first_cells = re.findall(r"^\| (`[^|]*`) \|", PAGE, re.MULTILINE)
    named = {name for cell in first_cells for name in re.findall(r"`([\w-]+)`", cell)}
    assert named >= {*WORD_COLUMNS, *REASONS}
    assert ", ".join(f"`{tier}`" for tier in TIERS[:-1]) + f" or `{TIERS[-1]}`" in PAGE
    assert f"\n\n{formats.table()}\n" in PAGE
    assert set(re.findall(r"\]\(recipes/([^)]+)\)", PAGE)) == set(RECIPES)
