"""The documents: their length and links, and whether their commands and terminal sessions are real."""

import csv
import json
import re
import shlex
from collections import Counter

import pytest
import typer.main
from conftest import PROJECT

from pipeline import cli
from pipeline.commands import app
from pipeline.opinions import flag

DOCUMENTS = sorted([PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").glob("*.md")])


def test_the_readme_can_be_read_in_five_minutes():
    assert len((PROJECT / "README.md").read_text().split()) <= 1_500


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_in_the_project_leads_to_a_file(path):
    for target in re.findall(r"\]\(([^)#\s]+)|(?:src|srcset)=\"([^\"]+)\"", path.read_text()):
        named = target[0] or target[1]
        if not named.startswith(("http:", "https:")):
            assert (path.parent / named).exists(), f"{path.name}: {named}"


def told() -> list[tuple[str, str]]:
    """Every command line of `bee` in the blocks of the documents."""
    found = []
    for path in DOCUMENTS:
        for block in re.findall(r"^```(?:sh)?\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if match := re.match(r"(?:\$ )?(bee [^#>|]*)", line):
                    found.append((path.name, match[1].strip()))
    return found


@pytest.mark.parametrize(("document", "line"), told(), ids=lambda each: each.replace("/", "|"))
def test_every_command_in_the_documents_exists_with_its_options(document, line):
    cli.load()
    _, name, *arguments = shlex.split(line)
    if name.startswith("-"):
        return
    commands = typer.main.get_command(app).commands
    assert name in commands, f"{document}: {line}"
    commands[name].make_context(name, arguments)


def test_the_commands_of_the_documents_are_found():
    assert len(told()) > 50


def test_the_told_session_is_what_solving_prints(bee):
    shown = bee("solve", "vctaoen", "--hints").out
    readme = (PROJECT / "README.md").read_text()
    assert f"```text\n{shown}```" in readme


def test_the_readme_names_every_flag_of_the_catalogue_and_no_other():
    text = (PROJECT / "README.md").read_text().partition("`bee flag --list` explains them: ")[2].partition("\n\n")[0]
    assert re.findall("`([a-z-]+)`", text) == [each.id for each in flag.FLAGS]


def rows() -> list[dict[str, str]]:
    with (PROJECT / "data/custom/words.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_what_the_documents_say_of_words_with_s_is_what_the_release_has():
    likely = [row["word"] for row in rows() if row["tier"] == "likely"]
    share = sum("s" in word or {"e", "r"} <= set(word) for word in likely) / len(likely)
    for name in ("README.md", "docs/CONSUMERS.md"):
        assert f"Of the `likely` words, {share:.0%}" in (PROJECT / name).read_text()


def test_tiers_are_counted_alike_by_the_description_and_the_table_of_the_release():
    package = json.loads((PROJECT / "data/custom/datapackage.json").read_text())
    assert package["words"] == Counter(row["tier"] for row in rows())
    listed = (PROJECT / "data/custom/wordlist.txt").read_text().split()
    assert package["words"]["core"] + package["words"]["likely"] == len(listed)
