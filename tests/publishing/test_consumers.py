"""docs/CONSUMERS.md and docs/recipes: each recipe is built and run, and must find the same words as `bee solve`."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import PROJECT
from once import succeed

import pipeline
from pipeline.publishing import formats, release, verify
from pipeline.words import LISTED, REASONS, TIERS, WORD_COLUMNS

pytestmark = pytest.mark.slow

PAGE = (PROJECT / "docs/CONSUMERS.md").read_text()
FOLDER = PROJECT / "docs/recipes"
LETTERS = "vctaoen"
"""The letters that the commands of the recipes ask for."""


@dataclass(frozen=True)
class Recipe:
    """A file of the recipes, and the command in its first line, which builds and runs it."""

    name: str
    code: str
    command: str

    @property
    def commands(self) -> list[str]:
        """The commands that build it, and last the one that runs it."""
        return self.command.split(" && ")


def recipe(path: Path) -> Recipe:
    """Read a recipe. Its first line is a comment with what it does, a colon, and the command."""
    code = path.read_text()
    first, _, _ = code.partition("\n")
    return Recipe(path.name, code, first.partition(": ")[2].removesuffix('"""'))


RECIPES = {path.name: recipe(path) for path in sorted(FOLDER.iterdir())}
SOLVERS = [name for name in RECIPES if name != "verify.py"]
(EXPORTS,) = re.findall(r"They need these exports in the same folder:\n\n```sh\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory, small_release: Path) -> Path:
    """A folder with the exports that the page asks for, made by its own commands from a small release."""
    folder = tmp_path_factory.mktemp("consumers")
    with contextlib.chdir(folder):
        for command in EXPORTS.splitlines():
            bee, *arguments = shlex.split(command)
            assert bee == "bee"
            succeed(*arguments, "--release", small_release)
    return folder


@pytest.fixture(scope="module")
def puzzles(sample_days) -> dict[str, list[str]]:
    """Every third puzzle of the sample: letters with what we find, A to Z."""
    found = {day.puzzle.letters: sorted(pipeline.solve(day.puzzle)) for day in sample_days[::3]}
    assert len(found) == 5
    assert all(len(words) > 10 for words in found.values())
    return found


def test_the_recipes_use_the_whole_list(kitchen, released):
    listed = [row["word"] for row in released if row["tier"] in LISTED]
    assert (kitchen / "words.txt").read_text().split() == listed


def sh(script: str, folder: Path) -> str:
    """Run commands of the page in a folder, without our package in reach; each must end well and say nothing else."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"PATH": path}
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), script
    return done.stdout


def need_tools(recipe: Recipe) -> None:
    """Skip when a program that the commands start is not on this machine."""
    started = [command.split()[0] for command in recipe.commands if not command.startswith("./")]
    if recipe.name == "hunspell.sh":
        started.append("hunspell")
    packages = {"go": "golang-go", "rustc": "rustc"}
    for name in started:
        if not shutil.which(name):
            command = f"apt-get install {packages[name]}" if name in packages else "make tools"
            pytest.skip(f"needs {name}: {command}")


def built(name: str, kitchen: Path) -> str:
    """Build a recipe in a folder, and return the command that runs it."""
    recipe = RECIPES[name]
    need_tools(recipe)
    (kitchen / name).write_text(recipe.code)
    *build, command = recipe.commands
    sh("\n".join(build), kitchen)
    return command


@pytest.mark.parametrize("name", SOLVERS)
def test_each_recipe_finds_what_we_find(name, kitchen, puzzles):
    command = built(name, kitchen)
    assert LETTERS in command.lower()
    asked = [command.replace(LETTERS, letters).replace(LETTERS.upper(), letters.upper()) for letters in puzzles]
    answers = sh("\necho ---\n".join(asked), kitchen).lower().split("---\n")
    found = [sorted(lines.splitlines()) for lines in answers]
    assert found == list(puzzles.values())


@pytest.mark.parametrize("name", ["solve.sql", "subsets.sql"])
def test_the_sql_recipes_give_the_list_also_from_a_database_with_more_words(name, small_release, tmp_path, puzzles):
    every_tier = ("--tier", "core,likely,review,refused")
    succeed("export", "--format", "sqlite", *every_tier, "-o", tmp_path / "all.db", "--release", small_release)
    with contextlib.closing(sqlite3.connect(tmp_path / "all.db")) as base:
        for letters, expected in puzzles.items():
            found = base.execute(RECIPES[name].code, {"letters": letters}).fetchall()
            assert sorted(word for (word,) in found) == expected


@pytest.mark.parametrize("name", ["solve.c", "header.c", "filter.cpp"])
def test_a_mask_takes_capitals_and_passes_over_what_is_no_letter(name, kitchen, puzzles):
    """Also lines that end as on Windows; a shift by a wrong number of bits is caught by the compiler's own checks."""
    recipe = RECIPES[name]
    need_tools(recipe)
    (kitchen / name).write_text(recipe.code)
    *build, command = recipe.commands
    sh("\n".join(build).replace(" -O2 ", " -fsanitize=undefined -fno-sanitize-recover "), kitchen)
    odd = "".join(f"{word.upper()}\r\n" for words in puzzles.values() for word in words)
    (kitchen / "odd.txt").write_text(odd.replace("\r", "") if name == "filter.cpp" else odd + "caf\u00e9\nv'v\n[[[[\n")
    for letters, expected in puzzles.items():
        asked = command.replace(LETTERS, letters.upper()).replace("words.txt", "odd.txt")
        found = sorted(set(sh(asked, kitchen).lower().split()))
        assert found == expected


def test_the_checksum_recipe_tells_a_damaged_file(tmp_path):
    shutil.copytree(PROJECT / "data/custom", tmp_path / "data/custom")
    (tmp_path / "verify.py").write_text(RECIPES["verify.py"].code)
    (command,) = RECIPES["verify.py"].commands
    told = dict(line.split(" ", 1) for line in sh(command, tmp_path).splitlines())
    assert {"wordlist.txt", "words.csv"} <= set(told)
    assert set(told.values()) == {"ok"}
    with (tmp_path / "data/custom/wordlist.txt").open("a") as file:
        file.write("x")
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "wordlist.txt is damaged\n")


WITH_A_PATH = ("verify.py", "solve.py", "masks.py", "frame.py")


@pytest.mark.parametrize("name", WITH_A_PATH)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [("", "usage: python3 {}"), ("nowhere vctaoen", "Cannot read nowhere"), (". vctaoen", "Cannot read")],
)
def test_a_recipe_in_python_ends_with_a_sentence_for_a_wrong_path(name, tmp_path, arguments, says):
    (tmp_path / name).write_text(RECIPES[name].code)
    done = subprocess.run(
        [sys.executable, name, *arguments.split()], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(says.format(name))
    assert done.stderr.count("\n") == 1


TAKE_CAPITALS = [name for name in SOLVERS if name.endswith((".py", ".mjs", ".c", ".cpp", ".go", ".rs"))]


@pytest.mark.parametrize("name", TAKE_CAPITALS)
def test_a_recipe_takes_capitals(name, kitchen, puzzles):
    command = built(name, kitchen)
    letters, expected = next(iter(puzzles.items()))
    assert sorted(sh(command.replace(LETTERS, letters.upper()), kitchen).lower().split()) == expected


def test_no_recipe_uses_our_package_or_the_network():
    for name in SOLVERS:
        assert not re.search("pipeline|http|curl|wget|bee (?:solve|why)", RECIPES[name].code), name


def test_the_page_links_every_recipe_and_no_other_file():
    assert set(re.findall(r"\]\(recipes/([^)]+)\)", PAGE)) == set(RECIPES)
    assert len(RECIPES) > 12


def test_every_format_column_and_tier_is_on_the_page():
    first_cells = re.findall(r"^\| (`[^|]*`) \|", PAGE, re.MULTILINE)
    named = {name for cell in first_cells for name in re.findall(r"`([\w-]+)`", cell)}
    assert named >= {*formats.FORMATS, *WORD_COLUMNS, *REASONS} - {"gone"}, "`gone` is only in CHANGES.md"
    assert ", ".join(f"`{tier}`" for tier in TIERS[:-1]) + f" or `{TIERS[-1]}`" in PAGE


def test_the_table_of_formats_is_that_of_the_formats():
    assert f"\n\n{formats.table()}\n" in PAGE, "CONSUMERS.md has a row for each format"


def test_no_export_has_the_name_of_a_file_of_the_release():
    for path in [PROJECT / "README.md", *(PROJECT / "docs").glob("*.md")]:
        named = re.findall(r"^bee export .*?(?:-o|>) *(\S+)", path.read_text(), re.MULTILINE)
        assert not {*named} & {*release.FILES, *verify.MADE_WITH}, path.name
