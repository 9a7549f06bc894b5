"""Fetching from live sources, tested with a local site: which days are requested, kept and refused, and which errors
are survived."""

from __future__ import annotations

import datetime
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import filelock
import pytest
from conftest import PROJECT, keep
from server import Site, in_turn, nobody, reply, reset

from pipeline import store
from pipeline.facts import merge, seal
from pipeline.fetching import backfill, receipts, wanted, web
from pipeline.fetching.backfill import Wish
from pipeline.fetching.download import PATIENCE
from pipeline.run import registry
from pipeline.sources import LIVE, TRUST, day
from pipeline.store import StoreError, Workspace
from pipeline.tables import frames
from pipeline.violations import VIOLATIONS
from pipeline.words import puzzle_day

NOW = datetime.datetime(2025, 1, 5, 12, tzinfo=datetime.UTC)
"""A Sunday: the puzzle of the 5th is played; that of the 3rd is settled since 08:00, as are all before it."""
ANSWERS = ("cent", "cove", "covenant", "octave", "tote")

GAME_2019 = (PROJECT / "tests/sources/pages/game-2019.json").read_bytes()


def json_of(date: str, *more: str) -> bytes:
    """A day as the JSON endpoint has it: the pangram is not among the answers."""
    answers = sorted({*ANSWERS, *more} - {"covenant"})
    return json.dumps(
        {"id": 1, "center_letter": "e", "outer_letters": "acnotv", "pangrams": ["covenant"], "answers": answers,
         "print_date": date, "editor": "Nobody"}
    ).encode()  # fmt: skip


def page_of(date: str) -> bytes:
    """A day as nytbee has it."""
    text = (PROJECT / "tests/sources/pages/definitions.html").read_bytes().decode()
    day = datetime.date.fromisoformat(date)
    written = f"{day:%A}, {day:%B} {day.day}, {day.year}"
    text = text.replace("Thursday, January 2, 2025", written).replace('value="2025-01-02"', f'value="{date}"')
    return text.replace("pics/20250102", f"pics/{date.replace('-', '')}").encode()


def path_of(source: str, date: str) -> str:
    return LIVE[source].url_for("", date)


def ask(
    workspace: Workspace,
    site: Site,
    *sources: str,
    now: datetime.datetime = NOW,
    since: str = "2025-01-01",
    second: wanted.Second = "never",
    **wish: object,
) -> tuple[list[tuple[str, str, str]], int, list[str]]:
    """Fetch like `bee fetch`; return the requests with their results, the exit code and the summary."""
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    work = backfill.prepare(workspace, Wish(sources, since, second=second, **wish), settings, now, covered=())
    with web.session(delay=0) as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: now))
    told = [(each.source, each.date, each.outcome) for each in asks]
    return told, backfill.exit_code(work, asks), backfill.summary(work, asks)


def read_captures(workspace: Workspace) -> tuple[list, list]:
    found = registry.load(workspace, "captures")
    return found.days, found.faults


def inspected(workspace: Workspace) -> list[str]:
    """The rules that `bee check --captures` finds broken."""
    command = [sys.executable, "-m", "pipeline", "check", "--captures", "--json", "--data", str(workspace.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PROJECT)
    return [finding["rule"] for finding in json.loads(done.stdout)["rows"]]


def captures(workspace: Workspace) -> list[str]:
    return [f"{path.parent.name}/{path.name}" for path, _ in receipts.all_receipts(workspace)]


def test_missing_days_are_asked_newest_first_and_kept_with_receipts(site, workspace):
    for date in day.days_between("2025-01-01", "2025-01-05"):
        site.pages[path_of("nyt", date)] = reply(json_of(date))
    told, code, _ = ask(workspace, site)
    assert told == [("nyt", f"2025-01-0{n}", "new") for n in (5, 4, 3, 2, 1)]
    assert code == 0
    rows = frames.rows(receipts.read_log(workspace.raw / "nyt/receipts.csv"))
    assert [row["name"] for row in rows] == [f"2025-01-0{n}.json" for n in (1, 2, 3, 4, 5)]
    assert rows[0]["url"] == f"{site.url}/svc/spelling-bee/v1/2025-01-01.json"
    assert (rows[0]["fetched_at"], rows[0]["status"]) == ("2025-01-05T12:00:00+00:00", "200")
    days, faults = read_captures(workspace)
    assert {day.answers for _, day in days} == {ANSWERS}
    assert not faults


def test_what_is_here_is_not_asked_for_again(site, workspace):
    for date in ("2025-01-01", "2025-01-02"):
        site.pages[path_of("nyt", date)] = reply(json_of(date))
    ask(workspace, site, "nyt", until="2025-01-02")
    site.asked.clear()
    assert ask(workspace, site, "nyt", "nytbee", until="2025-01-02")[0] == []
    assert site.asked == []


def test_any_source_counts_and_only_a_cross_check_asks_a_second_one(site, workspace):
    keep(workspace, "lines", [("a.txt", "", b"2025-01-02 e acnotv: cove covenant tote\n")], "2025-01-03")
    site.pages[path_of("nytbee", "2025-01-02")] = reply(page_of("2025-01-02"))
    dates = {"since": "2025-01-02", "until": "2025-01-02"}
    assert ask(workspace, site, "nytbee", **dates)[0] == []
    assert ask(workspace, site, "nytbee", second="always", **dates)[0] == [("nytbee", "2025-01-02", "new")]
    assert ask(workspace, site, second="always", **dates)[0] == []


def test_the_next_source_is_asked_when_one_has_no_page(site, workspace):
    site.pages[path_of("nytbee", "2025-01-01")] = reply(page_of("2025-01-01"))
    told, code, summary = ask(workspace, site, until="2025-01-01")
    assert told == [("nyt", "2025-01-01", "missing"), ("nytbee", "2025-01-01", "new")]
    assert code == 0
    assert summary == [
        "nyt: missing 1", f"nytbee: new 1; in {workspace.raw / 'nytbee'}", "nyt_page: not asked",
    ]  # fmt: skip


def test_sources_that_differ_are_a_conflict_that_names_both_and_the_better_one_is_used(site, workspace):
    site.pages[path_of("nyt", "2025-01-01")] = reply(json_of("2025-01-01", "octet"))
    site.pages[path_of("nytbee", "2025-01-01")] = reply(page_of("2025-01-01"))
    ask(workspace, site, until="2025-01-01", second="always")
    days, _ = read_captures(workspace)
    puzzles, answers, conflicts = merge.reconcile(days, TRUST)
    assert list(puzzles["source"]) == ["nyt"]
    assert "octet" in set(answers["word"])
    (row,) = frames.rows(conflicts)
    assert (row["subject"], row["source_a"], row["source_b"]) == ("octet", "nyt", "nytbee")
    assert inspected(workspace) == ["refused-and-accepted", "source-conflict"]


def test_trust_is_in_the_order_that_was_decided():
    ranked = sorted(TRUST, key=lambda name: (TRUST[name], name))
    assert ranked == ["nyt", "days", "nyt_page", "lines", "sample", "table", "nytbee", "seed", "plus"]
    assert TRUST["days"] == TRUST["nyt_page"]


@pytest.mark.parametrize(("source", "date"), [("nytbee", "2018-09-12"), ("nytbee", "2018-07-28")])
def test_pages_that_never_existed_are_not_asked_for(site, workspace, source, date):
    assert ask(workspace, site, source, since=date, until=date)[0] == []
    assert site.asked == []


def test_old_days_have_no_game_page_and_a_new_one_brings_two_weeks(site, workspace):
    site.pages[path_of("nyt_page", "2025-01-02")] = reply((PROJECT / "tests/sources/pages/game.html").read_bytes())
    told, _, _ = ask(workspace, site, "nyt_page", since="2024-12-01", until="2025-01-02")
    assert told[0] == ("nyt_page", "2025-01-02", "new")
    assert {date for _, date, outcome in told if outcome == "missing"} == set(
        day.days_between("2024-12-22", "2024-12-30")
    )
    known = wanted.know(workspace)
    assert sorted(known.held) == ["2024-12-31", "2025-01-01", "2025-01-02"]


def test_a_miss_before_any_later_day_is_here_is_not_remembered(site, workspace):
    for _ in range(2):
        told, _, _ = ask(workspace, site, "nytbee", since="2025-01-02")
        assert [outcome for *_, outcome in told] == ["missing"] * 4


def test_a_clock_that_ran_ahead_costs_no_day(site, workspace):
    site.pages[path_of("nyt", "2025-01-05")] = reply(json_of("2025-01-05"))
    ahead = NOW + datetime.timedelta(days=20)
    told, _, _ = ask(workspace, site, "nyt", since="2025-01-02", until="2025-01-08", now=ahead)
    assert [date for _, date, outcome in told if outcome == "missing"] == [
        f"2025-01-0{number}" for number in (8, 7, 6, 4, 3, 2)
    ]
    for date in day.days_between("2025-01-02", "2025-01-08"):
        site.pages[path_of("nyt", date)] = reply(json_of(date))
    told, _, _ = ask(workspace, site, "nyt", since="2025-01-02", until="2025-01-08")
    assert [date for _, date, outcome in told if outcome == "new"] == ["2025-01-04", "2025-01-03", "2025-01-02"]


def test_a_miss_is_final_once_the_day_is_settled_and_for_a_month(site, workspace):
    site.pages[path_of("nyt", "2025-01-05")] = reply(json_of("2025-01-05"))
    ask(workspace, site, "nyt", since="2025-01-05")
    told, code, _ = ask(workspace, site, "nytbee", since="2025-01-02")
    assert [outcome for *_, outcome in told] == ["missing"] * 3
    assert code == 3  # of two days that are settled nobody has a page
    told, code, _ = ask(workspace, site, "nytbee", since="2025-01-02")
    assert [date for _, date, _ in told] == ["2025-01-04"]
    assert code == 3  # nobody has them yet
    later = NOW + datetime.timedelta(days=3)
    told, _, _ = ask(workspace, site, "nytbee", since="2025-01-02", until="2025-01-05", now=later)
    assert [date for _, date, _ in told] == ["2025-01-04"]
    later = NOW + datetime.timedelta(days=34)
    told, _, _ = ask(workspace, site, "nytbee", since="2025-01-02", until="2025-01-05", now=later)
    assert len(told) == 3


def test_a_fresh_day_is_asked_again_until_it_is_settled_and_the_grown_list_wins(site, workspace):
    old, grown = json_of("2025-01-05"), json_of("2025-01-05", "octet")
    site.pages[path_of("nyt", "2025-01-05")] = in_turn(
        reply(old, ETag='"one"'), reply(b"", 304), reply(grown, ETag='"two"'), reply(grown)
    )
    outcomes = []
    for hours in (0, 1, 24, 44, 45, 99):
        told, code, _ = ask(
            workspace, site, "nyt", since="2025-01-05", until="2025-01-05", now=NOW + datetime.timedelta(hours=hours)
        )
        outcomes += [outcome for *_, outcome in told] or ["-"]
        assert code == 0
    assert outcomes == ["new", "same", "new", "same", "-", "-"]
    sent = [headers.get("If-None-Match") for path, headers in site.asked if path != "/robots.txt"]
    assert sent == [None, '"one"', '"one"', '"two"']
    days, _ = read_captures(workspace)
    _, answers, conflicts = merge.reconcile(days, TRUST)
    assert "octet" in set(answers["word"])
    assert list(conflicts["source_b"]) == ["nyt before"]
    first, second = captures(workspace)
    assert first == "nyt/2025-01-05.json"
    assert re.fullmatch(r"nyt/2025-01-05-[0-9a-f]{8}\.json", second)


def test_a_list_that_went_back_to_what_it_was_is_believed(site, workspace):
    right, wrong = json_of("2025-01-05"), json_of("2025-01-05", "octet")
    site.pages[path_of("nyt", "2025-01-05")] = in_turn(reply(right), reply(wrong), reply(right), reply(right))
    outcomes = [
        ask(workspace, site, "nyt", since="2025-01-05", now=NOW + datetime.timedelta(hours=hour))[0][0][2]
        for hour in range(4)
    ]
    assert outcomes == ["new", "new", "new", "same"]
    days, _ = read_captures(workspace)
    assert days[-1][1].answers == ANSWERS


def test_all_days_that_the_record_lacks_are_wanted_and_the_last_two_weeks():
    days = wanted.choose("", "", seal.dates("2018-05-09..2024-11-03 2024-11-05..2025-01-04"), NOW)
    assert days == [*day.days_between("2024-12-23", "2025-01-05"), "2024-11-04"]
    assert wanted.choose("", "", (), NOW)[-1] == "2018-05-09"
    assert wanted.choose("2025-01-01", "2025-01-02", {"2025-01-01"}, NOW) == ["2025-01-02", "2025-01-01"]


def test_a_gap_that_a_catch_up_left_is_asked_for_again_and_named(site, workspace):
    """Newest first, and the site goes down half-way: the older days are wanted as long as nobody has them."""
    site.pages[path_of("nyt", "2025-01-05")] = reply(json_of("2025-01-05"))
    site.pages[path_of("nyt", "2025-01-03")] = reply(json_of("2025-01-03"))
    settings = {"BEE_NYT_URL": site.url}
    covered = seal.dates("2018-05-09..2024-12-31 2025-01-02..2025-01-02")
    for now, absent in ((NOW, 1), (NOW + datetime.timedelta(days=3), 3)):
        work = backfill.prepare(workspace, Wish(("nyt",), second="never"), settings, now, covered)
        assert "2025-01-01" in {*work.dates, *(date for _, date in work.known.requests)}
        with web.session(delay=0) as session:
            asks = list(backfill.backfill(work, session, work.dates, lambda now=now: now))
        lines = [line for line in backfill.missing(work) if "2025-01-0" in line]
        assert (backfill.exit_code(work, asks), len(lines)) == (3, absent)
        assert lines[0].startswith("missing 2025-01-01: asked nyt; again after 2025-02-04")
    later = NOW + datetime.timedelta(days=31)
    work = backfill.prepare(workspace, Wish(("nyt",), "2025-01-01", "2025-01-03", "never"), settings, later, covered)
    assert "2025-01-01" in work.dates


def test_two_sources_are_asked_for_a_new_day_and_one_with_single(site, workspace):
    dates = {"since": "2025-01-02", "until": "2025-01-02"}
    for source, body in (("nyt", json_of("2025-01-02")), ("nytbee", page_of("2025-01-02"))):
        site.pages[path_of(source, "2025-01-02")] = reply(body)
    assert [each[0] for each in ask(workspace, site, second="never", **dates)[0]] == ["nyt"]
    assert [each[0] for each in ask(workspace, site, second="live", **dates)[0]] == ["nytbee"]
    days, _ = read_captures(workspace)
    _, answers, _ = merge.reconcile(days, TRUST)
    assert set(answers["vouched"]) == {2}
    assert ask(workspace, site, second="live", **dates)[0] == []


def test_a_day_of_an_archive_needs_no_second_source(site, workspace):
    keep(workspace, "lines", [("a.txt", "", b"2025-01-02 e acnotv: cove covenant tote\n")], "2025-01-03")
    site.pages[path_of("nyt", "2025-01-02")] = reply(json_of("2025-01-02"))
    assert ask(workspace, site, since="2025-01-02", until="2025-01-02", second="live")[0] == []


def test_a_day_that_a_correction_rejects_is_no_day_that_we_have(live, site, tmp_path):
    """Another source is asked for it, and it is missing where no other one has it."""
    rejected = ("2024-12-01", "2024-12-02")
    lines = ["source,date,reported,listed,lacking,reason,by"]
    for date in rejected:
        site.pages[path_of("nyt", date)] = reply(json_of(date))
        lines.append(f"nyt,{date},eacnotv,,,no such puzzle,x")
    dates = ("--since", rejected[0], "--until", rejected[1], "--single", "--data", tmp_path)
    assert live("fetch", *dates).code == 0
    store.write_bytes(tmp_path / "custom/corrections.csv", "\n".join([*lines, ""]).encode())
    site.pages[path_of("nytbee", rejected[1])] = reply(page_of(rejected[1]))
    site.asked.clear()
    done = live("fetch", *dates)
    missing = [line for line in done.err.splitlines() if line.startswith("missing")]
    assert (done.code, len(missing), missing[0].startswith("missing 2024-12-01: asked nyt")) == (3, 1, True)
    asked = {path for path, _ in site.asked}
    assert {path_of("nytbee", date) for date in rejected} <= asked
    assert not {path_of("nyt", date) for date in rejected} & asked


PAGE, JSON = page_of("2025-01-02"), json_of("2025-01-02")


@pytest.mark.parametrize(
    ("reason", "source", "answer"),
    [
        ("challenge", "nytbee", reply(b"<html><title>Just a moment...</title>")),
        ("challenge", "nyt", reply(b"<script src='https://ct.captcha-delivery.com/c.js'></script>")),
        ("challenge", "nyt", reply(b"<html>wait</html>", cf_mitigated="challenge")),
        ("error-page", "nyt", reply(b"<html>We are sorry.</html>")),
        ("error-page", "nytbee", reply(b"")),
        ("error-page", "nytbee", reply(b"date,center,outer,answer\n")),
        ("error-page", "nyt", reply(b"{}")),
        ("damaged", "nyt", reply(gzip.compress(JSON, mtime=0))),
        ("other-day", "nytbee", reply(page_of("2025-01-01"))),
        ("other-day", "nyt", reply(json_of("2025-01-03"))),
        ("other-day", "nyt_page", reply(GAME_2019.replace(b"-02", b"-09"))),
        ("other-day", "nyt_page", reply(GAME_2019.replace(b"2025-01-01", b"2024-12-18"))),
        ("other-day", "nyt_page", reply(GAME_2019.replace(b"2025-01-01", b"2025-01-03"))),
        ("other-format", "nyt", reply(PAGE)),
        ("other-format", "nytbee", reply(JSON)),
        ("other-format", "nyt_page", reply(JSON)),
        ("other-format", "nyt", reply(b"[" + JSON + b"]")),
        ("other-format", "nyt", reply(b"2025-01-02 e acnotv: cove covenant tote\n")),
        ("other-format", "nyt", reply(b"2025-01-02 e acnotv: cove covenant tote\n2025-01-01 e acnotv: covenant\n")),
        ("layout-drift", "nytbee", reply(PAGE.replace(b'id="main-answer-list"', b'id="words"'))),
        ("layout-drift", "nyt_page", reply(b"window.gameData = {}")),
        ("count-mismatch", "nytbee", reply(PAGE.replace(b"Answers: 5", b"Answers: 6"))),
        ("no-answers", "nytbee", reply(re.sub(rb'(column-list-definitions">)[\s\S]*?</ul>', rb"\1</ul>", PAGE))),
        ("no-answers", "nyt", reply(re.sub(rb'(answers|pangrams)": \[.*?\]', rb'\1": []', JSON))),
        ("cut-short", "nyt", reply(JSON, Content_Length="80")),
        ("cut-short", "nytbee", reply(PAGE, Content_Length="3500")),
        ("bad-word", "nyt", reply(JSON.replace(b'"cent"', b'"<script>"'))),
        ("unspellable", "nyt", reply(JSON.replace(b'"cent"', b'"bent"'))),
        ("unexpected-status", "nyt", reply(b"", 304)),
        ("forbidden", "nyt", reply(b"", 403)),
        ("off-site", "nyt", reply(b"", 302, Location="https://example.org/")),
        ("server-error", "nyt", reply(b"", 502)),
        ("hung-up", "nyt", reset),
    ],
)  # fmt: skip
def test_a_page_that_is_not_that_days_puzzle_is_refused_by_name_and_not_kept(site, workspace, reason, source, answer):
    site.pages[path_of(source, "2025-01-02")] = answer
    told, code, summary = ask(workspace, site, source, since="2025-01-02", until="2025-01-02")
    assert told == [(source, "2025-01-02", reason)]
    assert reason in VIOLATIONS or reason in backfill.REFUSALS or reason in backfill.REASONS
    assert captures(workspace) == []
    assert code == 3
    assert f"{reason} 1" in summary[0]
    assert len(ask(workspace, site, source, since="2025-01-02", until="2025-01-02")[0]) == 1  # a refusal is not final


def test_a_source_that_fails_again_and_again_is_left_alone_and_another_one_goes_on(site, workspace):
    for date in day.days_between("2024-12-01", "2024-12-20"):
        site.pages[path_of("nyt", date)] = reply(b"<html>We are sorry.</html>")
        site.pages[path_of("nytbee", date)] = reply(page_of(date))
    told, code, summary = ask(workspace, site, since="2024-12-01", until="2024-12-20")
    assert [outcome for source, _, outcome in told if source == "nyt"] == ["error-page"] * 5
    assert [outcome for source, _, outcome in told if source == "nytbee"] == ["new"] * 20
    assert code == 3
    assert summary[:2] == [
        "nyt: error-page 5",
        "nyt: no more requests in this run. 5 pages in a row were missing or refused.",
    ]


def test_the_page_may_bring_days_as_far_back_as_it_reaches(site, workspace):
    for oldest in ("2024-12-19", "2025-01-01"):
        site.pages[path_of("nyt_page", "2025-01-02")] = reply(GAME_2019.replace(b"2025-01-01", oldest.encode()))
        told, _, _ = ask(workspace, site, "nyt_page", since="2025-01-02", until="2025-01-02")
        assert told == [("nyt_page", "2025-01-02", "new")]
        shutil.rmtree(workspace.raw)


@pytest.mark.parametrize(
    ("wastes", "asked"), [(0, 5), (backfill.BUDGET / 2 - 1, 3), (backfill.BUDGET / 2, 2), (backfill.BUDGET, 1)]
)
def test_a_source_that_wastes_its_time_is_left_alone(site, workspace, wastes, asked):
    """Each answer, though good, takes a while: what is beyond the fair time counts against the budget of the source."""
    dates = day.days_between("2025-01-01", "2025-01-05")
    now = [0.0]

    def slow(date: str):
        def answer(handler) -> None:
            now[0] += wastes + backfill.FAIR
            reply(json_of(date))(handler)

        return answer

    for date in dates:
        site.pages[path_of("nyt", date)] = slow(date)
        site.pages[path_of("nytbee", date)] = reply(page_of(date))
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    work = backfill.prepare(workspace, Wish(("nyt", "nytbee"), "2025-01-01"), settings, NOW, ())
    with web.session(delay=0, clock=lambda: now[0]) as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: NOW))
    assert sum(each.source == "nyt" for each in asks) == asked
    assert {each.date for each in asks} == set(dates)
    assert (
        "no more requests in this run. Failures and slow responses took" in " ".join(backfill.summary(work, asks))
    ) is (wastes > 0)
    assert backfill.exit_code(work, asks) == (3 if wastes else 0)


def test_three_sources_at_their_worst_take_less_than_half_an_hour():
    worst = backfill.BUDGET + backfill.FAIR + PATIENCE
    assert len(LIVE) * worst < 30 * 60


def test_a_few_failures_between_good_pages_do_not_stop_a_source(site, workspace):
    for n, date in enumerate(day.days_between("2024-12-01", "2024-12-20")):
        site.pages[path_of("nyt", date)] = reply(json_of(date) if n % 4 == 0 else b"<html>")
    told, code, _ = ask(workspace, site, "nyt", since="2024-12-01", until="2024-12-20")
    assert [outcome for *_, outcome in told] == ["new", "error-page", "error-page", "error-page"] * 5
    assert code == 3


def test_a_source_that_moved_away_is_noticed(site, workspace):
    told, code, summary = ask(workspace, site, "nyt", since="2024-12-01", until="2024-12-31")
    assert [outcome for *_, outcome in told] == ["missing"] * 10
    assert code == 3
    assert "no more requests in this run" in summary[1]


@pytest.mark.parametrize("good", [True, False])
def test_a_good_page_between_missing_ones_starts_their_count_anew(site, workspace, good):
    """Ten missing pages in a row stop a source: here nine, a page or none, and nine again."""
    dates = day.days_between("2024-12-01", "2024-12-19")
    if good:
        site.pages[path_of("nyt", dates[9])] = reply(json_of(dates[9]))
    told, _, summary = ask(workspace, site, "nyt", since=dates[-1], until=dates[0])
    assert len(told) == (19 if good else 10)
    assert ("no more requests in this run" in " ".join(summary)) is not good


@pytest.mark.parametrize(("since", "stopped"), [("2024-12-26", False), ("2024-12-25", True)])
def test_a_page_that_may_still_come_does_not_count_as_missing(site, workspace, since, stopped):
    """Of the days up to the 5th, the 4th and the 5th are not settled yet; ten settled ones stop the source."""
    told, _, summary = ask(workspace, site, "nyt", since=since)
    assert len(told) == 11 + stopped
    assert ("no more requests in this run" in " ".join(summary)) is stopped


@pytest.mark.parametrize(("more", "stopped"), [(-1, False), (0, True), (1, True)])
def test_a_page_counts_as_missing_from_the_moment_its_day_settles(site, workspace, more, stopped):
    """The last of ten missing pages in a row is that of a day that settles now."""
    now = wanted.settles("2025-01-03") + datetime.timedelta(seconds=more)
    told, _, summary = ask(workspace, site, "nyt", since="2024-12-25", until="2025-01-03", now=now)
    assert (len(told), "no more requests in this run" in " ".join(summary)) == (10, stopped)


@pytest.mark.parametrize(("more", "logged"), [(-1, True), (0, False), (1, False)])
def test_the_version_of_a_new_page_is_remembered_only_until_its_day_settles(site, workspace, more, logged):
    now = wanted.settles("2025-01-03") + datetime.timedelta(seconds=more)
    site.pages[path_of("nyt", "2025-01-03")] = reply(json_of("2025-01-03"), ETag='"one"')
    ask(workspace, site, "nyt", since="2025-01-03", until="2025-01-03", now=now)
    assert list(receipts.read_log(workspace.build / "requests.csv")["etag"]) == ['"one"'] * logged


def test_the_version_of_a_page_that_was_refused_is_not_remembered(site, workspace):
    """Else the next request could bring "not modified" for a page that was never kept."""
    site.pages[path_of("nyt", "2025-01-03")] = reply(b"<html>We are sorry.</html>", ETag='"sorry"')
    ask(workspace, site, "nyt", since="2025-01-03", until="2025-01-03")
    assert list(receipts.read_log(workspace.build / "requests.csv")["etag"]) == [""]


@pytest.mark.parametrize("answer", [reply(b"", 403), reply(b"", 429), reset, reply(b"<title>Just a moment...")])
def test_a_host_that_does_not_want_us_is_asked_once(site, workspace, answer):
    for date in day.days_between("2025-01-01", "2025-01-05"):
        site.pages[path_of("nyt", date)] = answer
    told, code, summary = ask(workspace, site, "nyt")
    assert (len(told), code) == (1, 3)
    assert summary[1].startswith("nyt: no more requests in this run. ")


def test_robots_txt_closes_a_source(site, workspace):
    site.pages["/robots.txt"] = reply(b"User-agent: *\nDisallow: /svc/")
    site.pages[path_of("nytbee", "2025-01-01")] = reply(page_of("2025-01-01"))
    told, code, summary = ask(workspace, site, until="2025-01-01")
    assert told == [("nyt", "2025-01-01", "robots"), ("nytbee", "2025-01-01", "new")]
    assert (code, summary[1]) == (3, "nyt: no more requests in this run. robots.txt does not allow it.")


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"sources": ("plus",)}, '"plus" is not a source that can be asked'),
        ({"since": "2025-01-05", "until": "2025-01-04"}, "--since 2025-01-05 is after --until 2025-01-04"),
        ({"since": "2025-01-06"}, "--since 2025-01-06 is after the current puzzle; name a day up to 2025-01-05"),
        ({"until": "2010-01-01"}, "--until 2010-01-01 is before the first puzzle; name a day from 2018-05-09 on"),
        ({"until": "2018-05-08"}, "--until 2018-05-08 is before the first puzzle"),
        ({"since": "2010-01-01", "until": "2010-01-02"}, "--until 2010-01-02 is before the first puzzle"),
        ({"since": "2030-01-01", "until": "2030-01-02"}, "--since 2030-01-01 is after the current puzzle"),
        ({"until": "2018-05-09"}, "No day up to 2018-05-09 is missing; to ask for such days again, name the first"),
    ],
)
def test_a_wish_that_cannot_be_met_is_a_sentence_that_says_what_to_do(workspace, wish, says):
    with pytest.raises(backfill.SourceError, match=re.escape(says)):
        backfill.prepare(workspace, Wish(**wish), {}, NOW, covered={"2018-05-09"})


@pytest.mark.parametrize("wish", [{"since": "2025-01-05"}, {"until": "2018-05-09"}, {"since": "2018-05-01"}])
def test_a_wish_for_a_single_day_at_the_edge_is_met(workspace, wish):
    assert backfill.prepare(workspace, Wish(**wish), {}, NOW, covered=()).dates[-1] in ("2025-01-05", "2018-05-09")


def test_the_saved_pages_come_back_from_the_network_as_they_are(site, workspace, shared):
    pages = {path.name: path.read_bytes() for path in sorted((shared / "pages/nytbee").iterdir())}
    for name, data in pages.items():
        site.pages[f"/{name}"] = (
            reply(data) if len(data) % 2 else reply(gzip.compress(data, mtime=0), Content_Encoding="gzip")
        )
    work = backfill.prepare(
        workspace, Wish(("nytbee",), "2018-05-09"), {"BEE_NYTBEE_URL": site.url}, NOW.replace(2026), ()
    )
    dates = [date for date in work.dates if LIVE["nytbee"].name_for(date) in pages]
    assert len(dates) == 73
    with web.session(delay=0) as session:
        asks = list(backfill.backfill(work, session, dates, lambda: NOW))
    assert {each.outcome for each in asks} == {"new"}
    assert {path.name: path.read_bytes() for path, _ in receipts.all_receipts(workspace)} == pages


@pytest.fixture
def live(bee, monkeypatch, site):
    """`bee` with the sources redirected to the local site."""
    monkeypatch.setenv("BEE_NYT_URL", f"{site.url}/")
    monkeypatch.setenv("BEE_NYTBEE_URL", site.url)
    monkeypatch.setenv("BEE_DELAY", "0")
    return bee


def test_the_command_says_what_it_does_and_where_it_put_it(live, site, tmp_path):
    for date in ("2025-01-01", "2025-01-02"):
        site.pages[path_of("nyt", date)] = reply(json_of(date))
    dates = ("--since", "2025-01-01", "--until", "2025-01-02", "--data", tmp_path)
    dates += ("--single",)
    done = live("fetch", *dates)
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == [
        "Asking for 2 days, 2025-01-02 back to 2025-01-01.",
        f"nyt: new 2; in {tmp_path / 'raw/nyt'}",
        "nytbee: not asked",
        "nyt_page: not asked",
    ]
    again = live("fetch", *dates)
    assert (again.code, again.err) == (0, "No day is missing.\n")
    failed = live("fetch", "--source", "nytbee", "--since", "2024-12-01", "--until", "2024-12-01", "--data", tmp_path)
    assert failed.code == 3
    assert live("fetch", "--source", "nytbe", "--data", tmp_path).code == 2
    assert live("fetch", "--since", "last week", "--data", tmp_path).code == 2


def test_progress_is_a_line_now_and_then_when_no_terminal_watches(live, site, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.commands.fetch.SAY_EVERY", 2)
    for date in day.days_between("2025-01-01", "2025-01-05"):
        site.pages[path_of("nyt", date)] = reply(json_of(date) if date > "2025-01-02" else b"<html>")
    done = live("fetch", "--source", "nyt", "--since", "2025-01-01", "--until", "2025-01-05", "--data", tmp_path)
    assert done.code == 3
    assert re.findall(r"(\d) days done, (\d) failures?", done.err) == [("2", "0"), ("4", "1")]
    assert "2025-01-01 nyt: error-page: http" in done.err


def test_without_a_network_it_says_so_and_run_goes_on_with_what_is_on_disk(live, site, data, monkeypatch):
    shutil_sample(data)
    with nobody() as gone:
        monkeypatch.setenv("BEE_NYT_URL", gone)
        monkeypatch.setenv("BEE_NYTBEE_URL", gone)
        done = live("fetch", "--data", data)
        assert done.code == 3
        assert "is there a network?" in done.err
        done = live("run", "--fetch", "--data", data)
    assert done.code == 3
    assert "Continuing with the captures on disk; `bee run --fetch" in done.err
    assert (data / "custom/wordlist.txt").exists()
    assert site.asked == []


def shutil_sample(data: Path) -> None:
    """Put the two weeks into a workspace, as in a fresh clone."""
    for name in ("two-weeks.csv", "receipts.csv"):
        store.write_bytes(data / "raw/sample" / name, (PROJECT / "data/raw/sample" / name).read_bytes())


def test_run_touches_the_network_only_when_told_and_a_poisoned_word_waits(live, site, data, monkeypatch):
    shutil_sample(data)
    assert live("run", "--data", data).code == 0
    assert site.asked == []
    today = puzzle_day(datetime.datetime.now(datetime.UTC))
    site.pages[path_of("nyt", today)] = reply(json_of(today, "vvoonnccee"))
    monkeypatch.setattr(wanted, "choose", lambda *_: [today])
    assert live("run", "--fetch", "--data", data).code == 0
    words = (data / "custom/wordlist.txt").read_text().split()
    assert "covenant" in words
    assert "vvoonnccee" not in words
    decisions = registry.load(Workspace(data), "decisions").set_index("word")
    assert decisions.loc["vvoonnccee", "tier"] == "review"


def test_a_url_is_imported_like_a_file(live, site, tmp_path):
    for path in ("/lines.txt", "/list?of=../all;$(days)"):
        site.pages[path] = reply(f"2025-01-0{len(path) % 7} e acnotv: cove covenant tote\n".encode())
        assert live("import", f"{site.url}{path}", "--data", tmp_path).code == 0
    assert sorted(captures(Workspace(tmp_path))) == ["127-0-0-1/all___days_", "127-0-0-1/lines.txt"]
    file = tmp_path / "days.csv"
    file.write_text("2025-01-01 e acnotv: cove covenant\n")
    assert live("import", file, "--as", "127-0-0-1", "--data", tmp_path).code == 0
    kept = receipts.read_log(Workspace(tmp_path).raw / "127-0-0-1/receipts.csv")
    assert dict(zip(kept["url"] == str(file), kept["status"], strict=True)) == {True: "", False: "200"}
    assert live("import", f"{site.url}/gone.txt", "--data", tmp_path).code == 3
    assert live("import", f"{site.url}/lines.txt", "--source", "../x", "--data", tmp_path).code == 1


def test_the_audit_finds_gaps_disagreement_drift_and_changed_bytes(live, tmp_path):
    workspace = Workspace(tmp_path)
    assert live("check", "--captures", "--data", tmp_path).code == 0
    keep(workspace, "nyt", [("2025-01-01.json", "", json_of("2025-01-01"))], "2025-02-01")
    keep(workspace, "nyt", [("2025-01-03.json", "", json_of("2025-01-03"))], "2025-02-01")
    keep(workspace, "nytbee", [("Bee_20250103.html", "", page_of("2025-01-03"))], "2025-02-01")
    done = live("check", "--captures", "--data", tmp_path)
    said = f"2025-01-02: it is in no capture and not in the evidence; `bee fetch --data {tmp_path}` asks for it"
    assert (done.code, done.out) == (1, f"warning  {'day-missing':20} {said}\n")
    drifted = page_of("2025-01-01").replace(b"Score: 24", b"Score: 30")
    keep(workspace, "nytbee", [("Bee_20250101.html", "", drifted)], "2025-02-01")
    (workspace.raw / "nyt/2025-01-03.json").write_bytes(b"{}")
    grown = page_of("2025-01-03").replace(b"<li>octet", b"<li>tote ")
    keep(workspace, "nytbee", [("Bee_20250103.html", "", grown)], "2025-02-02")
    found = live("check", "--captures", "--data", tmp_path).out
    for rule in ("day-missing", "count-mismatch", "capture-changed", "refused-impossible"):
        assert rule in found


def test_the_audit_and_the_merge_say_the_same_of_a_list_that_had_not_settled(live, data):
    """nyt was read on the day itself and lacks a word that came later; nytbee was read when the list was settled."""
    workspace = Workspace(data)
    keep(workspace, "nytbee", [("Bee_20250103.html", "", page_of("2025-01-03"))], "2025-02-01T00:00:00+00:00")
    keep(workspace, "nyt", [("2025-01-03.json", "", json_of("2025-01-03", "octet"))], "2025-01-03T12:00:00+00:00")
    said = "2025-01-03 octet: nyt has it, nytbee does not; the list of nyt is not settled and does not count"
    audited = live("check", "--captures", "--data", data).out
    assert live("merge", "--data", data).code == 0
    assert said in audited
    conflicts = registry.load(workspace, "conflicts")
    assert [f"{row['date']} {row['subject']}: {row['detail']}" in audited for row in frames.rows(conflicts)] == [True]


def test_a_second_fetch_does_not_mix_with_the_first(live, tmp_path):
    with filelock.FileLock(tmp_path / ".lock"):
        done = live("fetch", "--since", "2025-01-01", "--until", "2025-01-02", "--wait", "0.1", "--data", tmp_path)
    assert done.code == 1
    assert "Another bee is at work" in done.err


def test_a_full_disk_loses_nothing_that_was_there(site, workspace, monkeypatch):
    for date in ("2025-01-01", "2025-01-02"):
        site.pages[path_of("nyt", date)] = reply(json_of(date))
    ask(workspace, site, "nyt", until="2025-01-01")
    before = (workspace.raw / "nyt/receipts.csv").read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(StoreError, match="No space left"):
                ask(workspace, site, "nyt", until="2025-01-02")
        assert (workspace.raw / "nyt/receipts.csv").read_bytes() == before
    assert ask(workspace, site, "nyt", until="2025-01-02")[0] == [("nyt", "2025-01-02", "new")]


def test_a_receipt_that_was_cut_off_does_not_count_and_makes_room(site, workspace):
    for date in ("2025-01-01", "2025-01-02"):
        site.pages[path_of("nyt", date)] = reply(json_of(date))
    ask(workspace, site, "nyt", until="2025-01-02")
    path = workspace.raw / "nyt/receipts.csv"
    whole = path.read_bytes()
    for cut in (1, 30, len(whole) - 3, len(whole)):
        path.write_bytes(whole[:-cut])
        ask(workspace, site, "nyt", until="2025-01-02")
        assert sorted(path.read_bytes().splitlines()) == sorted(whole.splitlines())


def fetching(site: Site, data: Path, until: str) -> subprocess.Popen[str]:
    """`bee fetch` in its own process."""
    settings = {"BEE_NYT_URL": site.url, "BEE_DELAY": "0", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "pipeline", "fetch", "--source", "nyt", "--since", "2024-01-01", "--until", until]
    return subprocess.Popen(
        [*command, "--data", str(data)], env={**os.environ, **settings}, stderr=subprocess.PIPE, text=True
    )


def test_killed_at_any_moment_it_loses_at_most_the_page_in_flight(site, tmp_path):
    days = day.days_between("2024-01-01", "2024-04-09")
    for date in days:
        site.pages[path_of("nyt", date)] = reply(json_of(date))
    chance, kills = random.Random(7), (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
    for kill in kills:
        asked = len(site.paths())
        with fetching(site, tmp_path, days[0]) as process:
            while len(site.paths()) < asked + 10 and process.poll() is None:
                time.sleep(0.002)
            time.sleep(chance.random() * 0.02)
            process.send_signal(kill)
            _, said = process.communicate()
        if kill == signal.SIGINT and process.returncode != 0:
            assert process.returncode == 130
            assert "Stopped. The days fetched so far are kept" in said
            assert "nyt: new" in said
    with fetching(site, tmp_path, days[0]) as process:
        process.communicate()
    assert process.returncode == 0
    assert len(site.paths()) <= len(days) + len(kills)
    workspace = Workspace(tmp_path)
    assert sorted(captures(workspace)) == [f"nyt/{date}.json" for date in sorted(days)]
    assert inspected(workspace) == []
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.live
@pytest.mark.parametrize(("source", "date"), [("nyt", "2025-12-30"), ("nytbee", "2025-12-30"), ("nyt_page", "")])
def test_each_source_still_has_its_page(source, date, tmp_path):
    now = datetime.datetime.now(datetime.UTC)
    day = date or puzzle_day(now)
    work = backfill.prepare(Workspace(tmp_path), Wish((source,), day, day), os.environ, now, ())
    with web.session() as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: now))
    assert [(each.outcome, each.detail) for each in asks] == [("new", "")]


def test_a_folder_with_what_cannot_be_read_names_it_and_reads_the_rest(live, tmp_path, monkeypatch):
    folder, data = tmp_path / "archive/deep", tmp_path / "data"
    folder.mkdir(parents=True)
    data.mkdir()
    (folder / "a.txt").write_bytes(b"2025-01-01 e acnotv: cove covenant tote\n")
    (folder / "gone.txt").symlink_to("nowhere")
    (folder / "memory.txt").symlink_to("/proc/self/mem")
    (folder / "zz.txt").write_bytes(b"2025-01-02 e acnotv: cove covenant tote\n")
    (folder / "large.txt").write_bytes(b"\n" * 2000)
    (folder / "largest.txt").write_bytes(b"2025-01-03 e acnotv: cove covenant tote".ljust(1999, b"\n"))
    monkeypatch.setattr("pipeline.fetching.captures.LARGEST", 1999)
    done = live("import", tmp_path / "archive", "--data", data)
    assert done.code == 1
    told = done.err.splitlines()
    assert [line for line in told if "gone.txt: unreadable: The link is broken." in line]
    assert [line for line in told if "memory.txt: unreadable: " in line]
    assert [line for line in told if "large.txt: too-large: It has more than" in line]
    assert told[-1] == f"{tmp_path / 'archive'}: 3 days in 3 files, 3 new captures, 3 faults."
    assert captures(Workspace(data)) == ["archive/a.txt", "archive/largest.txt", "archive/zz.txt"]


@pytest.mark.parametrize("delay", ["nan", "inf", "-1", "1e300", "3600.5", "soon", ""])
@pytest.mark.parametrize("how", ["option", "setting"])
def test_a_delay_that_is_no_time_is_one_clear_line(live, tmp_path, monkeypatch, delay, how):
    monkeypatch.setenv("COLUMNS", "200")
    if how == "setting":
        monkeypatch.setenv("BEE_DELAY", delay)
    if how == "setting" and not delay:
        pytest.skip("an empty setting is none")
    arguments = ("--delay", delay) if how == "option" else ()
    for command in ("fetch", "run"):
        done = live(command, *arguments, "--data", tmp_path)
        assert (done.code, done.out) == (2, "")
        assert re.search("not a number of seconds from 0 to 3600|is not a number|after --delay is empty", done.err)
        assert "Traceback" not in done.err


@pytest.mark.parametrize("delay", ["0", "3600"])
def test_a_delay_may_be_from_nothing_to_an_hour(live, site, tmp_path, delay):
    """The first request to a host waits for nobody, and a robots.txt that cannot be reached ends the fetch."""
    site.pages["/robots.txt"] = reply(b"User-agent: *\nDisallow: /")
    done = live(
        "fetch",
        "--source",
        "nyt",
        "--since",
        "2025-01-02",
        "--until",
        "2025-01-02",
        "--delay",
        delay,
        "--data",
        tmp_path,
    )
    assert (done.code, "robots.txt does not allow it" in done.err) == (3, True)
