import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.words import (
    LettersError,
    bingo,
    mask,
    pangram,
    perfect_pangram,
    playable,
    puzzle,
    rule_broken,
    score,
    spells,
)

LETTERS = st.permutations("abcdefghijklmnopqrstuvwxyz").map(lambda letters: "".join(letters[:7]))


@given(LETTERS)
def test_a_puzzle_reads_the_same_however_it_is_written(seven):
    asked = puzzle(seven)
    assert asked == puzzle(seven.upper()) == puzzle(" ".join(seven)) == puzzle(seven[1:], center=seven[0])
    assert set(asked.letters) == set(seven)
    assert asked.center == seven[0]


@pytest.mark.parametrize(
    ("letters", "center", "says"),
    [
        ("abcdef", None, '"abcdef" has 6'),
        ("abcdefgh", None, '"abcdefgh" has 8'),
        ("", None, "there are none"),
        ("abcdefa", None, '"a" is in "abcdefa" twice'),
        ("abcdef1", None, '"1" is not a letter'),
        ("abcdefé", None, '"é" is not a letter'),
        ("bcdefg", "ab", "one letter"),
        ("abcdef", "a", "among the outer letters"),
    ],
)
def test_wrong_letters_get_one_sentence_that_says_what_is_wrong(letters, center, says):
    with pytest.raises(LettersError) as error:
        puzzle(letters, center)
    assert says in str(error.value)
    assert str(error.value).endswith(".")


@given(st.text("abcdefgh", min_size=1, max_size=12), LETTERS)
def test_masks_say_what_sets_of_letters_say(word, seven):
    asked = puzzle(seven)
    inside = not mask(word) & ~mask(asked.letters) and bool(mask(word) & mask(asked.center))
    assert spells(asked, word) == inside


def test_null_is_a_word():
    assert playable("null")
    assert rule_broken("null") is None


def test_length_rules_are_parameters():
    assert rule_broken("cafe", min_length=5) == "too short"
    assert rule_broken("antidisestablish", max_length=15) == "too long"
    assert playable("bee", min_length=3)


@pytest.mark.parametrize(
    ("word", "points"), [("cove", 1), ("caves", 5), ("octave", 6), ("covenant", 15), ("bangers", 14)]
)
def test_points(word, points):
    assert score(word) == points


def test_pangrams_and_bingo():
    assert pangram("covenant")
    assert not perfect_pangram("covenant")
    assert perfect_pangram("bangers")
    assert not bingo(puzzle("abcdefg"), ["abed", "bead"])
