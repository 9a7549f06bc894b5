"""CSV with the columns date, center, outer, answer (in any order, others ignored): one line per answer.

The two weeks in `data/raw/sample/` are in this format.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass

from pipeline.sources.day import (
    Collector,
    InvalidDayError,
    Line,
    ParseResult,
    Source,
    iso_date,
    numbered_lines,
    official_day,
)
from pipeline.words import count

COLUMNS = ("date", "center", "outer", "answer")


def recognizes(text: str) -> bool:
    """Return whether the first line has the four columns."""
    return set(COLUMNS) <= set(_header(text))


def _header(text: str) -> list[str]:
    first_line = text.partition("\n")[0]
    return [cell.strip(' "\r').lower() for cell in first_line.split(",")]


@dataclass(frozen=True, slots=True)
class _Row:
    """The four cells of a line, its date in ISO form, and its number."""

    date: str
    center: str
    outer: str
    answer: str
    number: int


def parse(text: str, name: str) -> ParseResult:
    """Return the days of the table. An invalid line may belong to any day, and that day would lack an answer, so no day
    is used if any line is invalid."""
    collector = Collector(name)
    header = _header(text)
    lines = numbered_lines(text)
    next(lines)
    days: defaultdict[str, list[_Row]] = defaultdict(list)
    for line in lines:
        if not line.text.strip(","):
            continue
        try:
            row = _row(line, header)
        except InvalidDayError as error:
            collector.add_fault(error.rule, f"{error} Nothing in the file is used.", line.number)
            return collector.parsed()
        days[row.date].append(row)
    for rows in days.values():
        _add_day(collector, rows)
    return collector.parsed()


def _row(line: Line, header: list[str]) -> _Row:
    """Return the cells of a line; raise InvalidDayError for an invalid one."""
    if not line.complete:
        raise InvalidDayError(
            "cut-short", f"{line.text[:60]!r}: the last line has no line end, so words may be missing."
        )
    try:
        cells = [cell.strip() for cell in next(csv.reader([line.text], strict=True))]
    except csv.Error as error:
        raise InvalidDayError("broken-line", f"{error}.") from None
    if len(cells) != len(header):
        raise InvalidDayError(
            "broken-line", f"The line has {count(len(cells), 'cell')}, but the header has {len(header)}."
        )
    by_column = dict(zip(header, cells, strict=True))
    return _Row(
        date=iso_date(by_column["date"]),
        center=by_column["center"],
        outer=by_column["outer"],
        answer=by_column["answer"],
        number=line.number,
    )


def _add_day(collector: Collector, rows: list[_Row]) -> None:
    """Add the day of some rows, or the fault for which it is invalid."""
    first = rows[0]
    other_letters = [row for row in rows if (row.center, row.outer) != (first.center, first.outer)]
    if other_letters:
        detail = f"{first.date}: the letters differ from those of line {first.number}."
        collector.add_fault("broken-line", detail, other_letters[0].number)
        return
    try:
        day = official_day(first.date, first.center, first.outer, [row.answer for row in rows])
    except InvalidDayError as error:
        lines = [row.number for row in rows if row.answer == error.answer] or [first.number]
        collector.add_fault(error.rule, str(error), lines[1] if error.rule == "twice" else lines[0])
        return
    collector.add_day(day, first.number)


SOURCE = Source(
    name="table",
    format="CSV with columns date, center, outer, answer",
    about="any table of facts in this format; the person who imports it is responsible for it",
    recognizes=recognizes,
    parse=parse,
)
