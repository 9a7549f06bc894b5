"""Decisions of people: all commands write, validate and undo them in the same way, and lines written by hand are
checked."""

import json
import re
import shlex
import subprocess

import pytest
from conftest import PROJECT, SAMPLE, reseal

from pipeline import clock, run
from pipeline.errors import DecisionError
from pipeline.facts import by_hand, decision_files
from pipeline.store import Workspace
from pipeline.tables import frames

DATE = "2025-02-20"
BY = ("--reason", "seen", "--by", "ann")
WORDS = "word,verdict,reason,by,on\n"
GRADES = "word,grade,reason,by\n"
DAYS = "date,source,check,reason,by\n"
TODAY = clock.today()


def text(data, name: str) -> str:
    path = data / f"custom/{name}.csv"
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
def test_a_grade_is_written_applied_and_undone_beside_one_without_a_reason(ran, bee):
    (ran / "custom/offensive.csv").write_text(f"{GRADES}zine,none,,\n")
    assert bee("grade", "Troth", "crude", *BY, "--data", ran).code == 0
    assert text(ran, "offensive") == GRADES + "troth,crude,seen,ann\nzine,none,,\n"
    assert bee("run", "--data", ran).code == 0
    flags = run.update(Workspace(ran)).flags
    assert "crude" in set(flags["flag"][flags["word"] == "troth"])
    told = bee("undo", "troth", "--data", ran)
    assert told.out == "Removed: crude troth, by ann: seen\n"
    assert told.err == f"`bee run` applies it.\nAdd --data {ran} to the commands named above.\n"
    assert text(ran, "offensive") == GRADES + "zine,none,,\n"


def test_a_person_says_whose_list_is_right_once_and_undoes_it(data, bee, sample_days):
    two_lists(data, bee, sample_days)
    command = ("day", DATE, "--source", "two", *BY, "--data", data)
    told = bee(*command)
    assert (told.code, "`bee run` applies it." in told.err) == (0, True), told.err
    (row,) = text(data, "days").removeprefix(DAYS).splitlines()
    assert re.fullmatch(f"{DATE},two,[0-9a-f]{{12}},seen,ann", row)
    again = bee(*command)
    assert (again.code, text(data, "days")) == (1, f"{DAYS}{row}\n")
    (undo,) = re.findall("`(bee undo [^`]+)`", again.err)
    told = bee(*shlex.split(undo)[1:], "--data", data)
    assert (told.code, text(data, "days"), "two is right" in told.out) == (0, DAYS, True)


@pytest.mark.slow
def test_a_covered_day_is_corrected_by_a_rebuild(ran, bee, sample_days):
    two_lists(ran, bee, sample_days)
    told = bee("day", DATE, "--source", "two", *BY, "--data", ran)
    assert (told.code, "`bee run --rebuild` applies it" in told.err) == (0, True)
    published = run.facts(Workspace(ran)).record.set_index("word")["accepted"]
    assert bee("run", "--rebuild", "--data", ran).code == 0
    rebuilt = run.facts(Workspace(ran)).record.set_index("word")["accepted"]
    fewer = published - rebuilt
    assert fewer[fewer != 0].tolist() == [1]


@pytest.mark.slow
def test_a_day_that_no_source_has_is_no_longer_missing(data, bee):
    lost = "2025-02-24"
    rest = "\n".join(line for line in SAMPLE.read_text().splitlines() if lost not in line)
    (data / "less.csv").write_text(f"{rest}\n")
    assert bee("import", data / "less.csv", "--as", "table", "--data", data).code == 0
    assert bee("run", "--data", data).code == 0
    assert lost in bee("check", "--only", "day-missing", "--data", data).out
    assert bee("day", lost, "--source", "none", *BY, "--data", data).code == 0
    assert text(data, "days") == f"{DAYS}{lost},none,,seen,ann\n"
    assert bee("run", "--data", data).code == 0
    assert bee("check", "--only", "day-missing", "--data", data).out == ""
    assert bee("import", SAMPLE, "--as", "table", "--data", data).code == 0
    assert bee("run", "--data", data).code == 0
    waits = bee("check", "--only", "day-waits", "--data", data)
    assert (waits.code, f"`bee undo {lost}`" in waits.out) == (0, True)


@pytest.mark.slow
def test_git_says_who_decides_then_the_system_then_by(ran, bee, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("USER", "system")
    bee("grade", "troth", "none", "--reason", "seen", "--data", ran)
    assert text(ran, "offensive").endswith("troth,none,seen,system\n")
    bee("undo", "troth", "--data", ran)
    subprocess.run(["git", "init", "-q", str(ran)], check=True)
    subprocess.run(["git", "config", "user.name", "Ann Git"], cwd=ran, check=True)
    bee("grade", "troth", "none", "--reason", "seen", "--data", ran)
    assert text(ran, "offensive").endswith("troth,none,seen,Ann Git\n")
    bee("undo", "troth", "--data", ran)
    monkeypatch.setenv("PATH", str(tmp_path))  # there is no git
    bee("grade", "troth", "none", "--reason", "seen", "--data", ran)
    assert text(ran, "offensive").endswith("troth,none,seen,system\n")


def test_what_is_about_a_word_is_undone_by_kind(ran, bee):
    bee("drop", "troth", *BY, "--force", "--data", ran)
    bee("grade", "troth", "crude", *BY, "--data", ran)
    refused = bee("undo", "troth", "--data", ran)
    assert refused.code == 1
    assert "`bee undo troth --kind verdict` or `bee undo troth --kind grade`" in refused.err
    assert bee("undo", "troth", "--kind", "grade", "--data", ran).code == 0
    assert (text(ran, "offensive"), "troth" in text(ran, "verdicts")) == (GRADES, True)
    assert bee("undo", "troth", "--data", ran).code == 0
    assert text(ran, "verdicts") == WORDS


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("grade troth rude", '"rude" is not a valid grade; write slur, vulgar'),
        ("grade redneCk crude", "it is in no list and has no record"),
        ("keep tot", "too short"),
        ("keep bee --force", "too short"),
        ("keep ../troth", "cannot be an answer"),
        ("day 2025-03-09 --source nyt", "`bee fetch --since 2025-03-09"),
        ("day 2018-05-08 --source none", "2018-05-08 is before the first puzzle, 2018-05-09."),
        ("day 2090-01-01 --source nyt", f"2090-01-01 is later than tomorrow; the clock of this computer says {TODAY}"),
        (f"day {DATE}", "--source"),
        (f"day {TODAY} --source none", "too early to decide"),
        (f"day {DATE} --source nyx", "the lists on disk are of table"),
        (f"day {DATE} --source none", "has a list"),
    ],
)
def test_a_decision_that_means_nothing_is_not_written(ran_once, bee, line, says):
    failed = bee(*shlex.split(line), *BY, "--data", ran_once)
    assert failed.code in (1, 2)
    assert says in failed.err
    assert "Traceback" not in failed.err
    assert not any(text(ran_once, name) for name in ("verdicts", "offensive", "days"))


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["x", "12 + 7", "Looked at in review.", "TEST", "looked at in review (in no list)"])
@pytest.mark.parametrize("command", ["keep troth", "grade troth slur"])
def test_a_reason_that_says_nothing_is_refused(bee, data, reason, command):
    done = bee(*command.split(), "--reason", reason, "--by", "ann", "--data", data)
    assert done.code == 1
    assert f'The reason "{reason}" says nothing' in done.err
    assert not list((data / "custom").iterdir())


TEN, CHECK = "a b c d e f g h i j", "2b28217c2967"


@pytest.mark.parametrize(
    ("table", "line", "says"),
    [
        ("verdicts", "troth,perhaps,odd,ann,2025-01-01", '"perhaps" is not a valid verdict; write keep or drop'),
        ("verdicts", "troth,drop,odd,ann,2026-02-30", "the column on"),
        ("verdicts", "troth,drop,odd,ann,2018-05-08", "before the first puzzle"),
        ("verdicts", "troth,drop,odd,,2025-01-01", "a name is required, but the column by is empty"),
        ("verdicts", "troth,drop, ,ann,2025-01-01", "a reason is required, but the column reason is empty"),
        ("verdicts", "troth,drop,looked at in review,ann,2025-01-01", ""),  # an old line
        ("grades", "redneCk,crude,odd,ann", "cannot be an answer of a puzzle"),
        ("grades", "troth,crude,odd,", "the column by is empty"),
        ("grades", "troth,crude,,", ""),  # an old line
        ("day_decisions", f"22/01/2026,nyt,{CHECK},odd,ann", 'the column date: "22/01'),
        ("day_decisions", f"2018-05-08,table,{CHECK},odd,ann", "before the first"),
        ("day_decisions", f"{DATE},NYT,{CHECK},odd,ann", '"NYT" is not the name of a source'),
        ("day_decisions", f"{DATE},,{CHECK},odd,ann", "is not the name of a source"),
        ("day_decisions", f"{DATE},nyt,,odd,ann", "is not the check of a list"),
        ("day_decisions", f"{DATE},nyt,2b28,odd,ann", "is not the check of a list"),
        ("day_decisions", f"{DATE},nyt,{CHECK},odd,ann", ""),
        ("day_decisions", f"{DATE},none,,odd,ann", ""),
        ("day_decisions", f"{DATE},none,, ,ann", "the column reason is empty"),
        ("glosses", "troth,thing,promise", "is not a valid part of speech"),
        ("glosses", f"troth,noun,{TEN} k l", ""),
        ("glosses", f"troth,noun,{TEN} k l m", "1 to 12 words"),
        ("glosses", "troth,noun, ", "1 to 12 words"),
        ("glosses", "app,noun,small program", ""),  # the base of forms may be too short for a puzzle
    ],
)
def test_a_line_that_means_nothing_is_an_error_with_file_and_line(table, line, says):
    header = ",".join(frames.CONTRACTS[table].columns)
    data = f"{header}\n{line}\n".encode()
    if not says:
        assert len(decision_files.read(table, data)) == 1
        return
    with pytest.raises(DecisionError) as error:
        decision_files.read(table, data)
    assert str(error.value).startswith(f"{by_hand.PATHS[table]}, line 2: ")
    assert says in str(error.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lines", "says"),
    [
        (
            "verdicts",
            'truth,keep,"two\nlines",ann,2025-01-01\ntroth,drop,odd,,2025-01-01\n',
            "line 3: the column reason has a character that cannot be printed",
        ),
        (
            "verdicts",
            "troth,drop,old, odd,ann,2025-01-01\n",
            "line 2: 6 cells, but the header has 5; put quotes around",
        ),
        (
            "verdicts",
            "troth,drop,a b c,ann,2025-01-01\ntroth,keep,d e f,ben,2025-01-01\n",
            "two decisions on troth: line 2 (drop troth, by ann on 2025-01-01: a b c) and line 3 (keep troth, by ben "
            "on 2025-01-01: d e f). Delete one of these lines.",
        ),
        ("verdicts", "<<<<<<< HEAD\ntroth,drop,a,ann,2025-01-01\n=======\n", "line 2: 1 cell, but the header has 5"),
        ("verdicts", "troth,perhaps,a,ann,2025-01-01\n" * 12, "And 2 more lines like these."),
        (
            "days",
            f"{DATE},nyt,{CHECK},seen,ann\n{DATE},none,,seen,ben\n",
            f"two decisions on {DATE}: line 2 ({DATE}: the list of nyt is right, by ann: seen) and line 3",
        ),
        ("glosses", "troth,noun,\xff\n", "is not text in UTF-8"),
        ("glosses", ",noun,promise\n", '"" in the column word is not a word'),
        ("verdicts", "troth,drop,seen\x85in print,ann,2025-01-01\n", "cannot be printed"),
    ],
)
def test_a_wrong_line_stops_a_run_and_is_named(ran, bee, name, lines, says):
    header = {"verdicts": WORDS, "offensive": GRADES, "glosses": "word,pos,gloss\n", "days": DAYS}[name]
    encoding = "latin-1" if "\xff" in lines else "utf-8"
    (ran / f"custom/{name}.csv").write_bytes((header + lines).encode(encoding))
    refused = bee("run", "--data", ran)
    assert (refused.code, says in refused.err) == (1, True), refused.err


@pytest.mark.slow
def test_a_word_that_nobody_knows_is_a_warning_that_names_its_file(ran, bee):
    (ran / "custom/verdicts.csv").write_text(f"{WORDS}jewellep,keep,odd,ann,2025-01-01\n")
    (ran / "custom/offensive.csv").write_text(f"{GRADES}troth,none,,\ntrothh,crude,odd,ann\n")
    assert bee("run", "--data", ran).code == 0
    warned = bee("check", "--only", "word-unknown", "--data", ran)
    assert (warned.code, warned.out.count("\n")) == (0, 2)
    assert all(place in warned.out for place in ("verdicts.csv: ", "offensive.csv: "))


@pytest.mark.slow
@pytest.mark.parametrize("table", by_hand.PATHS)
def test_every_committed_line_means_something(table):
    data = (PROJECT / "data" / by_hand.PATHS[table]).read_bytes()
    assert len(decision_files.read(table, data)) == len(decision_files.parse(table, data)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["days.csv", "glosses.csv", "offensive.csv", "verdicts.csv"])
def test_a_lost_file_of_decisions_is_named_with_a_command_that_begins_it_anew(bee, ran, name):
    path = ran / "custom" / name
    package = json.loads((ran / "custom/datapackage.json").read_text())
    package["made_with"][name] = "sha256:0"
    (ran / "custom/datapackage.json").write_text(json.dumps(package))
    reseal(ran / "custom")
    path.unlink(missing_ok=True)
    refused = bee("run", "--data", ran)
    assert refused.code == 1
    (line,) = re.findall(r"To give up all decisions in it: `([^`]+)`", refused.err)
    subprocess.run(line, shell=True, check=True)
    assert path.read_text().strip() == ",".join(frames.CONTRACTS[by_hand.TABLE_OF_FILE[name]].columns)
    assert bee("run", "--no-publish", "--data", ran).code in (0, 1)
    assert "the release was made with" not in bee("run", "--no-publish", "--data", ran).err


def test_a_covered_day_that_is_not_on_disk_has_a_source(ran, bee):
    assert bee("import", "--forget", "table", "--data", ran).code == 0
    refused = bee("day", DATE, "--source", "none", *BY, "--data", ran)
    assert (refused.code, text(ran, "days")) == (1, ""), refused.err


def two_lists(data, bee, sample_days) -> None:
    """Bring the day from two sources, of which one lacks a word."""
    (day,) = [each for each in sample_days if each.date == DATE]
    plain = [word for word in day.answers if len(set(word)) < 7]
    for source, answers in (("one", day.answers), ("two", sorted({*day.answers} - {plain[0]}))):
        (data / f"{source}.txt").write_text(f"{DATE} {day.puzzle.center} {day.puzzle.outer}: {' '.join(answers)}\n")
        assert bee("import", data / f"{source}.txt", "--as", source, "--data", data).code == 0
