"""A table of answers: a broken line never leaves a day that lacks one of its answers."""

import pytest

from pipeline.sources import read_capture

WORDS = ("cove", "covenant", "octave")
FIRST = [f"2025-01-02,e,acnotv,{word}" for word in WORDS]
SECOND = [f"2025-01-03,e,acnotv,{word}" for word in WORDS]
HEAD = "date,center,outer,answer"


def dates(*lines: str, head: str = HEAD) -> list[str]:
    """The days that are read from a table; every table here has a broken line, and that is a fault."""
    parsed = read_capture(("\n".join([head, *lines]) + "\n").encode(), "file")
    assert parsed.faults
    return [day.date for day in parsed.days]


def test_a_table_in_any_order_of_lines_and_with_dates_in_both_forms_is_read_whole():
    mixed = [line.replace("2025-01-02", "20250102") for line in FIRST[:1]] + FIRST[1:]
    for lines in (FIRST + SECOND, [*SECOND, *reversed(FIRST)], mixed + SECOND, [FIRST[0], *SECOND, *FIRST[1:]]):
        parsed = read_capture("\n".join([HEAD, *lines, ",,,", ""]).encode(), "file")
        assert [(day.date, day.answers) for day in parsed.days] == [("2025-01-02", WORDS), ("2025-01-03", WORDS)]
        assert parsed.faults == ()


@pytest.mark.parametrize(
    "broken",
    [
        "2025-01-02,e,acnotv",
        " 2025-01-02,e,acnotv",
        "20250102,e,acnotv",
        '2025-01-02,e,acnotv,"octave',
        "2025-01-02;e;acnotv;octave",
        "2025-01-02e,acnotv,octave",
        "2025-01-02,e,acnotv,",
        "e,acnotv,octave,2025-01-02",
        "2025-01-02T00:00,e,acnotv,octave",
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_broken_line_costs_its_day_however_its_date_is_written_and_no_other(broken, first):
    rest = FIRST[:2] + SECOND
    lines = [broken, *rest] if first else [*rest, broken]
    assert dates(*lines) == ["2025-01-03"]


def test_a_line_that_lost_a_cell_costs_its_day_in_any_order_of_columns():
    head = "answer,date,center,outer"
    good = [f"{word},2025-01-0{number},e,acnotv" for number in (2, 3) for word in WORDS]
    assert dates(*good[1:], "2025-01-02,e,acnotv", head=head) == ["2025-01-03"]
    assert dates(*good[1:], "2025-01-02,e,acnotv,", head=head) == ["2025-01-03"]


def test_two_lines_that_ran_together_cost_both_days():
    third = [line.replace("01-03", "01-04") for line in SECOND]
    assert dates(*FIRST[1:], FIRST[0] + SECOND[0], *SECOND[1:], *third) == ["2025-01-04"]


@pytest.mark.parametrize(
    "broken",
    ["e,acnotv,octave", "octave", ",e,acnotv,octave", "2025-02-30,e,acnotv,octave", "1/2/2025,e,acnotv,octave"],
)
def test_of_a_line_whose_day_cannot_be_told_every_day_may_be_wrong(broken):
    assert dates(*FIRST[:2], broken, *SECOND) == []
    faults = read_capture("\n".join([HEAD, *FIRST, broken, ""]).encode(), "file").faults
    assert [fault.location for fault in faults] == ["file:5", "file"]
    assert "may belong to any day of the file" in faults[1].detail


def test_where_another_column_has_dates_too_a_date_does_not_tell_the_day_of_a_broken_line():
    head = f"{HEAD},added"
    same = [f"{line},{line[:10]}" for line in FIRST[:2] + SECOND]
    other = [f"{line},2025-01-03" for line in FIRST[:2] + SECOND]
    assert dates(*same, "e,acnotv,octave,2025-01-02", head=head) == ["2025-01-03"]
    assert dates(*other, "e,acnotv,octave,2025-01-03", head=head) == []


def test_a_day_out_of_range_costs_no_other_day():
    assert dates(*FIRST, "2099-01-02,e,acnotv,octave", "2010-01-02,e,acnotv,octave") == ["2025-01-02"]


@pytest.mark.parametrize(("end", "expected"), [("\n", ["2025-01-02", "2025-01-03"]), ("", ["2025-01-02"])])
def test_the_day_of_a_last_line_without_an_end_is_not_read(end, expected):
    text = "\n".join([HEAD, *FIRST, *SECOND]) + end
    assert [day.date for day in read_capture(text.encode(), "file").days] == expected


def test_lines_of_one_day_with_different_letters_are_no_day():
    assert dates(*FIRST[:2], "2025-01-02,o,acentv,octave", *SECOND) == ["2025-01-03"]
