"""Which possible puzzles are printed, and in which order."""

import csv

import pytest

from pipeline.play import difficulty

pytestmark = pytest.mark.slow

LIST = "covenant cove cave octave gratify fairy gait raft gift bowling"
"""Words of three letter sets: seven puzzles each."""


def test_the_first_puzzles_are_printed_by_words_then_by_points_then_by_letters(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(LIST.replace(" ", "\n"))
    _, *every = bee("puzzles", "--list", path, "--limit", "0").out.splitlines()
    assert len(every) == 21
    rows = [line.split(",") for line in every]
    keys = [(-int(words), -int(points), outer, center) for center, outer, words, points, *_ in rows]
    assert keys == sorted(keys)
    assert keys != sorted(keys, key=lambda key: (key[0], key[2]))
    assert len({key[:2] for key in keys}) < len(keys)
    assert bee("puzzles", "--list", path, "--limit", "3").out.splitlines()[1:] == every[:3]
    done = bee("puzzles", "--list", path)
    assert done.out.splitlines()[1:] == every[:20]
    assert "Release " not in done.err


def test_the_release_is_named_and_each_puzzle_has_the_level_of_its_difficulty(bee):
    done = bee("puzzles", "--limit", "0")
    assert "Release " in done.err
    rows = list(csv.DictReader(done.out.splitlines()))
    assert {row["level"] for row in rows} == set(difficulty.LEVELS)
    assert all(row["level"] == difficulty.level(float(row["difficulty"])) for row in rows)
