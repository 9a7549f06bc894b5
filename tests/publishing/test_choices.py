"""Choices of an export beyond the filters: by flag, base forms, edits of one's own, and all formats at once."""

import csv
import io
import shutil
import sqlite3

import pytest
from conftest import PROJECT, reseal, some_words

from pipeline import reader, solver

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A release of every tenth word, with its licenses."""
    folder = some_words(
        tmp_path_factory.mktemp("release") / "custom", {"cove", "coves", "caked", "left", "luff", "bollock", "anus"}
    )
    shutil.copy(PROJECT / "data/custom" / reader.GLOSSES, folder)
    shutil.copy(PROJECT / "data/custom" / reader.LICENSES, folder)
    reseal(folder)
    return folder


def rows(text: str) -> dict[str, dict[str, str]]:
    return {row["word"]: row for row in csv.DictReader(io.StringIO(text))}


def test_any_flags_can_be_left_out(bee, small):
    every = rows(bee("--data", small.parent, "export", "--format", "csv").out)
    kept = rows(bee("--data", small.parent, "export", "--format", "csv", "--without", "british, rare", "--safe").out)
    flags = {"british", "rare", "slur", "vulgar", "explicit"}
    assert kept.keys() == {word for word, row in every.items() if flags.isdisjoint(row["flags"].split())}
    assert 0 < len(kept) < len(every)


def test_base_forms_alone_are_left(bee):
    """Forms stay only if the lexicon has a sense of their own, or if their base is not listed."""
    kept = set(bee("export", "--lemmas").out.split())
    every = set(solver.load_release(reader.RELEASE))
    bases = "cove left building bathing biker selfie feces scissors better butter accent tidings"
    forms = "synapses coves caked went horses balloons selfies geese knelt taxes biggest jogged jeans"
    assert {*bases.split(), *forms.split()} <= every
    assert {*bases.split()} - kept == set()
    assert {*forms.split()} & kept == set()
    assert 0.5 < len(kept) / len(every) < 0.6


@pytest.mark.parametrize("tiers", ["likely", "core,likely,review"])
def test_words_below_a_probability_are_left_out_unless_they_are_core(bee, small, tiers):
    export = ("--data", small.parent, "export", "--format", "csv", "--tier", tiers)
    every = rows(bee(*export).out)
    value = sorted({row["p"] for row in every.values()})[-2]
    kept = rows(bee(*export, "--min-p", value).out)
    assert kept == {
        word: row for word, row in every.items() if row["tier"] == "core" or float(row["p"]) >= float(value)
    }
    assert 0 < len(kept) < len(every)
    assert any(row["p"] == value for row in kept.values())


def test_the_views_of_the_database_have_promised_names_and_columns(bee, small, tmp_path):
    assert bee("--data", small.parent, "export", "--format", "sqlite", "-o", tmp_path / "bee.db").code == 0
    base = sqlite3.connect(tmp_path / "bee.db")
    columns = [column[0] for column in base.execute("SELECT * FROM words_v1").description]
    assert columns == "word length mask points pangram tier p offered accepted flags because".split()
    assert [column[0] for column in base.execute("SELECT * FROM flags_v1").description] == ["word", "flag"]
    (many,) = base.execute("SELECT count(*) FROM words_v1").fetchone()
    assert many == len(bee("--data", small.parent, "export").out.split())
