"""Sheets: the queue as CSV for a spreadsheet, and the verdicts that a person filled in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pandas as pd

from pipeline.errors import BeeError
from pipeline.play import glosses
from pipeline.tables import cells, columns, frames
from pipeline.words import VERDICTS, count

SHOWN = """word family asks definition tier p offered accepted flags points_per_1000_puzzles folded because verdict
reason""".split()
"""The columns of a sheet; `folded` are the forms of the word with which little can be gained."""
_NEEDED = ("word", "verdict", "reason")


def to_csv(queue: pd.DataFrame, flags: pd.DataFrame, meanings: glosses.Glosses) -> bytes:
    """Write a queue as CSV, with definitions, the flags of the words, and empty columns verdict and reason."""
    codes = columns.join_by_word(flags[columns.is_in(flags["word"], queue["word"])], "flag")
    sheet = queue.assign(flags=columns.look_up(queue["word"], codes, ""), verdict="", reason="")
    sheet["definition"] = [glosses.line(glosses.define(word, meanings)) for word in queue["word"]]
    sheet["p"] = sheet["p"].map("{:.2f}".format)
    sheet["points_per_1000_puzzles"] = sheet["points"].map(lambda points: f"{1000 * points:.2f}")
    return frames.csv_bytes(sheet[SHOWN].astype("str").map(cells.guarded))


def decided(data: bytes, where: object) -> tuple[dict[int, dict[str, str]], list[str]]:
    """Read the rows that have a verdict: word, verdict and reason by the number of the row, and what is wrong with
    each of the others. The separator is a comma, a semicolon or a tab. Raises BeeError if the file is no sheet."""
    found: dict[str, list[tuple[int, dict[str, str]]]] = {}
    wrong: list[tuple[int, str]] = []
    for number, row, broken in _rows(data, where):
        if broken:
            wrong.append((number, broken))
        elif not row["verdict"]:
            continue
        elif row["verdict"] not in VERDICTS:
            wrong.append((number, f'"{row["verdict"]}" is neither keep nor drop'))
        else:
            found.setdefault(row["word"], []).append((number, row))
    good: dict[int, dict[str, str]] = {}
    for word, rows in found.items():
        if len({row["verdict"] for _, row in rows}) > 1:
            wrong += [(number, f"{word} is kept in one row and dropped in another") for number, _ in rows]
        else:
            good |= dict(rows[:1])
    return good, [f"{where}, row {number}: {what}" for number, what in sorted(wrong)]


def _rows(data: bytes, where: object) -> Iterator[tuple[int, dict[str, str], str]]:
    """Yield each row with its number, its cells, and what is wrong with it, or ""."""
    try:
        text = data.decode("utf-8-sig")
        text = text.partition("\n")[2] if text.startswith("sep=") else text
        mark = max(",;\t", key=text.partition("\n")[0].count)
        header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    except ValueError:
        raise BeeError(f"{where} has no rows, or is not text in UTF-8. Nothing was imported.") from None
    except csv.Error as error:
        raise BeeError(f"{where} is not CSV: {error}. Nothing was imported.") from error
    if absent := [name for name in _NEEDED if header.count(name) != 1]:
        like = "`bee review --export queue.csv` writes a good table"
        raise BeeError(f"{where} has no column {absent[0]}, or has it twice; {like}. Nothing was imported.")
    for number, row in enumerate(rows, 2):
        if row and len(row) != len(header):
            yield number, {}, f"{count(len(row), 'cell')}, not {len(header)}"
        elif row:
            told = {name: cells.unguarded(row[header.index(name)].strip()) for name in _NEEDED}
            yield number, told | {name: told[name].lower() for name in ("word", "verdict")}, ""
