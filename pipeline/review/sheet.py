"""Sheets: export of the review queue as CSV for spreadsheets, and import of the decisions.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, which the import removes.
"""

from __future__ import annotations

import csv
import io

import pandas as pd

from pipeline.tables import cells, columns, frames
from pipeline.words import BeeError

VERDICTS = ("keep", "drop")
NOTHING = "Nothing was taken over."
REASON = "looked at in review"
"""The reason of a verdict that has none."""

_COLUMNS = ("word", "verdict", "reason")


class SheetError(BeeError):
    """A sheet cannot be imported; nothing of it was."""


def to_csv(queue: pd.DataFrame, flags: pd.DataFrame) -> bytes:
    """Write a queue as CSV, with the flags of the words and empty columns verdict and reason."""
    codes = columns.joined(flags[columns.among(flags["word"], queue["word"])], "flag")
    sheet = queue.assign(flags=columns.look_up(queue["word"], codes, ""), verdict="", reason="")
    sheet["p"] = sheet["p"].map("{:.2f}".format, na_action="ignore").fillna("")
    sheet["exact_lists_per_1000_puzzles"] = sheet["gain"].map(lambda gain: f"{1000 * gain:.3f}")
    told = ["word", "family", "tier", "p", "offered", "accepted", "flags", "exact_lists_per_1000_puzzles", "because"]
    sheet = sheet[[*told, "verdict", "reason"]].astype("str")
    return frames.csv_bytes(sheet.map(cells.guarded))


def decided(data: bytes, where: object) -> list[dict[str, str]]:
    """Read the rows with a verdict: word, verdict, reason. The separator is a comma or a semicolon.

    A verdict without a reason gets `REASON`. Raises SheetError if the file is not such a sheet, or a verdict is neither
    keep nor drop.
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
    for number, row in enumerate(rows, 2):
        if row and len(row) != len(header):
            raise SheetError(f"{where}, row {number}: {len(row)} cells, the header has {len(header)}. {NOTHING}")
        word, verdict, reason = (
            (cells.unguarded(row[header.index(name)].strip()) for name in _COLUMNS) if row else [""] * 3
        )
        if not verdict:
            continue
        if verdict.lower() not in VERDICTS:
            raise SheetError(f'{where}, row {number}: "{verdict}" is neither keep nor drop. {NOTHING}')
        decision = {"word": word.lower(), "verdict": verdict.lower(), "reason": reason or REASON}
        if found.setdefault(decision["word"], decision)["verdict"] != decision["verdict"]:
            raise SheetError(f"{where}, row {number}: {word} is kept in one row and dropped in another. {NOTHING}")
    return list(found.values())
