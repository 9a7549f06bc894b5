import csv
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT
from hypothesis import given, settings
from hypothesis import strategies as st

import pipeline
from pipeline import reader, solver
from pipeline.play import puzzles
from pipeline.words import bingo, pangram, perfect_pangram, playable, puzzle, ranks, score, spells

WORDS = st.lists(st.text("abcdefghs", min_size=4, max_size=9).filter(playable), unique=True, max_size=60)
LETTERS = st.permutations("abcdefghs").map(lambda letters: puzzle("".join(letters[:7])))


@settings(max_examples=40)
@given(WORDS, LETTERS)
def test_the_fast_solver_equals_the_obvious_scan(words, asked):
    obvious = sorted(word for word in words if spells(asked, word))
    assert sorted(solver.solve(solver.build_index(words), asked)) == obvious
    assert sorted(solver.scan(words, asked)) == obvious


@settings(max_examples=15)
@given(WORDS)
def test_possible_puzzles_are_counted_as_solving_each_would(words):
    sets = {"".join(sorted(set(word))) for word in words if pangram(word)}
    expected = {}
    for letters, center in [(seven, center) for seven in sets for center in seven]:
        asked = puzzle(letters.replace(center, ""), center)
        found = [word for word in words if spells(asked, word)]
        pangrams = [sum(map(pangram, found)), sum(map(perfect_pangram, found))]
        expected[center, asked.outer] = (len(found), sum(map(score, found)), *pangrams, bingo(asked, found))
    every = puzzles.possible(words)
    assert {tuple(row[:2]): tuple(row[2:]) for row in every.itertuples(index=False)} == expected


def test_the_public_api_solves_with_the_list_that_came_along():
    found = pipeline.solve("vctaoen")
    assert found[0] == "covenant"
    assert set(found) <= set(pipeline.load_words())
    assert pipeline.solve("vctaoen", ["cove", "seven", "octave"]) == ["octave", "cove"]


def test_the_solver_needs_no_package():
    """`-S` keeps site-packages out, so an import of anything but the standard library would fail."""
    found = subprocess.run(
        [sys.executable, "-S", "-c", "import pipeline; print(*pipeline.solve('VCTAOEN'))"],
        capture_output=True, text=True, check=True, cwd=PROJECT,
    )  # fmt: skip
    assert found.stdout.split() == pipeline.solve("vctaoen")


def test_counts_and_ranks_are_those_that_the_archive_prints(shared):
    """Fields 4 to 9: words, points, pangrams, perfect ones, bingo, and whether long words alone reach Genius."""
    for line in (shared / "archive/nyt_puzzles_plus.txt").read_text().splitlines():
        fields, _, words = line.partition("|")
        _, letters, center, *printed = fields.split()[:9]
        asked, answers = puzzle(letters.replace(center, ""), center), words.split()
        points = sum(map(score, answers))
        long = sum(score(word) for word in answers if len(word) > 4)
        found = [len(answers), points, sum(map(pangram, answers)), sum(map(perfect_pangram, answers))]
        found += [bingo(asked, answers), long >= ranks(points)["Genius"]]
        assert found == [int(field) for field in printed], line


def test_a_pangram_in_doubt_may_be_the_guess_of_its_letters():
    rows = csv.DictReader(Path(reader.RELEASE, "words.csv").read_text().splitlines())
    doubtful = next(row["word"] for row in rows if row["tier"] == "review" and pangram(row["word"]))
    letters = puzzle("".join(dict.fromkeys(doubtful)))
    assert doubtful in {row["word"] for row in solver.load_pangram_candidates(letters)}


@pytest.mark.parametrize(
    ("changed", "guesses"),
    [
        ({}, {"covenate": 0.5}),
        ({"kind": "verdict"}, {}),
        ({"offered": "1"}, {}),
        ({"flags": "rare explicit"}, {}),
        ({"tier": "core"}, {}),
        ({"word": "octave"}, {}),
    ],
)
def test_an_untried_pangram_off_the_list_can_be_the_guess(changed, guesses):
    dropped = {"word": "covenate", "tier": "refused", "p": "0.5", "flags": "", "offered": "0", "kind": "estimate"}
    assert solver.pangram_candidates([dropped | changed]) == guesses
