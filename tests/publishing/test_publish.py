"""Publish: the limit on changes, tested on both sides, and what must never be published."""

import pytest

from pipeline.errors import BeeError
from pipeline.publishing import publish
from pipeline.publishing.check import violations
from pipeline.tables import frames

NONE = frames.empty("violations")
LIST = [f"{a}{b}{c}{d}" for a in "bcdf" for b in "aeiou" for c in "bcdfg" for d in "bcdfg"][:500]


@pytest.mark.parametrize(("moved", "refused"), [(9, False), (10, False), (11, True)])
def test_two_percent_of_the_list_may_move_and_not_one_word_more(moved, refused):
    new = LIST[moved:]
    if refused:
        with pytest.raises(BeeError, match=rf"{moved} words would be added or removed .* more than 2%"):
            publish.require_publishable(LIST, new, NONE)
    else:
        publish.require_publishable(LIST, new, NONE)


def test_words_that_come_and_words_that_go_are_counted_together():
    publish.require_publishable(LIST, [*LIST[5:], *(f"zz{letter}z" for letter in "abcde")], NONE)
    with pytest.raises(BeeError, match="11 words"):
        publish.require_publishable(LIST, [*LIST[5:], *(f"zz{letter}z" for letter in "abcdef")], NONE)


def test_an_empty_list_and_errors_are_refused_and_warnings_are_not():
    with pytest.raises(BeeError, match="empty"):
        publish.require_publishable([], [], NONE)
    publish.require_publishable([], ["cove"], violations({"verdict-ended": [("cove", "so")]}))
    with pytest.raises(BeeError, match="lexicon-changed"):
        publish.require_publishable([], ["cove"], violations({"lexicon-changed": [("cove", "so")]}))
