"""The documents: their length and links, and whether their commands and terminal sessions are real."""

import ast
import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
import typer.main
from conftest import PROJECT

from pipeline.cli import app, register
from pipeline.measure import backtest, score
from pipeline.opinions import catalog
from pipeline.run import registry
from pipeline.store import Workspace

register()

REPORTS = ("frozen", "accuracy", "leaderboard")
DOCUMENTS = sorted([PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *(PROJECT / "docs").glob("*.md")])
WITH_CHANGES = [*DOCUMENTS, PROJECT / "CHANGELOG.md"]


def test_the_readme_is_short_and_begins_with_what_is_published():
    readme = (PROJECT / "README.md").read_text()
    assert len(readme.split()) <= 900
    words = json.loads((PROJECT / "data/custom/datapackage.json").read_text())["words"]
    assert f"a list of {words['core'] + words['likely']:,} words" in readme
    board = {row["list"]: row for row in csv.DictReader((PROJECT / "docs/leaderboard.csv").read_text().splitlines())}
    ours, public = (
        100 * float(board[name]["exact"]) for name in ("this list with guesses", "public list of 2024-11-24")
    )
    says = f"our list was exact for {ours:.0f}% of them. The best public list was exact for {public:.0f}%"
    assert says in " ".join(readme.split())


def test_each_document_names_its_reader_first():
    for path in [path for path in DOCUMENTS if path.name != "CLI.md"]:
        _, first = path.read_text().split("\n\n", 2)[:2]
        assert first.startswith("For "), path.name


def test_the_figures_on_readers_are_those_of_their_marks():
    marks = pd.read_csv(PROJECT / "docs/readers.csv", keep_default_na=False)
    accepted = marks.groupby("words")["accepted"]
    expected = {(words, str(len(outcomes)), f"{outcomes.mean():.0%}") for words, outcomes in accepted}
    table = (PROJECT / "docs/CURATING.md").read_text().partition("## What the choices of readers are worth")[2]
    assert set(re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+%) \|", table, re.MULTILINE)) == expected


def figures_of_the_readme() -> list[tuple[str, str, str]]:
    """The rows of the table of figures: puzzles, F1, exact lists."""
    readme = (PROJECT / "README.md").read_text().partition("## Measured quality")[2]
    return re.findall(r"^\| [^|]+ \| ([\d,]+) \| (0\.\d+) \| ([\d.]+% \([^)]+\)) \|", readme, re.MULTILINE)


def figures(puzzles: str, f1: str, exact: str, low: str, high: str) -> tuple[str, str, str]:
    """A row of the README, from figures of a report."""
    share = float(exact)
    return f"{int(puzzles):,}", f"{float(f1):.4f}", f"{share:.1%} ({float(low):.1%} to {float(high):.1%})"


def test_the_figures_of_the_readme_are_those_of_the_reports():
    """`python -m docs.accuracy` and `make leaderboard` write the reports, with the figures of the named commands."""
    read = {name: list(csv.DictReader((PROJECT / f"docs/{name}.csv").read_text().splitlines())) for name in REPORTS}
    expected = []
    frozen, every = read["frozen"][0], read["accuracy"]
    exact = int(frozen["exact"])
    low, high = score.interval(exact, int(frozen["puzzles"]))
    share = exact / int(frozen["puzzles"])
    expected.append(figures(frozen["puzzles"], frozen["f1"], str(share), str(low), str(high)))
    for name in (backtest.DAILY, backtest.SCOWL[60]):
        (row,) = [row for row in every if row["list"] == name]
        puzzles = int(row["puzzles"])
        low, high = score.interval(round(float(row["exact"]) * puzzles), puzzles)
        expected.append(figures(row["puzzles"], row["f1"], row["exact"], str(low), str(high)))
    for name in (backtest.WITH_GUESSES, "public list of 2024-11-24"):
        (row,) = [row for row in read["leaderboard"] if row["list"] == name]
        expected.append(figures(row["puzzles"], row["f1"], row["exact"], row["low"], row["high"]))
    assert figures_of_the_readme() == expected


def anchors(path: Path) -> set[str]:
    """The names that links use for the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_in_the_project_leads_to_a_file_and_a_heading():
    seen = 0
    for path in (*WITH_CHANGES, PROJECT / "data/LICENSES.md"):
        links = re.findall(r"\]\(([^)\s]+)\)", path.read_text())
        links += re.findall(r"(?:src|srcset)=\"([^\"]+)\"", path.read_text())
        for link in links:
            if link.startswith(("http:", "https:")):
                continue
            name, _, heading = link.partition("#")
            target = path.parent / name if name else path
            assert target.exists(), f"{path.name}: {link}"
            assert not heading or heading in anchors(target), f"{path.name}: {link}"
            seen += 1
    assert seen > 120


EXTENDING = re.sub(r"\s+", " ", (PROJECT / "docs/EXTENDING.md").read_text())
PLACES = sorted(set(re.findall(r"`(\w+)` in `([\w/]+\.py)`", EXTENDING)))
FILES = sorted(set(re.findall(r"`((?:pipeline|tests|docs|data|benchmarks)/[\w/.]*\w/?)`", EXTENDING)))


def names_in(file: str) -> set[str]:
    """The functions, classes and values that a module makes."""
    found = set()
    for node in ast.parse((PROJECT / file).read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return found


def test_the_recipes_name_places_files_and_targets_that_exist():
    assert len(PLACES) > 25
    assert [(name, file) for name, file in PLACES if name not in names_in(file)] == []
    assert [file for file in FILES if not (PROJECT / file.replace("NAME", "lines")).exists()] == []
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make (\w+)`", EXTENDING)) <= targets


NEW_FLAG = """
    Flag(
        "twelve", "note", "twelve letters", "The word has twelve letters.",
        lambda frame: frame["word"].str.len() == 12, _fixed_detail("twelve letters"),
    ),
)  # fmt: skip
\"\"\"All flags."""


@pytest.mark.slow
def test_a_flag_that_is_added_as_the_recipe_says_marks_words(tmp_path, ran):
    package = Path(shutil.copytree(PROJECT / "pipeline", tmp_path / "pipeline"))
    before, end, after = (package / "opinions/catalog.py").read_text().rpartition('\n)  # fmt: skip\n"""All flags.')
    assert end
    (package / "opinions/catalog.py").write_text(before + NEW_FLAG + after)
    command = [sys.executable, "-m", "pipeline", "flag", "--data", str(ran)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path, check=True)
    flags = registry.load(Workspace(ran), "flags")
    marked = flags["word"][flags["flag"] == "twelve"]
    assert {len(word) for word in marked} == {12}


def text_of(path: Path) -> str:
    """A document; of the changelog only what is about the commands of today."""
    text = path.read_text().replace("\\|", "|")
    if path.name == "CHANGELOG.md":
        text = text.partition("### New for players")[2].partition("## 0.2.0")[0]
    return text


BLOCK = re.compile(r"^```(?:sh)?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands_in_blocks() -> list[tuple[str, str]]:
    """Every command line of `bee` in the blocks of the documents, with the name of the document."""
    found = []
    for path in WITH_CHANGES:
        for block in BLOCK.findall(text_of(path)):
            lines = re.findall(r"(?:^(?:\$ )?|\| )(bee [^#>|\n]*)", block, re.MULTILINE)
            found += [(path.name, line.strip()) for line in lines]
    return found


def commands_in_sentences() -> list[tuple[str, str]]:
    """Every command line of `bee` in the sentences and tables of the documents; some leave out their arguments."""
    found = []
    for path in WITH_CHANGES:
        for code in re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text_of(path), flags=re.MULTILINE | re.DOTALL)):
            lines = re.findall(r"(?:^|[|;] )(bee [^#>|;\n]*)", " ".join(code.split()))
            found += [(path.name, line.strip()) for line in lines if "…" not in line]
    return found


def test_every_command_in_the_blocks_of_the_documents_can_be_called():
    commands = typer.main.get_command(app).commands
    assert len(commands_in_blocks()) > 60
    for document, line in commands_in_blocks():
        _, name, *arguments = shlex.split(line.partition(" < ")[0])
        assert name in commands, f"{document}: {line}"
        commands[name].make_context(name, arguments)


def test_every_command_in_the_sentences_of_the_documents_exists_with_its_options():
    commands = typer.main.get_command(app).commands
    assert len(commands_in_sentences()) > 200
    for document, line in commands_in_sentences():
        _, name, *arguments = shlex.split(line)
        if not name.startswith("-"):
            assert name in commands, f"{document}: {line}"
            options = {option for parameter in commands[name].params for option in parameter.opts}
            assert {argument for argument in arguments if argument.startswith("-")} - {"-"} <= options, line


def test_the_told_session_is_what_solving_prints(bee):
    shown = bee("solve", "vctaoen", "--hints").out
    assert f"```text\n{shown}```" in (PROJECT / "docs/FAQ.md").read_text()


def test_the_guide_names_every_flag_of_the_catalogue_and_no_other():
    text = (
        (PROJECT / "docs/CONSUMERS.md")
        .read_text()
        .partition("`bee flag --list` explains the flags: ")[2]
        .partition("\n\n")[0]
    )
    assert re.findall("`([a-z-]+)`", text) == [each.id for each in catalog.FLAGS], "CONSUMERS.md names each flag"


def rows() -> list[dict[str, str]]:
    with (PROJECT / "data/custom/words.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


LAW = re.compile(
    r"official puzzles? (can|cannot|could|never|nearly never) have\b|(for|solvers? of) the official game", re.IGNORECASE
)
"""A phrase that makes a law of the letters of official puzzles, or has another list for these puzzles."""


def test_no_text_makes_a_law_of_the_letters_of_official_puzzles():
    assert LAW.search("Official puzzles never have S.")
    assert not LAW.search("Official puzzles rarely have S, or both E and R.")
    shown = [*DOCUMENTS, PROJECT / "CHANGELOG.md"]
    for folder in ("pipeline", "packages", "notebooks", ".github"):
        for suffix in ("py", "md", "html", "js", "ts", "yml", "json"):
            shown += (PROJECT / folder).rglob(f"*.{suffix}")
    assert len(shown) > 100
    assert [path.name for path in shown if LAW.search(" ".join(path.read_text().split()))] == []


def test_tiers_are_counted_alike_by_the_description_and_the_table_of_the_release():
    package = json.loads((PROJECT / "data/custom/datapackage.json").read_text())
    assert package["words"] == Counter(row["tier"] for row in rows())
    listed = (PROJECT / "data/custom/wordlist.txt").read_text().split()
    assert package["words"]["core"] + package["words"]["likely"] == len(listed)


def test_the_sums_of_the_track_record_are_those_of_the_report():
    rows = reader.rows((PROJECT / "data/custom/track.csv").read_bytes(), "track.csv")
    told = {name: sum(int(row[name]) for row in rows) for name in ("exact", "missing", "extra")} | {"days": len(rows)}
    expected = sum(float(row["expected"]) for row in rows) / told["days"]
    (reported,) = re.findall(r"^\| all days \| .*$", (PROJECT / "docs/ACCURACY.md").read_text(), re.MULTILINE)
    _, _, days, _, exact, _, share, missing, extra, _ = (cell.strip() for cell in reported.split("|"))
    assert (days, exact) == (str(told["days"]), f"{told['exact'] / told['days']:.1%}")
    assert share == f"{expected:.1%}"
    assert (missing, extra) == tuple(f"{told[name] / told['days']:.2f}" for name in ("missing", "extra"))
