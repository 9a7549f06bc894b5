"""CSV with the columns date, center, outer, answer (in any order, others ignored): one line per answer.

The two weeks in `data/raw/sample/` are in this format.
"""

from __future__ import annotations

import contextlib
import csv
import datetime
import re
from dataclasses import dataclass, field

from pipeline.sources.day import Collector, InvalidDayError, Line, Parsed, Source, numbered_lines, official_day
from pipeline.words import count

COLUMNS = ("date", "center", "outer", "answer")
_DATE = re.compile(r"(?<![0-9])([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})(?![0-9])")


def recognizes(text: str) -> bool:
    """Return whether the first line has the four columns."""
    header = text.partition("\n")[0].split(",")
    return set(COLUMNS) <= {cell.strip(' "\r').lower() for cell in header}


@dataclass(frozen=True, slots=True)
class _Row:
    """The four cells of a line."""

    date: str
    center: str
    outer: str
    answer: str


@dataclass(slots=True)
class _RowsOfDay:
    """The rows of one day: the number of the first line, all letters as (center, outer), and the answers."""

    first_line: int
    letters: set[tuple[str, str]] = field(default_factory=set)
    answers: list[str] = field(default_factory=list)


def parse(text: str, name: str) -> Parsed:
    """Read the table. A day without one of its answers would be wrong, so a broken line invalidates the days that it
    names, or the whole file if its day cannot be told: it names none, or other columns have dates too."""
    collector = Collector(name)
    lines = numbered_lines(text)
    try:
        header = [cell.lower() for cell in _cells(next(lines).text)]
        positions = [header.index(column) for column in COLUMNS]
    except (InvalidDayError, ValueError) as error:
        collector.add_fault("broken-line", f"The columns cannot be read: {error}.", 1)
        return collector.parsed()
    days: dict[str, _RowsOfDay] = {}
    broken_dates: set[str] = set()
    line_without_date = dates_in_other_columns = False
    for line in lines:
        dates = _dates(line.text)
        try:
            row = _row(line, header, positions)
        except InvalidDayError as error:
            collector.add_fault(error.rule, str(error), line.number)
            broken_dates |= dates
            if not dates:
                line_without_date = True
            continue
        if row is None:
            continue
        if dates != {row.date}:
            dates_in_other_columns = True
        rows = days.setdefault(row.date, _RowsOfDay(line.number))
        rows.letters.add((row.center, row.outer))
        rows.answers.append(row.answer)
    if line_without_date or (broken_dates and dates_in_other_columns):
        collector.add_fault("broken-line", "A broken line may belong to any day of the file, so no day is used.")
        return collector.parsed()
    for date, rows in days.items():
        if date not in broken_dates:
            _add_day(collector, date, rows)
    return collector.parsed()


def _row(line: Line, header: list[str], positions: list[int]) -> _Row | None:
    """Read a line, with its date in ISO form; None if all cells are empty. Raises InvalidDayError.

    `positions` are the places of `COLUMNS` in the header.
    """
    cells = _cells(line.text)
    if not any(cells):
        return None
    if not line.complete:
        raise InvalidDayError("cut-short", f"{line.text[:60]!r}: the last line has no end, so words may be lost.")
    if len(cells) != len(header):
        raise InvalidDayError("broken-line", f"{count(len(cells), 'cell')}, the header has {len(header)}.")
    date, center, outer, answer = [cells[position] for position in positions]
    iso_dates = _dates(date)
    if not _DATE.fullmatch(date) or not iso_dates:
        raise InvalidDayError("bad-date", f'"{date}" is no date.')
    return _Row(iso_dates.pop(), center, outer, answer)


def _add_day(collector: Collector, date: str, rows: _RowsOfDay) -> None:
    """Add the day of some rows, or the fault that makes it invalid."""
    with collector.recording_faults(rows.first_line):
        if len(rows.letters) > 1:
            raise InvalidDayError("broken-line", f"{date}: rows of one day name different letters.")
        center, outer = rows.letters.pop()
        collector.add_day(official_day(date, center, outer, rows.answers), rows.first_line)


def _cells(line: str) -> list[str]:
    """Split a line into cells without blanks around them; raises InvalidDayError, for example for an open quotation
    mark."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], strict=True))]
    except csv.Error as error:
        raise InvalidDayError("broken-line", f"{error}.") from None


def _dates(text: str) -> set[str]:
    """Find all dates in a text, with or without hyphens, as ISO dates."""
    dates = set()
    for year, _, month, day in _DATE.findall(text):
        with contextlib.suppress(ValueError):
            dates.add(datetime.date(int(year), int(month), int(day)).isoformat())
    return dates


SOURCE = Source(
    name="table",
    format="CSV with columns date, center, outer, answer",
    about="any table of facts in this shape; whoever imports it vouches for it",
    recognizes=recognizes,
    parse=parse,
    folders=("sample",),
)
