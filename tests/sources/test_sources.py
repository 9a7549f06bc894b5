"""Every format of official answers, each with a valid example in which one thing is then broken."""

import gzip
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.sources import SOURCES, read_capture

PLUS = "20250102 acenotv e 3 22 1 0 0 0 0 covenant | cove covenant octave\n"
PERFECT = "20250102 acenotv e 2 15 1 1 0 0 0 centavo | centavo cove\n"
LINES = "2025-01-02 e acnotv: cove covenant octave\n"
CSV = "date,center,outer,answer\n2025-01-02,e,acnotv,cove\n2025-01-02,e,acnotv,covenant\n2025-01-02,e,acnotv,octave\n"
SEED = json.dumps({"20250102": {"center": "e", "others": "acnotv", "solutions": ["cove", "covenant", "octave"]}})
PAGE = json.dumps(
    {
        "printDate": "2025-01-02", "centerLetter": "e", "outerLetters": list("acnotv"),
        "pangrams": ["covenant"], "answers": ["covenant", "cove", "octave"],
    }
)  # fmt: skip
ENDPOINT = json.dumps(
    {
        "print_date": "2025-01-02", "center_letter": "e", "outer_letters": "acnotv",
        "pangrams": ["covenant"], "answers": ["cove", "octave"],
    }
)  # fmt: skip
CLEAN = {"plus": PLUS, "lines": LINES, "table": CSV, "seed": SEED, "days": PAGE}


def rules(text: str | bytes) -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    return [fault.rule for fault in read_capture(data, "file").faults]


def test_every_source_has_a_clean_file_here_or_saved_pages():
    saved_pages = {"nyt", "nyt_page", "nytbee"}
    assert CLEAN.keys() | saved_pages == {source.name for source in SOURCES}, "CLEAN has an example of each source"


@pytest.mark.parametrize(("source", "text"), [*CLEAN.items(), ("nyt", ENDPOINT), ("days", f"[{PAGE}]")])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_clean_file_gives_its_day(source, text, pack):
    found = read_capture(pack(text.encode()), "file")
    assert found.source == source
    assert found.faults == ()
    (day,) = found.days
    assert (day.date, day.puzzle.center, day.puzzle.outer) == ("2025-01-02", "e", "acnotv")
    assert day.answers == ("cove", "covenant", "octave")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("unknown-format", "once upon a time\n"),
        ("broken-line", PLUS.replace(" | ", " ")),
        ("count-mismatch", PLUS.replace(" 3 22 ", " 4 22 ")),
        ("count-mismatch", PLUS.replace(" 3 22 ", " 3 23 ")),
        ("count-mismatch", PLUS.replace(" covenant |", " octave |")),
        ("count-mismatch", PERFECT.replace("2 15 1 1", "2 15 1 0")),
        ("broken-line", PLUS.replace(" 3 22 ", f" {'9' * 6000} 22 ")),
        ("center-outside", PLUS.replace(" e 3", " x 3")),
        ("bad-letters", PLUS.replace("acenotv", "acenot")),
        ("cut-short", PLUS.strip()[:-3]),
        ("date-twice", PLUS + PLUS.replace("3 22", "2 16").replace(" octave", "")),
        ("bad-letters", LINES.replace("acnotv", "acnote")),
        ("unspellable", LINES.replace("cove ", "love ")),
        ("no-pangram", LINES.replace("covenant ", "")),
        ("no-answers", LINES[:20]+"\n"),
        ("bad-word", LINES.replace("cove ", "Cove ")),
        ("twice", LINES.replace("cove ", "cove cove ")),
        ("broken-line", LINES + "2025-01-03 and so on\n"),
        ("cut-short", LINES.strip()),
        ("cut-short", SEED[:-20]),
        ("broken-line", SEED.replace("solutions", "solution", 1)),
        ("broken-line", PAGE.replace("printDate", "printedOn")),
        ("broken-line", PAGE.replace('"e"', "5")),
        ("broken-line", ENDPOINT.replace('["cove", "octave"]', '"cove"')),
        ("cut-short", gzip.compress(LINES.encode(), mtime=0)[:-6]),
    ],
)  # fmt: skip
def test_breaking_one_thing_breaks_one_rule(rule, text):
    assert rules(text) == [rule] or (rule == "cut-short" and rule in rules(text))


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (PLUS.replace("20250102", "20250103"), PLUS.replace("cove ", "love ")),
        (LINES.replace("01-02", "01-03"), LINES.replace("cove ", "love ")),
    ],
)
def test_a_broken_day_never_costs_a_good_one(good, bad):
    parsed = read_capture((bad + good + bad.replace("01-02", "01-04").replace("0102", "0104")).encode(), "file")
    assert [day.date for day in parsed.days] == ["2025-01-03"]
    assert len(parsed.faults) == 2


@pytest.mark.parametrize("text", [PLUS, LINES])
def test_a_format_is_recognized_in_one_of_the_first_20_lines(text):
    for before, source in ((0, True), (19, True), (20, False)):
        found = read_capture(("# a remark\n" * before + text).encode(), "file")
        assert (found.source is not None, len(found.days)) == (source, int(source))


@pytest.mark.parametrize("text", [PAGE, ENDPOINT])
def test_json_is_recognized_by_a_center_letter_in_its_first_20_000_characters(text):
    key = re.search(r'"center_?[lL]etter":', text)
    for end, recognized in ((20_000, True), (20_001, False)):
        padded = text[:1] + " " * (end - key.end()) + text[1:]
        assert (read_capture(padded.encode(), "file").source is not None) == recognized


def test_a_fault_says_file_line_rule_and_what_is_wrong():
    later = LINES.replace("cove ", "love ").replace("01-02", "01-03")
    (fault,) = read_capture((LINES + later).encode(), "days.txt").faults
    assert str(fault) == 'days.txt:2: unspellable: 2025-01-03: center e and acnotv cannot spell "love".'


def test_the_archives_are_read_whole(shared):
    path = shared / "archive/nyt_puzzles_plus.txt"
    found = read_capture(path.read_bytes(), path.name)
    assert (found.source, len(found.days), found.faults) == ("plus", 2794, ())
    for path in sorted((shared / "archive/tedmiston/days").iterdir())[::10]:
        found = read_capture(path.read_bytes(), path.name)
        assert (found.source, len(found.days), found.faults) == ("days", 1, ())


def test_days_before_a_cut_are_kept_and_null_is_a_word():
    for text, later in ((LINES, LINES.replace("01-02", "01-03")), (PLUS, PLUS.replace("20250102", "20250103"))):
        parsed = read_capture((text + later.strip()[:-3]).encode(), "file")
        assert [day.date for day in parsed.days] == ["2025-01-02"]
        assert [fault.rule for fault in parsed.faults] == ["cut-short"]
    (day,) = read_capture(b"2025-01-03 n abdelu: null dunable nebula\n", "file").days
    assert "null" in day.answers


@settings(max_examples=40)
@given(st.sampled_from(sorted(CLEAN)), st.data())
def test_a_damaged_file_gives_days_or_named_faults(source, drawn):
    text = CLEAN[source]
    at = drawn.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + drawn.draw(st.text(max_size=5)) + text[at + drawn.draw(st.integers(0, 5)) :]
    assert all(re.fullmatch("[a-z-]+", fault.rule) for fault in read_capture(damaged.encode(), "file").faults)
