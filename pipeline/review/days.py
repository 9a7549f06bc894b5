"""Days: writes what a person decides about the list of a day."""

from __future__ import annotations

from pipeline import clock, inputs
from pipeline.errors import BeeError
from pipeline.facts.by_hand import NO_SOURCE
from pipeline.facts.settle import checksum
from pipeline.fetching import captures, schedule
from pipeline.review import verdicts
from pipeline.sources import day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import Puzzle


def decide(workspace: Workspace, date: str, source: str, reason: str, by: str) -> dict[str, str]:
    """Write to `days.csv` that the list of a source for a date is right or, for the source `none`, that no source has
    the day, and return the row. The caller must hold the lock of the workspace.

    Raises BeeError for a date that no puzzle can have or whose list can still change, and if the list is not on disk.
    """
    day.iso_date(date)
    if date > clock.tomorrow():
        raise BeeError(f"{date} is later than tomorrow; the clock of this computer says {clock.today()}.")
    if clock.now() < schedule.settled_at(date):
        raise BeeError(f"The list of {date} can still change, so it is too early to decide about it.")
    on_disk = captures.load(workspace)
    lists = {row["source"]: row for row in frames.rows(on_disk[on_disk["date"] == date])}
    check = ""
    if source in lists:
        row = lists[source]
        check = checksum(Puzzle(row["center"], row["outer"]), frozenset(row["answers"].split()))
    elif source != NO_SOURCE:
        way_out = f"`bee fetch --since {date} --until {date}` asks for it"
        if lists:
            way_out = f"the lists on disk are of {', '.join(sorted(lists))}"
        raise BeeError(f'There is no list of "{source}" for {date} on disk; {way_out}.')
    elif lists or is_covered(workspace, date):
        raise BeeError(f"{date} has a list, so it is not true that no source has the day.")
    row = {"date": date, "source": source, "check": check, "reason": reason.strip()}
    row["by"] = verdicts.decider(workspace, by)
    verdicts.write(workspace, [row], "day_decisions")
    return row


def how_to_apply(workspace: Workspace, date: str) -> str:
    """Return a message that says how a decision about a day is applied in this workspace."""
    if not is_covered(workspace, date):
        return "`bee run` applies it."
    rebuild = "`bee run --rebuild` applies it"
    text = "the record already covers the day: with all days on disk, "
    return f"{text}{rebuild}; without them, decide about its words instead."


def is_covered(workspace: Workspace, date: str) -> bool:
    """Return whether the last release covers a date."""
    return date in inputs.read_coverage(workspace).dates
