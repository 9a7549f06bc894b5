"""Parsed captures: the days of each capture, stored by its checksum, so that a merge parses only new captures.

Only captures without faults are stored. The others are parsed each time, because a fault names its file, and because a
day in the future is a fault today but not later. The file starts with a checksum of its rows, of the parsing code and
of the versions that run it. If the checksum differs, for example because the file is damaged, everything is parsed
again. The file can be deleted at any time.
"""

from __future__ import annotations

import functools
import importlib.metadata
import sys
from collections.abc import Mapping
from pathlib import Path

from pipeline import reader, store
from pipeline.sources.day import Day, latest
from pipeline.tables import frames
from pipeline.words import Puzzle

Said = Mapping[str, tuple[Day, ...]]
"""The days of each capture, by its checksum."""

PATH = "build/said.csv"
PARSERS = ("sources", "words", "violations", "frames", "fetching/said")
"""The code that parses and stores captures."""


def encode(said: Said) -> bytes:
    """Encode the days of captures."""
    rows = [
        {"sha256": digest, "date": day.date, "center": day.puzzle.center, "outer": day.puzzle.outer}
        | {"answers": " ".join(day.answers), "refused": " ".join(day.refused)}
        for digest, days in said.items()
        for day in days
    ]
    body = frames.csv_bytes(frames.from_rows(rows, "said"))
    return _seal(body) + body


def decode(data: bytes) -> dict[str, tuple[Day, ...]]:
    """Decode the days of captures; empty if another version of the code wrote them, or if the file is damaged."""
    seal, end, body = data.partition(b"\n")
    if seal + end != _seal(body):
        return {}
    said: dict[str, list[Day]] = {}
    for row in frames.rows(frames.from_text(frames.read_csv(body, PATH), "said")):
        letters, answers, refused = Puzzle(row["center"], row["outer"]), row["answers"], row["refused"]
        said.setdefault(row["sha256"], []).append(
            Day(row["date"], letters, tuple(answers.split()), tuple(refused.split()))
        )
    last = latest()  # because the clock may have been set back since
    return {digest: tuple(days) for digest, days in said.items() if days[-1].date <= last}


def _seal(body: bytes) -> bytes:
    return f"# sha256 {reader.sha256(_parser() + body)}\n".encode()


@functools.cache
def _parser() -> bytes:
    """Return a checksum of the parsing code and of the versions that run it."""
    package = Path(__file__).parent.parent
    files = [path for name in PARSERS for path in (package / f"{name}.py", *sorted((package / name).glob("*.py")))]
    code = [store.read_bytes(path, "pip install") for path in files if path.is_file()]
    versions = f"{sys.version} {importlib.metadata.version('beautifulsoup4')}"
    return reader.sha256(b"\0".join([versions.encode(), *code])).encode()
