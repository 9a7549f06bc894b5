"""Days: writes what a person decides about the list of a day."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pandas as pd

from pipeline import clock
from pipeline.errors import BeeError
from pipeline.facts import by_hand
from pipeline.facts.day_decisions import SourceDay, decide_days, row_about, subject_of
from pipeline.fetching import schedule
from pipeline.review import verdicts
from pipeline.run import registry
from pipeline.sources import TRUST_RANK, day
from pipeline.store import Workspace
from pipeline.tables import frames


def decide(
    workspace: Workspace,
    date: str,
    decision: str,
    source: str,
    added: Collection[str],
    removed: Collection[str],
    reason: str,
    by: str,
) -> dict[str, str]:
    """Write a decision about the list of a day to `days.csv`, and return its row. The caller must hold the lock of the
    workspace.

    Raises BeeError for a date that no puzzle can have or whose list can still change, for a list that is not on disk,
    if it is open which list is meant, and for a decision that cannot be applied.
    """
    day.iso_date(date)
    if date > clock.tomorrow():
        raise BeeError(f"{date} is later than tomorrow; the clock of this computer says {clock.today()}.")
    if clock.now() < schedule.settled_at(date):
        raise BeeError(f"The list of {date} can still change, so it is too early to decide about it.")
    all_lists = registry.load(workspace, "captures").days
    sources = sorted({*TRUST_RANK, *(name for name, _ in all_lists)})
    if source and source not in sources:
        raise BeeError(f'"{source}" is not a source; the sources are {", ".join(sources)}.')
    lists = [(name, its_day) for name, its_day in all_lists if its_day.date == date]
    last_lists = dict(lists)
    if not last_lists and (decision != "reject" or _is_covered(workspace, date)):
        raise BeeError(
            f"There is no list of {date} on disk; `bee fetch --since {date} --until {date}` asks for it, and `bee "
            "import --help` shows how to add an archive that has it.",
        )
    if decision != "reject" and not source:
        left = {name for name, _ in decide_days(lists, _written(workspace, date)).days}
        last_lists = {name: its_day for name, its_day in last_lists.items() if name in left}
    row = row_about(last_lists, date, decision, source, added, removed)
    row |= {"reason": reason.strip(), "by": verdicts.decider(workspace, by)}
    verdicts.write(workspace, [row], "day_decisions", lambda: _require_applicable(workspace, lists, row))
    return row


def _require_applicable(workspace: Workspace, lists: Sequence[SourceDay], row: Mapping[str, str]) -> None:
    """Raise BeeError if a decision cannot be applied to the lists of its date, or contradicts a written one."""
    written = frames.rows(_written(workspace, row["date"]))
    faults = decide_days(lists, frames.from_rows([*written, row], "day_decisions")).faults
    for fault in faults:
        if fault.subject != subject_of(row):
            continue
        contradicting = {other.subject for other in faults if other.detail == fault.detail}
        way_out = ""
        if any(subject_of(other) in contradicting for other in written):
            undo = by_hand.undo_command("day_decisions", row["date"])
            way_out = f" {undo} removes what was decided about this day."
        raise BeeError(f"{fault.detail} Nothing was written.{way_out}")


def _written(workspace: Workspace, date: str) -> pd.DataFrame:
    """Return the decisions about a date."""
    decisions: pd.DataFrame = registry.load(workspace, "day_decisions")
    return decisions[decisions["date"] == date]


def how_to_apply(workspace: Workspace, date: str) -> str:
    """Return a message that says how a decision about a day is applied in this workspace."""
    if not _is_covered(workspace, date):
        return "`bee run` applies it."
    rebuild = "`bee merge --rebuild` and then `bee run` apply it"
    text = "the record already covers the day: with all days on disk, "
    return f"{text}{rebuild}; without them, decide about its words instead."


def _is_covered(workspace: Workspace, date: str) -> bool:
    return date in registry.load(workspace, "published_coverage").dates
