import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.errors import LettersError
from pipeline.words import (
    bingo,
    mask,
    pangram,
    perfect_pangram,
    playable,
    puzzle,
    puzzle_day,
    spells,
    why_unplayable,
)  # fmt: skip

LETTERS = st.permutations("abcdefghijklmnopqrstuvwxyz").map(lambda letters: "".join(letters[:7]))


@pytest.mark.parametrize(
    ("now", "today", "yesterday"),
    [
        ("2026-11-23T07:59", "2026-11-22", "2026-11-21"),  # winter: 03:00 in New York is 08:00 UTC
        ("2026-11-23T08:00", "2026-11-23", "2026-11-22"),
        ("2026-07-24T06:59", "2026-07-23", "2026-07-22"),  # summer: 07:00 UTC
        ("2026-07-24T07:00", "2026-07-24", "2026-07-23"),
        ("2026-03-08T07:00", "2026-03-08", "2026-03-07"),  # the clocks went forward an hour ago
        ("2026-11-01T07:30", "2026-10-31", "2026-10-30"),  # the clocks went back an hour ago
    ],
)
def test_the_day_of_a_puzzle_turns_at_three_in_new_york(now, today, yesterday):
    moment = datetime.datetime.fromisoformat(f"{now}+00:00")
    assert (puzzle_day(moment), puzzle_day(moment, days_ago=1)) == (today, yesterday)


@given(st.one_of(st.text(max_size=30), st.text("abcdefgh", max_size=25)))
@example("abcdefgh")
@example("abcd" * 5)
@example("ab cd")
def test_a_word_can_be_played_or_there_is_a_reason_why_not(word):
    assert playable(word.lower()) == (not why_unplayable(word))


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
        ("", None, "you gave none"),
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


def test_pangrams_and_bingo():
    assert pangram("covenant")
    assert not perfect_pangram("covenant")
    assert perfect_pangram("bangers")
    assert not bingo(puzzle("abcdefg"), ["abed", "bead"])
