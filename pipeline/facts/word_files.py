"""Reads the playable words of any word list, as text, CSV or JSON, and counts the entries that broke a rule.

Text has one word per line, maybe with numbers such as its frequency. `#` starts a comment. A CSV table has the words in
one column; the delimiter can also be a semicolon or a tab. JSON is an array of words or of objects, or an object whose
keys are words.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from pipeline.errors import DataError
from pipeline.sources import json_text
from pipeline.words import not_text, rule_broken, without_comment

MAX_BYTES = 50_000_000
"""The maximum size of a file in bytes. A list of all English words has about 5 MB."""
REPEATED = "repeated"
"""The rule that an entry breaks if an earlier one has the same word."""
RejectedLines = Counter[str]
"""The number of lines of a list that broke each rule of `words.rule_broken`."""


def read(name: str, data: bytes, column: str = "") -> tuple[list[str], RejectedLines]:
    """Return the playable words of a list, A to Z, and how many entries broke each rule of `words.rule_broken`.

    `name` is the name of the file, and `column` that of the column or field with the words, if it is not `word`. Raises
    DataError if the file cannot be read as a list, or has no playable word.
    """
    text = _decode(name, data)
    if name.lower().endswith(".json") or text.strip()[:1] + text.strip()[-1:] in ("[]", "{}"):
        entries = _json_entries(name, text, column)
    elif column or _is_table(name, text):
        entries = _column_entries(name, text, column)
    else:
        lines = [without_comment(line).strip() for line in text.splitlines()]
        if not _is_csv(name):
            lines = [entry for line in lines for entry in _words_of_line(line)]
        entries = _without_numbers(lines)
    words, rejected = _playable_words(entries)
    if not words:
        broken_rules = ", ".join(f"{count:,} {rule}" for rule, count in rejected.most_common(3))
        problem = f"has no playable word ({broken_rules or 'it is empty'})"
        if column:
            raise DataError(f"{name} {problem} in its column {column}.")
        advice = "give a list with one word per line, or name the column with the words: --column NAME"
        raise DataError(f"{name} {problem}; {advice}.")
    return words, rejected


def _playable_words(entries: Iterable[str]) -> tuple[list[str], RejectedLines]:
    """Return the playable words of a list, A to Z, and how many entries broke each rule of `words.rule_broken`.

    If most entries that are all letters are in upper case, they are converted to lower case.

    >>> _playable_words(["cove", "Rome", "cove", "bee", "café", ""])
    (['cove'], Counter({'capital': 1, 'repeated': 1, 'too short': 1, 'accent': 1}))
    >>> _playable_words(["Words", "COVE", "AAHED"])
    (['aahed', 'cove'], Counter({'capital': 1}))
    """
    candidates = [entry.strip() for entry in entries if entry.strip()]
    all_letters = [entry for entry in candidates if entry.isalpha()]
    if 2 * sum(map(str.isupper, all_letters)) > len(all_letters):
        candidates = [entry.lower() if entry.isupper() else entry for entry in candidates]
    words = set()
    rejected: RejectedLines = Counter()
    for entry in candidates:
        rule = REPEATED if entry in words else rule_broken(entry)
        if rule is None:
            words.add(entry)
        else:
            rejected[rule] += 1
    return sorted(words), rejected


_ENCODINGS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The encodings by their byte order marks. The mark of UTF-16 is also the start of one of UTF-32."""


def _decode(name: str, data: bytes) -> str:
    """Return the text of a file in the encoding of its byte order mark, or else in UTF-8, or else in Windows-1252, the
    encoding of most older lists."""
    if len(data) > MAX_BYTES:
        raise DataError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB; split it.")
    if data.startswith(b"\x1f\x8b"):
        raise DataError(f"{name} is compressed with gzip; unpack it first.")
    if name.lower().endswith((".dic", ".aff")):
        raise DataError(f"{name} is part of a Hunspell dictionary; give a list with one word per line.")
    encoding = next((_ENCODINGS[mark] for mark in _ENCODINGS if data.startswith(mark)), "")
    try:
        text = data.decode(encoding or "utf-8-sig")
    except UnicodeDecodeError as error:
        if encoding:
            problem = f"looks like {encoding.upper()} but is damaged ({error}); get the file again"
            raise DataError(f"{name} {problem}.") from error
        text = data.decode("cp1252", "replace")
    if not_text(text):
        raise DataError(f"{name} is not text; unpack it, or save it as text in UTF-8, with one word per line.")
    return text


def _words_of_line(line: str) -> list[str]:
    """Return the words of a line that only has words and commas, semicolons or bars; otherwise, the line itself.

    >>> _words_of_line("cove, octave"), _words_of_line("cove,12"), _words_of_line("ice cream, cove")
    (['cove', 'octave'], ['cove,12'], ['ice cream, cove'])
    """
    words = [part.strip(' "') for part in re.split("[,;|]", line)]
    return words if all(word.isalpha() for word in words) else [line]


def _without_numbers(lines: list[str]) -> list[str]:
    """Return lines without their numbers if more than half of the lines have a number; otherwise return them unchanged.

    >>> _without_numbers(["the 23135851162", "1,of,0.02", "ice cream 7", "cove"])
    ['the', 'of', 'ice cream', 'cove']
    >>> _without_numbers(["apollo 11", "area", "cove"])
    ['apollo 11', 'area', 'cove']
    """
    rows = [[cell.strip('"') for cell in re.split(r"[\s,;]+", line)] for line in lines]
    words = [[cell for cell in row if not _NUMBER.fullmatch(cell)] for row in rows]
    numbered = sum(words_of_row != row for words_of_row, row in zip(words, rows, strict=True))
    return [" ".join(words_of_row) for words_of_row in words] if 2 * numbered > sum(map(bool, lines)) else lines


_NUMBER = re.compile(r"[+-]?\.?\d[\d.,]*([eE][+-]?\d+)?%?")


def _is_csv(name: str) -> bool:
    return name.lower().endswith((".csv", ".tsv"))


def _first_row(text: str) -> tuple[list[str], str]:
    """Return the cells of the first line of a table, and their delimiter."""
    line = text.partition("\n")[0]
    delimiter = max(",;\t", key=line.count)
    return [cell.strip(' "\r') for cell in line.split(delimiter)], delimiter


def _is_table(name: str, text: str) -> bool:
    """Return whether the first line of a text names a column `word` or `words`. A single one is a name only in CSV.

    >>> _is_table("a.txt", "rank,Word"), _is_table("a.csv", "word"), _is_table("a.txt", "word")
    (True, True, False)
    """
    header = [cell.lower() for cell in _first_row(text)[0]]
    return not {"word", "words"}.isdisjoint(header) and (len(header) > 1 or _is_csv(name))


def _column_entries(name: str, text: str, column: str) -> list[str]:
    """Return the cells of the column with the name `column`, or else `word` or `words`."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_first_row(text)[1]))
    except csv.Error as error:
        raise DataError(f"{name} is not a CSV table: {error}.") from error
    header = [cell.strip() for cell in rows[0]] if rows else []
    for position, cell in enumerate(header):
        if cell == column or (not column and cell.lower() in ("word", "words")):
            return [row[position] for row in rows[1:] if position < len(row)]
    raise DataError(f'{name} has no column "{column}"; it has {", ".join(header[:5]) or "none"}.')


def _json_entries(name: str, text: str, column: str) -> list[str]:
    """Return the words in a JSON text, without guessing which texts are words.

    Read are an array of words; an array of objects with the word in the field `column`, or else `word`; an object with
    one of these in the field `column`, or in its only array; and an object from words to numbers.
    """
    try:
        value = json_text.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{name} is not JSON ({error}).") from error
    if isinstance(value, json_text.RepeatedFields):
        raise DataError(f'{name} has the field "{value.repeated}" twice.')
    if isinstance(value, dict):
        if value and all(isinstance(content, (int, float)) for content in value.values()):
            return list(value)
        arrays = [field for field, content in value.items() if isinstance(content, list)]
        if column in arrays:
            arrays, column = [column], ""
        if len(arrays) > 1:
            names = ", ".join(arrays[:5])
            raise DataError(f"{name} has {len(arrays)} arrays ({names}); name the one with the words: --column NAME.")
        value = value[arrays[0]] if arrays else None
    if not isinstance(value, list):
        raise DataError(f"{name} has no array of words and is no object from words to numbers.")
    return [_word_of(name, number, item, column or "word") for number, item in enumerate(value, 1)]


def _word_of(name: str, number: int, item: Any, field: str) -> str:
    """Return the word of an item of a JSON array: the item itself, or a field of it; raise DataError if it has none."""
    word = item.get(field) if isinstance(item, dict) else item
    if isinstance(word, str):
        return word
    if not isinstance(item, dict):
        raise DataError(f"Item {number} of {name} is neither a word nor an object with a word.")
    fields = ", ".join(list(item)[:5]) or "none"
    problem = f'has no word in the field "{field}"; its fields are {fields}'
    raise DataError(f"Item {number} of {name} {problem}. Name the one with the word: --column NAME.")
