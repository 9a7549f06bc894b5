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


@pytest.mark.parametrize(("most", "kept"), [(3, 3), (2, 2), (1, 1), (0, 0)])
def test_a_puzzle_may_have_as_many_words_as_the_maximum(bee, tmp_path, most, kept):
    path = tmp_path / "words.txt"
    path.write_text("covenant\ncove\nacne\n")
    chosen = letters(bee("puzzles", "--list", path, "--max-words", most, "--limit", "0").out)
    assert len([each for each in chosen if each[0] in "vct"]) == kept


def test_a_letter_is_contained_as_the_center_or_outside(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("covenant\ngratify\n")
    chosen = letters(bee("puzzles", "--list", path, "--contains", "V").out)
    assert sorted(each[0] for each in chosen) == sorted("covenat")


def test_puzzles_with_as_many_words_come_by_points_then_by_letters(bee, listed):
    rows = [line.split(",") for line in bee("puzzles", "--list", listed).out.splitlines()[1:]]
    keys = [(-int(words), -int(points), outer, center) for center, outer, words, points, *_ in rows]
    assert keys == sorted(keys)
    assert keys != sorted(keys, key=lambda key: (key[0], key[2]))
    assert len({key[:2] for key in keys}) < len(keys)


def test_no_more_puzzles_are_looked_at_than_are_printed(bee, listed):
    done = bee("puzzles", "--list", listed, "--max-similar", "0", "--limit", "3")
    assert len(letters(done.out)) == 3
    assert "3 of the first 3 of these puzzles have few similar answers." in done.err


def test_a_puzzle_that_is_refused_does_not_count_toward_the_limit(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("bowling\nbowl\nblow\ncovenant\n")
    every = letters(bee("puzzles", "--list", path, "--limit", "0").out)
    fit = [each for each in every if "v" in each or each[0] in "ing"]  # the others have both bowl and bowling
    assert every[0] not in fit
    for limit in (2, 0):
        done = bee("puzzles", "--list", path, "--max-similar", "0", "--limit", limit)
        assert letters(done.out) == fit[: limit or None]
        looked = every.index(fit[limit - 1]) + 1 if limit else len(every)
        assert f"{limit or len(fit)} of the first {looked} of these puzzles have few" in done.err


def test_the_release_is_named_unless_another_list_is_used(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("covenant\ncove\n")
    assert "Release " not in bee("puzzles", "--list", path).err
    assert "Release " in bee("puzzles", "--limit", "1").err
