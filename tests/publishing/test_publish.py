"""Publish: the limit on changes, tested on both sides, and what must never be published."""

import pytest

from pipeline.errors import BeeError
from pipeline.facts.coverage import Coverage
from pipeline.publishing import publish, release
from pipeline.publishing.check import RULES, violations
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


def test_what_was_found_in_captures_stays_at_home():
    tables = release.ReleaseTables(
        flags=frames.empty("flags"),
        decisions=frames.empty("decisions"),
        violations=violations({rule: [("2025-01-02 cove", "so")] for rule in RULES}),
        record=frames.empty("record"),
        coverage=Coverage(frozenset(["2025-01-02"])),
        track=frames.empty("track"),
        without_trial=frames.empty("without_trial"),
    )
    sources = frames.read_csv(b"title,version,licence,home\n", "sources")
    origins = release.ReleaseOrigins(made_with={}, sources=sources, licenses={}, scowl=b"")
    files = release.make_release(tables, origins, None, lambda _: b"date,letters\n")
    told = frames.read_csv(files["violations.csv"], "violations.csv")
    assert set(told["rule"]) == {rule for rule, each in RULES.items() if each.scope == "release"}
