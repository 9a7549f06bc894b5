"""The list of promises: promises.csv has all that the documents make, and names the test that shows each of them."""

import ast
import csv
import functools
import re

import pytest
from conftest import PROJECT

from pipeline.publishing.check import RULES

PROMISES = list(csv.DictReader((PROJECT / "tests/promises.csv").read_text().splitlines()))


def plain(text: str) -> str:
    """A text of a document without its marks, on one line."""
    return " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)|[*`]", r"\1", text).split())


def section(name: str, heading: str) -> str:
    """A section of a document, up to the next heading."""
    return re.split(
        r"^## ", (PROJECT / "docs" / name).read_text().partition(heading)[2], maxsplit=1, flags=re.MULTILINE
    )[0]


def made_by(place: str) -> list[str]:
    """The promises that a document makes, in its own words."""
    if place == "violations":
        return list(RULES)
    if place == "RELIABILITY":
        return re.findall(r"^- \*\*(.+?)\*\*", section("RELIABILITY.md", "## Guarantees"), re.MULTILINE | re.DOTALL)
    if place == "DESIGN":
        text = section("DESIGN.md", "## Decisions and measurements")
        return re.findall(r"^\d+\. \*\*(.+?)\*\*", text, re.MULTILINE | re.DOTALL)
    stable = section("CONSUMERS.md", "change only with a major version").partition("New files")[0]
    return re.findall(r"^- (.+?)(?=^- |\n\n)", stable, re.MULTILINE | re.DOTALL)


@functools.cache
def names_of_tests(path: str) -> set[str]:
    tree = ast.parse((PROJECT / path).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("place", ["RELIABILITY", "CONSUMERS", "DESIGN", "violations"])
def test_every_promise_of_a_document_is_in_the_list(place):
    made = [plain(promise).rstrip(".,;") for promise in made_by(place)]
    assert len(made) >= 7
    assert [row["promise"] for row in PROMISES if row["place"] == place] == made


def test_every_promise_has_a_test_that_exists():
    for row in PROMISES:
        path, _, name = row["test"].partition("::")
        assert name in names_of_tests(path), row


def test_the_test_of_a_violation_names_its_rule():
    for row in PROMISES:
        if row["place"] == "violations":
            assert row["promise"] in (PROJECT / row["test"].partition("::")[0]).read_text(), row
