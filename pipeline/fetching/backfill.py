"""Backfill: requests days from the live sources, newest first, and keeps each page that passes its checks.

A page is kept if its own parser finds the requested day in it; every other page is refused, with a reason. A source
that fails repeatedly, or that does not allow automated requests, is not used for the rest of the run.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from pipeline.fetching import receipts, schedule, web
from pipeline.fetching.captures import stamp
from pipeline.fetching.download import REASONS, DownloadError, Response
from pipeline.sources import LIVE_SITES, read_capture
from pipeline.sources.day import LiveSite, Parsed
from pipeline.store import Workspace
from pipeline.violations import READING_RULE_BY_ID
from pipeline.words import GAME, count

MAX_FAILURES = 5
"""After this many refused pages in a row, the source is stopped."""
MAX_MISSES = 10
"""After this many missing pages in a row, of days that should have one, the source has probably moved."""
STOPPING_REASONS = frozenset("forbidden robots unreachable hung-up insecure bad-url off-site busy challenge".split())
"""Reasons for refusal that apply to the whole source."""
MAX_WASTED_SECONDS = 420.0
"""The seconds that a source may waste in a run; three sources at their worst take less than 30 minutes."""
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
class RequestResult:
    """The result of a request for a day. The outcome is new, same, missing, or the reason why the page was refused."""

    source: str
    date: str
    outcome: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Whether something went wrong. A missing page does not count as a failure."""
        return self.outcome not in (*schedule.SUCCESSES, "missing")


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """What to fetch: the sources in order (empty for all), the first and last date ("" for the default), and which days
    need two sources."""

    sources: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    second_witness: schedule.SecondWitness = "live"


@dataclass(slots=True)
class SourceState:
    """A source during a run: its address, its recent failures, and why the run stopped using it, if it did."""

    name: str
    site: LiveSite
    base_url: str
    folder: receipts.SourceFolder
    failures: int = 0
    misses: int = 0
    wasted_seconds: float = 0.0
    why_stopped: str = ""


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """The plan of a run: the days to check, the days to request, the sources, and what is known about the days."""

    workspace: Workspace
    days_to_check: list[str]
    dates: list[str]
    sources: tuple[SourceState, ...]
    history: schedule.History
    second_witness: schedule.SecondWitness
    started_at: datetime.datetime
    covered: Collection[str]


def prepare(
    workspace: Workspace,
    options: FetchOptions,
    environment: Mapping[str, str],
    now: datetime.datetime,
    covered: Collection[str],
    day_decisions: pd.DataFrame,
) -> FetchPlan:
    """Plan a run; the `environment` may replace the base URL of a source, as in BEE_NYT_URL.

    `covered` are the dates of the record. The caller has repaired the captures.
    """
    now = now.replace(microsecond=0)
    names = options.sources or tuple(LIVE_SITES)
    history = schedule.read_history(workspace, day_decisions)
    available = set(covered) - {date for _, date in history.lost}
    days_to_check = schedule.days_to_check(options.since, options.until, available, now)
    dates = [
        date
        for date in days_to_check
        if any(schedule.should_request(history, name, date, options.second_witness, now) for name in names)
    ]
    sources = []
    for name in names:
        site = LIVE_SITES[name]
        base_url = (environment.get(site.url_variable) or site.base_url).rstrip("/")
        sources.append(SourceState(name, site, base_url, receipts.SourceFolder(workspace, name)))
    return FetchPlan(
        workspace=workspace,
        days_to_check=days_to_check,
        dates=dates,
        sources=tuple(sources),
        history=history,
        second_witness=options.second_witness,
        started_at=now,
        covered=covered,
    )


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
    plan: FetchPlan, session: web.Session, dates: Iterable[str], utc_now: Callable[[], datetime.datetime]
) -> Iterator[RequestResult]:
    """Request the days, and yield each result when its capture is on disk."""
    for date in dates:
        for source in plan.sources:
            is_wanted = schedule.should_request(plan.history, source.name, date, plan.second_witness, plan.started_at)
            if source.why_stopped or not is_wanted:
                continue
            started = session.clock()
            result = _request_day(plan, source, session, date, utc_now())
            seconds = session.clock() - started
            source.wasted_seconds += seconds if result.failed else max(0.0, seconds - EXPECTED_SECONDS)
            _count_failures(source, result, settled=plan.started_at >= schedule.settled_at(date))
            yield result
        if all(source.why_stopped for source in plan.sources):
            return


def _request_day(
    plan: FetchPlan, source: SourceState, session: web.Session, date: str, now: datetime.datetime
) -> RequestResult:
    """Request a day from a source; keep a new page, and log any other outcome."""
    is_captured = source.name in plan.history.captured.get(date, {})
    last = plan.history.requests.get((source.name, date), {}) if is_captured else {}
    validators = {"ETag": last.get("etag", ""), "Last-Modified": last.get("modified", "")}
    budget = MAX_WASTED_SECONDS - source.wasted_seconds + EXPECTED_SECONDS
    try:
        response = web.get(session, source.site.url_for(source.base_url, date), validators, budget)
        if response.status == 200:
            result = _keep_page(plan, source, response, date, stamp(now))
            validators = {name: response.headers.get(name, "") for name in validators}
        elif is_captured:
            result = RequestResult(source.name, date, "same")
        else:
            result = RequestResult(source.name, date, "unexpected-status", f"{response.url}: status {response.status}")
    except DownloadError as error:
        result = RequestResult(source.name, date, error.reason, str(error))
    if result.outcome != "new" or now < schedule.settled_at(date):
        if result.failed:
            validators = {"ETag": "", "Last-Modified": ""}
        row = {"source": source.name, "date": date, "asked_at": stamp(now), "outcome": result.outcome}
        row |= {"etag": validators["ETag"], "modified": validators["Last-Modified"]}
        receipts.append_row(plan.workspace.build / "requests.csv", row)
    return result


def _keep_page(plan: FetchPlan, source: SourceState, response: Response, date: str, now: str) -> RequestResult:
    """Keep a page if it has the requested day."""
    if response.body.startswith(b"\x1f\x8b"):
        return RequestResult(source.name, date, "damaged", f"{response.url}: {REASONS['damaged']} (compressed twice)")
    name = source.site.file_name_for(date)
    page = read_capture(response.body, f"{source.name}/{name}")
    dates = [day.date for day in page.days]
    is_expected = page.source == source.name and date in dates
    if not is_expected or not all(source.site.may_contain(other, date) for other in dates):
        outcome, detail = _refusal(page, response, source.name, date)
        return RequestResult(source.name, date, outcome, f"{response.url}: {detail}")
    is_new = source.folder.keep(receipts.Capture(name, response.url, response.body, now, str(response.status)))
    for other in dates:
        plan.history.captured.setdefault(other, {})[source.name] = now
    return RequestResult(source.name, date, "new" if is_new else "same")


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


def _count_failures(source: SourceState, result: RequestResult, settled: bool) -> None:
    """Count consecutive failures, and stop a source that has too many."""
    if result.failed:
        source.failures += 1
    elif result.outcome != "missing":
        source.failures = source.misses = 0
    elif settled:
        source.misses += 1
    if result.outcome in STOPPING_REASONS:
        source.why_stopped = (REASONS | REFUSALS)[result.outcome]
    elif source.failures >= MAX_FAILURES or source.misses >= MAX_MISSES:
        source.why_stopped = f"{max(source.failures, source.misses)} pages in a row were missing or refused."
    elif source.wasted_seconds >= MAX_WASTED_SECONDS:
        source.why_stopped = f"Failures and slow responses took {source.wasted_seconds:.0f} seconds."


def summary(plan: FetchPlan, results: Sequence[RequestResult]) -> list[str]:
    """Return a line with the results of each source, and another line if the run stopped using the source."""
    lines = []
    for source in plan.sources:
        counts = Counter(result.outcome for result in results if result.source == source.name)
        outcomes = ", ".join(f"{outcome} {number:,}" for outcome, number in sorted(counts.items()))
        folder = f"; in {source.folder.path}" if counts["new"] else ""
        lines.append(f"{source.name}: {outcomes or 'not asked'}{folder}")
        if source.why_stopped:
            lines.append(f"{source.name}: no more requests in this run. {source.why_stopped}")
    return lines


def missing(plan: FetchPlan) -> list[str]:
    """Return lines about the days that are settled, missing from the record, and in no source."""
    history = replace(plan.history, requests=schedule.last_requests(plan.workspace))
    days = sorted(set(plan.days_to_check).difference(plan.covered))
    return schedule.missing_days(history, days, [source.name for source in plan.sources], plan.started_at)


def exit_code(plan: FetchPlan, results: Sequence[RequestResult]) -> int:
    """Return 3 if a source failed in a way that is new or needs a person, and 0 otherwise.

    These failures are a refused page that is news (see `_is_news`), a source that the run stopped using, and a settled
    day that no source has.
    """
    is_stopped = any(source.why_stopped for source in plan.sources)
    has_news = any(_is_news(plan, result) for result in results)
    return 3 if missing(plan) or is_stopped or has_news else 0


def _is_news(plan: FetchPlan, result: RequestResult) -> bool:
    """Return whether a request failed in a way that a person should know about.

    While another source has the day, a refused page is reported once: after the list has settled, because until then
    the page may change, and before the record has the day. A page that is refused for another reason is reported again.
    """
    if not result.failed:
        return False
    others = [source for source in plan.history.usable_sources(result.date) if source != result.source]
    if not others or result.outcome in STOPPING_REASONS:
        return True
    if plan.started_at < schedule.settled_at(result.date) or result.date in plan.covered:
        return False
    return not schedule.already_reported(plan.history, result.source, result.date, result.outcome)
