"""The files that people write by hand, and what is valid in them. `decision_files` reads and changes these files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from pipeline.facts.settle import NO_SOURCE
from pipeline.sources.day import InvalidDayError, iso_date
from pipeline.words import GRADES, PARTS_OF_SPEECH, VERDICTS, rule_broken, why_unplayable

TABLE_OF_KIND = {
    "verdict": "verdicts",
    "grade": "grades",
    "day": "day_decisions",
}
"""The kinds of decisions that commands write, each with its table. Definitions are written in an editor."""
KIND_OF_TABLE = {table: kind for kind, table in TABLE_OF_KIND.items()}
"""The kind of decision in each table."""
PATHS = {
    "verdicts": "custom/verdicts.csv",
    "grades": "custom/offensive.csv",
    "day_decisions": "custom/days.csv",
    "glosses": "custom/glosses.csv",
}
"""The file of each table, in the workspace."""
TABLE_OF_FILE = {path.rpartition("/")[2]: table for table, path in PATHS.items()}
"""The table of each file, by the name of the file."""
IN_NO_LIST = " (in no list)"
"""The end of the reason of a verdict or grade on a word that is in no list, puzzle or record."""
MAX_GLOSS_WORDS = 12
"""The maximum number of words of a definition."""
FILLERS = """a test; because; drop; drop it; just because; keep; keep it; looked at; looked at in review; no idea;
no reason; none; not sure; nothing; reason; see above; test; testing; todo; word""".replace("\n", " ").split("; ")
"""Texts that say nothing about a word."""


def says_nothing(reason: str) -> bool:
    """Return whether a reason says nothing: it has fewer than three letters, or is one of `FILLERS`.

    >>> [says_nothing(text) for text in ("", "x", "12 + 7", "Looked at in review.", "odd")]
    [True, True, True, True, False]
    """
    text = reason.removesuffix(IN_NO_LIST).lower()
    words = " ".join(re.findall(r"[^\W\d_]+", text))
    return len(words) < 3 or words in FILLERS


def problem_with(table: str, row: Mapping[str, str], strict: bool = False) -> str:
    """Return what is wrong with a line, or "".

    By default, a reason may say nothing, and a grade may lack both reason and name, because committed lines do. With
    `strict`, which is for new lines, both are wrong.
    """
    for column in row:
        problem = _problem_with_cell(table, row, column, strict)
        if problem:
            return problem
    return ""


def _problem_with_cell(table: str, row: Mapping[str, str], column: str, strict: bool) -> str:
    """Return what is wrong with the cell of a column, or ""."""
    cell = row[column]
    if not cell.isprintable():
        return f"the column {column} has a character that cannot be printed, such as a line end"
    if column in ("reason", "by", "on") and not cell.strip():
        is_grade_without_reason = table == "grades" and not row["reason"] and not row["by"]
        if is_grade_without_reason and not strict:
            return ""
        return f"a {_NEEDED[column]} is required, but the column {column} is empty"
    if column == "reason" and strict and says_nothing(cell):
        return (
            f'the reason "{cell.strip()}" says nothing; reasons are published, so write what the decision is based on'
        )
    if table == "glosses" and column == "word":  # it may be too short for a puzzle
        return (
            "" if re.fullmatch("[a-z]+", cell) else f'"{cell}" in the column {column} is not a word in letters a to z'
        )
    if column == "gloss":
        return _problem_with_gloss(cell)
    if column == "check" and not cell and row["source"] == NO_SOURCE:
        return ""  # there is no list
    if column not in _CELL_PROBLEM:
        return ""
    problem = _CELL_PROBLEM[column](cell)
    if problem and column not in ("word", "verdict", "grade"):
        return f"the column {column}: {problem.rstrip('.')}"
    return problem


_NEEDED = {"reason": "reason", "by": "name", "on": "date"}
"""The columns that must not be empty, each with what a cell of it must have."""


def _problem_with_gloss(gloss: str) -> str:
    """Return what is wrong with a definition, or ""."""
    if not 0 < len(gloss.split()) <= MAX_GLOSS_WORDS:
        return f"a definition must have 1 to {MAX_GLOSS_WORDS} words"
    return ""


def _problem_with_word(cell: str) -> str:
    rule = rule_broken(cell)
    return f'"{cell}" cannot be an answer of a puzzle: {why_unplayable(cell) or rule}' if rule else ""


def _problem_with_date(cell: str) -> str:
    try:
        return "" if iso_date(cell) == cell else f'"{cell}" is not a date.'
    except InvalidDayError as error:
        return str(error)


def _problem_with_source(cell: str) -> str:
    if re.fullmatch("[a-z0-9_-]+", cell):
        return ""
    return f'"{cell}" is not the name of a source, which has only lower case letters, digits, - and _'


def _problem_with_check(cell: str) -> str:
    if re.fullmatch("[0-9a-f]{12}", cell):
        return ""
    return f'"{cell}" is not the check of a list, twelve digits that `bee day` writes'


def _must_be_one_of(values: Iterable[str], noun: str) -> Callable[[str], str]:
    """Return a function that returns what is wrong with a cell that is not one of the values, or ""."""
    *first, last = values

    def problem(cell: str) -> str:
        if cell in (*first, last):
            return ""
        return f'"{cell}" is not a valid {noun}; write {", ".join(first)} or {last}'

    return problem


_CELL_PROBLEM: dict[str, Callable[[str], str]] = {
    "word": _problem_with_word,
    "verdict": _must_be_one_of(VERDICTS, "verdict"),
    "grade": _must_be_one_of(GRADES, "grade"),
    "pos": _must_be_one_of(PARTS_OF_SPEECH, "part of speech"),
    "on": _problem_with_date,
    "date": _problem_with_date,
    "source": _problem_with_source,
    "check": _problem_with_check,
}
"""For each column, the function that returns what is wrong with a cell, or ""."""


def undo_command(table: str, subject: str) -> str:
    """Return the command that removes the decision on a word or date.

    >>> undo_command("verdicts", "thorn")
    '`bee undo thorn --kind verdict`'
    """
    return f"`bee undo {subject} --kind {KIND_OF_TABLE[table]}`"
