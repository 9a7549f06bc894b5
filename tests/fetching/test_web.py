"""The polite session, tested with a real server that has every fault."""

from __future__ import annotations

import email.utils
import gzip
import re
import time
from http.server import BaseHTTPRequestHandler

import pytest
from conftest import PROJECT
from server import drip, in_turn, nobody, reply, reset, serving

from pipeline.fetching import web
from pipeline.fetching.web import REASONS, DownloadError

PAGE = b"<html>page</html>"

LARGE = gzip.compress(bytes(30_000_000), mtime=0)


class Clock:
    """Time that passes only during sleep."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(clock):
    with web.session(sleep=clock.sleep, clock=clock) as session:
        yield session


def raw(data: bytes):
    """A response with these bytes and nothing else, valid HTTP or not."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return answer


def refused(session: web.Session, url: str) -> str:
    with pytest.raises(DownloadError) as refusal:
        web.get(session, url)
    assert REASONS[refusal.value.reason] in str(refusal.value)
    assert refusal.value.exit_code == 3
    return refusal.value.reason


def test_a_page_comes_as_it_is_and_we_say_who_we_are(site, session):
    site.pages["/page"] = reply(PAGE)
    got = web.get(session, f"{site.url}/page")
    assert (got.status, got.body) == (200, PAGE)
    assert [path for path, _ in site.asked] == ["/robots.txt", "/page"]
    assert site.asked[1][1]["User-Agent"].startswith("bee-wordlist/0.")
    assert "Cookie" not in site.asked[1][1]


def test_robots_txt_that_cannot_be_read_forbids_and_none_there_allows(site, session):
    site.pages = {"/robots.txt": reply(b"", 500), "/page": reply(PAGE)}
    assert refused(session, f"{site.url}/page") == "server-error"
    site.pages["/robots.txt"] = reply(b"\x00\xff<html>no rules here", 200)
    assert web.get(session, f"{site.url}/page").body == PAGE


def test_a_burst_of_failures_is_tried_again_with_growing_pauses(site, session, clock):
    site.pages["/page"] = in_turn(reply(b"", 500), reset, reply(b"", 503), reply(PAGE))
    assert web.get(session, f"{site.url}/page").body == PAGE
    first, *pauses = clock.slept
    assert first == 2.0
    assert len(pauses) == 3
    assert 2 <= pauses[0] <= 4 <= pauses[1] <= 6 <= 8 <= pauses[2] <= 10


def test_a_response_that_drips_for_ever_is_given_up(site, monkeypatch):
    monkeypatch.setattr(web, "MAX_ATTEMPTS", 2)
    site.pages["/page"] = drip
    with web.session(delay=0, timeout=0.3) as session:
        started = time.monotonic()
        assert refused(session, f"{site.url}/page") == "timeout"
    assert time.monotonic() - started < 60  # without a limit it would never end
    assert site.paths() == ["/page"] * 2


def test_only_the_first_half_megabyte_of_robots_txt_counts(site, session):
    rule = b"User-agent: *\nDisallow: /page\n"
    for at, allowed in ((0, False), (web.MAX_ROBOTS_BYTES - len(rule), False), (web.MAX_ROBOTS_BYTES, True)):
        site.pages = {"/robots.txt": reply(b"\n" * at + rule), "/page": reply(PAGE)}
        session.robots.clear()
        if allowed:
            assert web.get(session, f"{site.url}/page").body == PAGE
        else:
            assert refused(session, f"{site.url}/page") == "robots"


def test_a_silent_host_is_given_up(site, session, monkeypatch):
    monkeypatch.setattr(web, "READ_TIMEOUT", 0.2)
    site.pages["/page"] = lambda _: time.sleep(1)
    assert refused(session, f"{site.url}/page") == "timeout"


@pytest.mark.parametrize(
    "url", ["file:///etc/hosts", "ftp://x/y", "page", "", "http://", "http://[", "http://a:b@x/", "http://x:y/", "http://%"]
)  # fmt: skip
def test_only_http_is_spoken(session, url):
    assert refused(session, url) in ("bad-url", "unreachable")


def test_no_network_is_named(session, clock):
    with nobody() as gone:
        assert refused(session, f"{gone}/page") == "unreachable"
    assert len(clock.slept) == 3


def test_as_before_may_come_back(site, session):
    site.pages["/page"] = in_turn(reply(PAGE, ETag='"v1"', Last_Modified="yesterday"), reply(b"", 304))
    got = web.get(session, f"{site.url}/page")
    again = web.get(session, f"{site.url}/page", got.headers)
    assert (again.status, again.body) == (304, b"")
    asked = site.asked[-1][1]
    assert (asked["If-None-Match"], asked["If-Modified-Since"]) == ('"v1"', "yesterday")


def test_nothing_else_speaks_to_the_network():
    for path in (PROJECT / "pipeline").rglob("*.py"):
        found = set(
            re.findall(r"^\s*(?:import|from) (requests|urllib3|urllib\.request|socket|http)\b", path.read_text(), re.M)
        )
        assert not found or path.name == "web.py", path


def test_each_host_gets_one_request_in_two_seconds_and_no_cookie(site, session, clock):
    site.pages["/page"] = reply(PAGE, Set_Cookie="a=b")
    for _ in range(2):
        web.get(session, f"{site.url}/page")
    assert clock.slept == [2.0, 2.0], "the first pause is between robots.txt and the page"
    assert "Cookie" not in site.asked[-1][1]
    assert len([path for path, _ in site.asked if path == "/robots.txt"]) == 1
    with serving() as other:
        other.pages["/page"] = reply(PAGE)
        web.get(session, f"{other.url}/page")
    assert clock.slept == [2.0, 2.0, 2.0], "two hosts do not wait for each other"


@pytest.mark.parametrize(
    ("robots", "slept"),
    [
        ("User-agent: *\nDisallow: /", None),
        ("User-agent: bee-wordlist\nDisallow: /page\n\nUser-agent: *\nAllow: /", None),
        ("User-agent: *\nCrawl-delay: 7", 7),
        ("User-agent: *\nRequest-rate: 1/7", 7),
        ("User-agent: *\nCrawl-delay: 300", 300),
        ("User-agent: *\nCrawl-delay: 301", None),
    ],
)
def test_robots_txt_and_its_pauses_of_up_to_five_minutes_are_obeyed(site, session, clock, robots, slept):
    site.pages = {"/robots.txt": reply(robots.encode()), "/page": reply(PAGE)}
    if slept:
        assert web.get(session, f"{site.url}/page").body == PAGE
        assert clock.slept == [slept]
    else:
        assert refused(session, f"{site.url}/page") == "robots"
        assert site.paths() == []


@pytest.mark.parametrize(
    ("after", "waits"),
    [("30", 30), ("a date", 55), ("soon", 2), ("-5", 2), ("", 2), ("300", 300), ("301", None), ("9" * 400, None)],
)
def test_a_retry_after_of_up_to_five_minutes_is_waited_for(site, session, clock, after, waits):
    if after == "a date":
        after = email.utils.formatdate(time.time() + 60, usegmt=True)
    site.pages["/page"] = in_turn(reply(b"", 429, Retry_After=after), reply(PAGE))
    if waits:
        assert web.get(session, f"{site.url}/page").body == PAGE
        assert waits <= clock.slept[1] <= waits + 5
    else:
        assert refused(session, f"{site.url}/page") == "busy"
        assert (site.paths(), clock.slept) == (["/page"], [2.0])


@pytest.mark.parametrize(("after", "asked"), [("139", 4), ("141", 3), ("211", 2)])
def test_no_attempt_begins_after_seven_minutes(site, session, after, asked, monkeypatch):
    """The pauses would take three times as long; the clock of the library stands still."""
    site.pages["/page"] = reply(b"", 503, Retry_After=after)
    monkeypatch.setattr("time.monotonic", session.clock)
    assert refused(session, f"{site.url}/page") == "server-error"
    assert len(site.paths()) == asked


@pytest.mark.parametrize("hops", [1, 5, 6])
def test_up_to_five_redirects_on_the_site_are_followed(site, session, hops):
    for hop in range(hops):
        site.pages[f"/{hop}"] = reply(b"", 302, Location=f"/{hop + 1}")
    site.pages[f"/{hops}"] = reply(PAGE)
    if hops <= 5:
        got = web.get(session, f"{site.url}/0")
        assert (got.url, got.body) == (f"{site.url}/{hops}", PAGE)
    else:
        assert refused(session, f"{site.url}/0") == "redirect-loop"


@pytest.mark.parametrize(("size", "fits"), [(5_000_000, True), (5_000_001, False)])
@pytest.mark.parametrize("how", ["plain", "packed", "without its length"])
def test_a_response_has_up_to_5_mb(site, session, size, fits, how):
    site.pages["/page"] = {
        "plain": lambda: reply(bytes(size)),
        "packed": lambda: reply(gzip.compress(bytes(size), mtime=0), Content_Encoding="gzip"),
        "without its length": lambda: raw(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(size)),
    }[how]()
    if fits:
        assert web.get(session, f"{site.url}/page").body == bytes(size)
    else:
        assert refused(session, f"{site.url}/page") == "too-large"
