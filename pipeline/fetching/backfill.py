"""Backfill: request the wanted days from the live sources, newest first, and keep each page that passes its checks.

A page is kept if its own parser finds the requested day in it; every other page is refused, with a reason. A source
that fails repeatedly, or that does not allow programs, is not used for the rest of the run.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline import reader
from pipeline.errors import BeeError
from pipeline.fetching import receipts, wanted, web
from pipeline.fetching.captures import stamp
from pipeline.fetching.download import REASONS, DownloadError, Response
from pipeline.progress import Progress, no_progress
from pipeline.sources import LIVE_SITES, read_capture
from pipeline.sources.day import LiveSite, Parsed
from pipeline.store import Workspace
from pipeline.violations import READING_RULE_BY_ID
from pipeline.words import GAME, count, puzzle_day

FAILURES = 5
"""After this many refused pages in a row, the source is stopped."""
MISSES = 10
"""After this many missing pages in a row, of days that should have one, the source has probably moved."""
HOPELESS = ("forbidden", "robots", "unreachable", "hung-up", "insecure", "bad-url", "off-site", "busy", "challenge")
"""Reasons for refusal that apply to the whole source."""
BUDGET = 420.0
"""The seconds that a source may waste in a run; three sources at their worst take less than 30 minutes."""
FAIR = 20.0
"""The seconds that a response may take, including pauses, without counting as slow."""
REFUSALS = {
    "challenge": "The page is a CAPTCHA or a similar test; the source does not allow programs.",
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


class SourceError(BeeError):
    """A name that is not a live source, or dates that cannot be fetched."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Ask:
    """A request and its result: new, same, missing, or the reason why the page was refused."""

    source: str
    date: str
    outcome: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        """Return whether something is wrong."""
        return self.outcome not in (*wanted.CAME, "missing")


@dataclass(frozen=True, slots=True)
class Wish:
    """The wanted days: sources in order, first and last date ("" for the default), and which days need two sources."""

    sources: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    second: wanted.Second = "live"


@dataclass(slots=True)
class Feed:
    """A source during a run: its address, its recent failures, and why it was stopped, if it was."""

    name: str
    site: LiveSite
    base: str
    keep: receipts.Keep
    failures: int = 0
    misses: int = 0
    wasted: float = 0.0
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class Work:
    """A run: the days to process, the sources, and what is known."""

    workspace: Workspace
    dates: list[str]
    feeds: tuple[Feed, ...]
    known: wanted.Known
    second: wanted.Second
    now: datetime.datetime
    absent: frozenset[str]


def prepare(
    workspace: Workspace,
    wish: Wish,
    settings: Mapping[str, str],
    now: datetime.datetime,
    covered: Collection[str],
    wrong: frozenset[tuple[str, str]] = frozenset(),
    given_up: frozenset[tuple[str, str]] = frozenset(),
    progress: Progress = no_progress,
) -> Work:
    """Find the wanted days; `settings` may replace the base URL of a source, as in BEE_NYT_URL.

    `covered` are the dates of the evidence; `wrong` are (source, date) of days that a correction rejects,
    and `given_up` those for which it says that the source shall not be asked.
    """
    if unknown := [name for name in wish.sources if name not in LIVE_SITES]:
        raise SourceError(
            f'"{unknown[0]}" is not a source that can be asked for days; the sources are {", ".join(LIVE_SITES)}.'
        )
    now = now.replace(microsecond=0)
    names = wish.sources or tuple(LIVE_SITES)
    known = replace(wanted.know(workspace, progress), wrong=wrong, given_up=given_up)
    days = wanted.choose(wish.since, wish.until, set(covered) - {date for _, date in known.lost}, now)
    if not days:
        raise SourceError(_why_no_days(wish, puzzle_day(now)))
    dates = [date for date in days if any(wanted.wants(known, name, date, wish.second, now) for name in names)]
    absent = frozenset(date for date in days if date not in covered)
    bases = {
        name: (settings.get(LIVE_SITES[name].url_variable) or LIVE_SITES[name].base_url).rstrip("/") for name in names
    }
    feeds = tuple(Feed(name, LIVE_SITES[name], bases[name], receipts.keeper(workspace, name)) for name in names)
    return Work(workspace, dates, feeds, known, wish.second, now, absent)


def _why_no_days(wish: Wish, today: str) -> str:
    """Explain dates that name no day, and how to name some."""
    if wish.until and wish.until < GAME.first_day:
        return f"--until {wish.until} is before the first puzzle; name a day from {GAME.first_day} on."
    if wish.since > today:
        return f"--since {wish.since} is after the current puzzle; name a day up to {today}."
    if wish.since:
        return f"--since {wish.since} is after --until {wish.until}; exchange the two."
    return f"No day up to {wish.until} is missing; to ask for such days again, name the first one with --since, too."


def backfill(
    work: Work, session: web.Session, dates: Iterable[str], clock: Callable[[], datetime.datetime]
) -> Iterator[Ask]:
    """Process the days and yield every request when it is done; each capture is on disk before it is reported."""
    for date in dates:
        for feed in work.feeds:
            if not feed.stopped and wanted.wants(work.known, feed.name, date, work.second, work.now):
                started = session.clock()
                ask = _ask(work, feed, session, date, clock)
                took = session.clock() - started
                feed.wasted += took if ask.failed else max(0.0, took - FAIR)
                _judge(feed, ask, fresh=work.now < wanted.settles(date))
                yield ask
        if all(feed.stopped for feed in work.feeds):
            return


def _ask(work: Work, feed: Feed, session: web.Session, date: str, clock: Callable[[], datetime.datetime]) -> Ask:
    source, now = feed.name, clock()
    held = source in work.known.held.get(date, {})
    before = work.known.requests.get((source, date), {}) if held else {}
    validators = {"ETag": before.get("etag", ""), "Last-Modified": before.get("modified", "")}
    try:
        got = web.get(session, feed.site.url_for(feed.base, date), validators, BUDGET - feed.wasted + FAIR)
        if got.status == 304:
            ask = Ask(source, date, *(["same"] if held else ["unexpected-status", f"{got.url}: status 304"]))
        else:
            ask = _take(work, feed, got, date, stamp(now))
            validators = {name: got.headers.get(name, "") for name in validators}
    except DownloadError as error:
        ask = Ask(source, date, error.reason, str(error))
    if ask.outcome != "new" or now < wanted.settles(date):
        row = {"source": source, "date": date, "asked_at": stamp(now), "outcome": ask.outcome}
        kept = {} if ask.failed else validators
        row |= {"etag": kept.get("ETag", ""), "modified": kept.get("Last-Modified", "")}
        receipts.append_row(work.workspace.build / "requests.csv", row)
    return ask


def _take(work: Work, feed: Feed, got: Response, date: str, now: str) -> Ask:
    """Keep a page that has the requested day."""
    source, name = feed.name, feed.site.file_name_for(date)
    if got.body.startswith(b"\x1f\x8b"):
        return Ask(source, date, "damaged", f"{got.url}: {REASONS['damaged']} (packed twice)")
    found = read_capture(got.body, f"{source}/{name}")
    dates = [day.date for day in found.days]
    if found.source != source or date not in dates or not all(feed.site.may_contain(other, date) for other in dates):
        outcome, detail = _refusal(found, got, source, date)
        return Ask(source, date, outcome, f"{got.url}: {detail}")
    path, digest = work.known.lost.get((source, date), (None, ""))
    if path and reader.sha256(got.body) == digest:
        outcome = "put back" if receipts.put_back(path, got.body) else "same"
    else:
        outcome = "new" if feed.keep(name, got.url, got.body, now, str(got.status)) else "same"
    for other in dates:
        work.known.held.setdefault(other, {})[source] = now
    return Ask(source, date, outcome)


def _refusal(found: Parsed, got: Response, source: str, date: str) -> tuple[str, str]:
    """Return the reason why a page that arrived does not have exactly the requested day, with a message."""
    if found.days and found.source != source:
        return "other-format", f"{REFUSALS['other-format']} ({found.source}, not {source})"
    if others := [day.date for day in found.days if day.date != date]:
        return "other-day", f"{REFUSALS['other-day']} ({count(len(found.days), 'day')}, the last {others[-1]})"
    if found.source is not None and found.faults:
        fault = found.faults[0]
        return fault.rule, f"{READING_RULE_BY_ID[fault.rule].sentence} ({fault.detail})"
    if got.headers.get("cf-mitigated") == "challenge" or any(mark in got.body for mark in _CHALLENGES):
        return "challenge", REFUSALS["challenge"]
    return "error-page", REFUSALS["error-page"]


def _judge(feed: Feed, ask: Ask, fresh: bool) -> None:
    """Count consecutive failures, and stop a source that has too many."""
    if ask.outcome in wanted.CAME:
        feed.failures = feed.misses = 0
    elif ask.outcome == "missing":
        feed.misses += not fresh
    else:
        feed.failures += 1
    if ask.outcome in HOPELESS:
        feed.stopped = ask.outcome
    elif feed.failures >= FAILURES or feed.misses >= MISSES:
        feed.stopped = f"{max(feed.failures, feed.misses)} pages in a row were missing or refused"
    elif feed.wasted >= BUDGET:
        feed.stopped = f"Failures and slow responses took {feed.wasted:.0f} s"


def summary(work: Work, asks: Sequence[Ask]) -> list[str]:
    """Describe in one line per source the results of its requests, and why it was stopped if it was."""
    lines = []
    for feed in work.feeds:
        counts: dict[str, int] = {}
        for ask in asks:
            if ask.source == feed.name:
                counts[ask.outcome] = counts.get(ask.outcome, 0) + 1
        outcomes = ", ".join(f"{outcome} {count:,}" for outcome, count in sorted(counts.items())) or "not asked"
        path = work.workspace.raw / feed.name
        lines.append(f"{feed.name}: {outcomes}{f'; in {path}' if counts.get('new') else ''}")
        if feed.stopped:
            why = REASONS.get(feed.stopped) or REFUSALS.get(feed.stopped) or f"{feed.stopped}."
            lines.append(f"{feed.name}: no more requests in this run. {why}")
    return lines


def missing(work: Work) -> list[str]:
    """Report the days that are settled, missing from the record, and in no source."""
    known = replace(work.known, requests=wanted.asked(work.workspace))
    return wanted.absent(known, sorted(work.absent), [feed.name for feed in work.feeds], work.now)


def exit_code(work: Work, asks: Sequence[Ask]) -> int:
    """Return 3 if a source failed in a way that is new or needs a person; else 0.

    That is a page that was refused (see `_is_news`), a source that was stopped, or a settled day that no source has.
    """
    stopped = any(feed.stopped for feed in work.feeds)
    news = any(_is_news(work, ask) for ask in asks)
    return 3 if missing(work) or stopped or news else 0


def _is_news(work: Work, ask: Ask) -> bool:
    """Return whether a request failed and a person should hear of it.

    While another source has the day, a refused page is told once: after the list has settled, because until then the
    page may change, and before the record has the day. A page that is refused for another reason is told again.
    """
    if not ask.failed:
        return False
    others = [source for source in work.known.good(ask.date) if source != ask.source]
    if not others or ask.outcome in HOPELESS:
        return True
    if work.now < wanted.settles(ask.date):
        return False
    counted = ask.date not in work.absent
    return not counted and not wanted.told_before(work.known, ask.source, ask.date, ask.outcome)
