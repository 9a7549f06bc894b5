"""The CSV files of people: reads them with line numbers, and protects cells from being run as formulas."""

from __future__ import annotations

import csv
import io

from pipeline.errors import DataError
from pipeline.words import count


def numbered_rows(data: bytes, path: object) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the column names and the rows of a CSV file, each row with the number of its last line. Each cell is its
    text, unchanged: *null* is a word.

    Raises DataError, which names the `path`, for an invalid file.

    >>> numbered_rows(b"word,p\\nnull,1\\n\\ncove,1\\n", "words.csv")
    (['word', 'p'], [(2, ['null', '1']), (4, ['cove', '1'])])
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not text in UTF-8 (byte {error.start}); save it as UTF-8.") from error
    reader = csv.reader(io.StringIO(text), strict=True)
    rows = []
    try:
        header = next(reader, [])
        for cells in reader:
            line = reader.line_num
            if not cells:
                continue
            if len(cells) != len(header):
                difference = f"{count(len(cells), 'cell')}, but the header has {len(header)}"
                raise DataError(f"{path}, line {line}: {difference}; put quotes around cells that contain commas.")
            rows.append((line, cells))
    except csv.Error as error:
        raise DataError(f"{path} is not a CSV table; line {reader.line_num} must be corrected: {error}.") from error
    for position, name in enumerate(header):
        if name in header[:position]:
            raise DataError(f"{path} has the column {name} twice; remove one of them.")
    if not header:
        raise DataError(f"{path} is empty; the first line must name the columns.")
    return header, rows


def _is_formula(text: str) -> bool:
    """Return whether a spreadsheet would run a text as a formula."""
    return text.startswith(("=", "+", "-", "@", "\t", "\r"))


def guarded(cell: str) -> str:
    """Return a text with an apostrophe in front if a spreadsheet would run it as a formula; `unguarded` removes it.

    >>> guarded("=1+1"), guarded("- dash"), guarded("'=1"), guarded("null")
    ("'=1+1", "'- dash", "''=1", 'null')
    """
    return f"'{cell}" if _is_formula(cell.lstrip("'")) else cell


def unguarded(cell: str) -> str:
    """Return the original text of a cell that `guarded` returned.

    >>> unguarded("'=1+1"), unguarded("''=1"), unguarded("'tis"), unguarded("null")
    ('=1+1', "'=1", "'tis", 'null')
    """
    is_guarded = cell.startswith("'") and _is_formula(cell.lstrip("'"))
    return cell[1:] if is_guarded else cell
