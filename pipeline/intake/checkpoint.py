"""Checkpoints: what a walk counted up to the beginning of a month, so that later walks start there and stay short.

A checkpoint only saves time and memory: it is used as long as everything that it was made from is the same, and the
next walk makes what a walk over all days would make.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection
from dataclasses import dataclass, replace

import pandas as pd

from pipeline import reader
from pipeline.facts import evidence
from pipeline.facts.evidence import NONE, Evidence
from pipeline.intake import new_days
from pipeline.intake.forecast import Forecast
from pipeline.intake.new_days import Facts, Walked
from pipeline.tables import frames
from pipeline.words import BeeError

OPEN = datetime.timedelta(days=15)
"""A month is closed this long after its last day settled: until then its days are asked for again."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The record before a date, the rows of `waiting` before it, and a checksum of what they are made from."""

    until: str
    key: str
    kept: Evidence
    waiting: pd.DataFrame


NOTHING = Checkpoint("", "", NONE, frames.empty("waiting"))
"""The checkpoint before the first month is closed."""


def until(final: Collection[str]) -> str:
    """Return the first day of the months that are not closed yet; `final` are the settled days.

    >>> until(["2025-03-14"]), until(["2025-03-16"]), until([])
    ('2025-02-01', '2025-03-01', '')
    """
    last = max(final, default="")
    return str(datetime.date.fromisoformat(last) - OPEN)[:7] + "-01" if last else ""


def walk(facts: Facts, forecast: Forecast, checkpoint: Checkpoint) -> tuple[Walked, Checkpoint]:
    """Walk like `new_days.walk`, from a checkpoint if it still fits; return the result and the next checkpoint."""
    now, given = until(facts.final), facts
    fits = bool(checkpoint.until) and checkpoint.key == _key(facts, checkpoint.until)
    if fits:
        closed = frozenset(date for date in facts.final if date < checkpoint.until)
        carried, scored = checkpoint.waiting, facts.scored - closed
        given = replace(facts, base=checkpoint.kept, closed=closed, carried=carried, scored=scored)
    if fits and now <= checkpoint.until:
        return new_days.walk(given, forecast), checkpoint
    walked = new_days.walk(replace(given, until=now), forecast)
    waiting = walked.waiting[(walked.waiting["date"] < now) & (walked.waiting["kind"] != "provisional")]
    return walked, Checkpoint(now, _key(facts, now), walked.closed, waiting.reset_index(drop=True))


def _key(facts: Facts, until: str) -> str:
    """Sum up what the record before a date is made from. What only scores a day is not part of it."""
    tables = (facts.puzzles, facts.answers, facts.conflicts, facts.admitted)
    parts = [frames.csv_bytes(table[(table["date"] < until).to_numpy()]) for table in tables]
    final = " ".join(sorted(date for date in facts.final if date < until))
    plain = " ".join(sorted(facts.plain))
    told = json.dumps([sorted(facts.pending), sorted(facts.corrected)])
    return reader.sha256(b"\0".join([*parts, evidence.encode(facts.base), f"{until} {final} {plain} {told}".encode()]))


def encode(checkpoint: Checkpoint) -> bytes:
    """Encode a checkpoint: a line with its date, its key and the words that wait, then a file like `evidence.csv`."""
    head = {"until": checkpoint.until, "key": checkpoint.key, "waiting": frames.rows(checkpoint.waiting)}
    return json.dumps(head).encode() + b"\n" + evidence.encode(checkpoint.kept)


def decode(data: bytes) -> Checkpoint:
    """Decode a checkpoint; a damaged one counts as none."""
    head, _, rest = data.partition(b"\n")
    try:
        told = json.loads(head)
        rows = frames.from_rows(told["waiting"], "waiting")
        return Checkpoint(told["until"], told["key"], evidence.decode(rest), rows)
    except (BeeError, ValueError, KeyError, TypeError):
        return NOTHING
