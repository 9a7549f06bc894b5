"""Which possible puzzles are printed, and in which order."""

import pytest

pytestmark = pytest.mark.slow

LIST = "covenant cove cave octave\ngratify fairy gait raft gift\n"
"""Words of two letter sets: seven puzzles each."""


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(LIST.replace(" ", "\n"))
    return path


def letters(output: str) -> list[str]:
    return ["".join(line.split(",")[:2]) for line in output.splitlines()[1:]]


def test_puzzles_with_as_many_words_come_by_points_then_by_letters(bee, listed):
    rows = [line.split(",") for line in bee("puzzles", "--list", listed).out.splitlines()[1:]]
    keys = [(-int(words), -int(points), outer, center) for center, outer, words, points, *_ in rows]
    assert keys == sorted(keys)
    assert keys != sorted(keys, key=lambda key: (key[0], key[2]))
    assert len({key[:2] for key in keys}) < len(keys)


def test_the_first_puzzles_are_printed_up_to_the_limit(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(f"{LIST}bowling\n".replace(" ", "\n"))
    every = letters(bee("puzzles", "--list", path, "--limit", "0").out)
    assert len(every) == 21
    assert letters(bee("puzzles", "--list", path, "--limit", "3").out) == every[:3]
    assert letters(bee("puzzles", "--list", path).out) == every[:20]


def test_the_release_is_named_unless_another_list_is_used(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("covenant\ncove\n")
    assert "Release " not in bee("puzzles", "--list", path).err
    assert "Release " in bee("puzzles", "--limit", "1").err
