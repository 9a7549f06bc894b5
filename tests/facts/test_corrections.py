"""Corrections of days that are wrong in a source, applied to every source with the same wrong day."""

import dataclasses

import pytest
from conftest import PROJECT

from pipeline.facts.corrections import corrected, given_up, left_out, named, rejected
from pipeline.sources import read
from pipeline.sources.day import day
from pipeline.tables import frames
from pipeline.violations import VIOLATIONS

RIGHT = day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"])
WRONG = day("2025-01-02", "n", "acetov", ["covenant", "canton"])
NEXT = day("2025-01-03", "n", "acetov", ["covenant", "canton"])
WHOLE = {"reported": "nacetov"}


def correction(*rows: dict[str, str]):
    blank = {"date": "2025-01-02", "listed": "", "lacking": "", "source": "nyt", "reason": "a test", "by": "me"}
    return frames.from_rows([{**blank, **row} for row in rows], "corrections")


def rules(faults) -> list[str]:
    assert {row.rule for row in faults} <= VIOLATIONS.keys()
    return [row.rule for row in faults]


def test_a_wrong_day_is_left_out_whoever_brings_it_and_no_other():
    days = [("nyt", WRONG), ("days", RIGHT), ("table", WRONG), ("nyt", NEXT)]
    assert corrected(days, correction(WHOLE)) == ([("days", RIGHT), ("nyt", NEXT)], [])


@pytest.mark.parametrize(
    "imported",
    [
        b"date,center,outer,answer\n2025-01-02,n,acetov,covenant\n2025-01-02,n,acetov,canton\n",
        b'{"20250102": {"center": "n", "others": "acetov", "solutions": ["covenant", "canton"]}}',
        b"2025-01-02 n vtoeca: canton covenant\n",
    ],
)
def test_a_wrong_day_does_not_come_back_through_an_import(imported):
    source, parsed = read(imported, "file")
    assert len(parsed.days) == 1
    days = [("nyt", WRONG), *[(str(source), each) for each in parsed.days]]
    assert corrected(days, correction({"reported": "nvtoeca"})).days == []


@pytest.mark.parametrize(
    ("row", "answers"),
    [
        ({"listed": "cove"}, ("covenant", "octave")),
        ({"lacking": "tote"}, ("cove", "covenant", "octave", "tote")),
        ({"listed": "cove octave", "lacking": "vote tote"}, ("covenant", "tote", "vote")),
    ],
)
def test_single_words_are_corrected_in_every_source_and_once(row, answers):
    row = {"reported": "eacnotv", **row}
    (one, two), faults = corrected([("nyt", RIGHT), ("plus", RIGHT)], correction(row))
    assert (one[1].answers, two[1].answers, faults) == (answers, answers, [])
    assert corrected([one, two], correction({**row, "source": "seed"})).days == [one, two]


def test_a_refused_word_that_a_correction_accepts_is_no_longer_refused():
    refusing = day("2025-01-02", "e", "acnotv", RIGHT.answers, ["tote", "vote"])
    ((_, made),), _ = corrected([("nytbee", refusing)], correction({"reported": "eacnotv", "lacking": "tote"}))
    assert ("tote" in made.answers, made.refused) == (True, ("vote",))


@pytest.mark.parametrize(
    ("row", "day_now", "rule"),
    [
        (WHOLE, WRONG, None),
        (WHOLE, RIGHT, "correction-stale"),
        ({"reported": "eacnotv", "listed": "cove"}, RIGHT, None),
        ({"reported": "eacnotv", "listed": "tote"}, RIGHT, "correction-met"),
        ({"reported": "eacnotv", "lacking": "tote"}, RIGHT, None),
        ({"reported": "eacnotv", "lacking": "cove"}, RIGHT, "correction-met"),
        ({"reported": "eacnotv", "listed": "tote", "lacking": "cove"}, RIGHT, "correction-met"),
        ({"reported": "eacnotv", "listed": "cove tote"}, RIGHT, "correction-stale"),
        ({"reported": "eacnotv", "lacking": "cove tote"}, RIGHT, "correction-stale"),
        ({"reported": "nacetov", "listed": "canton"}, RIGHT, "correction-stale"),
    ],
)
def test_a_correction_whose_day_says_something_else_is_stale_unless_the_day_is_right_now(row, day_now, rule):
    faults = corrected([("nyt", day_now)], correction(row)).faults
    assert rules(faults) == [rule] * bool(rule)


def test_a_rejected_day_has_come_true_only_when_another_source_has_the_same_puzzle():
    assert rules(corrected([("nyt", RIGHT), ("nytbee", RIGHT)], correction(WHOLE)).faults) == ["correction-met"]
    elsewhere = day("2025-01-02", "e", "abcdfg", ["feedbagc"])
    assert rules(corrected([("nyt", RIGHT), ("nytbee", elsewhere)], correction(WHOLE)).faults) == ["correction-stale"]
    assert VIOLATIONS["correction-met"].severity == "warning"


def test_two_sources_with_the_same_wrong_word_each_have_a_correction():
    rows = correction(
        {"reported": "eacnotv", "source": "nyt", "listed": "cove"},
        {"reported": "eacnotv", "source": "nytbee", "listed": "cove"},
    )
    (one, two), faults = corrected([("nyt", RIGHT), ("nytbee", RIGHT)], rows)
    assert ("cove" in one[1].answers, "cove" in two[1].answers, faults) == (False, False, [])


def test_a_correction_without_letters_leaves_out_all_that_its_source_says_of_the_day_and_nothing_else():
    row = correction({"reported": "", "source": "nytbee"})
    days = [("nyt", RIGHT), ("nytbee", RIGHT), ("nytbee", NEXT)]
    assert corrected(days, row) == ([("nyt", RIGHT), ("nytbee", NEXT)], [])
    assert (rejected(row), given_up(row)) == ({("nytbee", "2025-01-02")}, {("nytbee", "2025-01-02")})
    assert given_up(correction(WHOLE)) == set()


def test_the_last_capture_of_the_named_source_decides_what_is_stale():
    assert rules(corrected([("nyt", WRONG), ("nyt", RIGHT)], correction(WHOLE)).faults) == ["correction-stale"]
    assert corrected([("nyt", RIGHT), ("nyt", WRONG)], correction(WHOLE)).faults == []


def test_a_list_that_is_rejected_does_not_reject_another_list_with_these_letters():
    other = dataclasses.replace(WRONG, answers=WRONG.answers[:-1])
    days = [("nyt", WRONG), ("days", WRONG), ("nytbee", other)]
    assert corrected(days, correction(WHOLE)).days == [("nytbee", other)]
    assert corrected(days[1:], correction(WHOLE)).days == []


def test_an_earlier_list_of_the_source_whose_day_is_rejected_does_not_come_back():
    earlier = dataclasses.replace(WRONG, answers=WRONG.answers[:-1])
    assert corrected([("nyt", earlier), ("nyt", WRONG)], correction(WHOLE)) == ([], [])


def test_a_rejected_day_does_not_come_back_from_another_source_when_its_own_source_has_corrected_itself():
    days, faults = corrected([("table", WRONG), ("nyt", RIGHT)], correction(WHOLE))
    assert (days, rules(faults)) == ([("nyt", RIGHT)], ["correction-stale"])


def test_only_a_correction_without_words_rejects_a_day_and_the_others_name_theirs():
    rows = correction(
        WHOLE,
        {"reported": "eacnotv", "date": "2025-01-03", "listed": "cove"},
        {"reported": "eacnotv", "date": "2025-01-04", "lacking": "tote vote"},
    )
    assert rejected(rows) == {("nyt", "2025-01-02")}
    assert left_out(rows) == {"2025-01-02"}
    assert named(rows) == {("2025-01-03", "cove"), ("2025-01-04", "tote"), ("2025-01-04", "vote")}


def test_a_correction_waits_for_its_source():
    assert corrected([("days", RIGHT), ("nyt", NEXT)], correction(WHOLE)).faults == []
    assert corrected([], correction(WHOLE)) == ([], [])


def test_without_a_named_source_any_source_keeps_a_correction_fresh():
    row = {**WHOLE, "source": ""}
    assert corrected([("days", RIGHT), ("nyt", WRONG)], correction(row)).faults == []
    assert rules(corrected([("days", RIGHT), ("nyt", RIGHT)], correction(row)).faults) == ["correction-stale"]


def test_a_stale_correction_says_what_it_expects_and_what_is_there():
    (fault,) = corrected([("nyt", RIGHT)], correction({"reported": "nacetov", "listed": "canton"})).faults
    assert fault.subject == "nyt 2025-01-02 nacetov"
    now = "nyt has eacnotv. These are the same letters: write the center first."
    assert fault.detail == f"The correction expects nacetov with canton; {now}"
    other = day("2025-01-02", "e", "abcdfg", ["feedbagc"])
    (fault,) = corrected([("nyt", other)], correction({"reported": "nacetov"})).faults
    assert fault.detail == "The correction expects nacetov; nyt has eabcdfg."
    assert VIOLATIONS[fault.rule].severity == "error"


@pytest.mark.parametrize(
    "row",
    [
        {"reported": "nacet"},
        {"reported": "", "source": ""},
        {"reported": "", "listed": "cove"},
        {"reported": "eacnotv", "lacking": "toto"},
        {"reported": "eacnotv", "lacking": "ace"},
        {"reported": "eacnotv", "listed": "covenant"},
    ],
)
def test_a_correction_that_makes_no_puzzle_is_named_and_changes_nothing(row):
    days = [("nyt", RIGHT)]
    kept, faults = corrected(days, correction(row))
    assert kept == days
    assert rules(faults) == ["correction-broken"]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"source": "nty"}, '"nty" is not a source; the sources are '),
        ({"date": "2025-13-02"}, '"2025-13-02" is no date'),
        ({"listed": "canto"}, '"canto" in listed cannot be an answer of eacnotv, center first'),
        ({"lacking": "beet"}, '"beet" in lacking cannot be an answer'),
        ({"reason": " "}, "the column reason is empty"),
        ({"by": ""}, "the column by is empty"),
    ],
)
def test_a_cell_that_makes_no_sense_is_named_whatever_the_sources_have(row, says):
    for days in ([], [("nyt", RIGHT)], [("plus", WRONG)]):
        kept, (fault,) = corrected(days, correction({"reported": "eacnotv", **row}))
        assert (kept, fault.rule) == (days, "correction-broken")
        assert says in fault.detail


def test_a_correction_may_name_any_source_that_has_days_here():
    row = {**WHOLE, "source": "mine"}
    assert corrected([("mine", WRONG)], correction(row)) == ([], [])


def test_two_corrections_of_a_date_are_both_applied():
    rows = ({"reported": "eacnotv", "lacking": "tote"}, {**WHOLE, "source": "plus"})
    kept, faults = corrected([("nyt", RIGHT), ("plus", WRONG)], correction(*rows))
    assert [(source, "tote" in each.answers) for source, each in kept] == [("nyt", True)]
    assert faults == []


def test_the_committed_corrections_are_a_table_with_reasons():
    path = PROJECT / "data/custom/corrections.csv"
    rows = frames.rows(frames.from_text(frames.read_csv(path.read_bytes(), path), "corrections"))
    assert {row["date"]: row["reported"] for row in rows} == {"2025-05-07": "oclmrty", "2025-06-03": "caehimn"}
    assert all(row["reason"] and row["by"] for row in rows)
