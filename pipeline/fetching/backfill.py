"""Backfill: requests days from the live sources, newest first, and keeps each page that has the requested day.

A source that fails five times is not asked again in the same run.
"""

from __future__ import annotations

import datetime
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.fetching import captures, schedule, web
from pipeline.fetching.captures import Capture, Request, stamp
from pipeline.fetching.schedule import Sightings
from pipeline.fetching.web import DownloadError, MissingPageError, Response
from pipeline.sources import LIVE_SITES, read_capture
from pipeline.sources.day import LiveSite, ParseResult
from pipeline.words import GAME

MAX_FAILURES = 5
"""After this many failures, a source is not asked again in the same run."""


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What to fetch: the sources in order (empty for all), and the first and last date ("" for the default)."""

    sources: tuple[str, ...] = ()
    since: str = ""
    until: str = ""


@dataclass(slots=True)
class SourceState:
    """A source during a run: its address, and how often it failed."""

    name: str
    site: LiveSite
    base_url: str
    failures: int = 0


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """The plan of a run: the days to check, the days to request, the sources, and when each source was last seen to
    have each day."""

    days_to_check: list[str]
    dates: list[str]
    sources: tuple[SourceState, ...]
    seen: Sightings
    started_at: datetime.datetime

    @property
    def has_failures(self) -> bool:
        """Whether a source failed in this run."""
        return any(source.failures for source in self.sources)


def prepare(
    options: FetchOptions,
    environment: Mapping[str, str],
    now: datetime.datetime,
    seen: Sightings,
    covered: Collection[str],
    alone: Collection[str],
) -> FetchPlan:
    """Plan a run; the `environment` may replace the base URL of a source, as in BEE_NYT_URL.

    `covered` are the dates of the record, and `alone` those that it counted with one witness.
    """
    now = now.replace(microsecond=0)
    names = options.sources or tuple(LIVE_SITES)
    days_to_check = schedule.days_to_check(options.since, options.until, covered, alone, now)
    dates = [date for date in days_to_check if any(schedule.should_request(seen, name, date, now) for name in names)]
    sources = []
    for name in names:
        site = LIVE_SITES[name]
        sources.append(SourceState(name, site, (environment.get(site.url_variable) or site.base_url).rstrip("/")))
    return FetchPlan(days_to_check, dates, tuple(sources), seen, now)


def why_no_days(options: FetchOptions, today: str) -> str:
    """Explain why options select no days, and how to change them."""
    if options.until and options.until < GAME.first_day:
        return f"--until {options.until} is before the first puzzle; name a day from {GAME.first_day} on."
    if options.since > today:
        return f"--since {options.since} is after the current puzzle; name a day up to {today}."
    if options.since:
        return f"--since {options.since} is after --until {options.until}; swap the two."
    covered = "To request days that the record covers, also name the first one with --since."
    return f"No days up to {options.until} are missing. {covered}"


def backfill(
    plan: FetchPlan,
    session: web.Session,
    database: sqlite3.Connection,
    dates: Iterable[str],
    utc_now: Callable[[], datetime.datetime],
) -> Iterator[Request]:
    """Request the days, and yield each request when its outcome and its page are stored, in one transaction."""
    for date in dates:
        for source in plan.sources:
            if source.failures >= MAX_FAILURES:
                continue
            if not schedule.should_request(plan.seen, source.name, date, plan.started_at):
                continue
            request = _request_day(plan, source, session, database, date, stamp(utc_now()))
            if request.failed:
                source.failures += 1
            yield request


def _request_day(
    plan: FetchPlan, source: SourceState, session: web.Session, database: sqlite3.Connection, date: str, now: str
) -> Request:
    """Request a day from a source; store a good page, and the request with its outcome."""
    name = source.site.file_name_for(date)
    last = captures.last_capture(database, source.name, name)
    validators = {"ETag": last["etag"], "Last-Modified": last["last_modified"]} if last else {}
    try:
        response = web.get(session, source.site.url_for(source.base_url, date), validators)
        page = None if response.status == 304 else _checked_page(source, response, date)
    except DownloadError as error:
        outcome = "missing" if isinstance(error, MissingPageError) else "failed"
        request = Request(source.name, date, now, outcome, str(error))
        with database:
            captures.log(database, request)
        return request
    with database:
        is_new = False
        if page:
            etag, last_modified = (response.headers.get(each, "") for each in ("ETag", "Last-Modified"))
            capture = Capture(source.name, name, response.url, response.body, now, etag, last_modified)
            is_new = captures.keep(database, capture, page.days)
        elif last:
            captures.see_again(database, last, now)
        request = Request(source.name, date, now, "new" if is_new else "same")
        captures.log(database, request)
    plan.seen.saw(source.name, [day.date for day in page.days] if page else [date], now)
    return request


def _checked_page(source: SourceState, response: Response, date: str) -> ParseResult:
    """Return what a page says; raises DownloadError unless it has the requested day, and no day that it cannot have."""
    page = read_capture(response.body, f"{source.name}/{source.site.file_name_for(date)}")
    if page.days and page.source != source.name:
        raise DownloadError(response.url, "The page is in the format of another source.")
    dates = [day.date for day in page.days]
    if date in dates and all(source.site.may_contain(other, date) for other in dates):
        return page
    if page.faults:
        raise DownloadError(response.url, page.faults[0].detail)
    raise DownloadError(response.url, "The page is for another day.")


def summary(plan: FetchPlan, requests: Sequence[Request]) -> list[str]:
    """Return a line with the outcomes of each source."""
    lines = []
    for source in plan.sources:
        counts = Counter(request.outcome for request in requests if request.source == source.name)
        outcomes = ", ".join(f"{outcome} {number:,}" for outcome, number in sorted(counts.items()))
        lines.append(f"{source.name}: {outcomes or 'not asked'}")
        if source.failures >= MAX_FAILURES:
            lines.append(f"{source.name}: no more requests in this run, because {source.failures} failed")
    return lines
