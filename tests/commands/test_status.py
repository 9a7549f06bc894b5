"""`bee status` and `bee check`: the release, and what needs a person."""

import datetime

import pytest

from pipeline import clock
from pipeline.fetching import captures


def lines(shown: str) -> dict[str, str]:
    """The last line of each topic."""
    return {line[:10].strip(): line[11:] for line in shown.splitlines()}


@pytest.mark.slow
def test_check_prints_errors_first_or_one_rule_only_and_its_exit_code_is_that_of_the_rule(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,by,after\nagog,keep,why not,ann,\n")
    (ran / "raw/lexicon/licences/cuss.txt").write_text("edited\n")
    every = bee("--data", ran, "check").out.splitlines()
    severities = [line.split()[0] for line in every]
    assert severities == sorted(severities)
    rules = {line.split()[0]: line.split()[1] for line in every}
    assert set(rules) == {"error", "warning"}
    for severity, rule in rules.items():
        only = bee("--data", ran, "check", "--only", rule)
        assert only.out.splitlines() == [line for line in every if line.split()[1] == rule]
        assert only.code == int(severity == "error")
    quiet = bee("--data", ran, "check", "--only", "day-waits")
    assert (quiet.code, quiet.out) == (0, "")


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


def test_without_a_release_status_names_the_command_that_makes_one(bee, data):
    done = bee("--data", data, "status")
    assert (done.code, lines(done.out)["release"]) == (1, "none yet: `bee run` makes one")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("custom/track.csv", "is not the file that was published"),
        ("custom/days.csv", "custom/days.csv: the first line must be date,source,check,reason,by"),
        ("raw/captures.db", "captures.db is damaged"),
    ],
)
def test_status_names_a_damaged_file(bee, ran, path, says):
    (ran / path).write_text("junk\n")
    told = bee("--data", ran, "status")
    assert (told.code, told.out, says in told.err) == (1, "", True)


@pytest.mark.slow
def test_status_ends_with_1_for_an_error_and_for_a_day_that_waits_for_a_person_alone(bee, ran, tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("2025-03-06 e acnotv: cove covenant\n")
    (tmp_path / "b.txt").write_text("2025-03-06 e acnotv: covenant octave acne cane once\n")

    def status() -> tuple[int, dict[str, str]]:
        with monkeypatch.context() as patch:
            patch.setattr(clock, "now", lambda: datetime.datetime(2025, 3, 7, 12, tzinfo=datetime.UTC))
            done = bee("--data", ran, "status")
        shown = lines(done.out)
        assert shown["missing"] == "none"
        return done.code, shown

    assert status()[0] == 0
    for name in "ab":
        assert bee("--data", ran, "import", tmp_path / f"{name}.txt", "--as", f"mine-{name}").code == 0
    code, shown = status()
    assert (code, shown["errors"]) == (1, "none")
    assert shown["waits"].startswith("2025-03-06: ")
    assert "`bee day 2025-03-06 --source mine-a" in shown["waits"]
    for name in "ab":
        assert bee("--data", ran, "import", "--forget", f"mine-{name}").code == 0
    assert status()[0] == 0
    (ran / "raw/lexicon/licences/cuss.txt").write_text("edited\n")
    assert bee("--data", ran, "run", "--force").code == 0
    code, shown = status()
    assert (code, shown["waits"], "licences/cuss.txt" in shown["errors"]) == (1, "none", True)


def test_status_shows_which_source_failed_last(bee, ran):
    for date, outcome in (("2025-03-06", "failed"), ("2025-03-07", "new"), ("2025-03-08", "failed")):
        at = captures.stamp(datetime.datetime.fromisoformat(f"{date}T12:00:00+00:00"))
        for source in ("nytbee", "nyt"):
            with captures.opened(ran / captures.PATH) as database, database:
                outcome_of_source = "missing" if source == "nyt" else outcome
                captures.log(database, captures.Request(source, date, at, outcome_of_source, "status 403"))
        failed = f"nytbee failed on {date}: status 403"
        assert lines(bee("--data", ran, "status").out)["failures"] == (failed if outcome == "failed" else "none")
