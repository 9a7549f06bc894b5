"""The structure of the code and of the documents, enforced by tests."""

import ast
import csv
import functools
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from conftest import PROJECT

from pipeline.cli import app, register
from pipeline.facts import lists
from pipeline.run import runner
from pipeline.run.stages import BY_NAME, STAGES
from pipeline.tables import frames

register()

PACKAGE = PROJECT / "pipeline"
GROUND = ("errors", "words", "violations", "progress", "clock", "reader", "solver", "store")
"""The ground modules, each importing only those before it."""
BESIDE_THE_TABLE = {
    "cli": {"commands"},
    "__main__": {"cli"},
    "__init__": {"words", "solver"},
}
"""What the ends of the package import."""
DISK = {"reader", "solver", "store", "cli", "fetching", "run", "commands"}
"""The rooms that may open files; all others get bytes. `review` reads through `store`."""
NETWORK = {"http", "socket", "ssl", "urllib"}
TERMINAL = {"print", "input"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def module(path: Path) -> str:
    """The name of a module inside the package: `facts/merge`; a package is `facts`."""
    name = path.relative_to(PACKAGE).with_suffix("").as_posix()
    return name.removesuffix("/__init__")


def room(path: Path) -> str:
    return module(path).partition("/")[0]


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@functools.cache
def imports(path: Path) -> set[str]:
    """Every module that a module imports by any statement, also inside functions: `pipeline/facts/merge`, `json`."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.replace(".", "/") for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}: a relative import"
            for alias in node.names:
                name = f"{node.module}.{alias.name}".replace(".", "/")
                inside = (PROJECT / f"{name}.py").exists() or (PROJECT / name).is_dir()
                found.add(name if inside else str(node.module).replace(".", "/"))
    return found


def own_imports(path: Path) -> set[str]:
    """The modules of this package that a module imports, by name inside it."""
    return {name.removeprefix("pipeline/") for name in imports(path) if name.startswith("pipeline/")}


@pytest.mark.slow
def test_every_public_function_of_sources_and_fetching_is_used_outside_of_its_module():
    folders = ("pipeline", "tests", "benchmarks", "docs", "notebooks")
    used = {path: names_used(path) for folder in folders for path in (PROJECT / folder).rglob("*.py")}
    of_a_source = {"recognizes", "parse"}  # each module of a source names these two in its `SOURCE`
    for wing in ("sources", "fetching"):
        for path in (PACKAGE / wing).glob("*.py"):
            functions = {node.name for node in tree_of(path).body if isinstance(node, ast.FunctionDef)} - of_a_source
            public_functions = {name for name in functions if not name.startswith("_")}
            elsewhere = set().union(*(names for file, names in used.items() if file != path))
            assert public_functions - elsewhere == set(), path


def names_used(path: Path) -> set[str]:
    """The names that a module imports, or takes from a module or a value."""
    nodes = list(ast.walk(tree_of(path)))
    imported = [alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)} | set(imported)


EVERY = pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))


def table_of_the_design() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The folders that each folder may import, and the outside packages, by the table in DESIGN.md."""
    page = (PROJECT / "docs/DESIGN.md").read_text().partition("## Folders and imports")[2].partition("## Tables")[0]
    rows = re.findall(r"^\| `(\w+)/?` \| ([\w, ]*) \| ([\w, ]*)", page, re.MULTILINE)
    own = {name: set(allowed.split(", ")) - {name} for name, allowed, _ in rows}
    outside = {name: set(re.findall(r"\w+", packages)) - {"none", "only"} for name, _, packages in rows}
    return own, outside


def test_each_folder_imports_what_the_table_of_the_design_says_and_nothing_else():
    own: dict[str, set[str]] = {}
    outside: dict[str, set[str]] = {}
    for path in modules():
        own.setdefault(room(path), set()).update({name.partition("/")[0] for name in own_imports(path)} - {room(path)})
        packages = {name.partition("/")[0] for name in imports(path)} - set(sys.stdlib_module_names) - {"pipeline"}
        outside.setdefault(room(path), set()).update(packages)
    for at, name in enumerate(GROUND):
        assert own.pop(name) <= set(GROUND[:at]), name
        assert outside.pop(name) == ({"filelock"} if name == "store" else set()), name
    table, packages = table_of_the_design()
    own = {name: folders - {"errors"} for name, folders in own.items()}  # everything may raise errors
    assert own == table | BESIDE_THE_TABLE
    assert outside == packages | {name: set() for name in BESIDE_THE_TABLE}


def test_of_the_games_only_own_puzzles_need_tables():
    users = {module(path) for path in modules() if room(path) == "play" and imports(path) & {"numpy", "pandas"}}
    assert users == {"play/puzzles"}


def public(wing: str) -> set[str]:
    """The modules of a wing that its `__all__` names."""
    named = re.search(r'^__all__ = \(?\s*"+([^"]+)"', (PACKAGE / wing / "__init__.py").read_text(), re.MULTILINE)
    return set(named[1].split()) if named else set()


def test_other_wings_use_only_the_modules_that_a_wing_names():
    beside = [
        path
        for folder in ("notebooks", "docs", "benchmarks", "lexicon", "packages")
        for path in (PROJECT / folder).glob("*.py")
    ]
    used: dict[str, set[str]] = {}
    for path in [*modules(), *beside]:
        for name in own_imports(path):
            wing, _, inside = name.partition("/")
            if inside and path.parent != PACKAGE / wing:
                used.setdefault(wing, set()).add(inside)
    wings = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"commands", "sources"}
    assert {wing: used[wing] for wing in wings} == {wing: public(wing) for wing in wings}


def test_no_module_imports_itself_by_way_of_others():
    graph = {module(path): own_imports(path) - {module(path)} for path in modules()}
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " > ".join([*above[above.index(name) :], name])
        for other in graph.get(name, set()) if name not in done else ():
            visit(other, (*above, name))
        done.add(name)

    for name in graph:
        visit(name, ())


OPENS = {
    *("open", "read_bytes", "read_text", "write_bytes", "write_text", "glob", "rglob", "iterdir", "unlink", "mkdir"),
    *("rmdir", "exists", "is_file", "is_dir", "touch", "stat", "resolve", "listdir", "scandir", "makedirs", "remove"),
}
"""Functions and methods of pathlib, os and the built-ins that look at or change the disk."""
THROUGH = {"store"}
"""Modules of ours whose functions have such a name and belong to the ground."""


@EVERY
def test_files_network_and_terminal_are_used_only_in_their_rooms(path):
    tree = tree_of(path)
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = {call.id for call in calls if isinstance(call, ast.Name)}
    for call in calls:
        if isinstance(call, ast.Attribute) and not (isinstance(call.value, ast.Name) and call.value.id in THROUGH):
            named.add(call.attr)
    outside = {name.partition("/")[0] for name in imports(path)}
    assert "importlib" not in imports(path), "an import that no test sees"
    assert not named & {"__import__", "eval", "exec"}
    if room(path) not in DISK:
        allowed = {"open"} if module(path) in OPENERS else set()
        assert not named & OPENS - allowed
        assert not outside & {"shutil", "tempfile", "subprocess", "glob"}
    if room(path) != "fetching":
        assert not outside & NETWORK
    if room(path) not in ("commands", "cli"):
        assert not named & TERMINAL
        assert not {"stdout", "stdin"} & {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def test_only_the_clock_asks_for_the_time_and_no_stage_may_import_it():
    asking = {"now", "today", "utcnow", "localtime", "gmtime", "time"}
    askers = {
        module(path)
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in asking
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "clock")
    }
    assert askers == {"clock"}
    users = {room(path) for path in modules() if "clock" in own_imports(path)}
    assert users == {"commands", "fetching", "review"}
    assert {module(path) for path in modules() if room(path) == "fetching" and "clock" in own_imports(path)} == {
        "fetching/imports"  # an import stamps what it takes in
    }


OPENERS = {"facts/lists": "the method `open` of a package"}
"""Modules in which `open` is not that of the disk."""


def commands() -> dict[str, list[str]]:
    """Every command with its options."""
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
        for option in set(options) - {"--help", "--data", "--quiet", "--wait"}:
            assert re.search(rf"`[^`\n]*{option}[^`\n]*` \|", sections[name]), f"bee {name} {option}"
        for parameter in group.commands[name].params:
            assert "--help" in parameter.opts or getattr(parameter, "help", None), f"{name} {parameter.name}"


def test_the_reference_is_what_the_commands_say():
    written = runpy.run_path(str(PROJECT / "docs/reference.py"))["page"]()
    assert (PROJECT / "docs/CLI.md").read_text() == written, "make reference writes it"


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
        assert not dated or path.parent.name == "sample" or path.name in ("daily.csv", "days.csv"), path
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


def test_every_table_with_a_contract_says_what_one_row_is():
    rows = list(csv.DictReader((PROJECT / "docs/tables.csv").read_text().splitlines()))
    assert {row["table"] for row in rows} == set(frames.CONTRACTS)
    assert all(row["what one row is"] for row in rows)


def test_the_table_of_stages_in_the_design_is_that_of_the_stages():
    page = (PROJECT / "docs/DESIGN.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| `bee (\w+)` \| .* \| (.*) \|$", page, re.MULTILINE)
    assert [name for name, _, _ in rows] == [stage.name for stage in STAGES]
    for name, command, makes in rows:
        stage = BY_NAME[name]
        assert name in runner.COMMANDS[command]
        told = makes.partition(":")[0]
        if name in ("publish", "check"):
            assert told == stage.makes[0]
        else:
            assert set(told.split(", ")) == set(stage.makes)
