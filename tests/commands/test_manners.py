"""What all commands have in common: help, versions, workspaces, dates, completion, and `bee status`."""

import contextlib
import datetime
import io
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from conftest import PROJECT, SAMPLE, reseal

from pipeline import reader
from pipeline.cli import app, register
from pipeline.commands import PANELS
from pipeline.fetching import captures, schedule
from pipeline.run import registry
from pipeline.sources import LIVE_SITES, day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import LISTED, puzzle_day

register()


@pytest.mark.slow
def test_the_help_groups_the_commands_and_each_has_examples(bee, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = bee("--help")
    assert (shown.code, bee("-h").out) == (0, shown.out)
    found = [panel for panel in re.findall(r"^([A-Z][a-z ]+):$", shown.out, re.MULTILINE) if panel in PANELS]
    assert found == list(PANELS)
    assert max(map(len, shown.out.splitlines())) <= 80
    for name, command in typer.main.get_command(app).commands.items():
        assert command.rich_help_panel in PANELS
        examples = examples_of(command)
        assert len(examples) in (2, 3)
        assert all(f"bee {name}" in example for example in examples)
    assert "bee why canto vctaoen" in bee("why", "-h").out


@pytest.mark.slow
def test_completion_offers_commands(tmp_path):
    variables = {"_BEE_COMPLETE": "complete_bash", "COMP_WORDS": "bee sol", "COMP_CWORD": "1"}
    bee = Path(sys.executable).parent / "bee"
    done = subprocess.run([bee], env={**os.environ, **variables}, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split() == ["solve"]


def test_the_version_is_that_of_the_program_and_of_the_list(bee, other, monkeypatch):
    program = re.search('^version = "(.+)"', (PROJECT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    here = f"bee {program}, word list {reader.read(reader.RELEASE).version} in {reader.RELEASE}\n"
    assert bee("--version").out == here
    monkeypatch.setenv("BEE_DATA", str(other))
    assert bee("--version").out == f"bee {program}, word list 2020.01.02.3 in {other}/custom\n"


@pytest.mark.slow
def test_every_command_uses_the_release_of_the_workspace_that_is_named_anywhere(bee, other, monkeypatch, sample_days):
    letters = sample_days[0].puzzle.center + sample_days[0].puzzle.outer
    path = other / "custom/wordlist.txt"
    last = bee("solve", letters).out.split()[-1]
    path.write_text(path.read_text().replace(f"\n{last}\n", "\n"))
    reseal(other / "custom")
    expected = bee("solve", letters, "--list", path).out
    assert last not in expected.split()
    for asked in (
        ["--data", other, "solve", letters],
        [f"--data={other}", "solve", letters],
        ["solve", letters, "--data", other],
    ):
        done = bee(*asked)
        assert (done.code, done.out) == (0, expected)
    assert bee("--data").code == 2
    monkeypatch.setenv("BEE_DATA", str(other))
    says = f"Release 2020.01.02.3 in {other}/custom."
    for command in ("export", "puzzles"):
        assert says in bee(command).err


def test_check_shows_one_rule_only_and_its_exit_code_is_that_of_the_rule(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\nzzzzq,keep,why not,ann,2025-01-01\n")
    every = bee("check", "--data", ran)
    rules = {line.split()[1] for line in every.out.splitlines()}
    severity = {line.split()[1]: line.split()[0] for line in every.out.splitlines()}
    assert rules
    for rule in rules:
        only = bee("check", "--only", rule, "--data", ran)
        assert only.out.splitlines() == [line for line in every.out.splitlines() if line.split()[1] == rule]
        assert only.code == int(severity[rule] == "error")
    quiet = bee("check", "--only", "unknown-format", "--data", ran)
    assert (quiet.code, quiet.out) == (0, "")


@pytest.mark.slow
def test_check_prints_errors_first(bee, ran):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,on\nagog,keep,a usual word,ann,2025-01-01\n")
    (ran / "raw/lexicon/licences/cuss.txt").write_text("edited\n")
    bee("run", "--data", ran)
    severities = [line.split()[0] for line in bee("check", "--data", ran).out.splitlines()]
    assert severities == sorted(severities)
    assert set(severities) == {"error", "warning"}


@pytest.mark.slow
def test_status_of_a_workspace_that_needs_nothing_but_days(bee, ran):
    told = json.loads(bee("status", "--json", "--data", ran).out)
    assert told.pop("version")
    assert set(told) == {
        *("workspace", "release", "budget", "record", "waits"),
        *("exact", "captures", "sources", "refused", "stages", "checks"),
    }
    assert told["exact"]["says"] == "no day has been scored yet"
    assert told["stages"] == {"says": "all up to date", "todo": ""}
    assert "14 days" in told["record"]["says"]
    assert "settled days (" in told["record"]["todo"]
    assert told["captures"]["says"] == "table 14 days in 1 capture"
    shown = bee("status", "--data", ran)
    assert shown.code == 1
    assert all(name in shown.out for name in told)
    assert len(shown.out.splitlines()) <= 24


@pytest.mark.slow
def test_status_ends_well_when_no_day_is_missing(bee, data, tmp_path):
    text = SAMPLE.read_text()
    dates = sorted(set(re.findall(r"^\d{4}-\d\d-\d\d", text, re.MULTILINE)))
    last = puzzle_day(datetime.datetime.now(datetime.UTC) - schedule.SETTLING)
    moved = dict(zip(dates, reversed(day.days_between("2000-01-01", last)[: len(dates)]), strict=True))
    lines = [moved.get(line[:10], line[:10]) + line[10:] for line in text.splitlines()]
    (tmp_path / "days.csv").write_text("\n".join(lines) + "\n")
    assert bee("import", tmp_path / "days.csv", "--data", data).code == 0
    assert bee("run", "--data", data).code == 0
    done = bee("status", "--data", data)
    assert (done.code, "none missing" in done.out) == (0, True)


def test_status_tells_how_the_list_did_on_days_it_did_not_know(bee, ran):
    days = [str(datetime.date(2025, 1, 1) + datetime.timedelta(days=at)) for at in range(40)]
    lines = [f"{date},nyt,2,40,{at % 2},0,{1 - at % 2},0.5000,0.10" for at, date in enumerate(days)]
    (ran / "build/track.csv").write_text(
        "date,source,witnesses,answers,missing,extra,exact,expected,surprise\n" + "\n".join(lines) + "\n"
    )
    told = json.loads(bee("status", "--json", "--data", ran).out)
    assert told["exact"]["says"].startswith("30 days 50% (95%: 33% to 67%), 40 days 50%")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "line", "says"),
    [
        ("raw/lexicon/scowl.csv.gz", "stages", "the one in SHA256SUMS. In a checkout, `git checkout"),
        ("raw/lexicon/SHA256SUMS", "stages", "raw/lexicon/SHA256SUMS is damaged"),
        ("custom/record.csv", "stages", "Put a copy of the release back, or `bee init --data"),
        ("custom/track.csv", "stages", "Put a copy of the release back, or `bee init --data"),
        ("custom/verdicts.csv", "stages", "custom/verdicts.csv: The first line must be word,verdict,reason,by,on"),
        ("custom/words.csv", "stages", "/custom is not the file that was published"),
        ("custom/words.csv", "release", "words.csv"),
        ("build/lexicon.parquet", "stages", "brings them up to date."),
        ("build/days.parquet", "record", "build/days.parquet is damaged; delete it, and `bee merge"),
        ("raw/captures.db", "captures", "captures.db is damaged"),
    ],
)
def test_status_names_a_damaged_file_on_its_line_and_what_mends_it(bee, ran, path, line, says):
    (ran / path).parent.mkdir(exist_ok=True)
    (ran / path).write_text("junk\n")
    told = json.loads(bee("status", "--json", "--data", ran).out)[line]
    assert told["says"].startswith("out of date: ") if line == "stages" else told["says"] == "cannot be read"
    assert says in told["todo"]


@pytest.mark.parametrize(("severity", "says"), [("error", "lists the errors"), ("warning", "")])
def test_status_asks_for_a_person_when_a_check_finds_an_error(bee, ran, severity, says):
    found = [{"rule": "day-stale", "subject": "2025-01-01", "severity": severity, "detail": "for the test"}]
    registry.save(Workspace(ran), "violations", frames.from_rows(found, "violations"))
    told = json.loads(bee("status", "--json", "--data", ran).out)["checks"]
    assert told["says"] == ("1 error, 0 warnings" if says else "0 errors, 1 warning")
    assert (says in told["todo"], bool(told["todo"])) == (True, bool(says))


NOT_TEXT = b"\xff\xfe\0word"
HEADER = b"word,verdict\ncove,keep\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "data", "command", "says"),
    [
        ("custom/verdicts.csv", NOT_TEXT, "keep troth --reason x --by ann", "verdicts.csv is not text in UTF-8"),
        ("custom/verdicts.csv", NOT_TEXT, "undo troth", "verdicts.csv is not text in UTF-8"),
        ("custom/verdicts.csv", HEADER, "keep troth --reason x --by ann", "The first line must be word,verdict"),
        ("custom/verdicts.csv", b"word,verdict,word,by,on\n", "flag", "verdicts.csv has the column word twice"),
        ("custom/words.csv", NOT_TEXT, "solve vctaoen --hints", "words.csv in"),
        ("custom/words.csv", b"a\nb\ncove\n", "puzzles", "words.csv in"),
    ],
)
def test_a_damaged_file_is_named_in_one_sentence(bee, ran, path, data, command, says):
    (ran / path).write_bytes(data)
    failed = bee(*command.split(), "--data", ran)
    assert (failed.code, failed.out) == (1, "")
    assert says in failed.err
    assert (ran / path).read_bytes() == data


def examples_of(command) -> list[str]:
    """The examples in the help of a command."""
    return [line.strip() for line in command.epilog.splitlines() if line.startswith("  ")]


EXAMPLES = [example for command in app.registered_commands for example in examples_of(command)]
NEEDS_MORE = re.compile(
    "bee (fetch|import --forget|day|run --fetch|review --limit|changes (old|HEAD))|.*(cutoff|walk) "
)
"""These need a site, a day that waits, a terminal, packages, or more days.
Tests in tests/fetching, tests/review and tests/publishing, test_held and test_curate run them."""


LONG = re.compile("bee (merge --rebuild|site$|puzzles --own|define --coverage)")


@pytest.mark.slow
@pytest.mark.parametrize(
    "example",
    [
        pytest.param(each, marks=[pytest.mark.faults] if LONG.match(each) else [])
        for each in EXAMPLES
        if not NEEDS_MORE.match(each)
    ],
)
def test_every_example_of_the_help_runs(example, ran, bee, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("USER", "ann")
    shutil.copy(PROJECT / "data/custom/wordlist.txt", tmp_path / "words.txt")
    (tmp_path / "words.csv").write_text("term,rank\ncove,1\noctave,2\n")
    shutil.copy(SAMPLE, tmp_path / "days.csv")
    command, _, stdin = example.partition(" > ")[0].partition(" < ")
    if stdin:
        whole_lines = (tmp_path / stdin).read_bytes()[:1000].rpartition(b"\n")[0]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(whole_lines)))
    name, *arguments = shlex.split(command)[1:]
    needs_the_whole_list = name in ("daily", "puzzles", "solve", "convert") or stdin
    extra = ["--data", str(PROJECT / "data" if needs_the_whole_list else ran)]
    extra += ["--force"] if name in ("keep", "drop") else []  # the small lexicon does not have the word
    if name == "undo":
        bee("keep", arguments[0], "--reason", "to be taken back", "--force", *extra)
    done = bee(name, *arguments, *extra)
    assert done.code in ((0, 1) if name in ("status", "check") else (0,)), done.err


def test_status_counts_the_days_that_wait_with_the_command_that_shows_them(bee, ran):
    rows = [{"date": date, "until": "", "because": "a test"} for date in ("2025-02-26", "2025-02-27", "2025-03-05")]
    registry.save(Workspace(ran), "waits", frames.from_rows(rows, "waits"))
    told = json.loads(bee("status", "--json", "--data", ran).out)["waits"]
    assert told["says"] == "3 days: 2025-02-26..2025-02-27 2025-03-05..2025-03-05"
    assert told["todo"].startswith("`bee check --only day-waits` shows")


@pytest.mark.slow
def test_status_warns_when_half_of_the_words_that_may_change_did(bee, ran):
    def moved() -> dict[str, str]:
        return json.loads(bee("status", "--json", "--data", ran).out)["budget"]

    assert (moved()["says"][:4], moved()["todo"]) == ("0 of", "")
    most = int(re.search(r"of ([\d,]+) word", moved()["says"])[1].replace(",", ""))
    decisions = registry.load(Workspace(ran), "decisions")
    listed = decisions.index[decisions["tier"].isin(LISTED)]
    for number in (most // 2, most // 2 + 1):
        changed = decisions.copy()
        changed.loc[listed[:number], "tier"] = "refused"
        registry.save(Workspace(ran), "decisions", changed)
        assert moved()["says"].startswith(f"{number} of ")
        assert bool(moved()["todo"]) == (2 * number > most)
    assert "under since_approved in " in moved()["todo"]


@pytest.mark.parametrize(("days", "todo"), [(2, False), (3, True), (8, True)])
def test_status_says_since_when_a_source_fails(bee, ran, days, todo):
    first = datetime.datetime(2025, 3, 6, 12, tzinfo=datetime.UTC)
    for number in range(days + 1):
        at = first + datetime.timedelta(days=number)
        log(ran, "nytbee", at.date().isoformat(), "forbidden", at)
    told = json.loads(bee("status", "--json", "--data", ran).out)["sources"]
    assert told["says"] == "nytbee has failed since 2025-03-06 and will be asked again at the next fetch"
    assert bool(told["todo"]) is todo


def log(data, source: str, date: str, outcome: str, at: datetime.datetime) -> None:
    """Store a request."""
    with captures.opened(data / captures.PATH, 1) as database, database:
        captures.log(database, captures.Request(source, date, captures.stamp(at), outcome))


@pytest.mark.slow
def test_status_names_the_days_that_no_source_has(bee, ran):
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    last = max(registry.load(Workspace(ran), "coverage").dates)
    missing = day.days_between(last, puzzle_day(now - schedule.SETTLING))[:-1]
    for source in LIVE_SITES:
        for date in missing:
            log(ran, source, date, "missing", now)
    told = json.loads(bee("status", "--json", "--data", ran).out)["record"]
    assert f"; sources were asked for {missing[-1]}.." in told["says"]
    assert missing[-1] not in told["todo"]


def test_status_waits_once_for_a_locked_database_and_tells_it_once(bee, ran):
    with contextlib.closing(sqlite3.connect(ran / captures.PATH)) as other:
        other.execute("BEGIN EXCLUSIVE")
        told = json.loads(bee("status", "--json", "--wait", "0.1", "--data", ran).out)
    assert [topic for topic, line in told.items() if "--wait SECONDS" in str(line)] == ["captures"]
    assert told["sources"]["says"] == "cannot be read; see captures"
    assert told["record"]["says"].startswith("14 days")


def test_status_of_an_empty_folder_names_what_is_needed_first(bee, tmp_path):
    told = json.loads(bee("status", "--json", "--data", tmp_path).out)
    assert told.pop("version")
    todos = [line["todo"] for line in told.values() if line["todo"]]
    assert todos == [f"There is no {tmp_path}/raw/lexicon; `bee init` makes it."]


def test_status_does_not_ask_for_a_day_that_no_live_source_has(bee, ran):
    header = "date,source,letters,answers,decision,added,removed,reason,by\n"
    lines = [f"2025-03-06,{source},,,reject,,,no such page,ann\n" for source in LIVE_SITES]
    for text, first in ((lines[:1], "2025-03-06"), (lines, "2025-03-07")):
        (ran / "custom/days.csv").write_text(header + "".join(text))
        told = json.loads(bee("status", "--json", "--data", ran).out)["record"]
        assert f"settled days ({first}.." in told["todo"]
