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
        first = text.partition("\n")[0]
        mark = max(",;\t", key=first.count)
        rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=mark))
    except (UnicodeDecodeError, csv.Error) as error:
        raise SheetError(f"{where} is not CSV in UTF-8: {error}. Nothing was taken over.") from error
    if not rows or (absent := [name for name in _COLUMNS if name not in rows[0]]):
        lacks = f"has no column {absent[0]}" if rows else "has no rows"
        raise SheetError(f"{where} {lacks}; bee review --export writes such a sheet. Nothing was taken over.")
    found = []
    for number, row in enumerate(rows, 2):
        word, verdict, reason = (_unguarded((row[name] or "").strip()) for name in _COLUMNS)
        if not verdict:
            continue
        if verdict.lower() not in VERDICTS:
            raise SheetError(f'{where}, row {number}: "{verdict}" is neither keep nor drop. Nothing was taken over.')
        found.append({"word": word.lower(), "verdict": verdict.lower(), "reason": reason or REASON})
    return found
