"""Fetching from live sources, tested with a local site: which days are requested, kept and refused, and when a person
is needed."""

from __future__ import annotations

import contextlib
import datetime
import re
import shlex
import sqlite3

import past
import pytest
from conftest import PROJECT
from pages import PAGES
from server import Site, in_turn, reply

from pipeline import store
from pipeline.commands.fetch import FETCH_LOCK, needs_person
from pipeline.facts import coverage
from pipeline.fetching import backfill, captures, schedule, web
from pipeline.fetching.backfill import FetchOptions
from pipeline.sources import LIVE_SITES
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import Puzzle, days_between, puzzle_day

NOW = datetime.datetime(2025, 1, 5, 12, tzinfo=datetime.UTC)
"""A Sunday: the puzzle of the 5th is played; that of the 3rd is settled since 08:00, as are all before it."""
HOUR, SECOND = datetime.timedelta(hours=1), datetime.timedelta(seconds=1)
ANSWERS = ("cent", "cove", "covenant", "octave", "tote")
GAME = (PROJECT / "tests/sources/pages/game-2019.json").read_bytes()


def page(source: str, date: str, *more: str) -> bytes:
    """A day as a source has it."""
    return PAGES[source](Day(date, Puzzle("e", "acnotv"), tuple(sorted({*ANSWERS, *more}))))


def path_of(source: str, date: str) -> str:
    return LIVE_SITES[source].url_for("", date)


def offer(site: Site, source: str, *dates: str) -> None:
    """Let a source have the pages of these days."""
    for date in dates:
        site.pages[path_of(source, date)] = reply(page(source, date))


@pytest.fixture
def live(bee, monkeypatch, site):
    """`bee` with the sources redirected to the local site, without pauses."""
    for source in LIVE_SITES.values():
        monkeypatch.setenv(source.url_variable, f"{site.url}/")
    monkeypatch.setenv("BEE_DELAY", "0")
    return bee


def known(workspace: Workspace) -> schedule.Sightings:
    """When each source was seen to have each day."""
    return schedule.sightings(captures.load(workspace), ())


def answers_of(workspace: Workspace, source: str, date: str) -> set[str]:
    """The answers of the last list of a source."""
    found = captures.load(workspace).set_index(["source", "date"])
    return set(found.loc[(source, date), "answers"].split())


def ask(workspace, site, *sources, now=NOW, since="2025-01-01", until="", covered=(), alone=()):
    """Fetch like `bee fetch`; return the requests with their outcomes, and the summary."""
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    plan = backfill.prepare(FetchOptions(sources, since, until), settings, now, known(workspace), covered, alone)
    path = workspace.root / captures.PATH
    with web.session(delay=0) as session, captures.opened(path, create=True) as database:
        requests = list(backfill.backfill(plan, session, database, plan.dates, lambda: now))
    outcomes = [(request.source, request.date, request.outcome) for request in requests]
    return outcomes, backfill.summary(plan, requests)


def ask_for(date: str, workspace, site, *sources, **more):
    """Fetch one day."""
    return ask(workspace, site, *sources, since=date, until=date, **more)


def test_missing_days_are_asked_newest_first_and_not_again_when_they_are_settled(site, workspace):
    offer(site, "nyt", *days_between("2025-01-01", "2025-01-05"))
    requests, _ = ask(workspace, site, "nyt")
    assert requests == [("nyt", f"2025-01-0{n}", "new") for n in (5, 4, 3, 2, 1)]
    assert answers_of(workspace, "nyt", "2025-01-01") == set(ANSWERS)
    assert known(workspace).times["2025-01-01"] == {"nyt": "2025-01-05T12:00:00+00:00"}
    site.asked.clear()
    assert (ask(workspace, site, "nyt", until="2025-01-03")[0], site.asked) == ([], [])


def test_wanted_are_the_days_that_the_record_lacks_and_for_two_weeks_those_with_one_witness():
    covered = coverage.dates("2018-05-09..2024-11-03 2024-11-05..2025-01-04")
    alone = {"2024-12-22", "2024-12-23", "2025-01-02"}
    days = schedule.days_to_check("", "", covered, alone, NOW)
    assert days == ["2025-01-05", "2025-01-02", "2024-12-23", "2024-11-04"]
    assert schedule.days_to_check("", "", (), (), NOW)[-1] == "2018-05-09"
    range_of_days = schedule.days_to_check("2025-01-01", "2025-01-02", {"2025-01-01"}, (), NOW)
    assert range_of_days == ["2025-01-02", "2025-01-01"]


def test_a_game_page_brings_the_days_of_two_weeks(site, workspace):
    site.pages[path_of("nyt_page", "2025-01-02")] = reply((PROJECT / "tests/sources/pages/game.html").read_bytes())
    requests, _ = ask(workspace, site, "nyt_page", since="2024-12-20", until="2025-01-02")
    assert requests[0] == ("nyt_page", "2025-01-02", "new")
    assert {date for _, date, outcome in requests if outcome == "missing"} == {
        *days_between("2024-12-22", "2024-12-30")
    }
    assert sorted(known(workspace).times) == ["2024-12-31", "2025-01-01", "2025-01-02"]


def test_a_fresh_day_is_asked_again_until_it_is_settled_and_the_grown_list_wins(site, workspace):
    old, grown = page("nyt", "2025-01-05"), page("nyt", "2025-01-05", "octet")
    site.pages[path_of("nyt", "2025-01-05")] = in_turn(
        reply(old, ETag='"one"'), reply(b"", 304), reply(grown, ETag='"two"'), reply(b"", 304)
    )
    outcomes = []
    for hours in (0, 1, 24, 44, 45, 99):
        requests, _ = ask_for("2025-01-05", workspace, site, "nyt", now=NOW + hours * HOUR)
        outcomes += [outcome for *_, outcome in requests] or ["-"]
    assert outcomes == ["new", "same", "new", "same", "-", "-"]
    sent = [headers.get("If-None-Match") for path, headers in site.asked if path != "/robots.txt"]
    assert sent == [None, '"one"', '"one"', '"two"']
    assert "octet" in answers_of(workspace, "nyt", "2025-01-05")


@pytest.mark.parametrize(
    ("source", "answer", "says"),
    [
        ("nyt", reply(b"", 403), "status 403"),
        ("nyt", reply(b"<html>We are sorry.</html>"), "none of the formats that can be read"),
        ("nyt", reply(page("nytbee", "2025-01-02")), "in the format of another source"),
        ("nytbee", reply(page("nytbee", "2025-01-01")), "for another day"),
        ("nyt_page", reply(GAME.replace(b"-02", b"-09")), "for another day"),
        ("nyt_page", reply(GAME.replace(b"2025-01-01", b"2024-12-18")), "for another day"),
        ("nytbee", reply(page("nytbee", "2025-01-02").replace(b"main-answer", b"word")), "not in its usual place"),
    ],
)
def test_a_page_that_is_not_that_days_puzzle_is_not_kept(site, workspace, source, answer, says):
    site.pages[path_of(source, "2025-01-02")] = answer
    requests, summary = ask_for("2025-01-02", workspace, site, source)
    assert (requests, summary) == ([(source, "2025-01-02", "failed")], [f"{source}: failed 1"])
    assert captures.numbers(workspace) == {}
    (request,) = captures.last_outcomes(workspace)
    assert request.detail.startswith(site.url)
    assert says in request.detail
    assert len(ask_for("2025-01-02", workspace, site, source)[0]) == 1, "a failure is not final"


def test_a_source_that_failed_five_times_is_left_alone_and_another_one_goes_on(site, workspace):
    """A good page and missing pages between the failures do not matter."""
    dates = days_between("2024-12-01", "2024-12-11")
    offer(site, "nytbee", *dates)
    offer(site, "nyt", dates[1])
    for date in dates[::2]:
        site.pages[path_of("nyt", date)] = reply(b"", 403)
    requests, summary = ask(workspace, site, "nyt", "nytbee", since=dates[-1], until=dates[0])
    assert [date for source, date, _ in requests if source == "nyt"] == dates[:9]
    assert [date for source, date, _ in requests if source == "nytbee"] == dates
    assert summary[:2] == ["nyt: failed 5, missing 3, new 1", "nyt: no more requests in this run, because 5 failed"]


def test_no_request_is_sent_if_its_answer_could_not_be_stored(live, site, tmp_path, monkeypatch):
    fetch = ("--data", tmp_path, "fetch", "--source", "nyt", "--since", "2025-01-02", "--until", "2025-01-02")
    assert live(*fetch).code == 0
    site.asked.clear()
    monkeypatch.setattr(store, "WAIT", 0.1)
    with contextlib.closing(sqlite3.connect(tmp_path / captures.PATH)) as other:
        other.execute("BEGIN IMMEDIATE")
        failed = live(*fetch)
    assert (failed.code, "locked for 0.1 s" in failed.err, site.asked) == (1, True, [])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--since 2025-01-05 --until 2025-01-04", "--since 2025-01-05 is after --until 2025-01-04"),
        ("--since 2099-01-01", "--since 2099-01-01 is after the current puzzle; name a day up to 20"),
        ("--until 2018-05-08", "--until 2018-05-08 is before the first puzzle; name a day from 2018-05-09 on"),
        ("--until 2018-05-09", "No days up to 2018-05-09 are missing."),
        ("--source plus", '"plus" is not a source that can be asked'),
        ("--delay 3601", "number of seconds"),
    ],
)
def test_options_that_name_no_day_or_source_are_refused_with_what_to_do(live, site, tmp_path, options, says):
    past.write_release(tmp_path / "custom", frames.empty("record"), ["2018-05-09"])
    refused = live("--data", tmp_path, "fetch", *options.split())
    assert (refused.code, says in refused.err, site.asked) == (2, True, [])


# ---------------------------------------------------------------- when a person is needed

MAINTENANCE = reply(b"<html><h1>Maintenance</h1></html>")


def test_a_failure_alone_is_a_line_and_code_1(live, site, tmp_path):
    day = puzzle_day(datetime.datetime.now(datetime.UTC) - schedule.SETTLING)
    offer(site, "nyt", day)
    site.pages[path_of("nytbee", day)] = MAINTENANCE
    done = live("--data", tmp_path, "fetch", "--since", day, "--until", day)
    assert (done.code, f"{day} nytbee failed: {site.url}{path_of('nytbee', day)}: " in done.err) == (1, True)
    assert "nyt: new 1" in done.err


@pytest.mark.slow
def test_a_run_that_fetches_says_that_a_day_that_no_source_has_needs_a_person(live, site, ran, monkeypatch):
    today = puzzle_day(datetime.datetime.now(datetime.UTC))
    late = str(datetime.date.fromisoformat(today) - schedule.SETTLING - schedule.LATE)
    fetch = ("--data", ran, "fetch", "--since", late)
    run = ("--data", ran, "run", "--fetch")
    assert (live("--data", ran, "run").code, site.asked) == (0, []), "it touches the network only when told"
    monkeypatch.setattr(schedule, "days_to_check", lambda *_: [late])
    site.pages[path_of("nyt", late)] = MAINTENANCE
    assert live(*fetch).code == 1
    done = live(*run)
    assert (done.code, f"No list of {late} has come" in done.err) == (3, True), done.err
    (command,) = re.findall(r"`(bee day [^`]*)`", done.err)
    assert live("--data", ran, *shlex.split(command)[1:], "--by", "ann").code == 0
    site.asked.clear()
    assert (live(*run).code, [path for path in site.paths() if late in path]) == (0, [])


@pytest.mark.parametrize(
    ("waiting", "missing", "witnesses", "needed"),
    [
        ([True], [], [2] * 9, ["1 day for a person to decide"]),
        ([False], [], [2] * 9, []),
        ([], ["2025-01-01", "2025-01-02"], [2] * 9, ["No list of 2025-01-01 to 2025-01-02 has come"]),
        ([], [], [2] * 9 + [1] * 7, ["Every day since 2025-01-10 had one witness"]),
        ([], [], [1] * 9 + [2] + [1] * 6, []),
        ([], [], [1] * 6, []),
        ([], [], [1] * 3 + [0] * 3 + [1] * 4, []),
    ],
)
def test_a_person_is_needed_for_three_reasons(waiting, missing, witnesses, needed):
    waits = [{"date": f"2025-02-0{at}", "person": person, "because": "so"} for at, person in enumerate(waiting, 1)]
    row = {"source": "nyt", "answers": 9, "missing": 0, "extra": 0, "without_trial": "", "differs": ""}
    days = [
        {**row, "date": f"2025-01-{at:02}", "witnesses": number} for at, number in enumerate(witnesses, 1) if number
    ]
    found = needs_person(frames.from_rows(waits, "waits"), missing, frames.from_rows(days, "track"))
    assert [str(sentence).startswith(beginning) for sentence, beginning in zip(found, needed, strict=True)] == (
        [True] * len(needed)
    )


def test_a_second_source_is_asked_for_a_covered_day_with_one_witness_and_its_absence_needs_no_person(
    live, site, tmp_path
):
    today = puzzle_day(datetime.datetime.now(datetime.UTC))
    one, two, tomorrow = (
        str(datetime.date.fromisoformat(today) + datetime.timedelta(days=days)) for days in (-6, -7, 1)
    )
    row = {"source": "nyt", "answers": 9, "missing": 0, "extra": 0, "without_trial": "", "differs": ""}
    track = [{**row, "date": date, "witnesses": number} for date, number in ((one, 1), (two, 2))]
    covered = days_between("2018-05-09", tomorrow)
    past.write_release(tmp_path / "custom", frames.empty("record"), covered, frames.from_rows(track, "track"))
    assert live("--data", tmp_path, "fetch").code == 0
    assert set(site.paths()) == {path_of(source, one) for source in LIVE_SITES}


# ---------------------------------------------------------------- the command


def test_other_commands_work_while_a_fetch_runs_and_no_second_fetch_does(live, site, ran, monkeypatch):
    monkeypatch.setattr(store, "WAIT", 0.1)
    with store.locked(Workspace(ran), name=FETCH_LOCK):
        second = live("--data", ran, "fetch", "--since", "2025-01-02")
        assert (second.code, "still running" in second.err, site.asked) == (1, True, [])
        assert live("--data", ran, "keep", "troth", "--force", "--reason", "a promise", "--by", "ann").code == 0


def test_an_interrupted_fetch_keeps_what_came_and_the_next_one_goes_on(live, site, tmp_path, monkeypatch):
    """tests/faults/test_kills.py kills it, too."""
    days = days_between("2025-01-01", "2025-01-05")
    offer(site, "nyt", *days)
    fetch = ("--data", tmp_path, "fetch", "--source", "nyt", "--since", days[-1], "--until", days[0])
    get = web.get

    def interrupted(session: web.Session, url: str, *rest: object) -> web.Response:
        if days[3] in url:
            raise KeyboardInterrupt
        return get(session, url, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(web, "get", interrupted)
        stopped = live(*fetch)
    assert (stopped.code, stopped.err.splitlines()[1:]) == (
        130, ["Stopped. The days fetched so far are kept, and the next fetch continues from there.", "nyt: new 3"]
    )  # fmt: skip
    site.asked.clear()
    done = live(*fetch)
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == ["Requesting 2 days, from 2025-01-02 back to 2025-01-01.", "nyt: new 2"]
    assert len(site.paths()) == 2
    assert known(Workspace(tmp_path)).times.keys() == set(days)


@pytest.mark.live
@pytest.mark.parametrize(("source", "date"), [("nyt", "2025-12-30"), ("nytbee", "2025-12-30"), ("nyt_page", "")])
def test_each_source_still_has_its_page(source, date, workspace):
    now = datetime.datetime.now(datetime.UTC)
    day = date or puzzle_day(now)
    plan = backfill.prepare(FetchOptions((source,), day, day), {}, now, known(workspace), (), ())
    with web.session() as session, captures.opened(workspace.root / captures.PATH, create=True) as database:
        requests = list(backfill.backfill(plan, session, database, plan.dates, lambda: now))
    assert [(request.outcome, request.detail) for request in requests] == [("new", "")]
