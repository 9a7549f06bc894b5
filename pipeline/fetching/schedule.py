"""The schedule: when the list of a day is settled, and which days to request from each source."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pandas as pd

from pipeline.facts.count_days import WEEK
from pipeline.facts.coverage import OPEN_DAYS
from pipeline.sources import LIVE_SITES, SITE_OF
from pipeline.tables import frames
from pipeline.words import GAME, days_between, puzzle_day

ZONE = ZoneInfo(GAME.time_zone)
SETTLING = datetime.timedelta(days=2)
"""For this time after a puzzle appears its list may grow and its page may be late; later changes were never
observed."""
RECENT = datetime.timedelta(days=OPEN_DAYS)
"""For this time a second site is asked for a day that was counted with one."""
LATE = datetime.timedelta(days=3)
"""A day that no source has needs a person when it settled this long ago."""


@dataclass(frozen=True, slots=True)
class Sightings:
    """When each source was last seen to have each day, by date and source, and the days that no source has, as a person
    decided."""

    times: dict[str, dict[str, str]]
    without_source: frozenset[str] = frozenset()

    def saw(self, source: str, dates: Iterable[str], time: str) -> None:
        """Note that a source had some days at a time."""
        for date in dates:
            self.times.setdefault(date, {})[source] = time


def sightings(days: pd.DataFrame, without_source: Iterable[str]) -> Sightings:
    """Return when each list of `captures.load` was seen."""
    found = Sightings({}, frozenset(without_source))
    for source, date, time in zip(days["source"], days["date"], days["seen_at"], strict=True):
        found.saw(source, [date], time)
    return found


def _appeared_at(date: str) -> datetime.datetime:
    """Return the time at which the puzzle of a day appears."""
    day = datetime.date.fromisoformat(date)
    return datetime.datetime(day.year, day.month, day.day, GAME.new_puzzle_hour, tzinfo=ZONE)


def settled_at(date: str) -> datetime.datetime:
    """Return the time from which the list and the page of a day are final."""
    return _appeared_at(date) + SETTLING


def with_settled(days: pd.DataFrame) -> pd.DataFrame:
    """Return the table `day_lists`: the lists of `captures.load`, with whether each is `settled`, that is, seen when it
    could no longer change, and whether its week is over: anything on disk came seven days after the puzzle, so a second
    site had the time to contradict the first."""
    last = _time(max(days["seen_at"], default="2000-01-01T00:00:00+00:00"))
    cells = zip(days["date"], days["seen_at"], strict=True)
    settled = [_time(seen_at) >= settled_at(date) for date, seen_at in cells]
    week_over = [last >= _appeared_at(date) + WEEK for date in days["date"]]
    ends = {"settled": pd.Series(settled, dtype=bool), "week_over": pd.Series(week_over, dtype=bool)}
    return frames.check(days.assign(**ends), "day_lists")


def days_to_check(
    since: str, until: str, covered: Collection[str], alone: Collection[str], now: datetime.datetime
) -> list[str]:
    """Return the days to fetch, newest first: those from `since` to `until` or, without them, those that the record
    does not cover, and for two weeks those that it counted `alone`, with one witness."""
    today = puzzle_day(now)
    if since or until:
        first, last = since or GAME.first_day, min(until or today, today)
        dates = days_between(max(first, GAME.first_day), last)
        return dates if since else [date for date in dates if date not in covered]
    recent = (datetime.date.fromisoformat(today) - RECENT).isoformat()
    return [
        date for date in days_between(GAME.first_day, today) if date not in covered or (date > recent and date in alone)
    ]


def should_request(seen: Sightings, source: str, date: str, run_started_at: datetime.datetime) -> bool:
    """Return whether a live source should be asked for a day: if its site is not known to have the day, or if the list
    of the source may have changed since it came."""
    if date in seen.without_source or not LIVE_SITES[source].has_day(date, puzzle_day(run_started_at)):
        return False
    times = seen.times.get(date, {})
    if source in times:
        # A page that was fetched for another day in this run may have this day, too.
        return _time(times[source]) < min(settled_at(date), run_started_at)
    of_site = [other for other in times if SITE_OF.get(other) == SITE_OF[source]]
    return not any(other in LIVE_SITES or _time(times[other]) >= settled_at(date) for other in of_site)


def days_without_source(seen: Sightings, dates: Iterable[str], now: datetime.datetime) -> list[str]:
    """Return the dates that settled days ago (`LATE`) and that no source has."""
    return [
        date
        for date in dates
        if date not in seen.times and date not in seen.without_source and settled_at(date) + LATE <= now
    ]


def _time(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)
