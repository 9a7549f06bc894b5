"""Many puzzles at once: the possible puzzles of a list are counted right."""

import csv
import io

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import solver
from pipeline.play import puzzles
from pipeline.words import bingo, pangram, perfect_pangram, playable, puzzle, score, spells

WORDS = st.lists(st.text("abcdefghs", min_size=4, max_size=9).filter(playable), unique=True, max_size=60)


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


def test_puzzles_have_the_words_and_points_of_their_answers(bee, tmp_path):
    words = ["cave", "covenant", "cove", "octave", "noncovenant", "bengal", "bagel"]
    (tmp_path / "words.txt").write_text("\n".join(words))
    done = bee("puzzles", "--list", tmp_path / "words.txt", "--limit", "0")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == 7
    for row in rows:
        found = solver.scan(words, puzzle(row["outer"], row["center"]))
        assert (len(found), sum(map(score, found))) == (int(row["words"]), int(row["points"]))
    assert "7 possible puzzles from " in done.err
