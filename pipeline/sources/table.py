"""CSV with the columns date, center, outer, answer (in any order, others ignored): one line per answer.

The two weeks in `data/raw/sample/` are in this format.
"""

from __future__ import annotations

import contextlib
import csv
import datetime
import re

from pipeline.sources.day import BrokenDay, Collector, Parsed, Source, day, lines
from pipeline.words import count

COLUMNS = ("date", "center", "outer", "answer")
_DATE = re.compile(r"(?<![0-9])([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})(?![0-9])")


def recognises(text: str) -> bool:
    """Return whether the first line has the four columns."""
    return set(COLUMNS) <= {cell.strip(' "\r').lower() for cell in text.partition("\n")[0].split(",")}


def parse(text: str, name: str) -> Parsed:
    """Read the table. A day without one of its answers would be wrong, so a broken line invalidates the days that it
    names, or the whole file if its day cannot be told: it names none, or other columns have dates too."""
    gathered, rows = Collector(name), lines(text)
    try:
        header = [cell.lower() for cell in _cells(next(rows)[1])]
        places = [header.index(column) for column in COLUMNS]
    except (BrokenDay, ValueError) as error:
        gathered.fault("broken-line", f"The columns cannot be read: {error}.", 1)
        return gathered.parsed()
    days: dict[str, tuple[set[tuple[str, str]], list[str], int]] = {}
    broken: set[str] = set()
    unclear = dated_elsewhere = False
    for number, line, whole in rows:
        named = _dates(line)
        try:
            cells = _cells(line)
            if not any(cells):
                continue
            if not whole:
                raise BrokenDay("cut-short", f"{line[:60]!r}: the last line has no end, so words may be lost.")
            if len(cells) != len(header):
                raise BrokenDay("broken-line", f"{count(len(cells), 'cell')}, the header has {len(header)}.")
            date, center, outer, answer = (cells[place] for place in places)
            if not _DATE.fullmatch(date) or not (own := _dates(date)):
                raise BrokenDay("bad-date", f'"{date}" is no date.')
        except BrokenDay as fault:
            gathered.fault(fault.rule, str(fault), number)
            broken |= named
            unclear = unclear or not named
            continue
        dated_elsewhere = dated_elsewhere or named != own
        letters, words, _ = days.setdefault(own.pop(), (set(), [], number))
        letters.add((center, outer))
        words.append(answer)
    if unclear or (broken and dated_elsewhere):
        gathered.fault("broken-line", "A broken line may belong to any day of the file, so no day is used.")
    else:
        _add_days(gathered, {date: found for date, found in days.items() if date not in broken})
    return gathered.parsed()


def _add_days(gathered: Collector, days: dict[str, tuple[set[tuple[str, str]], list[str], int]]) -> None:
    """Make the days from their letters, answers and first lines."""
    for date, (letters, words, first) in days.items():
        with gathered.refusing(first):
            if len(letters) > 1:
                raise BrokenDay("broken-line", f"{date}: rows of one day name different letters.")
            gathered.add(day(date, *letters.pop(), words), first)


def _cells(line: str) -> list[str]:
    """Split a line into cells without blanks around them; raises BrokenDay, for example if a quotation mark is open."""
    try:
        return [cell.strip() for cell in next(csv.reader([line], strict=True))]
    except csv.Error as error:
        raise BrokenDay("broken-line", f"{error}.") from None


def _dates(text: str) -> set[str]:
    """Find all dates in a text, with or without hyphens, as ISO dates."""
    found = set()
    for year, _, month, number in _DATE.findall(text):
        with contextlib.suppress(ValueError):
            found.add(datetime.date(int(year), int(month), int(number)).isoformat())
    return found


SOURCE = Source(
    name="table",
    format="CSV with columns date, center, outer, answer",
    about="any table of facts in this shape; whoever imports it vouches for it",
    recognises=recognises,
    parse=parse,
    folders=("sample",),
)
