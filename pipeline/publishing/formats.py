"""Export formats: the list as the bytes of one file for another program. Standard library only.

The function of a format gets chosen rows of `words.csv` (all cells text, A to Z by word) and a notice about them (name
to sentence), which only a database has room for.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from pipeline.words import mask, pangram, score

Notice = Mapping[str, str]
Rows = Sequence[Mapping[str, str]]
Writer = Callable[[Rows, Notice], bytes]

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
_VIEWS_AND_INDEXES = """
CREATE VIEW words_v1 AS
  SELECT word, length, mask, points, pangram, tier, p, offered, accepted, flags, because FROM words;
CREATE VIEW flags_v1 AS SELECT word, flag FROM flags;
CREATE INDEX words_mask ON words (mask);
CREATE INDEX words_tier ON words (tier);
CREATE INDEX flags_flag ON flags (flag);
PRAGMA user_version = 1;
"""


def _sqlite(rows: Rows, notice: Notice) -> bytes:
    """Return an SQLite database with the tables `words`, `flags` (one row per flag of a word), and `metadata`.

    The views `words_v1` and `flags_v1` keep their names and columns when the tables change.
    """

    flags = [(row["word"], flag) for row in rows for flag in sorted(set(row["flags"].split()))]
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        database.executemany("INSERT INTO metadata VALUES (?, ?)", sorted(notice.items()))
        database.executemany(f"INSERT INTO words VALUES ({', '.join('?' * 11)})", map(_cells, rows))
        database.executemany("INSERT INTO flags VALUES (?, ?)", flags)
        database.commit()
        database.executescript(_VIEWS_AND_INDEXES)
        return database.serialize()


def _cells(row: Mapping[str, str]) -> tuple[object, ...]:
    """Return the cells of a word for the database, with numbers in numeric columns."""
    word, p = row["word"], float(row["p"])
    computed = (word, len(word), mask(word), score(word), int(pangram(word)))
    return (*computed, row["tier"], p, int(row["offered"]), int(row["accepted"]), row["flags"], row["because"])


def _lines(words: Iterable[str]) -> bytes:
    """Return one word per line."""
    return "".join(f"{word}\n" for word in words).encode()


def _txt(rows: Rows, _notice: Notice) -> bytes:
    return _lines(row["word"] for row in rows)


def _json(rows: Rows, _notice: Notice) -> bytes:
    return _lines([json.dumps([row["word"] for row in rows])])


def _csv(rows: Rows, _notice: Notice) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(row.values() for row in rows)
    return text.getvalue().encode()


def _scored(rows: Rows, _notice: Notice) -> bytes:
    return _lines(f"{row['word'].upper()};{_rating(row)}" for row in rows)


def _rating(row: Mapping[str, str]) -> int:
    """Return the score of a word from 0 to 100, as in crossword lists: 100 times p.

    >>> [_rating({"p": p}) for p in ("1.00", "0.94", "0.87", "0.00")]
    [100, 94, 87, 0]
    """
    return round(100 * float(row["p"]))


@dataclass(frozen=True, slots=True)
class Format:
    """An export format: its name, content and purpose, the name of its file as a download, the function that writes it,
    and whether it needs only the column `word` of the rows."""

    name: str
    sentence: str
    use: str
    file_name: str
    write: Writer
    only_words: bool = False


_FORMATS = (
    Format("txt", "one word per line", "anything that reads lines", "bee-wordlist.txt", _txt, only_words=True),
    Format("json", "one array of words", "web pages, apps", "bee-wordlist.json", _json, only_words=True),
    Format(
        "csv", "one row per word, with tier, record, flags and reason", "spreadsheets, pandas",
        "bee-wordlist.csv", _csv,
    ),
    Format(
        "scored", "`WORD;SCORE`, as crossword software expects; the score is from 0 to 100", "crossword fillers",
        "bee-wordlist-scored.txt", _scored,
    ),
    Format("sqlite", "an SQLite database", "SQL, Datasette", "bee-wordlist.sqlite", _sqlite),
)  # fmt: skip
FORMATS = {form.name: form for form in _FORMATS}
"""Every format by name. The option `--format`, its help and the table in docs/CONSUMERS.md are made from it."""


def format_of_file(name: str) -> Format | None:
    """Return the format whose name is the ending of a file name; txt for no ending, None for an unknown one.

    >>> [format_of_file(name).name for name in ("list.json", "list.CSV", "list")]
    ['json', 'csv', 'txt']
    >>> format_of_file("list.xlsx")
    """
    return FORMATS.get(PurePath(name).suffix.lower().removeprefix(".") or "txt")


def help_text() -> str:
    """Return one sentence about each format.

    >>> help_text()[:49]
    'txt: one word per line. json: one array of words.'
    """
    return " ".join(f"{form.name}: {form.sentence.replace('`', '')}." for form in FORMATS.values())


def table() -> str:
    """Return the table of all formats in docs/CONSUMERS.md."""
    rows = [f"| `{form.name}` | {form.sentence} | {form.use} |\n" for form in FORMATS.values()]
    return "| format | what it is | for |\n|---|---|---|\n" + "".join(rows)
