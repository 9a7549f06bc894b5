"""The connection of a request: it can be closed from outside at any moment, and it never reads more than a limit."""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
from typing import Any

import urllib3
from requests.adapters import HTTPAdapter

LARGEST = 5_000_000
"""The limit in bytes, uncompressed; the largest known page has 286 KB, the largest archive 1.5 MB."""
MARGIN = 1_000_000
"""The bytes allowed for status lines, headers, chunk lines and trailers, besides the body."""


class TooMuch(Exception):
    """A connection delivered more data than any response of a source has."""


class Wire:
    """The open sockets, each duplicated, so that they can be closed while a thread reads from them."""

    def __init__(self) -> None:
        self._held: list[socket.socket] = []

    def hold(self, sock: socket.socket) -> None:
        """Register a socket that was just opened."""
        self._held.append(sock.dup())

    def hang_up(self) -> None:
        """Close all connections; a thread that still reads from one gets its end."""
        while self._held:
            with contextlib.suppress(OSError), self._held.pop() as sock:
                sock.shutdown(socket.SHUT_RDWR)


class _Counted(io.RawIOBase):
    """The bytes of a socket as they arrive, up to a limit, which also stops a library that reads an endless line."""

    def __init__(self, sock: socket.socket):
        self._file = sock.makefile("rb", buffering=0)
        self._left = LARGEST + MARGIN

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Read into a buffer; raise TooMuch beyond the limit."""
        count = self._file.readinto(buffer)
        self._left -= count or 0
        if self._left < 0:
            raise TooMuch
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


def _watched(pool: Any, wire: Wire) -> Any:
    """Return a class of connection pools whose connections are registered and counted."""

    class Connection(pool.ConnectionCls):  # type: ignore[misc]
        response_class = _Response

        def _new_conn(self) -> socket.socket:
            sock: socket.socket = super()._new_conn()
            wire.hold(sock)
            return sock

    class Pool(pool):  # type: ignore[misc]
        ConnectionCls = Connection

    return Pool


class Watched(HTTPAdapter):
    """An adapter that makes connections for a session, all of them registered, including those to a proxy."""

    def __init__(self, wire: Wire):
        self._pools = {
            "http": _watched(urllib3.HTTPConnectionPool, wire),
            "https": _watched(urllib3.HTTPSConnectionPool, wire),
        }
        super().__init__()

    def init_poolmanager(self, *args: Any, **named: Any) -> None:
        """Make the pools of direct connections."""
        super().init_poolmanager(*args, **named)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def proxy_manager_for(self, *args: Any, **named: Any) -> Any:
        """Make the pools of connections to a proxy."""
        manager = super().proxy_manager_for(*args, **named)
        manager.pool_classes_by_scheme = self._pools
        return manager
