"""Many puzzles at once: the possible puzzles of a list are counted right."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pipeline
from pipeline import solver
from pipeline.play import puzzles
from pipeline.words import bingo, pangram, perfect_pangram, playable, puzzle, score, spells

WORDS = st.lists(st.text("abcdefghs", min_size=4, max_size=9).filter(playable), unique=True, max_size=60)


@settings(max_examples=15)
@given(WORDS)
def test_possible_puzzles_are_counted_as_solving_each_would(words):
    sets = {"".join(sorted(set(word))) for word in words if pangram(word)}
    expected = {}
    for letters, center in [(seven, center) for seven in sets for center in seven]:
        asked = puzzle(letters.replace(center, ""), center)
        found = [word for word in words if spells(asked, word)]
        pangrams = [sum(map(pangram, found)), sum(map(perfect_pangram, found))]
        expected[center, asked.outer] = (len(found), sum(map(score, found)), *pangrams, bingo(asked, found))
    every = puzzles.possible(words)
    assert {tuple(row[:2]): tuple(row[2:]) for row in every.itertuples(index=False)} == expected


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> Path:
    """A list of the words of some letters, which makes some hundred puzzles."""
    path = tmp_path_factory.mktemp("few") / "words.txt"
    path.write_text("\n".join(word for word in pipeline.load_words() if set(word) <= set("acenotvqui")))
    return path


@pytest.mark.slow
def test_puzzles_have_the_words_and_points_of_their_answers(bee, few):
    done = bee("puzzles", "--list", few, "--limit", "0")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    listed = pipeline.load_words(few)
    assert len(rows) > 100
    for row in rows[::10]:
        found = solver.scan(listed, puzzle(row["outer"], row["center"]))
        assert (len(found), sum(map(score, found))) == (int(row["words"]), int(row["points"]))
    assert f"{len(rows)} possible puzzles from " in done.err


@pytest.mark.slow
def test_a_list_without_a_pangram_makes_no_puzzle(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("cove\ncave\n")
    done = bee("puzzles", "--list", path)
    assert (done.code, done.out) == (1, "")
    assert done.err == "0 possible puzzles from 2 words.\n"


def test_a_list_that_cannot_be_read_is_one_sentence(bee):
    failed = bee("puzzles", "--list", "nowhere.txt")
    assert (failed.code, failed.out) == (1, "")
    assert "Cannot read the word list nowhere.txt" in failed.err
    assert "Traceback" not in failed.err
