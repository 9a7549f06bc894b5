"""The shape of the code and of the documents, so that nobody has to remember it."""

import ast
import re
import subprocess
from pathlib import Path

import pytest
import typer.main
from conftest import PROJECT

from pipeline import cli

PACKAGE = PROJECT / "pipeline"
ORDER = [
    *("words", "solver", "algorithms", "hints", "puzzles", "bench", "capture", "sources", "frames"),
    *(
        "lists",
        "lexicon",
        "merge",
        "evidence",
        "flag",
        "relatives",
        "features",
        "estimate",
        "decide",
        "diff",
        "rules",
        "check",
        "publish",
    ),
    *("backtest", "report", "why", "worth", "sheet", "formats", "export", "site"),
    *("families", "history", "show"),
    *("store", "evidence_file", "download", "web", "receipts", "fetch", "wanted"),
    *("backfill", "audit", "lexicon_files", "release_files", "stages", "verdicts"),
    *("__init__", "commands", "cli", "__main__"),
]
"""A module imports only modules that stand before it: glossary, values, pure stages, disk, commands."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The modules of this package that a module imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "pipeline":
            parts = node.module.split(".")
            found |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
    return found & set(ORDER)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path):
    name = path.stem if path.parent == PACKAGE else path.parent.name
    assert name in ORDER, f"give {name} a place"
    for other in imports(path) - {name}:
        assert ORDER.index(other) < ORDER.index(name), f"{name} imports {other}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_stay_short(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 260
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = [
                part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            ]
            lines = (node.end_lineno or 0) - (body[0].lineno if body else node.lineno) + 1
            assert lines <= 50, f"{path.name}: {node.name} has {lines} lines"


@pytest.mark.parametrize(
    "path", [path for path in modules() if path.parent.name == "sources"], ids=lambda path: path.stem
)
def test_sources_touch_neither_disk_nor_network(path):
    names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    assert not names & {"open", "Path", "requests", "urllib"}


def commands() -> dict[str, list[str]]:
    """Every command with its options."""
    cli.load()
    group = typer.main.get_command(cli.app)
    return {
        name: [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
        for name, command in group.commands.items()
    }


def test_every_command_and_option_has_help_and_is_in_the_readme():
    readme = (PROJECT / "README.md").read_text()
    options_of = commands()
    group = typer.main.get_command(cli.app)
    for name, options in options_of.items():
        assert group.commands[name].help
        assert f"`bee {name}" in readme, name
        told = " ".join(line for line in readme.splitlines() if f"`bee {name}" in line or line.startswith("`--data"))
        for option in options:
            if option != "--help":
                assert option in told, f"bee {name} {option}"
        for parameter in group.commands[name].params:
            assert parameter.opts == ["--help"] or getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_every_command_is_found_by_its_module():
    told = {name: module for module, names in cli.COMMANDS.items() for name in names.split()}
    cli.load()
    made = {
        command.name or command.callback.__name__: command.callback.__module__
        for command in cli.app.registered_commands
    }
    assert {name: f"pipeline.commands.{module}" for name, module in told.items()} == made


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    return [PROJECT / name for name in listed.stdout.split() if (PROJECT / name).is_file()]


def test_no_dated_answers_but_the_two_weeks_are_in_the_project():
    for path in tracked():
        if path.suffix in (".gz", ".png") or "tests" in path.parts:
            continue
        dated = re.findall(r"^(20\d\d-?\d\d-?\d\d)[ ,].*\b[a-z]{4,}$", path.read_text("utf-8", "replace"), re.MULTILINE)
        assert not dated or path.parent.name == "sample", path
    sample = (PROJECT / "data/raw/sample/two-weeks.csv").read_text()
    assert len(set(re.findall(r"^\d{4}-\d\d-\d\d", sample, re.MULTILINE))) == 14


def test_the_readme_says_whose_game_it_is_not():
    assert "ot affiliated with The New York Times" in (PROJECT / "README.md").read_text()
