"""Cells and lines of CSV files: tables as text, recovery of incomplete lines, and protection from formulas."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from pipeline.words import BeeError, count


class TableError(BeeError):
    """A table broke its contract: an error in the stage that made it, or in a file that was edited by hand."""


def table(data: bytes, where: object) -> tuple[list[str], list[list[str]]]:
    """Read CSV as text, every cell unchanged: *null* is a word. A first line that starts with `#` is skipped.

    Returns the names of the columns and the rows. Raises TableError.

    >>> table(b"# seal\\nword,p\\nnull,1\\n", "words.csv")
    (['word', 'p'], [['null', '1']])
    """
    header, found = _numbered(data, where)
    return header, [row for _, row in found]


def lines(data: bytes, where: object, key: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the line on which each key of a table stands, the first one if there are several.

    >>> lines(b"word,p\\nnull,1\\n\\ncove,1\\n", "words.csv", ["word"])
    {('null',): 2, ('cove',): 4}
    """
    header, found = _numbered(data, where)
    at: dict[tuple[str, ...], int] = {}
    for line, row in found:
        parts = tuple(row[header.index(name)] for name in key if name in header)
        at.setdefault(parts, line)
    return at


def _numbered(data: bytes, where: object) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Read CSV as `table` does; each row with the number of its last line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableError(f"{where} is not a CSV table: {error}") from error
    skipped = text.startswith("#")
    lines = csv.reader(io.StringIO(text.partition("\n")[2] if skipped else text), strict=True)
    try:
        header = next(lines, [])
        found = []
        for row in lines:
            at = lines.line_num + skipped
            if row and len(row) != len(header):
                told = f"{count(len(row), 'cell')}, the header has {len(header)}"
                raise TableError(f"{where}, line {at}: {told}; put quotes around commas.")
            found += [(at, row)] if row else []
    except csv.Error as error:
        at = lines.line_num + skipped
        raise TableError(f"{where} is not a CSV table; line {at} must be corrected: {error}.") from error
    if twice := [name for place, name in enumerate(header) if name in header[:place]]:
        raise TableError(f"{where} has the column {twice[0]} twice; remove one of them.")
    if not header:
        raise TableError(f"{where} is empty; the first line must name the columns.")
    return header, found


def rows(data: bytes, where: object) -> list[dict[str, str]]:
    """Read CSV like `table`; returns one dictionary per row."""
    header, found = table(data, where)
    return [dict(zip(header, row, strict=True)) for row in found]


def healed(log: bytes) -> bytes:
    """Return a table without the lines that a power failure damaged: incomplete lines, and lines with NUL bytes.

    >>> healed(b"a,b\\n1,2\\n3,"), healed(b"a,b\\n1,2\\n\\0\\0\\n"), healed(b"a,b\\n1,2\\n3\\n")
    (b'a,b\\n1,2\\n', b'a,b\\n1,2\\n', b'a,b\\n1,2\\n')
    """
    lines = [line for line in log[: log.rfind(b"\n") + 1].splitlines(keepends=True) if b"\0" not in line]
    commas = [_commas(line.decode("utf-8", "replace")) for line in lines[:1] + lines[-1:]]
    return b"".join(lines[:-1] if commas and commas[0] != commas[-1] else lines)


def _commas(line: str) -> int:
    """Count the commas between the cells of a line; none if it has a cell that is too long."""
    try:
        return len(next(csv.reader([line]), [])) - 1
    except csv.Error:
        return 0


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def guarded(cell: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; `unguarded` removes it.

    >>> guarded("=1+1"), guarded("- dash"), guarded("'=1"), guarded("null")
    ("'=1+1", "'- dash", "''=1", 'null')
    """
    return f"'{cell}" if cell.lstrip("'").startswith(_FORMULA) else cell


def unguarded(cell: str) -> str:
    """Return the original text of a cell written by `guarded`.

    >>> unguarded("'=1+1"), unguarded("''=1"), unguarded("'tis"), unguarded("null")
    ('=1+1', "'=1", "'tis", 'null')
    """
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(_FORMULA) else cell
