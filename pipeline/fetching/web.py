"""The network: one polite session.

It obeys robots.txt, including its crawl delay. It sends at most one request to a host every two seconds. It retries
temporary failures with growing pauses and obeys `Retry-After`. It follows redirects only on the same host and scheme.
It keeps no cookies and sends no passwords. Sleep and clock are parameters.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin

import requests
import tenacity
from protego import Protego

from pipeline import store
from pipeline.fetching.download import REQUEST_TIMEOUT, DownloadError, Response, download, origin

NAME = "bee-wordlist"
"""Our name in robots.txt."""
USER_AGENT = f"{NAME}/{store.program_version()} (keeps a Spelling Bee word list up to date; one slow request at a time)"
"""The User-Agent: name, version and purpose."""
DELAY = 2.0
"""Seconds between two requests to the same host."""
MAX_ATTEMPTS = 4
MAX_PAUSE = 300.0
"""If a server asks for a longer pause than this, the request is not sent again."""
MAX_REDIRECTS = 5
MAX_ROBOTS_BYTES = 512_000
"""The number of bytes of robots.txt that are read, as RFC 9309 (2.5) allows; the rest is ignored."""

REASON_BY_STATUS = {404: "missing", 410: "missing", 401: "forbidden", 403: "forbidden", 451: "forbidden"}
"""The reasons of statuses that are final."""
_TEMPORARY = ("unreachable", "hung-up", "timeout", "garbled", "cut-short", "busy", "server-error")
"""The reasons after which a request is sent again."""
_CONDITIONAL_HEADERS = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
"""The header with which a request names the version of an earlier response, by the header of that response."""


@dataclass(frozen=True, slots=True)
class Session:
    """The state of a polite session: the time of the last request to each host, and its robots.txt.

    `timeout` is in seconds for a whole request. Nothing is sent after the time `deadline` of the clock.
    """

    http: requests.Session
    delay: float
    timeout: float
    sleep: Callable[[float], None]
    clock: Callable[[], float]
    deadline: float = float("inf")
    last_request: dict[str, float] = field(default_factory=dict)
    robots: dict[str, Protego] = field(default_factory=dict)


@contextlib.contextmanager
def session(
    delay: float = DELAY,
    timeout: float = REQUEST_TIMEOUT,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Session]:
    """Open a polite session; `delay` is in seconds between requests to a host, and scales the pauses after failures."""
    headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip", "Accept": "*/*", "Connection": "close"}
    with requests.Session() as http:
        http.headers.update(headers)
        http.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        http.auth = lambda request: request  # otherwise, requests looks for a password in ~/.netrc
        yield Session(http, delay, timeout, sleep, clock)


def get(
    session: Session, url: str, validators: Mapping[str, str] | None = None, budget: float = float("inf")
) -> Response:
    """Get a page politely; `validators` are the headers of an earlier response, for a "not modified" response.

    `budget` is in seconds; once it is used up, nothing is retried. Raises DownloadError, with the reason, unless the
    result is the page or "not modified".
    """
    session = dataclasses.replace(session, deadline=session.clock() + budget)
    headers = {}
    for name, condition_header in _CONDITIONAL_HEADERS.items():
        if validators and validators.get(name):
            headers[condition_header] = validators[name]
    for _ in range(MAX_REDIRECTS + 1):
        _check_robots(session, url)
        response = _get_with_retries(session, url, headers)
        target = _redirect_target(response)
        if target is None:
            if response.status == 200 or (response.status == 304 and headers):
                return response
            reason = REASON_BY_STATUS.get(response.status, "unexpected-status")
            raise DownloadError(reason, url, f"status {response.status}")
        url = target
    raise DownloadError("redirect-loop", url)


def _redirect_target(response: Response) -> str | None:
    """Return the target of a redirect, or None if there is none; raises DownloadError if it is on another site."""
    location = response.headers.get("Location")
    if response.status not in (301, 302, 303, 307, 308) or not location:
        return None
    try:
        target = urljoin(response.url, location)
    except ValueError:
        raise DownloadError("bad-url", response.url, "in a redirect") from None
    if origin(target) != origin(response.url):
        raise DownloadError("off-site", response.url, f"to {origin(target)!r}")
    return target


def _check_robots(session: Session, url: str) -> None:
    """Read the robots.txt of a site once; raises DownloadError if it does not allow the URL."""
    host = origin(url)
    if host not in session.robots:
        session.robots[host] = Protego.parse(_robots_txt(session, host))
    if not session.robots[host].can_fetch(url, NAME):
        raise DownloadError("robots", url)
    pause = _pause(session, host)
    if pause > MAX_PAUSE:
        raise DownloadError("robots", url, f"it asks for {pause:.0f} s between requests")


def _robots_txt(session: Session, host: str) -> str:
    """Return the text of robots.txt; a missing or forbidden file allows everything (RFC 9309)."""
    response = _get_with_retries(session, f"{host}/robots.txt", {})
    for _ in range(MAX_REDIRECTS):
        target = _redirect_target(response)
        if target is None:
            break
        response = _get_with_retries(session, target, {})
    if response.status != 200:
        return ""
    return response.body[:MAX_ROBOTS_BYTES].decode("utf-8", errors="replace")


def _pause(session: Session, host: str) -> float:
    """Return the seconds between two requests to a site: our delay, or the longer one that its robots.txt asks for."""
    rules = session.robots.get(host)
    if rules is None:
        return session.delay
    rate = rules.request_rate(NAME)
    seconds_per_request = rate.seconds / rate.requests if rate else 0.0
    return max(session.delay, rules.crawl_delay(NAME) or 0.0, seconds_per_request)


def _get_with_retries(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Send a request, and send it again after a temporary failure."""
    backoff = tenacity.wait_exponential(session.delay, max=MAX_PAUSE) + tenacity.wait_random(0, session.delay)

    def seconds_to_wait(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        retry_after = error.pause if isinstance(error, DownloadError) else 0.0
        return max(backoff(state), retry_after)

    def is_over(state: tenacity.RetryCallState) -> bool:
        return state.attempt_number >= MAX_ATTEMPTS or session.clock() + state.upcoming_sleep >= session.deadline

    def is_temporary(error: BaseException) -> bool:
        return isinstance(error, DownloadError) and error.reason in _TEMPORARY and error.pause <= MAX_PAUSE

    retry = tenacity.retry_if_exception(is_temporary)
    retrying = tenacity.Retrying(sleep=session.sleep, wait=seconds_to_wait, stop=is_over, retry=retry, reraise=True)
    return retrying(_get_after_pause, session, url, headers)


def _get_after_pause(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Send a request after the pause that its host requires."""
    host = origin(url)
    if host in session.last_request:
        wait = session.last_request[host] + _pause(session, host) - session.clock()
        if wait > 0 and session.clock() + wait > session.deadline:
            raise DownloadError("busy", url, f"{wait:.0f} s between requests is more than the time left", MAX_PAUSE + 1)
        if wait > 0:
            session.sleep(wait)
    session.last_request[host] = session.clock()
    seconds_left = max(1.0, session.deadline - session.clock())
    return download(session.http, url, headers, min(session.timeout, seconds_left))
