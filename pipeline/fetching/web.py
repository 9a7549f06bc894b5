"""The network, and nothing but: one polite session.

robots.txt is obeyed, with its crawl-delay; a host gets one request in two seconds; failures that may pass are tried
again with growing pauses, and `Retry-After` is honoured. Redirects stay on their host and scheme; no cookie is kept and
no password sent. Sleep and clock are passed in.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin

import tenacity
from protego import Protego

from pipeline.download import PATIENCE, Response, Unled, WebError, download, site

NAME = "bee-wordlist"
"""What robots.txt calls us."""
DELAY = 2.0
"""Seconds from one request to the next on the same host."""
ATTEMPTS = 4
LONGEST_PAUSE = 300.0
"""A server that wants a longer pause than this does not want us now."""
REDIRECTS = 5

_AGAIN = ("unreachable", "timeout", "cut-short", "busy", "server-error")
"""What may pass by itself."""


@dataclass(frozen=True, slots=True)
class Session:
    """What politeness has to remember: when each host was asked last, and what its robots.txt says."""

    http: Unled
    delay: float
    patience: float
    sleep: Callable[[float], None]
    clock: Callable[[], float]
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
        http.headers.update({"User-Agent": agent(), "Accept-Encoding": "gzip", "Accept": "*/*"})
        http.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        http.auth = lambda request: request  # else requests looks for a password in ~/.netrc
        yield Session(http, delay, patience, sleep, clock)


def agent() -> str:
    """Say honestly who asks: name, version and purpose."""
    try:
        version = importlib.metadata.version(NAME)
    except importlib.metadata.PackageNotFoundError:
        version = "0"
    return f"{NAME}/{version} (keeps a Spelling Bee word list up to date; one slow request at a time)"


def get(session: Session, url: str, known: Mapping[str, str] | None = None) -> Response:
    """Get a page politely; `known` are the headers of an earlier response, so that "as before" may come back.

    Raises WebError, with the reason, for whatever is neither the page nor "as before".
    """
    headers = {
        ask: value
        for ask, told in (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified"))
        if (value := (known or {}).get(told))
    }
    for _ in range(REDIRECTS + 1):
        _heed_robots(session, url)
        response = _patiently(session, url, headers)
        if (target := _redirect(response)) is None:
            return _accepted(response)
        url = target
    raise WebError("redirect-loop", url)


def _accepted(response: Response) -> Response:
    status = response.status
    if status in (200, 304):
        return response
    reasons = {404: "missing", 410: "missing", 401: "forbidden", 403: "forbidden", 451: "forbidden"}
    raise WebError(reasons.get(status, "unexpected-status"), response.url, f"status {status}")


def _redirect(response: Response) -> str | None:
    """Return where a response sends us; raises WebError when that is another site."""
    if response.status not in (301, 302, 303, 307, 308) or not (location := response.headers.get("Location")):
        return None
    try:
        target = urljoin(response.url, location)
    except ValueError:
        raise WebError("bad-url", response.url, "as redirect") from None
    if site(target) != site(response.url):
        raise WebError("off-site", response.url, f"to {site(target)!r}")
    return target


def _heed_robots(session: Session, url: str) -> None:
    """Read a site's robots.txt once; raises WebError when it does not allow the URL."""
    host = site(url)
    if host not in session.robots:
        session.robots[host] = Protego.parse(_robots_txt(session, host))
    if not session.robots[host].can_fetch(url, NAME):
        raise WebError("robots", url)
    if (wanted := _pause(session, host)) > LONGEST_PAUSE:
        raise WebError("robots", url, f"it asks for {wanted:.0f} s between requests")


def _robots_txt(session: Session, host: str) -> str:
    """Return the text of robots.txt; none there, or no right to read it, allows everything (RFC 9309)."""
    response = _patiently(session, f"{host}/robots.txt", {})
    for _ in range(REDIRECTS):
        if (target := _redirect(response)) is None:
            break
        response = _patiently(session, target, {})
    return response.body.decode("utf-8", errors="replace") if response.status == 200 else ""


def _pause(session: Session, host: str) -> float:
    """Return the seconds between two requests to a site: ours, or what its robots.txt asks for if that is more."""
    rules = session.robots.get(host)
    if rules is None:
        return session.delay
    rate = rules.request_rate(NAME)
    return max(session.delay, rules.crawl_delay(NAME) or 0.0, rate.seconds / rate.requests if rate else 0.0)


def _patiently(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Ask, and ask again when the failure may pass."""
    backoff = tenacity.wait_exponential(session.delay, max=LONGEST_PAUSE) + tenacity.wait_random(0, session.delay)

    def pause(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return max(backoff(state), error.pause if isinstance(error, WebError) else 0.0)

    return tenacity.Retrying(
        sleep=session.sleep,
        wait=pause,
        stop=tenacity.stop_after_attempt(ATTEMPTS),
        retry=tenacity.retry_if_exception(
            lambda error: isinstance(error, WebError) and error.reason in _AGAIN and error.pause <= LONGEST_PAUSE
        ),
        reraise=True,
    )(_once, session, url, headers)


def _once(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    host = site(url)
    if host in session.asked and (wait := session.asked[host] + _pause(session, host) - session.clock()) > 0:
        session.sleep(wait)
    session.asked[host] = session.clock()
    return download(session.http, url, headers, session.patience, session.clock)
