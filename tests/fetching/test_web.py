"""The polite session, tested with a real server that has every fault."""

from __future__ import annotations

import email.utils
import gzip
import re
import threading
import time
from http.server import BaseHTTPRequestHandler

import pytest
from conftest import PROJECT
from server import bomb, drip, in_turn, nobody, reply, reset, serving

from pipeline.fetching import download, web
from pipeline.fetching.download import REASONS, WebError

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
    with pytest.raises(WebError) as refusal:
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


def test_a_host_gets_one_request_in_two_seconds(site, session, clock):
    site.pages["/page"] = reply(PAGE, Set_Cookie="a=b")
    for _ in range(3):
        web.get(session, f"{site.url}/page")
    assert clock.slept == [2.0, 2.0, 2.0]
    assert "Cookie" not in site.asked[-1][1]
    assert len([path for path, _ in site.asked if path == "/robots.txt"]) == 1


def test_two_hosts_do_not_wait_for_each_other(site, session, clock):
    with serving() as other:
        for each in (site, other):
            each.pages["/page"] = reply(PAGE)
            web.get(session, f"{each.url}/page")
    assert clock.slept == [2.0, 2.0]  # between robots.txt and the page


@pytest.mark.parametrize(
    "text", ["User-agent: *\nDisallow: /", "User-agent: bee-wordlist\nDisallow: /page\n\nUser-agent: *\nAllow: /"]
)
def test_robots_txt_is_obeyed(site, session, text):
    site.pages = {"/robots.txt": reply(text.encode()), "/page": reply(PAGE)}
    assert refused(session, f"{site.url}/page") == "robots"
    assert site.paths() == []


@pytest.mark.parametrize("text", ["User-agent: *\nCrawl-delay: 7", "User-agent: *\nRequest-rate: 1/7"])
def test_crawl_delay_is_obeyed(site, session, clock, text):
    site.pages = {"/robots.txt": reply(text.encode()), "/page": reply(PAGE)}
    web.get(session, f"{site.url}/page")
    assert clock.slept == [7.0]


def test_a_crawl_delay_that_amounts_to_no_is_a_no(site, session):
    site.pages = {"/robots.txt": reply(b"User-agent: *\nCrawl-delay: 86400"), "/page": reply(PAGE)}
    assert refused(session, f"{site.url}/page") == "robots"


@pytest.mark.parametrize(("seconds", "obeyed"), [(299, True), (300, True), (301, False)])
def test_a_pause_of_up_to_five_minutes_is_waited_for(site, session, clock, seconds, obeyed):
    site.pages = {"/robots.txt": reply(f"User-agent: *\nCrawl-delay: {seconds}".encode()), "/page": reply(PAGE)}
    if obeyed:
        assert web.get(session, f"{site.url}/page").body == PAGE
        assert clock.slept == [seconds]
    else:
        assert refused(session, f"{site.url}/page") == "robots"


@pytest.mark.parametrize(("seconds", "obeyed"), [(299, True), (300, True), (301, False)])
def test_a_retry_after_of_up_to_five_minutes_is_waited_for(site, session, clock, seconds, obeyed):
    site.pages["/page"] = in_turn(reply(b"", 429, Retry_After=str(seconds)), reply(PAGE))
    if obeyed:
        assert web.get(session, f"{site.url}/page").body == PAGE
        assert clock.slept == [2.0, seconds]
    else:
        assert refused(session, f"{site.url}/page") == "busy"


@pytest.mark.parametrize(("budget", "reason"), [(1.5, "busy"), (2.0, ""), (2.5, "")])
def test_a_pause_that_is_longer_than_the_time_that_is_left_is_not_waited_for(site, session, budget, reason):
    """Between robots.txt and the page the session waits for two seconds."""
    site.pages = {"/robots.txt": reply(b""), "/page": reply(PAGE)}
    if reason:
        with pytest.raises(WebError) as error:
            web.get(session, f"{site.url}/page", budget=budget)
        assert error.value.reason == reason
    else:
        assert web.get(session, f"{site.url}/page", budget=budget).body == PAGE


@pytest.mark.parametrize("hops", [4, 5, 6])
def test_up_to_five_redirects_are_followed(site, session, hops):
    for hop in range(hops):
        site.pages[f"/{hop}"] = reply(b"", 302, Location=f"/{hop + 1}")
    site.pages[f"/{hops}"] = reply(PAGE)
    if hops <= 5:
        assert web.get(session, f"{site.url}/0").body == PAGE
    else:
        assert refused(session, f"{site.url}/0") == "redirect-loop"


@pytest.mark.parametrize("size", [4_999_999, 5_000_000, 5_000_001])
@pytest.mark.parametrize("packed", [True, False])
def test_a_response_has_up_to_5_mb(site, session, size, packed):
    body = gzip.compress(bytes(size), mtime=0) if packed else bytes(size)
    site.pages["/page"] = reply(body, **({"Content_Encoding": "gzip"} if packed else {}))
    if size <= 5_000_000:
        assert len(web.get(session, f"{site.url}/page").body) == size
    else:
        assert refused(session, f"{site.url}/page") == "too-large"


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


@pytest.mark.parametrize(
    ("says", "waits"),
    [("30", 30), ("a date", 55), ("soon", 2), ("-5", 2), ("", 2)],
)
def test_retry_after_is_honoured(site, session, clock, says, waits):
    if says == "a date":
        says = email.utils.formatdate(time.time() + 60, usegmt=True)
    site.pages["/page"] = in_turn(reply(b"", 429, Retry_After=says), reply(PAGE))
    assert web.get(session, f"{site.url}/page").body == PAGE
    assert waits <= clock.slept[1] <= waits + 5


def test_a_host_that_wants_to_be_left_alone_is_left_alone(site, session, clock):
    site.pages["/page"] = reply(b"", 429, Retry_After="9" * 400)
    assert refused(session, f"{site.url}/page") == "busy"
    assert site.paths() == ["/page"]
    assert clock.slept == [2.0]


@pytest.mark.parametrize(
    ("reason", "answer", "asked"),
    [
        ("missing", reply(b"", 404), 1),
        ("missing", reply(b"", 410), 1),
        ("forbidden", reply(b"", 403), 1),
        ("forbidden", reply(b"", 401), 1),
        ("busy", reply(b"", 429), 4),
        ("server-error", reply(b"", 500), 4),
        ("server-error", reply(b"", 503), 4),
        ("unexpected-status", reply(b"", 204), 1),
        ("unexpected-status", reply(b"", 302), 1),
        ("unexpected-status", reply(b"", 418), 1),
        ("hung-up", reset, 4),
        ("cut-short", reply(PAGE, Content_Length="99"), 4),
        ("cut-short", reply(b"5\r\nabc", Transfer_Encoding="chunked", Content_Length=""), 4),
        ("cut-short", reply(gzip.compress(PAGE * 9, mtime=0)[:-9], Content_Encoding="gzip"), 4),
        ("garbled", reply(PAGE, Content_Length="-5"), 4),
        ("garbled", reply(PAGE, Content_Length="five"), 4),
        ("garbled", raw(b"SSH-2.0-OpenSSH_9.6\r\n"), 4),
        ("garbled", raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 101), 4),
        ("garbled", raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"), 4),
        ("garbled", raw(b"HTTP/1.1 200 OK\r\nA: " + b"b" * 70_000), 4),
        ("hung-up", raw(b""), 4),
        ("damaged", reply(PAGE, Content_Encoding="gzip"), 1),
        ("damaged", reply(PAGE, Content_Encoding="gzip, gzip, br"), 1),
        ("too-large", reply(bytes(5_000_001)), 1),
        ("too-large", reply(bytes(5_000_001), Content_Length="5"*20), 1),
        ("too-large", reply(b"", Content_Length="5000001"), 1),
        ("cut-short", reply(b"", Content_Length="5000000"), 4),
        ("too-large", raw(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(5_000_001)), 1),
        ("too-large", bomb(30), 1),
        ("off-site", reply(b"", 302, Location="https://example.org/page"), 1),
        ("off-site", reply(b"", 301, Location="//example.org/page"), 1),
        ("off-site", reply(b"", 301, Location="https://127.0.0.1/page"), 1),
        ("bad-url", reply(b"", 301, Location="file:///etc/hosts"), 1),
        ("bad-url", reply(b"", 301, Location="http://[bad"), 1),
        ("too-large", reply(LARGE, 302, Location="/page", Content_Encoding="gzip"), 1),
        ("redirect-loop", reply(b"", 302, Location="/page"), 6),
    ],
)  # fmt: skip
def test_every_fault_has_its_name(site, session, reason, answer, asked):
    site.pages["/page"] = answer
    assert refused(session, f"{site.url}/page") == reason
    assert site.paths() == ["/page"] * asked


def test_a_response_may_have_five_million_bytes(site, session):
    for answer in (reply(bytes(5_000_000)), raw(b"HTTP/1.1 200 OK\r\n\r\n" + bytes(5_000_000))):
        site.pages["/page"] = answer
        assert web.get(session, f"{site.url}/page").body == bytes(5_000_000)


def test_a_length_that_is_too_small_cuts_the_page(site, session):
    """Which only the page's own totals can tell."""
    site.pages["/page"] = reply(PAGE, Content_Length="3")
    assert web.get(session, f"{site.url}/page").body == PAGE[:3]


def test_a_packed_page_is_unpacked_and_a_redirect_on_the_site_followed(site, session):
    site.pages["/old"] = reply(b"", 301, Location="/page")
    site.pages["/page"] = reply(gzip.compress(PAGE, mtime=0), Content_Encoding="gzip")
    got = web.get(session, f"{site.url}/old")
    assert (got.url, got.body) == (f"{site.url}/page", PAGE)


def test_a_response_that_drips_for_ever_is_given_up(site, monkeypatch):
    monkeypatch.setattr(web, "ATTEMPTS", 2)
    site.pages["/page"] = drip
    with web.session(delay=0, patience=0.3) as session:
        started = time.monotonic()
        assert refused(session, f"{site.url}/page") == "timeout"
    assert time.monotonic() - started < 60  # without patience it would never end
    assert site.paths() == ["/page"] * 2
    while any(thread.name == download.THREAD for thread in threading.enumerate()):
        assert time.monotonic() - started < 60, "a request that was given up goes on"
        time.sleep(0.01)


@pytest.mark.parametrize(("budget", "asked"), [(2, 1), (3.9, 1), (6.1, 2), (12.1, 3), (99, 4)])
def test_nothing_is_tried_again_beyond_the_budget(site, session, budget, asked):
    """Pauses of 2 to 4, 4 to 6 and 8 to 10 s lie between attempts, and 2 s before the first."""
    site.pages["/page"] = reply(b"", 500)
    with pytest.raises(WebError, match="reports a server error"):
        web.get(session, f"{site.url}/page", budget=budget)
    assert len(site.paths()) == asked


def test_a_pause_that_is_longer_than_the_budget_is_not_waited_for(site, session, clock):
    site.pages = {"/robots.txt": reply(b"User-agent: *\nCrawl-delay: 200"), "/page": reply(PAGE)}
    with pytest.raises(WebError) as refusal:
        web.get(session, f"{site.url}/page", budget=199)
    assert (refusal.value.reason, clock.slept, site.paths()) == ("busy", [], [])
    assert web.get(session, f"{site.url}/page", budget=200).body == PAGE
    assert clock.slept == [200.0]


def test_only_the_first_half_megabyte_of_robots_txt_counts(site, session):
    rule = b"User-agent: *\nDisallow: /page\n"
    for at, allowed in ((0, False), (web.LONGEST_ROBOTS - len(rule), False), (web.LONGEST_ROBOTS, True)):
        site.pages = {"/robots.txt": reply(b"\n" * at + rule), "/page": reply(PAGE)}
        session.robots.clear()
        if allowed:
            assert web.get(session, f"{site.url}/page").body == PAGE
        else:
            assert refused(session, f"{site.url}/page") == "robots"


def test_a_silent_host_is_given_up(site, session, monkeypatch):
    monkeypatch.setattr(download, "TIMEOUT", (0.2, 0.2))
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
        assert not found or path.name in ("download.py", "web.py", "wire.py"), path


def test_every_reason_is_a_sentence():
    assert all(sentence.endswith((".", "?")) for sentence in REASONS.values())
