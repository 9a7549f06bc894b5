"""Counting: the record to which the days on disk are added."""

from __future__ import annotations

import pytest

from pipeline import reader
from pipeline.errors import DataError
from pipeline.facts.evidence import NO_EVIDENCE, Evidence
from pipeline.intake import base_record as bases
from pipeline.intake import record_state
from pipeline.intake.base_record import DatesOnDisk, StartOfCount
from pipeline.intake.record_state import NO_BASE_RECORD, NO_CHECKPOINT, NO_STATE, BaseRecord, RecordState
from pipeline.tables import frames

FILE = b"the evidence as the last merge left it"
OLD, MIDDLE, NEW = "2025-01-01", "2025-01-02", "2025-01-03"


def of(*dates: str) -> Evidence:
    return Evidence(frames.empty("evidence"), frozenset(dates))


def own(*dates: str) -> BaseRecord:
    """A base that was counted in this workspace and from which the evidence file was made."""
    return BaseRecord(of(*dates), (reader.sha256(FILE),), counted_here=True)


def foreign(*dates: str) -> BaseRecord:
    """A base that was imported and from which the evidence file was made in this workspace."""
    return BaseRecord(of(*dates), (reader.sha256(FILE),), counted_here=False)


def start(base, kept, seen, final=None, puzzles=None, file=FILE, rebuild=False):
    """Return the dates that are kept, the dates of the record to which days are added, and the dates that are not
    new."""
    final = seen if final is None else final
    dates = DatesOnDisk(frozenset(seen), frozenset(final), frozenset(puzzles or seen))
    chosen = bases.choose_start(base, kept, file, dates, rebuild)
    return set(chosen.base_evidence.covered), set(chosen.add_to.covered), set(chosen.known_dates)


def test_the_days_on_disk_are_counted_onto_what_was_there_before_them():
    assert start(own(OLD), of(OLD, MIDDLE), seen=[MIDDLE]) == ({OLD}, {OLD}, {OLD})


def test_when_all_days_are_on_disk_and_settled_everything_is_counted_anew():
    assert start(own(OLD), of(OLD, MIDDLE), seen=[OLD, MIDDLE]) == ({OLD}, set(), {OLD})
    assert start(own(OLD), of(OLD, MIDDLE), seen=[OLD, MIDDLE], final=[MIDDLE]) == ({OLD}, {OLD}, {OLD})


def test_a_workspace_that_counted_all_its_days_itself_keeps_nothing_beside_them():
    assert start(own(), of(OLD, MIDDLE), seen=[OLD, MIDDLE], final=[OLD]) == (set(), set(), set())


def test_without_the_captures_the_record_itself_is_the_base():
    both = {OLD, MIDDLE}
    assert start(own(OLD), of(OLD, MIDDLE), seen=[NEW]) == (both, both, both)


@pytest.mark.parametrize(
    ("base", "leaves"),
    [
        (own(OLD, MIDDLE), True),
        (foreign(OLD, MIDDLE), False),
        (BaseRecord(of(OLD, MIDDLE), ("other",), counted_here=True), False),
    ],
)
def test_a_corrected_day_leaves_only_a_record_that_was_counted_here(base, leaves):
    _, counted_onto, _ = start(base, of(OLD, MIDDLE), seen=[OLD, MIDDLE], final=[OLD], puzzles=[OLD])
    assert counted_onto == (set() if leaves else {OLD, MIDDLE})


def test_a_rebuild_counts_everything_anew_and_all_days_are_new():
    assert start(own(OLD), of(OLD), seen=[MIDDLE], rebuild=True) == ({OLD}, set(), set())
    assert start(NO_BASE_RECORD, NO_EVIDENCE, seen=[MIDDLE], file=None) == (set(), set(), set())


def test_the_next_base_is_what_the_first_merge_counted_and_stays():
    made = of(OLD, MIDDLE)
    first = bases.next_base_record(
        StartOfCount(NO_EVIDENCE, NO_EVIDENCE, False, NO_EVIDENCE, frozenset()), made, None, first=True
    )
    assert (first.evidence, first.counted_here) == (made, True)
    later = bases.next_base_record(
        StartOfCount(made, made, True, NO_EVIDENCE, made.covered), of(OLD, MIDDLE, NEW), FILE, first=False
    )
    assert (later.evidence, later.counted_here) == (made, True)
    assert reader.sha256(FILE) in later.checksums


@pytest.mark.parametrize(
    "base", [own(OLD, MIDDLE), foreign(OLD), BaseRecord(of(OLD), ("a" * 64, "b" * 64), counted_here=True)]
)
def test_a_base_is_the_same_after_it_was_stored(base):
    stored = record_state.decode(record_state.encode(RecordState(base, NO_CHECKPOINT))).base_record
    assert (stored.checksums, stored.counted_here, stored.evidence.covered) == (
        base.checksums,
        base.counted_here,
        base.evidence.covered,
    )


STORED = record_state.encode(RecordState(own(OLD), NO_CHECKPOINT))


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"base": 1}\n', STORED[:-5], STORED.replace(b"covers", b"cover"), STORED[: len(STORED) // 2]]
)
def test_a_damaged_state_is_none(data):
    assert record_state.decode(data) == NO_STATE


def test_only_a_rebuild_goes_on_with_the_base_when_the_evidence_is_gone_or_damaged():
    base = own(OLD)
    for file in (None, b"damaged"):
        assert bases.evidence_so_far(file, base, rebuild=True) is base.evidence
    assert bases.evidence_so_far(None, base, rebuild=False) == NO_EVIDENCE
    with pytest.raises(DataError):
        bases.evidence_so_far(b"damaged", base, rebuild=False)
