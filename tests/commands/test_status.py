"""`bee status` and `bee check`: what is on disk, and what needs a person."""

import datetime
import json
import re

import pytest
from conftest import SAMPLE

from pipeline.fetching import captures, schedule
from pipeline.sources import day
from pipeline.words import puzzle_day


def test_check_shows_one_rule_only_and_its_exit_code_is_that_of_the_rule(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,after\nagog,keep,why not,ann,\n")
    every = bee("check", "--data", ran)
    rules = {line.split()[1] for line in every.out.splitlines()}
    severity = {line.split()[1]: line.split()[0] for line in every.out.splitlines()}
    assert rules
    for rule in rules:
        only = bee("check", "--only", rule, "--data", ran)
        assert only.out.splitlines() == [line for line in every.out.splitlines() if line.split()[1] == rule]
        assert only.code == int(severity[rule] == "error")
    quiet = bee("check", "--only", "day-waits", "--data", ran)
    assert (quiet.code, quiet.out) == (0, "")


@pytest.mark.slow
def test_check_prints_errors_first(bee, ran):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,after\nagog,keep,a usual word,ann,2025-01-01\n")
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
        *("news", "exact", "captures", "sources", "files", "checks"),
    }
    assert told["exact"]["says"] == "no day has been scored yet"
    assert told["news"] == {"says": "nothing", "todo": ""}
    assert told["files"] == {"says": "all can be read", "todo": ""}
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "line", "says"),
    [
        ("raw/lexicon/scowl.csv.gz", "files", "the one in SHA256SUMS. In a checkout, `git checkout"),
        ("raw/lexicon/SHA256SUMS", "files", "raw/lexicon/SHA256SUMS is damaged"),
        ("custom/track.csv", "release", "is not the file that was published"),
        ("custom/verdicts.csv", "files", "custom/verdicts.csv: the first line must be word,verdict,reason,by,after"),
        ("custom/model.csv", "files", "custom/model.csv is damaged"),
        ("custom/words.csv", "release", "/custom is not the file that was published"),
        ("raw/captures.db", "record", "captures.db is damaged"),
    ],
)
def test_status_names_a_damaged_file_on_its_line_and_what_mends_it(bee, ran, path, line, says):
    (ran / path).parent.mkdir(exist_ok=True)
    (ran / path).write_text("junk\n")
    told = json.loads(bee("status", "--json", "--data", ran).out)[line]
    assert told["says"] in ("cannot be read", "some cannot be read")
    assert says in told["todo"]


@pytest.mark.slow
def test_status_asks_for_a_person_when_the_release_has_an_error(bee, ran):
    assert json.loads(bee("status", "--json", "--data", ran).out)["checks"]["todo"] == ""
    with (ran / "raw/lexicon/licences/cuss.txt").open("a") as file:
        file.write("One more sentence.\n")
    assert bee("run", "--force", "--data", ran).code == 0
    told = json.loads(bee("status", "--json", "--data", ran).out)["checks"]
    assert told["says"].startswith("1 error, ")
    assert "`bee check`" in told["todo"]


def test_status_counts_the_days_that_wait_with_the_command_that_shows_them(bee, ran, tmp_path):
    (tmp_path / "a.txt").write_text("2025-04-20 e acnotv: cove covenant\n")
    (tmp_path / "b.txt").write_text("2025-04-20 e acnotv: covenant octave acne cane once\n")
    for name in "ab":
        assert bee("import", tmp_path / f"{name}.txt", "--as", f"mine-{name}", "--data", ran).code == 0
    told = json.loads(bee("status", "--json", "--data", ran).out)["waits"]
    assert told["says"] == "1 day: 2025-04-20"
    assert told["todo"].startswith("`bee check --only day-waits` shows")


@pytest.mark.slow
def test_status_warns_when_half_of_the_words_that_may_change_did(bee, ran):
    def moved() -> dict[str, str]:
        return json.loads(bee("status", "--json", "--data", ran).out)["budget"]

    assert (moved()["says"][:4], moved()["todo"]) == ("0 of", "")
    most = int(re.search(r"of ([\d,]+) word", moved()["says"])[1].replace(",", ""))
    words = (ran / "custom/wordlist.txt").read_text().split()
    for number in (most // 2, most // 2 + 1):
        rows = "".join(f"{word},drop,a test,ann,2025-03-05\n" for word in words[:number])
        (ran / "custom/verdicts.csv").write_text(f"word,verdict,reason,by,after\n{rows}")
        assert bee("run", "--data", ran).code == 0
        assert moved()["says"].startswith(f"{number} of ")
        assert bool(moved()["todo"]) == (2 * number > most)
    assert "under since_approved in " in moved()["todo"]


def test_status_says_which_source_failed_last(bee, ran):
    for date, outcome in (("2025-03-06", "failed"), ("2025-03-07", "new"), ("2025-03-08", "failed")):
        at = captures.stamp(datetime.datetime.fromisoformat(f"{date}T12:00:00+00:00"))
        for source in ("nytbee", "nyt"):
            with captures.opened(ran / captures.PATH, 1) as database, database:
                outcome_of_source = "missing" if source == "nyt" else outcome
                captures.log(database, captures.Request(source, date, at, outcome_of_source, "status 403"))
        told = json.loads(bee("status", "--json", "--data", ran).out)["sources"]
        failed = f"nytbee failed on {date}: status 403"
        assert told == {"says": failed if outcome == "failed" else "none failed", "todo": ""}


def test_status_does_not_ask_for_a_day_that_no_source_has(bee, ran):
    told = json.loads(bee("status", "--json", "--data", ran).out)["record"]
    assert "settled days (2025-03-06 to " in told["todo"]
    (ran / "custom/days.csv").write_text("date,source,check,reason,by\n2025-03-06,none,,no such page,ann\n")
    told = json.loads(bee("status", "--json", "--data", ran).out)["record"]
    assert "settled days (2025-03-07 to " in told["todo"]
