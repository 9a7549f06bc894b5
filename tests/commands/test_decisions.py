"""Decisions of people: all commands write, validate and undo them in the same way, and lines written by hand are
checked."""

import re
import shlex
import subprocess

import pytest
from conftest import PROJECT, SAMPLE

from pipeline import clock, run
from pipeline.facts import by_hand
from pipeline.store import Workspace
from pipeline.tables import frames

DATE = "2025-02-20"
BY = ("--reason", "seen", "--by", "ann")
WORDS = "word,verdict,reason,by,after\n"
GRADES = "word,grade,reason,by\n"
DAYS = "date,source,check,reason,by\n"
TODAY = clock.today()


def text(data, name: str) -> str:
    path = data / f"custom/{name}.csv"
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
def test_a_grade_is_written_applied_and_undone_beside_one_without_a_reason(ran, bee):
    (ran / "custom/offensive.csv").write_text(f"{GRADES}zine,none,,\n")
    assert bee("--data", ran, "grade", "Troth", "crude", *BY).code == 0
    assert text(ran, "offensive") == GRADES + "troth,crude,seen,ann\nzine,none,,\n"
    assert bee("--data", ran, "run").code == 0
    flags = run.update(Workspace(ran)).flags
    assert "crude" in set(flags["flag"][flags["word"] == "troth"])
    told = bee("--data", ran, "undo", "troth")
    assert (told.out, told.err) == ("Removed: crude troth, by ann: seen\n", "`bee run` applies it.\n")
    assert text(ran, "offensive") == GRADES + "zine,none,,\n"


def test_a_person_says_whose_list_is_right_once_and_undoes_it(data, bee, sample_days):
    two_lists(data, bee, sample_days)
    command = ("--data", data, "day", DATE, "--source", "two", *BY)
    told = bee(*command)
    assert (told.code, "`bee run` applies it." in told.err) == (0, True), told.err
    (row,) = text(data, "days").removeprefix(DAYS).splitlines()
    assert re.fullmatch(f"{DATE},two,[0-9a-f]{{12}},seen,ann", row)
    again = bee("--data", data, "day", DATE, "--source", "one", *BY)
    assert (again.code, text(data, "days")) == (1, f"{DAYS}{row}\n")
    (undo,) = re.findall("`(bee undo [^`]+)`", again.err)
    told = bee("--data", data, *shlex.split(undo)[1:])
    assert (told.code, text(data, "days"), "two is right" in told.out) == (0, DAYS, True)


@pytest.mark.slow
def test_a_day_that_no_source_has_is_no_longer_missing(data, bee):
    lost = "2025-02-24"
    rest = "\n".join(line for line in SAMPLE.read_text().splitlines() if lost not in line)
    (data / "less.csv").write_text(f"{rest}\n")
    assert bee("--data", data, "import", data / "less.csv", "--as", "table").code == 0
    assert bee("--data", data, "run").code == 0
    assert lost in bee("--data", data, "check", "--only", "day-missing").out
    assert bee("--data", data, "day", lost, "--source", "none", *BY).code == 0
    assert text(data, "days") == f"{DAYS}{lost},none,,seen,ann\n"
    assert bee("--data", data, "check", "--only", "day-missing").out == ""
    assert bee("--data", data, "import", SAMPLE, "--as", "table").code == 0
    waits = bee("--data", data, "check", "--only", "day-waits")
    assert (waits.code, f"`bee undo {lost}`" in waits.out) == (0, True)


@pytest.mark.slow
def test_git_says_who_decides_and_without_it_the_system(ran, bee, monkeypatch, tmp_path):
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("USER", "system")

    def who_decides() -> str:
        bee("--data", ran, "grade", "troth", "none", "--reason", "seen")
        line = text(ran, "offensive").splitlines()[-1]
        bee("--data", ran, "undo", "troth")
        return line.removeprefix("troth,none,seen,")

    assert who_decides() == "system"
    subprocess.run(["git", "init", "-q", str(ran)], check=True)
    subprocess.run(["git", "config", "user.name", "Ann Git"], cwd=ran, check=True)
    assert who_decides() == "Ann Git"
    monkeypatch.setenv("PATH", str(tmp_path))  # there is no git
    assert who_decides() == "system"


def test_what_is_about_a_word_is_undone_by_kind(ran, bee):
    bee("--data", ran, "drop", "troth", *BY, "--force")
    bee("--data", ran, "grade", "troth", "crude", *BY)
    refused = bee("--data", ran, "undo", "troth")
    assert refused.code == 1
    assert "`bee undo troth --kind verdict` or `bee undo troth --kind grade`" in refused.err
    assert bee("--data", ran, "undo", "troth", "--kind", "grade").code == 0
    assert (text(ran, "offensive"), "troth" in text(ran, "verdicts")) == (GRADES, True)
    assert bee("--data", ran, "undo", "troth").code == 0
    assert text(ran, "verdicts") == WORDS


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("grade troth rude", '"rude" is not a valid grade; write slur, vulgar'),
        ("grade redneckk crude", "no list has it"),
        ("keep tot", "too short: an answer has"),
        ("day 2025-03-09 --source nyt", "`bee fetch --since 2025-03-09"),
        ("day 2018-05-08 --source none", "2018-05-08 is before the first puzzle, 2018-05-09."),
        ("day 2090-01-01 --source nyt", "2090-01-01 is later than tomorrow; the clock of this computer says"),
        (f"day {TODAY} --source none", "too early to decide"),
        (f"day {DATE} --source nyx", "the lists on disk are of table"),
        (f"day {DATE} --source none", "has a list"),
    ],
)
def test_a_decision_that_means_nothing_is_not_written(ran_once, bee, line, says):
    failed = bee("--data", ran_once, *shlex.split(line), *BY)
    assert failed.code in (1, 2)
    assert says in failed.err
    assert "Traceback" not in failed.err
    assert not any(text(ran_once, name) for name in ("verdicts", "offensive", "days"))


@pytest.mark.slow
def test_a_wrong_line_stops_a_run_and_is_named(ran, bee):
    for name, lines in (("glosses", "word,pos,gloss\n,noun,promise\n"), ("offensive", f"{GRADES}troth,rude,,\n")):
        path = ran / f"custom/{name}.csv"
        path.write_text(lines)
        refused = bee("--data", ran, "run")
        assert (refused.code, f"custom/{name}.csv, line 2: " in refused.err) == (1, True), refused.err
        path.unlink()


@pytest.mark.slow
def test_a_lost_file_of_people_is_named_and_not_begun_anew(ran, bee):
    path = ran / "custom/verdicts.csv"
    assert bee("--data", ran, "keep", "troth", *BY).code == 0
    assert bee("--data", ran, "run").code == 0
    for lose in (lambda: path.write_bytes(b""), path.unlink):
        lose()
        for command in (("run",), ("keep", "truth", "--force", *BY), ("status",)):
            refused = bee("--data", ran, *command)
            assert (refused.code, "verdicts.csv is missing or empty" in refused.err) == (1, True), command


@pytest.mark.slow
@pytest.mark.parametrize("table", by_hand.FILES)
def test_every_committed_line_means_something_and_the_columns_are_those_of_the_table(table):
    file = by_hand.FILES[table]
    lines = (PROJECT / "data" / file.path).read_text().splitlines()
    assert len(by_hand.parse(table, "\n".join(lines).encode())) == len(lines) - 1 > 0
    contract = frames.CONTRACTS[table]
    assert (file.columns, file.columns[: file.key]) == (tuple(contract.columns), contract.key)


def test_a_covered_day_that_is_not_on_disk_has_a_source(ran, bee):
    assert bee("--data", ran, "import", "--forget", "table").code == 0
    refused = bee("--data", ran, "day", DATE, "--source", "none", *BY)
    assert (refused.code, text(ran, "days")) == (1, ""), refused.err


def two_lists(data, bee, sample_days) -> None:
    """Bring the day from two sources, of which one lacks a word."""
    (day,) = [each for each in sample_days if each.date == DATE]
    plain = [word for word in day.answers if len(set(word)) < 7]
    for source, answers in (("one", day.answers), ("two", sorted({*day.answers} - {plain[0]}))):
        (data / f"{source}.txt").write_text(f"{DATE} {day.puzzle.center} {day.puzzle.outer}: {' '.join(answers)}\n")
        assert bee("--data", data, "import", data / f"{source}.txt", "--as", source).code == 0
