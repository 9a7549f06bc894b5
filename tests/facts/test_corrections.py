"""Corrections of days that are wrong in a source, applied to every source with the same wrong day."""

import dataclasses

import pytest

from pipeline.facts.corrections import (
    Corrected,
    apply_corrections,
    corrected_words,
    rejected_days,
    unusable_days,
)
from pipeline.publishing.check import RULES
from pipeline.sources.day import official_day
from pipeline.tables import frames

RIGHT = official_day("2025-01-02", "e", "acnotv", ["cove", "covenant", "octave"])
WRONG = official_day("2025-01-02", "n", "acetov", ["covenant", "canton"])
NEXT = official_day("2025-01-03", "n", "acetov", ["covenant", "canton"])
WHOLE = {"reported": "nacetov"}


def correction(*rows: dict[str, str]):
    blank = {"date": "2025-01-02", "listed": "", "lacking": "", "source": "nyt", "reason": "a test", "by": "me"}
    return frames.from_rows([{**blank, **row} for row in rows], "corrections")


def rules(faults) -> list[str]:
    assert {row.rule for row in faults} <= RULES.keys()
    return [row.rule for row in faults]


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
    result = apply_corrections([("nyt", RIGHT), ("plus", RIGHT)], correction(row))
    one, two = result.days
    assert (one[1].answers, two[1].answers, result.faults) == (answers, answers, [])
    assert apply_corrections([one, two], correction({**row, "source": "seed"})).days == [one, two]


def test_a_refused_word_that_a_correction_accepts_is_no_longer_refused():
    refusing = official_day("2025-01-02", "e", "acnotv", RIGHT.answers, ["tote", "vote"])
    result = apply_corrections([("nytbee", refusing)], correction({"reported": "eacnotv", "lacking": "tote"}))
    ((_, day),) = result.days
    assert ("tote" in day.answers, day.refused) == (True, ("vote",))


def test_a_correction_without_letters_leaves_out_all_that_its_source_says_of_the_day_and_nothing_else():
    row = correction({"reported": "", "source": "nytbee"})
    days = [("nyt", RIGHT), ("nytbee", RIGHT), ("nytbee", NEXT)]
    assert apply_corrections(days, row) == Corrected([("nyt", RIGHT), ("nytbee", NEXT)], [])
    assert (rejected_days(row), unusable_days(row)) == ({("nytbee", "2025-01-02")}, {("nytbee", "2025-01-02")})
    assert unusable_days(correction(WHOLE)) == set()


def test_a_stale_correction_says_what_it_expects_and_what_is_there():
    (fault,) = apply_corrections([("nyt", RIGHT)], correction({"reported": "nacetov", "listed": "canton"})).faults
    assert fault.subject == "nyt 2025-01-02 nacetov"
    assert fault.detail == "The correction was made for nacetov with canton; now nyt has eacnotv."
    other = official_day("2025-01-02", "e", "abcdfg", ["feedbagc"])
    (fault,) = apply_corrections([("nyt", other)], correction({"reported": "nacetov"})).faults
    assert fault.detail == "The correction was made for nacetov; now nyt has eabcdfg."
    assert RULES[fault.rule].severity == "error"


def test_two_corrections_of_a_date_are_both_applied():
    rows = ({"reported": "eacnotv", "lacking": "tote"}, {**WHOLE, "source": "plus"})
    result = apply_corrections([("nyt", RIGHT), ("plus", WRONG)], correction(*rows))
    assert [(source, "tote" in day.answers) for source, day in result.days] == [("nyt", True)]
    assert result.faults == []


OTHER = dataclasses.replace(WRONG, answers=WRONG.answers[:-1])
ELSEWHERE = official_day("2025-01-02", "e", "abcdfg", ["feedbagc"])


@pytest.mark.parametrize(
    ("row", "days", "remaining", "rule"),
    [
        (WHOLE, [("nyt", WRONG), ("days", RIGHT), ("table", WRONG), ("nyt", NEXT)], [1, 3], ""),
        ({"reported": "nvtoeca"}, [("nyt", WRONG), ("lines", WRONG)], [], ""),
        (WHOLE, [("nyt", WRONG), ("days", WRONG), ("nytbee", OTHER)], [2], ""),
        (WHOLE, [("days", WRONG), ("nytbee", OTHER)], [], ""),
        (WHOLE, [("nyt", OTHER), ("nyt", WRONG)], [], ""),
        (WHOLE, [("nyt", WRONG), ("nyt", RIGHT)], [1], "correction-stale"),
        (WHOLE, [("nyt", RIGHT), ("nyt", WRONG)], [0], ""),
        (WHOLE, [("table", WRONG), ("nyt", RIGHT)], [1], "correction-stale"),
        (WHOLE, [("days", RIGHT), ("nyt", NEXT)], [0, 1], ""),
        (WHOLE, [("nyt", RIGHT), ("nytbee", RIGHT)], [0, 1], "correction-met"),
        (WHOLE, [("nyt", RIGHT), ("nytbee", ELSEWHERE)], [0, 1], "correction-stale"),
        ({**WHOLE, "source": "mine"}, [("mine", WRONG)], [], ""),
        ({**WHOLE, "source": ""}, [("days", RIGHT), ("nyt", WRONG)], [0], ""),
        ({**WHOLE, "source": ""}, [("days", RIGHT), ("nyt", RIGHT)], [0, 1], "correction-stale"),
    ],
)
def test_a_wrong_day_is_left_out_whoever_brings_it_and_its_source_says_whether_that_is_still_needed(
    row, days, remaining, rule
):
    result = apply_corrections(days, correction(row))
    assert result.days == [days[position] for position in remaining]
    assert rules(result.faults) == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ({"listed": "cove"}, None),
        ({"listed": "tote"}, "correction-met"),
        ({"lacking": "tote"}, None),
        ({"lacking": "cove"}, "correction-met"),
        ({"listed": "tote", "lacking": "cove"}, "correction-met"),
        ({"listed": "cove tote"}, "correction-stale"),
        ({"lacking": "cove tote"}, "correction-stale"),
        ({"reported": "nacetov", "listed": "canton"}, "correction-stale"),
    ],
)
def test_a_correction_whose_day_says_something_else_is_stale_unless_the_day_is_right_now(row, rule):
    result = apply_corrections([("nyt", RIGHT)], correction({"reported": "eacnotv", **row}))
    assert rules(result.faults) == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"reported": "nacet"}, ""),
        ({"reported": "", "source": ""}, ""),
        ({"reported": "", "listed": "cove"}, ""),
        ({"listed": "covenant"}, ""),
        ({"source": "nty"}, '"nty" is not a source; the sources are '),
        ({"date": "2025-13-02"}, '"2025-13-02" is not a date'),
        ({"listed": "canto"}, '"canto" in the column listed cannot be an answer of eacnotv, center first'),
        ({"lacking": "beet"}, '"beet" in the column lacking cannot be an answer'),
        ({"lacking": "ace"}, ""),
        ({"reason": " "}, "the column reason is empty"),
        ({"by": ""}, "the column by is empty"),
    ],
)
def test_a_correction_that_makes_no_sense_is_named_and_changes_nothing(row, message):
    result = apply_corrections([("nyt", RIGHT)], correction({"reported": "eacnotv", **row}))
    (fault,) = result.faults
    assert (result.days, fault.rule) == ([("nyt", RIGHT)], "correction-broken")
    assert message in fault.detail


def test_only_a_correction_without_words_rejects_a_day_and_the_others_name_theirs():
    one = {"reported": "eacnotv", "date": "2025-01-03", "listed": "cove"}
    rows = correction(WHOLE, one, {"reported": "eacnotv", "date": "2025-01-04", "lacking": "tote vote"})
    assert rejected_days(rows) == {("nyt", "2025-01-02")}
    assert corrected_words(rows) == {("2025-01-03", "cove"), ("2025-01-04", "tote"), ("2025-01-04", "vote")}
