"""Days: writes what a person decides about the list of a day."""

from __future__ import annotations

from pipeline import clock, custom
from pipeline.errors import BeeError
from pipeline.facts import by_hand
from pipeline.facts.by_hand import NO_SOURCE
from pipeline.facts.count_days import checksum
from pipeline.fetching import captures, schedule
from pipeline.review import verdicts
from pipeline.sources import day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import Puzzle


def name_list(workspace: Workspace, date: str, source: str, reason: str, by: str) -> str:
    """Write to `days.csv` that the list of a source for a date is right or, for the source `none`, that no source has
    the day, and return what that means.

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
    elif lists or date in custom.read_coverage(workspace).dates:
        raise BeeError(f"{date} has a list, so it is not true that no source has the day.")
    row = {"date": date, "source": source, "check": check, "reason": reason.strip()}
    row["by"] = verdicts.decider(workspace, by)
    verdicts.write(workspace, "named_days", [row])
    return f"{by_hand.describe(row)}; written. {verdicts.how_to_apply(date, workspace)}"
