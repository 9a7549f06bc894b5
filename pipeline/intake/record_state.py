"""Record state: the records that a merge stores in `build/record-state.csv`, to which the next merge adds days.

There are two records, each with the data that tells whether it still fits. The *base* is the record to which the days
on disk are added. The *checkpoint* is the record up to the beginning of a month, and only saves time and memory.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import BeeError
from pipeline.facts import evidence
from pipeline.facts.evidence import NO_EVIDENCE, Evidence
from pipeline.tables import frames


@dataclass(frozen=True, slots=True)
class BaseRecord:
    """The record to which days are added.

    `checksums` has the checksums of the evidence files that were made from it and the days on disk. `counted_here` says
    whether it was counted from captures of this workspace, by the first merge or by a rebuild.
    """

    evidence: Evidence
    checksums: tuple[str, ...]
    counted_here: bool


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The record before the date `until`, the rows of `waiting` before it, and a checksum of the inputs of both.

    `digest` identifies the days that were counted (see `new_days`).
    """

    until: str
    inputs_checksum: str
    digest: str
    evidence: Evidence
    waiting: pd.DataFrame


@dataclass(frozen=True, slots=True)
class RecordState:
    """The base and the checkpoint of the last merge."""

    base_record: BaseRecord
    checkpoint: Checkpoint


NO_BASE_RECORD = BaseRecord(NO_EVIDENCE, (), counted_here=False)
NO_CHECKPOINT = Checkpoint("", "", "", NO_EVIDENCE, frames.empty("waiting"))
NO_STATE = RecordState(NO_BASE_RECORD, NO_CHECKPOINT)
"""The state before the first merge."""


def encode(state: RecordState) -> bytes:
    """Encode a state: a line of JSON, and then two files like `evidence.csv`."""
    base_file = evidence.encode(state.base_record.evidence)
    header = {
        "base": {
            "checksums": state.base_record.checksums,
            "counted_here": state.base_record.counted_here,
            "bytes": len(base_file),
        },
        "checkpoint": {
            "until": state.checkpoint.until,
            "inputs_checksum": state.checkpoint.inputs_checksum,
            "digest": state.checkpoint.digest,
            "waiting": frames.rows(state.checkpoint.waiting),
        },
    }
    return json.dumps(header).encode() + b"\n" + base_file + evidence.encode(state.checkpoint.evidence)


def decode(data: bytes) -> RecordState:
    """Decode a state; return `NO_STATE` if it is damaged."""
    first_line, _, files = data.partition(b"\n")
    try:
        header = json.loads(first_line)
        size = header["base"]["bytes"]
        base_record = BaseRecord(
            evidence.decode(files[:size]), tuple(header["base"]["checksums"]), header["base"]["counted_here"]
        )
        checkpoint = Checkpoint(
            until=header["checkpoint"]["until"],
            inputs_checksum=header["checkpoint"]["inputs_checksum"],
            digest=header["checkpoint"]["digest"],
            evidence=evidence.decode(files[size:]),
            waiting=frames.from_rows(header["checkpoint"]["waiting"], "waiting"),
        )
    except (BeeError, ValueError, KeyError, TypeError, RecursionError):
        return NO_STATE
    return RecordState(base_record, checkpoint)
