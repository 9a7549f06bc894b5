"""The one reader of word lists that people have: text, a table, or JSON. Standard library only.

Text has one word per line, in UTF-8, and `#` starts a comment. A table ends in `.csv` or `.tsv`, and its words are in
the column `word` or `words`, or in the one that is named. JSON is an array of words. Nothing else is guessed.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import DataError
from pipeline.words import LISTED, count, not_text, rule_broken, without_comment

STDIN = "-"
"""The path that stands for standard input."""
MAX_BYTES = 50_000_000
"""A longer file is no word list. A list of all English words has about 5 MB."""
REPEATED = "repeated"
"""The rule that an entry breaks if an earlier one has the same word."""
NO_LIST = ("blank", "digit or sign")
"""The rules that most lines of other texts break: a web page, a program, a frequency list."""
_MARKS_OF_PANGRAMS = re.compile(r"^\*+\s*|\s*\*+$|\s*\((perfect )?pangram\)$", re.IGNORECASE)

LeftOut = Counter[str]
"""How many entries of a list broke each rule of `words.rule_broken`."""


@dataclass(frozen=True, slots=True)
class WordList:
    """The playable words of a list, A to Z, and what was left out."""

    words: list[str]
    left_out: LeftOut

    def describe(self) -> str:
        """Return how many words there are, and how many entries were left out by each rule.

        >>> WordList(["cove"], Counter({"capital": 2, "repeated": 1})).describe()
        '1 word; left out: 2 capital, 1 repeated'
        """
        kept = count(len(self.words), "word")
        if not self.left_out:
            return kept
        rules = [f"{number:,} {rule}" for rule, number in self.left_out.most_common()]
        return f"{kept}; left out: {', '.join(rules)}"


def read(path: str | os.PathLike[str], column: str = "") -> WordList:
    """Read the playable words of a file, or of standard input if the path is `-`; see `decode`."""
    if str(path) == STDIN:
        return decode("stdin", sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b"", column)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError(f"Cannot read the word list {path}: {error.strerror}.") from error
    return decode(str(path), data, column)


def decode(name: str, data: bytes, column: str = "") -> WordList:
    """Return the playable words of a file with this name and content.

    `column` is the column of a table, or the field of the objects of a JSON array, that has the words. Raises DataError
    if the file is no word list, or has no playable word.
    """
    entries, unlisted = _entries(name, _text(name, data), column)
    word_list = clean(entries)
    word_list.left_out.update(unlisted)
    if not word_list.words:
        raise DataError(f"{name} has no playable word: {word_list.describe()}.")
    return word_list


def clean(entries: Sequence[str]) -> WordList:
    """Return the playable words among the entries of a list, without the marks of pangrams.

    Only a list that is all in capitals is converted to lower case.

    >>> clean(["covenant*", "** octave", "cove (pangram)", "Rome", "cove", "ice cream"])
    WordList(words=['cove', 'covenant', 'octave'], left_out=Counter({'capital': 1, 'repeated': 1, 'blank': 1}))
    >>> clean(["COVE", "CAFÉ"]).words
    ['cove']
    """
    plain = [_MARKS_OF_PANGRAMS.sub("", entry.strip()) for entry in entries]
    if all(entry == entry.upper() for entry in plain):
        plain = [entry.lower() for entry in plain]
    words: set[str] = set()
    left_out: LeftOut = Counter()
    for entry in filter(None, plain):
        rule = REPEATED if entry in words else rule_broken(entry)
        if rule is None:
            words.add(entry)
        else:
            left_out[rule] += 1
    return WordList(sorted(words), left_out)


def _text(name: str, data: bytes) -> str:
    """Return the text of a file; raise DataError if it is not plain text in UTF-8."""
    if len(data) > MAX_BYTES:
        raise DataError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB, so it is no word list.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{name} is no word list: it is not text in UTF-8 (byte {error.start}).") from error
    if not_text(text) or text.lstrip().startswith(("%PDF", "<")):
        raise DataError(f"{name} is no word list: it is not plain text.")
    return text


def _entries(name: str, text: str, column: str) -> tuple[list[str], LeftOut]:
    """Return the entries of a list in the order of the file, and how many have a tier that is not on the list."""
    ending = Path(name).suffix.lower()
    if ending == ".json" or text.lstrip().startswith("["):
        return _json_entries(name, text, column), LeftOut()
    if ending in (".jsonl", ".ndjson") or re.match(r'\s*\{\s*"', text):
        raise DataError(f"{name} is JSON Lines or a JSON object; give a JSON array, or text with one word per line.")
    if column or ending in (".csv", ".tsv"):
        return _column_entries(name, text, column, "\t" if ending == ".tsv" else ",")
    return _lines(name, text), LeftOut()


def _lines(name: str, text: str) -> list[str]:
    """Return the lines of a text without comments; raise DataError if most of them are no words."""
    lines = [line for line in (without_comment(line).strip() for line in text.splitlines()) if line]
    others = [line for line in lines if rule_broken(_MARKS_OF_PANGRAMS.sub("", line)) in NO_LIST]
    if 2 * len(others) > len(lines):
        problem = f'{len(others):,} of its {len(lines):,} lines are no words, such as "{others[0][:40]}"'
        raise DataError(f"{name} is no list with one word per line: {problem}.")
    return lines


def _column_entries(name: str, text: str, column: str, delimiter: str) -> tuple[list[str], LeftOut]:
    """Return the cells of a column of a table. Of a table with tiers, such as `words.csv`, only the words of the list
    are returned, and the number of those of other tiers, unless the column is named."""
    try:
        table = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="", strict=True)
        header = list(table.fieldnames or ())
        rows = list(table)
    except csv.Error as error:
        raise DataError(f"{name} is not a table: {error}.") from error
    usual_names = [field for field in header if field.strip().lower() in ("word", "words")]
    if len(header) == 1 and not (column or usual_names):
        return _lines(name, text), LeftOut()
    chosen = column or next(iter(usual_names), "word")
    if not header:
        raise DataError(f"{name} is empty.")
    if header.count(chosen) != 1:
        number = "two columns" if chosen in header else "no column"
        columns = ", ".join(header[:5])
        raise DataError(f"{name} has {number} {chosen}; name the one with the words: --column NAME, of {columns}.")
    unlisted = LeftOut()
    if not column and "tier" in header:
        unlisted.update(f"of tier {row['tier']}" for row in rows if row["tier"] not in LISTED)
        rows = [row for row in rows if row["tier"] in LISTED]
    return [row[chosen] for row in rows], unlisted


def _json_entries(name: str, text: str, column: str) -> list[str]:
    """Return the words of a JSON array: texts or, with `column`, this field of its objects. An object can have the
    array in this field."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name} is not JSON ({error}). If it is JSON Lines, give a JSON array.") from error
    if column and isinstance(value, dict):
        value, column = value.get(column), ""
    if not isinstance(value, list):
        raise DataError(f"{name} is no JSON array of words; --column NAME names a field with one.")
    if column:
        value = [item.get(column) if isinstance(item, dict) else None for item in value]
    for number, item in enumerate(value, 1):
        if not isinstance(item, str):
            problem = f"has no text in the field {column}" if column else "is no word; --column NAME names a field"
            raise DataError(f"Item {number:,} of {name} {problem}.")
    return list(value)
