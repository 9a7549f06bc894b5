"""One request, made safely: at most 5 MB in two minutes, whatever the headers say, or a named reason why not."""

from __future__ import annotations

import datetime
import email.utils
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests
import urllib3

from pipeline.words import BeeError

LARGEST = 5_000_000
"""Bytes, unpacked; the largest page known has 286 KB, the largest archive 1.5 MB."""
TIMEOUT = (10.0, 30.0)
"""Seconds to connect, and between two pieces of a response."""
PATIENCE = 120.0
"""Seconds for a whole response, however steadily it drips."""

REASONS = {
    "bad-url": "The address is no http or https URL.",
    "robots": "robots.txt does not allow it.",
    "unreachable": "No connection to the host; is there a network?",
    "insecure": "The certificate of the host is not valid.",
    "timeout": "The host took too long.",
    "cut-short": "The response broke off.",
    "too-large": "The response is larger than any page of a source.",
    "damaged": "The response is packed in a way that cannot be unpacked.",
    "off-site": "The page redirects to another host or scheme.",
    "redirect-loop": "The page redirects in circles.",
    "missing": "There is no such page.",
    "forbidden": "The host does not let programs in.",
    "busy": "The host asks for fewer requests.",
    "server-error": "The host has a fault of its own.",
    "unexpected-status": "The response is neither a page nor a known refusal.",
}


class WebError(BeeError):
    """A request that brought nothing usable, and the reason, one of `REASONS`."""

    exit_code = 3

    def __init__(self, reason: str, url: str, detail: str = "", pause: float = 0.0):
        super().__init__(f"{url}: {REASONS[reason]}{f' ({detail})' if detail else ''}")
        self.reason = reason
        self.pause = pause


@dataclass(frozen=True, slots=True)
class Response:
    """What came: the final address, the status (200, or 304 for "as before"), headers, and the unpacked body."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class Unled(requests.Session):
    """A session that leaves redirects alone; requests would read their bodies whole, however large."""

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002
        """Say that there is none: `web` looks at them."""
        return


def site(url: str) -> str:
    """Return scheme and host of a URL; raises WebError when it is none that may be asked.

    >>> site("https://nytbee.com/Bee_20180729.html")
    'https://nytbee.com'
    """
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and not parts.username:
            return f"{parts.scheme}://{parts.netloc.lower()}"
    except ValueError:
        pass
    raise WebError("bad-url", repr(url[:200]))


def download(
    http: Unled,
    url: str,
    headers: Mapping[str, str],
    patience: float = PATIENCE,
    clock: Callable[[], float] = time.monotonic,
) -> Response:
    """Make one request; raises WebError for a connection that fails and for the statuses that say "later"."""
    try:
        with http.get(url, headers=headers, timeout=TIMEOUT, stream=True, allow_redirects=False) as got:
            status = got.status_code
            if status == 429 or status >= 500:
                reason, pause = "busy" if status == 429 else "server-error", got.headers.get("Retry-After", "")
                raise WebError(reason, url, f"status {status}", _seconds(pause))
            return Response(url, status, got.headers, _body(url, got, clock, clock() + patience))
    except requests.exceptions.SSLError as error:
        raise WebError("insecure", url) from error
    except (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError) as error:
        raise WebError("timeout", url) from error
    except urllib3.exceptions.HTTPError as error:
        raise WebError("cut-short", url) from error
    except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError) as error:
        raise WebError("bad-url", url) from error
    except requests.exceptions.RequestException as error:
        raise WebError("unreachable", url) from error


def _body(url: str, got: requests.Response, clock: Callable[[], float], until: float) -> bytes:
    """Read a body piece by piece, never more than `LARGEST` of it, and unpack it."""
    pieces, size = [], 0
    while piece := got.raw.read1(65_536, decode_content=False):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST:
            raise WebError("too-large", url)
        if clock() > until:
            raise WebError("timeout", url)
    packing = got.headers.get("Content-Encoding", "identity").strip().lower()
    data = b"".join(pieces)
    return data if packing in ("identity", "") or not data else _unpacked(data, packing, url)


def _unpacked(data: bytes, packing: str, url: str) -> bytes:
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
    try:
        if packing not in ("gzip", "x-gzip", "deflate"):
            raise zlib.error(f"packed as {packing!r}")
        data = unpack.decompress(data, LARGEST + 1)
    except zlib.error as error:
        raise WebError("damaged", url, str(error)) from error
    if len(data) > LARGEST:
        raise WebError("too-large", url)
    if not unpack.eof:
        raise WebError("cut-short", url)
    return data


def _seconds(text: str) -> float:
    """Return the seconds that a `Retry-After` asks for, as a number or as a date; 0 when it says nothing.

    >>> _seconds("120"), _seconds("soon")
    (120.0, 0.0)
    """
    if text.strip().isdecimal():
        return float(text)
    try:
        then = email.utils.parsedate_to_datetime(text)
        return max(0.0, (then - datetime.datetime.now(datetime.UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return 0.0
