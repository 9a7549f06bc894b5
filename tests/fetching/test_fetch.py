"""Fetching from live sources, tested with a local site: which days are requested, kept and refused, and when a person
is needed."""

from __future__ import annotations

import contextlib
import datetime
import gzip
import json
import os
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter

import pandas as pd
import pytest
from conftest import PROJECT, reseal
from sampling import short_and_long
from server import Site, in_turn, nobody, reply, reset

from pipeline import store
from pipeline.facts import coverage, merge
from pipeline.facts.day_decisions import not_asked
from pipeline.fetching import backfill, captures, schedule, web
from pipeline.fetching.backfill import FetchOptions
from pipeline.publishing.check import RULES
from pipeline.review import waiting
from pipeline.run import registry
from pipeline.sources import LIVE_SITES, TRUST_RANK
from pipeline.sources.day import days_between
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import puzzle_day

NOW = datetime.datetime(2025, 1, 5, 12, tzinfo=datetime.UTC)
"""A Sunday: the puzzle of the 5th is played; that of the 3rd is settled since 08:00, as are all before it."""
NO_DECISIONS = frames.empty("day_decisions")
HOUR, SECOND = datetime.timedelta(hours=1), datetime.timedelta(seconds=1)
ANSWERS = ("cent", "cove", "covenant", "octave", "tote")
DAYS_HEADER = "date,source,letters,answers,decision,added,removed,reason,by\n"
GAME = (PROJECT / "tests/sources/pages/game-2019.json").read_bytes()
NO_MORE = "no more requests in this run. "


def json_of(date: str, *more: str) -> bytes:
    """A day as the JSON endpoint has it: the pangram is not among the answers."""
    answers = sorted({*ANSWERS, *more} - {"covenant"})
    letters = {"center_letter": "e", "outer_letters": "acnotv", "print_date": date}
    return json.dumps({"id": 1, **letters, "pangrams": ["covenant"], "answers": answers}).encode()


def page_of(date: str) -> bytes:
    """A day as nytbee has it."""
    text = (PROJECT / "tests/sources/pages/definitions.html").read_bytes().decode()
    day = datetime.date.fromisoformat(date)
    written = f"{day:%A}, {day:%B} {day.day}, {day.year}"
    text = text.replace("Thursday, January 2, 2025", written).replace('value="2025-01-02"', f'value="{date}"')
    return text.replace("pics/20250102", f"pics/{date.replace('-', '')}").encode()


def path_of(source: str, date: str) -> str:
    return LIVE_SITES[source].url_for("", date)


def offer(site: Site, source: str, *dates: str) -> None:
    """Let a source have the pages of these days."""
    for date in dates:
        site.pages[path_of(source, date)] = reply(json_of(date) if source == "nyt" else page_of(date))


def redirect(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Let `bee` find the sources at another address, without pauses."""
    for source in LIVE_SITES.values():
        monkeypatch.setenv(source.url_variable, url)
    monkeypatch.setenv("BEE_NYT_URL", f"{url}/")
    monkeypatch.setenv("BEE_DELAY", "0")


@pytest.fixture
def live(bee, monkeypatch, site):
    """`bee` with the sources redirected to the local site."""
    redirect(monkeypatch, site.url)
    return bee


def known(workspace: Workspace, decisions: pd.DataFrame = NO_DECISIONS) -> schedule.History:
    """What is known about each day."""
    return schedule.history(registry.load(workspace, "captures"), captures.last_requests(workspace), decisions)


def ask(workspace, site, *sources, now=NOW, since="2025-01-01", until="", covered=(), alone=(), clock=time.monotonic):
    """Fetch like `bee fetch`; return the requests with their outcomes, and the summary."""
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    plan = backfill.prepare(FetchOptions(sources, since, until), settings, now, known(workspace), covered, alone)
    path = workspace.root / captures.PATH
    with web.session(delay=0, clock=clock) as session, captures.opened(path, 1, create=True) as database:
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
    found = registry.load(workspace, "captures")
    assert ({day.answers for _, day in found.days}, found.faults) == ({ANSWERS}, [])
    assert found.seen["nyt", "2025-01-01"] == "2025-01-05T12:00:00+00:00"
    site.asked.clear()
    assert (ask(workspace, site, "nyt", until="2025-01-03")[0], site.asked) == ([], [])


@pytest.mark.parametrize(
    ("has", "outcomes"),
    [
        (("nyt", "nytbee", "nyt_page"), {"nyt": "new", "nytbee": "new"}),
        (("nyt",), {"nyt": "new", "nytbee": "missing", "nyt_page": "missing"}),
        ((), {"nyt": "missing", "nytbee": "missing", "nyt_page": "missing"}),
    ],
)
def test_a_day_is_asked_for_until_two_sources_have_it(site, workspace, has, outcomes):
    for source in has:
        offer(site, source, "2025-01-03")
    requests, _ = ask_for("2025-01-03", workspace, site)
    assert {source: outcome for source, _, outcome in requests} == outcomes


def test_wanted_are_the_days_that_the_record_lacks_and_for_two_weeks_those_with_one_witness():
    covered = coverage.dates("2018-05-09..2024-11-03 2024-11-05..2025-01-04")
    alone = {"2024-12-22", "2024-12-23", "2025-01-02"}
    days = schedule.days_to_check("", "", covered, alone, NOW)
    assert days == ["2025-01-05", "2025-01-02", "2024-12-23", "2024-11-04"]
    assert schedule.days_to_check("", "", (), (), NOW)[-1] == "2018-05-09"
    range_of_days = schedule.days_to_check("2025-01-01", "2025-01-02", {"2025-01-01"}, (), NOW)
    assert range_of_days == ["2025-01-02", "2025-01-01"]


def test_trust_is_in_the_order_that_was_decided():
    """Other sources may stand between these."""
    decided = [["nyt"], ["days", "nyt_page"], ["lines", "sample", "table"], ["nytbee"], ["seed"], ["plus"]]
    ranks = [{TRUST_RANK[name] for name in group} for group in decided]
    assert ranks == sorted(ranks, key=min)
    assert [len(rank) for rank in ranks] == [1] * len(decided)
    assert len(set.union(*ranks)) == len(decided)


def test_a_game_page_brings_the_days_of_two_weeks(site, workspace):
    site.pages[path_of("nyt_page", "2025-01-02")] = reply((PROJECT / "tests/sources/pages/game.html").read_bytes())
    requests, _ = ask(workspace, site, "nyt_page", since="2024-12-20", until="2025-01-02")
    assert requests[0] == ("nyt_page", "2025-01-02", "new")
    assert {date for _, date, outcome in requests if outcome == "missing"} == {
        *days_between("2024-12-22", "2024-12-30")
    }
    assert sorted(known(workspace).seen) == ["2024-12-31", "2025-01-01", "2025-01-02"]


def test_a_fresh_day_is_asked_again_until_it_is_settled_and_the_grown_list_wins(site, workspace):
    old, grown = json_of("2025-01-05"), json_of("2025-01-05", "octet")
    site.pages[path_of("nyt", "2025-01-05")] = in_turn(
        reply(old, ETag='"one"'), reply(b"", 304), reply(grown, ETag='"two"'), reply(grown)
    )
    outcomes = []
    for hours in (0, 1, 24, 44, 45, 99):
        requests, _ = ask_for("2025-01-05", workspace, site, "nyt", now=NOW + hours * HOUR)
        outcomes += [outcome for *_, outcome in requests] or ["-"]
    assert outcomes == ["new", "same", "new", "same", "-", "-"]
    sent = [headers.get("If-None-Match") for path, headers in site.asked if path != "/robots.txt"]
    assert sent == [None, '"one"', '"one"', '"two"']
    merged = merge.reconcile(registry.load(workspace, "captures").days, TRUST_RANK)
    assert "octet" in set(merged.answers["word"])
    assert list(merged.conflicts["source_b"]) == ["nyt before"]


PAGE, JSON = page_of("2025-01-02"), json_of("2025-01-02")


@pytest.mark.parametrize(
    ("reason", "source", "answer"),
    [
        ("challenge", "nytbee", reply(b"<html><title>Just a moment...</title>")),
        ("challenge", "nyt", reply(b"<html>wait</html>", cf_mitigated="challenge")),
        ("error-page", "nyt", reply(b"<html>We are sorry.</html>")),
        ("damaged", "nyt", reply(gzip.compress(JSON, mtime=0))),
        ("other-day", "nytbee", reply(page_of("2025-01-01"))),
        ("other-day", "nyt", reply(json_of("2025-01-03"))),
        ("other-day", "nyt_page", reply(GAME.replace(b"-02", b"-09"))),
        ("other-day", "nyt_page", reply(GAME.replace(b"2025-01-01", b"2024-12-18"))),
        ("other-format", "nyt", reply(PAGE)),
        ("other-format", "nyt", reply(b"2025-01-02 e acnotv: cove covenant tote\n2025-01-01 e acnotv: covenant\n")),
        ("layout-drift", "nytbee", reply(PAGE.replace(b'id="main-answer-list"', b'id="words"'))),
        ("no-answers", "nyt", reply(re.sub(rb'(answers|pangrams)": \[.*?\]', rb'\1": []', JSON))),
        ("unexpected-status", "nyt", reply(b"", 304)),
        ("off-site", "nyt", reply(b"", 302, Location="https://example.org/")),
    ],
)
def test_a_page_that_is_not_that_days_puzzle_is_refused_by_name_and_not_kept(site, workspace, reason, source, answer):
    site.pages[path_of(source, "2025-01-02")] = answer
    requests, summary = ask_for("2025-01-02", workspace, site, source)
    assert requests == [(source, "2025-01-02", reason)]
    assert reason in RULES or reason in backfill.REFUSALS or reason in backfill.REASONS
    assert captures.numbers(workspace) == {}
    assert f"{reason} 1" in summary[0]
    (request,) = captures.last_requests(workspace).values()
    assert (request.outcome, request.detail.startswith(site.url)) == (reason, True)
    assert len(ask_for("2025-01-02", workspace, site, source)[0]) == 1, "a refusal is not final"


@pytest.mark.parametrize("good", [True, False])
@pytest.mark.parametrize(("outcome", "most"), [("missing", backfill.MAX_MISSES), ("error-page", backfill.MAX_FAILURES)])
def test_a_good_page_between_others_starts_their_count_anew(site, workspace, outcome, most, good):
    """One page less than the number that stops a source, then a good page or none, then the same number again."""
    dates = days_between("2024-12-01", f"2024-12-{2 * most - 1:02}")
    for date in dates if outcome == "error-page" else ():
        site.pages[path_of("nyt", date)] = reply(b"<html>")
    if good:
        offer(site, "nyt", dates[most - 1])
    requests, summary = ask(workspace, site, "nyt", since=dates[-1], until=dates[0])
    assert len(requests) == (2 * most - 1 if good else most)
    assert (f"nyt: {NO_MORE}{most} " in " ".join(summary)) is not good


def test_pages_of_days_that_are_not_settled_do_not_count_as_missing(site, workspace):
    requests, summary = ask(workspace, site, "nyt", since="2024-12-27")
    assert (len(requests), NO_MORE in " ".join(summary)) == (10, False)


def test_not_modified_after_its_day_settled_ends_the_asking(site, workspace):
    site.pages[path_of("nyt", "2025-01-05")] = in_turn(reply(json_of("2025-01-05"), ETag='"one"'), reply(b"", 304))
    for hours, asked in ((0, 1), (45, 1), (46, 0)):
        requests, _ = ask_for("2025-01-05", workspace, site, "nyt", now=NOW + hours * HOUR)
        assert len(requests) == asked


def test_a_fault_beside_the_day_of_a_page_is_told_each_time(site, workspace):
    site.pages[path_of("nytbee", "2025-01-02")] = reply(PAGE.replace(b"<li>octet", b"<li>tote "))
    assert ask_for("2025-01-02", workspace, site, "nytbee")[0] == [("nytbee", "2025-01-02", "new")]
    for _ in range(2):
        assert [fault.rule for fault in registry.load(workspace, "captures").faults] == ["refused-impossible"]


def test_no_request_is_sent_if_its_answer_could_not_be_stored(live, site, data):
    assert live("fetch", "--since", "2025-01-02", "--until", "2025-01-02", "--source", "nyt", "--data", data).code == 3
    site.asked.clear()
    with contextlib.closing(sqlite3.connect(data / captures.PATH)) as other:
        other.execute("BEGIN IMMEDIATE")
        failed = live("fetch", "--since", "2025-01-02", "--source", "nyt", "--wait", "0.1", "--data", data)
    assert (failed.code, "--wait SECONDS" in failed.err, site.asked) == (1, True, [])


@pytest.mark.parametrize(("seconds", "asked"), [(0, 5), (backfill.MAX_WASTED_SECONDS / 2, 2)])
def test_a_source_that_wastes_its_time_is_left_alone(site, workspace, seconds, asked):
    """Each answer, though good, takes a while: what is beyond the fair time counts against the budget of the source."""
    dates = days_between("2025-01-01", "2025-01-05")
    now = [0.0]

    def slow(date: str):
        def answer(handler) -> None:
            now[0] += seconds + backfill.EXPECTED_SECONDS
            reply(json_of(date))(handler)

        return answer

    offer(site, "nytbee", *dates)
    for date in dates:
        site.pages[path_of("nyt", date)] = slow(date)
    requests, summary = ask(workspace, site, "nyt", "nytbee", clock=lambda: now[0])
    assert Counter(source for source, *_ in requests) == {"nyt": asked, "nytbee": 5}
    assert (f"{NO_MORE}Failures and slow responses took" in " ".join(summary)) is (seconds > 0)


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/robots.txt", reply(b"User-agent: *\nDisallow: /svc/")),
        ("", reply(b"", 403)),
        ("", reset),
        ("", reply(b"<title>Just a moment...")),
    ],
)
def test_a_host_that_does_not_want_us_is_asked_once_and_another_one_goes_on(site, workspace, path, answer):
    dates = days_between("2025-01-01", "2025-01-03")
    offer(site, "nytbee", *dates)
    for date in dates:
        site.pages[path or path_of("nyt", date)] = answer
    requests, summary = ask(workspace, site, "nyt", "nytbee", since=dates[-1], until=dates[0])
    assert [source for source, *_ in requests] == ["nyt", "nytbee", "nytbee", "nytbee"]
    assert summary[1].startswith(f"nyt: {NO_MORE}")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--since 2025-01-05 --until 2025-01-04", "--since 2025-01-05 is after --until 2025-01-04"),
        ("--since 2099-01-01", "--since 2099-01-01 is after the current puzzle; name a day up to 20"),
        ("--until 2018-05-08", "--until 2018-05-08 is before the first puzzle; name a day from 2018-05-09 on"),
        ("--until 2018-05-09", "No days up to 2018-05-09 are missing. To request days again, also name the first one"),
        ("--source plus", '"plus" is not a source that can be asked'),
        ("--since last-week", "--since"),
        ("--delay nan", "number of seconds"),
        ("--delay 3601", "number of seconds"),
    ],
)
def test_options_that_name_no_day_or_source_are_refused_with_what_to_do(live, site, tmp_path, options, says):
    covers = {"dates": "2018-05-09..2018-05-09", "candidates": ""}
    package = json.dumps({"covers": covers, "made_with": {}}).encode()
    store.write_bytes(tmp_path / "custom/datapackage.json", package)
    store.write_bytes(tmp_path / "custom/track.csv", frames.csv_bytes(frames.empty("track")))
    reseal(tmp_path / "custom")
    refused = live("fetch", *options.split(), "--data", tmp_path)
    assert (refused.code, says in refused.err, site.asked) == (2, True, [])


# ---------------------------------------------------------------- when a person is needed

MAINTENANCE = reply(b"<html><h1>Maintenance</h1></html>")


def test_a_failure_alone_is_a_line_and_no_reason_to_call_a_person(live, site, tmp_path):
    day = puzzle_day(datetime.datetime.now(datetime.UTC) - schedule.SETTLING)
    offer(site, "nyt", day)
    site.pages[path_of("nytbee", day)] = MAINTENANCE
    done = live("fetch", "--since", day, "--until", day, "--data", tmp_path)
    assert (done.code, f"{day} nytbee: error-page: " in done.err) == (0, True)
    assert "nyt: new 1" in done.err
    assert f"nytbee {day} (error-page)" in live("status", "--data", tmp_path).out


def test_a_day_that_no_source_has_needs_a_person_three_days_after_it_settled(live, site, tmp_path):
    today = puzzle_day(datetime.datetime.now(datetime.UTC))
    late = str(datetime.date.fromisoformat(today) - schedule.SETTLING - schedule.LATE)
    fetch = ("fetch", "--since", late, "--data", tmp_path)
    done = live(*fetch)
    assert (done.code, f"No list of {late}..{late} has come" in done.err) == (3, True), done.err
    (command,) = re.findall(r"`(bee day [^`]*)`", done.err)
    assert live(*shlex.split(command)[1:], "--by", "ann", "--data", tmp_path).code == 0
    site.asked.clear()
    assert (live(*fetch).code, [path for path in site.paths() if late in path]) == (0, [])


@pytest.mark.parametrize(
    ("until", "missing", "witnesses", "needed"),
    [
        ([""], [], [2] * 9, ["1 day for a person to decide"]),
        (["2025-01-12"], [], [2] * 9, []),
        ([], ["2025-01-01", "2025-01-02"], [2] * 9, ["No list of 2025-01-01..2025-01-02 has come"]),
        ([], [], [2] * 9 + [1] * 7, ["Every day since 2025-01-10 had one witness"]),
        ([], [], [1] * 9 + [2] + [1] * 6, []),
        ([], [], [1] * 6, []),
        ([], [], [1] * 3 + [0] * 3 + [1] * 4, []),
    ],
)
def test_a_person_is_needed_for_three_reasons(until, missing, witnesses, needed):
    waits = [{"date": f"2025-02-0{at}", "until": end, "because": "a test"} for at, end in enumerate(until, 1)]
    row = {"source": "nyt", "answers": 9, "missing": 0, "extra": 0, "exact": 1, "expected": 0.5, "surprise": 0.1}
    days = [
        {**row, "date": f"2025-01-{at:02}", "witnesses": number} for at, number in enumerate(witnesses, 1) if number
    ]
    found = waiting.needs_person(frames.from_rows(waits, "waits"), missing, frames.from_rows(days, "track"))
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
    row = {"source": "nyt", "answers": 9, "missing": 0, "extra": 0, "exact": 1, "expected": 0.5, "surprise": 0.1}
    track = [{**row, "date": date, "witnesses": number} for date, number in ((one, 1), (two, 2))]
    package = json.dumps({"covers": {"dates": f"2018-05-09..{tomorrow}", "candidates": ""}, "made_with": {}})
    store.write_bytes(tmp_path / "custom/datapackage.json", package.encode())
    store.write_bytes(tmp_path / "custom/track.csv", frames.csv_bytes(frames.from_rows(track, "track")))
    reseal(tmp_path / "custom")
    assert live("fetch", "--data", tmp_path).code == 0
    assert set(site.paths()) == {path_of(source, one) for source in LIVE_SITES}


def test_a_rejected_list_is_no_day_that_we_have(live, site, tmp_path):
    """Another source is asked for the day; it is missing if no other source has it."""
    rejected = ("2024-12-01", "2024-12-02")
    for date in rejected:
        offer(site, "nyt", date)
    dates = ("--since", rejected[0], "--until", rejected[1], "--data", tmp_path)
    assert live("fetch", "--source", "nyt", *dates).code == 0
    lines = [f"{date},nyt,eacnotv,,reject,,,no such puzzle,x\n" for date in rejected]
    store.write_bytes(tmp_path / "custom/days.csv", (DAYS_HEADER + "".join(lines)).encode())
    offer(site, "nytbee", rejected[1])
    site.asked.clear()
    done = live("fetch", *dates)
    assert (done.code, f"No list of {rejected[0]}..{rejected[0]} has come" in done.err) == (3, True)
    assert {path_of("nytbee", date) for date in rejected} <= set(site.paths())
    assert not {path_of("nyt", date) for date in rejected} & set(site.paths())


def test_status_names_a_refused_page_for_a_day_that_another_source_has_with_the_command_that_ends_it(live, ran, site):
    """A page of nytimes.com was refused, and nytbee.com, whose pages have no dates with dashes in their names, has the
    day."""
    offer(site, "nytbee", "2025-03-04")
    site.pages[path_of("nyt", "2025-03-04")] = MAINTENANCE
    fetch = ("fetch", "--source", "nyt,nytbee", "--since", "2025-03-04", "--until", "2025-03-04", "--data", ran)
    assert live(*fetch).code == 0
    told = live("status", "--data", ran).out
    assert "1 page for days that another source has" in told
    assert "nyt 2025-03-04 (error-page)" in told
    assert "nytbee 1 day in 1 capture" in told
    (command,) = re.findall(r"`(bee day 2025-03-04[^`]*)`", told)
    assert live(*shlex.split(command)[1:], "--by", "ann", "--data", ran).code == 0
    assert not_asked(registry.load(Workspace(ran), "day_decisions")) == {("nyt", "2025-03-04")}
    site.asked.clear()
    assert live(*fetch).code == 0
    assert path_of("nyt", "2025-03-04") not in site.paths()
    assert "no page" in live("status", "--data", ran).out


# ---------------------------------------------------------------- the command


def test_the_command_says_what_it_does(live, site, tmp_path):
    offer(site, "nyt", "2025-01-01", "2025-01-02")
    dates = ("--source", "nyt", "--since", "2025-01-01", "--until", "2025-01-02", "--data", tmp_path)
    done = live("fetch", *dates)
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == ["Requesting 2 days, from 2025-01-02 back to 2025-01-01.", "nyt: new 2"]
    again = live("fetch", *dates)
    assert (again.code, len(again.err.splitlines())) == (0, 1)


@pytest.mark.slow
def test_without_a_network_it_says_so_and_run_goes_on_with_what_is_on_disk(live, ran, monkeypatch):
    with nobody() as gone:
        redirect(monkeypatch, gone)
        done = live("run", "--fetch", "--data", ran)
    assert ("Check the network." in done.err, "publish" in done.out) == (True, True)


@pytest.mark.slow
def test_run_touches_the_network_only_when_told_and_a_day_with_a_poisoned_word_waits(live, site, ran, monkeypatch):
    assert live("run", "--data", ran).code == 0
    assert site.asked == []
    settled = puzzle_day(datetime.datetime.now(datetime.UTC) - schedule.SETTLING)
    site.pages[path_of("nyt", settled)] = reply(json_of(settled, "vvoonnccee"))
    monkeypatch.setattr(schedule, "days_to_check", lambda *_: [settled])
    assert live("run", "--fetch", "--data", ran).code == 0
    tables = registry.load_all(Workspace(ran), "waits", "doubts", "record")
    assert tables["waits"]["date"].tolist() == [settled]
    assert tables["doubts"]["word"].tolist() == ["vvoonnccee"]
    assert not {"vvoonnccee", "covenant"} & set(tables["record"]["word"])
    assert "vvoonnccee" not in (ran / "custom/wordlist.txt").read_text().split()


@pytest.mark.slow
@pytest.mark.parametrize("kills", short_and_long(2, 50))
def test_killed_at_any_moment_it_loses_at_most_the_page_in_flight(bee, site, tmp_path, kills):
    draw = random.Random(54)
    days = days_between("2024-01-01", str(datetime.date(2024, 1, 31) + kills * datetime.timedelta(days=20)))
    offer(site, "nyt", *days)
    settings = {"BEE_NYT_URL": site.url, "BEE_DELAY": "0", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "pipeline", "fetch", "--source", "nyt", "--since", days[-1], "--until", days[0]]
    command += ["--data", str(tmp_path)]

    def fetching() -> subprocess.Popen[str]:
        return subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.PIPE, text=True)

    for number in range(kills):
        asked = len(site.paths())
        kill = signal.SIGINT if number % 2 else signal.SIGKILL
        with fetching() as process:
            while len(site.paths()) < asked + 10 and process.poll() is None:
                time.sleep(0.002)
            time.sleep(draw.uniform(0, 0.02))
            process.send_signal(kill)
            _, said = process.communicate()
        if process.returncode == 130:
            assert "Stopped. The days fetched so far are kept" in said
            assert "nyt: new" in said
    with fetching() as process:
        process.communicate()
    assert process.returncode == 0
    assert len(site.paths()) <= len(days) + kills
    assert {date for _, date in registry.load(Workspace(tmp_path), "captures").seen} == set(days)
    assert bee("check", "--captures", "--data", tmp_path).code == 0


@pytest.mark.live
@pytest.mark.parametrize(("source", "date"), [("nyt", "2025-12-30"), ("nytbee", "2025-12-30"), ("nyt_page", "")])
def test_each_source_still_has_its_page(source, date, workspace):
    now = datetime.datetime.now(datetime.UTC)
    day = date or puzzle_day(now)
    plan = backfill.prepare(FetchOptions((source,), day, day), os.environ, now, known(workspace), (), ())
    path = workspace.root / captures.PATH
    with web.session() as session, captures.opened(path, 1, create=True) as database:
        requests = list(backfill.backfill(plan, session, database, plan.dates, lambda: now))
    assert [(request.outcome, request.detail) for request in requests] == [("new", "")]
