"""Base record: chooses the record to which the days on disk are added, so that a changed day counts in its new form.

The base is the record of the first merge or of a rebuild, or a record that came with the repository. As long as all
later days are on disk, the evidence is the base plus these days, counted again. If the base does not fit (the evidence
came from elsewhere, or captures were deleted), the evidence itself becomes the base, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pipeline import reader
from pipeline.errors import BeeError, Command, DataError, Message
from pipeline.facts import evidence
from pipeline.facts.evidence import NO_EVIDENCE, Evidence
from pipeline.facts.seal import REPAIR, ranges
from pipeline.intake.record_state import BaseRecord
from pipeline.words import count


def evidence_so_far(evidence_file: bytes | None, base: BaseRecord, rebuild: bool) -> Evidence:
    """Return the content of the evidence file. If it is damaged or missing, a rebuild uses the base, to detect lost
    days."""
    if evidence_file is None:
        return base.evidence if rebuild else NO_EVIDENCE
    try:
        return evidence.decode(evidence_file)
    except BeeError:
        if rebuild:
            return base.evidence
        raise


def require_all_days(before: Collection[str], after: Collection[str], evidence_is_sound: bool) -> None:
    """Raise DataError if a record would cover fewer days than before."""
    lost = set(before) - set(after)
    if not lost:
        return
    remedy = REPAIR
    if evidence_is_sound:
        remedy = Message(
            "import the files that have these days first or, to add only new days, use ", Command("run"), "."
        )
    raise DataError(
        f"The record would lose {count(len(lost), 'day')} that it or the release covers and that no capture has: "
        f"{ranges(lost)[:200]}. Nothing was changed: ",
        remedy,
    )


@dataclass(frozen=True, slots=True)
class DatesOnDisk:
    """The dates of all captures, the dates with a settled list, and the dates that have a puzzle after corrections."""

    captured: frozenset[str]
    settled: frozenset[str]
    puzzles: frozenset[str]


@dataclass(frozen=True, slots=True)
class StartOfCount:
    """The start of counting: the content of the evidence file, the base to keep and whether it was counted here, the
    record to which the days on disk are added, and the dates that are not new."""

    so_far: Evidence
    base_evidence: Evidence
    counted_here: bool
    add_to: Evidence
    known_dates: frozenset[str]


def choose_start(
    base: BaseRecord, so_far: Evidence, evidence_file: bytes | None, dates: DatesOnDisk, rebuild: bool
) -> StartOfCount:
    """Choose the record to which the days on disk are added; `so_far` is the content of the evidence file.

    If all days of the base are on disk and settled, everything is counted again, which is always safe. A day that a
    correction removes is removed from the record only if it was counted from these captures: a record that came from
    elsewhere may have the day from a better source.
    """
    if rebuild:
        return StartOfCount(
            so_far, base_evidence=so_far, counted_here=True, add_to=NO_EVIDENCE, known_dates=frozenset()
        )
    made_from_base = evidence_file is not None and reader.sha256(evidence_file) in base.checksums
    later_days_on_disk = so_far.covered - base.evidence.covered <= dates.captured
    if made_from_base and later_days_on_disk:
        chosen, counted_here = base.evidence, base.counted_here
    else:
        chosen, counted_here = so_far, False
    removed_by_corrections = dates.captured - dates.puzzles if counted_here else frozenset()
    can_count_all_again = chosen.covered <= dates.settled | removed_by_corrections
    add_to = NO_EVIDENCE if can_count_all_again else chosen
    return StartOfCount(
        so_far, base_evidence=chosen, counted_here=counted_here, add_to=add_to, known_dates=chosen.covered
    )


def next_base_record(start: StartOfCount, made: Evidence, evidence_file: bytes | None, first: bool) -> BaseRecord:
    """Return the base after a merge; the result of the `first` merge or of a rebuild is the base of later ones."""
    new_checksum = reader.sha256(evidence.encode(made))
    if first:
        return BaseRecord(made, (new_checksum,), counted_here=True)
    checksums = {new_checksum}
    if evidence_file is not None:
        checksums.add(reader.sha256(evidence_file))
    return BaseRecord(start.base_evidence, tuple(sorted(checksums)), start.counted_here)
