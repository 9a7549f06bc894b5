"""Decisions of people: commands write, validate and undo them alike, and lines written by hand are checked."""

import json
import subprocess

import pytest
from conftest import PROJECT

from pipeline import clock
from pipeline.facts import by_hand, decision_files
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames

DATE = "2025-02-20"
BY = ("--reason", "seen", "--by", "ann")
WORDS = "word,verdict,reason,by,on\n"
GRADES = "word,grade,reason,by\n"
ADMITTED = "date,letters,answers,by,reason\n"
GLOSSES = "word,base,pos,gloss\n"
CORRECTIONS = "source,date,reported,listed,lacking,reason,by\n"


def letters(data) -> str:
    puzzles = registry.load(Workspace(data), "puzzles")
    (row,) = frames.rows(puzzles[puzzles["date"] == DATE])
    return row["center"] + row["outer"]


def text(data, name: str) -> str:
    path = data / f"custom/{name}.csv"
    return path.read_text() if path.exists() else ""


def test_a_grade_is_written_applied_and_undone(ran, bee):
    assert bee("grade", "Troth", "crude", *BY, "--data", ran).code == 0
    assert text(ran, "offensive") == GRADES + "troth,crude,seen,ann\n"
    assert bee("run", "--data", ran).code == 0
    flags = registry.load(Workspace(ran), "flags")
    assert "crude" in set(flags["flag"][flags["word"] == "troth"])
    told = bee("undo", "troth", "--data", ran)
    assert told.err == f"Removed: crude troth, by ann: seen; `bee run --data {ran}` applies it.\n"
    assert text(ran, "offensive") == GRADES


def test_a_grade_is_added_to_a_file_without_reasons(ran, bee):
    (ran / "custom/offensive.csv").write_text("word,grade\ntruth,none\n")
    assert bee("grade", "troth", "crude", *BY, "--data", ran).code == 0
    assert text(ran, "offensive") == GRADES + "troth,crude,seen,ann\ntruth,none,,\n"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["grade", "troth", "rude"], '"rude" is no grade; write slur, vulgar'),
        (["grade", "redneCk", "crude"], "it is in no list and has no record"),
        (["grade", "trothh", "crude"], "it is in no list and has no record"),
        (["admit", DATE], "is not held, and none of its words wait"),
        (["admit", "2025-03-09"], "There is no puzzle of 2025-03-09 on disk: `bee fetch --since 2025-03-09"),
        (["admit", "2018-05-09"], "There is no puzzle of 2018-05-09 on disk: `bee fetch --since 2018-05-09"),
        (["admit", "2018-05-08"], "2018-05-08 is before the first puzzle, 2018-05-09."),
        (["correct", DATE, "--source", "nyt", "--reject"], f"nyt has no list of {DATE} on disk"),
        (["correct", DATE, "--source", "table", "--letters", "abcdefg", "--reject"], "The correction expects abcdefg"),
        (["correct", DATE, "--source", "table", "--listed", "beet"], '"beet" in listed cannot be an answer'),
        (["correct", DATE, "--source", "table", "--lacking", "afro"], "The correction expects"),
    ],
)
def test_a_decision_that_means_nothing_is_not_written(ran, bee, command, says):
    failed = bee(*command, *BY, "--data", ran)
    assert failed.code == 1
    assert says in failed.err
    assert "Traceback" not in failed.err
    assert not any(text(ran, name) for name in ("offensive", "admitted", "corrections"))


def test_a_word_with_a_verdict_and_a_grade_is_undone_by_kind(ran, bee):
    bee("drop", "troth", *BY, "--force", "--data", ran)
    bee("grade", "troth", "crude", *BY, "--data", ran)
    refused = bee("undo", "troth", "--data", ran)
    assert refused.code == 1
    assert f"`bee undo troth --kind verdict --data {ran}` or `bee undo troth --kind grade --data {ran}`" in refused.err
    assert bee("undo", "troth", "--kind", "grade", "--data", ran).code == 0
    assert (text(ran, "offensive"), "troth" in text(ran, "verdicts")) == (GRADES, True)
    assert bee("undo", "troth", "--data", ran).code == 0
    assert text(ran, "verdicts") == WORDS


def test_a_correction_is_written_once_for_a_date_and_letters_applied_and_undone(ran, bee):
    answers = registry.load(Workspace(ran), "answers")
    mine = answers["word"][answers["date"] == DATE].tolist()
    command = ("correct", DATE, "--source", "table", "--listed", " ".join(mine[:2]), *BY, "--data", ran)
    told = bee(*command)
    assert (told.code, told.err) == (0, f"table {DATE} {letters(ran)}: written; `bee run --data {ran}` applies it.\n")
    assert text(ran, "corrections") == f"{CORRECTIONS}table,{DATE},{letters(ran)},{' '.join(mine[:2])},,seen,ann\n"
    again = bee(*command)
    assert again.code == 1
    assert f"`bee undo {DATE} --kind correction --data {ran}` takes that line out" in again.err
    assert bee("run", "--data", ran).code == 0
    now = registry.load(Workspace(ran), "answers")
    assert now["word"][now["date"] == DATE].tolist() == mine[2:]
    assert bee("undo", DATE, "--data", ran).code == 0
    assert text(ran, "corrections") == CORRECTIONS


def test_a_correction_says_what_is_possible_here(ran, bee):
    """The record came from elsewhere, with all its days on disk, and then without them."""
    (ran / "build/base.csv").unlink()
    command = ("correct", DATE, "--source", "table", "--reject", *BY, "--data", ran)
    assert f"`bee merge --rebuild --data {ran}` and then `bee run --data {ran}`" in bee(*command).err
    bee("undo", DATE, "--data", ran)
    bee("run", "--data", ran)
    (ran / "raw/table/two-weeks.csv").unlink()
    (ran / "raw/table/receipts.csv").unlink()
    (ran / "build/base.csv").unlink()
    bee("merge", "--data", ran)
    told = bee(*command[:4], "--letters", "oafginr", *command[4:])
    assert told.code == 0
    assert "counts the day already, so it stays as it is here" in told.err
    assert text(ran, "corrections").count("\n") == 2


def test_two_kinds_about_a_date_are_undone_by_kind(ran, bee):
    (ran / "custom/admitted.csv").write_text(f"{ADMITTED}{DATE},{letters(ran)},40,ann,seen\n")
    bee("correct", DATE, "--source", "table", "--reject", *BY, "--data", ran)
    assert "--kind admission" in bee("undo", DATE, "--data", ran).err
    assert bee("undo", DATE, "--kind", "admission", "--data", ran).code == 0
    assert text(ran, "admitted") == ADMITTED


@pytest.mark.parametrize(
    ("name", "lines", "rule", "says"),
    [
        (
            "verdicts",
            WORDS + "troth,drop,odd,ann,2026-02-30\n",
            "verdict-broken",
            "verdicts.csv, line 2: the column on",
        ),
        ("verdicts", WORDS + "troth,drop,odd,ann,2018-05-08\n", "verdict-broken", "before the first puzzle"),
        ("verdicts", WORDS + "jewellep,keep,odd,ann,2025-01-01\n", "word-unknown", "verdicts.csv, line 2: no list"),
        ("offensive", GRADES + "redneCk,crude,odd,ann\n", "grade-broken", "offensive.csv, line 2"),
        ("offensive", GRADES + "troth,crude,odd,\n", "grade-broken", "the column by is empty"),
        ("offensive", "word,grade\ntroth,none\ntrothh,crude\n", "word-unknown", "offensive.csv, line 3"),
        (
            "admitted",
            ADMITTED + "22/01/2026,abcdefg,40,ann,odd\n",
            "admission-broken",
            'line 2: the column date: "22/01',
        ),
        ("admitted", ADMITTED + f"{DATE},abcdeff,40,ann,odd\n", "admission-broken", "seven different letters"),
        ("admitted", ADMITTED + f"{DATE},abcdefg,many,ann,odd\n", "admission-broken", "the column answers"),
        ("admitted", ADMITTED + f"{DATE},abcdefg,0,ann,odd\n", "admission-broken", "the column answers"),
        ("admitted", ADMITTED + f"{DATE},abcdefg,401,ann,odd\n", "admission-broken", "the column answers"),
        ("admitted", ADMITTED + f"{DATE},abcdefg,40,,odd\n", "admission-broken", "the column by is empty"),
        ("admitted", ADMITTED + f"{DATE},abcdefg,40,ann, \n", "admission-broken", "the column reason is empty"),
        ("corrections", CORRECTIONS + "table,2018-05-08,abcdefg,,,odd,ann\n", "correction-broken", "before the first"),
        ("corrections", CORRECTIONS + f"table,{DATE},abcdefg,,,,ann\n", "correction-broken", "corrections.csv, line 2"),
        ("glosses", GLOSSES + "app,,noun,small program\ntroth,,thing,promise\n", "gloss-broken", "glosses.csv, line 3"),
        ("glosses", GLOSSES + "troths,troth,noun,many\n", "gloss-broken", "no form of troth; write plural, past form"),
        ("glosses", GLOSSES + f"troth,,noun,{'a ' * 13}\n", "gloss-broken", "1 to 12 words"),
        ("glosses", GLOSSES + "troth,,noun, \n", "gloss-broken", "1 to 12 words"),
    ],
)
def test_a_line_that_means_nothing_is_an_error_with_file_and_line(ran, bee, name, lines, rule, says):
    (ran / f"custom/{name}.csv").write_text(lines)
    refused = bee("run", "--data", ran)
    assert refused.code == 1
    found = json.loads(bee("check", "--json", "--data", ran).out)["rows"]
    assert [(row["rule"], row["severity"]) for row in found] == [(rule, "error")]
    assert says in found[0]["detail"]


def test_a_file_of_definitions_that_ends_within_a_line_is_cut_short(ran, bee):
    (ran / "custom/glosses.csv").write_text(GLOSSES + "troth,,noun,solemn pro")
    refused = bee("run", "--data", ran)
    assert refused.code == 1
    assert "cut short" in refused.err
    assert "`bee restore --only glosses.csv" in refused.err


def test_plausible_counts_end_at_400():
    row = {"date": DATE, "letters": "abcdefg", "answers": "400", "by": "ann", "reason": "seen"}
    assert by_hand.wrong("admitted", row) == ""
    assert by_hand.wrong("admitted", {**row, "answers": "1"}) == ""


def test_a_forced_verdict_says_that_no_list_has_the_word_and_passes(ran, bee):
    assert bee("keep", "gorafin", *BY, "--force", "--data", ran).code == 0
    assert "gorafin,keep,seen (in no list),ann," in text(ran, "verdicts")
    assert bee("run", "--data", ran).code == 0
    bee("undo", "gorafin", "--data", ran)
    bee("keep", "troth", *BY, "--force", "--data", ran)
    assert "troth,keep,seen,ann," in text(ran, "verdicts")


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


@pytest.mark.parametrize("table", by_hand.PATHS)
def test_every_committed_line_means_something(table):
    data = (PROJECT / "data" / by_hand.PATHS[table]).read_bytes()
    frame = decision_files.read(table, by_hand.PATHS[table], data)
    assert len(frame)
    assert len(by_hand.sound(table, frame)) == len(frame)


def test_a_day_of_the_future_and_a_word_on_both_sides_are_refused_with_their_reason(bee, ran):
    told = bee("admit", "2090-01-01", "--reason", "looked at", "--by", "ann", "--data", ran)
    assert (told.code, told.err) == (
        1,
        f"bee: 2090-01-01 is later than tomorrow; the clock of this machine says {clock.today()}.\n",
    )
    words = ("--listed", "cove", "--lacking", "cove octave", "--reason", "looked at", "--by", "ann")
    told = bee("correct", "2025-03-05", "--source", "nyt", "--letters", "vacenot", *words, "--data", ran)
    assert (told.code, "cove is in --listed and in --lacking" in told.err) == (2, True)
