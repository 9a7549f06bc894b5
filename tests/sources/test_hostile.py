"""The limits of files and pages, tested on both sides, and the messages about unreadable files."""

import gzip
import json
import lzma

import pytest
from test_sources import CSV, ENDPOINT, LINES

from pipeline import sources
from pipeline.sources import nytbee, read_capture
from pipeline.sources.day import MAX_FAULTS, Collector
from pipeline.words import count

FOUR = [a + b + c + d for a in "abcdefg" for b in "abcdefg" for c in "abcdefg" for d in "abcdefg"]
WITH_CENTER = ["fadedbagc", *[word for word in FOUR if "a" in word]]


def rules(data: bytes) -> list[str]:
    return [fault.rule for fault in read_capture(data, "file").faults]


@pytest.mark.parametrize(("count", "rule"), [(400, None), (401, "too-many")])
def test_a_day_has_at_most_400_answers(count, rule):
    words = ["abcdefg", *WITH_CENTER[1:count]]
    text = f"2025-01-02 a bcdefg: {' '.join(words)}\n"
    assert rules(text.encode()) == ([rule] if rule else [])


@pytest.mark.parametrize("excess", [-1, 0, 1])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_has_a_largest_size_packed_or_not(monkeypatch, excess, pack):
    monkeypatch.setattr(sources, "MAX_BYTES", 8192)  # which is also how much is unpacked at a time
    data = LINES.encode().ljust(8192 + excess, b"\n")
    assert rules(pack(data)) == (["too-large"] if excess > 0 else [])


@pytest.mark.parametrize("omitted", [0, 1, 9])
def test_of_very_many_faults_the_first_are_kept_and_the_rest_counted(omitted):
    collector = Collector("file")
    for number in range(MAX_FAULTS + omitted):
        collector.add_fault("broken-line", str(number))
    faults = collector.parsed().faults
    assert len(faults) == MAX_FAULTS + min(omitted, 1)
    assert (faults[-1].detail == f"{count(omitted, 'more fault')}.") is (omitted > 0)


@pytest.mark.parametrize(
    ("html", "is_excessive"),
    [
        ("<li>cove</li>" * 1000, False),
        ("<li>cove</li>" * 1001, True),
        ("<li " + "a" * (nytbee.MAX_TAG_LENGTH - 3) + ">", False),
        ("<li " + "a" * (nytbee.MAX_TAG_LENGTH - 2) + ">", True),
        ("<i>" * nytbee.MAX_DEPTH, False),
        ("<i>" * (nytbee.MAX_DEPTH + 1), True),
        ("</i>" * 99 + "<i>" * (nytbee.MAX_DEPTH + 1), True),
        ("a" * nytbee.MAX_LIST_LENGTH, False),
        ("a" * (nytbee.MAX_LIST_LENGTH + 1), True),
    ],
)
def test_a_list_of_a_page_is_bounded_before_it_is_parsed(html, is_excessive):
    assert bool(nytbee._excess(html)) is is_excessive


def test_a_collection_of_puzzles_without_its_page_is_read():
    """As `active.json` of nytimes.com: numbers that point into one list of puzzles."""
    days = [json.loads(ENDPOINT) | {"print_date": f"2025-01-0{n}"} for n in (1, 2)]
    parsed = read_capture(json.dumps({"today": 1, "thisWeek": [0, 1], "puzzles": days}).encode(), "active.json")
    assert (parsed.source, parsed.faults, len(parsed.days)) == ("nyt_page", (), 2)


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (lzma.compress(LINES.encode()), "The file is not text in UTF-8; decompress it, or save it as UTF-8."),
        (LINES.encode("utf-16-le"), "save it as UTF-8."),
        (CSV.replace(",", ";").encode(), "separated by semicolons; save the table with commas."),
        (b"date,word\n2025-01-02,cove\n", "none of the formats that can be read"),
        (b"", "The file is empty."),
    ],
)
def test_a_file_that_nobody_can_read_gets_a_sentence_that_helps(data, advice):
    (fault,) = read_capture(data, "file").faults
    assert (fault.rule, advice in fault.detail) == ("unknown-format", True)
