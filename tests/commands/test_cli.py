"""`bee solve` and the manners of the command line."""

import csv
import io
import json
import os
import pty
import subprocess
import sys

import pytest
from conftest import PROJECT, Bee

import pipeline
from pipeline import quick, solver
from pipeline.words import mask, pangram, puzzle, score

WORDS = "covenant\noctave\ncove\ncave\ncanto\nconcave\nseven\n"


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(WORDS)
    return path


def test_letters_can_be_given_in_every_way(bee, words):
    expected = "covenant\nconcave\noctave\ncave\ncove\n"
    for given in (
        ["vctaoen"],
        ["VCTAOEN"],
        ["v", "ctaoen"],
        ["--letters=vctaoen"],
        ["-c", "v", "-o", "ctaoen"],
        ["--center", "V", "--outer", "c,t,a,o,e,n"],
    ):
        done = bee("solve", *given, "--list", words)
        assert (done.code, done.out, done.err) == (0, expected, "")


def test_without_letters_it_asks(bee, words, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("vctaoen\n"))
    done = bee("solve", "--list", words)
    assert done.err == "Enter letters: "
    assert done.out.split()[0] == "covenant"
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert bee("solve", "--list", words).code == 2


def test_order_and_length(bee, words):
    assert bee("solve", "vctaoen", "--list", words, "--sort", "alpha").out.split() == [
        "cave", "concave", "cove", "covenant", "octave",
    ]  # fmt: skip
    assert bee("solve", "vctaoen", "--list", words, "--min-length", "6").out.split() == [
        "covenant",
        "concave",
        "octave",
    ]


def test_json_has_words_points_and_pangrams(bee, words):
    found = json.loads(bee("solve", "vctaoen", "--list", words, "--json").out)
    assert (found["center"], found["outer"], found["count"], found["pangrams"]) == ("v", "acenot", 5, 1)
    assert found["words"][0] == {"word": "covenant", "points": 15, "pangram": True}
    assert found["points"] == sum(each["points"] for each in found["words"]) == 15 + 7 + 6 + 1 + 1


def test_on_a_terminal_there_is_a_header_and_pangrams_are_starred(words):
    words.write_text(WORDS + "bangers\n")
    for letters, lines in (
        ("vctaoen", ["VACENOT: 5 words, 30 points, 1 pangram", "covenant *", "concave", "octave", "cave", "cove"]),
        ("bangers", ["BAEGNRS: 1 word, 14 points, 1 pangram", "bangers **"]),
    ):
        ours, theirs = pty.openpty()
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", "solve", letters, "--list", str(words)],
            stdout=theirs, stderr=subprocess.PIPE, cwd=PROJECT, check=True,
        )  # fmt: skip
        os.close(theirs)
        assert os.read(ours, 10_000).decode().splitlines() == lines
        os.close(ours)
        assert done.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["abcdef"], '"abcdef" has 6'),
        (["abcdefgh"], '"abcdefgh" has 8'),
        (["abcdefa"], '"a" is in "abcdefa" twice'),
        (["abcdef7"], '"7" is not a letter'),
        (["-c", "ab", "-o", "cdefgh"], "one letter"),
        (["-c", "a", "-o", "abcdef"], "among the outer letters"),
        (["-o", "abcdef"], "has 6"),
        (["-c", "a"], "has 1"),
        (["abcdefg", "-o", "bcdefg"], "Give the letters once"),
        (["vctaoen", "--sort", "size"], "--sort"),
        (["vctaoen", "--min-length", "0"], "--min-length"),
        (["vctaoen", "--colour"], "--colour"),
    ],
)
def test_wrong_letters_and_options_get_a_sentence_and_exit_code_2(bee, arguments, says):
    failed = bee("solve", *arguments)
    assert failed.code == 2
    assert failed.out == ""
    assert says in failed.err
    assert "Traceback" not in failed.err


def test_a_list_that_is_not_there_is_one_sentence(bee, tmp_path):
    failed = bee("solve", "vctaoen", "--list", tmp_path / "none")
    assert failed.code == 1
    assert len(failed.err.splitlines()) == 1


def test_no_answers_print_nothing_and_end_with_1(bee, words):
    done = bee("solve", "zqxjkvw", "--list", words)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("The list has no word of these letters.\n")


@pytest.mark.parametrize("command", ["run", "solve vctaoen", "export", "site", "puzzles", "define luff", "status"])
@pytest.mark.parametrize("named", ["option", "variable"])
def test_a_workspace_that_is_not_there_is_wrong_usage(bee, tmp_path, monkeypatch, command, named):
    monkeypatch.chdir(tmp_path)
    if named == "variable":
        monkeypatch.setenv("BEE_DATA", "none")
    failed = bee(*command.split(), *(["--data", "none"] if named == "option" else []))
    assert (failed.code, failed.out) == (2, "")
    assert "There is no folder none." in failed.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("command", "first"), [("check", "unknown-format"), ("flag", "unlisted")])
def test_the_catalogues_can_be_printed(bee, command, first):
    listed = bee(command, "--list")
    assert listed.code == 0
    assert listed.out.startswith(first)


def test_solving_imports_neither_pandas_nor_anything_heavy():
    heavy = (
        "import sys; import pipeline.cli; print(sorted({'pandas','numpy','rich','requests','bs4'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True, cwd=PROJECT)
    assert found.stdout.strip() == "[]"


def test_the_command_and_the_module_do_the_same(bee: Bee):
    found = subprocess.run(
        [sys.executable, "-m", "pipeline", "solve", "vctaoen"], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    assert found.stdout == bee("solve", "vctaoen").out
    assert found.stdout.split() == pipeline.solve("vctaoen")
    assert sum(map(score, found.stdout.split())) > 100


def test_hints_count_the_words_and_name_none(bee, words):
    done = bee("solve", "vctaoen", "--list", words, "--hints")
    assert (
        done.out
        == """WORDS: 5, POINTS: 30, PANGRAMS: 1
DIFFICULTY: 33.8, medium

     4  6  7  8  Σ
C    2  -  1  1  4
O    -  1  -  -  1
Σ    2  1  1  1  5

CA-1 CO-3
OC-1
"""
    )
    assert "covenant" in bee("solve", "vctaoen", "--list", words, "--hints", "--show", "words").out


def test_hints_tell_perfect_pangrams_and_a_bingo(bee, words):
    words.write_text("bangers\nabba\ngang\nnana\nears\nrang\nsang\n")
    assert bee("solve", "abegnrs", "--list", words, "--hints").out.splitlines()[0] == (
        "WORDS: 7, POINTS: 20, PANGRAMS: 1 (1 Perfect), BINGO"
    )


def test_a_player_is_told_as_much_as_is_asked_for(bee, words):
    ask = ("solve", "vctaoen", "--list", words, "--show")
    head = "WORDS: 5, POINTS: 30, PANGRAMS: 1\n"
    assert bee(*ask, "counts").out == head
    assert bee(*ask, "letters").out == head + "c... 4\nc... 4\nc...... 7\nc....... 8\no..... 6\n"
    assert bee(*ask, "prefixes").out == head + "ca.. 4\nco.. 4\nco..... 7\nco...... 8\noc.... 6\n"


def test_with_found_words_everything_shows_the_rest(bee, words, tmp_path, monkeypatch):
    found = tmp_path / "mine.txt"
    found.write_text("COVENANT *, cove\nqueen\n")
    ask = ("solve", "vctaoen", "--list", words, "--found")
    done = bee(*ask, found)
    assert done.out == "concave\noctave\ncave\n"
    assert done.err == "Not among the answers: queen.\n"
    assert bee(*ask, found, "--hints").out.startswith(
        "STILL TO FIND: WORDS: 3 of 5, POINTS: 14 of 30, PANGRAMS: 0\nFOUND: WORDS: 2, POINTS: 16\n"
        "DIFFICULTY: 33.8, medium (of the whole puzzle)\n"
    )
    ranks = bee(*ask, found, "--ranks").out
    assert "Ranks of the whole puzzle; you have 16 points:\n    Beginner" in ranks
    assert " *  Amazing       15  now\n    Genius        21  5 more\n    Queen Bee     30  14 more" in ranks
    monkeypatch.setattr("sys.stdin", io.StringIO("covenant"))
    assert bee(*ask, "-").out == "concave\noctave\ncave\ncove\n"
    asked = json.loads(bee(*ask, found, "--ranks", "--json").out)
    assert (asked["count"], asked["points"], asked["points_found"], asked["ranks"]["Genius"]) == (3, 14, 16, 21)
    assert json.loads(bee(*ask, found, "--json").out)["words_found"] == 2


@pytest.fixture(scope="module")
def doubtful_letters() -> str:
    """The letters of a pangram of tier review, whose puzzle has at least four doubtful words of different p."""
    with (PROJECT / "data/custom/words.csv").open(newline="") as file:
        chances = {row["word"]: row["p"] for row in csv.DictReader(file) if row["tier"] == "review"}
    for word in filter(pangram, chances):
        letters = "".join(dict.fromkeys(word))
        if len({chances[each] for each in solver.scan(chances, puzzle(letters))}) >= 4:
            return letters
    raise AssertionError("no puzzle has four doubtful words")


def test_doubtful_words_stand_apart_with_their_p(bee, doubtful_letters, tmp_path):
    done = bee("solve", doubtful_letters, "--maybe", "--no-guess")
    sure, told = done.out, done.err.partition("Maybe: ")[2]
    assert sure.split() == pipeline.solve(doubtful_letters), "stdout has only answers"
    pairs = [pair.split() for pair in told.splitlines()[0].split(", ")]
    chances = [float(p) for _, p in pairs]
    assert len(set(chances)) >= 4
    assert chances == sorted(chances, reverse=True)
    assert not {word for word, _ in pairs} & set(sure.split())
    assert bee("solve", "vctaoen", "--maybe").err == "Maybe: none\n"
    assert bee("solve", "vctaoen", "--maybe", "--hints").out.endswith("\n\nMaybe: 0\n")
    found = tmp_path / "mine.txt"
    found.write_text(pairs[0][0])
    assert pairs[0][0] not in bee("solve", doubtful_letters, "--maybe", "--found", found).err.partition("Maybe:")[2]


@pytest.fixture(scope="module")
def pangramless() -> tuple[str, list[str]]:
    """Letters without a listed pangram, with the candidates that the release carries, the likeliest first."""
    with (PROJECT / "data/custom/words.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if pangram(row["word"]) and "s" not in row["word"]]
    listed = {mask(row["word"]) for row in rows if row["tier"] in ("core", "likely")}
    first = next(row for row in rows if row["because"].startswith("never tried; p") and mask(row["word"]) not in listed)
    alike = [row for row in rows if mask(row["word"]) == mask(first["word"])]
    alike = [row for row in alike if row["because"].startswith("never tried; p")]
    alike.sort(key=lambda row: (-float(row["p"]), row["word"]))
    return "".join(dict.fromkeys(first["word"])), [row["word"] for row in alike]


@pytest.mark.parametrize("plain", [True, False])
def test_a_puzzle_without_a_listed_pangram_gets_a_guess_with_its_mark(bee, pangramless, plain):
    """The quick way and the full command say the same."""
    letters, candidates = pangramless
    done = bee("solve", letters, *([] if plain else ["--sort", "rank"]))
    assert done.out.splitlines()[0] == f"{candidates[0]} ?"
    assert f"{candidates[0]} (?) is a guess, " in done.err
    assert candidates[0] not in pipeline.solve(letters)
    assert bee("solve", letters, "--no-guess").out.split() == pipeline.solve(letters)
    assert bee("solve", letters, "--no-guess").err == ""
    made = json.loads(bee("solve", letters, "--json").out)
    assert (made["words"][0]["word"], made["words"][0]["guess"]) == (candidates[0], True)
    assert [row["word"] for row in made["pangram_candidates"]] == candidates[:5]


@pytest.mark.parametrize("plain", [True, False])
def test_a_list_of_ones_own_is_given_no_guess_of_ours(bee, tmp_path, plain):
    short = tmp_path / "short.txt"
    short.write_text("cove\noctave\n")
    done = bee("solve", "vctaoen", "--list", short, *([] if plain else ["--sort", "rank"]))
    assert (done.code, done.out, done.err) == (0, "octave\ncove\n", "")


def test_a_guess_is_said_only_where_no_pangram_is_listed(bee):
    assert bee("solve", "vctaoen", "--min-length", "8").err == ""
    assert "and no candidate that was never refused" in bee("solve", "qxzjkvw").err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["vctaoen", "--found", "nowhere.txt"], 1, "Cannot read nowhere.txt"),
        (["--found", "-"], 2, "the letters must be given"),
        (["vctaoen", "--show", "all"], 2, "'all' is not one of"),
        (["vctaoen", "--date", "2025-02-22"], 2, "Give either letters or --date"),
        (["--date", "last week"], 2, "is not a date"),
    ],
)
def test_a_wrong_wish_is_one_sentence(bee, arguments, code, says):
    failed = bee("solve", *arguments)
    assert (failed.code, failed.out) == (code, "")
    assert says in failed.err
    assert "Traceback" not in failed.err


@pytest.mark.parametrize(
    "letters", [["vctaoen"], ["-c", "c", "-o", "aptmhu"], ["--letters=entivcz"], ["vctaoe"], ["qxzjkvw"]]
)
def test_the_quick_way_and_the_full_command_say_the_same(bee, letters):
    assert quick.options(["solve", *letters]) is not None
    assert quick.options(["solve", *letters, "--sort", "rank"]) is None
    assert bee("solve", *letters) == bee("solve", *letters, "--sort", "rank")


def test_a_workspace_without_a_release_uses_that_of_the_package(bee, tmp_path):
    (tmp_path / "custom").mkdir()
    assert bee("solve", "vctaoen", "--data", tmp_path).out == bee("solve", "vctaoen").out
    (tmp_path / "custom/wordlist.txt").write_text("cove\n")
    assert "SHA256SUMS" in bee("solve", "vctaoen", "--data", tmp_path).err


@pytest.mark.parametrize("streams", [1, 2])
@pytest.mark.parametrize(
    "command", ["solve vctaoen", "solve vctaoen --hints", "export", "define luff", "check", "--help"]
)
def test_a_reader_that_goes_away_ends_a_command_quietly_and_keeps_its_exit_code(ran, command, streams):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *command.split()],
        stdout=writing, stderr=writing if streams == 2 else subprocess.PIPE, text=True, check=False,
        env={**os.environ, "BEE_DATA": "" if "solve" in command else str(ran)},
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == 0, done.stderr
    assert not done.stderr or not ("Traceback" in done.stderr or "roken" in done.stderr)
