"""The network: one polite session.

It obeys robots.txt, including its crawl delay. It sends one request per host in two seconds. It retries temporary
failures with growing pauses and obeys `Retry-After`. Redirects stay on their host and scheme. It keeps no cookies and
sends no passwords. Sleep and clock are parameters.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin

import tenacity
from protego import Protego

from pipeline import store
from pipeline.fetching.download import PATIENCE, DownloadError, Response, Unled, download, origin

NAME = "bee-wordlist"
"""Our name in robots.txt."""
AGENT = f"{NAME}/{store.program_version()} (keeps a Spelling Bee word list up to date; one slow request at a time)"
"""The User-Agent: name, version and purpose."""
DELAY = 2.0
"""Seconds between two requests to the same host."""
ATTEMPTS = 4
LONGEST_PAUSE = 300.0
"""If a server asks for a longer pause than this, it is not used."""
REDIRECTS = 5
LONGEST_ROBOTS = 512_000
"""The number of bytes of robots.txt that are read, as RFC 9309 (2.5) allows; the rest is ignored."""

REFUSED = {404: "missing", 410: "missing", 401: "forbidden", 403: "forbidden", 451: "forbidden"}
"""The reasons of statuses that are final."""
_AGAIN = ("unreachable", "hung-up", "timeout", "garbled", "cut-short", "busy", "server-error")
"""Temporary errors."""


@dataclass(frozen=True, slots=True)
class Session:
    """The state of a polite session: the time of the last request to each host, and its robots.txt."""

    http: Unled
    delay: float
    patience: float
    sleep: Callable[[float], None]
    clock: Callable[[], float]
    until: float = float("inf")
    asked: dict[str, float] = field(default_factory=dict)
    robots: dict[str, Protego] = field(default_factory=dict)


@contextlib.contextmanager
def session(
    delay: float = DELAY,
    patience: float = PATIENCE,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Session]:
    """Open a polite session; `delay` is in seconds between requests to a host, and scales the pauses after failures."""
    with Unled() as http:
        http.headers.update({"User-Agent": AGENT, "Accept-Encoding": "gzip", "Accept": "*/*", "Connection": "close"})
        http.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        http.auth = lambda request: request  # else requests looks for a password in ~/.netrc
        yield Session(http, delay, patience, sleep, clock)


def get(session: Session, url: str, known: Mapping[str, str] | None = None, budget: float = float("inf")) -> Response:
    """Get a page politely; `known` are the headers of an earlier response, for a "not modified" response.

    `budget` is in seconds: after it is used up, nothing is retried. Raises DownloadError, with the reason, unless the
    result is the page or "not modified".
    """
    session = dataclasses.replace(session, until=session.clock() + budget)
    headers = {
        ask: value
        for ask, answered in (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified"))
        if (value := (known or {}).get(answered))
    }
    for _ in range(REDIRECTS + 1):
        _heed_robots(session, url)
        response = _patiently(session, url, headers)
        if (target := _redirect(response)) is None:
            if response.status in (200, 304):
                return response
            raise DownloadError(REFUSED.get(response.status, "unexpected-status"), url, f"status {response.status}")
        url = target
    raise DownloadError("redirect-loop", url)


def _redirect(response: Response) -> str | None:
    """Return the target of a redirect; raises DownloadError if it is on another site."""
    if response.status not in (301, 302, 303, 307, 308) or not (location := response.headers.get("Location")):
        return None
    try:
        target = urljoin(response.url, location)
    except ValueError:
        raise DownloadError("bad-url", response.url, "as redirect") from None
    if origin(target) != origin(response.url):
        raise DownloadError("off-site", response.url, f"to {origin(target)!r}")
    return target


def _heed_robots(session: Session, url: str) -> None:
    """Read the robots.txt of a site once; raises DownloadError if it does not allow the URL."""
    host = origin(url)
    if host not in session.robots:
        session.robots[host] = Protego.parse(_robots_txt(session, host))
    if not session.robots[host].can_fetch(url, NAME):
        raise DownloadError("robots", url)
    if (wanted := _pause(session, host)) > LONGEST_PAUSE:
        raise DownloadError("robots", url, f"it asks for {wanted:.0f} s between requests")


def _robots_txt(session: Session, host: str) -> str:
    """Return the text of robots.txt; a missing or forbidden file allows everything (RFC 9309)."""
    response = _patiently(session, f"{host}/robots.txt", {})
    for _ in range(REDIRECTS):
        if (target := _redirect(response)) is None:
            break
        response = _patiently(session, target, {})
    return response.body[:LONGEST_ROBOTS].decode("utf-8", errors="replace") if response.status == 200 else ""


def _pause(session: Session, host: str) -> float:
    """Return the seconds between two requests to a site: our delay, or that of its robots.txt if it is longer."""
    rules = session.robots.get(host)
    if rules is None:
        return session.delay
    rate = rules.request_rate(NAME)
    return max(session.delay, rules.crawl_delay(NAME) or 0.0, rate.seconds / rate.requests if rate else 0.0)


def _patiently(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Send a request, and retry it after a temporary failure."""
    backoff = tenacity.wait_exponential(session.delay, max=LONGEST_PAUSE) + tenacity.wait_random(0, session.delay)

    def pause(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return max(backoff(state), error.pause if isinstance(error, DownloadError) else 0.0)

    return tenacity.Retrying(
        sleep=session.sleep,
        wait=pause,
        stop=lambda state: state.attempt_number >= ATTEMPTS or session.clock() + state.upcoming_sleep >= session.until,
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, DownloadError) and error.reason in _AGAIN and error.pause <= LONGEST_PAUSE
        ),
        reraise=True,
    )(_once, session, url, headers)


def _once(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    host = origin(url)
    if host in session.asked and (wait := session.asked[host] + _pause(session, host) - session.clock()) > 0:
        if session.clock() + wait > session.until:
            raise DownloadError("busy", url, f"{wait:.0f} s between requests, more than is left", LONGEST_PAUSE + 1)
        session.sleep(wait)
    session.asked[host] = session.clock()
    left = max(1.0, session.until - session.clock())
    return download(session.http, url, headers, min(session.patience, left))
