"""The polite session, tested with a real server."""

from __future__ import annotations

import gzip
import itertools
import re
import socket
import time
from http.server import BaseHTTPRequestHandler

import pytest
from conftest import PROJECT
from server import Site, drip, in_turn, nobody, reply, reset, serving

from pipeline.fetching import web
from pipeline.fetching.web import DownloadError, MissingPageError

PAGE = b"<html>page</html>"
LARGE = bytes(20_000_000)


@pytest.fixture
def session():
    with web.session(delay=0) as session:
        yield session


def failure(session: web.Session, url: str) -> str:
    """Request a page that does not come; return what happened to it."""
    with pytest.raises(DownloadError) as error:
        web.get(session, url)
    text = str(error.value)
    assert (text.isprintable(), len(text) < 400, error.value.exit_code) == (True, True, 1)
    assert text.startswith(url.rpartition("/")[0]), "the message names the URL"
    return text


def half(handler: BaseHTTPRequestHandler) -> None:
    """Send a part of a body, and hang up."""
    reply(PAGE, Content_Length="5000")(handler)
    handler.connection.shutdown(socket.SHUT_RDWR)


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


def test_a_compressed_page_is_unpacked(site, session):
    site.pages["/page"] = reply(gzip.compress(PAGE), Content_Encoding="gzip")
    assert web.get(session, f"{site.url}/page").body == PAGE


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
        (reply(b"", 403), "status 403", 1),
        (reply(b"", 503), "status 503", 4),
        (reply(b"", 429), "status 429", 4),
        (reply(b"", 429, Retry_After="61"), "status 429, with a pause of 61 seconds", 1),
        (reply(b"", 302, Location="https://example.org/login?next=/page"), "another site, https://example.org.", 1),
        (reply(b"", 302, Location="https://\x1b31m.org/"), "another site, https://?31m.org.", 1),
        (reply(b"", 302, Location="/page"), "redirects more than 5 times", 6),
        (reply(LARGE), "more than 5 MB", 1),
        (reply(gzip.compress(LARGE), Content_Encoding="gzip"), "more than 5 MB", 1),
        (reply(PAGE, Content_Encoding="gzip"), "decompressing", 1),
        (reset, "Connection reset by peer", 4),
        (half, "4983 more expected", 1),
        (lambda handler: handler.wfile.write(b"SSH-2.0-" + b"x" * 5000 + b"\r\n"), "SSH-2.0-", 4),
    ],
)
def test_what_is_no_page_is_named(site, session, answer, says, attempts):
    site.pages["/page"] = answer
    assert says in failure(session, f"{site.url}/page")
    assert len(site.paths()) == attempts


def test_a_missing_page_is_a_case_of_its_own(site, session):
    site.pages["/there"] = reply(b"", 403)
    with pytest.raises(MissingPageError):
        web.get(session, f"{site.url}/page")
    with pytest.raises(DownloadError) as error:
        web.get(session, f"{site.url}/there")
    assert not isinstance(error.value, MissingPageError)


def test_a_site_that_is_not_there_is_named(session):
    with nobody() as gone:
        assert "Connection refused" in failure(session, f"{gone}/page")


@pytest.mark.parametrize("url", ["file:///etc/hosts", "page", "", "http://", "http://[", "http://x:y/"])
def test_what_is_no_address_is_named(session, url):
    with pytest.raises(DownloadError):
        web.get(session, url)


def test_a_silent_site_and_one_that_drips_are_given_up(site, session, monkeypatch):
    """Without a limit, the response would never end."""
    site.pages["/page"] = drip
    monkeypatch.setattr(web, "MAX_SECONDS", 0.1)
    assert "took longer than" in failure(session, f"{site.url}/page")
    monkeypatch.setattr(web, "TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert "timed out" in failure(session, f"http://127.0.0.1:{silent.getsockname()[1]}/page")


def moments(site: Site, answer, path: str = "/page") -> list[float]:
    """Let a site give an answer; return a list to which the time of each request is added."""
    times: list[float] = []

    def timed(handler: BaseHTTPRequestHandler) -> None:
        times.append(time.monotonic())
        answer(handler)

    site.pages[path] = timed
    return times


def test_a_temporary_failure_is_tried_again_after_growing_pauses(site):
    times = moments(site, in_turn(reply(b"", 503), reset, reply(b"", 500), reply(PAGE)))
    with web.session(delay=0.02) as session:
        assert web.get(session, f"{site.url}/page").body == PAGE
    pauses = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(pauses) == 3
    assert all(pause >= least for pause, least in zip(pauses, (0.02, 0.04, 0.08), strict=True))


def test_the_pause_that_a_site_asks_for_is_made(site, session):
    times = moments(site, in_turn(reply(b"", 429, Retry_After="1"), reply(PAGE)))
    assert web.get(session, f"{site.url}/page").body == PAGE
    assert times[1] - times[0] >= 1


@pytest.mark.parametrize(("robots", "least"), [(b"", 0.05), (b"User-agent: *\nCrawl-delay: 1", 1)])
def test_two_requests_to_a_host_are_apart(site, robots, least):
    site.pages["/robots.txt"] = reply(robots)
    times = moments(site, reply(PAGE))
    with web.session(delay=0.05) as session, serving() as other:
        for url in (site.url, other.url, site.url):
            other.pages["/page"] = reply(PAGE)
            web.get(session, f"{url}/page")
    assert times[1] - times[0] >= least


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        (reply(b"User-agent: *\nDisallow: /"), False),
        (reply(b"User-agent: bee-wordlist\nDisallow: /page\n\nUser-agent: *\nAllow: /"), False),
        (reply(b"User-agent: *\nDisallow: /p\n\n# ours\nAllow: /page"), True),
        (reply(b"User-agent: *\nAllow: /p\nDisallow: /page"), False),
        (reply(b"User-agent: *\nCrawl-delay: 61"), False),
        (reply(b"", 403), True),
        (reply(b"", 500), False),
        (reset, False),
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
        found = re.findall(
            r"^\s*(?:import|from) (requests|urllib3|urllib\.request|socket|http)\b", path.read_text(), re.M
        )
        assert not found or path.name == "web.py", path
