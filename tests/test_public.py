"""What `sources/` and `fetching/` call public is used outside of its module; all else starts with an underscore."""

import ast

import pytest
from conftest import PROJECT

FOLDERS = ("pipeline", "tests", "benchmarks", "docs", "notebooks")
MODULES = [path for wing in ("sources", "fetching") for path in sorted((PROJECT / "pipeline" / wing).glob("*.py"))]
OF_A_SOURCE = {"recognises", "parse"}
"""The two functions that each module of a source has; it names them in its `SOURCE`."""


def used_names(tree: ast.AST) -> set[str]:
    """The names that a module imports, or takes from a module or a value."""
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return attributes | {alias.name for node in imported for alias in node.names}


@pytest.fixture(scope="module")
def used() -> dict[str, set[str]]:
    paths = [path for folder in FOLDERS for path in (PROJECT / folder).rglob("*.py")]
    return {str(path): used_names(ast.parse(path.read_text())) for path in paths}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_public_function_is_used_outside_of_its_module(path, used):
    made = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    public = {name for name in made if not name.startswith("_")} - OF_A_SOURCE
    elsewhere = set().union(*(names for file, names in used.items() if file != str(path)))
    assert public - elsewhere == set()
