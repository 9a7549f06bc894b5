"""The documents: their length and links, and whether their commands and terminal sessions are real."""

import ast
import csv
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import typer.main
from conftest import PROJECT

from pipeline import cli
from pipeline.commands import app
from pipeline.opinions import catalog
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import cells

DOCUMENTS = sorted([PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").glob("*.md")])


def test_the_readme_is_short_and_begins_with_what_is_published():
    readme = (PROJECT / "README.md").read_text()
    assert len(readme.split()) <= 1_300
    words = json.loads((PROJECT / "data/custom/datapackage.json").read_text())["words"]
    assert f"A curated list of {words['core'] + words['likely']:,} words" in readme
    board = {row["list"]: row for row in csv.DictReader((PROJECT / "docs/leaderboard.csv").read_text().splitlines())}
    ours, public = (
        100 * float(board[name]["exact"]) for name in ("this list with guesses", "public list of 2024-11-24")
    )
    assert f"exactly the right words {ours:.0f}% of the time, the best public list {public:.0f}%" in " ".join(
        readme.split()
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_in_the_project_leads_to_a_file(path):
    for target in re.findall(r"\]\(([^)#\s]+)|(?:src|srcset)=\"([^\"]+)\"", path.read_text()):
        named = target[0] or target[1]
        if not named.startswith(("http:", "https:")):
            assert (path.parent / named).exists(), f"{path.name}: {named}"


EXTENDING = re.sub(r"\s+", " ", (PROJECT / "docs/EXTENDING.md").read_text())
PLACES = sorted(set(re.findall(r"`(\w+)` in `([\w/]+\.py)`", EXTENDING)))
FILES = sorted(set(re.findall(r"`((?:pipeline|tests|docs|data|benchmarks)/[\w/.]*\w/?)`", EXTENDING)))


@pytest.mark.parametrize(("name", "file"), PLACES)
def test_every_place_that_a_recipe_names_is_there(name, file):
    tree = ast.parse((PROJECT / file).read_text())
    made = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            made |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    assert name in made


def test_the_recipes_name_places_files_and_targets_that_exist():
    assert len(PLACES) > 25
    assert [file for file in FILES if not (PROJECT / file.replace("NAME", "lines")).exists()] == []
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make (\w+)`", EXTENDING)) <= targets


NEW_FLAG = """
    Flag(
        "twelve", "note", "twelve letters", "The word has twelve letters.",
        lambda frame: frame["word"].str.len() == 12, _same("twelve letters"),
    ),
)  # fmt: skip
\"\"\"All flags."""


def test_a_flag_that_is_added_as_the_recipe_says_marks_words(tmp_path, ran):
    package = Path(shutil.copytree(PROJECT / "pipeline", tmp_path / "pipeline"))
    catalog_file = package / "opinions/catalog.py"
    before, end, after = catalog_file.read_text().rpartition('\n)  # fmt: skip\n"""All flags.')
    assert end
    catalog_file.write_text(before + NEW_FLAG + after)
    settings = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def bee(*arguments: str) -> str:
        command = [sys.executable, "-m", "pipeline", *arguments]
        return subprocess.run(command, env=settings, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    assert "The word has twelve letters." in bee("flag", "--list")
    bee("flag", "--data", str(ran))
    flags = registry.load(Workspace(ran), "flags")
    marked = set(flags["word"][flags["flag"] == "twelve"])
    assert marked
    assert {len(word) for word in marked} == {12}


def told() -> list[tuple[str, str]]:
    """Every command line of `bee` in the blocks of the documents."""
    found = []
    for path in DOCUMENTS:
        for block in re.findall(r"^```(?:sh)?\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if match := re.match(r"(?:\$ )?(bee [^#>|]*)", line):
                    found.append((path.name, match[1].strip()))
    return found


@functools.cache
def every_command() -> dict[str, object]:
    return typer.main.get_command(app).commands


@pytest.mark.parametrize(("document", "line"), told(), ids=lambda each: each.replace("/", "|"))
def test_every_command_in_the_documents_exists_with_its_options(document, line):
    cli.load()
    _, name, *arguments = shlex.split(line)
    if name.startswith("-"):
        return
    commands = every_command()
    assert name in commands, f"{document}: {line}"
    commands[name].make_context(name, arguments)


def test_the_commands_of_the_documents_are_found():
    assert len(told()) > 50


def test_the_told_session_is_what_solving_prints(bee):
    shown = bee("solve", "vctaoen", "--hints").out
    assert f"```text\n{shown}```" in (PROJECT / "docs/FAQ.md").read_text()


def test_the_readme_names_every_flag_of_the_catalogue_and_no_other():
    text = (PROJECT / "README.md").read_text().partition("`bee flag --list` explains them: ")[2].partition("\n\n")[0]
    assert re.findall("`([a-z-]+)`", text) == [each.id for each in catalog.FLAGS]


def rows() -> list[dict[str, str]]:
    with (PROJECT / "data/custom/words.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_what_the_documents_say_of_words_with_s_is_what_the_release_has():
    likely = [row["word"] for row in rows() if row["tier"] == "likely"]
    share = sum("s" in word or {"e", "r"} <= set(word) for word in likely) / len(likely)
    listed = (PROJECT / "data/custom/wordlist.txt").read_text().split()
    in_play = sum("s" not in word and not {"e", "r"} <= set(word) for word in listed) / len(listed)
    text = (PROJECT / "docs/CONSUMERS.md").read_text()
    assert f"Of the `likely` words, {share:.0%}" in text
    assert f"The list in play has {in_play:.0%} of its words" in text


LAW = re.compile(
    r"official puzzles? (can|cannot|could|never|nearly never) have\b|(for|solvers? of) the official game", re.IGNORECASE
)
"""A phrase that makes a law of the letters of official puzzles, or has another list for these puzzles."""


@pytest.mark.parametrize(
    ("sentence", "is_a_law"),
    [
        ("Official puzzles never have S.", True),
        ("These are the words that an official puzzle can have.", True),
        ("Official puzzles nearly never have some letters.", True),
        ("Take this file for the official game.", True),
        ("Official puzzles rarely have S, or both E and R.", False),
        ("Of 3 official puzzles on record, none had S.", False),
    ],
)
def test_a_law_about_the_letters_of_official_puzzles_is_recognized(sentence, is_a_law):
    assert bool(LAW.search(sentence)) is is_a_law


def test_no_text_says_that_official_puzzles_can_or_never_have_some_letters():
    shown = [*DOCUMENTS, PROJECT / "CHANGELOG.md"]
    for folder in ("pipeline", "packages", "notebooks", ".github"):
        for pattern in ("*.py", "*.md", "*.html", "*.js", "*.ts", "*.yml", "*.json"):
            shown += (PROJECT / folder).rglob(pattern)
    assert len(shown) > 100
    told_as_a_law = {str(path.relative_to(PROJECT)): LAW.search(" ".join(path.read_text().split())) for path in shown}
    assert {path: found[0] for path, found in told_as_a_law.items() if found} == {}


def test_tiers_are_counted_alike_by_the_description_and_the_table_of_the_release():
    package = json.loads((PROJECT / "data/custom/datapackage.json").read_text())
    assert package["words"] == Counter(row["tier"] for row in rows())
    listed = (PROJECT / "data/custom/wordlist.txt").read_text().split()
    assert package["words"]["core"] + package["words"]["likely"] == len(listed)


def test_the_sums_of_the_track_record_are_those_of_the_release_and_of_the_report():
    package = json.loads((PROJECT / "data/custom/datapackage.json").read_text())
    told = package["made_with"]["track.csv"]
    rows = cells.rows((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv")
    for name in ("exact", "missing", "extra"):
        assert told[name] == sum(int(row[name]) for row in rows)
    expected = sum(float(row["expected"]) for row in rows)
    report = (PROJECT / "docs/ACCURACY.md").read_text()
    assert f"| all days | {told['days']} | {expected:.0f} | {told['exact']} |" in report
