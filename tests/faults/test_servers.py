"""Hostile servers: each answers a real fetch over a real socket; time, memory and message of the fetch are checked.

A line of the protocol that drips for ever is not among them: see the limits in docs/RELIABILITY.md.

`pytest -m faults tests/faults/test_servers.py -s` runs all of them and prints a line for each.
"""

from __future__ import annotations

import contextlib
import datetime
import gzip
import json
import socket
import struct
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sampling import sampled

from pipeline.fetching import backfill, captures, web
from pipeline.fetching.schedule import History

DATE = "2025-01-02"
NOW = datetime.datetime(2025, 1, 5, 12, tzinfo=datetime.UTC)
PATIENCE, ATTEMPTS, OVERHEAD = 0.4, 4, 5
"""Seconds per request to a server that gives none, the number of requests, and the seconds for everything else."""
GENEROUS = 20.0
"""Seconds per request where the fetch must end for another reason."""
HELD = 120
"""Seconds for which a server that hangs keeps the connection."""
MEMORY = 200
"""The allowed growth of a fetch in MB."""


@dataclass(frozen=True)
class Behavior:
    """The behavior of a server, the expected outcome of the fetch, the source, and the affected path."""

    name: str
    answer: Callable[[socket.socket], None]
    outcomes: str
    source: str = "nyt"
    robots: bool = False
    tls: bool = False


def day_json(**changed: object) -> dict[str, object]:
    """A valid day from the JSON endpoint, with some changes."""
    good = {"id": 1, "center_letter": "e", "outer_letters": "acnotv", "pangrams": ["covenant"], "print_date": DATE}
    return good | {"answers": ["cent", "cove", "octave", "tote"]} | changed


GOOD = json.dumps(day_json()).encode()
PAGE = (Path(__file__).parents[1] / "sources/pages/definitions.html").read_bytes()


def say(*parts: bytes, hold: bool = False, reset: bool = False) -> Callable[[socket.socket], None]:
    """Send some bytes, then close, hold the connection, or reset it."""

    def answer(sock: socket.socket) -> None:
        for part in parts:
            sock.sendall(part)
        if reset:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if hold:
            time.sleep(HELD)

    return answer


def reply(body: bytes, status: str = "200 OK", **headers: str) -> Callable[[socket.socket], None]:
    """Send a whole response."""
    lines = {"Content_Length": str(len(body)), **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return say(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1"), body)


def forever(before: bytes, again: bytes, pause: float = 0.0) -> Callable[[socket.socket], None]:
    """Send something repeatedly, fast or slowly, as long as the client listens."""

    def answer(sock: socket.socket) -> None:
        sock.sendall(before)
        until = time.monotonic() + HELD
        piece = again if pause else again * max(1, 65_536 // len(again))
        while time.monotonic() < until:
            sock.sendall(piece)
            time.sleep(pause)

    return answer


def page(old: bytes, new: bytes) -> bytes:
    """The valid page with some changes."""
    assert old in PAGE
    return PAGE.replace(old, new, 1)


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
FOUND = b"HTTP/1.1 302 Found\r\nLocation: /a\r\n\r\n"
LIST = b'<div id="main-answer-list" class="answer-list">'
DRIP = 0.02


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def packed(data: bytes, encoding: str = "gzip") -> Callable[[socket.socket], None]:
    return reply(data, Content_Encoding=encoding)


NEST, ATTRIBUTES = b"<li>" * 40_000, b" a" * 900_000
BOMB = gzip.compress(bytes(60_000_000))
MANY = ["c" + "".join(("cove"[n >> shift & 3]) for shift in range(0, 12, 2)) + "e" for n in range(4000)]
GAME = json.dumps({"today": day_json(), "puzzles": [day_json(print_date="2024-12-01")]}).encode()
BEHAVIORS = {
    behavior.name: behavior
    for behavior in (
        Behavior("closes at once", say(), "unreachable"),
        Behavior("never answers", say(hold=True), "timeout"),
        Behavior("is silent where TLS is spoken", say(hold=True), "timeout", tls=True),
        Behavior("sends garbage where TLS is spoken", forever(b"", b"\xff"), "insecure unreachable", tls=True),
        Behavior("sends an endless status line", forever(b"HTTP/1.1 200 ", b"O"), "garbled"),
        Behavior("speaks another protocol", say(b"SSH-2.0-OpenSSH_9.6\r\n"), "garbled"),
        Behavior("sends headers without end", forever(OK, b"A: b\r\n"), "garbled"),
        Behavior("sends two lengths", say(OK, b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", GOOD), "garbled"),
        Behavior("sends a negative length", reply(GOOD, Content_Length="-5"), "garbled"),
        Behavior("sends a length of terabytes", reply(GOOD, Content_Length="9" * 13), "too-large"),
        Behavior("sends less than its length", reply(GOOD, Content_Length="999"), "garbled"),
        Behavior("sends a part and resets", say(OK, b"\r\n", GOOD[:40], reset=True), "garbled unreachable cut-short"),
        Behavior("drips a body", forever(OK + b"\r\n", b" ", DRIP), "timeout"),
        Behavior("sends a body without end", forever(OK + b"\r\n", b" "), "too-large"),
        Behavior("sends a chunk extension without end", forever(CHUNKED + b"5;", b"a"), "too-large garbled"),
        Behavior("drips chunks of one byte", forever(CHUNKED, chunk(b" "), DRIP), "timeout"),
        Behavior("names a chunk of a terabyte", say(CHUNKED, b"ffffffffff\r\n", GOOD), "garbled too-large"),
        Behavior("sends a bomb", packed(BOMB), "too-large"),
        Behavior("sends half a gzip", packed(gzip.compress(GOOD)[:-12]), "garbled"),
        Behavior("packs in an unknown way", packed(GOOD, "br"), "damaged"),
        Behavior("asks for a pause of years", reply(b"", "503 Later", Retry_After="9" * 12), "server-error"),
        Behavior("redirects in circles", reply(b"", "302 Found", Location="/a"), "redirect-loop"),
        Behavior("redirects to a file", reply(b"", "301 Moved", Location="file:///etc/hosts"), "bad-url"),
        Behavior("redirects with a body without end", forever(FOUND, b" "), "too-large"),
        Behavior("sends robots.txt without end", forever(OK + b"\r\n", b" "), "too-large", robots=True),
        Behavior("sends a day from long ago beside today", reply(GAME), "other-day", "nyt_page"),
        Behavior("sends 4,000 answers", reply(json.dumps(day_json(answers=MANY)).encode()), "too-many"),
        Behavior("sends 40,000 nested tags", reply(page(LIST, LIST + NEST)), "layout-drift", "nytbee"),
        Behavior("sends 900,000 attributes", reply(page(LIST, LIST + ATTRIBUTES)), "layout-drift", "nytbee"),
        Behavior("sends the good day", reply(GOOD), "new"),
    )
}
"""The hostile servers, and a good one."""


@contextlib.contextmanager
def serving(behavior: Behavior) -> Iterator[str]:
    """Run a server with this behavior, and yield its address; all other paths work correctly."""
    listener = socket.create_server(("127.0.0.1", 0))

    def talk(sock: socket.socket) -> None:
        with sock, contextlib.suppress(OSError):
            if behavior.tls:
                behavior.answer(sock)
                return
            request = b""
            while b"\r\n\r\n" not in request and (piece := sock.recv(65_536)):
                request += piece
            about_robots = request.startswith(b"GET /robots.txt")
            if about_robots == behavior.robots:
                behavior.answer(sock)
            else:
                (reply(b"", "404 None") if about_robots else reply(GOOD))(sock)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                sock, _ = listener.accept()
                threading.Thread(target=talk, args=(sock,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"{'https' if behavior.tls else 'http'}://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.close()


def fetch(source: str, url: str, patience: float) -> tuple[str, str, float, float]:
    """Ask a source at an address for one day; return outcome, detail, seconds, and megabytes of memory."""
    settings = {"BEE_NYT_URL": url, "BEE_NYTBEE_URL": url}
    tracemalloc.start()
    started = time.monotonic()
    options = backfill.FetchOptions((source,), DATE, DATE)
    plan = backfill.prepare(options, settings, NOW, History({}, {}), (), ())
    with (
        tempfile.TemporaryDirectory() as folder,
        web.session(delay=0, timeout=patience, sleep=lambda _: None) as session,
        captures.opened(Path(folder) / "captures.db", 1, create=True) as database,
    ):
        (request,) = backfill.backfill(plan, session, database, plan.dates, lambda: NOW)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return request.outcome, request.detail, time.monotonic() - started, peak / 1e6


SAMPLE = (
    "closes at once",
    "sends garbage where TLS is spoken",
    "sends headers without end",
    "sends a negative length",
    "drips chunks of one byte",
    "sends a bomb",
    "redirects with a body without end",
    "sends robots.txt without end",
    "sends 900,000 attributes",
    "sends the good day",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(BEHAVIORS, SAMPLE))
def test_a_hostile_server_is_given_up_in_time_and_named(name):
    behavior = BEHAVIORS[name]
    patience = PATIENCE if "timeout" in behavior.outcomes else GENEROUS
    with serving(behavior) as url:
        outcome, detail, seconds, megabytes = fetch(behavior.source, url, patience)
    print(f"{behavior.name}: {outcome}, {seconds:.1f} s, {megabytes:.0f} MB")
    assert outcome in behavior.outcomes.split(), detail
    assert detail.isprintable()
    assert seconds <= ATTEMPTS * patience + OVERHEAD
    assert megabytes <= MEMORY
