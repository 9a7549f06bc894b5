"""Many puzzles at once: all algorithms agree, the bench prints figures, and possible puzzles are counted right."""

import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import pipeline
from benchmarks.algorithms import ALGORITHMS, centered_subsets
from benchmarks.counting import GENERATORS
from pipeline import solver
from pipeline.play import puzzles
from pipeline.sources import read_capture
from pipeline.words import bingo, pangram, perfect_pangram, playable, puzzle, score, spells

WORDS = st.lists(st.text("abcdefghs", min_size=4, max_size=9).filter(playable), unique=True, max_size=60)
LETTERS = st.permutations("abcdefghs").map(lambda letters: puzzle("".join(letters[:7])))


def bench(*options: object) -> Result:
    """What `make bench BENCH=OPTIONS` runs."""
    command = [sys.executable, "-m", "benchmarks", *map(str, options)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    return Result(done.returncode, done.stdout, done.stderr)


@settings(max_examples=30)
@given(WORDS, LETTERS)
def test_every_algorithm_equals_the_rules_of_the_game(words, asked):
    obvious = sorted(word for word in words if spells(asked, word))
    for algorithm in ALGORITHMS:
        assert sorted(algorithm.solve(algorithm.build(words), asked)) == obvious, algorithm.name
    assert len(set(centered_subsets(asked))) == len(list(centered_subsets(asked))) == 64


@settings(max_examples=15)
@given(WORDS)
def test_possible_puzzles_are_counted_as_solving_each_would_and_by_all_generators_alike(words):
    sets = {"".join(sorted(set(word))) for word in words if pangram(word)}
    expected = {}
    for letters, center in [(seven, center) for seven in sets for center in seven]:
        asked = puzzle(letters.replace(center, ""), center)
        found = [word for word in words if spells(asked, word)]
        pangrams = [sum(map(pangram, found)), sum(map(perfect_pangram, found))]
        expected[center, asked.outer] = (len(found), sum(map(score, found)), *pangrams, bingo(asked, found))
    every = puzzles.possible(words)
    assert {tuple(row[:2]): tuple(row[2:]) for row in every.itertuples(index=False)} == expected
    ours = dict(zip(every["center"] + every["outer"], every["points"], strict=True))
    assert all(each.count(words) == ours for each in GENERATORS)


def test_every_algorithm_agrees_on_official_puzzles(shared):
    """On every twentieth one, as the slow ones take most of the time."""
    path = shared / "archive/nyt_puzzles_plus.txt"
    days = read_capture(path.read_bytes(), path.name).days
    words = sorted({word for day in days for word in day.answers})
    built = [(algorithm, algorithm.build(words)) for algorithm in ALGORITHMS]
    assert len(days) == 2794
    for day in days[::20]:
        found = {algorithm.name: sorted(algorithm.solve(made, day.puzzle)) for algorithm, made in built}
        assert set(day.answers) <= set(found["ours"])
        assert all(each == found["ours"] for each in found.values()), day.date


@pytest.fixture(scope="module")
def few(tmp_path_factory) -> Path:
    """A list of the words of some letters, which makes some hundred puzzles."""
    path = tmp_path_factory.mktemp("few") / "words.txt"
    path.write_text("\n".join(word for word in pipeline.load_words() if set(word) <= set("acenotvqui")))
    return path


@pytest.mark.slow
def test_the_bench_times_every_algorithm_on_one_list(tmp_path, few):
    recipe = re.search(r"^bench:.*\n\t(.*)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)[1]
    assert recipe == "$(BIN)/python -m benchmarks $(BENCH)"
    (tmp_path / "data").mkdir()
    done = bench("--list", few, "--seconds", "0.01", "--data", tmp_path / "data")
    assert (done.code, "only the four built-in puzzles are used" in done.err) == (0, True)
    parts = [part.splitlines() for part in done.out.split("\n\n")]
    head, (names, *rows), (_, *generators) = parts[0][0], parts[1], parts[-1]
    assert head.endswith("words, 4 puzzles; medians")
    assert names.split()[:4] == ["algorithm", "solve_us", "cold_us", "times_radix"]
    in_c = ["letter check in C", "packed scan in C"] if shutil.which("cc") or shutil.which("gcc") else []
    assert [" ".join(row.split()[:-7]) for row in rows] == [algorithm.name for algorithm in ALGORITHMS] + in_c
    assert next(row for row in rows if "radix tree" in row).split()[4] == "1.0"
    assert [" ".join(row.split()[:-2]) for row in generators] == [generator.name for generator in GENERATORS]
    assert generators[-1].split()[-1] == "1.000"


@pytest.mark.slow
def test_puzzles_have_the_words_and_points_of_their_answers(bee, few):
    done = bee("puzzles", "--list", few, "--limit", "0")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    listed = pipeline.load_words(few)
    assert len(rows) > 100
    for row in rows[::10]:
        found = solver.scan(listed, puzzle(row["outer"], row["center"]))
        assert (len(found), sum(map(score, found))) == (int(row["words"]), int(row["points"]))
    assert f"{len(rows)} possible puzzles from " in done.err


@pytest.mark.slow
def test_a_list_without_a_pangram_makes_no_puzzle(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("cove\ncave\n")
    done = bee("puzzles", "--list", path)
    assert (done.code, done.out) == (1, "")
    assert done.err == "0 possible puzzles from 2 words.\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["puzzles", "--list", "nowhere.txt"], 1, "Cannot read the word list nowhere.txt"),
        pytest.param(["bench", "--list", "/dev/null"], 1, "has no playable word", marks=pytest.mark.slow),
        pytest.param(["bench", "--seconds", "nan"], 2, "--seconds", marks=pytest.mark.slow),
    ],
)
def test_a_wrong_wish_is_one_sentence(bee, arguments, code, says):
    failed = bench(*arguments[1:]) if arguments[0] == "bench" else bee(*arguments)
    assert (failed.code, failed.out) == (code, "")
    assert says in failed.err
    assert "Traceback" not in failed.err
