"""The polite session, tested with a real server."""

from __future__ import annotations

import gzip
import re
import time

import pytest
from conftest import PROJECT
from server import in_turn, reply, reset, serving

from pipeline.fetching import web
from pipeline.fetching.web import DownloadError

PAGE = b"<html>page</html>"


@pytest.fixture
def session():
    with web.session(delay=0) as session:
        yield session


def failure(session: web.Session, url: str) -> str:
    """Request a page that does not come; return what happened to it."""
    with pytest.raises(DownloadError) as error:
        web.get(session, url)
    text = str(error.value)
    assert (text.isprintable(), len(text) < 400) == (True, True)
    assert text.startswith(url.rpartition("/")[0]), "the message names the URL"
    return text


def test_a_page_comes_as_it_is_and_we_say_who_we_are(site, session):
    site.pages["/page"] = reply(PAGE, Set_Cookie="a=b")
    for _ in range(2):
        got = web.get(session, f"{site.url}/page")
        assert (got.url, got.status, got.body) == (f"{site.url}/page", 200, PAGE)
    assert [path for path, _ in site.asked] == ["/robots.txt", "/page", "/page"]
    assert site.asked[-1][1]["User-Agent"].startswith("bee-wordlist/0.")
    assert "Cookie" not in site.asked[-1][1]


def test_no_password_of_the_computer_is_sent(site, session, tmp_path, monkeypatch):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ann password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    site.pages["/page"] = reply(PAGE)
    web.get(session, f"{site.url}/page")
    assert "Authorization" not in site.asked[-1][1]


def test_a_compressed_page_is_unpacked_and_may_have_5_mb(site, session):
    page = bytes(web.MAX_BYTES)
    site.pages["/page"] = reply(gzip.compress(page), Content_Encoding="gzip")
    assert web.get(session, f"{site.url}/page").body == page


def test_a_page_that_did_not_change_does_not_come_again(site, session):
    site.pages["/page"] = in_turn(reply(PAGE, ETag='"v1"', Last_Modified="yesterday"), reply(b"", 304))
    got = web.get(session, f"{site.url}/page")
    again = web.get(session, f"{site.url}/page", got.headers)
    assert (again.status, again.body) == (304, b"")
    asked = site.asked[-1][1]
    assert (asked["If-None-Match"], asked["If-Modified-Since"]) == ('"v1"', "yesterday")
    assert "status 304" in failure(session, f"{site.url}/page"), "nobody named a version"


@pytest.mark.parametrize(
    ("answer", "says", "attempts"),
    [
        (reply(b"", 404), "There is no such page.", 1),
        (reply(b"", 410), "There is no such page.", 1),
        (reply(b"", 503), "status 503", 4),
        (reply(b"", 429), "status 429", 4),
        (reply(b"", 429, Retry_After="61"), "status 429, with a pause of 61 seconds", 1),
        (reply(b"", 302, Location="https://example.org/login?next=/page"), "another site, https://example.org.", 1),
        (reply(b"", 302, Location="/page"), "redirects more than 5 times", 6),
        (reply(bytes(web.MAX_BYTES + 1)), "more than 5 MB", 1),
        (reply(PAGE, Content_Encoding="gzip"), "decompressing", 1),
        (reset, "Connection reset by peer", 4),
    ],
)
def test_what_is_no_page_is_named(site, session, answer, says, attempts):
    site.pages["/page"] = answer
    assert says in failure(session, f"{site.url}/page")
    assert len(site.paths()) == attempts


@pytest.mark.parametrize("url", ["file:///etc/hosts", "page", "", "http://["])
def test_what_is_no_address_is_named(session, url):
    with pytest.raises(DownloadError):
        web.get(session, url)


@pytest.fixture
def slept(monkeypatch) -> list[float]:
    """The pauses in seconds, which are not made."""
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    return pauses


def test_a_temporary_failure_is_tried_again_after_growing_pauses(site, slept):
    site.pages["/page"] = in_turn(reply(b"", 503), reset, reply(b"", 500), reply(PAGE))
    with web.session(delay=5) as session:
        assert web.get(session, f"{site.url}/page").body == PAGE
    assert slept[-3:] == [5, 10, 20]


def test_the_pause_that_a_site_asks_for_is_made(site, session, slept):
    site.pages["/page"] = in_turn(reply(b"", 429, Retry_After="60"), reply(PAGE))
    assert web.get(session, f"{site.url}/page").body == PAGE
    assert slept[-1] == 60


@pytest.mark.parametrize(("robots", "pause"), [(b"", 5), (b"User-agent: *\nCrawl-delay: 60", 60)])
def test_two_requests_to_a_host_are_apart(site, slept, robots, pause):
    site.pages = {"/robots.txt": reply(robots), "/page": reply(PAGE)}
    with web.session(delay=5) as session, serving() as other:
        other.pages["/page"] = reply(PAGE)
        for url in (site.url, other.url, site.url):
            web.get(session, f"{url}/page")
    assert slept == pytest.approx([pause, 5, pause], abs=4)


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        (reply(b"User-agent: *\nDisallow: /"), False),
        (reply(b"User-agent: bee-wordlist\nDisallow: /page\n\nUser-agent: *\nAllow: /"), False),
        (reply(b"User-agent: *\nDisallow: /p\n\n# ours\nAllow: /page"), True),
        (reply(b"User-agent: *\nCrawl-delay: 61"), False),
        (reply(b"", 400), True),
        (reply(b"", 500), False),
        (reply(b"\x00\xff<html>no rules here"), True),
    ],
)
def test_robots_txt_is_obeyed(site, session, robots, allowed):
    site.pages = {"/robots.txt": robots, "/page": reply(PAGE)}
    if allowed:
        assert web.get(session, f"{site.url}/page").body == PAGE
        return
    failure(session, f"{site.url}/page")
    site.asked.clear()
    failure(session, f"{site.url}/page")
    assert site.asked == [], "a site that does not allow it is not asked again"


def test_redirects_on_the_site_are_followed(site, session):
    for hop in range(5):
        site.pages[f"/{hop}"] = reply(b"", 302, Location=f"/{hop + 1}")
    site.pages["/5"] = reply(PAGE)
    got = web.get(session, f"{site.url}/0")
    assert (got.url, got.body) == (f"{site.url}/5", PAGE)


def test_nothing_else_speaks_to_the_network():
    for path in (PROJECT / "pipeline").rglob("*.py"):
        found = re.search(r"^\s*(import|from) (requests|urllib3|urllib\.request|socket|http)\b", path.read_text(), re.M)
        assert not found or path.name == "web.py", path
