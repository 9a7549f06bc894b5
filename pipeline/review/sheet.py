"""Sheets: the review queue as CSV for those who decide in a spreadsheet, and their decisions read back.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, which is taken off again on the way back.
"""

from __future__ import annotations

import csv
import io

import pandas as pd

from pipeline import frames
from pipeline.words import BeeError

VERDICTS = ("keep", "drop")
NOTHING = "Nothing was taken over."
REASON = "looked at in review"
"""The reason of a verdict that was given without one."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_COLUMNS = ("word", "verdict", "reason")


class SheetError(BeeError):
    """A sheet cannot be taken over as it is; nothing of it was."""


def to_csv(queue: pd.DataFrame, flags: pd.DataFrame) -> bytes:
    """Write a queue as CSV, with the words' flags and the empty columns verdict and reason to fill in."""
    codes = flags.groupby("word")["flag"].agg(" ".join)
    sheet = queue.assign(flags=frames.look_up(queue["word"], codes, ""), verdict="", reason="")
    sheet["p"] = sheet["p"].map("{:.2f}".format, na_action="ignore").fillna("")
    sheet["points_per_1000_puzzles"] = sheet["effect"].map(lambda effect: f"{1000 * effect:.3f}")
    told = ["word", "family", "tier", "p", "offered", "accepted", "flags", "points_per_1000_puzzles", "because"]
    sheet = sheet[[*told, "verdict", "reason"]].astype("str")
    return frames.csv_bytes(sheet.map(guarded))


def guarded(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run as a formula.

    >>> guarded("=1+1"), guarded("- dash"), guarded("null")
    ("'=1+1", "'- dash", 'null')
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell


def read(data: bytes, where: object) -> list[dict[str, str]]:
    """Read the rows with a verdict: word, verdict, reason; commas or semicolons, as spreadsheets save them.

    A verdict without a reason gets `REASON`. Raises SheetError when it is no such sheet, or a verdict is neither keep
    nor drop.
    """
    try:
        text = data.decode("utf-8-sig")
        text = text.partition("\n")[2] if text.startswith("sep=") else text
        mark = max(",;\t", key=text.partition("\n")[0].count)
        header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    except ValueError:
        raise SheetError(f"{where} has no rows, or is not text in UTF-8. {NOTHING}") from None
    except csv.Error as error:
        raise SheetError(f"{where} is not CSV: {error}. {NOTHING}") from error
    if absent := [name for name in _COLUMNS if header.count(name) != 1]:
        raise SheetError(f"{where} has no column {absent[0]}, or has it twice; compare bee review --export. {NOTHING}")
    found: dict[str, dict[str, str]] = {}
    for number, cells in enumerate(rows, 2):
        if cells and len(cells) != len(header):
            raise SheetError(f"{where}, row {number}: {len(cells)} cells, the header has {len(header)}. {NOTHING}")
        word, verdict, reason = (
            (_unguarded(cells[header.index(name)].strip()) for name in _COLUMNS) if cells else [""] * 3
        )
        if not verdict:
            continue
        if verdict.lower() not in VERDICTS:
            raise SheetError(f'{where}, row {number}: "{verdict}" is neither keep nor drop. {NOTHING}')
        row = {"word": word.lower(), "verdict": verdict.lower(), "reason": reason or REASON}
        if found.setdefault(row["word"], row)["verdict"] != row["verdict"]:
            raise SheetError(f"{where}, row {number}: {word} is kept in one row and dropped in another. {NOTHING}")
    return list(found.values())
