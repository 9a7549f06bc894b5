"""Warnings: what a command says when it starts, and then goes on, because a person must look at it, not a stage.

A date in the future means that the clock of this machine is wrong, or the date. A decision that somebody took out and
that a merge brought back is what git does when two people change neighboring lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pipeline import clock, git, store
from pipeline.errors import BeeError, Message
from pipeline.facts import by_hand, decision_files, seal
from pipeline.store import Workspace
from pipeline.words import count

DATED = {"verdicts": "on", "corrections": "date", "admitted": "date"}
"""The column of each decision file that has a date."""


MOST_COMMITS = 300
"""So many of the last commits of the decision files are read."""


def warnings(workspace: Workspace) -> Iterator[str | Message]:
    """Yield all warnings about a workspace, each in a sentence."""
    yield from future_dates(workspace)
    yield from decisions_brought_back(workspace)


def decisions_brought_back(workspace: Workspace) -> Iterator[Message]:
    """Yield a sentence for each decision that a person took out, and that a merge or a rebase brought back."""
    names = [Path(path).name for path in by_hand.PATHS.values()]
    taken_out = git.lines_a_rebase_brought_back(workspace.custom, names, MOST_COMMITS)
    taken_out |= git.lines_taken_out(workspace.custom, names, MOST_COMMITS)
    for table, path in by_hand.PATHS.items():
        name = Path(path).name
        if not any(file == name for file, _ in taken_out):
            continue
        committed = _committed(workspace, "HEAD", name)
        text = store.read_if_exists(workspace.root / path).decode("utf-8-sig", "replace")
        decisions = [decision for decision in decision_files.salvage(table, text).file.decisions if decision.row]
        keys = [decision.key(table) for decision in decisions]
        subjects = [decision.row.get(by_hand.subject_column(table), "") for decision in decisions]
        for decision, key, subject in zip(decisions, keys, subjects, strict=True):
            line = decision.text.rstrip("\n")
            commit = taken_out.get((name, line), "")
            if not commit or line not in committed:
                continue
            if any(other.row != decision.row for other, its_key in zip(decisions, keys, strict=True) if its_key == key):
                continue  # an error offers the choice
            if line in _committed(workspace, commit.partition(" ")[0], name):
                continue  # it stood there twice
            what = decision_files.describe(decision.row).rstrip(".")
            # Without its number, which changes when the line of another warning is taken out first.
            undo = by_hand.undo_command(table, subject, decision.line if subjects.count(subject) > 1 else 0)
            yield Message(
                f"Line {decision.line} of {path} ({what}) was taken out in {commit}, and a merge or rebase brought it "
                "back: ",
                undo,
                " takes it out again.",
            )


def _committed(workspace: Workspace, revision: str, name: str) -> list[str]:
    """Return the lines of a file of the release at a revision."""
    return (git.shown(workspace.custom, revision, name) or b"").decode("utf-8", "replace").splitlines()


def future_dates(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each decision file with dates later than tomorrow, and one for such a record."""
    last = clock.tomorrow()
    wrong = f"but the clock of this machine says {clock.today()}; one of the two is wrong."
    for table, column in DATED.items():
        path = by_hand.PATHS[table]
        text = store.read_if_exists(workspace.root / path).decode("utf-8-sig", "replace")
        future = [
            one for one in decision_files.salvage(table, text).file.decisions if _is_date_after(one.row, column, last)
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
        return max(seal.coverage(store.read_if_exists(workspace.custom / "evidence.csv")), default="")
    except BeeError:
        return ""
