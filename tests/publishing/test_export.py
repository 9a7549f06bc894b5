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
from conftest import PROJECT, Bee, reseal, some_words

from pipeline.publishing import export, formats
from pipeline.tables import frames
from pipeline.words import LISTED, NOT_FOR_FAMILIES, UNSAFE_FLAGS, WORD_COLUMNS, mask, pangram, score

pytestmark = pytest.mark.slow

RELEASE = PROJECT / "data/custom"
VERSION = json.loads((RELEASE / "datapackage.json").read_text())["version"]
HEADER = ",".join(WORD_COLUMNS)
COVE = "cove,core,1.00,3,3,2020-01-01,2022-01-01,,,accepted,so"
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

PACKAGE = {"title": "t", "version": "1", "licenses": [{"name": "MIT\n", "title": "t"}], "sources": []}


def release(folder: Path, rows: str, package: str = json.dumps(PACKAGE)) -> Path:
    folder.mkdir()
    (folder / "words.csv").write_text(f"{HEADER}\n{rows}\n")
    (folder / "datapackage.json").write_text(package)
    reseal(folder)
    return folder


def test_the_list_is_exported_whole(bee):
    assert bee("export", "--format", "txt").out == (RELEASE / "wordlist.txt").read_text()


def test_tables_give_every_cell_back_and_a_score_says_how_sure_the_list_is(bee, small, words):
    every = ("--data", small.parent, "export", "--tier", "core, likely,review,refused", "--format")
    table = frames.read_csv(bee(*every, "csv").out.encode(), "csv")
    pd.testing.assert_frame_equal(table, words)
    scored = [line.split(";") for line in bee(*every, "scored").out.lower().splitlines()]
    expected = {row["word"]: round(100 * float(row["p"])) for row in frames.rows(words)}
    assert {word: int(score) for word, score in scored} == expected


def test_sqlite_gives_every_word_back_with_its_numbers(out, small, words):
    path = out("sqlite", "bee.db", small, "--tier", "core,likely,review,refused")
    columns = "word, length, mask, points, pangram, tier, p, offered, accepted, flags, because"
    with contextlib.closing(sqlite3.connect(path)) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert base.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = base.execute(f"SELECT {columns} FROM words ORDER BY word").fetchall()
        flagged = base.execute("SELECT word, group_concat(flag, ' ') FROM flags GROUP BY word ORDER BY word").fetchall()
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
    assert facts["version"] == VERSION
    assert "MIT" in facts["licence"]
    assert facts["affiliation"] == export.AFFILIATION


@pytest.mark.parametrize("form", formats.FORMATS)
def test_every_format_has_the_chosen_words_and_no_other_and_always_the_same_bytes(out, small, words, form):
    assert set(READERS) == set(formats.FORMATS), "READERS has a reader for each format"
    choices = {
        ("--safe",): export.Choice(LISTED, UNSAFE_FLAGS),
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
        ((), "words.json", True),
        ((), "words.JSON", True),
        ((), "words", False),
        (("--format", "txt"), "words.json", False),
        (("--format", "json"), "words.txt", True),
    ],
)
def test_without_a_format_the_ending_of_the_file_names_it(bee, tmp_path, small, options, file, is_json):
    assert bee("--data", small.parent, "export", *options, "-o", tmp_path / file).code == 0
    assert (tmp_path / file).read_text().startswith('["') == is_json


def test_a_probability_that_is_no_number_is_refused(bee, small):
    assert bee("--data", small.parent, "export", "--min-p", "nan").code == 2


def row(word: str, p: str = "1.00", accepted: str = "0") -> dict[str, str]:
    return {"word": word, "tier": "core", "p": p, "offered": "9", "accepted": accepted, "flags": "", "because": "so"}


def entry(word: str, tier: str = "core", flags: str = "") -> dict[str, str]:
    return row(word) | {"tier": tier, "flags": flags}


ENTRIES = [
    *(
        entry("cove"),
        entry("coves"),
        entry("foxes", "likely") | {"p": "0.94"},
        entry("fox" * 2),
        entry("glass"),
        entry("retro"),
    ),
    *(entry("doubt", "review"), entry("rude", flags="rare vulgar"), entry("crude", flags="crude"), entry("slurry")),
]


@pytest.mark.parametrize(
    ("options", "left_out"),
    [
        ({}, "doubt"),
        ({"without": UNSAFE_FLAGS}, "doubt rude"),
        ({"without": NOT_FOR_FAMILIES}, "doubt rude crude"),
        ({"min_p": 0.95}, "doubt foxes"),
        ({"tiers": ["review"]}, "cove coves foxes foxfox glass retro rude crude slurry"),
        ({"tiers": ["core"]}, "doubt foxes"),
    ],
)
def test_a_choice_leaves_out_what_it_says_and_nothing_else(options, left_out):
    chosen = export.choose(ENTRIES, export.Choice(**{"tiers": LISTED} | options))
    words = [each["word"] for each in chosen]
    assert words == sorted(words)
    assert {each["word"] for each in ENTRIES} - {*words} == set(left_out.split())


def test_a_bare_folder_of_words_is_no_release(bee, tmp_path):
    folder = release(tmp_path / "custom", f"{COVE}\nnull,likely,0.90,0,0,,,,,estimate,so")
    assert bee("--data", folder.parent, "export", "--format", "scored").out == "COVE;100\nNULL;90\n"
    (folder / "SHA256SUMS").unlink()
    failed = bee("--data", folder.parent, "export", "--format", "scored")
    assert (failed.code, failed.out, "SHA256SUMS cannot be read" in failed.err) == (1, "", True)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--format", "pdf"], 2, "pdf"),
        (["--format", "txt", "--tier", "best"], 2, '"best" is not a tier'),
        (["--safe", "--tier", "review", "--min-p", "0.99"], 1, "No words match"),
        (["-o", "list.xlsx"], 2, ".xlsx is the ending of no format; name one with --format"),
        (["--edit", "mine.txt"], 2, "No such option: --edit"),
        (["--format", "txt", "-o", "."], 2, ". is a folder; name a file in it."),
        (["--format", "txt", "-o", ""], 2, "is a folder; name a file in it."),
        (["--format", "txt", "-o", "nowhere/x"], 2, "The folder nowhere does not exist; create it first."),
        (["--without", "rare,odd"], 2, 'No word has the flag "odd"'),
    ],
)
def test_a_wrong_choice_is_one_sentence(bee, arguments, code, says):
    failed = bee("export", *arguments)
    assert failed.code == code
    assert says in failed.err
    assert failed.out == ""
    assert "Traceback" not in failed.err


@pytest.mark.parametrize(
    ("rows", "package", "says"),
    [
        ("a,b", json.dumps(PACKAGE), "a row has the wrong number of cells"),
        (COVE, "{", "datapackage.json does not describe a release"),
        (COVE, "[]", "datapackage.json does not describe a release"),
        (COVE, '{"title": "t"}', "datapackage.json does not describe a release"),
    ],
)
def test_a_release_that_is_none_says_so_and_writes_nothing(bee, tmp_path, rows, package, says):
    folder = release(tmp_path / "custom", rows, package)
    failed = bee("--data", folder.parent, "export", "--format", "sqlite", "-o", tmp_path / "out")
    assert failed.code == 1
    assert says in failed.err
    assert "Traceback" not in failed.err
    assert not (tmp_path / "out").exists()


def test_a_release_that_was_cut_short_does_not_go_out(bee, small, tmp_path):
    folder = tmp_path / "cut/custom"
    shutil.copytree(small, folder)
    for name, form in (("words.csv", "csv"), ("wordlist.txt", "txt")):
        lines = (folder / name).read_text().splitlines(keepends=True)
        (folder / name).write_text("".join(lines[: len(lines) // 2]))
        failed = bee("--data", folder.parent, "export", "--format", form)
        assert (failed.code, failed.out) == (1, "")
        assert f"{name} in {folder} is not the file that was published" in failed.err
