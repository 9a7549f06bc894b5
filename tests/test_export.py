"""Exports, each read back."""

import json

import pandas as pd
import pytest
from conftest import PROJECT

from pipeline import export, frames, solver

WORDS = PROJECT / "data/custom/words.csv"


@pytest.fixture(scope="module")
def words() -> pd.DataFrame:
    return frames.read_csv(WORDS.read_bytes(), WORDS)


def test_every_format_gives_the_list_back(bee):
    listed = solver.load_words()
    assert bee("export", "--format", "txt").out.split() == listed
    assert bee("export", "--format", "TXT").out.lower().split() == listed
    assert json.loads(bee("export", "--format", "json").out) == listed
    assert list(frames.read_csv(bee("export", "--format", "csv").out.encode(), "csv")["word"]) == listed
    rows = [json.loads(line) for line in bee("export", "--format", "jsonl").out.splitlines()]
    assert [row["word"] for row in rows] == listed
    assert all(row["because"] for row in rows)
    scored = [line.split(";") for line in bee("export", "--format", "scored").out.splitlines()]
    assert [word.lower() for word, _ in scored] == listed
    assert {int(score) for _, score in scored} <= set(range(50, 101))


def test_every_format_is_offered(bee):
    for form in export.FORMATS:
        assert bee("export", "--format", form, "--min-length", "14").out


def test_safe_leaves_out_every_offensive_word_and_nothing_else(words):
    safe = set(export.choose(words, ["core", "likely"], True, 4)["word"])
    every = export.choose(words, ["core", "likely"], False, 4)
    rude = set(every["word"][every["flags"].str.contains("slur|vulgar|sensitive")])
    assert len(rude) > 100
    assert safe == set(every["word"]) - rude
    assert "taco" in safe


def test_tiers_length_and_file(bee, tmp_path, words):
    path = tmp_path / "out.txt"
    done = bee("export", "--format", "txt", "--tier", "core", "--min-length", "9", "-o", path)
    assert done.out == ""
    expected = words[(words["tier"] == "core") & (words["word"].str.len() >= 9)]["word"]
    assert path.read_text().split() == sorted(expected)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["--format", "pdf"], 2, "pdf"),
        ([], 2, "--format"),
        (["--format", "txt", "--tier", "best"], 1, '"best" is no tier'),
        (["--format", "txt", "--min-length", "40"], 1, "No word is left"),
        (["--format", "txt", "--release", "nowhere"], 1, "There is no nowhere"),
    ],
)
def test_a_wrong_choice_is_one_sentence(bee, arguments, code, says):
    failed = bee("export", *arguments)
    assert failed.code == code
    assert says in failed.err
    assert failed.out == ""
    assert "Traceback" not in failed.err


def test_a_release_that_is_none_says_so(bee, tmp_path):
    (tmp_path / "words.csv").write_text("a,b\n1,2\n")
    assert "has no column" in bee("export", "--format", "txt", "--release", tmp_path).err
