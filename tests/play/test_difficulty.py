"""How hard words and puzzles are, and which puzzles fit, each threshold at its value and on both sides."""

import pytest

from pipeline.play import difficulty


@pytest.mark.parametrize(
    ("figure", "level"),
    [(31.6, "easy"), (31.7, "medium"), (31.8, "medium"), (35.7, "medium"), (35.8, "hard"), (35.9, "hard")],
)
def test_a_level_begins_at_its_figure(figure, level):
    assert difficulty.level(figure) == level


@pytest.mark.parametrize(("accepted", "hard"), [(4, 50), (5, 40), (6, 40)])
def test_a_word_is_known_from_its_fifth_time_on(accepted, hard):
    assert difficulty.hardness_of(50, accepted) == hard
    (size,) = difficulty.load_hardness(["null"], {}).values()
    assert difficulty.load_hardness(["null"], {"null": accepted}) == {"null": size + hard - 50}


@pytest.mark.parametrize(("weighed", "points", "figure"), [(1, 20, 0.1), (1, 21, 0.0), (3, 20, 0.2)])
def test_half_a_tenth_is_rounded_up(weighed, points, figure):
    assert difficulty.rounded_mean(weighed, points) == figure


def test_a_word_of_a_table_is_as_hard_as_in_the_smallest_list_that_has_it():
    sizes = difficulty.load_sizes(["cats", "xqzzt"])
    assert sizes["cats"] < sizes["xqzzt"] == difficulty.HARDEST
