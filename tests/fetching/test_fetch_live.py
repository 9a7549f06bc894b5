"""Fetching from live sources, tested with a local site: which days are requested, kept and refused, and which errors
are survived."""

from __future__ import annotations

import datetime
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from conftest import PROJECT, keep, reseal
from server import Site, in_turn, nobody, reply, reset

from pipeline import store
from pipeline.facts import coverage, merge
from pipeline.fetching import backfill, receipts, schedule, web
from pipeline.fetching.backfill import FetchOptions
from pipeline.publishing.check import RULES
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


def ask(workspace, site, *sources, now=NOW, since="2025-01-01", until="", second_witness="never", covered=()):
    """Fetch like `bee fetch`; return the requests with their results, the exit code and the summary."""
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    work = backfill.prepare(
        workspace, FetchOptions(sources, since, until, second_witness), settings, now, covered, NO_DECISIONS
    )
    with web.session(delay=0) as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: now))
    requests = [(request.source, request.date, request.outcome) for request in asks]
    return requests, backfill.exit_code(work, asks), backfill.summary(work, asks)


def ask_for(date: str, workspace, site, *sources, **more):
    """Fetch one day."""
    return ask(workspace, site, *sources, since=date, until=date, **more)


def read_captures(workspace: Workspace):
    return registry.load(workspace, "captures")


def captures(workspace: Workspace) -> list[str]:
    return [f"{path.parent.name}/{path.name}" for path, _ in receipts.all_receipts(workspace)]


def broken_rules(bee, workspace: Workspace) -> list[str]:
    """The rules that `bee check --captures` finds broken."""
    done = bee("check", "--captures", "--json", "--data", workspace.root)
    return [finding["rule"] for finding in json.loads(done.out)["rows"]]


def test_missing_days_are_asked_newest_first_kept_with_receipts_and_not_asked_for_again(site, workspace):
    offer(site, "nyt", *days_between("2025-01-01", "2025-01-05"))
    requests, code, _ = ask(workspace, site)
    assert requests == [("nyt", f"2025-01-0{n}", "new") for n in (5, 4, 3, 2, 1)]
    assert code == 0
    rows = frames.rows(receipts.read_log(workspace.raw / "nyt/receipts.csv"))
    assert [row["name"] for row in rows] == [f"2025-01-0{n}.json" for n in (1, 2, 3, 4, 5)]
    assert rows[0]["url"] == f"{site.url}/svc/spelling-bee/v1/2025-01-01.json"
    assert (rows[0]["fetched_at"], rows[0]["status"]) == ("2025-01-05T12:00:00+00:00", "200")
    found = read_captures(workspace)
    assert ({day.answers for _, day in found.days}, found.faults) == ({ANSWERS}, [])
    site.asked.clear()
    assert ask(workspace, site, "nyt", "nytbee", until="2025-01-02")[0] == []
    assert site.asked == []


def test_trust_is_in_the_order_that_was_decided():
    """Other sources may stand between these."""
    decided = [["nyt"], ["days", "nyt_page"], ["lines", "sample", "table"], ["nytbee"], ["seed"], ["plus"]]
    ranks = [{TRUST_RANK[name] for name in group} for group in decided]
    assert ranks == sorted(ranks, key=min)
    assert [len(rank) for rank in ranks] == [1] * len(decided)
    assert len(set.union(*ranks)) == len(decided)


def test_old_days_have_no_game_page_and_a_new_one_brings_two_weeks(site, workspace):
    site.pages[path_of("nyt_page", "2025-01-02")] = reply((PROJECT / "tests/sources/pages/game.html").read_bytes())
    requests, _, _ = ask(workspace, site, "nyt_page", since="2024-12-01", until="2025-01-02")
    assert requests[0] == ("nyt_page", "2025-01-02", "new")
    missing = {date for _, date, outcome in requests if outcome == "missing"}
    assert missing == set(days_between("2024-12-22", "2024-12-30"))
    assert sorted(schedule.read_history(workspace, NO_DECISIONS).captured) == [
        "2024-12-31",
        "2025-01-01",
        "2025-01-02",
    ]


def test_a_fresh_day_is_asked_again_until_it_is_settled_and_the_grown_list_wins(site, workspace):
    old, grown = json_of("2025-01-05"), json_of("2025-01-05", "octet")
    site.pages[path_of("nyt", "2025-01-05")] = in_turn(
        reply(old, ETag='"one"'), reply(b"", 304), reply(grown, ETag='"two"'), reply(grown)
    )
    outcomes = []
    for hours in (0, 1, 24, 44, 45, 99):
        requests, code, _ = ask_for("2025-01-05", workspace, site, "nyt", now=NOW + hours * HOUR)
        outcomes += [outcome for *_, outcome in requests] or ["-"]
        assert code == 0
    assert outcomes == ["new", "same", "new", "same", "-", "-"]
    sent = [headers.get("If-None-Match") for path, headers in site.asked if path != "/robots.txt"]
    assert sent == [None, '"one"', '"one"', '"two"']
    merged = merge.reconcile(read_captures(workspace).days, TRUST_RANK)
    answers, conflicts = merged.answers, merged.conflicts
    assert "octet" in set(answers["word"])
    assert list(conflicts["source_b"]) == ["nyt before"]
    first, second = captures(workspace)
    assert first == "nyt/2025-01-05.json"
    assert re.fullmatch(r"nyt/2025-01-05-[0-9a-f]{8}\.json", second)


def test_all_days_that_the_record_lacks_are_wanted_and_the_last_two_weeks():
    days = schedule.days_to_check("", "", coverage.dates("2018-05-09..2024-11-03 2024-11-05..2025-01-04"), NOW)
    assert days == [*days_between("2024-12-23", "2025-01-05"), "2024-11-04"]
    assert schedule.days_to_check("", "", (), NOW)[-1] == "2018-05-09"
    assert schedule.days_to_check("2025-01-01", "2025-01-02", {"2025-01-01"}, NOW) == ["2025-01-02", "2025-01-01"]


def test_a_gap_that_a_catch_up_left_is_asked_for_again_and_named(site, workspace):
    """Days are requested newest first, and the site goes down halfway. Older days are requested again until a source
    has them."""
    offer(site, "nyt", "2025-01-03", "2025-01-05")
    settings = {"BEE_NYT_URL": site.url}
    covered = coverage.dates("2018-05-09..2024-12-31 2025-01-02..2025-01-02")
    for now, absent in ((NOW, 1), (NOW + datetime.timedelta(days=3), 3)):
        work = backfill.prepare(
            workspace, FetchOptions(("nyt",), second_witness="never"), settings, now, covered, NO_DECISIONS
        )
        with web.session(delay=0) as session:
            asks = list(backfill.backfill(work, session, work.dates, lambda now=now: now))
        lines = [line for line in backfill.missing(work) if "2025-01-0" in line]
        assert (backfill.exit_code(work, asks), len(lines)) == (3, absent)
        assert lines[0].startswith("missing 2025-01-01: asked nyt; the next request is after 2025-02-04")
    later = NOW + datetime.timedelta(days=31)
    options = FetchOptions(("nyt",), "2025-01-01", "2025-01-03", "never")
    assert "2025-01-01" in backfill.prepare(workspace, options, settings, later, covered, NO_DECISIONS).dates


def test_a_rejected_list_is_no_day_that_we_have(live, site, tmp_path):
    """Another source is asked for the day; it is missing if no other source has it."""
    rejected = ("2024-12-01", "2024-12-02")
    offer(site, "nyt", *rejected)
    dates = ("--since", rejected[0], "--until", rejected[1], "--single", "--data", tmp_path)
    assert live("fetch", *dates).code == 0
    lines = [f"{date},nyt,eacnotv,,reject,,,no such puzzle,x\n" for date in rejected]
    text = DAYS_HEADER + "".join(lines)
    store.write_bytes(tmp_path / "custom/days.csv", text.encode())
    offer(site, "nytbee", rejected[1])
    site.asked.clear()
    done = live("fetch", *dates)
    missing = [line for line in done.err.splitlines() if line.startswith("missing")]
    assert (done.code, len(missing), missing[0].startswith("missing 2024-12-01: asked nyt")) == (3, 1, True)
    assert {path_of("nytbee", date) for date in rejected} <= set(site.paths())
    assert not {path_of("nyt", date) for date in rejected} & set(site.paths())
    store.write_bytes(tmp_path / "custom/days.csv", (text + f"{rejected[0]},,,,reject,,,no game,x\n").encode())
    site.asked.clear()
    done = live("fetch", *dates)
    assert (done.code, "missing 2024" in done.err, site.paths()) == (0, False, [])


def test_a_covered_day_that_is_not_on_disk_is_asked_for_if_its_date_is_given(site, workspace):
    offer(site, "nyt", "2025-01-02")
    covered = coverage.dates("2018-05-09..2025-01-04")
    requests, code, _ = ask(workspace, site, "nyt", since="2025-01-02", until="2025-01-02", covered=covered)
    assert (requests, code) == ([("nyt", "2025-01-02", "new")], 0)


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
        ("other-day", "nyt_page", reply(GAME.replace(b"2025-01-01", b"2025-01-03"))),
        ("other-format", "nyt", reply(PAGE)),
        ("other-format", "nyt", reply(b"2025-01-02 e acnotv: cove covenant tote\n2025-01-01 e acnotv: covenant\n")),
        ("layout-drift", "nytbee", reply(PAGE.replace(b'id="main-answer-list"', b'id="words"'))),
        ("no-answers", "nyt", reply(re.sub(rb'(answers|pangrams)": \[.*?\]', rb'\1": []', JSON))),
        ("cut-short", "nyt", reply(JSON, Content_Length="80")),
        ("unexpected-status", "nyt", reply(b"", 304)),
        ("off-site", "nyt", reply(b"", 302, Location="https://example.org/")),
    ],
)
def test_a_page_that_is_not_that_days_puzzle_is_refused_by_name_and_not_kept(site, workspace, reason, source, answer):
    site.pages[path_of(source, "2025-01-02")] = answer
    requests, code, summary = ask_for("2025-01-02", workspace, site, source)
    assert (requests, code) == ([(source, "2025-01-02", reason)], 3)
    assert reason in RULES or reason in backfill.REFUSALS or reason in backfill.REASONS
    assert captures(workspace) == []
    assert f"{reason} 1" in summary[0]
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
    requests, code, summary = ask(workspace, site, "nyt", since=dates[-1], until=dates[0])
    assert len(requests) == (2 * most - 1 if good else most)
    assert summary[1:2] == ([] if good else [f"nyt: {NO_MORE}{most} pages in a row were missing or refused."])
    assert code == 3


@pytest.mark.parametrize(
    ("wastes", "asked"),
    [
        (0, 5),
        (backfill.MAX_WASTED_SECONDS / 2 - 1, 3),
        (backfill.MAX_WASTED_SECONDS / 2, 2),
        (backfill.MAX_WASTED_SECONDS, 1),
    ],
)
def test_a_source_that_wastes_its_time_is_left_alone(site, workspace, wastes, asked):
    """Each answer, though good, takes a while: what is beyond the fair time counts against the budget of the source."""
    dates = days_between("2025-01-01", "2025-01-05")
    now = [0.0]

    def slow(date: str):
        def answer(handler) -> None:
            now[0] += wastes + backfill.EXPECTED_SECONDS
            reply(json_of(date))(handler)

        return answer

    offer(site, "nytbee", *dates)
    for date in dates:
        site.pages[path_of("nyt", date)] = slow(date)
    settings = {"BEE_NYT_URL": site.url, "BEE_NYTBEE_URL": site.url}
    work = backfill.prepare(workspace, FetchOptions(("nyt", "nytbee"), "2025-01-01"), settings, NOW, (), NO_DECISIONS)
    with web.session(delay=0, clock=lambda: now[0]) as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: NOW))
    assert sum(each.source == "nyt" for each in asks) == asked
    assert {each.date for each in asks} == set(dates)
    assert (f"{NO_MORE}Failures and slow responses took" in " ".join(backfill.summary(work, asks))) is (wastes > 0)
    assert backfill.exit_code(work, asks) == (3 if wastes else 0)


@pytest.mark.parametrize(
    ("since", "until", "now", "asked", "stopped"),
    [
        ("2024-12-26", "", NOW, 11, False),
        ("2024-12-25", "", NOW, 12, True),
        ("2024-12-25", "2025-01-03", schedule.settled_at("2025-01-03") - SECOND, 10, False),
        ("2024-12-25", "2025-01-03", schedule.settled_at("2025-01-03"), 10, True),
    ],
)
def test_a_page_counts_as_missing_from_the_moment_its_day_settles(site, workspace, since, until, now, asked, stopped):
    """Of the days up to the 5th, the 4th and the 5th are not settled yet; ten settled ones stop the source."""
    requests, _, summary = ask(workspace, site, "nyt", since=since, until=until, now=now)
    assert (len(requests), NO_MORE in " ".join(summary)) == (asked, stopped)


@pytest.mark.parametrize(
    ("more", "body", "logged"),
    [(-SECOND, JSON, ['"one"']), (0 * SECOND, JSON, []), (-SECOND, b"<html>We are sorry.</html>", [""])],
)
def test_the_version_of_a_good_page_is_remembered_until_its_day_settles(site, workspace, more, body, logged):
    """If it were remembered of a refused page, "not modified" could come for a page that was never kept."""
    site.pages[path_of("nyt", "2025-01-02")] = reply(body, ETag='"one"')
    ask_for("2025-01-02", workspace, site, "nyt", now=schedule.settled_at("2025-01-02") + more)
    assert list(receipts.read_log(workspace.build / "requests.csv")["etag"]) == logged


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--since 2025-01-05 --until 2025-01-04", "--since 2025-01-05 is after --until 2025-01-04"),
        ("--since 2099-01-01", "--since 2099-01-01 is after the current puzzle; name a day up to 20"),
        ("--until 2018-05-08", "--until 2018-05-08 is before the first puzzle; name a day from 2018-05-09 on"),
        (
            "--until 2018-05-09",
            "No days up to 2018-05-09 are missing. To request days again, also name the first one with --since.",
        ),
        ("--source plus", '"plus" is not a source that can be asked'),
        ("--source nyt,nytbe", '"nytbe" is not a source that can be asked'),
    ],
)
def test_options_that_name_no_day_or_source_are_refused_with_a_sentence_that_says_what_to_do(
    live, site, tmp_path, options, says
):
    covers = {"dates": "2018-05-09..2018-05-09", "candidates": ""}
    package = json.dumps({"covers": covers, "made_with": {}}).encode()
    store.write_bytes(tmp_path / "custom/datapackage.json", package)
    reseal(tmp_path / "custom")
    refused = live("fetch", *options.split(), "--data", tmp_path)
    assert (refused.code, says in refused.err, site.asked) == (2, True, [])


@pytest.mark.parametrize(("since", "until"), [("2025-01-05", ""), ("2018-05-01", "2018-05-09")])
def test_the_first_and_the_last_day_can_be_asked_for(workspace, since, until):
    options = FetchOptions(since=since, until=until)
    plan = backfill.prepare(workspace, options, {}, NOW, {"2018-05-09"}, NO_DECISIONS)
    assert plan.dates == [until or since]


def test_the_command_says_what_it_does_and_where_it_put_it(live, site, tmp_path):
    offer(site, "nyt", "2025-01-01", "2025-01-02")
    dates = ("--since", "2025-01-01", "--until", "2025-01-02", "--single", "--data", tmp_path)
    done = live("fetch", *dates)
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == [
        "Requesting 2 days, from 2025-01-02 back to 2025-01-01.",
        f"nyt: new 2; in {tmp_path / 'raw/nyt'}",
        *(f"{name}: not asked" for name in LIVE_SITES if name != "nyt"),
    ]
    again = live("fetch", *dates)
    assert (again.code, again.err) == (0, "No day is missing.\n")
    assert live("fetch", "--since", "last week", "--data", tmp_path).code == 2


@pytest.mark.slow
def test_without_a_network_it_says_so_and_run_goes_on_with_what_is_on_disk(live, ran, monkeypatch):
    with nobody() as gone:
        redirect(monkeypatch, gone)
        done = live("fetch", "--data", ran)
        assert (done.code, "Check the network." in done.err) == (3, True)
        done = live("run", "--fetch", "--data", ran)
    assert (done.code, "Continuing with the captures on disk; `bee run --fetch" in done.err) == (3, True)


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


def test_a_url_is_imported_like_a_file(live, site, tmp_path):
    for path in ("/lines.txt", "/list?of=../all;$(days)"):
        site.pages[path] = reply(f"2025-01-0{len(path) % 7} e acnotv: cove covenant tote\n".encode())
        assert live("import", f"{site.url}{path}", "--data", tmp_path).code == 0
    assert sorted(captures(Workspace(tmp_path))) == ["127-0-0-1/all___days_", "127-0-0-1/lines.txt"]
    file = tmp_path / "days.csv"
    file.write_text("2025-01-01 e acnotv: cove covenant\n")
    assert live("import", file, "--as", "127-0-0-1", "--data", tmp_path).code == 0
    kept = receipts.read_log(tmp_path / "raw/127-0-0-1/receipts.csv")
    assert dict(zip(kept["url"] == str(file), kept["status"], strict=True)) == {True: "", False: "200"}
    assert live("import", f"{site.url}/gone.txt", "--data", tmp_path).code == 3


def test_the_audit_finds_gaps_disagreement_drift_and_changed_bytes(bee, workspace):
    assert bee("check", "--captures", "--data", workspace.root).code == 0
    for date in ("2025-01-01", "2025-01-03"):
        keep(workspace, "nyt", [(f"{date}.json", "", json_of(date))], "2025-02-01")
    done = bee("check", "--captures", "--data", workspace.root)
    gap = "2025-01-02: no capture has this day, and the record does not cover it"
    said = f"{gap}; `bee fetch --data {workspace.root}` requests it"
    assert (done.code, done.out) == (1, f"warning  {'day-missing':20} {said}\n")
    drifted = page_of("2025-01-01").replace(b"Score: 24", b"Score: 30")
    grown = page_of("2025-01-03").replace(b"<li>octet", b"<li>tote ")
    for name, page in (("Bee_20250101.html", drifted), ("Bee_20250103.html", grown)):
        keep(workspace, "nytbee", [(name, "", page)], "2025-02-02")
    (workspace.raw / "nyt/2025-01-03.json").write_bytes(b"{}")
    rules = {"day-missing", "count-mismatch", "capture-changed", "refused-impossible"}
    assert rules <= set(broken_rules(bee, workspace))


@pytest.mark.slow
def test_killed_at_any_moment_it_loses_at_most_the_page_in_flight(bee, site, tmp_path):
    days = days_between("2024-01-01", "2024-03-09")
    offer(site, "nyt", *days)
    settings = {"BEE_NYT_URL": site.url, "BEE_DELAY": "0", "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-m", "pipeline", "fetch", "--source", "nyt", "--since", days[-1], "--until", days[0]]

    def fetching() -> subprocess.Popen[str]:
        started = {"env": {**os.environ, **settings}, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([*command, "--data", str(tmp_path)], **started)

    for kill in (signal.SIGKILL, signal.SIGINT):
        asked = len(site.paths())
        with fetching() as process:
            while len(site.paths()) < asked + 10 and process.poll() is None:
                time.sleep(0.002)
            process.send_signal(kill)
            _, said = process.communicate()
        if process.returncode == 130:
            assert "Stopped. The days fetched so far are kept" in said
            assert "nyt: new" in said
    with fetching() as process:
        process.communicate()
    assert process.returncode == 0
    assert len(site.paths()) <= len(days) + 2
    workspace = Workspace(tmp_path)
    assert sorted(captures(workspace)) == [f"nyt/{date}.json" for date in sorted(days)]
    assert broken_rules(bee, workspace) == []
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.live
@pytest.mark.parametrize(("source", "date"), [("nyt", "2025-12-30"), ("nytbee", "2025-12-30"), ("nyt_page", "")])
def test_each_source_still_has_its_page(source, date, workspace):
    now = datetime.datetime.now(datetime.UTC)
    day = date or puzzle_day(now)
    work = backfill.prepare(workspace, FetchOptions((source,), day, day), os.environ, now, (), NO_DECISIONS)
    with web.session() as session:
        asks = list(backfill.backfill(work, session, work.dates, lambda: now))
    assert [(each.outcome, each.detail) for each in asks] == [("new", "")]


def test_a_folder_with_what_cannot_be_read_names_it_and_reads_the_rest(bee, tmp_path, monkeypatch):
    folder, data = tmp_path / "archive/deep", tmp_path / "data"
    folder.mkdir(parents=True)
    data.mkdir()
    (folder / "a.txt").write_bytes(b"2025-01-01 e acnotv: cove covenant tote\n")
    (folder / "gone.txt").symlink_to("nowhere")
    (folder / "memory.txt").symlink_to("/proc/self/mem")
    (folder / "large.txt").write_bytes(b"\n" * 2000)
    (folder / "largest.txt").write_bytes(b"2025-01-03 e acnotv: cove covenant tote".ljust(1999, b"\n"))
    monkeypatch.setattr("pipeline.fetching.captures.MAX_BYTES", 1999)
    done = bee("import", tmp_path / "archive", "--data", data)
    assert done.code == 1
    assert "gone.txt: unreadable: The link is broken." in done.err
    assert "memory.txt: unreadable: " in done.err
    assert "large.txt: too-large: The file is larger than" in done.err
    assert done.err.splitlines()[-1] == f"{tmp_path / 'archive'}: 2 days in 2 files, 2 new captures, 3 faults."
    assert captures(Workspace(data)) == ["archive/a.txt", "archive/largest.txt"]


def test_equal_faults_of_an_import_are_one_line_with_their_number(bee, data, tmp_path):
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(332):
        (pages / f"{number:03}.html").write_text("<html><p>A page of another site.</p></html>")
    (pages / "empty.txt").write_text("")
    (pages / "good.txt").write_text("2025-01-01 e acnotv: cove covenant tote\n")
    told = bee("import", pages, "--data", data)
    assert told.code == 1
    first, second, summary = told.err.splitlines()
    assert first.startswith("000.html and 331 other places: unknown-format: ")
    assert second.startswith("empty.txt: unknown-format: The file is empty.")
    assert "1 day in 334 files" in summary
    assert "333 faults" in summary


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
    requests, code, summary = ask(workspace, site, since=dates[-1], until=dates[0])
    assert ([source for source, *_ in requests], code) == (["nyt", "nytbee", "nytbee", "nytbee"], 3)
    assert summary[1].startswith(f"nyt: {NO_MORE}")


@pytest.mark.parametrize(
    ("delay", "works"),
    [("0", True), ("3600", True), ("3600.5", False), ("-1", False), ("nan", False), ("inf", False), ("soon", False)],
)
def test_a_delay_is_from_nothing_to_an_hour_or_one_clear_line(live, site, tmp_path, monkeypatch, delay, works):
    """The first request to a host waits for nobody, and a robots.txt that forbids ends the fetch."""
    site.pages["/robots.txt"] = reply(b"User-agent: *\nDisallow: /")
    fetch = ("fetch", "--source", "nyt", "--since", "2025-01-02", "--until", "2025-01-02", "--data", tmp_path)
    done = live(*fetch, "--delay", delay)
    assert (done.code, "robots.txt does not allow this request" in done.err) == ((3, True) if works else (2, False))
    monkeypatch.setenv("BEE_DELAY", delay)
    assert live(*fetch).code == done.code
