"""One request: at most 5 MB in about two minutes, or an error with a named reason.

`requests` and urllib3 handle HTTP, including chunks. The body is read in parts, and all limits are checked between two
parts. A host that sends the status line, headers, a chunk size or trailers very slowly is not detected here; see the
limits in docs/RELIABILITY.md.
"""

from __future__ import annotations

import http.client
import re
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3

from pipeline.errors import BeeError

MAX_BYTES = 5_000_000
"""The limit of a response, as it arrives and decompressed; the largest known page has 286 KB, the largest archive 1.5
MB."""
CONNECT_TIMEOUT = 10.0
"""The seconds in which a connection must be made."""
READ_TIMEOUT = 30.0
"""The seconds that may pass between two parts of a response."""
REQUEST_TIMEOUT = 120.0
"""The seconds that a whole request may take, however steadily the data arrives."""

REASONS = {
    "bad-url": "The address is not an http or https URL.",
    "robots": "robots.txt does not allow this request.",
    "unreachable": "There is no connection to the host. Check the network.",
    "insecure": "The host has no valid certificate, or does not speak TLS.",
    "timeout": "The host took too long.",
    "hung-up": "The host closed the connection without an answer.",
    "garbled": "The response is not valid HTTP.",
    "cut-short": "The response was cut off.",
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


class DownloadError(BeeError):
    """A request without a usable result, and the reason, one of `REASONS`."""

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


def download(
    session: requests.Session, url: str, headers: Mapping[str, str], timeout: float = REQUEST_TIMEOUT
) -> Response:
    """Make one request, without following a redirect.

    Raises DownloadError for a failed connection, for a body over the limits, and for statuses that mean "later".
    """
    deadline = time.monotonic() + timeout
    try:
        request = session.prepare_request(requests.Request("GET", url, headers=headers))
        # The adapter sends exactly one request. `session.send` would read the whole body of a redirect.
        settings: Mapping[str, Any] = session.merge_environment_settings(url, {}, stream=True, verify=None, cert=None)
        timeouts = (min(CONNECT_TIMEOUT, timeout), min(READ_TIMEOUT, timeout))
        with session.get_adapter(url).send(request, timeout=timeouts, **settings) as answer:
            status = answer.status_code
            if status == 429 or status >= 500:
                pause = _seconds(answer.headers.get("Retry-After", ""))
                raise DownloadError("busy" if status == 429 else "server-error", url, f"status {status}", pause)
            return Response(url, status, answer.headers, _body(answer, url, timeout, deadline))
    except (OSError, UnicodeError, http.client.HTTPException, urllib3.exceptions.HTTPError) as error:
        raise DownloadError(_reason(error), url) from error


def _body(answer: requests.Response, url: str, timeout: float, deadline: float) -> bytes:
    """Read a body in parts, within the limits, and return it decompressed.

    The parts are counted as they arrive, because urllib3 would read on within a part that decompresses to nothing.
    """
    for length in answer.headers.get("Content-Length", "").split(","):
        if length and not re.fullmatch(r"\s*[0-9]{1,30}\s*", length):
            raise DownloadError("garbled", url, f"a Content-Length of {length[:20]!r}")
        if length and int(length) > MAX_BYTES:
            raise DownloadError("too-large", url)
    parts = []
    size = 0
    while part := answer.raw.read1(65_536, decode_content=False):
        parts.append(part)
        size += len(part)
        if size > MAX_BYTES:
            raise DownloadError("too-large", url)
        if time.monotonic() > deadline:
            raise DownloadError("timeout", url, f"more than {timeout:.0f} s")
    body = b"".join(parts)
    encoding = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if not body or encoding in ("identity", ""):
        return body
    return _decompressed(body, encoding, url)


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
        raise DownloadError("cut-short", url)
    return body


_REASON_BY_ERROR: tuple[tuple[str, tuple[type[BaseException], ...]], ...] = (
    ("unreachable", (urllib3.exceptions.NewConnectionError,)),
    ("insecure", (requests.exceptions.SSLError, urllib3.exceptions.SSLError)),
    ("timeout", (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)),
    ("hung-up", (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)),
    ("garbled", (urllib3.exceptions.InvalidHeader, requests.exceptions.InvalidHeader)),
    ("cut-short", (http.client.IncompleteRead, urllib3.exceptions.IncompleteRead)),
    ("garbled", (http.client.HTTPException,)),
    ("bad-url", (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError)),
    ("unreachable", (requests.exceptions.ConnectionError,)),
    ("cut-short", (urllib3.exceptions.HTTPError,)),
)
"""The reason for each kind of error; the first match counts."""


def _reason(error: BaseException) -> str:
    """Return the reason for an error of a library, from its own type or those of its causes."""
    errors = list(_with_causes(error))
    for reason, kinds in _REASON_BY_ERROR:
        if any(isinstance(cause, kinds) for cause in errors):
            return reason
    return "unreachable"


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, its cause, the cause of that, and so on."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def origin(url: str) -> str:
    """Return scheme and host of a URL; raises DownloadError if it may not be requested.

    >>> origin("https://nytbee.com/Bee_20180729.html")
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
