"""The record of our release as it may have been in the past, and a release with it, from which `bee run` goes on."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd
from small import PROJECT

from pipeline import reader
from pipeline.facts import lexicon_files, record
from pipeline.facts.coverage import Coverage
from pipeline.opinions import decide
from pipeline.play import daily
from pipeline.publishing import datapackage
from pipeline.publishing.release_files import ReleaseOrigins, ReleaseTables, make_files
from pipeline.tables import columns, frames
from pipeline.words import DATES_OF_RECORD

CUSTOM = PROJECT / "data/custom"
COVERED = datapackage.coverage_of((CUSTOM / reader.PACKAGE).read_bytes()).dates
"""The days that our release covers."""


def record_of(lexicon: Path) -> pd.DataFrame:
    """Return the record of our release, with the words of a lexicon only."""
    files = {path.relative_to(lexicon).as_posix(): path.read_bytes() for path in lexicon.rglob("*") if path.is_file()}
    words = {word for table in lexicon_files.tables(files).values() for word in table["word"]}
    rows = record.decode((CUSTOM / "words.csv").read_bytes())
    return rows[columns.is_in(rows["word"], words)].reset_index(drop=True)


def move(rows: pd.DataFrame, moved: Callable[[str], str]) -> pd.DataFrame:
    """Return a record with other dates."""
    return rows.assign(**{name: rows[name].map(lambda date: date and moved(date)) for name in DATES_OF_RECORD})


def write_release(custom: Path, rows: pd.DataFrame, covered: Iterable[str], track: pd.DataFrame | None = None) -> None:
    """Write a release with a record and, if it is given, a track record. Its list is empty: it refuses every word."""
    found = {name: frames.empty(name) for name in ("flags", "violations", "track", "without_trial")}
    if track is not None:
        found["track"] = track
    decisions = frames.check(
        decide.by_record(rows).assign(tier="refused", by="record", p=0.0, because="a test"), "decisions"
    )
    tables = ReleaseTables(**found, decisions=decisions, record=rows, coverage=Coverage(frozenset(covered)))
    sources = pd.DataFrame(columns=["title", "version", "licence", "home"])
    origins = ReleaseOrigins({}, sources, {}, scowl=gzip.compress(b""))
    files = make_files(tables, origins, None, lambda _: f"{daily.HEADER}\n".encode())
    files["CHANGES.md"] = b""
    files[reader.SUMS] = reader.format_checksums(files)
    custom.mkdir(exist_ok=True)
    for name, data in files.items():
        (custom / name).write_bytes(data)
