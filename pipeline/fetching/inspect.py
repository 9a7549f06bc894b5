"""Inspect the captures: missing days, sources that disagree, pages with a changed layout, changed captures."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pandas as pd

from pipeline.facts import corrections as correcting
from pipeline.facts import merge
from pipeline.fetching.captures import Captures
from pipeline.fetching.wanted import days_between
from pipeline.sources import TRUST
from pipeline.tables import frames
from pipeline.violations import Finding


def inspect(captures: Captures, corrections: pd.DataFrame, covered: Collection[str]) -> pd.DataFrame:
    """Return the violations in captures that were just read; `covered` are the dates of the evidence."""
    kept, stale = correcting.corrected(captures.days, corrections)
    _, _, conflicts = merge.reconcile(kept, TRUST)
    known = {*covered, *(day.date for _, day in captures.days)}

    def findings() -> Iterator[Finding]:
        for fault in captures.faults:
            yield Finding(fault.rule, fault.where, fault.detail)
        yield from stale + merge.refused_and_accepted(kept)
        for row in frames.rows(conflicts):
            yield Finding("source-conflict", f"{row['date']} {row['subject']}", row["detail"])
        for date in set(days_between(min(known), max(known))) - known if known else ():
            yield Finding("day-missing", date, "it is in no capture and not in the evidence")

    return frames.from_findings(findings())
