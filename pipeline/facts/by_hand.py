"""By hand: the files that people write, what a line of them must hold, and their text with one line more or less.

The code only adds lines to these files and takes them out; every other line stays as it is. A cell that a spreadsheet
would run as a formula gets an apostrophe in front, which reading removes.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping

import pandas as pd

from pipeline.sources.day import MOST_ANSWERS, BrokenDay, iso_date
from pipeline.tables import cells, frames
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
    except BrokenDay as error:
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
    "answers": lambda cell: "" if cell.isdecimal() and 0 < int(cell) <= MOST_ANSWERS else "write the number of answers",
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
        elif column in _RULES and (found := _RULES[column](cell)):
            return found if column in ("word", "verdict", "grade") else f"the column {column}: {found.rstrip('.')}"
        elif column == "gloss":
            if row["base"] and cell not in FORMS:
                return f'"{cell}" is no form of {row["base"]}; write {", ".join(FORMS[:-1])} or {FORMS[-1]}'
            if not 0 < len(cell.split()) <= LONGEST:
                return f"a definition has 1 to {LONGEST} words"
        elif column in ("listed", "lacking"):
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
                undo = f"correct it, or `bee undo {shlex.quote(key[0])} --kind {kind}` takes the line out"
                yield Finding(f"{kind}-broken", " ".join(key), f"{place(table, key, lines)}: {found}; {undo}")


def place(table: str, key: tuple[str, ...], lines: Lines) -> str:
    """Name the file and the line of a key."""
    line = lines.get(table, {}).get(key)
    return PATHS[table] + (f", line {line}" if line else "")


def _key(table: str, row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in frames.CONTRACTS[table].key)


def lines(files: Mapping[str, bytes]) -> Lines:
    """Return the line of each key of each table, from the files by path."""
    there = {table: path for table, path in PATHS.items() if path in files}
    return {table: cells.lines(files[path], path, frames.CONTRACTS[table].key) for table, path in there.items()}


def read(table: str, path: str, data: bytes) -> pd.DataFrame:
    """Read such a file; grades may lack their reasons, as old ones do. Raises FrameError, also for a key twice."""
    cells.lines(data, path, frames.CONTRACTS[table].key)
    if table == "glosses" and not data.endswith(b"\n"):
        raise frames.FrameError("It is cut short: its last line has no end.")
    frame = frames.read_csv(data, path).map(cells.unguarded)
    reasons = ["reason", "by"]
    if table == "offensive":
        frame = frame.drop(columns=reasons, errors="ignore")
    elif table == "grades":
        frame = frame.assign(**dict.fromkeys(set(reasons) - set(frame), ""))
    return frames.from_text(frame, table)


def told(row: Mapping[str, str]) -> str:
    """Describe a line in words."""
    what = [cell for name, cell in row.items() if name not in ("reason", "by", "on") and cell]
    what = what[::-1] if "word" in row and "by" in row else what
    on = f" on {row['on']}" if "on" in row else ""
    return " ".join(what) + (f", by {row['by']}{on}: {row['reason']}" if "by" in row else "")


def added(table: str, text: str, rows: Iterable[Mapping[str, str]]) -> str:
    """Return the text of a file with more lines at its end; "" is a file that does not exist yet.

    Raises ByHandError for a line that is wrong, or whose key the file has already.
    """
    path, columns = PATHS[table], frames.CONTRACTS[table].columns
    text = text or ",".join(columns) + "\n"
    text += "" if text.endswith("\n") else "\n"
    try:
        known = {_key(table, row): row for row in frames.rows(read(table, path, text.encode()))}
    except frames.FrameError as error:
        raise ByHandError(f"{path}: {error} Nothing was written.") from error
    header, rest = cells.table(text.encode(), path)
    if old := [name for name in columns if name not in header]:
        text = "".join(map(_line, [header + old, *(row + [""] * len(old) for row in rest)]))
    for row in rows:
        if found := wrong(table, row, strict=True):
            raise ByHandError(f"{found[0].upper()}{found[1:]}. Nothing was written.")
        key = _key(table, row)
        if given := known.get(key):
            raise ByHandError(
                f"{path} has {' '.join(key)} already: {told(given).rstrip('.')}. "
                f"`bee undo {key[0]}` takes that line out. Nothing was written."
            )
        known[key] = dict(row)
        text += _line([cells.guarded(_plain(row[name])) for name in columns])
    return text


def without(table: str, text: str, subject: str) -> tuple[str, dict[str, str]]:
    """Return the text without the last line about a word or date, and that line as a row, empty if there is none."""
    cells.table(text.encode() or b"none", PATHS[table])  # a broken file is refused
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, strict=True)
    header, span, taken = next(reader, []), slice(0), dict[str, str]()
    at = reader.line_num
    for cells_ in reader:
        row = dict(zip(header, map(cells.unguarded, cells_), strict=False))
        if row.get(frames.CONTRACTS[table].key[0], "").lower() == subject:
            span, taken = slice(at, reader.line_num), row
        at = reader.line_num
    del lines[span]
    return "".join(lines), taken


def _plain(text: str) -> str:
    """Put a text on one line, without control characters that a terminal would interpret."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _line(row: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(row)
    return line.getvalue()
