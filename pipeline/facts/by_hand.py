"""By hand: the files that people write, and what a line of them must hold. `decision_files` reads and changes them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping

import pandas as pd

from pipeline.sources.day import MAX_ANSWERS, InvalidDayError, iso_date
from pipeline.tables import frames
from pipeline.violations import Finding
from pipeline.words import FORMS, GRADES, PARTS, VERDICTS, BeeError, Puzzle, rule_broken, spells

KINDS = {
    "verdict": "verdicts",
    "grade": "grades",
    "admission": "admitted",
    "correction": "corrections",
    "gloss": "glosses",
}
"""What a person may write, and the table of it."""
KIND_OF = {table: kind for kind, table in KINDS.items()}
"""What a line of each table is called."""
PATHS = {table: f"custom/{'offensive' if table == 'grades' else table}.csv" for table in KINDS.values()}
"""The file of each table, in the workspace."""
NOWHERE = " (in no list)"
"""The end of the reason of a verdict or grade on a word that no list, puzzle or record knows."""
LONGEST = 12
"""The maximum number of words of a definition."""
FILLERS = """a test; because; drop; drop it; just because; keep; keep it; looked at; looked at in review; no idea;
no reason; none; not sure; nothing; reason; see above; test; testing; todo; word""".replace("\n", " ").split("; ")
"""Texts that say nothing about a word. The program itself once wrote one of them."""
Lines = Mapping[str, Mapping[tuple[str, ...], int]]
"""The line of each key of each table."""


class ByHandError(BeeError):
    """A line of such a file is invalid, or cannot be added or taken out."""


def _date(cell: str) -> str:
    try:
        return "" if iso_date(cell) == cell else f'"{cell}" is no date.'
    except InvalidDayError as error:
        return str(error)


def _letters(cell: str) -> str:
    return "" if re.fullmatch("[a-z]{7}", cell) and len(set(cell)) == len(cell) else "write seven different letters a-z"


def _one_of(values: Iterable[str], what: str) -> Callable[[str], str]:
    *first, last = values
    return lambda cell: "" if cell in (*first, last) else f'"{cell}" is no {what}; write {", ".join(first)} or {last}'


_RULES: dict[str, Callable[[str], str]] = {
    "word": lambda cell: f'"{cell}" cannot be a word of a puzzle: {rule}' if (rule := rule_broken(cell)) else "",
    "verdict": _one_of(VERDICTS, "verdict"),
    "grade": _one_of(GRADES, "grade"),
    "pos": _one_of(PARTS, "part of speech"),
    "on": _date,
    "date": _date,
    "letters": _letters,
    "reported": _letters,
    "answers": lambda cell: "" if cell.isdecimal() and 0 < int(cell) <= MAX_ANSWERS else "write the number of answers",
}
"""What is wrong with a cell of a column, or ""."""


def says_nothing(reason: str) -> bool:
    """Return whether a reason says nothing: it has fewer than three letters, or is one of `FILLERS`.

    >>> [says_nothing(text) for text in ("", "x", "12 + 7", "Looked at in review.", "test; proposed by ann", "odd")]
    [True, True, True, True, True, False]
    """
    text = reason.removesuffix(NOWHERE).partition("; proposed ")[0].lower()
    words = " ".join(re.findall(r"[^\W\d_]+", text))
    return len(words) < 3 or words in FILLERS


def wrong(table: str, row: Mapping[str, str], strict: bool = False) -> str:
    """Return what is wrong with a line, or "". A line of old may have a reason that says nothing, and an old grade
    neither reason nor name; `strict` refuses both."""
    for column, cell in row.items():
        if strict and column == "reason" and cell.strip() and says_nothing(cell):
            return f'the reason "{cell.strip()}" says nothing; it is published for years, so say what decided it'
        if column in ("reason", "by", "on") and not cell.strip():
            if strict or table != "grades" or row["reason"] + row["by"]:
                return f"it needs a {'name' if column == 'by' else column}: the column {column} is empty"
        elif table == "glosses" and column == "word":
            continue  # the base of forms may be too short for a puzzle
        elif column == "reported" and not cell and row["source"] and not (row["listed"] or row["lacking"]):
            continue  # all that this source says of the day is wrong
        elif column in _RULES and (found := _RULES[column](cell)):
            return found if column in ("word", "verdict", "grade") else f"the column {column}: {found.rstrip('.')}"
        elif column == "gloss":
            if row["base"] and cell not in FORMS:
                return f'"{cell}" is no form of {row["base"]}; write {", ".join(FORMS[:-1])} or {FORMS[-1]}'
            if not 0 < len(cell.split()) <= LONGEST:
                return f"a definition has 1 to {LONGEST} words"
        elif column in ("listed", "lacking") and cell:
            letters = Puzzle(row["reported"][0], row["reported"][1:])
            if foreign := [word for word in cell.split() if rule_broken(word) or not spells(letters, word)]:
                return f'"{foreign[0]}" in {column} cannot be an answer of {row["reported"]}, center first'
    return ""


def sound(table: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with nothing wrong."""
    return frame.loc[[not wrong(table, row) for row in frames.rows(frame)]]


def broken(tables: Mapping[str, pd.DataFrame], lines: Lines) -> Iterator[Finding]:
    """Find the lines that mean nothing, each with its file and line."""
    for kind, table in KINDS.items():
        for row in frames.rows(tables[table]) if table in tables else ():
            if found := wrong(table, row):
                key = _key(table, row)
                undo = f"correct it, or `{undo_line(table, row, lines)}` takes the line out"
                yield Finding(f"{kind}-broken", " ".join(key), f"{place(table, key, lines)}: {found}; {undo}")


def place(table: str, key: tuple[str, ...], lines: Lines) -> str:
    """Name the file and the line of a key."""
    line = lines.get(table, {}).get(key)
    return PATHS[table] + (f", line {line}" if line else "")


def subject_column(table: str) -> str:
    """Return the column that says what a line is about: a word or a date."""
    return "date" if table in ("admitted", "corrections") else "word"


def undo_command(table: str, subject: str, line: int = 0) -> str:
    """Return the command that takes out the line about a word or date, by its number if there is one.

    A subject that cannot be typed as it is printed is left out, so that only the number finds the line.

    >>> undo_command("verdicts", "thorn"), undo_command("verdicts", "thorn\xa0", 3)
    ('bee undo thorn --kind verdict', 'bee undo --kind verdict --line 3')
    """
    named = [shlex.quote(subject)] if _typeable(subject) or not line else []
    numbered = ["--line", str(line)] if line else []
    return " ".join(["bee undo", *named, "--kind", KIND_OF[table], *numbered])


def undo_line(table: str, row: Mapping[str, str], lines: Lines) -> str:
    """Return the command that takes out this line, by its number if the word or date is not enough."""
    subject = row[subject_column(table)]
    place_of_subject = frames.CONTRACTS[table].key.index(subject_column(table))
    alike = [key for key in lines.get(table, {}) if key[place_of_subject] == subject]
    needs_number = len(alike) > 1 or not _typeable(subject)
    line = lines.get(table, {}).get(_key(table, row), 0) if needs_number else 0
    return undo_command(table, subject, line)


def _typeable(subject: str) -> bool:
    """Return whether a person can type a word or date as it is printed, and it cannot be taken for an option."""
    plain = subject.isascii() and subject.isprintable() and not subject.startswith("-")
    return plain and bool(subject) and subject == subject.strip().lower()


def _key(table: str, row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in frames.CONTRACTS[table].key)
