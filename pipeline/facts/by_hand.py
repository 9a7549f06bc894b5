"""The files that people write: CSV, one decision on each line, sorted by key. Standard library only.

In `custom/`, git joins the lines of two people (`.gitattributes`: union). Lines that are the same count once, and of
two lines that give one word the same verdict, the one counts that holds longer.
"""

from __future__ import annotations

import contextlib
import csv
import datetime
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from pipeline.errors import DataError, DecisionError
from pipeline.words import GRADES, OPINIONS, PARTS_OF_SPEECH, VERDICTS, count, rule_broken, why_unplayable

Row = dict[str, str]
"""A decision: column to cell."""
NO_SOURCE = "none"
"""In the place of a source: no source has the day."""
MAX_GLOSS_WORDS = 12
"""The maximum number of words of a definition."""


@dataclass(frozen=True, slots=True)
class DecisionFile:
    """A file that people write: its path in the workspace, its columns, the number of the first ones that are the key,
    and those of the others that must not be empty."""

    path: str
    columns: tuple[str, ...]
    key: int = 1
    required: tuple[str, ...] = ()


FILES = {
    "verdicts": DecisionFile(
        "custom/verdicts.csv", ("word", "verdict", "reason", "by", "after"), required=("reason", "by")
    ),
    "grades": DecisionFile("custom/offensive.csv", ("word", "grade", "reason", "by")),
    "named_days": DecisionFile(
        "custom/days.csv", ("date", "source", "check", "reason", "by"), required=("reason", "by")
    ),
    "readers": DecisionFile("raw/lexicon/readers.csv", ("word", "opinion", "reading"), required=("reading",)),
    "glosses": DecisionFile("custom/glosses.csv", ("word", "pos", "gloss"), key=3),
}
"""The file of each table that people write. Most grades are those of lists, which need no reason."""
TABLE_OF_KIND = {"verdict": "verdicts", "grade": "grades", "day": "named_days"}
"""The kinds of decisions that commands write, each with its table. Definitions are written in an editor."""


def parse(table: str, data: bytes) -> list[Row]:
    """Return the decisions in a file, each once. No bytes stand for no decisions.

    Raises DecisionError, which names the file and the line, for a line that is no decision, and for two different
    decisions on one key; and DataError for a file that is no CSV table or has other columns.
    """
    file = FILES[table]
    if not data:
        return []
    header, numbered_rows = read_csv(data, file.path)
    if tuple(header) != file.columns:
        raise DataError(f"{file.path}: the first line must be {','.join(file.columns)}.")
    found: dict[tuple[str, ...], tuple[int, Row]] = {}
    for line, cells in numbered_rows:
        row = dict(zip(file.columns, cells, strict=True))
        if problem := problem_with(table, row):
            raise DecisionError(f"{file.path}, line {line}: {problem}.")
        first_line, first = found.setdefault(tuple(cells[: file.key]), (line, row))
        if table == "verdicts" and first["verdict"] == row["verdict"]:
            found[(row["word"],)] = max((first_line, first), (line, row), key=lambda each: each[1]["after"])
        elif first != row:
            raise DecisionError(
                f"{file.path} has two decisions on {cells[0]}: line {first_line} ({describe(first)}) and line {line} "
                f"({describe(row)}). Delete one of them."
            )
    return [row for _, row in found.values()]


def read_csv(data: bytes, path: object) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the column names and the rows of a CSV file, each row with the number of its last line. Each cell is its
    text, unchanged: *null* is a word.

    Raises DataError, which names the `path`, for an invalid file.

    >>> read_csv(b"word,p\\nnull,1\\n\\ncove,1\\n", "words.csv")
    (['word', 'p'], [(2, ['null', '1']), (4, ['cove', '1'])])
    """
    try:
        reader = csv.reader(io.StringIO(data.decode("utf-8-sig")), strict=True)
        header = next(reader, [])
        rows = [(reader.line_num, cells) for cells in reader if cells]
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not text in UTF-8 (byte {error.start}).") from error
    except csv.Error as error:
        raise DataError(f"{path} is not a CSV table: line {reader.line_num}: {error}.") from error
    for line, cells in rows:
        if len(cells) != len(header):
            raise DataError(f"{path}, line {line}: {count(len(cells), 'cell')}, but the header has {len(header)}.")
    return header, rows


def add(table: str, data: bytes, rows: Iterable[Mapping[str, str]]) -> bytes:
    """Return a file with new decisions.

    The same verdict on a word takes the place of one that holds less long. Raises DecisionError for a row that is no
    decision, and for one whose key has another decision in the file; otherwise, see `parse`.
    """
    file = FILES[table]
    decisions: dict[tuple[str, ...], Row] = {_key(file, row): row for row in parse(table, data)}
    for row in rows:
        new = {name: " ".join(row[name].split()) for name in file.columns}
        if problem := problem_with(table, new):
            raise DecisionError(f"{problem[0].upper()}{problem[1:]}. Nothing was written.")
        before = decisions.setdefault(_key(file, new), new)
        if table == "verdicts" and before["verdict"] == new["verdict"] and before["after"] < new["after"]:
            decisions[_key(file, new)] = new
        elif before != new:
            raise DecisionError(
                f"{file.path} already has a decision: {describe(before)}. {undo_command(table, new[file.columns[0]])} "
                "removes it. Nothing was written."
            )
    return _encode(file, decisions.values())


def remove(table: str, data: bytes, subject: str, by: str = "") -> tuple[bytes, list[Row]]:
    """Return a file without the decisions on a word or date, or without those of one person, and these decisions; see
    `parse` for what is raised."""
    file = FILES[table]
    decisions = parse(table, data)
    removed = [row for row in decisions if row[file.columns[0]] == subject and by in ("", row["by"])]
    return _encode(file, [row for row in decisions if row not in removed]), removed


def _key(file: DecisionFile, row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in file.columns[: file.key])


def _encode(file: DecisionFile, decisions: Iterable[Row]) -> bytes:
    """Return the file with these decisions, sorted by key."""
    text = io.StringIO()
    writer = csv.DictWriter(text, file.columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(sorted(decisions, key=lambda row: _key(file, row)))
    return text.getvalue().encode()


def describe(row: Mapping[str, str]) -> str:
    """Return a decision in words.

    >>> describe({"word": "thorn", "verdict": "drop", "reason": "odd", "by": "ann", "after": ""})
    'drop thorn, by ann: odd'
    >>> describe({"word": "troth", "grade": "none", "reason": "", "by": ""})
    'none troth'
    """
    if "check" in row:
        right = f"the list of {row['source']} is right" if row["check"] else "no source has it"
        return f"{row['date']}: {right}, by {row['by']}: {row['reason']}"
    content = [cell for name, cell in row.items() if name not in ("reason", "by", "after") and cell]
    if "by" in row:
        content.reverse()
    if not row.get("by"):
        return " ".join(content)
    return f"{' '.join(content)}, by {row['by']}: {row['reason']}"


def undo_command(table: str, subject: str) -> str:
    """Return the command that removes the decision on a word or date.

    >>> undo_command("verdicts", "thorn")
    '`bee undo thorn --kind verdict`'
    """
    kind = {of_kind: name for name, of_kind in TABLE_OF_KIND.items()}[table]
    return f"`bee undo {subject} --kind {kind}`"


# ---------------------------------------------------------------- what is valid in a cell


def problem_with(table: str, row: Mapping[str, str]) -> str:
    """Return what is wrong with a decision, or ""."""
    for column, cell in row.items():
        if not cell.isprintable():
            return f"the column {column} has a character that cannot be printed"
        if column in FILES[table].required and not cell.strip():
            return f"the column {column} is empty"
        rule = _is_gloss_word if (table, column) == ("glosses", "word") else RULES.get(column)
        if rule and not (column == "check" and row["source"] == NO_SOURCE) and (problem := rule(cell)):
            return problem
    return ""


def _is_gloss_word(cell: str) -> str:
    """Return what is wrong with a word that is defined, which may be too short for a puzzle, or ""."""
    return "" if re.fullmatch("[a-z]+", cell) else f'"{cell}" is not a word in letters a to z'


def _must_be_playable(cell: str) -> str:
    rule = rule_broken(cell)
    return f'"{cell}" cannot be an answer of a puzzle: {why_unplayable(cell) or rule}' if rule else ""


def _must_be_date(cell: str) -> str:
    with contextlib.suppress(ValueError):
        if datetime.date.fromisoformat(cell).isoformat() == cell:
            return ""
    return f'"{cell}" is not a date like 2025-03-12'


def _must_match(pattern: str, noun: str) -> Callable[[str], str]:
    return lambda cell: "" if re.fullmatch(pattern, cell) else f'"{cell}" is not {noun}'


def _must_be_one_of(values: Iterable[str], noun: str) -> Callable[[str], str]:
    *first, last = values
    return lambda cell: (
        "" if cell in (*first, last) else f'"{cell}" is not a valid {noun}; write {", ".join(first)} or {last}'
    )


RULES: dict[str, Callable[[str], str]] = {
    "word": _must_be_playable,
    "verdict": _must_be_one_of(VERDICTS, "verdict"),
    "grade": _must_be_one_of(GRADES, "grade"),
    "after": lambda cell: _must_be_date(cell) if cell else "",
    "date": _must_be_date,
    "source": _must_match("[a-z0-9_-]+", "the name of a source"),
    "check": _must_match("[0-9a-f]{12}", "the check of a list, twelve digits that `bee day` writes"),
    "opinion": _must_be_one_of(OPINIONS, "opinion"),
    "pos": _must_be_one_of(PARTS_OF_SPEECH, "part of speech"),
    "gloss": lambda cell: (
        "" if 0 < len(cell.split()) <= MAX_GLOSS_WORDS else f"a definition must have 1 to {MAX_GLOSS_WORDS} words"
    ),
}
"""For each column, the function that returns what is wrong with a cell, or ""."""
