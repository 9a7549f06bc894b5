"""Export formats: the list as the bytes of one file for another program.

The function of a format gets chosen rows of `words.csv` (all cells text, A to Z by word) and a notice about them (name
to sentence), which it writes as a comment if the format allows comments. This module imports nothing slow, because `bee
export --help` lists the formats.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath

from pipeline import solver
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
    import sqlite3  # it takes long to import, and `bee --help` needs the names of the formats

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


def _rating(row: Mapping[str, str]) -> int:
    """Return the score of a word from 0 to 100, as in crossword lists: 100 times p.

    >>> [_rating({"p": p}) for p in ("1.00", "0.94", "0.87", "0.00")]
    [100, 94, 87, 0]
    """
    return round(100 * float(row["p"]))


def _txt(rows: Rows, _notice: Notice) -> bytes:
    return _lines(_words(rows))


def _upper_txt(rows: Rows, _notice: Notice) -> bytes:
    return _lines(word.upper() for word in _words(rows))


def _json(rows: Rows, _notice: Notice) -> bytes:
    return _lines([json.dumps(_words(rows))])


def _jsonl(rows: Rows, _notice: Notice) -> bytes:
    return _lines(json.dumps(row) for row in rows)


def _csv(rows: Rows, _notice: Notice) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows(row.values() for row in rows)
    return text.getvalue().encode()


def _scored(rows: Rows, _notice: Notice) -> bytes:
    return _lines(f"{row['word'].upper()};{_rating(row)}" for row in rows)


def _aff(rows: Rows, notice: Notice) -> bytes:
    """Return the affix file of a hunspell pair: the encoding, and the letters to try in suggestions."""
    counts = Counter("".join(_words(rows)))
    letters = "".join(sorted(counts, key=lambda letter: (-counts[letter], letter)))
    return _comment("# ", notice) + f"SET UTF-8\nTRY {letters}\n".encode()


def _dic(rows: Rows, _notice: Notice) -> bytes:
    """Return the dictionary file of a hunspell pair: the number of words, then one word per line."""
    return f"{len(rows)}\n".encode() + _lines(_words(rows))


def _c(rows: Rows, notice: Notice) -> bytes:
    """Return a header for C99 and C++11 with the words and, in a parallel array, their masks."""
    words = _eight_a_line(f'"{word}"' for word in _words(rows))
    masks = _eight_a_line(f"0x{mask(word):07x}u" for word in _words(rows))
    body = (
        "#ifndef BEE_WORDLIST_H\n#define BEE_WORDLIST_H\n\n#include <stdint.h>\n\n"
        f"#define BEE_VERSION {json.dumps(notice['version'])}\n#define BEE_COUNT {len(rows)}\n\n"
        f"static const char *const bee_words[BEE_COUNT] = {{\n{words}}};\n\n"
        f"static const uint32_t bee_masks[BEE_COUNT] = {{\n{masks}}};\n\n#endif\n"
    )
    return b"/*\n" + _comment(" * ", notice) + b" */\n" + body.encode()


def _js(rows: Rows, notice: Notice) -> bytes:
    """Return an ES module for browsers and Node. It exports `version` and `words`, an array that is also the default
    export."""
    words, version = "\n".join(_words(rows)), json.dumps(notice["version"])
    body = f'export const version = {version};\nexport const words = `{words}`.split("\\n");\nexport default words;\n'
    return _comment("// ", notice) + body.encode()


MAGIC = b"BEEMASK1"
"""The first bytes of a masks file: the name of the layout and its version."""


def _masks(rows: Rows, notice: Notice) -> bytes:
    """Return words grouped by letter mask. A puzzle needs 64 searches in a sorted array, and nothing has to be parsed.

    All numbers are unsigned, 32 bits, little-endian; n is the number of different masks:

    - byte 0: the eight characters `BEEMASK1`; byte 8: n; byte 12: the number of words
    - byte 16: n masks, ascending; bit 0 is "a", bit 25 is "z"
    - byte 16 + 4n: n + 1 offsets, from 0, ascending
    - byte 20 + 8n: the words in ASCII, each followed by a newline; those of mask i go from offset i up to offset i + 1
    - from there to the end of the file: the notice, text in UTF-8
    """
    groups = solver.group_by_mask(_words(rows))
    masks = sorted(groups)
    blocks = [_lines(groups[bits]) for bits in masks]
    offsets = accumulate(map(len, blocks), initial=0)
    numbers = struct.pack(f"<{2 * len(masks) + 3}I", len(masks), len(rows), *masks, *offsets)
    return MAGIC + numbers + b"".join(blocks) + _comment("", notice)


def _comment(mark: str, notice: Notice) -> bytes:
    return "".join(f"{mark}{name}: {sentence}\n" for name, sentence in notice.items()).encode()


def _words(rows: Rows) -> list[str]:
    return [row["word"] for row in rows]


def _eight_a_line(items: Iterable[str]) -> str:
    """Return the items of an array in C, eight per line."""
    listed = list(items)
    return "".join(f"  {', '.join(listed[start : start + 8])},\n" for start in range(0, len(listed), 8))


@dataclass(frozen=True, slots=True)
class Format:
    """An export format: its name, content, purpose, and the function that writes each of its files, by ending.

    The ending of a single file is "". `is_binary` is whether the file must not be printed on a terminal,
    `needs_only_words` is whether it has only the words of a release, and `has_flags` is whether it has the flags of
    words, which have their own license.
    """

    name: str
    sentence: str
    use: str
    writers: Mapping[str, Writer]
    is_binary: bool = False
    needs_only_words: bool = True
    has_flags: bool = False


_FORMATS = (
    Format("txt", "one word per line", "anything that reads lines", {"": _txt}),
    Format("TXT", "the same in upper case", "programs that use upper case", {"": _upper_txt}),
    Format("json", "one array of words", "web pages, apps", {"": _json}),
    Format(
        "js", "an ES module with `words` and `version`; saved as `.mjs`, it loads in browsers and Node",
        "web pages that load the list as a script", {"": _js},
    ),
    Format(
        "csv", "one row per word, with tier, record, flags and reason", "spreadsheets, pandas", {"": _csv},
        has_flags=True,
    ),
    Format(
        "jsonl", "one JSON object per word, with the columns of csv; all values are text", "jq, streams", {"": _jsonl},
        has_flags=True,
    ),
    Format(
        "scored", "`WORD;SCORE`, as crossword software expects; the score is from 0 to 100", "crossword fillers",
        {"": _scored}, needs_only_words=False,
    ),
    Format(
        "c", "a header for C99 and C++11: `BEE_VERSION`, `BEE_COUNT`, `bee_words[]` and `bee_masks[]`",
        "programs that cannot read a file at run time", {"": _c},
    ),
    Format("hunspell", "a pair of files, `.aff` and `.dic`", "spell checkers", {".aff": _aff, ".dic": _dic}),
    Format("masks", "words by letter mask, binary", "fast solvers in any language", {"": _masks}, is_binary=True),
    Format(
        "sqlite", "an SQLite database", "SQL, Datasette", {"": _sqlite}, is_binary=True, needs_only_words=False,
        has_flags=True,
    ),
)  # fmt: skip
FILE_NAMES = {
    "TXT": "bee-wordlist-upper.txt",
    "scored": "bee-wordlist-scored.txt",
    "c": "bee_wordlist.h",
    "js": "bee-wordlist.mjs",
}
"""The file names of formats that differ from `bee-wordlist.FORMAT`. Two names must not differ only in case."""
FORMATS = {form.name: form for form in _FORMATS}
"""Every format by name. The option `--format`, its help and the table in docs/CONSUMERS.md are generated from it."""


def _file_name(form: Format, ending: str) -> str:
    """Return the name of a file of a format as a download."""
    return f"bee-wordlist{ending}" if ending else FILE_NAMES.get(form.name, f"bee-wordlist.{form.name}")


def format_of_file(name: str) -> Format | None:
    """Return the first format whose files have the ending of a file name; txt for no ending, None for an unknown one.

    >>> [format_of_file(name).name for name in ("list.json", "list.mjs", "list.js", "list.dic", "list.TXT", "list")]
    ['json', 'js', 'js', 'hunspell', 'txt', 'txt']
    >>> format_of_file("list.xlsx")
    """
    ending = PurePath(name).suffix.lower()
    for form in FORMATS.values():
        endings = {PurePath(_file_name(form, of_file)).suffix for of_file in form.writers}
        if ending in {*endings, f".{form.name}"}:
            return form
    return None if ending else FORMATS["txt"]


def write_format(form: Format, rows: Rows, notice: Notice) -> dict[str, bytes]:
    """Return the files of a format under the names of downloads, name to bytes."""
    files = {}
    for ending, write in form.writers.items():
        files[_file_name(form, ending)] = write(rows, notice)
    return files


def help_text() -> str:
    """Return one sentence about each format.

    >>> help_text()[:54]
    'txt: one word per line. TXT: the same in upper case. j'
    """
    return " ".join(f"{form.name}: {form.sentence.replace('`', '')}." for form in FORMATS.values())


def table() -> str:
    """Return the table of all formats in docs/CONSUMERS.md."""
    rows = [f"| `{form.name}` | {form.sentence} | {form.use} |\n" for form in FORMATS.values()]
    return "| format | what it is | for |\n|---|---|---|\n" + "".join(rows)
