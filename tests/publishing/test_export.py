"""Exports, each read back."""

import contextlib
import csv
import itertools
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from conftest import PROJECT, Bee, reseal, some_words

from pipeline import solver
from pipeline.publishing import export, formats
from pipeline.tables import frames
from pipeline.words import LISTED, NOT_FOR_FAMILIES, UNSAFE_FLAGS, mask, pangram, score

pytestmark = pytest.mark.slow

RELEASE = PROJECT / "data/custom"
VERSION = json.loads((RELEASE / "datapackage.json").read_text())["version"]
HEADER = "word,tier,p,offered,accepted,flags,kind,because"
ODD = {"false", "infinity", "none", "null", "true"}
"""Words that some readers convert to other values."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of every fiftieth word of the real one, and the odd ones, so that an export takes no time."""
    return some_words(tmp_path_factory.mktemp("release"), {*ODD, "covenant"}, every=50)


@pytest.fixture(scope="module")
def words(small: Path) -> pd.DataFrame:
    return frames.read_csv((small / "words.csv").read_bytes(), "words.csv")


@pytest.fixture
def out(bee: Bee, tmp_path: Path):
    """Export to a file and return where it is."""

    def write(form: str, name: str, *options: object) -> Path:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        done = bee("export", "--format", form, "-o", tmp_path / name, *options)
        assert (done.code, done.out) == (0, ""), done.err
        return tmp_path / name

    return write


def rows_of(path: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as base:
        return [word for (word,) in base.execute("SELECT word FROM words ORDER BY word")]


def blocks_of(path: Path) -> dict[int, list[str]]:
    """Masks with their words, read as docs/CONSUMERS.md says."""
    data = path.read_bytes()
    magic, n, count = struct.unpack_from("<8sII", data)
    masks = struct.unpack_from(f"<{n}I", data, 16)
    offsets = struct.unpack_from(f"<{n + 1}I", data, 16 + 4 * n)
    text = data[20 + 8 * n :].decode("ascii")
    blocks = [text[first:last].split("\n") for first, last in itertools.pairwise(offsets)]
    assert magic == b"BEEMASK1"
    assert list(masks) == sorted(set(masks))
    assert {block.pop() for block in blocks} == {""}
    assert sum(map(len, blocks)) == count
    assert f"version: {VERSION}\n" in text[offsets[-1] :]
    return dict(zip(masks, blocks, strict=True))


READERS: dict[str, Callable[[Path], list[str]]] = {
    "txt": lambda path: path.read_text().splitlines(),
    "TXT": lambda path: path.read_text().lower().splitlines(),
    "csv": lambda path: [row["word"] for row in csv.DictReader(path.read_text().splitlines())],
    "json": lambda path: json.loads(path.read_text()),
    "jsonl": lambda path: [json.loads(line)["word"] for line in path.read_text().splitlines()],
    "scored": lambda path: [line.partition(";")[0].lower() for line in path.read_text().splitlines()],
    "hunspell": lambda path: path.with_suffix(".dic").read_text().splitlines()[1:],
    "c": lambda path: re.findall('"([a-z]+)"', path.read_text()),
    "js": lambda path: path.read_text().split("`")[1].split("\n"),
    "masks": lambda path: sorted(itertools.chain(*blocks_of(path).values())),
    "sqlite": rows_of,
}
"""How to read the words of each format without our package."""


def run(*command: object, given: str = "") -> str:
    done = subprocess.run(list(map(str, command)), input=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


PACKAGE = {"title": "t", "version": "1", "licenses": [{"name": "MIT\n", "title": "t"}], "sources": []}


def release(folder: Path, rows: str, package: str = json.dumps(PACKAGE)) -> Path:
    (folder / "words.csv").write_text(f"{HEADER}\n{rows}\n")
    (folder / "datapackage.json").write_text(package)
    reseal(folder)
    return folder


def test_the_list_is_exported_whole(bee):
    assert bee("export", "--format", "txt").out == (RELEASE / "wordlist.txt").read_text()


def test_tables_give_every_cell_back_and_a_score_says_how_sure_the_list_is(bee, small, words):
    every = ("--release", small, "--tier", "core, likely,review,refused", "--format")
    table = frames.read_csv(bee("export", *every, "csv").out.encode(), "csv")
    pd.testing.assert_frame_equal(table, words)
    rows = [json.loads(line) for line in bee("export", *every, "jsonl").out.splitlines()]
    assert rows == frames.rows(words)
    scored = [line.split(";") for line in bee("export", *every, "scored").out.lower().splitlines()]
    assert {word: int(score) for word, score in scored} == {row["word"]: round(100 * float(row["p"])) for row in rows}


@pytest.mark.needs("hunspell")
def test_hunspell_accepts_every_word_of_the_list_and_no_refused_one(out, small, words):
    path = out("hunspell", "list.dic", "--release", small)
    count, *listed = path.read_text().splitlines()
    assert int(count) == len(listed)
    assert f"# version: {VERSION}" in path.with_suffix(".aff").read_text().splitlines()
    refused = words["word"][words["tier"].isin(["review", "refused"])]
    asked = "".join(f"{word}\n" for word in [*listed, *refused])
    wrong = run("hunspell", "-d", path.with_suffix(""), "-i", "utf-8", "-l", given=asked).split()
    assert wrong == list(refused)
    assert "covenant" in run("hunspell", "-d", path.with_suffix(""), given="covenent\n")


def test_a_hunspell_pair_is_named_by_either_file_or_by_neither_and_tries_frequent_letters_first(bee, tmp_path):
    release(tmp_path, "fizz,core,1.00,3,3,,accepted,so\nzeta,core,1.00,3,3,,accepted,so")
    for name, stem in (("bee", "bee"), ("bee.dic", "bee"), ("bee.aff", "bee"), ("bee.v1", "bee.v1")):
        folder = tmp_path / f"of {name}"
        folder.mkdir()
        bee("export", "--format", "hunspell", "--release", tmp_path, "-o", folder / name)
        assert sorted(path.name for path in folder.iterdir()) == [f"{stem}.aff", f"{stem}.dic"]
        assert (folder / f"{stem}.aff").read_text().splitlines()[-1] == "TRY zaefit", "equals from A to Z"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compiler", "standard", "ending"),
    [
        pytest.param("gcc", "c99", "c", marks=pytest.mark.needs("gcc")),
        pytest.param("g++", "c++11", "cpp", marks=pytest.mark.needs("g++")),
    ],
)
def test_the_header_gives_the_list_back_in_c_and_in_cpp(out, small, tmp_path, compiler, standard, ending):
    path = out("c", "bee.h", "--release", small)
    header = path.read_text()
    assert all(part in header for part in ("licence: MIT", f"version: {VERSION}", export.AFFILIATION))
    program, source = tmp_path / "program", tmp_path / f"main.{ending}"
    source.write_text(
        '#include <stdio.h>\n#include "bee.h"\n'
        'int main(void) { puts(BEE_VERSION); for (int i = 0; i < BEE_COUNT; i++) printf("%s %lu\\n", bee_words[i], '
        "(unsigned long)bee_masks[i]); return 0; }\n"
    )
    run(compiler, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", source, "-o", program)
    version, *lines = run(program).splitlines()
    assert version == VERSION
    assert lines == [f"{word} {mask(word)}" for word in READERS["c"](path)]


@pytest.mark.needs("node")
def test_the_module_gives_the_list_back_under_node(out, small, tmp_path):
    path = out("js", "bee.mjs", "--release", small)
    script = tmp_path / "main.mjs"
    script.write_text(
        'import all, { version, words } from "./bee.mjs"; console.log(version, all === words, words.join());'
    )
    version, same, listed = run("node", script).split()
    assert (version, same) == (VERSION, "true")
    assert listed.split(",") == READERS["js"](path)


def test_masks_groups_words_that_have_the_same_letters(out, small, words):
    listed = words["word"][words["tier"].isin(LISTED)].tolist()
    assert blocks_of(out("masks", "bee.masks", "--release", small)) == solver.group_by_mask(listed)


def test_sqlite_gives_every_word_back_with_its_numbers(out, small, words):
    path = out("sqlite", "bee.db", "--tier", "core,likely,review,refused", "--release", small)
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
        ("--tier", "review", "--min-length", "5"): export.Choice(["review"], min_length=5),
        ("--family",): export.Choice(LISTED, NOT_FOR_FAMILIES),
    }
    for at, (options, choice) in enumerate(choices.items()):
        path = out(form, f"{at}/bee", "--release", small, *options)
        expected = [row["word"] for row in export.choose(frames.rows(words), choice)]
        assert READERS[form](path) == expected
        assert len(expected) > 50
        assert at or set(expected) >= ODD
    again = out(form, "again/bee", "--release", small, *options)
    first = {each.suffix: each.read_bytes() for each in path.parent.iterdir()}
    assert first == {each.suffix: each.read_bytes() for each in again.parent.iterdir()}
    assert len(first) == len(formats.FORMATS[form].writers)


@pytest.mark.slow
def test_what_is_no_text_goes_down_a_pipe_but_not_to_a_terminal(tmp_path, small):
    forms = [form for form in formats.FORMATS if formats.FORMATS[form].is_binary]
    assert "sqlite" in forms
    for form in forms:
        command = [sys.executable, "-m", "pipeline", "export", "--format", form, "--release", small]
        subprocess.run([*command, "-o", tmp_path / form], capture_output=True, check=True)
        assert subprocess.run(command, capture_output=True, check=True).stdout == (tmp_path / form).read_bytes()
        ours, theirs = os.openpty()
        done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, check=False)
        os.close(theirs)
        os.close(ours)
        assert (done.returncode, f"{form} is binary and cannot be shown in a terminal" in done.stderr) == (2, True)


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
@pytest.mark.parametrize("command", ["export", "convert"])
def test_without_a_format_the_ending_of_the_file_names_it(bee, tmp_path, small, command, options, file, is_json):
    (tmp_path / "list.txt").write_text("cove\noctave\n")
    source = (tmp_path / "list.txt",) if command == "convert" else ("--release", small)
    assert bee(command, *source, *options, "-o", tmp_path / file).code == 0
    assert (tmp_path / file).read_text().startswith('["') == is_json


@pytest.mark.parametrize("command", ["export", "convert"])
def test_an_ending_that_names_no_format_is_refused(bee, tmp_path, small, command):
    (tmp_path / "list.txt").write_text("cove\noctave\n")
    source = (tmp_path / "list.txt",) if command == "convert" else ("--release", small)
    refused = bee(command, *source, "-o", tmp_path / "list.xlsx")
    assert (refused.code, ".xlsx is the ending of no format; name one with --format" in refused.err) == (2, True)
    assert bee(command, *source, "--format", "txt", "-o", tmp_path / "list.xlsx").code == 0


def test_a_probability_that_is_no_number_is_refused(bee, small):
    assert bee("export", "--release", small, "--min-p", "nan").code == 2


def test_the_help_says_what_every_format_is(bee, monkeypatch):
    monkeypatch.setenv("COLUMNS", "3000")
    assert formats.help_text() in " ".join(bee("export", "--help").out.split())
    for each in formats.FORMATS.values():
        assert f"{each.name}: {each.sentence.replace('`', '')}." in formats.help_text()


def row(word: str, p: str = "1.00", accepted: str = "0") -> dict[str, str]:
    return {"word": word, "tier": "core", "p": p, "offered": "9", "accepted": accepted, "flags": "", "because": "so"}


def entry(word: str, tier: str = "core", flags: str = "") -> dict[str, str]:
    return row(word) | {"tier": tier, "flags": flags}


ENTRIES = [
    *(entry("cove"), entry("coves"), entry("foxes", "likely"), entry("fox" * 2), entry("glass"), entry("retro")),
    *(entry("doubt", "review"), entry("rude", flags="rare vulgar"), entry("crude", flags="crude"), entry("slurry")),
]


@pytest.mark.parametrize(
    ("options", "left_out"),
    [
        ({}, "doubt"),
        ({"without": UNSAFE_FLAGS}, "doubt rude"),
        ({"without": NOT_FOR_FAMILIES}, "doubt rude crude"),
        ({"min_length": 5}, "doubt cove rude"),
        ({"tiers": ["review"]}, "cove coves foxes foxfox glass retro rude crude slurry"),
        ({"tiers": ["core"]}, "doubt foxes"),
    ],
)
def test_a_choice_leaves_out_what_it_says_and_nothing_else(options, left_out):
    chosen = export.choose(ENTRIES, export.Choice(**{"tiers": LISTED} | options))
    words = [each["word"] for each in chosen]
    assert words == sorted(words)
    assert {each["word"] for each in ENTRIES} - {*words} == set(left_out.split())


def test_an_export_says_what_was_chosen(bee, small):
    header = bee("export", "--format", "c", "--release", small, "--min-length", "5").out
    assert "of tier core and likely, with at least 5 letters\n" in header


def test_a_bare_folder_of_words_is_no_release(bee, tmp_path):
    folder = release(tmp_path, "cove,core,1.00,3,3,,accepted,so\nnull,likely,0.90,0,0,,estimate,so")
    assert bee("export", "--format", "txt", "--release", folder).out == "cove\nnull\n"
    (folder / "SHA256SUMS").unlink()
    failed = bee("export", "--format", "txt", "--release", folder)
    assert (failed.code, failed.out, "SHA256SUMS cannot be read" in failed.err) == (1, "", True)


def test_a_release_cannot_break_out_of_a_comment(bee, tmp_path):
    folder = release(tmp_path, "cove,core,1.00,3,3,,accepted,so", json.dumps({**PACKAGE, "title": "*/ int x;"}))
    header = bee("export", "--format", "c", "--release", folder).out
    assert " * title: int x;\n" in header
    assert header.count("*/") == 1


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--format", "pdf"], 2, "pdf"),
        (["--format", "txt", "--tier", "best"], 2, '"best" is not a tier'),
        (["--format", "txt", "--min-length", "40"], 1, "No words match"),
        (["--format", "txt", "--release", "nowhere"], 1, "There is no release in nowhere"),
        (["--format", "hunspell"], 2, "2 files (.aff and .dic); give their common name with -o NAME."),
        (["--format", "hunspell", "-o", "."], 2, ". is a folder; name a file in it with -o FILE."),
        (["--format", "txt", "-o", ""], 2, "'-o' / '--output': The value is empty"),
        (["--format", "txt", "-o", "/dev/null/x"], 2, "The folder /dev/null does not exist; create it first."),
        (["--format", "txt", "-o", "nowhere/x"], 2, "The folder nowhere does not exist; create it first."),
        (["--without", "rare,odd"], 2, '"odd" is not a flag; `bee flag --list`'),
        (["--all", "there", "--format", "csv"], 2, "cannot be combined with --format."),
        (["--edit", "nowhere.txt"], 1, "Cannot read nowhere.txt: No such file"),
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
        ("a,b", json.dumps(PACKAGE), "a row of 2 cells"),
        ("Cove,core,1.00,3,3,,accepted,so", json.dumps(PACKAGE), '"Cove" is not a valid word'),
        ("cove,core,high,3,3,,accepted,so", json.dumps(PACKAGE), '"high" is not a valid p (word "cove")'),
        ("cove,core,1.5,3,3,,accepted,so", json.dumps(PACKAGE), '"1.5" is not a valid p'),
        ("cove,core,1.00,3,-1,,accepted,so", json.dumps(PACKAGE), '"-1" is not a valid accepted'),
        (
            "cove,core,1.00,3,3,,accepted,so\ncove,core,1.00,3,3,,accepted,so",
            json.dumps(PACKAGE),
            'has "cove" twice',
        ),
        ("cove,core,1.00,3,3,,accepted,so", "{", "datapackage.json does not describe a release"),
        ("cove,core,1.00,3,3,,accepted,so", "[]", "datapackage.json does not describe a release"),
        ("cove,core,1.00,3,3,,accepted,so", '{"title": "t"}', "datapackage.json does not describe a release"),
    ],
)
def test_a_release_that_is_none_says_so_and_writes_nothing(bee, tmp_path, rows, package, says):
    folder = release(tmp_path, rows, package)
    failed = bee("export", "--format", "sqlite", "--release", folder, "-o", tmp_path / "out")
    assert failed.code == 1
    assert says in failed.err
    assert "Traceback" not in failed.err
    assert not (tmp_path / "out").exists()


def test_a_table_without_the_columns_says_so(bee, tmp_path):
    release(tmp_path, "")
    (tmp_path / "words.csv").write_text("a,b\n1,2\n")
    reseal(tmp_path)
    assert "has no column word" in bee("export", "--format", "txt", "--release", tmp_path).err


def test_a_release_that_was_cut_short_does_not_go_out(bee, small, tmp_path):
    folder = tmp_path / "cut"
    shutil.copytree(small, folder)
    lines = (folder / "words.csv").read_text().splitlines(keepends=True)
    (folder / "words.csv").write_text("".join(lines[: len(lines) // 2]))
    failed = bee("export", "--format", "txt", "--release", folder)
    assert (failed.code, failed.out) == (1, "")
    assert "is not the file that was published" in failed.err
