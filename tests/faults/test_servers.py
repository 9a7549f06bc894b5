"""Hostile servers that people meet: each answers a real fetch; outcome, time and memory of the fetch are checked."""

from __future__ import annotations

import datetime
import gzip
import json
import time
import tracemalloc
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from server import Answer, drip, reply, reset, serving

from pipeline.fetching import backfill, captures, web
from pipeline.fetching.captures import Request
from pipeline.fetching.schedule import Sightings
from pipeline.sources import LIVE_SITES

DATE = "2025-01-02"
NOW = datetime.datetime(2025, 1, 5, 12, tzinfo=datetime.UTC)
PATIENCE = 0.2
"""Seconds between two parts of a response, and for a whole one."""
SECONDS, MEMORY = 20, 200
"""The allowed time of a fetch, and the allowed growth in MB."""


def day_json(**changed: object) -> bytes:
    """A valid day from the JSON endpoint, with some changes."""
    good = {"id": 1, "center_letter": "e", "outer_letters": "acnotv", "pangrams": ["covenant"], "print_date": DATE}
    return json.dumps(good | {"answers": ["cent", "cove", "octave", "tote"]} | changed).encode()


def held(handler: BaseHTTPRequestHandler) -> None:
    """Answer nothing until the client hangs up."""
    handler.connection.settimeout(10)
    handler.connection.recv(1)


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Send a body as long as the client listens."""
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(bytes(65_536))


PAGE = (Path(__file__).parents[1] / "sources/pages/definitions.html").read_bytes()
LIST = b'<div id="main-answer-list" class="answer-list">'
HALF_GZIP = gzip.compress(day_json())[:-30]
BEHAVIORS: dict[str, tuple[str, Answer, str]] = {
    "refuses": ("nyt", reply(b"", 403), "status 403"),
    "hangs up": ("nyt", reset, "Connection reset"),
    "never answers": ("nyt", held, "timed out"),
    "drips": ("nyt", drip, "took longer"),
    "sends a bomb": ("nyt", reply(gzip.compress(bytes(60_000_000)), Content_Encoding="gzip"), "more than 5 MB"),
    "sends a body without end": ("nyt", endless, "more than 5 MB"),
    "sends half a page": ("nytbee", reply(PAGE[: len(PAGE) // 2]), "2025-01-02"),
    "sends half of its JSON": ("nyt", reply(day_json()[:60]), "incomplete or damaged"),
    "sends half of its gzip": ("nyt", reply(HALF_GZIP, Content_Encoding="gzip"), "incomplete or damaged"),
    "redirects to a login": ("nyt", reply(b"", 302, Location="https://example.org/login"), "another site"),
    "sends HTML for JSON": ("nyt", reply(b"<html><h1>Maintenance</h1></html>"), "none of the formats"),
    "sends another day": ("nyt", reply(day_json(print_date="2025-01-01")), "another day"),
    "sends 40,000 nested tags": ("nytbee", reply(PAGE.replace(LIST, LIST + b"<li>" * 40_000)), "2025-01-02"),
    "sends the good day": ("nyt", reply(day_json()), ""),
}
"""The source, the response of the server, and a part of the sentence about it."""


def fetch(source: str, url: str, folder: Path) -> Request:
    """Ask a source at an address for one day."""
    settings = {"BEE_NYT_URL": url, "BEE_NYTBEE_URL": url}
    options = backfill.FetchOptions((source,), DATE, DATE)
    plan = backfill.prepare(options, settings, NOW, Sightings({}), (), ())
    with web.session(delay=0) as session, captures.opened(folder / "captures.db", create=True) as database:
        (request,) = backfill.backfill(plan, session, database, plan.dates, lambda: NOW)
        (kept,) = database.execute("SELECT count(*) FROM captures").fetchone()
    assert kept == (request.outcome == "new")
    return request


@pytest.mark.slow
@pytest.mark.parametrize("name", BEHAVIORS)
def test_a_hostile_server_is_given_up_in_time_and_named(name, tmp_path, monkeypatch):
    source, answer, says = BEHAVIORS[name]
    for limit in ("TIMEOUT", "MAX_SECONDS"):
        monkeypatch.setattr(web, limit, PATIENCE if name in ("never answers", "drips") else 30.0)
    tracemalloc.start()
    started = time.monotonic()
    with serving() as site:
        site.pages[LIVE_SITES[source].url_for("", DATE)] = answer
        request = fetch(source, site.url, tmp_path)
    seconds = time.monotonic() - started
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert request.outcome == ("new" if name == "sends the good day" else "failed")
    assert (says in request.detail, request.detail.isprintable()) == (True, True), request.detail
    assert seconds <= SECONDS
    assert peak / 1e6 <= MEMORY
