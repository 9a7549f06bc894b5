"""Exports, each read back."""

import contextlib
import csv
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from conftest import Bee, some_words

from pipeline.publishing import export, formats
from pipeline.tables import frames
from pipeline.words import LISTED, NOT_FOR_FAMILIES, UNSAFE_FLAGS, mask, pangram, score

pytestmark = pytest.mark.slow
ODD = {"false", "infinity", "none", "null", "true"}
"""Words that some readers convert to other values."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of every fiftieth word of the real one, and the odd ones, so that an export takes no time."""
    return some_words(tmp_path_factory.mktemp("release") / "custom", {*ODD, "covenant"}, every=50)


@pytest.fixture(scope="module")
def words(small: Path) -> pd.DataFrame:
    return frames.read_csv((small / "words.csv").read_bytes(), "words.csv")


@pytest.fixture
def out(bee: Bee, tmp_path: Path):
    """Export to a file and return where it is."""

    def write(form: str, name: str, release: Path, *options: object) -> Path:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        done = bee("--data", release.parent, "export", "--format", form, "-o", tmp_path / name, *options)
        assert (done.code, done.out) == (0, ""), done.err
        return tmp_path / name

    return write


def rows_of(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as base:
        return [word for (word,) in base.execute("SELECT word FROM words ORDER BY word")]


READERS: dict[str, Callable[[Path], list[str]]] = {
    "txt": lambda path: path.read_text().splitlines(),
    "csv": lambda path: [row["word"] for row in csv.DictReader(path.read_text().splitlines())],
    "json": lambda path: json.loads(path.read_text()),
    "scored": lambda path: [line.partition(";")[0].lower() for line in path.read_text().splitlines()],
    "sqlite": rows_of,
}
"""How to read the words of each format without our package."""


def test_tables_give_every_cell_back_and_a_score_says_how_sure_the_list_is(bee, small, words):
    every = ("--data", small.parent, "export", "--tier", "core, likely,review,refused", "--format")
    table = frames.read_csv(bee(*every, "csv").out.encode(), "csv")
    pd.testing.assert_frame_equal(table, words)
    scored = [line.split(";") for line in bee(*every, "scored").out.lower().splitlines()]
    expected = {row["word"]: round(100 * float(row["p"])) for row in frames.rows(words)}
    assert {word: int(score) for word, score in scored} == expected


def test_the_promised_views_of_sqlite_give_every_word_back_with_its_numbers(out, small, words):
    path = out("sqlite", "bee.db", small, "--tier", "core,likely,review,refused")
    columns = "word length mask points pangram tier p offered accepted flags because"
    with contextlib.closing(sqlite3.connect(path)) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert base.execute("PRAGMA foreign_key_check").fetchall() == []
        view = base.execute("SELECT * FROM words_v1 ORDER BY word")
        assert [column[0] for column in view.description] == columns.split()
        rows = view.fetchall()
        flagged = base.execute("SELECT word, group_concat(flag, ' ') FROM flags_v1 GROUP BY word ORDER BY 1").fetchall()
        facts = dict(base.execute("SELECT * FROM metadata"))
    assert rows == [
        (
            *(row["word"], len(row["word"]), mask(row["word"]), score(row["word"]), int(pangram(row["word"]))),
            *(row["tier"], float(row["p"]), int(row["offered"]), int(row["accepted"])),
            *(row["flags"], row["because"]),
        )
        for row in frames.rows(words)
    ]
    assert flagged == [(row["word"], row["flags"]) for row in frames.rows(words) if row["flags"]]
    assert "MIT" in facts["licence"]
    assert facts["affiliation"] == export.AFFILIATION


@pytest.mark.parametrize("form", formats.FORMATS)
def test_every_format_has_the_chosen_words_and_no_other_and_always_the_same_bytes(out, small, words, form):
    assert set(READERS) == set(formats.FORMATS), "READERS has a reader for each format"
    choices = {
        ("--safe", "--without", "rare, british"): export.Choice(LISTED, (*UNSAFE_FLAGS, "rare", "british")),
        ("--tier", "review", "--min-p", "0.2"): export.Choice(["review"], min_p=0.2),
        ("--family",): export.Choice(LISTED, NOT_FOR_FAMILIES),
    }
    for at, (options, choice) in enumerate(choices.items()):
        path = out(form, f"{at}/bee", small, *options)
        expected = [row["word"] for row in export.choose(frames.rows(words), choice)]
        assert READERS[form](path) == expected
        assert len(expected) > 50
        assert at or set(expected) >= ODD
    again = out(form, "again/bee", small, *options)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("options", "file", "is_json"),
    [
        ((), "words.JSON", True),
        ((), "words", False),
        (("--format", "txt"), "words.json", False),
    ],
)
def test_without_a_format_the_ending_of_the_file_names_it(bee, tmp_path, small, options, file, is_json):
    assert bee("--data", small.parent, "export", *options, "-o", tmp_path / file).code == 0
    assert (tmp_path / file).read_text().startswith('["') == is_json


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ({}, "caked cove coves crude foxes retro rude"),
        ({"without": UNSAFE_FLAGS}, "caked cove coves crude foxes retro"),
        ({"without": NOT_FOR_FAMILIES}, "caked cove coves foxes retro"),
        ({"without": ["rare"]}, "caked cove coves crude foxes retro"),
        ({"min_p": 0.94}, "caked cove coves crude foxes retro rude"),
        ({"min_p": 0.95}, "caked cove coves crude retro rude"),
        ({"tiers": ["review"]}, "doubt"),
        ({"lemmas": True}, "caked cove crude retro rude"),
    ],
)
def test_a_choice_has_what_it_says_and_nothing_else(options, chosen):
    """*Caked* is a base form, as *cake* is not listed here; *foxes* is none, as *fox* is too short for a list."""
    plain = {"tier": "core", "p": "0.10", "flags": ""}
    changed: dict[str, dict[str, str]] = {
        "retro": {}, "coves": {}, "cove": {}, "caked": {}, "foxes": {"tier": "likely", "p": "0.94"},
        "doubt": {"tier": "review"}, "rude": {"flags": "rare vulgar"}, "crude": {"flags": "crude"},
    }  # fmt: skip
    words = [{"word": word, **plain, **cells} for word, cells in changed.items()]
    found = export.choose(words, export.Choice(**{"tiers": LISTED} | options))
    assert [row["word"] for row in found] == chosen.split()


def test_base_forms_of_the_list_are_those_with_a_sense_of_their_own_or_without_a_listed_base(bee):
    kept = set(bee("export", "--lemmas").out.split())
    assert {*"left building bathing biker selfie feces scissors better butter accent tidings".split()} <= kept
    assert kept.isdisjoint("synapses went horses balloons selfies geese knelt taxes biggest jogged jeans".split())


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--format", "pdf"], 2, '"pdf" is not a format'),
        (["--format", "txt", "--tier", "best"], 2, '"best" is not a tier'),
        (["--min-p", "nan"], 2, "--min-p is a probability from 0 to 1"),
        (["--safe", "--tier", "review", "--min-p", "0.99"], 1, "No words match"),
        (["-o", "list.xlsx"], 2, ".xlsx is the ending of no format; name one with --format"),
        (["--format", "txt", "-o", ""], 2, "is a folder; name a file in it."),
        (["--format", "txt", "-o", "nowhere/x"], 2, "The folder nowhere does not exist; create it first."),
        (["--without", "rare,odd"], 2, 'No word has the flag "odd"'),
    ],
)
def test_a_wrong_choice_is_one_sentence(bee, small, arguments, code, says):
    failed = bee("--data", small.parent, "export", *arguments)
    assert (failed.code, failed.out, says in failed.err) == (code, "", True)


def test_a_release_that_was_cut_short_does_not_go_out(bee, small, tmp_path):
    folder = tmp_path / "cut/custom"
    shutil.copytree(small, folder)
    for name, form in (("words.csv", "csv"), ("wordlist.txt", "txt")):
        lines = (folder / name).read_text().splitlines(keepends=True)
        (folder / name).write_text("".join(lines[: len(lines) // 2]))
        failed = bee("--data", folder.parent, "export", "--format", form)
        assert (failed.code, failed.out) == (1, "")
        assert f"{name} in {folder} is not the file that was published" in failed.err
    (folder / "SHA256SUMS").unlink()
    failed = bee("--data", folder.parent, "export", "--format", "csv")
    assert (failed.code, failed.out, "SHA256SUMS cannot be read" in failed.err) == (1, "", True)
