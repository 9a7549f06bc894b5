"""Dates in the future: what people and the record say of days that have not come by the clock of this machine.

Either the clock or the date is wrong. A command says so when it starts, and goes on: no table depends on the clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline import clock, store
from pipeline.facts import by_hand, decision_files, seal
from pipeline.store import Workspace
from pipeline.words import BeeError, count

DATED = {"verdicts": "on", "corrections": "date", "admitted": "date"}
"""The column of each decision file that has a date."""


def warnings(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each decision file with dates later than tomorrow, and one for such a record."""
    last = clock.tomorrow()
    wrong = f"but the clock of this machine says {clock.today()}; one of the two is wrong."
    for table, column in DATED.items():
        path = by_hand.PATHS[table]
        text = store.read_if_there(workspace.root / path).decode("utf-8-sig", "replace")
        future = [
            one for one in decision_files.readable(table, text).decisions if _is_date_after(one.row, column, last)
        ]
        if future:
            first = f"line {future[0].line} of {path} has the date {future[0].row[column]}"
            more = f" ({count(len(future), 'line')} in all)" if len(future) > 1 else ""
            yield f"{first[0].upper()}{first[1:]}{more}, {wrong}"
    covered = _covered(workspace)
    if covered > last:
        yield f"The record covers {covered}, {wrong}"


def _is_date_after(row: Mapping[str, str], column: str, last: str) -> bool:
    cell = row.get(column, "")
    return len(cell) == len(last) and cell[:4].isdigit() and cell > last


def _covered(workspace: Workspace) -> str:
    """Return the last day that the record covers, "" if it cannot be read."""
    try:
        return max(seal.coverage(store.read_if_there(workspace.custom / "evidence.csv")), default="")
    except BeeError:
        return ""
