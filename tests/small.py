"""A small real lexicon, so that a run takes a second."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

from benchmarks import algorithms
from pipeline import reader
from pipeline.facts import lexicon_files
from pipeline.sources import read_capture
from pipeline.tables import frames
from pipeline.words import mask

PROJECT = Path(__file__).parent.parent
SAMPLE = PROJECT / "data/raw/sample/two-weeks.csv"


def small_lexicon(folder: Path) -> Path:
    """Copy the lexicon, reduced to the words that are possible in a puzzle of the sample."""
    shutil.copytree(PROJECT / "data/raw/lexicon", folder, dirs_exist_ok=True)
    days = read_capture(SAMPLE.read_bytes(), SAMPLE.name).days
    masks = {subset for day in days for subset in algorithms.centered_subsets(day.puzzle)}
    for item in lexicon_files.LISTS:
        path = folder / f"{item.name}.csv.gz"
        table = frames.read_csv(gzip.decompress(path.read_bytes()), path)
        kept = table[[mask(word) in masks or word.startswith("zi") for word in table["word"]]]
        path.write_bytes(gzip.compress(frames.csv_bytes(kept), mtime=0))
    for name in ("forms", "glosses"):
        path = folder / f"{name}.csv.gz"
        head, *rows = gzip.decompress(path.read_bytes()).decode().splitlines(keepends=True)
        kept_rows = [row for row in rows if mask(row.partition(",")[0]) in masks or row.startswith("zi")]
        path.write_bytes(gzip.compress("".join([head, *kept_rows]).encode(), mtime=0))
    path = folder / lexicon_files.READERS
    head, *rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join([head, *(row for row in rows if mask(row.partition(",")[0]) in masks)]))
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    del files[reader.SUMS]
    (folder / reader.SUMS).write_bytes(reader.format_checksums(files))
    return folder
