"""`bee solve`, and how the command line behaves."""

import csv
import io
import json
import os
import pty
import subprocess
import sys

import pytest
from conftest import PROJECT

import pipeline
from pipeline import solver
from pipeline.commands import messages
from pipeline.progress import no_progress
from pipeline.words import LISTED, mask, pangram, puzzle

WORDS = "covenant\noctave\ncove\ncave\ncanto\nconcave\nseven\n"


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(WORDS)
    return path


def test_letters_can_be_given_together_or_one_by_one(bee, words):
    for given in (["VCTAOEN"], ["v", "ctaoen"], ["v", "c,t,a,o,e,n"]):
        done = bee("solve", *given, "--list", words)
        assert (done.code, done.out, done.err) == (0, "covenant\nconcave\noctave\ncave\ncove\n", "")


def test_without_letters_it_asks_and_asks_again_after_a_typo(bee, words, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("vctaoe\nvctaoen\nabcdefg\n"))
    done = bee("solve", "--list", words)
    assert (done.code, done.err.count("Enter letters: "), done.out.split()[0]) == (0, 2, "covenant")
    assert '"vctaoe" has 6' in done.err
    monkeypatch.setattr("sys.stdin", io.StringIO("vctaoe\n"))
    assert bee("solve", "--list", words).code == 2


def test_json_has_points_and_pangrams(bee, words):
    ask = ("solve", "vctaoen", "--list", words)
    found = json.loads(bee(*ask, "--json").out)
    assert (found["center"], found["outer"], found["count"], found["pangrams"]) == ("v", "acenot", 5, 1)
    assert found["words"][0] == {"word": "covenant", "points": 15, "pangram": True}
    assert found["points"] == sum(each["points"] for each in found["words"]) == 15 + 7 + 6 + 1 + 1


@pytest.mark.slow
def test_on_a_terminal_there_is_a_header_and_pangrams_are_starred(words):
    words.write_text(WORDS + "centavo\n")
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "solve", "vctaoen", "--list", str(words)],
        stdout=theirs, stderr=subprocess.PIPE, cwd=PROJECT, check=True,
    )  # fmt: skip
    os.close(theirs)
    head, *lines = os.read(ours, 10_000).decode().splitlines()
    os.close(ours)
    assert head == "VACENOT: 6 words, 44 points, 2 pangrams"
    assert lines == ["covenant *", "centavo **", "concave", "octave", "cave", "cove"]
    assert done.stderr == b""


@pytest.mark.parametrize(("command", "first"), [("check", "day-missing"), ("flag", "unlisted")])
def test_the_catalogues_can_be_printed(bee, command, first):
    listed = bee(command, "--list")
    assert listed.code == 0
    assert listed.out.startswith(first)


@pytest.mark.slow
def test_solving_imports_neither_pandas_nor_anything_heavy():
    loaded = "import sys; import pipeline.cli; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True, cwd=PROJECT)
    assert not {"pandas", "numpy", "rich", "requests", "bs4"} & set(found.stdout.split())


@pytest.mark.slow
def test_hints_count_the_words_and_name_none(bee, words):
    expected = """\
WORDS: 5, POINTS: 30, PANGRAMS: 1
DIFFICULTY: 33.8, medium

     4  6  7  8  Σ
C    2  -  1  1  4
O    -  1  -  -  1
Σ    2  1  1  1  5

CA-1 CO-3
OC-1

    Beginner       0
    Good Start     1
    Moving Up      2
    Good           2
    Solid          5
    Nice           8
    Great         12
    Amazing       15
    Genius        21
    Queen Bee     30
"""
    assert bee("solve", "vctaoen", "--list", words, "--hints").out == expected
    assert "covenant" in bee("solve", "vctaoen", "--list", words, "--hints", "--show", "words").out


def test_a_player_is_told_as_much_as_is_asked_for(bee, words):
    ask = ("solve", "vctaoen", "--list", words, "--show")
    head = "WORDS: 5, POINTS: 30, PANGRAMS: 1\n"
    assert bee(*ask, "counts").out == head
    assert bee(*ask, "letters").out == head + "c... 4\nc... 4\nc...... 7\nc....... 8\no..... 6\n"
    assert bee(*ask, "prefixes").out == head + "ca.. 4\nco.. 4\nco..... 7\nco...... 8\noc.... 6\n"


@pytest.mark.slow
def test_with_found_words_everything_shows_the_rest(bee, words, tmp_path, monkeypatch):
    found = tmp_path / "mine.txt"
    found.write_text("COVENANT *, cove\nqueen cove\n")
    ask = ("solve", "vctaoen", "--list", words, "--found")
    done = bee(*ask, found)
    assert done.out == "concave\noctave\ncave\n"
    assert done.err == "These words are not answers: queen.\nFound more than once: cove.\n"
    hints = bee(*ask, found, "--hints").out
    assert hints.startswith(
        "STILL TO FIND: WORDS: 3 of 5, POINTS: 14 of 30, PANGRAMS: 0\nFOUND: WORDS: 2, POINTS: 16\n"
        "DIFFICULTY: 33.8, medium (of the whole puzzle)\n"
    )
    assert "Ranks of the whole puzzle; you have 16 points:\n    Beginner" in hints
    assert " *  Amazing       15  now\n    Genius        21  5 more\n    Queen Bee     30  14 more" in hints
    asked = json.loads(bee(*ask, found, "--hints", "--json").out)
    assert (asked["count"], asked["points_found"], asked["words_found"]) == (3, 16, 2)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"covenant")))
    assert bee(*ask, "-").out == "concave\noctave\ncave\ncove\n"


def test_found_words_are_read_as_people_paste_them(bee, words, tmp_path):
    found = tmp_path / "mine.txt"
    for text in ('["covenant", "cove"]', "“covenant”, ‘cove’", "covenant # the pangram\ncove"):
        found.write_text(text)
        done = bee("solve", "vctaoen", "--list", words, "--found", found)
        assert (done.out, done.err) == ("concave\noctave\ncave\n", ""), text


def test_ten_words_that_were_found_twice_are_named(bee, tmp_path):
    many = [f"zz{letter}z" for letter in "abcdefghijk"]
    (tmp_path / "mine.txt").write_text(" ".join(2 * many))
    told = bee("solve", "vctaoen", "--found", tmp_path / "mine.txt").err
    assert f"Found more than once: {', '.join(many[:10])}.\n" in told


def test_the_puzzle_of_the_day_has_hints(bee):
    plain = bee("daily", "2026-12-24").out
    hints = bee("daily", "2026-12-24", "--hints").out
    letters = "".join(line.split()[1] for line in plain.splitlines() if line.startswith(("center", "outer")))
    of_solver = bee("solve", letters, "--hints").out
    assert hints.startswith(plain.rstrip("\n"))
    assert hints[len(plain) :].strip("\n") == of_solver.partition("\n\n")[2].partition("\n\n    Beginner")[0]


@pytest.fixture(scope="module")
def in_doubt() -> tuple[str, list[str]]:
    """Letters without a listed pangram and with doubtful words of four different p, and the candidates for a pangram
    that the release carries, the likeliest first."""
    with (PROJECT / "data/custom/words.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    chances = {row["word"]: row["p"] for row in rows if row["tier"] == "review"}
    listed = {mask(row["word"]) for row in rows if row["tier"] in LISTED}
    for word in filter(pangram, chances):
        letters = "".join(dict.fromkeys(word))
        found = {chances[each] for each in solver.scan(chances, puzzle(letters))}
        if mask(word) not in listed and len(found) >= 4:
            alike = [row for row in rows if row["kind"] == "estimate" and mask(row["word"]) == mask(word)]
            alike.sort(key=lambda row: (-float(row["p"]), row["word"]))
            return letters, [row["word"] for row in alike]
    raise AssertionError("no puzzle is in doubt")


@pytest.mark.slow
def test_a_puzzle_without_a_listed_pangram_gets_a_guess_with_its_mark_and_doubtful_words_stand_apart(bee, in_doubt):
    letters, candidates = in_doubt
    done = bee("solve", letters, "--maybe")
    assert done.out.splitlines() == [f"{candidates[0]} ?", *pipeline.solve(letters)]
    assert f"{candidates[0]} (?) is a guess with " in done.err
    told = done.err.partition("Maybe: ")[2].splitlines()[0]
    chances = [float(pair.split()[1]) for pair in told.split(", ")]
    assert len(set(chances)) >= 3
    assert chances == sorted(chances, reverse=True)
    assert bee("solve", "vctaoen", "--maybe").err == "Maybe: none\n"
    made = json.loads(bee("solve", letters, "--json").out)
    assert (made["words"][0]["word"], made["words"][0]["guess"]) == (candidates[0], True)
    assert [row["word"] for row in made["pangram_candidates"]] == candidates[:5]


def test_no_guess_is_made_for_a_list_of_ones_own_and_none_is_said_where_a_pangram_is_listed(bee, tmp_path):
    short = tmp_path / "short.txt"
    short.write_text("cove\noctave\n")
    done = bee("solve", "vctaoen", "--list", short)
    assert (done.code, done.out, done.err) == (0, "octave\ncove\n", "")
    assert bee("solve", "vctaoen", "--list", short, "--maybe").err == "", "doubtful words are of our list"
    assert bee("solve", "vctaoen", "--list", short, "--found", short).err == "", "a player who has all words"


def test_quiet_leaves_out_messages_and_no_error(bee):
    assert bee("solve", "qxzjkvw").err != ""
    assert bee("-q", "solve", "qxzjkvw").err == ""
    assert "you gave none" in bee("--quiet", "solve", "").err


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--json"], ["--hints"]])
def test_letters_without_a_word_are_said_and_end_with_1(bee, options):
    done = bee("solve", "qxzjkvw", *options)
    assert done.code == 1
    assert "The list has no words for these letters.\n" in done.err
    assert ("--json" in options or "--hints" in options) == bool(done.out)
    assert "DIFFICULTY" not in done.out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_progress_is_shown_on_a_terminal_alone_and_not_with_quiet(monkeypatch, tmp_path):
    leader, follower = os.openpty()
    with os.fdopen(follower, "w") as terminal, (tmp_path / "stderr").open("w") as file:
        for stream, is_quiet, is_shown in ((terminal, False, True), (terminal, True, False), (file, False, False)):
            monkeypatch.setattr(sys, "stderr", stream)
            monkeypatch.setattr(messages.Stderr, "is_quiet", is_quiet)
            with messages.progress_bar() as progress:
                assert (progress is not no_progress) == is_shown
    os.close(leader)
