"""Decisions of people about the lists of days: which list a row is about, and what it changes."""

import pytest

from pipeline.facts.coverage import Coverage
from pipeline.facts.day_decisions import decide_days, not_asked, rejected_lists
from pipeline.publishing.check import missing_dates
from pipeline.sources.day import official_day
from pipeline.tables import frames

RIGHT = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"])
OTHER = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "vote"])
WRONG = official_day("2025-01-02", "n", "acetov", ["covenant", "canton"])
NEXT = official_day("2025-01-03", "n", "acetov", ["covenant", "canton"])
ACCEPT, REJECT, FIX = ({"decision": decision} for decision in ("accept", "reject", "fix"))


def decisions(*rows: dict[str, str]):
    blank = {"date": "2025-01-02", "letters": "eacnotv", "answers": "3", "source": "", "added": "", "removed": ""}
    return frames.from_rows([{**blank, "reason": "a test", "by": "me", **row} for row in rows], "day_decisions")


def decided(days, *rows):
    """The lists that are left, by source; the accepted dates; and the rules of the faults."""
    found = decide_days(days, decisions(*rows))
    return {source: day.answers for source, day in found.days}, found.accepted, [one.rule for one in found.faults]


ALL = [("nyt", RIGHT), ("nytbee", OTHER), ("plus", WRONG), ("plus", NEXT)]
THIS_DAY = frozenset([RIGHT.date])


@pytest.mark.parametrize("source", ["", "nyt"])
def test_of_an_accepted_day_only_lists_like_the_accepted_one_are_left(source):
    days = [("nyt", RIGHT), ("table", RIGHT), ("plus", WRONG), ("nytbee", NEXT)]
    left = {"nyt": RIGHT.answers, "table": RIGHT.answers, "nytbee": NEXT.answers}
    assert decided(days, {**ACCEPT, "source": source}) == (left, THIS_DAY, [])


@pytest.mark.parametrize("answers", ["2", ""])
def test_a_rejected_list_is_not_used_nor_is_an_earlier_one_of_its_source(answers):
    days = [("plus", RIGHT), *ALL]
    row = {**REJECT, "source": "plus", "letters": "naceotv", "answers": answers}
    found = decide_days(days, decisions(row))
    assert (found.days, found.accepted, found.faults) == ([ALL[0], ALL[1], ALL[3]], frozenset(), [])


@pytest.mark.parametrize(
    ("added", "removed", "answers"),
    [
        ("", "cove", ("covenant", "octave")),
        ("tote", "", ("cove", "covenant", "octave", "tote")),
        ("vote tote", "cove octave", ("covenant", "tote", "vote")),
    ],
)
def test_a_fix_accepts_the_list_of_its_source_with_other_words(added, removed, answers):
    row = {**FIX, "source": "nyt", "added": added, "removed": removed}
    assert decided(ALL[:3], row) == ({"nyt": answers}, THIS_DAY, [])


def test_two_sources_that_are_fixed_alike_are_both_left():
    rows = [{**FIX, "source": "nyt", "removed": "octave"}, {**FIX, "source": "nytbee", "removed": "vote"}]
    same = ("cove", "covenant")
    assert decided(ALL[:3], *rows) == ({"nyt": same, "nytbee": same}, THIS_DAY, [])


def test_a_fix_that_the_source_has_made_itself_still_accepts_its_list():
    row = {**FIX, "source": "nyt", "answers": "2", "added": "octave"}
    assert decided(ALL[:3], row) == ({"nyt": RIGHT.answers}, THIS_DAY, [])
    cut_short = [("nyt", official_day(RIGHT.date, "e", "acnotv", ["covenant", "octave"]))]
    assert decided(cut_short, {**row, "answers": "4"}) == ({"nyt": ("covenant", "octave")}, frozenset(), ["day-stale"])


def test_a_refused_word_that_a_fix_adds_is_no_longer_refused():
    refusing = official_day("2025-01-02", "e", "acnotv", RIGHT.answers, ["tote", "vote"])
    ((_, day),) = decide_days([("nytbee", refusing)], decisions({**FIX, "source": "nytbee", "added": "tote"})).days
    assert ("tote" in day.answers, day.refused) == (True, ("vote",))


@pytest.mark.parametrize(
    "row",
    [
        {**ACCEPT, "answers": "4"},
        {**ACCEPT, "letters": "cabdefg"},
        {**ACCEPT, "source": "plus"},
        {**REJECT, "source": "nyt", "answers": "4"},
        {**FIX, "source": "nyt", "answers": "4", "added": "tote"},
        {**FIX, "source": "nyt", "answers": "4", "removed": "cove"},
        {**FIX, "source": "nyt", "answers": "2", "added": "tote"},
        {**REJECT, "letters": "", "answers": ""},
        {**REJECT, "letters": "", "answers": "", "source": "nyt"},
        {**FIX, "source": "nyt", "answers": "3", "added": "octave", "letters": "acbdefg"},
    ],
)
def test_a_decision_about_another_list_is_stale_and_changes_nothing(row):
    found = decide_days(ALL, decisions(row))
    assert (found.days, found.accepted, [one.rule for one in found.faults]) == (ALL, frozenset(), ["day-stale"])
    assert not decide_days([("nyt", NEXT)], decisions(row)).faults, "the day is not on disk"


@pytest.mark.parametrize(
    "rows",
    [
        [{**FIX, "source": "nyt", "removed": "covenant"}],
        [{**ACCEPT, "source": "nyt"}, {**ACCEPT, "source": "nytbee"}],
        [{**ACCEPT}],
    ],
)
def test_a_decision_that_cannot_be_applied_is_broken_and_changes_nothing(rows):
    found = decide_days(ALL, decisions(*rows))
    assert (found.days, found.accepted) == (ALL, frozenset())
    assert {one.rule for one in found.faults} == {"day-broken"}
    assert len(found.faults) == len(rows)


@pytest.mark.parametrize("other", [{**REJECT, "source": "nyt"}, {**FIX, "source": "nyt", "removed": "cove"}])
def test_two_decisions_that_make_different_things_of_one_list_are_broken(other):
    days = [("nyt", RIGHT), ("plus", WRONG)]
    found = decide_days(days, decisions(ACCEPT, other))
    assert (found.days, found.accepted) == (days, frozenset())
    assert sorted((one.rule, one.subject) for one in found.faults) == [
        ("day-broken", "2025-01-02 eacnotv"),
        ("day-broken", "2025-01-02 nyt eacnotv"),
    ]


def test_rejected_lists_do_not_count_as_known_and_those_without_letters_are_not_asked_for():
    rows = decisions(
        {**REJECT, "source": "plus", "letters": "naceotv"},
        {**REJECT, "source": "nyt", "letters": ""},
        {**REJECT, "date": "2025-01-03", "letters": ""},
        {**ACCEPT, "source": "nytbee"},
    )
    assert rejected_lists(rows) == {("plus", "2025-01-02"), ("nyt", "2025-01-02")}
    assert not_asked(rows) == {("nyt", "2025-01-02"), ("", "2025-01-03")}


def test_an_earlier_list_of_an_accepted_source_is_not_used():
    found = decide_days([("nyt", OTHER), ("nyt", RIGHT)], decisions({**ACCEPT, "source": "nyt"}))
    assert (found.days, found.accepted, found.faults) == ([("nyt", RIGHT)], THIS_DAY, [])


def test_a_stale_decision_beside_two_that_contradict_each_other_is_only_stale():
    rows = [{**ACCEPT, "source": "nyt"}, {**ACCEPT, "source": "nytbee"}, {**REJECT, "source": "plus"}]
    assert sorted(decided(ALL, *rows)[2]) == ["day-broken", "day-broken", "day-stale"]


def test_a_list_that_lost_the_words_of_a_fix_by_itself_is_still_accepted():
    row = {**FIX, "source": "nyt", "answers": "4", "removed": "tote"}
    assert decided(ALL[:3], row) == ({"nyt": RIGHT.answers}, THIS_DAY, [])


@pytest.mark.parametrize(("source", "missing"), [("", []), ("nyt", ["2025-01-02"])])
def test_a_day_is_no_longer_missing_only_if_no_source_has_it(source, missing):
    covered, rows = (
        Coverage(frozenset(["2025-01-01", "2025-01-03"])),
        decisions({**REJECT, "letters": "", "source": source}),
    )
    assert missing_dates(covered, frames.empty("days"), rows) == missing
    assert missing_dates(covered, frames.empty("days"), rows, until="2025-01-04") == [*missing, "2025-01-04"]
