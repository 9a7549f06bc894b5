"""The days to request from each source: missing days, and days whose list may still change."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pandas as pd

from pipeline import store
from pipeline.facts.seal import ranges
from pipeline.fetching import receipts
from pipeline.fetching.captures import Captures, last_date
from pipeline.progress import Progress, no_progress
from pipeline.sources import LIVE_SITES, TRUST_RANK, read_capture
from pipeline.sources.day import days_between
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import GAME, puzzle_day

ZONE = ZoneInfo(GAME.time_zone)
LONG_AGO = datetime.datetime(1, 1, 1, tzinfo=datetime.UTC)
GROWS = datetime.timedelta(days=2)
"""For this time after a puzzle appears its list may grow and its page may be late; later changes were never
observed."""
RECENT = datetime.timedelta(days=14)
"""For this time a recorded day is still requested, because a second witness may have been unavailable."""
CAME = ("new", "same", "put back")
"""The outcomes of a request that brought the day."""
REMEMBERED = datetime.timedelta(days=30)
"""For this time a missing page is not requested again."""


@dataclass(frozen=True, slots=True)
class Known:
    """The state of each day: when each source was last seen to have it, and the result of the last request.

    `wrong` are (source, date) of the days that a correction rejects as a whole: such a day counts as missing. For
    those in `given_up` the source is not asked any more. `lost` are the (source, date) whose last capture is missing or
    damaged, each with its path and checksum.
    """

    held: dict[str, dict[str, str]]
    requests: dict[tuple[str, str], dict[str, Any]]
    wrong: frozenset[tuple[str, str]] = frozenset()
    given_up: frozenset[tuple[str, str]] = frozenset()
    lost: Mapping[tuple[str, str], tuple[Path, str]] = field(default_factory=dict)

    def good(self, date: str) -> list[str]:
        """Name the sources that have a day which may be used."""
        return [source for source in self.held.get(date, {}) if (source, date) not in self.wrong]


def settles(date: str) -> datetime.datetime:
    """Return the time from which the list and the page of a day are final."""
    day = datetime.date.fromisoformat(date)
    return datetime.datetime(day.year, day.month, day.day, GAME.new_puzzle_hour, tzinfo=ZONE) + GROWS


def settled_days(captures: Captures, requests: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return (source, date) of the days that their source had when their list was settled."""
    again = requests[requests["outcome"].isin(CAME)]
    asked_at = {(row["source"], row["date"]): row["asked_at"] for row in frames.rows(again)}
    return frozenset(
        (source, date)
        for (source, date), seen in captures.seen.items()
        if max(_time(seen), _time(asked_at.get((source, date), ""))) >= settles(date)
    )


def know(workspace: Workspace, progress: Progress = no_progress) -> Known:
    """Find what is on disk: captures with a date in their name are known by it, all others are read."""
    held: dict[str, dict[str, str]] = {}
    lost: dict[tuple[str, str], tuple[Path, str]] = {}
    for path, row in progress(list(receipts.all_receipts(workspace)), "looking what is here"):
        source = path.parent.name
        named = _date_in(source, row["name"])
        if not receipts.whole(path, row):
            lost |= {(source, named): (path, row["sha256"])} if named else {}
            held.get(named, {}).pop(source, None)
            continue
        lost.pop((source, named), None)
        for date in [named] if named and not LIVE_SITES[source].earlier_days else _days_in(path, row["fetched_at"]):
            held.setdefault(date, {})[source] = row["fetched_at"]
    return Known(held, asked(workspace), lost=lost)


def asked(workspace: Workspace) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the last request of each (source, date) without a new capture."""
    requests = receipts.read_log(workspace.build / "requests.csv")
    return {(row["source"], row["date"]): row for row in frames.rows(requests)}


def _date_in(source: str, name: str) -> str:
    """Return the date for which a live source gave a capture, by its name; "" for any other capture."""
    named = re.search(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})", name)
    date = "-".join(named.groups()) if named else ""
    if not date or source not in LIVE_SITES:
        return ""
    return date if receipts.first_name(name) == LIVE_SITES[source].file_name_for(date) else ""


def _days_in(path: Path, fetched_at: str) -> list[str]:
    days = read_capture(store.read_bytes(path, "bee fetch"), path.name).days
    return [day.date for day in days if day.date <= last_date(fetched_at)]


Second = Literal["never", "live", "always"]
"""When a second witness is requested: never, for days that only live sources have, or for every day."""


def choose(since: str, until: str, covered: Collection[str], now: datetime.datetime) -> list[str]:
    """List the days to check, newest first: the requested days, or all days missing from the record and the recent
    ones."""
    today = puzzle_day(now)
    recent = (datetime.date.fromisoformat(today) - RECENT).isoformat()
    usual = [date for date in days_between(GAME.first_day, today) if date not in covered or date > recent]
    if not (since or until):
        return usual
    return days_between(max(since or min(usual), GAME.first_day), min(until or today, today))


def wants(known: Known, source: str, date: str, second: Second, now: datetime.datetime) -> bool:
    """Return whether the live source of that name should be asked for a day."""
    if (source, date) in known.given_up or not LIVE_SITES[source].has_day(date, puzzle_day(now)):
        return False
    last: Mapping[str, str] = known.requests.get((source, date), {})
    asked = _time(last["asked_at"]) if last else LONG_AGO
    if last and last["outcome"] == "missing":
        return _again(known, source, date, now) < now
    if (source, date) in known.lost:
        return True
    sources = known.held.get(date, {})
    if source not in sources:
        good = known.good(date)
        imported = any(name in TRUST_RANK and name not in LIVE_SITES for name in good)
        return len(good) < (1 if second == "never" or (second == "live" and imported) else 2)
    seen = max(_time(sources[source]), asked if last and last["outcome"] in CAME else LONG_AGO)
    return seen < min(settles(date), now)


def _again(known: Known, source: str, date: str, now: datetime.datetime) -> datetime.datetime:
    """Return the time from which a source is asked again for a day that it does not have.

    A page may still come if it was missing before its day settled, if the clock was ahead when it was asked for, or if
    no later day has been captured: the day may not be over.
    """
    last = known.requests.get((source, date), {})
    asked = _time(last["asked_at"]) if last.get("outcome") == "missing" else LONG_AGO
    final = settles(date) <= asked <= now and date < max(known.held, default="")
    return asked + REMEMBERED if final else LONG_AGO


def next_request(known: Known, date: str, names: Iterable[str], now: datetime.datetime) -> datetime.datetime:
    """Return the time from which a fetch asks some source for a missing day; long ago if the next one does."""
    asked = [
        name
        for name in names
        if LIVE_SITES[name].has_day(date, puzzle_day(now)) and name not in known.held.get(date, ())
    ]
    return min((_again(known, name, date, now) for name in asked), default=LONG_AGO)


def was_refused(workspace: Workspace, source: str, date: str) -> bool:
    """Return whether the last page of a source for a day was refused."""
    last = asked(workspace).get((source, date))
    return last is not None and last["outcome"] not in (*CAME, "missing")


def told_before(known: Known, source: str, date: str, outcome: str) -> bool:
    """Return whether the page of a day was refused for the same reason before, after its list had settled."""
    last = known.requests.get((source, date))
    if last is None or last["outcome"] != outcome:
        return False
    return _time(last["asked_at"]) >= settles(date)


@dataclass(frozen=True, slots=True)
class RefusedPage:
    """A page that was refused, of a day that another source has: where, and the reason."""

    source: str
    date: str
    reason: str


def refused_pages(known: Known, reasons: Container[str]) -> list[RefusedPage]:
    """Return the pages whose last request was refused for one of these reasons, and that nobody needs: another source
    has the day."""
    return [
        RefusedPage(source, date, row["outcome"])
        for (source, date), row in sorted(known.requests.items(), key=lambda item: item[0][::-1])
        if row["outcome"] in reasons
        and (source, date) not in known.given_up
        and source not in known.held.get(date, {})
        and known.good(date)
    ]


def failing(known: Known, source: str) -> tuple[str, str]:
    """Return the first and the last time at which a source refused or failed since its last good answer; "" if never.

    `known.held` says when it was last seen to have a day. The log keeps the last request for a day, so that the first
    failure may be older than this says.
    """
    rows = [
        row for (name, date), row in known.requests.items() if name == source and (name, date) not in known.given_up
    ]
    good = [row["asked_at"] for row in rows if row["outcome"] in ("new", "same")]
    good += [seen[source] for seen in known.held.values() if source in seen]
    bad = [row["asked_at"] for row in rows if row["outcome"] not in ("new", "same", "missing")]
    since = sorted(at for at in bad if _time(at) > max(map(_time, good), default=LONG_AGO))
    return (since[0], since[-1]) if since else ("", "")


def absent(known: Known, dates: Iterable[str], names: Iterable[str], now: datetime.datetime) -> list[str]:
    """Describe the settled days that no source has: which sources were asked, and when they will be asked again.

    Consecutive days with the same description share a line.
    """
    dates_of: dict[str, list[str]] = {}
    for date in dates:
        if known.good(date) or settles(date) > now:
            continue
        requested = [name for name in names if (name, date) in known.requests]
        soonest = next_request(known, date, requested, now)
        then = f"again after {soonest.date()}" if soonest > now else "again at the next fetch"
        dates_of.setdefault(f"asked {', '.join(requested) or 'no source'}; {then}", []).append(date)
    return [
        f"missing {span if first != last else first}: {what}"
        for what, days in dates_of.items()
        for span in ranges(days).split()
        for first, _, last in [span.partition("..")]
    ]


def _time(text: str) -> datetime.datetime:
    """Parse the time of a receipt; an invalid time counts as long ago."""
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        return LONG_AGO
    return time if time.tzinfo else time.replace(tzinfo=datetime.UTC)
