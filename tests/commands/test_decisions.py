"""Decisions of people: all commands write, validate and undo them in the same way, and lines written by hand are
checked."""

import json
import re
import shlex
import subprocess

import pytest
from conftest import PROJECT, SAMPLE, reseal

from pipeline import clock
from pipeline.errors import DecisionError
from pipeline.facts import by_hand, decision_files
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames

DATE = "2025-02-20"
BY = ("--reason", "seen", "--by", "ann")
WORDS = "word,verdict,reason,by,on\n"
GRADES = "word,grade,reason,by\n"
DAYS = "date,source,letters,answers,decision,added,removed,reason,by\n"


def letters(data) -> str:
    puzzles = registry.load(Workspace(data), "puzzles")
    (row,) = frames.rows(puzzles[puzzles["date"] == DATE])
    return row["center"] + row["outer"]


def text(data, name: str) -> str:
    path = data / f"custom/{name}.csv"
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
def test_a_grade_is_written_applied_and_undone_beside_one_without_a_reason(ran, bee):
    (ran / "custom/offensive.csv").write_text(f"{GRADES}zine,none,,\n")
    assert bee("grade", "Troth", "crude", *BY, "--data", ran).code == 0
    assert text(ran, "offensive") == GRADES + "troth,crude,seen,ann\nzine,none,,\n"
    assert bee("run", "--data", ran).code == 0
    flags = registry.load(Workspace(ran), "flags")
    assert "crude" in set(flags["flag"][flags["word"] == "troth"])
    told = bee("undo", "troth", "--data", ran)
    assert told.out == "Removed: crude troth, by ann: seen\n"
    assert told.err == f"`bee run` applies it.\nAdd --data {ran} to the commands named above.\n"
    assert text(ran, "offensive") == GRADES + "zine,none,,\n"


@pytest.mark.slow
def test_a_fix_of_a_covered_day_is_written_once_applied_by_a_rebuild_and_undone(ran, bee):
    answers = registry.load(Workspace(ran), "answers")
    mine = answers["word"][answers["date"] == DATE].tolist()
    command = ("day", DATE, "--remove", " ".join(mine[:2]), *BY, "--data", ran)
    told = bee(*command)
    rebuild = (
        "with all days on disk, `bee merge --rebuild` and then `bee run` apply it; "
        "without them, decide about its words instead."
    )
    assert (told.code, f"the record already covers the day: {rebuild}" in told.err) == (0, True)
    row = f"{DATE},table,{letters(ran)},{len(mine)},fix,,{' '.join(mine[:2])},seen,ann\n"
    assert text(ran, "days") == DAYS + row
    again = bee(*command)
    assert again.code == 1
    assert f"`bee undo {DATE} --kind day` removes it" in again.err
    assert bee("run", "--data", ran).code == 0
    now = registry.load(Workspace(ran), "answers")
    assert now["word"][now["date"] == DATE].tolist() == mine[2:]
    published = registry.load(Workspace(ran), "published_record")
    assert bee("merge", "--rebuild", "--data", ran).code == 0
    rebuilt = registry.load(Workspace(ran), "record")
    fewer = published["accepted"].to_numpy() - rebuilt["accepted"].to_numpy()
    assert dict(zip(rebuilt["word"][fewer > 0], fewer[fewer > 0], strict=True)) == dict.fromkeys(mine[:2], 1)
    undone = bee("undo", DATE, "--data", ran)
    assert (undone.code, rebuild in undone.err) == (0, True)
    assert text(ran, "days") == DAYS


@pytest.mark.parametrize(
    ("options", "row"),
    [
        ("--accept", ",oafginr,53,accept,,"),
        ("--accept --source table", "table,oafginr,53,accept,,"),
        ("--reject", "table,oafginr,53,reject,,"),
        ("--add agogo --remove afro", "table,oafginr,53,fix,agogo,afro"),
        ("--reject --source nytbee", "nytbee,,,reject,,"),
    ],
)
def test_a_decision_about_a_day_names_the_list_on_disk(data, bee, options, row):
    assert bee("import", SAMPLE, "--as", "table", "--data", data).code == 0
    told = bee("day", DATE, *shlex.split(options), *BY, "--data", data)
    applies = "; `bee run` applies it.\n" if "53" in row else "reject nytbee 2025-02-20, by ann: seen\n"
    assert (told.code, applies in told.err) == (0, True), told.err
    assert text(data, "days") == f"{DAYS}{DATE},{row},seen,ann\n"


def test_a_day_that_no_source_has_is_no_longer_missing(data, bee):
    assert bee("import", SAMPLE, "--as", "table", "--data", data).code == 0
    lost = "2025-02-24"
    rest = "\n".join(line for line in SAMPLE.read_text().splitlines() if lost not in line)
    assert bee("import", "--forget", "table", "--data", data).code == 0
    (data / "less.csv").write_text(f"{rest}\n")
    assert bee("import", data / "less.csv", "--as", "table", "--data", data).code == 0
    missing = bee("check", "--captures", "--only", "day-missing", "--data", data)
    assert (missing.code, lost in missing.out) == (1, True)
    assert bee("day", lost, "--reject", *BY, "--data", data).code == 0
    assert text(data, "days") == f"{DAYS}{lost},,,,reject,,,seen,ann\n"
    assert bee("check", "--captures", "--only", "day-missing", "--data", data).code == 0
    assert bee("import", SAMPLE, "--as", "table", "--data", data).code == 0
    stale = bee("check", "--captures", "--only", "day-stale", "--data", data)
    assert (stale.code, f"`bee undo {lost} --kind day" in stale.out) == (1, True)


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
        ("day 2025-03-09 --accept", "There is no list of 2025-03-09 on disk; `bee fetch --since 2025-03-09"),
        ("day 2018-05-08 --reject", "2018-05-08 is before the first puzzle, 2018-05-09."),
        (
            "day 2090-01-01 --reject",
            f"2090-01-01 is later than tomorrow; the clock of this computer says {clock.today()}",
        ),
        (f"day {DATE}", "Give exactly one of --accept, --reject"),
        (f"day {DATE} --accept --reject", "Give exactly one of --accept, --reject"),
        (f"day {DATE} --accept --add afro", "Give exactly one of --accept, --reject"),
        (f"day {clock.today()} --reject", "too early to decide"),
        (f"day {DATE} --add Afro,agora", "The list of table already has afro"),
        (f"day {DATE} --remove fogy", "The list of table does not have fogy"),
        (f"day {DATE} --accept --source nyt", f"There is no list of nyt {DATE} on disk"),
        (f"day {DATE} --reject --source nyx", '"nyx" is not a source; the sources are'),
        (f"day {DATE} --add beet", '"beet" in the column added'),
        (f"day {DATE} --add 'cove octave' --remove cove", "cove is in both --add and --remove"),
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
@pytest.mark.parametrize("command", ["keep luff", "grade luff slur"])
def test_a_reason_that_says_nothing_is_refused(bee, data, reason, command):
    done = bee(*command.split(), "--reason", reason, "--by", "ann", "--data", data)
    assert done.code == 1
    assert f'The reason "{reason}" says nothing' in done.err
    assert not list((data / "custom").iterdir())


TEN = "a b c d e f g h i j"


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
        ("day_decisions", "22/01/2026,,abcdefg,40,accept,,,odd,ann", 'the column date: "22/01'),
        ("day_decisions", "2018-05-08,table,abcdefg,40,reject,,,odd,ann", "before the first"),
        ("day_decisions", f"{DATE},,abcdeff,40,accept,,,odd,ann", "seven different letters"),
        ("day_decisions", f"{DATE},,,40,accept,,,odd,ann", "seven different letters"),
        ("day_decisions", f"{DATE},NYT,abcdefg,40,accept,,,odd,ann", '"NYT" is not the name of a source'),
        ("day_decisions", f"{DATE},,abcdefg,045,accept,,,odd,ann", "the column answers"),
        ("day_decisions", f"{DATE},table,dabcefg,40,fix,aced,aced,odd,ann", "aced is both added and removed"),
        ("day_decisions", f"{DATE},,abcdefg,many,accept,,,odd,ann", "the column answers"),
        ("day_decisions", f"{DATE},,abcdefg,0,accept,,,odd,ann", "the column answers"),
        ("day_decisions", f"{DATE},,abcdefg,1,accept,,,odd,ann", ""),
        ("day_decisions", f"{DATE},,abcdefg,400,accept,,,odd,ann", ""),
        ("day_decisions", f"{DATE},,abcdefg,401,accept,,,odd,ann", "the column answers"),
        ("day_decisions", f"{DATE},,abcdefg,,accept,,,odd,ann", ""),
        ("day_decisions", f"{DATE},,abcdefg,40,admit,,,odd,ann", '"admit" is not a valid decision'),
        ("day_decisions", f"{DATE},table,abcdefg,40,fix,,,odd,ann", "has words in the columns added or removed"),
        ("day_decisions", f"{DATE},table,abcdefg,40,accept,abed,,odd,ann", "and no other decision, has words"),
        ("day_decisions", f"{DATE},,abcdefg,40,fix,aced,,odd,ann", "needs a source"),
        ("day_decisions", f"{DATE},,abcdefg,40,reject,,,odd,ann", "needs a source"),
        ("day_decisions", f"{DATE},table,dabcefg,40,fix,,aced,odd,ann", ""),
        ("day_decisions", f"{DATE},table,dabcefg,40,fix,aced,beet,odd,ann", '"beet" in the column removed'),
        ("day_decisions", f"{DATE},table,dabcefg,40,fix,aced,,odd,ann", ""),
        ("day_decisions", f"{DATE},,,,reject,,,odd,ann", ""),
        ("day_decisions", f"{DATE},,abcdefg,40,accept,,, ,ann", "the column reason is empty"),
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
        (
            "verdicts",
            "<<<<<<< HEAD\ntroth,drop,a,ann,2025-01-01\n=======\n>>>>>>> ben\n",
            "has conflict markers (lines 2, 4, 5)",
        ),
        ("verdicts", "troth,perhaps,a,ann,2025-01-01\n" * 12, "And 2 more lines like these."),
        ("glosses", "troth,noun,\xff\n", "is not text in UTF-8"),
        ("glosses", ",noun,promise\n", '"" in the column word is not a word'),
        ("verdicts", "troth,drop,seen\x85in print,ann,2025-01-01\n", "cannot be printed"),
    ],
)
def test_a_wrong_line_stops_a_run_and_is_named(ran, bee, name, lines, says):
    header = {"verdicts": WORDS, "offensive": GRADES, "glosses": "word,pos,gloss\n"}[name]
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


def test_a_covered_day_that_is_not_on_disk_is_not_rejected(ran, bee):
    assert bee("import", "--forget", "table", "--data", ran).code == 0
    refused = bee("day", DATE, "--reject", *BY, "--data", ran)
    assert (refused.code, f"There is no list of {DATE} on disk; " in refused.err) == (1, True), refused.err
    assert text(ran, "days") == ""


def two_lists(data, bee, sample_days) -> None:
    """Bring the day from two sources, of which one lacks a word."""
    (day,) = [each for each in sample_days if each.date == DATE]
    plain = [word for word in day.answers if len(set(word)) < 7]
    for source, answers in (("one", day.answers), ("two", sorted({*day.answers} - {plain[0]}))):
        (data / f"{source}.txt").write_text(f"{DATE} {day.puzzle.center} {day.puzzle.outer}: {' '.join(answers)}\n")
        assert bee("import", data / f"{source}.txt", "--as", source, "--data", data).code == 0


def test_a_rejected_list_does_not_make_it_open_which_list_is_accepted(data, bee, sample_days):
    two_lists(data, bee, sample_days)
    refused = bee("day", DATE, "--accept", *BY, "--data", data)
    assert (refused.code, "one, two have" in refused.err) == (1, True), refused.err
    assert bee("day", DATE, "--reject", "--source", "two", *BY, "--data", data).code == 0
    told = bee("day", DATE, "--accept", *BY, "--data", data)
    assert told.code == 0, told.err


def test_a_decision_that_cannot_be_applied_is_not_written(data, bee, sample_days):
    two_lists(data, bee, sample_days)
    (day,) = [each for each in sample_days if each.date == DATE]
    pangrams = " ".join(word for word in day.answers if len(set(word)) == 7)
    refused = bee("day", DATE, "--source", "one", "--remove", pangrams, *BY, "--data", data)
    assert (refused.code, "Nothing was written." in refused.err, "undo" in refused.err) == (1, True, False), refused.err
    assert text(data, "days") == ""
    assert bee("day", DATE, "--accept", "--source", "one", *BY, "--data", data).code == 0
    before = text(data, "days")
    refused = bee("day", DATE, "--accept", "--source", "two", *BY, "--data", data)
    assert (refused.code, "It contradicts another decision" in refused.err) == (1, True), refused.err
    assert text(data, "days") == before
    (undo,) = re.findall("`(bee undo [^`]+)`", refused.err)
    assert bee(*shlex.split(undo)[1:], "--data", data).code == 0
    assert bee("day", DATE, "--accept", "--source", "two", *BY, "--data", data).code == 0


def test_undo_removes_what_was_decided_about_a_day(data, bee, sample_days):
    two_lists(data, bee, sample_days)
    accept = ("day", DATE, "--accept", "--source", "one", *BY, "--data", data)
    assert bee("day", DATE, "--reject", "--source", "nytbee", *BY, "--data", data).code == 0
    assert bee(*accept).code == 0
    (undo,) = re.findall("`(bee undo [^`]+)`", bee(*accept).err)
    told = bee(*shlex.split(undo)[1:], "--data", data)
    assert (told.code, text(data, "days")) == (0, DAYS)
    assert [line.split()[1] for line in told.out.splitlines()] == ["reject", "accept"]
    assert bee(*accept).code == 0


@pytest.mark.slow
def test_two_lines_that_contradict_each_other_about_a_day_are_an_error_of_the_check(ran, bee):
    mine = letters(ran)
    lines = [f"{DATE},,{mine},53,accept,,,seen,ann\n", f"{DATE},table,{mine},53,reject,,,seen,ann\n"]
    (ran / "custom/days.csv").write_text(DAYS + "".join(lines))
    assert bee("run", "--data", ran).code == 1
    broken = bee("check", "--only", "day-broken", "--data", ran)
    assert (broken.code, f"`bee undo {DATE} --kind day` removes" in broken.out) == (1, True)
    assert bee("undo", DATE, "--data", ran).code == 0
    assert bee("run", "--data", ran).code == 0
