"""Sheets: the queue as CSV for a spreadsheet, and the verdicts that a person filled in."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import BeeError
from pipeline.play import glosses
from pipeline.tables import columns, frames
from pipeline.words import VERDICTS, count

COLUMNS = [
    "word", "family", "asks", "definition", "tier", "p", "offered", "accepted", "flags", "points_per_1000_puzzles",
    "folded", "because", "verdict", "reason", "after",
]  # fmt: skip
"""The columns of a sheet; `folded` has the forms of the word with a small gain, and `after` the last day that the
release covered."""
_NEEDED = ("word", "verdict", "reason")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """The decision in a row of a sheet, with the number of the row; `verdict` may be empty or invalid, and `after` is
    None in a sheet without that column."""

    number: int
    word: str
    verdict: str
    reason: str
    after: str | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rows of a sheet that have a verdict, and a sentence about each row that is wrong."""

    rows: list[SheetRow]
    problems: list[str]


def to_csv(queue: pd.DataFrame, flags: pd.DataFrame, meanings: glosses.Glosses, last_day: str) -> bytes:
    """Return a queue as CSV, with definitions, the flags of the words, and empty columns verdict and reason."""
    codes = columns.join_by_word(flags[columns.is_in(flags["word"], queue["word"])], "flag")
    sheet = queue.assign(flags=columns.look_up(queue["word"], codes, ""), verdict="", reason="", after=last_day)
    sheet["definition"] = [glosses.line(glosses.define(word, meanings)) for word in queue["word"]]
    sheet["p"] = sheet["p"].map("{:.2f}".format)
    sheet["points_per_1000_puzzles"] = sheet["points"].map(lambda points: f"{1000 * points:.2f}")
    return frames.csv_bytes(sheet[COLUMNS].astype("str"))


def read(data: bytes, path: object) -> Sheet:
    """Return the verdicts in a sheet. The separator is a comma, a semicolon or a tab.

    Raises BeeError if the file is not a sheet.
    """
    rows_of: dict[str, list[SheetRow]] = {}
    problems: list[tuple[int, str]] = []
    header, rows_of_cells = _parse(data, path)
    for number, cells_of_row in enumerate(rows_of_cells, 2):
        if not cells_of_row:
            continue
        if len(cells_of_row) != len(header):
            problems.append((number, f"it has {count(len(cells_of_row), 'cell')}, but the header has {len(header)}"))
            continue
        cell_of = dict(zip(header, [cell.strip() for cell in cells_of_row], strict=True))
        row = SheetRow(
            number, cell_of["word"].lower(), cell_of["verdict"].lower(), cell_of["reason"], cell_of.get("after")
        )
        if row.verdict in VERDICTS:
            rows_of.setdefault(row.word, []).append(row)
        elif row.verdict:
            problems.append((number, f'"{row.verdict}" is neither keep nor drop'))
    rows = []
    for word, rows_of_word in rows_of.items():
        if len({row.verdict for row in rows_of_word}) == 1:
            rows.append(rows_of_word[0])
        else:
            problems += [(row.number, f"{word} is kept in one row and dropped in another") for row in rows_of_word]
    return Sheet(rows, [f"{path}, row {number}: {problem}" for number, problem in sorted(problems)])


def _parse(data: bytes, path: object) -> tuple[list[str], list[list[str]]]:
    """Return the header and the other rows of a sheet, as cells; raises BeeError if the file is not a sheet."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BeeError(f"{path} is not text in UTF-8. Nothing was imported.") from None
    if text.startswith("sep="):
        text = text.partition("\n")[2]
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise BeeError(f"{path} is not CSV: {error}. Nothing was imported.") from error
    if not rows:
        raise BeeError(f"{path} has no rows. Nothing was imported.")
    header, *other_rows = rows
    for name in _NEEDED:
        if header.count(name) != 1:
            raise BeeError(
                f"{path} must have exactly one column {name}. Nothing was imported; `bee review --export queue.csv` "
                "writes a valid sheet.",
            )  # fmt: skip
    return header, other_rows
