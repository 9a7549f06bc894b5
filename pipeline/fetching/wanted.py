"""Which days are wanted from which source: those that nobody has, and those whose list may still grow."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

from pipeline import frames, receipts, store
from pipeline.capture import FIRST_DAY
from pipeline.evidence_file import covered
from pipeline.fetch import Track, untracked
from pipeline.sources import LIVE, read
from pipeline.store import Workspace

NEW_YORK = ZoneInfo("America/New_York")
TURN = 3
"""The hour in New York at which a new puzzle comes."""
NEVER = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)
SETTLED = datetime.timedelta(days=2)
"""So long after a puzzle came, its list may have grown and its page may have been late; after that neither was seen."""
REMEMBERED = datetime.timedelta(days=30)
"""So long a page that was missing is not asked for again."""


ONE_DAY = ("nyt", "nytbee")
"""Sources whose captures hold one day each, named in the capture's name."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of each day: when each source was last seen to have it, and what the last request brought."""

    held: dict[str, dict[str, str]]
    requests: dict[tuple[str, str], dict[str, Any]]


def puzzle_day(now: datetime.datetime) -> str:
    """Return the date of the puzzle that is played now.

    >>> puzzle_day(datetime.datetime(2025, 3, 9, 6, 59, tzinfo=datetime.UTC))  # the clocks went forward at 02:00
    '2025-03-08'
    >>> puzzle_day(datetime.datetime(2025, 3, 9, 7, 0, tzinfo=datetime.UTC))
    '2025-03-09'
    """
    return (now.astimezone(NEW_YORK) - datetime.timedelta(hours=TURN)).date().isoformat()


def settles(date: str) -> datetime.datetime:
    """Return from when on the list and the page of a day are final."""
    day = datetime.date.fromisoformat(date)
    return datetime.datetime(day.year, day.month, day.day, TURN, tzinfo=NEW_YORK) + SETTLED


def know(workspace: Workspace, track: Track = untracked) -> Known:
    """Look what is on disk: captures named for a day are known by their names, all others are read."""
    held: dict[str, dict[str, str]] = {}
    for path, row in track(list(receipts.all_receipts(workspace)), "looking what is here"):
        for date in _dates_of(path.parent.name, row["name"], path):
            held.setdefault(date, {})[path.parent.name] = row["fetched_at"]
    rows = frames.rows(receipts.read_requests(workspace))
    return Known(held, {(row["source"], row["date"]): row for row in rows})


def _dates_of(source: str, name: str, path: Path) -> list[str]:
    named = re.search(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})", name)
    date = "-".join(named.groups()) if named else ""
    if date and source in ONE_DAY and receipts.first_name(name) == LIVE[source].name_for(date):
        return [date]
    if not path.is_file():
        return []
    return [day.date for day in read(store.read_bytes(path, "bee fetch"), name).parsed.days]


def days_between(since: str, until: str) -> list[str]:
    """List dates, newest first.

    >>> days_between("2024-12-31", "2025-01-01")
    ['2025-01-01', '2024-12-31']
    """
    first, last = datetime.date.fromisoformat(since).toordinal(), datetime.date.fromisoformat(until).toordinal()
    return [datetime.date.fromordinal(number).isoformat() for number in range(last, first - 1, -1)]


def first_wanted(workspace: Workspace, now: datetime.datetime) -> str:
    """Return where to start when nobody says: after the evidence ends, but no later than the days not yet settled."""
    known = covered(workspace)
    if not known:
        return FIRST_DAY
    after = datetime.date.fromisoformat(max(known)) + datetime.timedelta(days=1)
    unsettled = datetime.date.fromisoformat(puzzle_day(now)) - SETTLED
    return min(after, unsettled).isoformat()


def wants(known: Known, source: ModuleType, date: str, witnesses: int, now: datetime.datetime) -> bool:
    """Say whether a source should be asked for a day."""
    today = datetime.date.fromisoformat(puzzle_day(now))
    if date < source.FIRST or date in source.NEVER or date > today.isoformat():
        return False
    if source.REACH is not None and (today - datetime.date.fromisoformat(date)).days > source.REACH:
        return False
    last: Mapping[str, str] = known.requests.get((source.NAME, date), {})
    asked = _time(last["asked_at"]) if last else NEVER
    if last and last["outcome"] == "missing":
        return asked < settles(date) or now - asked > REMEMBERED
    sources = known.held.get(date, {})
    if source.NAME not in sources:
        return len(sources) < witnesses
    seen = max(_time(sources[source.NAME]), asked if last and last["outcome"] in ("new", "same") else NEVER)
    return seen < min(settles(date), now)


def _time(text: str) -> datetime.datetime:
    """Read the time of a receipt; one that is no time was long ago."""
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        return NEVER
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
