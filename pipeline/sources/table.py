"""CSV with the columns date, center, outer, answer (in any order, others ignored): one row per answer.

The two weeks in `data/raw/sample/` are in this format.
"""

from __future__ import annotations

import csv

from pipeline.sources.day import BrokenDay, Collector, Parsed, Source, day

COLUMNS = ("date", "center", "outer", "answer")


def recognises(text: str) -> bool:
    """Return whether the first line has the four columns."""
    return set(COLUMNS) <= {cell.strip(' "\r').lower() for cell in text.partition("\n")[0].split(",")}


def parse(text: str, name: str) -> Parsed:
    """Read the table. One broken row invalidates its whole day, because a day without one of its answers would be
    wrong."""
    gathered = Collector(name)
    rows = csv.reader(text.splitlines())
    try:
        header = [cell.strip().lower() for cell in next(rows)]
        places = [header.index(column) for column in COLUMNS]
    except (csv.Error, ValueError) as error:
        gathered.fault("broken-line", f"The columns cannot be read: {error}.", 1)
        return gathered.parsed()
    days: dict[str, tuple[set[tuple[str, str]], list[str], int]] = {}
    broken: set[str] = set()
    last = ""
    try:
        for row in rows:
            if not any(row):
                continue
            last = row[places[0]] if len(row) > places[0] else ""
            if len(row) != len(header):
                gathered.fault("broken-line", f"{len(row)} cells, the header has {len(header)}.", rows.line_num)
                broken.add(last)
                continue
            date, center, outer, answer = (row[place].strip() for place in places)
            letters, words, _ = days.setdefault(date, (set(), [], rows.line_num))
            letters.add((center, outer))
            words.append(answer)
    except csv.Error as error:
        gathered.fault("broken-line", str(error), rows.line_num)
        broken.add(last)
    if last and not text.endswith(("\n", "\r")):
        gathered.fault("cut-short", f"{last}: the last line has no end, so words may be lost.", rows.line_num)
        broken.add(last)
    for date, (letters, words, first) in days.items():
        if date in broken:
            continue
        try:
            if len(letters) > 1:
                raise BrokenDay("broken-line", f"{date}: rows of one day name different letters.")
            gathered.add(day(date, *letters.pop(), words), first)
        except BrokenDay as fault:
            gathered.fault(fault.rule, str(fault), first)
    return gathered.parsed()


SOURCE = Source(
    name="table",
    format="CSV with columns date, center, outer, answer",
    about="any table of facts in this shape; whoever imports it vouches for it",
    recognises=recognises,
    parse=parse,
    folders=("sample",),
)
