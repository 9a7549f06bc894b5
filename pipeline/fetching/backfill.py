"""Backfill: ask the live sources for the days that are wanted, newest first, and keep each page that proves itself.

A page is kept when its own parser finds the day that was asked for; everything else is refused, with a named reason. A
source that fails again and again, or that does not want programs, is left alone for the rest of the run.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from pipeline import receipts, wanted, web
from pipeline.download import REASONS, Response, WebError
from pipeline.fetch import Track, stamp, untracked
from pipeline.rules import RULES
from pipeline.sources import LIVE, Read, read
from pipeline.store import Workspace
from pipeline.words import BeeError

FAILURES = 5
"""So many refused pages in a row, and the source is left alone."""
MISSES = 10
"""So many missing pages in a row, of days that ought to have one, and the source has moved."""
HOPELESS = ("forbidden", "robots", "unreachable", "insecure", "bad-url", "off-site", "busy", "challenge")
"""Refusals that speak for the whole source."""
REFUSALS = {
    "challenge": "The page is a test for human readers; it is not for programs, and we respect that.",
    "error-page": "The page is none that the source is known for.",
    "other-day": "The page is of another day.",
}
_CHALLENGES = (
    b"/cdn-cgi/challenge",
    b"challenges.cloudflare.com",
    b"<title>Just a moment",
    b"captcha-delivery.com",
    b"px-captcha",
)


class SourceError(BeeError):
    """A name that is no live source, or dates that are none to fetch."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Ask:
    """One request and what came of it: new, same, missing, or why the page was refused."""

    source: str
    date: str
    outcome: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Say whether something is wrong."""
        return self.outcome not in ("new", "same", "missing")


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: sources in order, first and last date ("" for the usual ones), a second witness or not."""

    sources: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    cross_check: bool = False


@dataclass(slots=True)
class Feed:
    """A source during a run: where it is, how it did lately, and why it was left alone, if it was."""

    module: ModuleType
    base: str
    keep: receipts.Keep
    failures: int = 0
    misses: int = 0
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """A run: the days to go through, the sources, and what is known."""

    workspace: Workspace
    dates: list[str]
    feeds: tuple[Feed, ...]
    known: wanted.Known
    witnesses: int
    now: datetime.datetime


def prepare(
    workspace: Workspace, wish: Wish, settings: Mapping[str, str], now: datetime.datetime, track: Track = untracked
) -> Work:
    """Find out which days are wanted; `settings` may replace the base URL of a source, as in BEE_NYT_URL."""
    if unknown := [name for name in wish.sources if name not in LIVE]:
        raise SourceError(f'"{unknown[0]}" is no source that can be asked for days; there are {", ".join(LIVE)}.')
    now = now.replace(microsecond=0)
    modules = [LIVE[name] for name in wish.sources or LIVE]
    since, until = wish.since or wanted.first_wanted(workspace, now), wish.until or wanted.puzzle_day(now)
    if since > until:
        raise SourceError(f"There are no days from {since} to {until}.")
    known = wanted.know(workspace, track)
    witnesses = 2 if wish.cross_check else 1
    dates = [
        date
        for date in wanted.days_between(since, until)
        if any(wanted.wants(known, module, date, witnesses, now) for module in modules)
    ]
    feeds = [
        Feed(module, (settings.get(module.SETTING) or module.BASE).rstrip("/"), receipts.keeper(workspace, module.NAME))
        for module in modules
    ]
    return Work(workspace, dates, tuple(feeds), known, witnesses, now)


def backfill(
    work: Work, session: web.Session, dates: Iterable[str], clock: Callable[[], datetime.datetime]
) -> Iterator[Ask]:
    """Go through the days and yield every request as it was made; each capture is on disk before it is told."""
    for date in dates:
        for feed in work.feeds:
            if not feed.stopped and wanted.wants(work.known, feed.module, date, work.witnesses, work.now):
                ask = _ask(work, feed, session, date, clock)
                _judge(feed, ask, fresh=work.now < wanted.settles(date))
                yield ask
        if all(feed.stopped for feed in work.feeds):
            return


def _ask(work: Work, feed: Feed, session: web.Session, date: str, clock: Callable[[], datetime.datetime]) -> Ask:
    source, now = feed.module.NAME, clock()
    held = source in work.known.held.get(date, {})
    before = work.known.requests.get((source, date), {}) if held else {}
    told = {"ETag": before.get("etag", ""), "Last-Modified": before.get("modified", "")}
    try:
        got = web.get(session, feed.module.url_for(feed.base, date), told)
        if got.status == 304:
            ask = (
                Ask(source, date, "same") if held else Ask(source, date, "unexpected-status", f"{got.url}: status 304")
            )
        else:
            ask = _take(work, feed, got, date, stamp(now))
            told = {name: got.headers.get(name, "") for name in told}
    except WebError as error:
        ask = Ask(source, date, error.reason, str(error))
    if ask.outcome != "new" or now < wanted.settles(date):
        row = {"source": source, "date": date, "asked_at": stamp(now), "outcome": ask.outcome}
        seen = {} if ask.failed else told
        row |= {"etag": seen.get("ETag", ""), "modified": seen.get("Last-Modified", "")}
        receipts.log_request(work.workspace, row)
    return ask


def _take(work: Work, feed: Feed, got: Response, date: str, now: str) -> Ask:
    """Keep a page that has the day that was asked for."""
    source, name = feed.module.NAME, feed.module.name_for(date)
    if got.body.startswith(b"\x1f\x8b"):
        return Ask(source, date, "damaged", f"{got.url}: {REASONS['damaged']} (packed twice)")
    found = read(got.body, f"{source}/{name}")
    dates = [day.date for day in found.parsed.days]
    if date not in dates:
        outcome, detail = refusal(found, got)
        return Ask(source, date, outcome, f"{got.url}: {detail}")
    new = feed.keep(name, got.url, got.body, now, str(got.status))
    for each in dates:
        work.known.held.setdefault(each, {})[source] = now
    return Ask(source, date, "new" if new else "same")


def refusal(found: Read, got: Response) -> tuple[str, str]:
    """Name the reason why a page that came well does not give the day that was asked for, and say it."""
    if found.parsed.days:
        return "other-day", f"{REFUSALS['other-day']} ({found.parsed.days[-1].date})"
    if found.source is not None and found.parsed.faults:
        fault = found.parsed.faults[0]
        return fault.rule, f"{RULES[fault.rule].sentence} ({fault.detail})"
    if got.headers.get("cf-mitigated") == "challenge" or any(mark in got.body for mark in _CHALLENGES):
        return "challenge", REFUSALS["challenge"]
    return "error-page", REFUSALS["error-page"]


def _judge(feed: Feed, ask: Ask, fresh: bool) -> None:
    """Count failures in a row, and leave a source alone when they are too many."""
    if ask.outcome in ("new", "same"):
        feed.failures = feed.misses = 0
    elif ask.outcome == "missing":
        feed.misses += not fresh
    else:
        feed.failures += 1
    if ask.outcome in HOPELESS:
        feed.stopped = ask.outcome
    elif feed.failures >= FAILURES or feed.misses >= MISSES:
        feed.stopped = f"{max(feed.failures, feed.misses)} pages in a row were not there or refused"


def summary(work: Work, asks: Sequence[Ask]) -> list[str]:
    """Say in a line for each source what came of its requests, and why it was left alone if it was."""
    lines = []
    for feed in work.feeds:
        counts: dict[str, int] = {}
        for ask in asks:
            if ask.source == feed.module.NAME:
                counts[ask.outcome] = counts.get(ask.outcome, 0) + 1
        told = ", ".join(f"{outcome} {count:,}" for outcome, count in sorted(counts.items())) or "not asked"
        path = work.workspace.raw / feed.module.NAME
        lines.append(f"{feed.module.NAME}: {told}{f'; in {path}' if counts.get('new') else ''}")
        if feed.stopped:
            why = REASONS.get(feed.stopped) or REFUSALS.get(feed.stopped) or f"{feed.stopped}."
            lines.append(f"{feed.module.NAME}: left alone. {why}")
    return lines


def exit_code(work: Work, asks: Sequence[Ask]) -> int:
    """Return 3 when a source is in trouble: pages were refused, or nobody has a day that is settled; else 0."""
    late = wanted.puzzle_day(work.now - wanted.SETTLED)
    lost = {ask.date for ask in asks if ask.outcome == "missing" and ask.date <= late} - work.known.held.keys()
    trouble = lost or any(ask.failed for ask in asks) or any(feed.stopped for feed in work.feeds)
    return 3 if trouble else 0
