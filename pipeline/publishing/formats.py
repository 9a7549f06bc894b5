"""Formats: the list as the bytes of one file that another program reads.

Each takes chosen rows of `words.csv` (all cells text, A to Z by word) and the facts about them, name to sentence:
version, licence and the like. A format with room for a comment carries the facts. No clock: same rows, same bytes.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

import pandas as pd

from pipeline import frames, solver
from pipeline.words import mask, pangram
from pipeline.words import score as points

Facts = Mapping[str, str]
Writer = Callable[[pd.DataFrame, Facts], bytes]

MAGIC = b"BEEMASK1"
"""How a masks file starts: the name of the layout and its version."""


def lines(words: Iterable[str]) -> bytes:
    """Write one word a line."""
    return "".join(f"{word}\n" for word in words).encode()


def score(row: Mapping[str, str]) -> int:
    """Rate a word from 0 to 100, as crossword lists do: 100 for tier core, 0 for refused, else 100 times p.

    >>> [score({"tier": tier, "p": "0.87"}) for tier in ("core", "likely", "refused")]
    [100, 87, 0]
    """
    return {"core": 100, "refused": 0}.get(row["tier"], round(100 * float(row["p"] or 0)))


def aff(chosen: pd.DataFrame, facts: Facts) -> bytes:
    """Write the half of a hunspell pair that has the rules: the encoding, and which letters to try in suggestions."""
    often = [
        letter for letter, _ in sorted(Counter("".join(chosen["word"])).items(), key=lambda pair: (-pair[1], pair))
    ]
    return _comment("# ", facts) + f"SET UTF-8\nTRY {''.join(often)}\n".encode()


def dic(chosen: pd.DataFrame, facts: Facts) -> bytes:  # noqa: ARG001
    """Write the half of a hunspell pair that has the words: how many, then one a line."""
    return f"{len(chosen)}\n".encode() + lines(chosen["word"])


def c(chosen: pd.DataFrame, facts: Facts) -> bytes:
    """Write a header for C99 and C++11: `BEE_VERSION`, `BEE_COUNT`, `bee_words[]`, and `bee_masks[]` beside it."""
    quoted = _columns(f'"{word}"' for word in chosen["word"])
    numbers = _columns(f"0x{mask(word):07x}u" for word in chosen["word"])
    body = (
        "#ifndef BEE_WORDLIST_H\n#define BEE_WORDLIST_H\n\n#include <stdint.h>\n\n"
        f"#define BEE_VERSION {json.dumps(facts['version'])}\n#define BEE_COUNT {len(chosen)}\n\n"
        f"static const char *const bee_words[BEE_COUNT] = {{\n{quoted}}};\n\n"
        f"static const uint32_t bee_masks[BEE_COUNT] = {{\n{numbers}}};\n\n#endif\n"
    )
    return _comment(" * ", facts, "/*\n", " */\n") + body.encode()


def js(chosen: pd.DataFrame, facts: Facts) -> bytes:
    """Write an ES module, for browsers and node alike: `version` and `words`, an array, which is the default too."""
    listed = "\n".join(chosen["word"])
    body = (
        f"export const version = {json.dumps(facts['version'])};\n"
        f'export const words = `{listed}`.split("\\n");\n'
        "export default words;\n"
    )
    return _comment("// ", facts) + body.encode()


def masks(chosen: pd.DataFrame, facts: Facts) -> bytes:
    """Write words grouped by letter mask, so that a puzzle is 64 searches in a sorted array and nothing is parsed.

    All numbers are unsigned, 32 bits, little-endian; n is the number of different masks:

    - byte 0: the eight characters `BEEMASK1`; byte 8: n; byte 12: the number of words
    - byte 16: n masks, ascending; bit 0 is "a", bit 25 is "z"
    - byte 16 + 4n: n + 1 offsets, from 0, ascending
    - byte 20 + 8n: the words in ASCII, a newline after each; those of mask i go from offset i up to offset i + 1
    - from there on, to the end of the file: the notice, text in UTF-8
    """
    groups = solver.by_mask(chosen["word"])
    ordered = sorted(groups)
    blocks = [lines(groups[each]) for each in ordered]
    offsets = accumulate(map(len, blocks), initial=0)
    numbers = struct.pack(f"<{2 * len(ordered) + 3}I", len(ordered), len(chosen), *ordered, *offsets)
    return MAGIC + numbers + b"".join(blocks) + _comment("", facts)


_SCHEMA = """
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE words (
  word TEXT PRIMARY KEY,
  length INTEGER NOT NULL,
  mask INTEGER NOT NULL, -- bit 0 is a, bit 25 is z
  points INTEGER NOT NULL,
  pangram INTEGER NOT NULL, -- 1 or 0
  tier TEXT NOT NULL,
  p REAL, -- NULL where the record speaks
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


def sqlite(chosen: pd.DataFrame, facts: Facts) -> bytes:
    """Write an SQLite database: `words`, one row a word; `flags`, one row a flag of a word; `metadata`, the facts."""
    rows = frames.rows(chosen)
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
    """Return the cells of a word in the database, as numbers where they are numbers."""
    word, p = row["word"], float(row["p"]) if row["p"] else None
    computed = (word, len(word), mask(word), points(word), int(pangram(word)))
    return (*computed, row["tier"], p, int(row["offered"]), int(row["accepted"]), row["flags"], row["because"])


def _comment(mark: str, facts: Facts, before: str = "", after: str = "") -> bytes:
    return (before + "".join(f"{mark}{name}: {value}\n" for name, value in facts.items()) + after).encode()


def _columns(cells: Iterable[str], wide: int = 8) -> str:
    listed = list(cells)
    return "".join(f"  {', '.join(listed[at : at + wide])},\n" for at in range(0, len(listed), wide))


FORMATS: dict[str, dict[str, Writer]] = {
    "txt": {"": lambda chosen, _: lines(chosen["word"])},
    "TXT": {"": lambda chosen, _: lines(chosen["word"].str.upper())},
    "csv": {"": lambda chosen, _: frames.csv_bytes(chosen)},
    "json": {"": lambda chosen, _: lines([json.dumps(chosen["word"].tolist())])},
    "jsonl": {"": lambda chosen, _: lines(json.dumps(row) for row in frames.rows(chosen))},
    "scored": {"": lambda chosen, _: lines(f"{row['word'].upper()};{score(row)}" for row in frames.rows(chosen))},
    "hunspell": {".aff": aff, ".dic": dic},
    "c": {"": c},
    "js": {"": js},
    "masks": {"": masks},
    "sqlite": {"": sqlite},
}
"""What writes each format, by the ending of the file's name where a format is more than one file. docs/CONSUMERS.md
says what is in each."""
BINARY = ("masks", "sqlite")
"""Formats that are no text."""
