"""Warnings: messages that a command prints when it starts, about matters that only a person can settle.

A date in the future means that either the clock of this computer or the date is wrong. Git brings back a decision that
somebody removed when two people change neighboring lines.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from pipeline import clock, git, store
from pipeline.errors import BeeError, Command, Message
from pipeline.facts import by_hand, decision_files
from pipeline.fetching import captures, imports
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import count

DATED = {"verdicts": "on", "day_decisions": "date"}
"""The column of each decision file that has a date: that of the decision for verdicts, and that of a puzzle for the
others, for which the date of tomorrow has come elsewhere."""


MOST_COMMITS = 300
"""The number of commits of the decision files that are read, newest first."""


def warnings(workspace: Workspace) -> Iterator[str | Message]:
    """Yield all warnings about a workspace, one sentence each."""
    yield from old_folders(workspace)
    yield from lists_not_read(workspace)
    yield from future_dates(workspace)
    yield from decisions_brought_back(workspace)


def old_folders(workspace: Workspace) -> Iterator[Message]:
    """Yield a sentence for each folder of captures that an older version kept."""
    for name, source in imports.old_folders(workspace).items():
        folder = workspace.raw / name
        import_it = Command(shlex.join(["import", str(folder), "--as", source]))
        yield Message(
            f"{folder} is not read, because captures are in {captures.PATH} now; ",
            import_it,
            " takes them over. Then delete the folder.",
        )


def lists_not_read(workspace: Workspace) -> Iterator[Message]:
    """Yield a sentence for each file in `raw/lists/` that is no list, because its name does not end in `.txt`."""
    for path in sorted((workspace.raw / "lists").glob("[!.]*")):
        if path.is_file() and path.suffix != ".txt":
            convert = Command(shlex.join(["convert", str(path), "-o", str(path.with_suffix(".txt"))]))
            yield Message(f"{path} is not read, because it is no .txt file; ", convert, " makes a list of it.")


def decisions_brought_back(workspace: Workspace) -> Iterator[Message]:
    """Yield a sentence for each decision that a person removed and that a merge or a rebase brought back."""
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
                continue  # the decisions contradict each other, and an error offers the choice
            if line in _committed(workspace, commit.partition(" ")[0], name):
                continue  # the file had the line twice, and the commit removed one of them
            what = decision_files.describe(decision.row).rstrip(".")
            # Without its line number, which changes when the line of another warning is removed first.
            undo = by_hand.undo_command(table, subject, decision.line if subjects.count(subject) > 1 else 0)
            yield Message(
                f"Line {decision.line} of {path} ({what}) was removed in {commit}, and a merge or rebase brought it "
                "back; ",
                undo,
                " removes it again.",
            )


def _committed(workspace: Workspace, revision: str, name: str) -> list[str]:
    """Return the lines of a file in `custom/` at a revision."""
    return (git.shown(workspace.custom, revision, name) or b"").decode("utf-8", "replace").splitlines()


def future_dates(workspace: Workspace) -> Iterator[str]:
    """Yield a sentence for each decision file with dates in the future, and for a record with such days."""
    wrong = f"but the clock of this computer says {clock.today()}; one of the two is wrong."
    for table, column in DATED.items():
        path = by_hand.PATHS[table]
        last = clock.today() if table == "verdicts" else clock.tomorrow()
        text = store.read_if_exists(workspace.root / path).decode("utf-8-sig", "replace")
        future = [
            one for one in decision_files.salvage(table, text).file.decisions if _is_date_after(one.row, column, last)
        ]
        if future:
            first = f"line {future[0].line} of {path} has the date {future[0].row[column]}"
            more = f" ({count(len(future), 'line')} in all)" if len(future) > 1 else ""
            yield f"{first[0].upper()}{first[1:]}{more}, {wrong}"
    covered = _covered(workspace)
    if covered > clock.tomorrow():
        yield f"The record covers {covered}, {wrong}"


def _is_date_after(row: Mapping[str, str], column: str, last: str) -> bool:
    cell = row.get(column, "")
    return len(cell) == len(last) and cell[:4].isdigit() and cell > last


def _covered(workspace: Workspace) -> str:
    """Return the last day that the record covers, or "" if the record cannot be read."""
    try:
        return max(registry.load(workspace, "published_coverage").dates, default="")
    except BeeError:
        return ""
