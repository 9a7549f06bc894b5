"""The network: one polite session.

It obeys robots.txt with its crawl delay, pauses between two requests to a host, and sends a request again after a
temporary failure. The body of a response has limits of size and time. Redirects are followed on the same host and
scheme. The session keeps no cookies and sends no passwords.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

import requests
import urllib3
from requests.adapters import HTTPAdapter

from pipeline import store
from pipeline.errors import BeeError

NAME = "bee-wordlist"
"""Our name in robots.txt."""
USER_AGENT = f"{NAME}/{store.program_version()} (keeps a Spelling Bee word list up to date; one slow request at a time)"
DELAY = 2.0
"""Seconds between two requests to the same host."""
TIMEOUT = 30.0
"""Seconds for making a connection, and between two parts of a response."""
MAX_SECONDS = 120.0
"""Seconds for the body of a response."""
MAX_BYTES = 5_000_000
"""The limit of a body, decompressed; the largest known page has 286 KB, the largest archive 1.5 MB."""
MAX_PAUSE = 60.0
"""A site that asks for a longer pause than this, in seconds, is not waited for."""
MAX_REDIRECTS = 5


class DownloadError(BeeError):
    """A page did not come, or is of no use. The message names its URL and says what happened."""

    def __init__(self, url: str, problem: str) -> None:
        text = f"{url}: {problem}"
        super().__init__("".join(char if char.isprintable() else "?" for char in text))


class MissingPageError(DownloadError):
    """There is no such page."""


@dataclass(frozen=True, slots=True)
class Response:
    """A response: its address, status, headers, and decompressed body."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class _Retries(urllib3.Retry):
    """Retries after pauses of one, two and four times the `backoff_factor`, or after those that the server asks for."""

    def get_backoff_time(self) -> float:
        """Return the seconds until the next attempt; urllib3 would make the first one at once."""
        return float(self.backoff_factor * 2 ** (len(self.history) - 1))

    def get_retry_after(self, response: urllib3.BaseHTTPResponse) -> float | None:
        """Return the seconds that the server asks for; raises ResponseError if they are too many."""
        seconds = super().get_retry_after(response)
        if seconds and seconds > MAX_PAUSE:
            raise urllib3.exceptions.ResponseError(f"status {response.status}, with a pause of {seconds:.0f} seconds")
        return seconds


@dataclass(frozen=True, slots=True)
class Session:
    """A polite session: the robots.txt of each host, and the time of its last response. `delay` is in seconds."""

    http: requests.Session
    adapter: HTTPAdapter
    delay: float
    robots: dict[str, RobotFileParser] = field(default_factory=dict)
    last_response: dict[str, float] = field(default_factory=dict)


@contextlib.contextmanager
def session(delay: float = DELAY) -> Iterator[Session]:
    """Open a polite session; `delay` is in seconds between requests to a host, and scales the pauses after failures."""
    adapter = HTTPAdapter()
    with requests.Session() as http:
        http.mount("http://", adapter)
        http.mount("https://", adapter)
        http.headers["User-Agent"] = USER_AGENT
        http.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        http.auth = lambda request: request  # otherwise, requests looks for a password in ~/.netrc
        yield Session(http, adapter, delay)


def get(session: Session, url: str, validators: Mapping[str, str] | None = None) -> Response:
    """Get a page politely; `validators` are the headers of an earlier response, for a "not modified" response (304).

    Raises MissingPageError if there is no such page, and DownloadError if it does not come for another reason.
    """
    validators = validators or {}
    conditions = {"If-None-Match": validators.get("ETag"), "If-Modified-Since": validators.get("Last-Modified")}
    headers = {name: value for name, value in conditions.items() if value}
    try:
        response = _follow(session, url, headers)
    except (OSError, ValueError, urllib3.exceptions.HTTPError) as error:
        raise DownloadError(url, f"{_first_message(error)}.") from error
    if response.status in (404, 410):
        raise MissingPageError(response.url, "There is no such page.")
    if response.status == 200 or (response.status == 304 and headers):
        return response
    raise DownloadError(response.url, f"The site answered with status {response.status}.")


def _follow(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Request a page and follow its redirects; raises DownloadError if they lead to another site."""
    for _ in range(MAX_REDIRECTS + 1):
        _check_robots(session, url)
        response = _request(session, url, headers)
        location = response.headers.get("Location")
        if response.status not in (301, 302, 303, 307, 308) or not location:
            return response
        target = urljoin(url, location)
        if _host(target) != _host(url):
            raise DownloadError(url, f"It redirects to another site, {_host(target)}.")
        url = target
    raise DownloadError(url, f"It redirects more than {MAX_REDIRECTS} times.")


def _check_robots(session: Session, url: str) -> None:
    """Read the robots.txt of a host once; raises DownloadError if it does not allow the URL, or did not come.

    A missing or forbidden file allows everything (RFC 9309).
    """
    host = _host(url)
    if host not in session.robots:
        session.robots[host] = RobotFileParser()  # it allows nothing until it has parsed
        response = _request(session, f"{host}/robots.txt", {})
        if response.status != 200 and not 400 <= response.status < 500:
            raise DownloadError(response.url, f"The site answered with status {response.status}.")
        text = response.body.decode("utf-8-sig", errors="replace") if response.status == 200 else ""
        session.robots[host].parse(_longest_rules_first(text))
    if not session.robots[host].can_fetch(NAME, url):
        raise DownloadError(url, "robots.txt does not allow this request, or did not come.")
    pause = _pause(session, host)
    if pause > max(MAX_PAUSE, session.delay):
        raise DownloadError(url, f"robots.txt asks for {pause:.0f} seconds between requests.")


def _longest_rules_first(text: str) -> list[str]:
    """Return the lines of a robots.txt sorted for RobotFileParser, which obeys the first rule that matches. RFC 9309
    says that the longest one counts.

    >>> _longest_rules_first("User-agent: *\\nDisallow: /svc\\nAllow: /svc/spelling-bee")
    ['User-agent: *', 'Allow: /svc/spelling-bee', 'Disallow: /svc']
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    sorted_lines: list[str] = []
    for is_agent, group in itertools.groupby(lines, lambda line: line.lower().startswith("user-agent")):
        if is_agent:
            sorted_lines.extend(group)
        else:
            sorted_lines.extend(sorted(group, key=lambda line: len(line.partition(":")[2]), reverse=True))
    return sorted_lines


def _pause(session: Session, host: str) -> float:
    """Return the seconds between two requests to a host: our delay, or the longer one that its robots.txt asks for."""
    return max(session.delay, float(session.robots[host].crawl_delay(NAME) or 0))


def _request(session: Session, url: str, headers: Mapping[str, str]) -> Response:
    """Send a request after the pause that its host requires, and again after a temporary failure."""
    host = _host(url)
    pause = _pause(session, host)
    session.adapter.max_retries = _Retries(
        3, status_forcelist=(429, 500, 502, 503, 504), backoff_factor=pause, raise_on_status=False
    )
    if host in session.last_response:
        time.sleep(max(0.0, session.last_response[host] + pause - time.monotonic()))
    try:
        with session.http.get(url, headers=headers, stream=True, timeout=TIMEOUT, allow_redirects=False) as answer:
            return Response(url, answer.status_code, answer.headers, _body(answer, url))
    finally:
        session.last_response[host] = time.monotonic()


def _body(answer: requests.Response, url: str) -> bytes:
    """Read a body in parts, decompressed; raises DownloadError if it is too large or takes too long."""
    deadline = time.monotonic() + MAX_SECONDS
    body = bytearray()
    while part := answer.raw.read1(65_536, decode_content=True):  # without waiting for a whole part
        body += part
        if len(body) > MAX_BYTES:
            raise DownloadError(url, f"The response has more than {MAX_BYTES // 1_000_000} MB.")
        if time.monotonic() > deadline:
            raise DownloadError(url, f"The response took longer than {MAX_SECONDS:.0f} seconds.")
    return bytes(body)


def _host(url: str) -> str:
    """Return scheme and host of a URL; raises ValueError for text that is no URL.

    >>> _host("https://nytbee.com/Bee_20180729.html")
    'https://nytbee.com'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _first_message(error: BaseException) -> str:
    """Return the message of the first of the errors that led to an error, because the later ones repeat it."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    return " ".join(str(error).split())[:200] or type(error).__name__
