"""A table of answers: a broken line never leaves a day that lacks one of its answers."""

import pytest

from pipeline.sources import read_capture

WORDS = ("cove", "covenant", "octave")
FIRST = [f"2025-01-02,e,acnotv,{word}" for word in WORDS]
SECOND = [f"2025-01-03,e,acnotv,{word}" for word in WORDS]
HEAD = "date,center,outer,answer"


def dates(*lines: str) -> list[str]:
    """The days that are read from a table; every table here has a broken line, and that is a fault."""
    parsed = read_capture(("\n".join([HEAD, *lines]) + "\n").encode(), "file")
    assert parsed.faults
    return [day.date for day in parsed.days]


def test_a_table_in_any_order_of_lines_and_with_dates_in_both_forms_is_read_whole():
    mixed = [line.replace("2025-01-02", "20250102") for line in FIRST[:1]] + FIRST[1:]
    for lines in (FIRST + SECOND, [*SECOND, *reversed(FIRST)], mixed + SECOND, [FIRST[0], *SECOND, *FIRST[1:]]):
        parsed = read_capture("\n".join([HEAD, *lines, ",,,", ""]).encode(), "file")
        assert [(day.date, day.answers) for day in parsed.days] == [("2025-01-02", WORDS), ("2025-01-03", WORDS)]
        assert parsed.faults == ()


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ("2025-01-02,e,acnotv", "broken-line"),
        ('2025-01-02,e,acnotv,"octave', "broken-line"),
        ("2025-01-02;e;acnotv;octave", "broken-line"),
        ("e,acnotv,octave,2025-01-02", "bad-date"),
        (",e,acnotv,octave", "bad-date"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_with_a_broken_line_every_day_may_be_wrong(broken, rule, first):
    rest = FIRST[:2] + SECOND
    lines = [broken, *rest] if first else [*rest, broken]
    parsed = read_capture("\n".join([HEAD, *lines, ""]).encode(), "file")
    assert parsed.days == ()
    (fault,) = parsed.faults
    assert (fault.rule, fault.location) == (rule, "file:2" if first else "file:7")
    assert fault.detail.endswith("Nothing in the file is used.")


def test_an_empty_answer_other_letters_and_a_future_date_cost_no_other_day():
    assert dates(*FIRST[:2], "2025-01-02,o,acentv,octave", *SECOND) == ["2025-01-03"]
    assert dates(*FIRST[:2], "2025-01-02,e,acnotv,", *SECOND) == ["2025-01-03"]
    assert dates(*FIRST, "2099-01-02,e,acnotv,octave") == ["2025-01-02"]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("2025-01-02,e,acnotv,beet", "unspellable"),
        ("2025-01-02,e,acnotw,wove", "broken-line"),
    ],
)
def test_a_wrong_answer_is_reported_at_its_line(line, rule):
    rows = [HEAD, FIRST[0], *SECOND, line, *FIRST[1:]]
    (fault,) = read_capture(("\n".join(rows) + "\n").encode(), "file").faults
    assert (fault.rule, fault.location) == (rule, "file:6")


@pytest.mark.parametrize(("answer", "line"), [("cab", 3), ("cove", 4)])
def test_of_two_lines_with_a_wrong_answer_the_first_is_named_and_of_two_equal_answers_the_second(answer, line):
    rows = [HEAD, FIRST[1], *[f"2025-01-02,e,acnotv,{answer}"] * 2, *FIRST[2:]]
    assert [fault.location for fault in read_capture(("\n".join(rows) + "\n").encode(), "file").faults] == [
        f"file:{line}"
    ]


def test_columns_may_be_in_any_order_with_others_between():
    head = "answer,added,Date,center,outer"
    lines = [f"{word},2025-05-05,2025-01-02,e,acnotv" for word in WORDS]
    parsed = read_capture("\n".join([head, *lines, ""]).encode(), "file")
    assert [(day.date, day.answers) for day in parsed.days] == [("2025-01-02", WORDS)]
    assert parsed.faults == ()


@pytest.mark.parametrize(("end", "expected"), [("\n", ["2025-01-02", "2025-01-03"]), ("", [])])
def test_a_table_whose_last_line_has_no_end_is_not_read(end, expected):
    text = "\n".join([HEAD, *FIRST, *SECOND]) + end
    assert [day.date for day in read_capture(text.encode(), "file").days] == expected
