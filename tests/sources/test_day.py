"""A valid official day: every limit on both sides, and which of two days wins."""

import pytest

from pipeline.sources import day as days
from pipeline.sources.day import BrokenDay, Collector, day, iso_date

WORDS = ["cove", "covenant"]


def rule_of(*arguments: object) -> str | None:
    """The rule that a day breaks, None if it is valid."""
    try:
        day(*arguments)  # type: ignore[arg-type]
    except BrokenDay as broken:
        return broken.rule
    return None


@pytest.mark.parametrize(("date", "rule"), [("2018-05-08", "bad-date"), ("2018-05-09", None), ("2018-05-10", None)])
def test_no_day_is_before_the_first_puzzle(date, rule):
    assert rule_of(date, "e", "acnotv", WORDS) == rule


@pytest.mark.parametrize("text", ["2025-1-2", "2025-02-30", "250102", "2025-01-02T00", "", "20250102 ", "٢٠٢٥-01-02"])
def test_what_is_no_date_is_refused(text):
    with pytest.raises(BrokenDay, match="is no date"):
        iso_date(text)


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("eco", "bad-word"),
        ("once", None),
        ("once" * 4 + "one", None),
        ("once" * 5, "bad-word"),
        ("once" * 6, "bad-word"),
    ],
)
def test_an_answer_has_4_to_19_letters(word, rule):
    assert rule_of("2025-01-02", "e", "acnotv", [*WORDS, word]) == rule


def test_of_two_days_of_a_date_the_first_stays_and_the_second_is_named():
    first = day("2025-01-02", "e", "acnotv", WORDS)
    second = day("2025-01-02", "e", "acnotv", [*WORDS, "octave"])
    for one, two in ((first, second), (second, first)):
        gathered = Collector("file")
        gathered.add(one, 1)
        gathered.add(two, 7)
        gathered.add(one, 8)
        parsed = gathered.parsed()
        assert parsed.days == (one,)
        assert [(fault.rule, fault.where) for fault in parsed.faults] == [("date-twice", "file:7")]


@pytest.mark.parametrize("length", [days.LONGEST_DETAIL - 1, days.LONGEST_DETAIL, days.LONGEST_DETAIL + 1])
def test_what_a_fault_says_is_not_endless(length):
    gathered = Collector("file")
    gathered.fault("broken-line", "x" * length)
    assert len(gathered.parsed().faults[0].detail) == min(length, days.LONGEST_DETAIL)


def test_what_a_fault_says_has_no_control_characters():
    gathered = Collector("file")
    gathered.fault("broken-line", "\x1b[31mred\u202e")
    assert gathered.parsed().faults[0].detail == r"\x1b[31mred\u202e"
