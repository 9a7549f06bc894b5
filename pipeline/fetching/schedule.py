"""The schedule: which days to request from each source, because they are missing or their list may still change."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pandas as pd

from pipeline import store
from pipeline.facts.coverage import ranges
from pipeline.facts.day_decisions import not_asked, rejected_lists
from pipeline.fetching import receipts
from pipeline.fetching.captures import Captures, last_date
from pipeline.sources import LIVE_SITES, TRUST_RANK, read_capture
from pipeline.sources.day import days_between
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import GAME, puzzle_day

ZONE = ZoneInfo(GAME.time_zone)
LONG_AGO = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)
SETTLING = datetime.timedelta(days=2)
"""For this time after a puzzle appears its list may grow and its page may be late; later changes were never
observed."""
WEEK = datetime.timedelta(days=7)
"""A day of which words are in doubt waits for this time after its puzzle appears."""
RECENT = datetime.timedelta(days=14)
"""For this time a recorded day is still requested, because a second witness may have been unavailable."""
RETRY_MISSING = datetime.timedelta(days=30)
"""For this time a missing page is not requested again."""
SUCCESSES = ("new", "same", "put back")
"""The outcomes of a request that brought the day; older logs have "put back"."""


@dataclass(frozen=True, slots=True)
class History:
    """What is known about each day: when each source was last seen to have it, and its last request without a capture.

    `rejected` has the (source, date) of the lists that a person rejected; they count as missing. Those in `not_asked`
    are no longer asked for; the source is "" if a person said that no source has the day. `lost` has the
    (source, date) whose capture was set aside.
    """

    captured: dict[str, dict[str, str]]
    requests: dict[tuple[str, str], dict[str, Any]]
    rejected: frozenset[tuple[str, str]] = frozenset()
    not_asked: frozenset[tuple[str, str]] = frozenset()
    lost: frozenset[tuple[str, str]] = frozenset()

    def usable_sources(self, date: str) -> list[str]:
        """Return the sources that have a day, without those whose list is rejected."""
        return [source for source in self.captured.get(date, {}) if (source, date) not in self.rejected]

    def is_asked_for(self, date: str, source: str = "") -> bool:
        """Return whether a day is asked for, from a source or, without one, from any live source."""
        if not source:
            return any(self.is_asked_for(date, name) for name in LIVE_SITES)
        return self.not_asked.isdisjoint([("", date), (source, date)])


def settled_at(date: str) -> datetime.datetime:
    """Return the time from which the list and the page of a day are final."""
    return _appeared_at(date) + SETTLING


def _appeared_at(date: str) -> datetime.datetime:
    day = datetime.date.fromisoformat(date)
    return datetime.datetime(day.year, day.month, day.day, GAME.new_puzzle_hour, tzinfo=ZONE)


def settled_days(captures: Captures, requests: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return the (source, date) of each day that the source still had when the list of the day was settled."""
    seen_at = _last_seen(captures, requests)
    return frozenset(source_date for source_date, time in seen_at.items() if time >= settled_at(source_date[1]))


def weeks_over(captures: Captures, requests: pd.DataFrame) -> frozenset[str]:
    """Return the dates of which the week is over: something on disk came seven days after the puzzle, so a second
    source has had the time to contradict the first."""
    seen_at = _last_seen(captures, requests)
    last = max(seen_at.values(), default=LONG_AGO)
    return frozenset(date for _, date in seen_at if last >= _appeared_at(date) + WEEK)


def _last_seen(captures: Captures, requests: pd.DataFrame) -> dict[tuple[str, str], datetime.datetime]:
    """Return when each (source, date) came last, also if it came unchanged."""
    successful = requests[requests["outcome"].isin(SUCCESSES)]
    asked_at = {(row["source"], row["date"]): row["asked_at"] for row in frames.rows(successful)}
    return {
        source_date: max(_time(captured_at), _time(asked_at.get(source_date, "")))
        for source_date, captured_at in captures.seen.items()
    }


def read_history(workspace: Workspace, day_decisions: pd.DataFrame) -> History:
    """Return what is known about each day. Captures are parsed only if their name does not tell all their days."""
    captured: dict[str, dict[str, str]] = {}
    for path, row in receipts.all_receipts(workspace):
        source = path.parent.name
        date = _date_of_name(source, row["name"])
        has_other_days = not date or LIVE_SITES[source].earlier_days
        dates = _days_in(path, row["fetched_at"]) if has_other_days else [date]
        for day in dates:
            captured.setdefault(day, {})[source] = row["fetched_at"]
    lost = set()
    for row in receipts.receipts_set_aside(workspace):
        date = _date_of_name(row["source"], row["name"])
        if date and row["source"] not in captured.get(date, {}):
            lost.add((row["source"], date))
    return History(
        captured=captured,
        requests=last_requests(workspace),
        rejected=rejected_lists(day_decisions),
        not_asked=not_asked(day_decisions),
        lost=frozenset(lost),
    )


def last_requests(workspace: Workspace) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the last request of each (source, date) without a new capture."""
    requests = receipts.read_log(workspace.build / "requests.csv")
    return {(row["source"], row["date"]): row for row in frames.rows(requests)}


def _date_of_name(source: str, name: str) -> str:
    """Return the date in the name of a capture from a live source; "" for any other capture."""
    found = re.search(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})", name)
    if not found or source not in LIVE_SITES:
        return ""
    date = "-".join(found.groups())
    return date if receipts.first_name(name) == LIVE_SITES[source].file_name_for(date) else ""


def _days_in(path: Path, fetched_at: str) -> list[str]:
    days = read_capture(store.read_bytes(path, "bee fetch"), path.name).days
    return [day.date for day in days if day.date <= last_date(fetched_at)]


SecondWitness = Literal["never", "live", "always"]
"""When a second witness is requested: never, for days that only live sources have, or for every day."""


def days_to_check(since: str, until: str, covered: Collection[str], now: datetime.datetime) -> list[str]:
    """Return the days to check, newest first: the requested days, or the recent days and all days missing from the
    record."""
    today = puzzle_day(now)
    recent = (datetime.date.fromisoformat(today) - RECENT).isoformat()
    usual = [date for date in days_between(GAME.first_day, today) if date not in covered or date > recent]
    if not (since or until):
        return usual
    return days_between(max(since or min(usual), GAME.first_day), min(until or today, today))


def should_request(
    history: History, source: str, date: str, second_witness: SecondWitness, run_started_at: datetime.datetime
) -> bool:
    """Return whether the live source of that name should be asked for a day."""
    if not history.is_asked_for(date, source) or not LIVE_SITES[source].has_day(date, puzzle_day(run_started_at)):
        return False
    last_request = history.requests.get((source, date))
    if last_request and last_request["outcome"] == "missing":
        return _ask_again_at(history, source, date, run_started_at) < run_started_at
    if (source, date) in history.lost:
        return True
    captured_at = history.captured.get(date, {}).get(source)
    if captured_at is None:
        return _needs_witness(history, date, second_witness)
    last_seen = _time(captured_at)
    if last_request and last_request["outcome"] in SUCCESSES:
        last_seen = max(last_seen, _time(last_request["asked_at"]))
    list_may_have_grown = last_seen < settled_at(date)
    was_seen_in_this_run = last_seen >= run_started_at  # a page that was fetched for another day may have this day, too
    return list_may_have_grown and not was_seen_in_this_run


def _needs_witness(history: History, date: str, second_witness: SecondWitness) -> bool:
    """Return whether a day has fewer sources than it needs, which is one or two."""
    sources = history.usable_sources(date)
    if second_witness == "always":
        return len(sources) < 2
    if second_witness == "never":
        return not sources
    is_in_archive = any(name in TRUST_RANK and name not in LIVE_SITES for name in sources)
    return len(sources) < 2 and not is_in_archive


def _ask_again_at(history: History, source: str, date: str, now: datetime.datetime) -> datetime.datetime:
    """Return the time from which a source is asked again for a day that it does not have; `LONG_AGO` means now.

    The page may still appear if it was requested before its day settled, if the clock was ahead at that time, or if no
    later day has been captured, because then the day may not be over.
    """
    last = history.requests.get((source, date))
    if last is None or last["outcome"] != "missing":
        return LONG_AGO
    requested_at = _time(last["asked_at"])
    later_day_is_here = date < max(history.captured, default="")
    if later_day_is_here and settled_at(date) <= requested_at <= now:
        return requested_at + RETRY_MISSING
    return LONG_AGO


def next_request_at(history: History, date: str, sources: Iterable[str], now: datetime.datetime) -> datetime.datetime:
    """Return the time from which a fetch asks some source for a missing day; `LONG_AGO` means at the next fetch."""
    times = [
        _ask_again_at(history, source, date, now)
        for source in sources
        if LIVE_SITES[source].has_day(date, puzzle_day(now)) and source not in history.captured.get(date, ())
    ]
    return min(times, default=LONG_AGO)


def already_reported(history: History, source: str, date: str, outcome: str) -> bool:
    """Return whether the last page for a day was also refused for this reason, after the list had settled."""
    last = history.requests.get((source, date))
    if last is None or last["outcome"] != outcome:
        return False
    return _time(last["asked_at"]) >= settled_at(date)


@dataclass(frozen=True, slots=True)
class RefusedPage:
    """A refused page for a day that another source has: its source, its date, and the reason."""

    source: str
    date: str
    reason: str


def refused_pages(history: History, reasons: Container[str]) -> list[RefusedPage]:
    """Return the pages that were last refused for one of these reasons and are not needed, because another source has
    the day."""
    return [
        RefusedPage(source, date, row["outcome"])
        for (source, date), row in sorted(history.requests.items(), key=lambda item: item[0][::-1])
        if row["outcome"] in reasons
        and history.is_asked_for(date, source)
        and source not in history.captured.get(date, {})
        and history.usable_sources(date)
    ]


def failing(history: History, source: str) -> tuple[str, str]:
    """Return the times of the first and last failure of a source since its last success; "" if there was none.

    The log only keeps the last request for each day, so the first failure may have been earlier.
    """
    successes = [times[source] for times in history.captured.values() if source in times]
    failures = []
    for (name, date), row in history.requests.items():
        if name != source or not history.is_asked_for(date, name):
            continue
        if row["outcome"] in SUCCESSES:
            successes.append(row["asked_at"])
        elif row["outcome"] != "missing":
            failures.append(row["asked_at"])
    last_success = max(map(_time, successes), default=LONG_AGO)
    since = sorted(at for at in failures if _time(at) > last_success)
    return (since[0], since[-1]) if since else ("", "")


def missing_days(history: History, dates: Iterable[str], sources: Iterable[str], now: datetime.datetime) -> list[str]:
    """Return lines about the settled days that no source has: which sources were asked, and when they are asked again.

    Consecutive days with the same description share a line.
    """
    dates_of: dict[str, list[str]] = {}
    for date in dates:
        if history.usable_sources(date) or not history.is_asked_for(date) or settled_at(date) > now:
            continue
        requested = [source for source in sources if (source, date) in history.requests]
        next_time = next_request_at(history, date, requested, now)
        then = f"after {next_time.date()}" if next_time > now else "at the next fetch"
        description = f"asked {', '.join(requested) or 'no source'}; the next request is {then}"
        dates_of.setdefault(description, []).append(date)
    lines = []
    for description, days in dates_of.items():
        for span in ranges(days).split():
            first, _, last = span.partition("..")
            lines.append(f"missing {span if first != last else first}: {description}")
    return lines


def _time(text: str) -> datetime.datetime:
    """Return the time of a receipt, or `LONG_AGO` if it is invalid."""
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        return LONG_AGO
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
