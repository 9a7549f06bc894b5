"""A local site with every fault that a real one may have."""

from __future__ import annotations

import contextlib
import gzip
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Site:
    """Its responses by path, 404 for all others, and the requests it received: path and headers."""

    url: str
    pages: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked if path != "/robots.txt"]


def reply(body: bytes = b"", status: int = 200, **headers: str) -> Answer:
    """A response; `Retry_After="3"` is a header, `Content_Length` may be false."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def in_turn(*answers: Answer) -> Answer:
    """One response after the other; the last one is repeated."""
    waiting = list(answers)

    def answer(handler: BaseHTTPRequestHandler) -> None:
        (waiting.pop(0) if len(waiting) > 1 else waiting[0])(handler)

    return answer


def reset(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection without a response."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def drip(handler: BaseHTTPRequestHandler) -> None:
    """Send a byte now and then, as long as the client listens."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(600):
        handler.wfile.write(b" ")
        time.sleep(0.02)


def bomb(megabytes: int) -> Answer:
    """A small compressed body that is very large uncompressed."""
    return reply(gzip.compress(bytes(megabytes * 1_000_000)), Content_Encoding="gzip")


@contextlib.contextmanager
def serving() -> Iterator[Site]:
    """Run a site while the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append((self.path, dict(self.headers)))
            site.pages.get(self.path, reply(b"not here", 404))(self)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Ignore a client that closed the connection."""

    with Server(("127.0.0.1", 0), Handler) as server:
        site = Site(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield site
        server.shutdown()
        thread.join()


@contextlib.contextmanager
def nobody() -> Iterator[str]:
    """The address of a port on which nothing listens, and that no other server can get while the block lasts."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
