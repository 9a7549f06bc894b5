"""The network: one polite session.

It obeys robots.txt with its crawl delay, sends at most one request to a host every two seconds, and tries again after
temporary failures, with growing pauses or those of `Retry-After`. It follows redirects only on the same host and
scheme, keeps no cookies and sends no passwords. The body of a response is read in parts, and its limits are checked
between two parts. A host that sends the status line, headers or a chunk size very slowly is not detected; see the
limits in docs/RELIABILITY.md.
"""

from __future__ import annotations

import contextlib
import http.client
import re
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin, urlsplit

import requests
import tenacity
import urllib3
from protego import Protego

from pipeline import store
from pipeline.errors import BeeError

NAME = "bee-wordlist"
"""Our name in robots.txt."""
USER_AGENT = f"{NAME}/{store.program_version()} (keeps a Spelling Bee word list up to date; one slow request at a time)"
"""The User-Agent: name, version and purpose."""
DELAY = 2.0
"""Seconds between two requests to the same host."""
MAX_BYTES = 5_000_000
"""The limit of a response, as it arrives and decompressed; the largest known page has 286 KB, the largest archive 1.5
MB."""
CONNECT_TIMEOUT, READ_TIMEOUT, REQUEST_TIMEOUT = 10.0, 30.0, 120.0
"""The seconds for making a connection, between two parts of a response, and for a whole response."""
MAX_ATTEMPTS = 4
MAX_PAUSE = 300.0
"""If a server asks for a longer pause than this, the request is not sent again."""
MAX_SECONDS = 420.0
"""A request is not sent again if the next attempt would begin later than this."""
MAX_REDIRECTS = 5
MAX_ROBOTS_BYTES = 512_000
"""The number of bytes of robots.txt that are read, as RFC 9309 (2.5) allows; the rest is ignored."""

REASONS = {
    "bad-url": "The address is not an http or https URL.",
    "robots": "robots.txt does not allow this request.",
    "unreachable": "There is no connection to the host, or it hung up. Check the network.",
    "insecure": "The host has no valid certificate, or does not speak TLS.",
    "timeout": "The host took too long.",
    "garbled": "The response was cut off, or is not valid HTTP.",
    "too-large": "The response is too large for a page of a source.",
    "damaged": "The response cannot be decompressed.",
    "off-site": "The page redirects to another host or scheme.",
    "redirect-loop": "The page has a redirect loop.",
    "missing": "There is no such page.",
    "forbidden": "The host refuses automated requests.",
    "busy": "The host asks for fewer requests.",
    "server-error": "The host reports a server error.",
    "unexpected-status": "The response has an unexpected status.",
}
TEMPORARY = ("unreachable", "timeout", "garbled", "busy", "server-error")
"""The reasons after which a request is sent again."""
REASON_BY_STATUS = {404: "missing", 410: "missing", 401: "forbidden", 403: "forbidden", 451: "forbidden"}
CONDITIONAL_HEADERS = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
"""The header with which a request names the version of an earlier response, by the header of that response."""


class DownloadError(BeeError):
    """A request without a usable result, the reason (one of `REASONS`), and the pause in seconds that the server asks
    for."""

    exit_code = 3

    def __init__(self, reason: str, url: str, detail: str = "", pause: float = 0.0):
        super().__init__(f"{url}: {REASONS[reason]}{f' ({detail})' if detail else ''}")
        self.reason = reason
        self.pause = pause


@dataclass(frozen=True, slots=True)
class Response:
    """A response: its address, status, headers, and decompressed body."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class _Http(requests.Session):
    """A session without cookies and passwords that leaves redirects to `_follow`."""

    def __init__(self) -> None:
        super().__init__()
        self.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "gzip", "Connection": "close"})
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self.auth = lambda request: request  # otherwise, requests looks for a password in ~/.netrc

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None; otherwise, requests would read the whole body of a redirect, whatever its size."""


@dataclass(frozen=True, slots=True)
class Session:
    """A polite session: the time of the last request to each host, and its robots.txt. `delay` and `timeout` (for a
    whole response) are in seconds."""

    http: requests.Session
    delay: float
    timeout: float
    sleep: Callable[[float], None]
    clock: Callable[[], float]
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
    with _Http() as http_session:
        yield Session(http_session, delay, timeout, sleep, clock)


def get(session: Session, url: str, validators: Mapping[str, str] | None = None) -> Response:
    """Get a page politely; `validators` are the headers of an earlier response, for a "not modified" response (304).

    Raises DownloadError, with the reason, unless the result is the page or "not modified".
    """
    headers = {}
    for name, condition in CONDITIONAL_HEADERS.items():
        if validators and validators.get(name):
            headers[condition] = validators[name]
    response = _follow(session, url, headers)
    if response.status == 200 or (response.status == 304 and headers):
        return response
    reason = REASON_BY_STATUS.get(response.status, "unexpected-status")
    raise DownloadError(reason, response.url, f"status {response.status}")


def _follow(session: Session, url: str, headers: Mapping[str, str], obey_robots: bool = True) -> Response:
    """Request a page and follow its redirects."""
    for _ in range(MAX_REDIRECTS + 1):
        if obey_robots:
            _check_robots(session, url)
        response = _send_until_it_works(session, url, headers)
        location = response.headers.get("Location")
        if response.status not in (301, 302, 303, 307, 308) or not location:
            return response
        try:
            target = urljoin(url, location)
        except ValueError:
            raise DownloadError("bad-url", url, "in a redirect") from None
        if _origin(target) != _origin(url):
            raise DownloadError("off-site", url, f"to {_origin(target)!r}")
        url = target
    raise DownloadError("redirect-loop", url)


def _check_robots(session: Session, url: str) -> None:
    """Read the robots.txt of a site once; raises DownloadError if it does not allow the URL.

    A missing or forbidden file allows everything (RFC 9309).
    """
    host = _origin(url)
    if host not in session.robots:
        response = _follow(session, f"{host}/robots.txt", {}, obey_robots=False)
        rules = response.body[:MAX_ROBOTS_BYTES] if response.status == 200 else b""
        session.robots[host] = Protego.parse(rules.decode("utf-8", errors="replace"))
    if not session.robots[host].can_fetch(url, NAME):
        raise DownloadError("robots", url)
    pause = _pause(session, host)
    if pause > MAX_PAUSE:
        raise DownloadError("robots", url, f"it asks for {pause:.0f} s between requests")


def _pause(session: Session, host: str) -> float:
    """Return the seconds between two requests to a site: our delay, or the longer one that its robots.txt asks for."""
    rules = session.robots.get(host)
    if rules is None:
        return session.delay
    rate = rules.request_rate(NAME)
    seconds_per_request = rate.seconds / rate.requests if rate else 0.0
    return max(session.delay, rules.crawl_delay(NAME) or 0.0, seconds_per_request)


def _send_until_it_works(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Send a request, and send it again after a temporary failure."""
    backoff = tenacity.wait_exponential(session.delay, max=MAX_PAUSE) + tenacity.wait_random(0, session.delay)

    def seconds_to_wait(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return max(backoff(state), error.pause if isinstance(error, DownloadError) else 0.0)

    def is_temporary(error: BaseException) -> bool:
        return isinstance(error, DownloadError) and error.reason in TEMPORARY and error.pause <= MAX_PAUSE

    retrying = tenacity.Retrying(
        sleep=session.sleep,
        wait=seconds_to_wait,
        stop=tenacity.stop_after_attempt(MAX_ATTEMPTS) | tenacity.stop_before_delay(MAX_SECONDS),
        retry=tenacity.retry_if_exception(is_temporary),
        reraise=True,
    )
    return retrying(_send, session, url, headers)


def _send(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Send one request after the pause that its host requires; raises DownloadError for a failed connection, for a body
    over the limits, and for statuses that mean "later"."""
    host = _origin(url)
    wait = session.last_request.get(host, float("-inf")) + _pause(session, host) - session.clock()
    if wait > 0:
        session.sleep(wait)
    session.last_request[host] = session.clock()
    deadline = time.monotonic() + session.timeout
    timeouts = (min(CONNECT_TIMEOUT, session.timeout), min(READ_TIMEOUT, session.timeout))
    try:
        with session.http.get(url, headers=headers, stream=True, timeout=timeouts) as answer:
            status = answer.status_code
            if status == 429 or status >= 500:
                pause = _seconds(answer.headers.get("Retry-After", ""))
                raise DownloadError("busy" if status == 429 else "server-error", url, f"status {status}", pause)
            return Response(url, status, answer.headers, _body(answer, url, deadline))
    except (OSError, UnicodeError, http.client.HTTPException, urllib3.exceptions.HTTPError) as error:
        raise DownloadError(_reason(error), url) from error


def _body(answer: requests.Response, url: str, deadline: float) -> bytes:
    """Read a body in parts, within the limits, and return it decompressed.

    The parts are counted as they arrive, because urllib3 would read on within a part that decompresses to nothing.
    """
    for length in answer.headers.get("Content-Length", "").split(","):
        if length and not re.fullmatch(r"\s*[0-9]{1,30}\s*", length):
            raise DownloadError("garbled", url, f"a Content-Length of {length[:20]!r}")
        if length and int(length) > MAX_BYTES:
            raise DownloadError("too-large", url)
    body = b""
    while part := answer.raw.read1(65_536, decode_content=False):
        body += part
        if len(body) > MAX_BYTES:
            raise DownloadError("too-large", url)
        if time.monotonic() > deadline:
            raise DownloadError("timeout", url)
    encoding = answer.headers.get("Content-Encoding", "identity").strip().lower()
    return body if not body or encoding in ("identity", "") else _decompressed(body, encoding, url)


def _decompressed(data: bytes, encoding: str, url: str) -> bytes:
    """Return a body decompressed; raises DownloadError if it is too large, or if its end is missing."""
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        if encoding not in ("gzip", "x-gzip", "deflate"):
            raise zlib.error(f"compressed as {encoding!r}")
        body = decompressor.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise DownloadError("damaged", url, str(error)) from error
    if len(body) > MAX_BYTES:
        raise DownloadError("too-large", url)
    if not decompressor.eof:
        raise DownloadError("garbled", url)
    return body


_REASON_BY_ERROR: tuple[tuple[str, tuple[type[BaseException], ...]], ...] = (
    ("unreachable", (urllib3.exceptions.NewConnectionError,)),
    ("insecure", (requests.exceptions.SSLError, urllib3.exceptions.SSLError)),
    ("timeout", (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)),
    ("bad-url", (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError)),
    ("unreachable", (ConnectionError,)),
    ("garbled", (requests.exceptions.InvalidHeader, http.client.HTTPException)),
    ("unreachable", (requests.exceptions.ConnectionError,)),
)
"""The reason for each kind of error; the first match counts, and without one, the response is garbled."""


def _reason(error: BaseException) -> str:
    """Return the reason for an error of a library, from its own type or those of its causes."""
    errors = []
    cause: BaseException | None = error
    while cause is not None:
        errors.append(cause)
        cause = cause.__cause__ or cause.__context__
    for reason, kinds in _REASON_BY_ERROR:
        if any(isinstance(each, kinds) for each in errors):
            return reason
    return "garbled"


def _origin(url: str) -> str:
    """Return scheme and host of a URL; raises DownloadError if it may not be requested.

    >>> _origin("https://nytbee.com/Bee_20180729.html")
    'https://nytbee.com'
    """
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and not parts.username:
            return f"{parts.scheme}://{parts.netloc.lower()}"
    except ValueError:
        pass
    raise DownloadError("bad-url", repr(url[:200]))


def _seconds(text: str) -> float:
    """Return the seconds to wait that a `Retry-After` header asks for, as a number or a date; 0 if it is invalid.

    >>> _seconds("120"), _seconds("soon")
    (120, 0.0)
    """
    try:
        return urllib3.Retry().parse_retry_after(text)
    except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
        return 0.0
