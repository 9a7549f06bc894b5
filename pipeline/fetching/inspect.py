"""Audit what is on disk: days that are missing, sources that disagree, pages that drifted, captures that changed."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from pipeline import check, evidence_file, fetch, frames, merge, store
from pipeline.fetch import Track, untracked
from pipeline.sources import TRUST
from pipeline.store import Workspace
from pipeline.wanted import days_between


def audit(workspace: Workspace, track: Track = untracked) -> pd.DataFrame:
    """Read every capture again and return the violations found, without writing anything."""
    days, faults = fetch.read_captures(workspace, track)
    kept, stale = merge.corrected(days, store.read_custom(workspace, "corrections"))
    _, _, conflicts = merge.reconcile(kept, TRUST)
    known = evidence_file.covered(workspace) | {day.date for _, day in days}

    def findings() -> Iterator[check.Finding]:
        for fault in faults:
            yield fault.rule, fault.where, fault.detail
        for row in stale + merge.refused_and_accepted(kept):
            yield row["rule"], row["subject"], row["detail"]
        for row in frames.rows(conflicts):
            yield "source-conflict", f"{row['date']} {row['subject']}", row["detail"]
        for date in set(days_between(min(known), max(known))) - known if known else ():
            yield "day-missing", date, "no capture and no evidence has it"

    return check.table(findings())
