"""Warnings: messages that a command prints when it starts, about matters that only a person can settle.

A date in the future means that either the clock of this computer or the date is wrong.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from pipeline import clock
from pipeline.errors import BeeError
from pipeline.facts import by_hand
from pipeline.fetching import captures, imports
from pipeline.run import registry
from pipeline.store import Workspace

DATED = {"verdicts": "on", "day_decisions": "date"}
"""The column of each decision file that has a date: that of the decision for verdicts, and that of the puzzle for days,
for which the date of tomorrow has come elsewhere."""


def warnings(workspace: Workspace) -> Iterator[str]:
    """Yield all warnings about a workspace, one sentence each."""
    yield from old_folders(workspace)
    yield from lists_not_read(workspace)
    yield from future_dates(workspace)


def old_folders(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each folder of captures that an older version kept."""
    for name, source in imports.old_folders(workspace).items():
        folder = workspace.raw / name
        import_it = f"`bee {shlex.join(['import', str(folder), '--as', source])}`"
        yield (
            f"{folder} is not read, because captures are in {captures.PATH} now; {import_it} takes them over. Then "
            "delete the folder."
        )


def lists_not_read(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each file in `raw/lists/` that is no list, because its name does not end in `.txt`."""
    for path in sorted((workspace.raw / "lists").glob("[!.]*")):
        if path.is_file() and path.suffix != ".txt":
            convert = f"`bee {shlex.join(['convert', str(path), '-o', str(path.with_suffix('.txt'))])}`"
            yield f"{path} is not read, because it is no .txt file; {convert} makes a list of it."


def future_dates(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each decision file with dates in the future, and for a record with such days."""
    wrong = f"but the clock of this computer says {clock.today()}; one of the two is wrong."
    for table, column in DATED.items():
        last = clock.today() if table == "verdicts" else clock.tomorrow()
        try:
            dates = registry.load(workspace, table)[column]
        except BeeError:
            continue  # the command that needs the file says what is wrong with it
        if len(dates) and dates.max() > last:
            yield f"{by_hand.PATHS[table]} has the date {dates.max()}, {wrong}"
    covered = _covered(workspace)
    if covered > clock.tomorrow():
        yield f"The record covers {covered}, {wrong}"


def _covered(workspace: Workspace) -> str:
    """Return the last day that the record covers, or "" if the record cannot be read."""
    try:
        return max(registry.load(workspace, "published_coverage").dates, default="")
    except BeeError:
        return ""
