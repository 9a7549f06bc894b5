"""The schedule: when the list of a day is settled, and which days to request from each source."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pandas as pd

from pipeline.facts.day_decisions import SourceDate, not_asked, rejected_lists
from pipeline.fetching.captures import SUCCESSES, Captures, Request
from pipeline.sources import LIVE_SITES, TRUST_RANK
from pipeline.sources.day import days_between
from pipeline.words import GAME, puzzle_day

ZONE = ZoneInfo(GAME.time_zone)
SETTLING = datetime.timedelta(days=2)
"""For this time after a puzzle appears its list may grow and its page may be late; later changes were never
observed."""
WEEK = datetime.timedelta(days=7)
"""A day of which words are in doubt waits for this time after its puzzle appears."""
RECENT = datetime.timedelta(days=14)
"""For this time a second source is asked for a day that was counted with one, and a missing page at each fetch."""
RETRY_MISSING = datetime.timedelta(days=30)
"""For this time a page that was missing later than that is not requested again."""
LATE = datetime.timedelta(days=3)
"""A day that no source has needs a person when it settled this long ago."""
ENOUGH_SOURCES = 2


@dataclass(frozen=True, slots=True)
class History:
    """What is known about each day: when each source was last seen to have it (by date and source), and the last
    request to each source.

    `rejected` has the lists that a person rejected; they count as missing. Those in `not_asked` are no longer asked
    for; the source is "" if a person said that no source has the day.
    """

    seen: dict[str, dict[str, str]]
    requests: Mapping[SourceDate, Request]
    rejected: frozenset[SourceDate] = frozenset()
    not_asked: frozenset[SourceDate] = frozenset()

    def sources(self, date: str) -> list[str]:
        """Return the sources that have a day, without those whose list is rejected."""
        return [source for source in self.seen.get(date, {}) if (source, date) not in self.rejected]

    def saw(self, source: str, dates: Iterable[str], time: str) -> None:
        """Note that a source had some days at a time."""
        for date in dates:
            self.seen.setdefault(date, {})[source] = time

    def is_asked_for(self, date: str, source: str = "") -> bool:
        """Return whether a day is asked for, from a source or, without one, from any live source."""
        if not source:
            return any(self.is_asked_for(date, name) for name in LIVE_SITES)
        return self.not_asked.isdisjoint([("", date), (source, date)])


def history(captures: Captures, requests: Mapping[SourceDate, Request], day_decisions: pd.DataFrame) -> History:
    """Return what is known about each day."""
    known = History({}, requests, rejected_lists(day_decisions), not_asked(day_decisions))
    for (source, date), time in captures.seen.items():
        known.saw(source, [date], time)
    return known


def _appeared_at(date: str) -> datetime.datetime:
    """Return the time at which the puzzle of a day appears."""
    day = datetime.date.fromisoformat(date)
    return datetime.datetime(day.year, day.month, day.day, GAME.new_puzzle_hour, tzinfo=ZONE)


def settled_at(date: str) -> datetime.datetime:
    """Return the time from which the list and the page of a day are final."""
    return _appeared_at(date) + SETTLING


def settled_days(seen: Mapping[SourceDate, str]) -> frozenset[SourceDate]:
    """Return the (source, date) of each day that the source still had when the list of the day was settled."""
    return frozenset(source_date for source_date, time in seen.items() if _time(time) >= settled_at(source_date[1]))


def weeks_over(seen: Mapping[SourceDate, str]) -> frozenset[str]:
    """Return the dates of which the week is over: something on disk came seven days after the puzzle, so a second
    source has had the time to contradict the first."""
    last = max(seen.values(), default="")
    return frozenset(date for _, date in seen if _time(last) >= _appeared_at(date) + WEEK)


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


def should_request(history: History, source: str, date: str, run_started_at: datetime.datetime) -> bool:
    """Return whether a live source should be asked for a day: if fewer than two sources have it, or if the list of the
    source may have grown since it came."""
    if not history.is_asked_for(date, source) or not LIVE_SITES[source].has_day(date, puzzle_day(run_started_at)):
        return False
    if seen_at := history.seen.get(date, {}).get(source):
        # A page that was fetched for another day in this run may have this day, too.
        return _time(seen_at) < min(settled_at(date), run_started_at)
    if len(TRUST_RANK.keys() & history.sources(date)) >= ENOUGH_SOURCES:
        return False
    last = history.requests.get((source, date))
    if last is None or last.outcome != "missing":
        return True
    requested_at = _time(last.requested_at)
    was_missing_for_good = _appeared_at(date) + RECENT <= requested_at <= run_started_at  # unless the clock was ahead
    return not was_missing_for_good or run_started_at - requested_at > RETRY_MISSING


def days_without_source(history: History, dates: Iterable[str], now: datetime.datetime) -> list[str]:
    """Return the dates that settled days ago (`LATE`) and that no source has."""
    return [
        date
        for date in dates
        if not history.sources(date) and history.is_asked_for(date) and settled_at(date) + LATE <= now
    ]


def failing(history: History, source: str) -> tuple[str, str]:
    """Return the times of the first and last failure of a source since its last success; "" if there was none.

    Only the last request for each day counts, so the first failure may have been earlier.
    """
    successes = [times[source] for times in history.seen.values() if source in times]
    failures = []
    for (name, date), request in history.requests.items():
        if name == source and history.is_asked_for(date, name):
            if request.outcome in SUCCESSES:
                successes.append(request.requested_at)
            elif request.failed:
                failures.append(request.requested_at)
    last_success = max(successes, default="")
    since = sorted(time for time in failures if time > last_success)
    return (since[0], since[-1]) if since else ("", "")


def refused_pages(history: History, reasons: Collection[str]) -> list[Request]:
    """Return the last requests that were refused for one of these reasons, for days that another source has."""
    return [
        request
        for (source, date), request in sorted(history.requests.items(), key=lambda item: item[0][::-1])
        if request.outcome in reasons
        and history.is_asked_for(date, source)
        and source not in history.seen.get(date, {})
        and history.sources(date)
    ]


def _time(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)
