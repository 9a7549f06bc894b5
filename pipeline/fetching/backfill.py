"""Backfill: requests days from the live sources, newest first, and keeps each page that passes its checks.

A page is kept if its own parser finds the requested day in it; every other page is refused, with a reason. A source
that fails repeatedly, or that does not allow automated requests, is not used for the rest of the run.
"""

from __future__ import annotations

import datetime
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.fetching import captures, schedule, web
from pipeline.fetching.captures import Capture, Request, stamp
from pipeline.fetching.schedule import History
from pipeline.fetching.web import REASONS, DownloadError, Response
from pipeline.sources import LIVE_SITES, read_capture
from pipeline.sources.day import LiveSite, Parsed
from pipeline.violations import READING_RULE_BY_ID
from pipeline.words import GAME, count

MAX_FAILURES = 5
"""After this many refused pages in a row, the source is stopped."""
MAX_MISSES = 10
"""After this many missing pages in a row, of days that should have one, the source has probably moved."""
STOPPING_REASONS = frozenset("forbidden robots unreachable insecure bad-url off-site busy challenge".split())
"""Reasons for refusal that apply to the whole source."""
MAX_WASTED_SECONDS = 420.0
"""After a source has wasted so many seconds in a run, it is not asked again."""
EXPECTED_SECONDS = 20.0
"""The seconds that a response may take, including pauses, without counting as slow."""
REFUSALS = {
    "challenge": "The page is a CAPTCHA or a similar test; the source does not allow automated requests.",
    "error-page": "The page does not have the format of the source.",
    "other-day": "The page is for another day.",
    "other-format": "The page is in the format of another source.",
}
REFUSED_PAGES = frozenset({*READING_RULE_BY_ID, *REFUSALS} - {"challenge"})
"""The reasons for refusal that are about one page, not about the whole source."""
_CHALLENGES = (
    b"/cdn-cgi/challenge",
    b"challenges.cloudflare.com",
    b"<title>Just a moment",
    b"captcha-delivery.com",
    b"px-captcha",
)


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What to fetch: the sources in order (empty for all), and the first and last date ("" for the default)."""

    sources: tuple[str, ...] = ()
    since: str = ""
    until: str = ""


@dataclass(slots=True)
class SourceState:
    """A source during a run: its address, its recent failures, and why the run stopped using it, if it did."""

    name: str
    site: LiveSite
    base_url: str
    failures: int = 0
    misses: int = 0
    wasted_seconds: float = 0.0
    why_stopped: str = ""


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """The plan of a run: the days to check, the days to request, the sources, and what is known about the days."""

    days_to_check: list[str]
    dates: list[str]
    sources: tuple[SourceState, ...]
    history: History
    started_at: datetime.datetime


def prepare(
    options: FetchOptions,
    environment: Mapping[str, str],
    now: datetime.datetime,
    history: History,
    covered: Collection[str],
    alone: Collection[str],
) -> FetchPlan:
    """Plan a run; the `environment` may replace the base URL of a source, as in BEE_NYT_URL.

    `covered` are the dates of the record, and `alone` those that it counted with one witness.
    """
    now = now.replace(microsecond=0)
    names = options.sources or tuple(LIVE_SITES)
    days_to_check = schedule.days_to_check(options.since, options.until, covered, alone, now)
    dates = [date for date in days_to_check if any(schedule.should_request(history, name, date, now) for name in names)]
    sources = []
    for name in names:
        site = LIVE_SITES[name]
        sources.append(SourceState(name, site, (environment.get(site.url_variable) or site.base_url).rstrip("/")))
    return FetchPlan(days_to_check, dates, tuple(sources), history, now)


def why_no_days(options: FetchOptions, today: str) -> str:
    """Explain why options select no days, and how to change them."""
    if options.until and options.until < GAME.first_day:
        return f"--until {options.until} is before the first puzzle; name a day from {GAME.first_day} on."
    if options.since > today:
        return f"--since {options.since} is after the current puzzle; name a day up to {today}."
    if options.since:
        return f"--since {options.since} is after --until {options.until}; swap the two."
    return f"No days up to {options.until} are missing. To request days again, also name the first one with --since."


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
            if source.why_stopped or not schedule.should_request(plan.history, source.name, date, plan.started_at):
                continue
            started = session.clock()
            request = _request_day(plan, source, session, database, date, stamp(utc_now()))
            seconds = session.clock() - started
            source.wasted_seconds += seconds if request.failed else max(0.0, seconds - EXPECTED_SECONDS)
            _count_failures(source, request, settled=plan.started_at >= schedule.settled_at(date))
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
    except (DownloadError, RefusedPageError) as error:
        request = Request(source.name, date, now, error.reason, str(error))
        with database:
            captures.log(database, request)
        return request
    with database:
        is_new = False
        if page:
            etag, last_modified = (response.headers.get(each, "") for each in ("ETag", "Last-Modified"))
            capture = Capture(source.name, name, response.url, response.body, now, etag, last_modified)
            is_new = captures.keep(database, capture, None if page.faults else page.days)
        elif last:
            captures.see_again(database, last, now)
        request = Request(source.name, date, now, "new" if is_new else "same")
        captures.log(database, request)
    plan.history.saw(source.name, [day.date for day in page.days] if page else [date], now)
    return request


class RefusedPageError(Exception):
    """A page that is not kept, and the reason: one of `REFUSALS`, `REASONS` or the rules of reading."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


def _checked_page(source: SourceState, response: Response, date: str) -> Parsed:
    """Return what a page says; raises RefusedPageError unless it has the requested day, and no day that it cannot
    have."""
    if response.body.startswith(b"\x1f\x8b"):
        raise RefusedPageError("damaged", f"{response.url}: {REASONS['damaged']} (compressed twice)")
    page = read_capture(response.body, f"{source.name}/{source.site.file_name_for(date)}")
    dates = [day.date for day in page.days]
    is_expected = page.source == source.name and date in dates
    if not is_expected or not all(source.site.may_contain(other, date) for other in dates):
        reason, detail = _refusal(page, response, source.name, date)
        raise RefusedPageError(reason, f"{response.url}: {detail}")
    return page


def _refusal(page: Parsed, response: Response, source: str, date: str) -> tuple[str, str]:
    """Return the reason why a page is refused, and a message."""
    if page.days and page.source != source:
        return "other-format", f"{REFUSALS['other-format']} ({page.source}, not {source})"
    if others := [day.date for day in page.days if day.date != date]:
        return "other-day", f"{REFUSALS['other-day']} ({count(len(page.days), 'day')}, the last one {others[-1]})"
    if page.source is not None and page.faults:
        fault = page.faults[0]
        return fault.rule, f"{READING_RULE_BY_ID[fault.rule].sentence} ({fault.detail})"
    is_challenge = response.headers.get("cf-mitigated") == "challenge"
    if is_challenge or any(mark in response.body for mark in _CHALLENGES):
        return "challenge", REFUSALS["challenge"]
    return "error-page", REFUSALS["error-page"]


def _count_failures(source: SourceState, request: Request, settled: bool) -> None:
    """Count consecutive failures, and stop a source that has too many."""
    if request.failed:
        source.failures += 1
    elif request.outcome != "missing":
        source.failures = source.misses = 0
    elif settled:
        source.misses += 1
    if request.outcome in STOPPING_REASONS:
        source.why_stopped = (REASONS | REFUSALS)[request.outcome]
    elif source.failures >= MAX_FAILURES:
        source.why_stopped = f"{source.failures} requests failed, and no good page came between them."
    elif source.misses >= MAX_MISSES:
        source.why_stopped = f"{source.misses} pages were missing, and no good page came between them."
    elif source.wasted_seconds >= MAX_WASTED_SECONDS:
        source.why_stopped = f"Failures and slow responses took {source.wasted_seconds:.0f} seconds."


def summary(plan: FetchPlan, requests: Sequence[Request]) -> list[str]:
    """Return a line with the outcomes of each source, and another line if the run stopped using the source."""
    lines = []
    for source in plan.sources:
        counts = Counter(request.outcome for request in requests if request.source == source.name)
        outcomes = ", ".join(f"{outcome} {number:,}" for outcome, number in sorted(counts.items()))
        lines.append(f"{source.name}: {outcomes or 'not asked'}")
        if source.why_stopped:
            lines.append(f"{source.name}: no more requests in this run. {source.why_stopped}")
    return lines
