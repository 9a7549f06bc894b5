"""`bee status` and `bee check`: the release, and what needs a person."""

import datetime
import re

import pytest
from conftest import SAMPLE

from pipeline import clock
from pipeline.fetching import captures, schedule
from pipeline.words import days_between, puzzle_day


def lines(shown: str) -> dict[str, str]:
    """The last line of each topic."""
    return {line[:10].strip(): line[11:] for line in shown.splitlines()}


def test_check_shows_one_rule_only_and_its_exit_code_is_that_of_the_rule(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,after\nagog,keep,why not,ann,\n")
    every = bee("--data", ran, "check")
    rules = {line.split()[1] for line in every.out.splitlines()}
    severity = {line.split()[1]: line.split()[0] for line in every.out.splitlines()}
    assert rules
    for rule in rules:
        only = bee("--data", ran, "check", "--only", rule)
        assert only.out.splitlines() == [line for line in every.out.splitlines() if line.split()[1] == rule]
        assert only.code == int(severity[rule] == "error")
    quiet = bee("--data", ran, "check", "--only", "day-waits")
    assert (quiet.code, quiet.out) == (0, "")


@pytest.mark.slow
def test_check_prints_errors_first(bee, ran):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,after\nagog,keep,a usual word,ann,2025-01-01\n")
    (ran / "raw/lexicon/licences/cuss.txt").write_text("edited\n")
    bee("--data", ran, "run")
    severities = [line.split()[0] for line in bee("--data", ran, "check").out.splitlines()]
    assert severities == sorted(severities)
    assert set(severities) == {"error", "warning"}


@pytest.mark.slow
def test_status_shows_the_release_and_the_days_that_are_missing(bee, ran):
    shown = bee("--data", ran, "status")
    told = lines(shown.out)
    assert (shown.code, told["workspace"], told["waits"], told["errors"]) == (1, str(ran), "none", "none")
    assert told["release"].startswith("2025.03.05.1, ")
    assert told["record"] == "14 days, 2025-02-20 to 2025-03-05"
    assert told["missing"].startswith("2025-03-06 to ")
    (ran / "custom/days.csv").write_text("date,source,check,reason,by\n2025-03-06,none,,no such page,ann\n")
    assert lines(bee("--data", ran, "status").out)["missing"].startswith("2025-03-07 to ")


@pytest.mark.slow
def test_status_ends_well_when_no_day_is_missing(bee, data, tmp_path):
    text = SAMPLE.read_text()
    dates = sorted(set(re.findall(r"^\d{4}-\d\d-\d\d", text, re.MULTILINE)))
    last = puzzle_day(datetime.datetime.now(datetime.UTC) - schedule.SETTLING)
    moved = dict(zip(dates, reversed(days_between("2000-01-01", last)[: len(dates)]), strict=True))
    moved_lines = [moved.get(line[:10], line[:10]) + line[10:] for line in text.splitlines()]
    (tmp_path / "days.csv").write_text("\n".join(moved_lines) + "\n")
    assert bee("--data", data, "status").code == 1
    assert bee("--data", data, "import", tmp_path / "days.csv").code == 0
    assert bee("--data", data, "run").code == 0
    done = bee("--data", data, "status")
    assert (done.code, lines(done.out)["missing"]) == (0, "none")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("custom/track.csv", "is not the file that was published"),
        ("custom/days.csv", "custom/days.csv: the first line must be date,source,check,reason,by"),
        ("custom/verdicts.csv", "custom/verdicts.csv: the first line must be word,verdict,reason,by,after"),
        ("custom/offensive.csv", "custom/offensive.csv: the first line must be word,grade,reason,by"),
        ("custom/model.csv", "custom/model.csv is damaged"),
        ("raw/captures.db", "captures.db is damaged"),
    ],
)
def test_status_names_a_damaged_file(bee, ran, path, says):
    (ran / path).write_text("junk\n")
    told = bee("--data", ran, "status")
    assert (told.code, told.out, says in told.err) == (1, "", True)


@pytest.mark.slow
def test_status_shows_the_errors_of_the_release(bee, ran):
    with (ran / "raw/lexicon/licences/cuss.txt").open("a") as file:
        file.write("One more sentence.\n")
    assert bee("--data", ran, "run", "--force").code == 0
    assert "licences/cuss.txt" in lines(bee("--data", ran, "status").out)["errors"]


@pytest.mark.slow
def test_status_ends_with_1_for_an_error_and_for_a_day_that_waits_for_a_person_alone(bee, ran, tmp_path, monkeypatch):
    day_of_the_sample = datetime.datetime(2025, 3, 7, 12, tzinfo=datetime.UTC)
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: day_of_the_sample)
        assert bee("--data", ran, "status").code == 0
    (tmp_path / "a.txt").write_text("2025-03-06 e acnotv: cove covenant\n")
    (tmp_path / "b.txt").write_text("2025-03-06 e acnotv: covenant octave acne cane once\n")
    for name in "ab":
        assert bee("--data", ran, "import", tmp_path / f"{name}.txt", "--as", f"mine-{name}").code == 0
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: day_of_the_sample)
        waits = bee("--data", ran, "status")
        assert (waits.code, lines(waits.out)["missing"], lines(waits.out)["errors"]) == (1, "none", "none")
        assert bee("--data", ran, "import", "--forget", "mine-b").code == 0
        assert bee("--data", ran, "import", "--forget", "mine-a").code == 0
        assert bee("--data", ran, "status").code == 0
        (ran / "raw/lexicon/licences/cuss.txt").write_text("edited\n")
        assert bee("--data", ran, "run", "--force").code == 0
        assert bee("--data", ran, "status").code == 1


def test_status_shows_the_days_that_wait_with_what_ends_it(bee, ran, tmp_path):
    (tmp_path / "a.txt").write_text("2025-04-20 e acnotv: cove covenant\n")
    (tmp_path / "b.txt").write_text("2025-04-20 e acnotv: covenant octave acne cane once\n")
    for name in "ab":
        assert bee("--data", ran, "import", tmp_path / f"{name}.txt", "--as", f"mine-{name}").code == 0
    waits = lines(bee("--data", ran, "status").out)["waits"]
    assert waits.startswith("2025-04-20: ")
    assert "`bee day 2025-04-20 --source mine-a" in waits


def test_status_shows_which_source_failed_last(bee, ran):
    for date, outcome in (("2025-03-06", "failed"), ("2025-03-07", "new"), ("2025-03-08", "failed")):
        at = captures.stamp(datetime.datetime.fromisoformat(f"{date}T12:00:00+00:00"))
        for source in ("nytbee", "nyt"):
            with captures.opened(ran / captures.PATH) as database, database:
                outcome_of_source = "missing" if source == "nyt" else outcome
                captures.log(database, captures.Request(source, date, at, outcome_of_source, "status 403"))
        failed = f"nytbee failed on {date}: status 403"
        assert lines(bee("--data", ran, "status").out)["failures"] == (failed if outcome == "failed" else "none")
