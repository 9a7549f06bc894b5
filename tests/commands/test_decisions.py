"""Decisions of people: all commands write, validate and undo them in the same way, and lines written by hand are
checked."""

import json
import re
import shlex
import subprocess

import pytest
from conftest import PROJECT, SAMPLE, reseal

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
CORRECTIONS = "source,date,reported,listed,lacking,reason,by\n"


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
    assert told.err == f"Removed: crude troth, by ann: seen; `bee run --data {ran}` applies it.\n"
    assert text(ran, "offensive") == GRADES + "zine,none,,\n"


@pytest.mark.slow
def test_a_correction_is_written_once_for_a_date_and_letters_applied_and_undone(ran, bee):
    answers = registry.load(Workspace(ran), "answers")
    mine = answers["word"][answers["date"] == DATE].tolist()
    command = ("correct", DATE, "--source", "table", "--listed", " ".join(mine[:2]), *BY, "--data", ran)
    told = bee(*command)
    rebuild = f"with all days on disk, `bee merge --rebuild --data {ran}` and then `bee run --data {ran}` apply it.\n"
    covered = f"table {DATE} {letters(ran)}: written; the record already covers the day: {rebuild}"
    assert (told.code, told.err) == (0, covered)
    assert text(ran, "corrections") == f"{CORRECTIONS}table,{DATE},{letters(ran)},{' '.join(mine[:2])},,seen,ann\n"
    again = bee(*command)
    assert again.code == 1
    assert f"`bee undo {DATE} --kind correction --data {ran}` removes that line" in again.err
    assert bee("run", "--data", ran).code == 0
    now = registry.load(Workspace(ran), "answers")
    assert now["word"][now["date"] == DATE].tolist() == mine[2:]
    published = registry.load(Workspace(ran), "published_record")
    assert bee("merge", "--rebuild", "--data", ran).code == 0
    rebuilt = registry.load(Workspace(ran), "record")
    fewer = published["accepted"].to_numpy() - rebuilt["accepted"].to_numpy()
    assert dict(zip(rebuilt["word"][fewer > 0], fewer[fewer > 0], strict=True)) == dict.fromkeys(mine[:2], 1)
    undone = bee("undo", DATE, "--data", ran)
    assert (undone.code, undone.err.endswith(rebuild)) == (0, True)
    assert text(ran, "corrections") == CORRECTIONS


def test_a_run_applies_a_correction_of_a_day_that_the_record_does_not_cover(data, bee):
    assert bee("import", SAMPLE, "--as", "table", "--data", data).code == 0
    told = bee("correct", DATE, "--source", "table", "--reject", *BY, "--data", data)
    assert told.err == f"table {DATE} oafginr: written; `bee run --data {data}` applies it.\n"


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


def test_what_is_about_a_word_or_a_date_is_undone_by_kind(ran, bee):
    bee("drop", "troth", *BY, "--force", "--data", ran)
    bee("grade", "troth", "crude", *BY, "--data", ran)
    refused = bee("undo", "troth", "--data", ran)
    assert refused.code == 1
    assert f"`bee undo troth --kind verdict --data {ran}` or `bee undo troth --kind grade --data {ran}`" in refused.err
    assert bee("undo", "troth", "--kind", "grade", "--data", ran).code == 0
    assert (text(ran, "offensive"), "troth" in text(ran, "verdicts")) == (GRADES, True)
    assert bee("undo", "troth", "--data", ran).code == 0
    assert text(ran, "verdicts") == WORDS
    (ran / "custom/admitted.csv").write_text(f"{ADMITTED}{DATE},{letters(ran)},40,ann,seen\n")
    bee("correct", DATE, "--source", "table", "--reject", *BY, "--data", ran)
    assert "--kind admission" in bee("undo", DATE, "--data", ran).err
    assert bee("undo", DATE, "--kind", "admission", "--data", ran).code == 0
    assert text(ran, "admitted") == ADMITTED


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("grade troth rude", '"rude" is not a valid grade; write slur, vulgar'),
        ("grade redneCk crude", "it is in no list and has no record"),
        ("keep tot", "too short"),
        ("keep bee --force", "too short"),
        ("keep ../troth", "cannot be an answer"),
        (f"admit {DATE}", f"{DATE} does not wait"),
        ("admit 2025-03-09", "There is no puzzle for 2025-03-09 on disk; `bee fetch --since 2025-03-09"),
        ("admit 2018-05-09", "There is no puzzle for 2018-05-09 on disk; `bee fetch --since 2018-05-09"),
        ("admit 2018-05-08", "2018-05-08 is before the first puzzle, 2018-05-09."),
        ("admit 2090-01-01", f"2090-01-01 is later than tomorrow; the clock of this computer says {clock.today()}"),
        (f"correct {DATE} --source nyt --reject", f"nyt has no list for {DATE}"),
        (f"correct {DATE} --source table --letters abcdefg --reject", "The correction was made for abcdefg"),
        (f"correct {DATE} --source table --listed beet", '"beet" in the column listed'),
        (f"correct {DATE} --source table --lacking afro", "The correction was made for"),
        (
            f"correct {DATE} --source nyt --letters vacenot --listed cove --lacking 'cove octave'",
            "cove is in both --listed and --lacking",
        ),
    ],
)
def test_a_decision_that_means_nothing_is_not_written(ran_once, bee, line, says):
    failed = bee(*shlex.split(line), *BY, "--data", ran_once)
    assert failed.code in (1, 2)
    assert says in failed.err
    assert "Traceback" not in failed.err
    assert not any(text(ran_once, name) for name in ("verdicts", "offensive", "admitted", "corrections"))


@pytest.mark.slow
@pytest.mark.parametrize("reason", ["x", "12 + 7", "Looked at in review.", "TEST", "looked at in review (in no list)"])
@pytest.mark.parametrize("command", ["keep luff", "grade luff slur"])
def test_a_reason_that_says_nothing_is_refused(bee, data, reason, command):
    done = bee(*command.split(), "--reason", reason, "--by", "ann", "--data", data)
    assert done.code == 1
    assert f'The reason "{reason}" says nothing' in done.err
    assert not list((data / "custom").iterdir())


TEN = "a b c d e f g h i j"


BROKEN = {
    "verdicts": "verdict-broken",
    "grades": "grade-broken",
    "admitted": "admission-broken",
    "corrections": "correction-broken",
    "glosses": "gloss-broken",
}


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
        ("admitted", "22/01/2026,abcdefg,40,ann,odd", 'the column date: "22/01'),
        ("admitted", f"{DATE},abcdeff,40,ann,odd", "seven different letters"),
        ("admitted", f"{DATE},abcdefg,many,ann,odd", "the column answers"),
        ("admitted", f"{DATE},abcdefg,0,ann,odd", "the column answers"),
        ("admitted", f"{DATE},abcdefg,1,ann,odd", ""),
        ("admitted", f"{DATE},abcdefg,400,ann,odd", ""),
        ("admitted", f"{DATE},abcdefg,401,ann,odd", "the column answers"),
        ("admitted", f"{DATE},abcdefg,40,ann, ", "the column reason is empty"),
        ("corrections", "table,2018-05-08,abcdefg,,,odd,ann", "before the first"),
        ("corrections", f"table,{DATE},abcdefg,,,,ann", "the column reason is empty"),
        ("glosses", "troth,,thing,promise", "is not a valid part of speech"),
        ("glosses", "troths,troth,noun,many", "not a valid form of troth; write plural, past form"),
        ("glosses", f"troth,,noun,{TEN} k l", ""),
        ("glosses", f"troth,,noun,{TEN} k l m", "1 to 12 words"),
        ("glosses", "troth,,noun, ", "1 to 12 words"),
        ("glosses", "app,,noun,small program", ""),  # the base of forms may be too short for a puzzle
    ],
)
def test_a_line_that_means_nothing_is_an_error_with_file_and_line(table, line, says):
    path = by_hand.PATHS[table]
    header = ",".join(frames.CONTRACTS[table].columns)
    files = {path: f"{header}\n{line}\n".encode()}
    rows = decision_files.read(table, path, files[path])
    found = list(by_hand.find_invalid_lines(table, rows, decision_files.line_numbers(files)))
    assert len(found) == bool(says)
    for _, detail in found:
        assert detail.startswith(f"{path}, line 2: ")
        assert says in detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lines", "says"),
    [
        (
            "verdicts",
            'truth,keep,"two\nlines",ann,2025-01-01\ntroth,drop,odd,,2025-01-01\n',
            "line 4: a name is required",
        ),
        (
            "verdicts",
            "troth,drop,old, odd,ann,2025-01-01\n",
            "line 2: 6 cells, but the header has 5; put quotes around",
        ),
        ("verdicts", "troth,drop,a,ann,2025-01-01\ntroth,keep,a,ann,2025-01-01\n", "2 different decisions on troth"),
        ("glosses", "troth,,noun,solemn pro", "cut short"),
    ],
)
def test_a_wrong_line_stops_a_run_and_is_named(ran, bee, name, lines, says):
    header = {"verdicts": WORDS, "offensive": GRADES, "glosses": "word,base,pos,gloss\n"}[name]
    (ran / f"custom/{name}.csv").write_text(header + lines)
    refused = bee("run", "--data", ran)
    assert (refused.code, says in refused.err) == (1, True), refused.err


@pytest.mark.slow
def test_a_word_that_nobody_knows_is_a_warning_that_names_its_line(ran, bee):
    (ran / "custom/verdicts.csv").write_text(f"{WORDS}jewellep,keep,odd,ann,2025-01-01\n")
    (ran / "custom/offensive.csv").write_text(f"{GRADES}troth,none,,\ntrothh,crude,odd,ann\n")
    assert bee("run", "--data", ran).code == 0
    warned = bee("check", "--only", "word-unknown", "--data", ran)
    assert (warned.code, warned.out.count("\n")) == (0, 2)
    assert all(place in warned.out for place in ("verdicts.csv, line 2: ", "offensive.csv, line 3: "))


@pytest.mark.slow
@pytest.mark.parametrize("table", by_hand.PATHS)
def test_every_committed_line_means_something(table):
    data = (PROJECT / "data" / by_hand.PATHS[table]).read_bytes()
    frame = decision_files.read(table, by_hand.PATHS[table], data)
    assert 0 < len(frame) == len(by_hand.valid_rows(table, frame))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["admitted.csv", "corrections.csv", "glosses.csv", "offensive.csv", "verdicts.csv"])
def test_a_lost_file_of_decisions_is_named_with_a_command_that_begins_it_anew(bee, ran, name):
    path = ran / "custom" / name
    package = json.loads((ran / "custom/datapackage.json").read_text())
    package["made_with"][name] = "sha256:0"
    (ran / "custom/datapackage.json").write_text(json.dumps(package))
    reseal(ran / "custom")
    path.unlink(missing_ok=True)
    refused = bee("run", "--data", ran)
    assert refused.code == 1
    (line,) = re.findall(r"To discard everything in it: `([^`]+)`", refused.err)
    subprocess.run(line, shell=True, check=True)
    assert path.read_text().strip() == ",".join(frames.CONTRACTS[by_hand.TABLE_OF_FILE[name]].columns)
    assert bee("run", "--no-publish", "--data", ran).code in (0, 1)
    assert "The release was made with" not in bee("run", "--no-publish", "--data", ran).err
