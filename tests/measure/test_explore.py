"""Many puzzles at once: all algorithms agree, the bench prints figures, and possible puzzles are counted right."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import PROJECT, Result
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.algorithms import ALGORITHMS, centered_subsets
from benchmarks.counting import GENERATORS
from pipeline import solver
from pipeline.play import puzzles
from pipeline.sources import read
from pipeline.words import bingo, pangram, perfect_pangram, playable, puzzle, score, spells

WORDS = st.lists(st.text("abcdefghs", min_size=4, max_size=9).filter(playable), unique=True, max_size=60)
LETTERS = st.permutations("abcdefghs").map(lambda letters: puzzle("".join(letters[:7])))


@given(WORDS, LETTERS)
def test_every_algorithm_equals_the_rules_of_the_game(words, asked):
    obvious = sorted(word for word in words if spells(asked, word))
    for algorithm in ALGORITHMS:
        assert sorted(algorithm.solve(algorithm.build(words), asked)) == obvious, algorithm.name


@given(LETTERS)
def test_a_puzzle_has_64_centered_subsets(asked):
    subsets = list(centered_subsets(asked))
    assert len(set(subsets)) == len(subsets) == 64


SLOW = ("letter check", "strip", "packed scan", "sum of products", "flat prefixes")
"""These take most of the time, so they solve one puzzle in twenty."""


def test_every_algorithm_agrees_on_every_official_puzzle(shared):
    path = shared / "archive/nyt_puzzles_plus.txt"
    days = read(path.read_bytes(), path.name).parsed.days
    words = sorted({word for day in days for word in day.answers})
    built = [(algorithm, algorithm.build(words)) for algorithm in ALGORITHMS]
    assert len(days) == 2794
    for number, day in enumerate(days):
        asked = built if number % 20 == 0 else [each for each in built if each[0].name not in SLOW]
        found = {algorithm.name: sorted(algorithm.solve(made, day.puzzle)) for algorithm, made in asked}
        assert set(day.answers) <= set(found["ours"])
        assert all(each == found["ours"] for each in found.values()), day.date


def bench(*options: object) -> Result:
    """What `make bench BENCH=OPTIONS` runs."""
    command = [sys.executable, "-m", "benchmarks", *map(str, options)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    return Result(done.returncode, done.stdout, done.stderr)


def test_the_target_of_the_makefile_runs_the_benchmarks_with_options():
    recipe = re.search(r"^bench:.*\n\t(.*)$", (PROJECT / "Makefile").read_text(), re.MULTILINE)[1]
    assert recipe == "$(BIN)/python -m benchmarks $(BENCH)"
    assert "--seconds" in bench("--help").out


def test_the_bench_times_every_algorithm_on_one_list(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\n".join(solver.load_words()[::20]))
    (tmp_path / "data").mkdir()
    done = bench("--list", path, "--seconds", "0.02", "--data", tmp_path / "data")
    assert done.code == 0
    assert "only the four built-in ones are used" in done.err
    solvers, generators = done.out.split("\n\n", 2)[1].splitlines(), done.out.split("\n\n")[-1].splitlines()
    head, (names, *rows) = done.out.splitlines()[0], solvers
    assert head.endswith("words, 4 puzzles; medians")
    assert names.split()[:4] == ["algorithm", "solve_us", "cold_us", "times_radix"]
    in_c = ["letter check in C", "packed scan in C"] if shutil.which("cc") or shutil.which("gcc") else []
    assert [name for algorithm in ALGORITHMS for name in [algorithm.name]] + in_c == [
        " ".join(row.split()[:-7]) for row in rows
    ]
    radix = next(row for row in rows if "radix tree" in row)
    assert radix.split()[4] == "1.0"
    assert [" ".join(row.split()[:-2]) for row in generators[1:]] == [
        *(each.name for each in GENERATORS),
        "ours (bee puzzles)",
    ]
    assert generators[-1].split()[-1] == "1.000"


@given(WORDS)
def test_all_generators_count_the_same_points(words):
    every = puzzles.possible(words)
    ours = dict(zip(every["center"] + every["outer"], every["points"], strict=True))
    assert all(each.count(words) == ours for each in GENERATORS)


@given(WORDS)
def test_possible_puzzles_are_counted_as_solving_each_would(words):
    sets = {"".join(sorted(set(word))) for word in words if pangram(word)}
    expected = {}
    for letters in sets:
        for center in letters:
            asked = puzzle(letters.replace(center, ""), center)
            found = [word for word in words if spells(asked, word)]
            expected[center, asked.outer] = (
                len(found), sum(map(score, found)), sum(map(pangram, found)),
                sum(map(perfect_pangram, found)), bingo(asked, found),
            )  # fmt: skip
    made = {tuple(row[:2]): tuple(row[2:]) for row in puzzles.possible(words).itertuples(index=False)}
    assert made == expected


def test_puzzles_are_chosen_and_sorted(bee):
    done = bee("puzzles", "--min-words", "20", "--max-words", "30", "--contains", "QU", "--best", "points", "--csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == 20
    points = [int(row["points"]) for row in rows]
    assert points == sorted(points, reverse=True)
    for row in rows:
        asked = puzzle(row["outer"], row["center"])
        found = solver.scan(solver.load_words(), asked)
        assert {"q", "u"} <= set(asked.letters)
        assert (len(found), sum(map(score, found))) == (int(row["words"]), int(row["points"]))
        assert 20 <= len(found) <= 30
    few = bee("puzzles", "--center", "q", "--without", "es", "--bingo", "--min-pangrams", "1", "--limit", "0")
    assert all(line.split()[0] == "q" and line.endswith("True") for line in few.out.splitlines()[1:])
    assert "possible puzzles" in few.err


def test_a_list_without_a_pangram_makes_no_puzzle(bee, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("cove\ncave\n")
    done = bee("puzzles", "--list", path)
    assert (done.code, done.out) == (1, "")
    assert "0 of 0 possible puzzles" in done.err
    assert done.err.endswith("No possible puzzle fits.\n")
    made = bee("puzzles", "--list", path, "--json")
    assert (made.code, json.loads(made.out)["puzzles"]) == (1, [])


def test_a_random_order_can_be_had_again(bee):
    ask = ("puzzles", "--center", "v", "--limit", "3", "--csv", "--random")
    first, again, other = (bee(*ask, "--seed", seed) for seed in (3, 3, 4))
    assert first.out == again.out
    assert first.out != other.out
    assert len(first.out.splitlines()) == 4
    unseeded = bee(*ask)
    seed = re.search(r"--random --seed (\d+) gives this order again", unseeded.err)[1]
    assert bee(*ask, "--seed", seed).out == unseeded.out
    for wrong in (["--seed", "3"], ["--random", "--best", "words"]):
        assert bee("puzzles", *wrong).code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["puzzles", "--contains", "é"], 2, "is not a letter"),
        (["puzzles", "--min-words", "-1"], 2, "--min-words"),
        (["puzzles", "--list", "nowhere.txt"], 1, "No word list at nowhere.txt"),
        (["bench", "--list", "/dev/null"], 1, "has no playable word"),
        *((["bench", "--seconds", wrong], 2, "--seconds") for wrong in ("0", "-1", "nan", "inf", "1e400")),
    ],
)
def test_a_wrong_wish_is_one_sentence(bee, arguments, code, says):
    failed = bench(*arguments[1:]) if arguments[0] == "bench" else bee(*arguments)
    assert (failed.code, failed.out) == (code, "")
    assert says in failed.err
    assert "Traceback" not in failed.err
