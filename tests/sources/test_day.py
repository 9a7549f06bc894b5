"""A valid official day: every limit on both sides, and which of two days wins."""

import pytest

from pipeline.sources.day import MAX_DETAIL_LENGTH, Collector, InvalidDayError, iso_date, official_day

WORDS = ["cove", "covenant"]


def rule_of(*arguments: object) -> str | None:
    """The rule that a day breaks, None if it is valid."""
    try:
        official_day(*arguments)  # type: ignore[arg-type]
    except InvalidDayError as broken:
        return broken.rule
    return None


@pytest.mark.parametrize(("date", "rule"), [("2018-05-08", "bad-date"), ("2018-05-09", None)])
def test_no_day_is_before_the_first_puzzle(date, rule):
    assert rule_of(date, "e", "acnotv", WORDS) == rule


@pytest.mark.parametrize("text", ["2025-1-2", "2025-02-30", "250102", "", "20250102 ", "٢٠٢٥-01-02"])
def test_what_is_no_date_is_refused(text):
    with pytest.raises(InvalidDayError, match="is not a date"):
        iso_date(text)


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("eco", "bad-word"),
        ("once", None),
        ("once" * 4 + "one", None),
        ("once" * 5, "bad-word"),
    ],
)
def test_an_answer_has_4_to_19_letters(word, rule):
    assert rule_of("2025-01-02", "e", "acnotv", [*WORDS, word]) == rule


def test_of_two_days_of_a_date_the_first_stays_and_the_second_is_named():
    first = official_day("2025-01-02", "e", "acnotv", WORDS)
    second = official_day("2025-01-02", "e", "acnotv", [*WORDS, "octave"])
    for one, two in ((first, second), (second, first)):
        collector = Collector("file")
        collector.add_day(one, 1)
        collector.add_day(two, 7)
        collector.add_day(one, 8)
        parsed = collector.parsed()
        assert parsed.days == (one,)
        assert [(fault.rule, fault.location) for fault in parsed.faults] == [("date-twice", "file:7")]


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ("x" * MAX_DETAIL_LENGTH, "x" * MAX_DETAIL_LENGTH),
        ("x" * (MAX_DETAIL_LENGTH + 1), "x" * MAX_DETAIL_LENGTH),
        ("\x1b[31mred\u202e\ud800", r"\x1b[31mred\u202e\ud800"),
    ],
)
def test_what_a_fault_says_is_not_endless_and_has_no_control_characters(detail, said):
    collector = Collector("file")
    collector.add_fault("broken-line", detail)
    assert collector.parsed().faults[0].detail == said
