"""Which possible puzzles are printed, and in which order."""

import pytest

from pipeline.play import puzzles

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


@pytest.mark.parametrize(
    ("least", "most", "kept"),
    [(None, None, 3), (2, 3, 2), (3, 3, 1), (2, 2, 1), (4, None, 0), (None, 0, 0), (0, 1, 1)],
)
def test_bounds_are_kept_puzzles_themselves(least, most, kept):
    every = puzzles.possible(["covenant", "cove", "acne"])
    some = every[every["center"].isin(["v", "c", "t"])]
    assert sorted(some["words"]) == [1, 2, 3]
    assert len(puzzles.choose(some, words=(least, most))) == kept


def test_a_letter_is_contained_as_the_center_or_outside_and_absent_from_both():
    every = puzzles.possible(["covenant", "gratify"])
    assert len(puzzles.choose(every, contains="v")) == len(puzzles.choose(every, without="g")) == 7
    assert set(puzzles.choose(every, contains="v", center="ag")["center"]) == {"a"}


def test_puzzles_with_as_many_words_come_by_points_then_by_letters(bee, listed):
    rows = [line.split(",") for line in bee("puzzles", "--list", listed, "--csv").out.splitlines()[1:]]
    keys = [(-int(words), -int(points), outer, center) for center, outer, words, points, *_ in rows]
    assert keys == sorted(keys)
    assert keys != sorted(keys, key=lambda key: (key[0], key[2]))
    assert len({key[:2] for key in keys}) < len(keys)


def test_no_more_puzzles_are_looked_at_than_are_printed(bee, listed):
    done = bee("puzzles", "--list", listed, "--max-similar", "0", "--limit", "3", "--csv")
    assert len(letters(done.out)) == 3
    assert "3 of the first 3 of them fit." in done.err


def test_a_puzzle_that_is_refused_does_not_count_toward_the_limit(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("bowling\nbowl\nblow\ncovenant\n")
    every = letters(bee("puzzles", "--list", path, "--csv", "--limit", "0").out)
    fit = [each for each in every if "v" in each or each[0] in "ing"]  # the others have both bowl and bowling
    assert every[0] not in fit
    for limit in (2, 0):
        done = bee("puzzles", "--list", path, "--csv", "--max-similar", "0", "--limit", limit)
        assert letters(done.out) == fit[: limit or None]
        looked = every.index(fit[limit - 1]) + 1 if limit else len(every)
        assert f"{limit or len(fit)} of the first {looked} of them fit." in done.err


def test_the_release_is_named_unless_another_list_is_used(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("covenant\ncove\n")
    assert "Release " not in bee("puzzles", "--list", path).err
    assert "Release " in bee("puzzles", "--limit", "1").err
