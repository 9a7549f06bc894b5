"""The manners that all commands share: help, versions, workspaces, dates, completion, and `bee status`."""

import datetime
import gzip
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import typer.main
from conftest import PROJECT, SAMPLE, keep, reseal

from pipeline import cli, reader
from pipeline.commands import PANELS, app
from pipeline.fetching import receipts, wanted
from pipeline.run import registry
from pipeline.sources import LIVE, day
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import LISTED, puzzle_day

WORDS = "covenant\noctave\ncove\ncave\n"


@pytest.fixture
def other(ran):
    """A workspace whose release has a version of its own."""
    package = ran / "custom" / reader.PACKAGE
    package.write_text(re.sub('"version": "[^"]+"', '"version": "2020.01.02.3"', package.read_text()))
    reseal(ran / "custom")
    return ran


def test_the_help_groups_the_commands_by_what_people_do(bee, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for asked in ("--help", "-h"):
        shown = bee(asked)
        assert shown.code == 0
        found = [panel for panel in re.findall(r"╭─ ([A-Z][a-z ]+?) ─", shown.out) if panel in PANELS]
        assert found == list(PANELS)
        assert max(map(len, shown.out.splitlines())) <= 80


def test_every_command_has_a_group_and_examples():
    cli.load()
    for name, command in typer.main.get_command(app).commands.items():
        assert command.rich_help_panel in PANELS
        head, *examples = command.epilog.split("\n\n")
        assert head == "Examples:"
        assert len(examples) in (2, 3)
        assert all(example.startswith(f"bee {name}") for example in examples)


def test_the_short_help_of_a_command_shows_its_examples(bee):
    assert "bee why canto vctaoen" in bee("why", "-h").out


def test_the_version_is_that_of_the_program_and_of_the_list(bee, other, monkeypatch):
    program = re.search('^version = "(.+)"', (PROJECT / "pyproject.toml").read_text(), re.MULTILINE)[1]
    assert bee("--version").out == f"bee {program}, word list {reader.read(reader.RELEASE).version}\n"
    monkeypatch.setenv("BEE_DATA", str(other))
    assert bee("--version").out == f"bee {program}, word list 2020.01.02.3\n"


def test_a_mistyped_command_gets_a_suggestion(bee):
    failed = bee("slove")
    assert failed.code == 2
    assert "'solve'" in failed.err


def test_the_workspace_can_be_named_on_either_side_of_the_command(bee, other, sample_days):
    letters = sample_days[0].puzzle.center + sample_days[0].puzzle.outer
    listed = other / "custom/wordlist.txt"
    last = bee("solve", letters).out.split()[-1]
    listed.write_text(listed.read_text().replace(f"\n{last}\n", "\n"))
    reseal(other / "custom")
    expected = bee("solve", letters, "--list", listed).out
    assert expected.split()
    for asked in (
        ["--data", other, "solve", letters],
        [f"--data={other}", "solve", letters],
        ["solve", letters, "--data", other],
    ):
        done = bee(*asked)
        assert (done.code, done.out) == (0, expected)
    assert last not in expected.split()
    assert bee("--data").code == 2


@pytest.mark.slow
def test_every_command_uses_the_release_of_the_named_workspace_and_says_which(bee, other, monkeypatch, tmp_path):
    monkeypatch.setenv("BEE_DATA", str(other))
    says = f"Release 2020.01.02.3 in {other}/custom."
    done = bee("export")
    assert done.code == 0
    assert says in done.err
    assert says in bee("puzzles").err
    assert says in bee("site", "-o", tmp_path / "site").err
    assert "2020.01.02.3" in (tmp_path / "site/latest.json").read_text()
    listed = len((other / "custom/wordlist.txt").read_text().split())
    counted = re.findall(r"of ([\d,]+) words", bee("define", "--coverage").out)
    assert sum(int(number.replace(",", "")) for number in counted) == listed


@pytest.mark.slow
def test_export_writes_text_when_no_format_is_named(bee):
    assert bee("export").out == (PROJECT / "data/custom/wordlist.txt").read_text()


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


def test_a_rule_that_does_not_exist_is_wrong_usage(ran, bee):
    failed = bee("check", "--only", "nonsense", "--data", ran)
    assert failed.code == 2
    assert '"nonsense" is not a rule' in failed.err


def test_today_and_yesterday_are_dates_of_puzzles(bee, ran):
    now = datetime.datetime.now(datetime.UTC)
    for name, ago in (("today", 0), ("yesterday", 1)):
        date = puzzle_day(now, ago)
        assert f"No puzzle of {date} on disk" in bee("solve", "--date", name, "--data", ran).err
    assert bee("solve", "--date", "tomorrow", "--data", ran).code == 2


def test_the_prompt_asks_again_after_a_typo(bee, tmp_path, monkeypatch):
    path = tmp_path / "words.txt"
    path.write_text(WORDS)
    monkeypatch.setattr("sys.stdin", io.StringIO("vctaoe\nvctaoen\nabcdefg\n"))
    done = bee("solve", "--list", path)
    assert done.code == 0
    assert done.err.count("Enter letters: ") == 2
    assert '"vctaoe" has 6' in done.err
    assert done.out.split()[0] == "covenant"
    monkeypatch.setattr("sys.stdin", io.StringIO("vctaoe\n"))
    assert bee("solve", "--list", path).code == 2


def test_completion_offers_commands(tmp_path):
    done = subprocess.run(
        [str(Path(sys.executable).parent / "bee")],
        env={**os.environ, "_BEE_COMPLETE": "complete_bash", "COMP_WORDS": "bee sol", "COMP_CWORD": "1"},
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.stdout.split() == ["solve"]


def test_status_of_a_workspace_that_needs_nothing_but_days(bee, ran):
    told = json.loads(bee("status", "--json", "--data", ran).out)
    assert told.pop("version")
    assert set(told) == {
        *("workspace", "release", "budget", "record", "held", "waiting"),
        *("exact", "captures", "sources", "refused", "stages", "checks"),
    }
    assert told["exact"]["says"] == "no day has been scored yet"
    assert told["stages"] == {"says": "all up to date", "todo": ""}
    assert "14 days" in told["record"]["says"]
    assert "settled days missing" in told["record"]["todo"]
    assert told["captures"]["says"].endswith(" 1")
    shown = bee("status", "--data", ran)
    assert shown.code == 1
    assert all(name in shown.out for name in told)
    assert len(shown.out.splitlines()) <= 24


@pytest.mark.slow
def test_status_ends_well_when_no_day_is_missing(bee, data, tmp_path):
    days = tmp_path / "days.csv"
    text = SAMPLE.read_text()
    dates = sorted(set(re.findall(r"^\d{4}-\d\d-\d\d", text, re.MULTILINE)))
    last = puzzle_day(datetime.datetime.now(datetime.UTC) - wanted.GROWS)
    moved = dict(zip(dates, reversed(day.days_between("2000-01-01", last)[: len(dates)]), strict=True))
    days.write_text("\n".join(moved.get(line[:10], line[:10]) + line[10:] for line in text.splitlines()) + "\n")
    assert bee("import", days, "--data", data).code == 0
    assert bee("run", "--data", data).code == 0
    done = bee("status", "--data", data)
    assert "none missing" in done.out
    assert done.code == 0


def test_status_tells_how_the_list_did_on_days_it_did_not_know(bee, ran):
    days = [str(datetime.date(2025, 1, 1) + datetime.timedelta(days=at)) for at in range(40)]
    lines = [f"{date},nyt,2,40,{at % 2},0,{1 - at % 2},0.5000,0.10" for at, date in enumerate(days)]
    (ran / "custom/track.csv").write_text(
        "date,source,witnesses,answers,missing,extra,exact,expected,surprise\n" + "\n".join(lines) + "\n"
    )
    told = json.loads(bee("status", "--json", "--data", ran).out)
    assert told["exact"]["says"].startswith("30 days 50% (95%: 33% to 67%), 40 days 50%")


def test_status_names_stale_stages_and_damage(bee, ran):
    path = ran / "custom/verdicts.csv"
    path.write_text("word,verdict,reason,by,on\ncovenant,drop,for the test,ann,2025-01-01\n")
    wordlist = ran / "custom/wordlist.txt"
    wordlist.write_text(wordlist.read_text() + "zzz\n")
    told = json.loads(bee("status", "--json", "--data", ran).out)
    assert told["stages"]["says"].startswith("out of date: decisions")
    assert "`bee restore --data" in told["stages"]["todo"]
    assert told["release"]["says"] == "cannot be read"
    assert "wordlist.txt" in told["release"]["todo"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "says"),
    [
        (
            "raw/lexicon/scowl.csv.gz",
            "raw/lexicon/scowl.csv.gz: its checksum is not the one in SHA256SUMS; `bee init",
        ),
        ("raw/lexicon/SHA256SUMS", "SHA256SUMS in raw/lexicon is damaged"),
        ("custom/evidence.csv", "brings it back"),
        ("custom/track.csv", "brings it back"),
        ("custom/verdicts.csv", "custom/verdicts.csv: Table verdicts: no column word"),
        ("custom/words.csv", "words.csv in custom is not the file that was published"),
        ("build/requests.csv", "build/requests.csv does not have the columns source, date"),
        ("build/lexicon.parquet", "brings them up to date."),
    ],
)
def test_status_says_what_mends_a_damaged_file(bee, ran, path, says):
    (ran / path).write_text("junk\n")
    told = json.loads(bee("status", "--json", "--data", ran).out)
    assert told["stages"]["says"].startswith("out of date: ")
    assert says in told["stages"]["todo"]
    mended = bee("run", "--data", ran)
    assert mended.code == int("brings them" not in says)


@pytest.mark.parametrize(("path", "line"), [("build/evidence.csv", "record"), ("raw/plus/receipts.csv", "captures")])
def test_status_names_the_damaged_file_on_its_line(bee, ran, path, line):
    (ran / path).parent.mkdir(exist_ok=True)
    (ran / path).write_text("junk\n")
    told = json.loads(bee("status", "--json", "--data", ran).out)[line]
    assert told["says"] == "cannot be read"
    assert path in told["todo"]


NOT_TEXT = b"\xff\xfe\0word"
HEADER = b"word,verdict\ncove,keep\n"


@pytest.mark.parametrize(
    ("path", "data", "command", "says"),
    [
        ("custom/verdicts.csv", NOT_TEXT, "keep troth --reason x --by ann", "verdicts.csv is not text in UTF-8"),
        ("custom/verdicts.csv", NOT_TEXT, "undo troth", "verdicts.csv is not text in UTF-8"),
        (
            "custom/verdicts.csv",
            HEADER,
            "keep troth --reason x --by ann",
            "custom/verdicts.csv: Table verdicts: no col",
        ),
        ("custom/words.csv", NOT_TEXT, "solve vctaoen --hints", "words.csv in"),
        ("custom/words.csv", b"a\nb\ncove\n", "puzzles", "words.csv in"),
    ],
)
def test_a_damaged_file_is_named_in_one_sentence(bee, ran, path, data, command, says):
    (ran / path).write_bytes(data)
    failed = bee(*command.split(), "--data", ran)
    assert (failed.code, failed.out) == (1, "")
    assert says in failed.err.splitlines()[-1]
    assert (ran / path).read_bytes() == data


def test_a_damaged_list_of_skipped_words_does_not_stop_a_review(bee, ran, tmp_path):
    (ran / "custom/skipped.txt").write_bytes(NOT_TEXT)
    assert bee("review", "--export", tmp_path / "queue.csv", "--data", ran).code == 0


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("puzzles --own --list words.txt", 1, "No possible puzzle fits."),
        ("solve vctaoen --list=", 1, "No word list at"),
        ("solve vctaoen --list= --sort alpha", 2, "after --list is empty"),
        ("solve vctaoen --found packed", 1, "packed is not text; --found requires a file of words"),
        ("changes --apply packed words.txt", 1, "Cannot read packed: it is not text in UTF-8."),
        ("changes --apply . words.txt", 1, "Cannot read .: Is a directory."),
        ("define ''", 2, "is empty"),
        ("why ''", 2, "is empty"),
        ("run --data data", 1, "There is no data/raw/lexicon; `bee init --data data` makes it."),
        ("lists add packed --name mine --data data", 1, "bee: packed is not text"),
    ],
)
def test_wrong_input_is_one_sentence(bee, tmp_path, monkeypatch, command, code, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data/raw").mkdir(parents=True)
    (tmp_path / "words.txt").write_text("cove\n")
    (tmp_path / "packed").write_bytes(b"\xff\0cove")
    failed = bee(*shlex.split(command))
    assert failed.code == code
    assert says in failed.err
    assert "Traceback" not in failed.err


@pytest.mark.parametrize(
    ("rule", "severity", "says"),
    [("correction-stale", "error", "names the errors"), ("", "", "")],
)
def test_status_asks_for_a_person_when_a_check_does(bee, ran, rule, severity, says):
    found = pd.DataFrame([{"rule": rule, "subject": "2025-01-01", "severity": severity, "detail": "for the test"}])
    kept = found if rule else frames.empty("violations")
    registry.save(Workspace(ran), "violations", kept.astype("str"))
    todo = json.loads(bee("status", "--json", "--data", ran).out)["checks"]["todo"]
    assert says in todo
    assert bool(todo) == bool(rule)


EXAMPLES_SKIPPED = {
    "bee fetch",
    "bee fetch --source nytbee --since 2025-01-01 --until 2025-12-31",
    "bee run --fetch",
    "bee forget nyt/2025-01-02.json",
    "bee forget nytbee/Bee_20250102.html",
    'bee admit 2025-03-12 --reason "the first puzzle with S" --by ann',
    'bee admit 2025-03-12 --reason "checked by hand"',
    "bee changes old/data/custom data/custom",
    "bee changes HEAD data/custom > changes.csv",
}
"""These ask the live sites, or need a damaged capture, a day that is held, or packages that are not here. Tests in
tests/fetching, tests/commands/test_flow.py and test_held.py run them with a local server and made packages, and
tests/publishing/test_changes.py with made releases."""


def examples() -> list[str]:
    cli.load()
    found = [each for command in app.registered_commands for each in str(command.epilog).split("\n\n")[1:]]
    return [each for each in found if each not in EXAMPLES_SKIPPED]


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(each, marks=pytest.mark.slow if re.match("bee (export|site|puzzles --(own|daily))", each) else ())
        for each in examples()
    ],
)
def test_every_example_of_the_help_runs(example, ran, bee, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text((PROJECT / "data/custom/wordlist.txt").read_text())
    shutil.copy(SAMPLE, tmp_path / "days.csv")
    (tmp_path / "words.txt.gz").write_bytes(gzip.compress((tmp_path / "words.txt").read_bytes()))
    (tmp_path / "en_US.dic").write_text("2\ncove\noctave/S\n")
    (tmp_path / "en_US.aff").write_text("SET UTF-8\nSFX S Y 1\nSFX S 0 s .\n")
    monkeypatch.setenv("USER", "ann")
    command = example.partition(" > ")[0]
    if command == "bee review --limit 20":
        pytest.skip("it reads keys from a terminal; tests/review does that")
    if command == "bee audit --own":
        pytest.skip("it needs a list of one's own; tests/commands/test_own_lists.py brings one")
    if "--cutoff" in command or "--walk" in command:
        pytest.skip("two weeks are too few to learn from; tests/commands/test_curate.py has dates that fit")
    name, *arguments = shlex.split(command)[1:]
    extra = [] if name in ("export", "puzzles", "define", "solve", "convert") else ["--data", str(ran)]
    extra += ["--force"] if name in ("keep", "drop") else []  # the small lexicon does not have the word
    if name == "undo":
        bee("keep", arguments[0], "--reason", "to be taken back", "--force", *extra)
    done = bee(name, *arguments, *extra)
    assert done.code in ((0, 1) if name in ("status", "check") else (0,)), done.err
    assert "Traceback" not in done.err


def test_status_counts_held_days_and_waiting_words_with_their_commands(bee, ran):
    rows = [("2025-02-26", "", "held", "d"), ("2025-02-27", "", "held", "d"), ("2025-03-05", "loll", "one", "d")]
    found = pd.DataFrame(rows, columns=["date", "subject", "kind", "detail"]).astype("str")
    registry.save(Workspace(ran), "waiting", found)
    told = json.loads(bee("status", "--json", "--data", ran).out)
    assert told["held"]["says"] == "2 days: 2025-02-26..2025-02-27"
    assert told["held"]["todo"].startswith(f"`bee check --only day-held --data {ran}` shows")
    assert told["waiting"]["says"].startswith("1 word: loll (`bee check --only word-waits")
    assert told["waiting"]["todo"] == ""


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
    assert "since-approved.csv" in moved()["todo"]


@pytest.mark.parametrize(("days", "todo"), [(2, False), (3, True), (8, True)])
def test_status_says_since_when_a_source_fails(bee, ran, days, todo):
    first = datetime.datetime(2025, 3, 6, 12, tzinfo=datetime.UTC)
    for number in range(days + 1):
        at = first + datetime.timedelta(days=number)
        row = {"source": "nytbee", "date": at.date().isoformat(), "asked_at": at.isoformat(), "outcome": "forbidden"}
        receipts.append_row(Workspace(ran).build / "requests.csv", {**row, "etag": "", "modified": ""})
    told = json.loads(bee("status", "--json", "--data", ran).out)["sources"]
    assert told["says"] == "nytbee has failed since 2025-03-06, next request at the next fetch"
    assert bool(told["todo"]) is todo


def test_status_says_when_a_day_that_no_source_has_is_asked_for_again(bee, ran):
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    last = max(registry.load(Workspace(ran), "evidence").covered)
    yesterday = now - datetime.timedelta(days=1)
    keep(Workspace(ran), "days", [(f"{yesterday.date()}.json", "", b"{}")], now.isoformat())
    missing = day.days_between(last, puzzle_day(now - wanted.GROWS))[:-1]
    for source in LIVE:
        for date in missing:
            row = {"source": source, "date": date, "asked_at": now.isoformat(), "outcome": "missing"}
            receipts.append_row(Workspace(ran).build / "requests.csv", {**row, "etag": "", "modified": ""})
    told = json.loads(bee("status", "--json", "--data", ran).out)["record"]
    assert f"next request after {(now + wanted.REMEMBERED).date()}" in told["says"]
    assert told["todo"] == ""


def test_status_of_an_empty_folder_names_what_is_needed_first(bee, tmp_path):
    told = json.loads(bee("status", "--json", "--data", tmp_path).out)
    assert told.pop("version")
    todos = [line["todo"] for line in told.values() if line["todo"]]
    assert todos == [f"There is no {tmp_path}/raw/lexicon; `bee init --data {tmp_path}` makes it."]
