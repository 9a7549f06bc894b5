"""The structure of the code and of the documents, enforced by tests."""

import ast
import json
import re
import runpy
import subprocess
from pathlib import Path

import pytest
import typer.main
from conftest import PROJECT

from pipeline import cli
from pipeline.commands import app
from pipeline.facts import lists
from pipeline.run import flow
from pipeline.run.stages import BY_NAME, STAGES

PACKAGE = PROJECT / "pipeline"
GROUND = ("words", "violations", "progress", "reader", "solver", "cells", "columns", "frames", "store")
"""The ground modules, each importing only those before it."""
PURE = GROUND[:-1]
"""The ground without the disk."""
MAY_IMPORT = {
    "sources": ("words", "violations"),
    "facts": (*PURE, "sources"),
    "fetching": (*GROUND, "sources", "facts"),
    "opinions": (*PURE, "facts"),
    "play": ("words", "solver", "reader"),
    "review": (*PURE, "facts", "opinions", "play"),
    "publishing": (*PURE, "facts", "opinions", "play"),
    "measure": (*PURE, "facts", "opinions"),
}
"""The modules that each folder may import besides itself; all others (stages, commands, cli) may import everything."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    """The rooms of this package that a module imports, also inside functions: wings, modules of the ground, others."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("pipeline.")}
    return found


def room(path: Path) -> str:
    return path.stem if path.parent == PACKAGE else path.parent.name


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_wing_imports_only_what_the_table_allows(path):
    name = room(path)
    rooms = {"solver", *MAY_IMPORT} | {each.stem for each in PACKAGE.glob("*.py")} | {"commands"}
    found = (imports(path) & rooms) - {name}
    if name in GROUND:
        assert found <= set(GROUND[: GROUND.index(name)])
    elif name in MAY_IMPORT:
        assert found <= set(MAY_IMPORT[name])
    else:
        wiring = (
            "commands",
            "stages",
            "counts",
            "runner",
            "registry",
            "quick",
            "flow",
            "desk",
            "panel",
            "cli",
            "__main__",
            "__init__",
        )
        assert name in wiring


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_stay_short(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 250
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            body = [
                part for part in node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            ]
            lines = (node.end_lineno or 0) - (body[0].lineno if body else node.lineno) + 1
            assert lines <= 40, f"{path.name}: {node.name} has {lines} lines"


@pytest.mark.parametrize(
    "path", [path for path in modules() if path.parent.name == "sources"], ids=lambda path: path.stem
)
def test_sources_touch_neither_disk_nor_network(path):
    names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
    assert not names & {"open", "Path", "requests", "urllib"}


def commands() -> dict[str, list[str]]:
    """Every command with its options."""
    cli.load()
    group = typer.main.get_command(app)
    return {
        name: [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
        for name, command in group.commands.items()
    }


def test_every_command_and_option_has_help_and_is_in_the_reference():
    reference = (PROJECT / "docs/CLI.md").read_text()
    sections = dict(re.findall(r"^### `bee (\w+)`\n(.*?)(?=^##|\Z)", reference, re.MULTILINE | re.DOTALL))
    options_of = commands()
    group = typer.main.get_command(app)
    assert sections.keys() == options_of.keys()
    for name, options in options_of.items():
        assert group.commands[name].help
        for option in set(options) - {"--help", "--data", "--wait"}:
            assert re.search(rf"`[^`\n]*{option}[^`\n]*` \|", sections[name]), f"bee {name} {option}"
        for parameter in group.commands[name].params:
            assert "--help" in parameter.opts or getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_the_reference_is_what_the_commands_say():
    written = runpy.run_path(str(PROJECT / "docs/reference.py"))["page"]()
    assert (PROJECT / "docs/CLI.md").read_text() == written, "make reference writes it"


def test_every_command_is_found_by_its_module():
    told = {name: module for module, names in cli.COMMANDS.items() for name in names.split()}
    cli.load()
    made = {
        command.name or command.callback.__name__: command.callback.__module__ for command in app.registered_commands
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


def test_the_release_of_the_project_is_made_without_a_list_of_the_user():
    package = json.loads((PROJECT / "data/custom/datapackage.json").read_text())
    titles = [source["title"] for source in package["sources"]]
    known = [item.title for item in lists.LISTS]
    assert titles
    assert [title for title in titles if not any(name in title for name in known)] == []
    assert "a list of the user" not in (PROJECT / "data/custom/LICENSES.txt").read_text()


def test_the_readme_says_whose_game_it_is_not():
    assert "ot affiliated with The New York Times" in (PROJECT / "README.md").read_text()


def test_the_table_of_stages_in_the_design_is_that_of_the_stages():
    page = (PROJECT / "docs/DESIGN.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| `bee (\w+)` \| .* \| (.*) \|$", page, re.MULTILINE)
    assert [name for name, _, _ in rows] == [stage.name for stage in STAGES]
    for name, command, makes in rows:
        stage = BY_NAME[name]
        assert name in flow.COMMANDS[command]
        told = makes.partition(":")[0]
        if name in ("publish", "check"):
            assert told == stage.makes[0]
        else:
            assert set(told.split(", ")) == set(stage.makes)
