"""A refused page that nobody needs is told once; then `bee status` lists it, with the command that ends it."""

import datetime
import re
import shlex

import pytest
from conftest import keep
from server import reply
from test_fetch_live import NOW, json_of, page_of, path_of

from pipeline.facts.corrections import given_up
from pipeline.fetching import backfill, wanted, web
from pipeline.fetching.backfill import Wish
from pipeline.fetching.wanted import Known
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames

SETTLED, FRESH = "2025-01-03", "2025-01-04"
"""On NOW the list of the first day is final, and that of the second may still grow."""
HOUR = datetime.timedelta(hours=1)


def exit_code(workspace, site, date=SETTLED, now=NOW, covered=()) -> int:
    """Ask both sources for one day; return the exit code."""
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    wish = Wish(("nyt", "nytbee"), since=date, until=date, second="always")
    work = backfill.prepare(workspace, wish, settings, now, covered)
    with web.session(delay=0) as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: now))
    return backfill.exit_code(work, asks)


def wrong_page(site, date) -> None:
    """Let nyt have a day, and nytbee a page of it without the pangram."""
    site.pages[path_of("nyt", date)] = reply(json_of(date))
    site.pages[path_of("nytbee", date)] = reply(page_of(date).replace(b"covenant", b"covet"))


def test_the_same_refused_page_is_told_once(site, workspace):
    wrong_page(site, SETTLED)
    assert [exit_code(workspace, site, now=NOW + hours * HOUR) for hours in (0, 1, 2)] == [3, 0, 0]


def test_another_reason_is_told_again(site, workspace):
    wrong_page(site, SETTLED)
    assert exit_code(workspace, site) == 3
    site.pages[path_of("nytbee", SETTLED)] = reply(b"<html><h1>Maintenance</h1></html>")
    assert [exit_code(workspace, site, now=NOW + hours * HOUR) for hours in (1, 2)] == [3, 0]


def test_a_page_without_which_nobody_has_the_day_is_told_every_time(site, workspace):
    wrong_page(site, SETTLED)
    site.pages[path_of("nyt", SETTLED)] = reply(b"", 404)
    assert [exit_code(workspace, site, now=NOW + hours * HOUR) for hours in (0, 1)] == [3, 3]


def test_in_a_fresh_clone_a_page_of_a_day_that_the_record_has_is_no_news(site, workspace):
    wrong_page(site, SETTLED)
    assert exit_code(workspace, site, covered={SETTLED}) == 0


@pytest.mark.parametrize(("more", "code"), [(-1, 0), (0, 3), (1, 3)])
def test_a_page_is_told_from_the_moment_its_list_settles(site, workspace, more, code):
    wrong_page(site, FRESH)
    now = wanted.settles(FRESH) + datetime.timedelta(seconds=more)
    assert exit_code(workspace, site, FRESH, now) == code


def test_a_page_that_was_refused_before_it_settled_is_told_once_it_has(site, workspace):
    wrong_page(site, FRESH)
    settled = wanted.settles(FRESH)
    assert [exit_code(workspace, site, FRESH, at) for at in (settled - HOUR, settled, settled + HOUR)] == [0, 3, 0]


def test_a_source_that_refuses_programs_is_told_every_time(site, workspace):
    wrong_page(site, SETTLED)
    site.pages[path_of("nytbee", SETTLED)] = reply(b"", 403)
    assert [exit_code(workspace, site, now=NOW + hours * HOUR) for hours in (0, 1)] == [3, 3]


def request(outcome: str) -> dict[tuple[str, str], dict[str, str]]:
    return {("nytbee", SETTLED): {"asked_at": NOW.isoformat(), "outcome": outcome}}


@pytest.mark.parametrize(
    ("held", "outcome", "ignored", "listed"),
    [
        (("nyt",), "no-pangram", (), True),
        ((), "no-pangram", (), False),
        (("nyt", "nytbee"), "no-pangram", (), False),
        (("nyt",), "timeout", (), False),
        (("nyt",), "challenge", (), False),
        (("nyt",), "error-page", (), True),
        (("nyt",), "no-pangram", (("nytbee", SETTLED),), False),
        (("nyt",), "no-pangram", (("nytbee", FRESH),), True),
    ],
)
def test_listed_are_the_pages_that_were_refused_for_what_they_say_and_that_nobody_needs(held, outcome, ignored, listed):
    known = Known({SETTLED: dict.fromkeys(held, NOW.isoformat())}, request(outcome), given_up=frozenset(ignored))
    found = wanted.refused_pages(known, backfill.REFUSED_PAGES)
    assert [(page.source, page.date, page.reason) for page in found] == [("nytbee", SETTLED, outcome)] * listed


def test_the_command_that_status_prints_ends_it_for_this_source_alone(ran, bee, site, monkeypatch):
    monkeypatch.setenv("BEE_NYT_URL", site.url)
    monkeypatch.setenv("BEE_NYTBEE_URL", site.url)
    monkeypatch.setenv("BEE_DELAY", "0")
    wrong_page(site, SETTLED)
    fetch = ("fetch", "--source", "nyt,nytbee", "--since", SETTLED, "--until", SETTLED, "--data", ran)
    assert [bee(*fetch).code for _ in range(2)] == [3, 0]
    told = bee("status", "--data", ran).out
    assert f"1 page of days that another source has, each with what ends it: nytbee {SETTLED} (no-pangram)" in told
    (command,) = re.findall(rf"`(bee correct {SETTLED}[^`]*)`", told)
    assert bee(*shlex.split(command)[1:], "--by", "ann").code == 0
    corrections = registry.load(Workspace(ran), "corrections")
    assert given_up(corrections) == {("nytbee", SETTLED)}
    assert frames.rows(corrections)[0]["reported"] == ""
    site.asked.clear()
    assert bee(*fetch).code == 0
    assert path_of("nytbee", SETTLED) not in site.paths()
    assert bee("run", "--data", ran).code == 0
    puzzles = registry.load(Workspace(ran), "puzzles")
    assert SETTLED in puzzles["date"].tolist()
    assert "no page" in bee("status", "--data", ran).out


def test_a_page_that_has_become_right_is_rejected_by_its_letters_and_is_not_given_up(ran, bee, site, monkeypatch):
    monkeypatch.setenv("BEE_NYT_URL", site.url)
    monkeypatch.setenv("BEE_NYTBEE_URL", site.url)
    monkeypatch.setenv("BEE_DELAY", "0")
    wrong_page(site, SETTLED)
    fetch = ("fetch", "--source", "nyt,nytbee", "--since", SETTLED, "--until", SETTLED, "--data", ran)
    assert bee(*fetch).code == 3
    site.pages[path_of("nytbee", SETTLED)] = reply(page_of(SETTLED))
    assert bee(*fetch).code == 0
    reject = ("correct", SETTLED, "--source", "nytbee", "--reject", "--reason", "seen it", "--by", "ann")
    assert bee(*reject, "--data", ran).code == 0
    corrections = registry.load(Workspace(ran), "corrections")
    assert given_up(corrections) == set()
    assert frames.rows(corrections)[0]["reported"] == "eacnotv"


def test_a_source_whose_page_was_not_refused_is_not_given_up_by_mistake(ran, bee):
    reject = ("correct", "2025-02-20", "--source", "nyt", "--reject", "--reason", "seen it", "--by", "ann")
    failed = bee(*reject, "--data", ran)
    assert (failed.code, "name its letters with --letters" in failed.err) == (1, True)


@pytest.mark.parametrize(
    ("on_disk", "options", "written", "says"),
    [
        (False, ("--reject",), [""], "nytbee will not be asked for this day any more"),
        (True, ("--reject",), ["eacnotv"], f"nytbee {SETTLED} eacnotv: written"),
        (False, ("--reject", "--letters", "eacnotv"), ["eacnotv"], f"nytbee {SETTLED} eacnotv: written"),
        (False, ("--listed", "tote"), [], "name its letters with --letters"),
        (False, ("--lacking", "tote"), [], "name its letters with --letters"),
    ],
)
def test_a_source_is_given_up_for_a_day_only_if_all_that_there_is_of_it_is_a_refused_page(
    ran, bee, site, on_disk, options, written, says
):
    wrong_page(site, SETTLED)
    assert exit_code(Workspace(ran), site) == 3
    if on_disk:
        keep(Workspace(ran), "nytbee", [("before.html", "", page_of(SETTLED))], NOW.isoformat())
    told = bee("correct", SETTLED, "--source", "nytbee", *options, "--reason", "odd", "--by", "ann", "--data", ran)
    assert says in told.err
    assert ("will not be asked" in told.err) == (written == [""])
    assert [row["reported"] for row in frames.rows(registry.load(Workspace(ran), "corrections"))] == written
