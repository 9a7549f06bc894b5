"""Our own puzzles: what a letter set and a puzzle need, each threshold on both sides, and the puzzles of the day."""

from __future__ import annotations

import datetime
import itertools

import pytest

from pipeline.errors import ReleaseError
from pipeline.play import daily
from pipeline.reader import Release


def row(p: str = "0.90", accepted: int = 0, flags: str = "") -> dict[str, str]:
    """A row of words.csv."""
    return {"p": p, "accepted": str(accepted), "flags": flags, "tier": "likely"}


def fresh(**rows: dict[str, str]) -> set[str]:
    return daily.new_letter_sets(rows, rows)


def test_letters_with_s_or_both_e_and_r_or_four_vowels_are_left_out():
    words = ("abcdefg", "abcdfgr", "gfedcia", "abcdefr", "abcdfgs", "abcdeio")
    assert fresh(**{word: row() for word in words}) == {"abcdefg", "abcdfgr", "acdefgi"}


@pytest.mark.parametrize(
    ("made", "kept"),
    [
        (row(p="0.76"), True),
        (row(p="0.75"), True),
        (row(p="0.74"), False),
        (row(accepted=1), False),
        (row(flags="seldom"), False),
        (row(flags="large-list rare"), False),
        (row(flags="british large-list"), True),
        (row(flags="sensitive"), False),
    ],
)
def test_a_letter_set_needs_a_pangram_that_is_new_likely_common_and_decent(made, kept):
    assert bool(fresh(abcdefg=made)) == kept


@pytest.mark.parametrize(
    ("other", "kept"), [(row(p="0.50", flags="seldom"), True), (row(accepted=1), False), (row(flags="crude"), False)]
)
def test_one_good_pangram_is_enough_and_one_official_or_offensive_one_too_many(other, kept):
    assert bool(fresh(abcdefg=row(), gfedcba=other)) == kept
    assert bool(fresh(gfedcba=other, abcdefg=row())) == kept


def test_one_pangram_must_be_both_likely_and_common_by_our_own_list():
    assert fresh(abcdefg=row(p="0.74"), gfedcba=row(flags="seldom")) == set()
    assert daily.new_letter_sets(["abcdefg"], {}) == set()
    assert daily.new_letter_sets(["abcdefg", "gfedcba"], {"abcdefg": row()}) == {"abcdefg"}


MIDDLE = {name: (low + high) / 2 for name, (low, high) in daily.BANDS.items()}


@pytest.mark.parametrize("name", daily.BANDS)
def test_a_puzzle_lies_in_each_band_its_ends_included(name):
    low, high = daily.BANDS[name]
    assert daily.is_like_official_ones(MIDDLE)
    assert daily.is_like_official_ones(MIDDLE | {name: low})
    assert daily.is_like_official_ones(MIDDLE | {name: high})
    assert not daily.is_like_official_ones(MIDDLE | {name: low - 0.1})
    assert not daily.is_like_official_ones(MIDDLE | {name: high + 0.1})


def test_a_puzzle_is_measured_by_its_answers():
    answers = ["cove", "coved", "coving", "ding", "bed", "convinced"]
    made = daily.measure(answers, dict.fromkeys(answers, 40))
    assert (made["words"], made["points"], made["pangrams"]) == (6, 1 + 5 + 6 + 1 + 1 + 9 + 7, 1)
    assert made["four"] == made["ing"] == 100 * 2 / 6
    assert made["ed"] == 100 * 3 / 6
    assert made["difficulty"] == 40
    assert made.keys() == daily.BANDS.keys()


FOUR = ["a" + "".join(each) for each in itertools.product("bcf", repeat=3)][:12]
FIVE = ["a" + "".join(each) for each in itertools.product("bcf", repeat=4)][:20]
ANSWERS = [*FOUR, *FIVE, "abcdefg"]
"""The answers of a puzzle with center *a* that lies in all bands."""


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ({}, True),
        ({FIVE[0]: row(flags="crude")}, True),
        ({FIVE[0]: row(flags="rare vulgar")}, False),
        ({"dcbf": row(flags="explicit")}, True),  # it lacks the center
        ({f"{word}ed": row() for word in FIVE}, True),  # 20 of 53
        ({f"{word}ed": row() for word in [*FIVE, "abg"]}, False),  # 21 of 54
    ],
)
def test_a_puzzle_is_in_the_pool_if_it_lies_in_all_bands_and_has_no_offensive_answer(rows, kept):
    words = {word: row() for word in ANSWERS} | rows
    found = daily.pool(list(words), dict.fromkeys(words, 33), words)
    assert found.get("abcdefg") == ("medium" if kept else None)


# ---------------------------------------------------------------- puzzles of the day

LEVELS = {"abcdefg": "easy", "bacdefg": "medium", "vacenot": "hard"}


def test_a_published_puzzle_stays_whatever_the_pool_is():
    days = {"2027-01-01": "mcegint"}
    assert daily.letters_of_day(LEVELS, "2027-01-01", days) == daily.letters_of_day({}, "2027-01-01", days) == "mcegint"
    assert daily.letters_of_day(LEVELS, "2027-01-02", days) in LEVELS


@pytest.mark.parametrize(("ago", "returns"), [(1, False), (daily.DAYS_BETWEEN, False), (daily.DAYS_BETWEEN + 1, True)])
def test_a_letter_set_does_not_return_soon_with_another_center_either(ago, returns):
    for days in (-ago, ago):
        chosen = set()
        for date in daily.dates("2028-01-01", 40):
            other = (datetime.date.fromisoformat(date) + datetime.timedelta(days)).isoformat()
            chosen.add(daily.letters_of_day(LEVELS, date, {other: "gabcdef"}))
        assert chosen == (LEVELS.keys() if returns else {"vacenot"})


def test_letters_return_where_no_others_are_left():
    days = {"2027-01-01": "gabcdef", "2027-01-02": "vacenot"}
    assert {daily.letters_of_day(LEVELS, date, days) for date in daily.dates("2028-01-01", 40)} == LEVELS.keys()


def test_the_file_is_read_and_a_release_without_it_has_none():
    data = b"date,letters\n2026-12-31,vacenot\n2027-01-01,mcegint\n"
    assert daily.decode(data) == {"2026-12-31": "vacenot", "2027-01-01": "mcegint"}
    assert daily.published(Release({daily.FILE: data})) == daily.decode(data)
    assert daily.published(Release({})) == daily.decode(b"date,letters\n") == {}


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"2026-12-31,vacenot\n",
        b"date,letters\n2026-12-31,vacenot\n2027-01-02,mcegint\n",  # a day is missing
        b"date,letters\n2026-12-31,vacenot\n2026-12-31,mcegint\n",  # a day is there twice
        b"date,letters\n2027-01-01,vacenot\n2026-12-31,mcegint\n",
        b"date,letters\n20261231,vacenot\n",
        b"date,letters\n2026-02-30,vacenot\n",
        b"date,letters\n2026-12-31,vcaenot\n",  # the outer letters are not sorted
        b"date,letters\n2026-12-31,vacent\n",
        b"date,letters\n2026-12-31,vacenot,easy\n",
        b"date,letters\n2026-12-31,vacenot\n\n",
        b"date,letters\n2026-12-31,vacen\xff\xff\n",
    ],
)
def test_a_damaged_file_is_refused(damaged):
    with pytest.raises(ReleaseError, match=r"daily\.csv is damaged"):
        daily.decode(damaged)
