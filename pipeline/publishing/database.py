"""The list as an SQLite database."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from pipeline.words import mask, pangram
from pipeline.words import score as points

_SCHEMA = """
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE words (
  word TEXT PRIMARY KEY,
  length INTEGER NOT NULL,
  mask INTEGER NOT NULL, -- bit 0 is a, bit 25 is z
  points INTEGER NOT NULL,
  pangram INTEGER NOT NULL, -- 1 or 0
  tier TEXT NOT NULL,
  p REAL NOT NULL, -- the chance that the word is accepted when it is possible next
  offered INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  flags TEXT NOT NULL,
  because TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE flags (
  word TEXT NOT NULL REFERENCES words (word),
  flag TEXT NOT NULL,
  PRIMARY KEY (word, flag)
) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX words_mask ON words (mask);
CREATE INDEX words_tier ON words (tier);
CREATE INDEX flags_flag ON flags (flag);
PRAGMA user_version = 1;
"""


def sqlite(rows: Sequence[Mapping[str, str]], facts: Mapping[str, str]) -> bytes:
    """Write an SQLite database: `words` with one row per word, `flags` with one row per flag of a word, and
    `metadata`."""
    base = sqlite3.connect(":memory:")
    try:
        base.executescript(_SCHEMA)
        base.executemany("INSERT INTO metadata VALUES (?, ?)", sorted(facts.items()))
        base.executemany(f"INSERT INTO words VALUES ({', '.join('?' * 11)})", map(_record, rows))
        flagged = [(row["word"], flag) for row in rows for flag in sorted(set(row["flags"].split()))]
        base.executemany("INSERT INTO flags VALUES (?, ?)", flagged)
        base.commit()
        base.executescript(_INDEXES)
        return base.serialize()
    finally:
        base.close()


def _record(row: Mapping[str, str]) -> tuple[object, ...]:
    """Return the cells of a word for the database, with numeric columns as numbers."""
    word, p = row["word"], float(row["p"])
    computed = (word, len(word), mask(word), points(word), int(pangram(word)))
    return (*computed, row["tier"], p, int(row["offered"]), int(row["accepted"]), row["flags"], row["because"])
