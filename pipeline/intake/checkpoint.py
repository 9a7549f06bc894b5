"""Checkpoints: the record up to the beginning of a month, from which later merges continue, so that they stay fast.

A checkpoint only saves time and memory. It is used as long as everything that it was made from is the same, and the
result is the same as counting all days.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection
from dataclasses import dataclass, replace

from pipeline import reader
from pipeline.facts import evidence
from pipeline.intake.forecast import Forecast
from pipeline.intake.new_days import CountedDays, DaysToCount, count_days
from pipeline.intake.record_state import Checkpoint
from pipeline.tables import frames

OPEN = datetime.timedelta(days=15)
"""A month is closed this long after its last day settled. Until then, its days are requested again."""


def end_of_closed_months(settled_days: Collection[str]) -> str:
    """Return the first day of the months that are not closed yet, or "".

    >>> end_of_closed_months(["2025-03-14"]), end_of_closed_months(["2025-03-16"]), end_of_closed_months([])
    ('2025-02-01', '2025-03-01', '')
    """
    if not settled_days:
        return ""
    last_closed_day = datetime.date.fromisoformat(max(settled_days)) - OPEN
    return f"{last_closed_day:%Y-%m}-01"


@dataclass(frozen=True, slots=True)
class CountedFromCheckpoint:
    """The counted days, and the next checkpoint."""

    counted: CountedDays
    checkpoint: Checkpoint


def count_from(checkpoint: Checkpoint, days: DaysToCount, forecast: Forecast) -> CountedFromCheckpoint:
    """Count like `count_days`, starting from a checkpoint if it still fits."""
    until = end_of_closed_months(days.settled_days)
    if checkpoint.until and checkpoint.inputs_checksum == _inputs_checksum(days, checkpoint.until):
        closed_days = frozenset(date for date in days.settled_days if date < checkpoint.until)
        open_days = replace(
            days,
            add_to=checkpoint.evidence,
            closed_days=closed_days,
            waiting_of_closed_days=checkpoint.waiting,
            digest_of_closed_days=checkpoint.digest,
            days_to_score=days.days_to_score - closed_days,
        )
        if until <= checkpoint.until:
            return CountedFromCheckpoint(count_days(open_days, forecast), checkpoint)
    else:
        open_days = days
    counted = count_days(replace(open_days, close_before=until), forecast)
    is_closed = (counted.waiting["date"] < until) & (counted.waiting["kind"] != "provisional")
    waiting = counted.waiting[is_closed].reset_index(drop=True)
    next_checkpoint = Checkpoint(
        until=until,
        inputs_checksum=_inputs_checksum(days, until),
        digest=counted.closed_digest,
        evidence=counted.closed_evidence,
        waiting=waiting,
    )
    return CountedFromCheckpoint(counted, next_checkpoint)


def _inputs_checksum(days: DaysToCount, until: str) -> str:
    """Return a checksum of everything that the record before a date is made from. Data that only scores days is left
    out."""
    tables = [days.puzzles, days.answers, days.conflicts, days.admitted]
    table_files = [frames.csv_bytes(table[(table["date"] < until).to_numpy()]) for table in tables]
    settled_days = sorted(date for date in days.settled_days if date < until)
    common_words = sorted(days.common_words)
    words_by_date = [sorted(days.words_that_waited), sorted(days.corrected_words)]
    others = json.dumps([until, settled_days, common_words, words_by_date])
    return reader.sha256(b"\0".join([*table_files, evidence.encode(days.add_to), others.encode()]))
