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
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sampling import sampled

from pipeline.fetching import backfill, web
from pipeline.store import Workspace
from pipeline.tables import frames

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
PLUS = (
    b"".join(b"202412%02d acenotv e 3 22 1 0 0 0 0 covenant | cove covenant octave\n" % day for day in range(1, 32))
    + b"20250102 acenotv e 3 22 1 0 0 0 0 covenant | cove covenant octave\n"
)
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
FOUND = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n"
LIST = b'<div id="main-answer-list" class="answer-list">'
DRIP = 0.02


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def packed(data: bytes, encoding: str = "gzip") -> Callable[[socket.socket], None]:
    return reply(data, Content_Encoding=encoding)


def behaviors() -> list[Behavior]:
    """All hostile servers."""
    return [*_connections(), *_heads(), *_bodies(), *_statuses(), *_robots(), *_contents()]


def _connections() -> list[Behavior]:
    return [
        Behavior("closes at once", say(), "hung-up"),
        Behavior("resets at once", say(reset=True), "hung-up"),
        Behavior("never answers", say(hold=True), "timeout"),
        Behavior("closes within the status line", say(b"HTTP/1."), "garbled hung-up"),
        Behavior("resets within the headers", say(OK, b"A: b\r\n", reset=True), "hung-up garbled cut-short error-page"),
        Behavior("speaks no TLS", say(b"HTTP/1.1 400 Bad\r\n\r\n"), "insecure", tls=True),
        Behavior("is silent where TLS is spoken", say(hold=True), "timeout", tls=True),
        Behavior(
            "drips where TLS is spoken", forever(b"\x16\x03\x03\x40\x00", b"\x00", DRIP), "timeout insecure", tls=True
        ),
        Behavior("sends garbage where TLS is spoken", forever(b"", b"\xff"), "insecure hung-up", tls=True),
    ]


def _heads() -> list[Behavior]:
    return [
        Behavior("sends an endless status line", forever(b"HTTP/1.1 200 ", b"O"), "garbled"),
        Behavior("speaks another protocol", say(b"SSH-2.0-OpenSSH_9.6\r\n"), "garbled"),
        Behavior("sends no status", say(b"HTTP/1.1\r\n\r\n"), "garbled"),
        Behavior("sends a status of letters", say(b"HTTP/1.1 abc OK\r\n\r\n"), "garbled"),
        Behavior("sends a status of 1000", say(b"HTTP/1.1 1000 OK\r\n\r\n"), "garbled"),
        Behavior("sends version 9", say(b"HTTP/9.9 200 OK\r\n\r\n"), "garbled"),
        Behavior("sends a body without a head", say(GOOD), "garbled"),
        Behavior(
            "sends 103 Early Hints without end", forever(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"), "unexpected-status"
        ),
        Behavior("sends headers without end", forever(OK, b"A: b\r\n"), "garbled"),
        Behavior("sends a header without end", forever(OK + b"A: ", b"b"), "garbled"),
        Behavior("holds after the headers", say(OK, b"Content-Length: 9\r\n\r\n", hold=True), "timeout"),
        Behavior("sends NULs for headers", say(OK, b"\0" * 999, b"\r\n\r\n"), "garbled error-page"),
        Behavior("sends two lengths", say(OK, b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n", GOOD), "garbled"),
        Behavior("sends a negative length", reply(GOOD, Content_Length="-5"), "garbled"),
        Behavior("sends a length of letters", reply(GOOD, Content_Length="five"), "garbled"),
        Behavior("sends a length of 400 digits", reply(GOOD, Content_Length="9" * 400), "garbled too-large"),
        Behavior("sends a length of terabytes", reply(GOOD, Content_Length="9" * 13), "too-large"),
    ]


def _bodies() -> list[Behavior]:
    bomb = zlib.compress(bytes(60_000_000), 9)
    return [
        Behavior("sends less than its length", reply(GOOD, Content_Length="999"), "cut-short"),
        Behavior("sends a part and holds", say(OK, b"Content-Length: 999\r\n\r\n", GOOD, hold=True), "timeout"),
        Behavior(
            "sends a part and resets",
            say(OK, b"Content-Length: 999\r\n\r\n", GOOD[:40], reset=True),
            "cut-short hung-up",
        ),
        Behavior("drips a body", forever(OK + b"\r\n", b" ", DRIP), "timeout"),
        Behavior("sends a body without end", forever(OK + b"\r\n", b" "), "too-large"),
        Behavior("sends nothing", reply(b""), "error-page"),
        Behavior("sends a chunk size of letters", say(CHUNKED, b"xyz\r\n", GOOD), "cut-short garbled"),
        Behavior("sends a negative chunk size", say(CHUNKED, b"-5\r\n", GOOD, b"\r\n0\r\n\r\n"), "garbled cut-short"),
        Behavior("sends a chunk size without end", forever(CHUNKED, b"0"), "too-large garbled"),
        Behavior("sends a chunk extension without end", forever(CHUNKED + b"5;", b"a"), "too-large garbled"),
        Behavior("drips chunks of one byte", forever(CHUNKED, chunk(b" "), DRIP), "timeout"),
        Behavior("sends chunks of one byte without end", forever(CHUNKED, chunk(b" ")), "too-large timeout"),
        Behavior("breaks off within a chunk", say(CHUNKED, b"99\r\n", GOOD[:20]), "cut-short"),
        Behavior("names a chunk of a terabyte", say(CHUNKED, b"ffffffffff\r\n", GOOD), "cut-short too-large"),
        Behavior("sends no last chunk", say(CHUNKED, chunk(GOOD), hold=True), "timeout"),
        Behavior("sends a bomb", packed(gzip.compress(bytes(60_000_000))), "too-large"),
        Behavior("sends a bomb as deflate", packed(bomb, "deflate"), "too-large"),
        Behavior(
            "sends a bomb within a bomb", packed(gzip.compress(gzip.compress(bytes(60_000_000)))), "damaged error-page"
        ),
        Behavior("sends half a gzip", packed(gzip.compress(GOOD)[:-12]), "cut-short"),
        Behavior("calls text gzip", packed(GOOD), "damaged"),
        Behavior("packs in an unknown way", packed(GOOD, "br"), "damaged"),
        Behavior("packs a thousand times", packed(GOOD, ", ".join(["gzip"] * 1000)), "damaged"),
    ]


def _statuses() -> list[Behavior]:
    return [
        Behavior("has a fault", reply(b"", "500 Oops"), "server-error"),
        Behavior("has a fault with a body without end", forever(b"HTTP/1.1 500 Oops\r\n\r\n", b" "), "server-error"),
        Behavior("asks for a pause of years", reply(b"", "503 Later", Retry_After="9" * 12), "server-error"),
        Behavior("asks for a pause without number", reply(b"", "429 Later", Retry_After="\xff" * 99), "busy"),
        Behavior("wants a password", reply(b"", "401 No", WWW_Authenticate="Basic"), "forbidden"),
        Behavior("sends a part", reply(GOOD[:50], "206 Partial", Content_Range="bytes 0-49/999"), "unexpected-status"),
        Behavior("says that nothing has changed", reply(b"", "304 Not Modified"), "unexpected-status"),
        Behavior("redirects in circles", reply(b"", "302 Found", Location="/a"), "redirect-loop"),
        Behavior("redirects to another host", reply(b"", "301 Moved", Location="https://example.org/"), "off-site"),
        Behavior("redirects to a file", reply(b"", "301 Moved", Location="file:///etc/hosts"), "bad-url"),
        Behavior("redirects to 60 KB", reply(b"", "301 Moved", Location="/" + "a" * 60_000), "redirect-loop"),
        Behavior("redirects to garbage", reply(b"", "301 Moved", Location="http://[\xff]:99999/"), "bad-url off-site"),
        Behavior(
            "redirects with a body without end",
            forever(b"HTTP/1.1 302 Found\r\nLocation: /a\r\n\r\n", b" "),
            "too-large",
        ),
    ]


def _robots() -> list[Behavior]:
    stars = b"User-agent: *\nDisallow: /" + b"*-" * 40 + b"x$\n"
    many = b"User-agent: *\n" + b"".join(b"Disallow: /%d*x\n" % n for n in range(150_000))
    return [
        Behavior("drips robots.txt", forever(OK + b"\r\n", b" ", DRIP), "timeout", robots=True),
        Behavior("sends robots.txt without end", forever(OK + b"\r\n", b" "), "too-large", robots=True),
        Behavior(
            "redirects robots.txt in circles",
            reply(b"", "302 Found", Location="/robots.txt"),
            "new redirect-loop",
            robots=True,
        ),
        Behavior("asks for a pause of a day", reply(b"User-agent: *\nCrawl-delay: 86400"), "robots", robots=True),
        Behavior("sends robots.txt with 40 stars", reply(stars), "new robots", robots=True),
        Behavior("sends robots.txt with 150,000 rules", reply(many), "new robots too-large", robots=True),
    ]


def _contents() -> list[Behavior]:
    nest, attributes = b"<li>" * 40_000, b" a" * 900_000
    other = json.dumps(day_json(print_date="2025-01-01")).encode()
    game = json.dumps({"today": day_json(), "puzzles": [day_json(print_date="2024-12-01")]}).encode()
    many = ["c" + "".join(("cove"[n >> shift & 3]) for shift in range(0, 12, 2)) + "e" for n in range(4000)]
    long_word = json.dumps(day_json(answers=["octave", "cove" * 5])).encode()
    return [
        Behavior("sends the bulk archive for a day", reply(PLUS), "other-format"),
        Behavior("sends a page of nytbee for JSON", reply(PAGE), "other-format"),
        Behavior("sends JSON for a page of nytbee", reply(GOOD), "other-format", "nytbee"),
        Behavior("sends another day", reply(other), "other-day"),
        Behavior("sends a list of days", reply(b"[" + GOOD + b"," + other + b"]"), "other-format other-day"),
        Behavior("sends a day from long ago beside today", reply(game), "other-day", "nyt_page"),
        Behavior("sends 4,000 answers", reply(json.dumps(day_json(answers=many)).encode()), "too-many"),
        Behavior("sends an answer of 20 letters", reply(long_word), "bad-word"),
        Behavior("sends 40,000 nested tags", reply(page(LIST, LIST + nest)), "layout-drift", "nytbee"),
        Behavior(
            "sends 900,000 attributes", reply(page(LIST, LIST + b"<li" + attributes + b">")), "layout-drift", "nytbee"
        ),
        Behavior(
            "sends a list of 4 MB", reply(page(LIST, LIST + b"<li>cove</li>" * 300_000)), "layout-drift", "nytbee"
        ),
        Behavior("sends deep JSON", reply(GOOD[:-1] + b', "deep": ' + b"[" * 900_000), "cut-short"),
        Behavior("sends a number of 2 MB", reply(GOOD[:-1] + b', "big": ' + b"9" * 2_000_000 + b"}"), "cut-short new"),
        Behavior("sends JSON in UTF-16", reply(GOOD.decode().encode("utf-16")), "error-page unknown-format"),
        Behavior("sends control characters", reply(GOOD.replace(b"2025-01-02", b"\\u001b[2J\\ud800")), "bad-date"),
        Behavior("sends a test for human readers", reply(b"<title>Just a moment...</title>"), "challenge"),
        Behavior("sends an apology with status 200", reply(b"<html>We are sorry.</html>"), "error-page"),
        Behavior("sends the good day", reply(GOOD), "new"),
    ]


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
    with tempfile.TemporaryDirectory() as folder:
        options = backfill.FetchOptions((source,), DATE, DATE)
        plan = backfill.prepare(Workspace(Path(folder)), options, settings, NOW, (), frames.empty("day_decisions"))
        with web.session(delay=0, timeout=patience, sleep=lambda _: None) as session:
            (request,) = backfill.backfill(plan, session, plan.dates, lambda: NOW)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return request.outcome, request.detail, time.monotonic() - started, peak / 1e6


SAMPLE = (
    "closes at once",
    "sends garbage where TLS is spoken",
    "sends headers without end",
    "sends two lengths",
    "sends a negative length",
    "drips chunks of one byte",
    "sends a chunk extension without end",
    "sends a bomb",
    "drips robots.txt",
    "sends 4,000 answers",
    "sends 900,000 attributes",
    "sends the good day",
)
BEHAVIORS = {behavior.name: behavior for behavior in behaviors()}


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


def test_each_behavior_has_a_name_of_its_own():
    assert len(BEHAVIORS) == len(behaviors()) > 80
