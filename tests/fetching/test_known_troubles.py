"""A refused page that nobody needs is reported once. Then `bee status` lists it, with the command that stops the
requests."""

import re
import shlex

import pytest
from server import reply
from test_fetch_live import HOUR, NO_DECISIONS, NOW, json_of, page_of, path_of, redirect

from pipeline.facts.day_decisions import not_asked
from pipeline.fetching import backfill, schedule, web
from pipeline.fetching.backfill import FetchOptions
from pipeline.fetching.schedule import History
from pipeline.run import registry
from pipeline.store import Workspace

SETTLED, FRESH = "2025-01-03", "2025-01-04"
"""On NOW the list of the first day is final, and that of the second may still grow."""


def exit_code(workspace, site, date=SETTLED, now=NOW, covered=()) -> int:
    """Ask both sources for one day; return the exit code."""
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    options = FetchOptions(("nyt", "nytbee"), since=date, until=date, second_witness="always")
    work = backfill.prepare(workspace, options, settings, now, covered, NO_DECISIONS)
    with web.session(delay=0) as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: now))
    return backfill.exit_code(work, asks)


def wrong_page(site, date) -> None:
    """Let nyt have a day, and nytbee a page of it without the pangram."""
    site.pages[path_of("nyt", date)] = reply(json_of(date))
    site.pages[path_of("nytbee", date)] = reply(page_of(date).replace(b"covenant", b"covet"))


MAINTENANCE = reply(b"<html><h1>Maintenance</h1></html>")


@pytest.mark.parametrize(
    ("source", "answer", "covered", "codes"),
    [
        ("", None, (), [3, 0, 0]),
        ("nytbee", MAINTENANCE, (), [3, 3, 0]),
        ("nyt", reply(b"", 404), (), [3, 3, 3]),
        ("nytbee", reply(b"", 403), (), [3, 3, 3]),
        ("", None, {SETTLED}, [0, 0, 0]),
    ],
    ids=["the same page", "another reason", "nobody has the day", "no programs", "the record has the day"],
)
def test_a_refused_page_that_nobody_needs_is_told_once(site, workspace, source, answer, covered, codes):
    """After the first fetch, or before it if no other one has the day, a source gives another answer."""
    wrong_page(site, SETTLED)
    told = []
    for hours in range(3):
        if source and (hours or answer is not MAINTENANCE):
            site.pages[path_of(source, SETTLED)] = answer
        told.append(exit_code(workspace, site, now=NOW + hours * HOUR, covered=covered))
    assert told == codes


def test_a_page_is_told_once_from_the_moment_its_list_settles(site, workspace):
    wrong_page(site, FRESH)
    settled = schedule.settled_at(FRESH)
    moments = (settled - HOUR, settled - HOUR / 3600, settled, settled + HOUR)
    assert [exit_code(workspace, site, FRESH, at) for at in moments] == [0, 0, 3, 0]


def request(outcome: str) -> dict[tuple[str, str], dict[str, str]]:
    return {("nytbee", SETTLED): {"asked_at": NOW.isoformat(), "outcome": outcome}}


@pytest.mark.parametrize(
    ("held", "outcome", "ignored", "listed"),
    [
        (("nyt",), "no-pangram", (), True),
        ((), "no-pangram", (), False),
        (("nyt", "nytbee"), "no-pangram", (), False),
        (("nyt",), "challenge", (), False),
        (("nyt",), "error-page", (), True),
        (("nyt",), "no-pangram", (("nytbee", SETTLED),), False),
        (("nyt",), "no-pangram", (("nytbee", FRESH),), True),
    ],
)
def test_listed_are_the_pages_that_were_refused_for_what_they_say_and_that_nobody_needs(held, outcome, ignored, listed):
    history = History({SETTLED: dict.fromkeys(held, NOW.isoformat())}, request(outcome), not_asked=frozenset(ignored))
    found = schedule.refused_pages(history, backfill.REFUSED_PAGES)
    assert [(page.source, page.date, page.reason) for page in found] == [("nytbee", SETTLED, outcome)] * listed


@pytest.fixture
def live(bee, monkeypatch, site):
    redirect(monkeypatch, site.url)
    return bee


@pytest.mark.slow
def test_the_command_that_status_prints_ends_it_for_this_source_alone(ran, live, site):
    wrong_page(site, SETTLED)
    fetch = ("fetch", "--source", "nyt,nytbee", "--since", SETTLED, "--until", SETTLED, "--data", ran)
    assert [live(*fetch).code for _ in range(2)] == [3, 0]
    told = live("status", "--data", ran).out
    assert "1 page for days that another source has" in told
    assert f"nytbee {SETTLED} (no-pangram)" in told
    (command,) = re.findall(rf"`(bee day {SETTLED}[^`]*)`", told)
    assert live(*shlex.split(command)[1:], "--by", "ann").code == 0
    assert not_asked(registry.load(Workspace(ran), "day_decisions")) == {("nytbee", SETTLED)}
    site.asked.clear()
    assert live(*fetch).code == 0
    assert path_of("nytbee", SETTLED) not in site.paths()
    assert live("run", "--data", ran).code == 0
    assert SETTLED in registry.load(Workspace(ran), "puzzles")["date"].tolist()
    assert "no page" in live("status", "--data", ran).out
