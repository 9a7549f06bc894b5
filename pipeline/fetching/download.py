"""One safe request: at most 5 MB in two minutes, whatever the headers claim, or an error with a named reason."""

from __future__ import annotations

import contextlib
import http.client
import io
import queue
import re
import socket
import threading
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter

from pipeline.errors import BeeError

LARGEST = 5_000_000
"""The limit in bytes, uncompressed; the largest known page has 286 KB, the largest archive 1.5 MB."""
MARGIN = 1_000_000
"""The bytes allowed for status lines, headers, chunk lines and trailers, besides the body."""


class _TooMuch(Exception):
    """A connection delivered more data than any response of a source has."""


class _Counted(io.RawIOBase):
    """The bytes of a socket as they arrive, up to a limit, which also stops a library that reads an endless line."""

    def __init__(self, sock: socket.socket):
        self._file = sock.makefile("rb", buffering=0)
        self._left = LARGEST + MARGIN

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Read into a buffer; raise _TooMuch beyond the limit."""
        count = self._file.readinto(buffer)
        self._left -= count or 0
        if self._left < 0:
            raise _TooMuch
        return count

    def close(self) -> None:
        """Close the socket's file."""
        self._file.close()
        super().close()


class _Response(http.client.HTTPResponse):
    """A response whose bytes are counted."""

    def __init__(self, sock: socket.socket, *args: Any, **named: Any):
        super().__init__(sock, *args, **named)
        uncounted, self.fp = self.fp, io.BufferedReader(_Counted(sock))
        uncounted.close()


class _Adapter(HTTPAdapter):
    """An adapter that counts what its connections read, including those to a proxy, and that can close them all.

    It keeps a duplicate of each open socket, so that they can be closed while a thread reads from them.
    """

    def __init__(self) -> None:
        self._held: list[socket.socket] = []
        super().__init__()

    def get_connection_with_tls_context(self, *args: Any, **named: Any) -> Any:
        """Return the pool from which the connection of a request is taken."""
        pool: Any = super().get_connection_with_tls_context(*args, **named)
        held = self._held

        class Connection(type(pool).ConnectionCls):  # type: ignore[misc]
            response_class = _Response

            def _new_conn(self) -> socket.socket:
                sock: socket.socket = super()._new_conn()
                held.append(sock.dup())
                return sock

        pool.ConnectionCls = Connection
        return pool

    def hang_up(self) -> None:
        """Close all connections; a thread that still reads from one gets its end."""
        while self._held:
            with contextlib.suppress(OSError), self._held.pop() as sock:
                sock.shutdown(socket.SHUT_RDWR)


TIMEOUT = (10.0, 30.0)
"""Seconds to connect, and between two parts of a response."""
PATIENCE = 120.0
"""Seconds for a whole request, from the name look-up to the last byte, however steadily the data arrives."""
THREAD = "bee request"
"""The name of the thread that makes a request."""

REASONS = {
    "bad-url": "The address is not an http or https URL.",
    "robots": "robots.txt does not allow it.",
    "unreachable": "No connection to the host; is there a network?",
    "insecure": "The host has no valid certificate, or does not speak TLS.",
    "timeout": "The host took too long.",
    "hung-up": "The host closed the connection without an answer.",
    "garbled": "The response is not valid HTTP.",
    "cut-short": "The response broke off.",
    "too-large": "The response is larger than any page of a source.",
    "damaged": "The response cannot be decompressed.",
    "off-site": "The page redirects to another host or scheme.",
    "redirect-loop": "The page has a redirect loop.",
    "missing": "There is no such page.",
    "forbidden": "The host refuses programs.",
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
    """A response: the final address, the status (200, or 304 for "not modified"), headers, and the uncompressed
    body."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


class Unled(requests.Session):
    """A session that does not follow redirects, because requests would read their whole bodies, however large."""

    def __init__(self) -> None:
        super().__init__()
        adapter = _Adapter()
        self.hang_up = adapter.hang_up
        for scheme in ("http://", "https://"):
            self.mount(scheme, adapter)

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002
        """Return no redirect target: `web` handles redirects."""
        return


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


def download(session: Unled, url: str, headers: Mapping[str, str], patience: float = PATIENCE) -> Response:
    """Make one request; raises DownloadError for a failed connection and for statuses that mean "later".

    The request runs in its own thread while this one waits for it. So the deadline holds in every phase of the request:
    name look-up, connection, status line, headers, chunks, trailers or body.
    """
    outcome: queue.SimpleQueue[Response | BaseException] = queue.SimpleQueue()
    threading.Thread(target=lambda: outcome.put(_attempt(session, url, headers)), name=THREAD, daemon=True).start()
    try:
        came = outcome.get(timeout=patience)
    except queue.Empty:
        raise DownloadError("timeout", url, f"more than {patience:.0f} s") from None
    finally:
        session.hang_up()
    if isinstance(came, BaseException):
        raise came
    return came


def _attempt(session: Unled, url: str, headers: Mapping[str, str]) -> Response | BaseException:
    try:
        with session.get(url, headers=headers, timeout=TIMEOUT, stream=True, allow_redirects=False) as got:
            status = got.status_code
            if status == 429 or status >= 500:
                reason, pause = "busy" if status == 429 else "server-error", got.headers.get("Retry-After", "")
                return DownloadError(reason, url, f"status {status}", _seconds(pause))
            return Response(url, status, got.headers, _body(url, got))
    except DownloadError as error:
        return error
    except BaseException as error:  # noqa: BLE001 - it is raised again by who waits for it
        known = _reason(error)
        return DownloadError(known, url) if known else error


_KINDS: tuple[tuple[str, tuple[type[BaseException], ...]], ...] = (
    ("too-large", (_TooMuch,)),
    ("unreachable", (urllib3.exceptions.NewConnectionError,)),
    ("insecure", (requests.exceptions.SSLError, urllib3.exceptions.SSLError)),
    ("timeout", (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)),
    ("hung-up", (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError)),
    ("garbled", (urllib3.exceptions.InvalidHeader, urllib3.exceptions.InvalidChunkLength)),
    ("garbled", (requests.exceptions.InvalidHeader,)),
    ("cut-short", (http.client.IncompleteRead, urllib3.exceptions.IncompleteRead)),
    ("garbled", (http.client.HTTPException,)),
    ("bad-url", (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema, UnicodeError)),
    ("unreachable", (requests.exceptions.ConnectionError,)),
    ("cut-short", (urllib3.exceptions.HTTPError,)),
    ("unreachable", (requests.exceptions.RequestException,)),
)
"""The reason for each kind of error; the first match counts."""


def _reason(error: BaseException) -> str | None:
    """Return the reason for an error, from its own type or those of its causes; None if it is not a network error."""
    chain = list(_chain(error))
    return next((reason for reason, kinds in _KINDS if any(isinstance(cause, kinds) for cause in chain)), None)


def _chain(error: BaseException, depth: int = 6) -> Iterator[BaseException]:
    """Yield an error and its causes: libraries put them in `args`, `reason` and `__cause__`."""
    yield error
    inner = [*error.args, getattr(error, "reason", None), error.__cause__, error.__context__]
    for cause in inner if depth else []:
        if isinstance(cause, BaseException):
            yield from _chain(cause, depth - 1)


def _body(url: str, got: requests.Response) -> bytes:
    """Read a body in parts, never more than `LARGEST` of it, and decompress it."""
    for length in got.headers.get("Content-Length", "").split(","):
        if length and not re.fullmatch(r"\s*[0-9]{1,30}\s*", length):
            raise DownloadError("garbled", url, f"a Content-Length of {length[:20]!r}")
        if length and int(length) > LARGEST:
            raise DownloadError("too-large", url)
    pieces, size = [], 0
    while piece := got.raw.read1(65_536, decode_content=False):
        pieces.append(piece)
        size += len(piece)
        if size > LARGEST:
            raise DownloadError("too-large", url)
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
        raise DownloadError("damaged", url, str(error)) from error
    if len(data) > LARGEST:
        raise DownloadError("too-large", url)
    if not unpack.eof:
        raise DownloadError("cut-short", url)
    return data


def _seconds(text: str) -> float:
    """Return the seconds that a `Retry-After` requests, as a number or as a date; 0 if it is invalid.

    >>> _seconds("120"), _seconds("soon")
    (120, 0.0)
    """
    try:
        return urllib3.Retry().parse_retry_after(text)
    except (urllib3.exceptions.InvalidHeader, ValueError, OverflowError):
        return 0.0
