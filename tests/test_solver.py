import bz2
import csv
import lzma
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT
from hypothesis import given, settings
from hypothesis import strategies as st

import pipeline
from pipeline import reader, solver
from pipeline.errors import BeeError
from pipeline.words import bingo, pangram, perfect_pangram, playable, puzzle, ranks, score, spells

WORDS = st.lists(st.text("abcdefghs", min_size=4, max_size=9).filter(playable), unique=True, max_size=60)
LETTERS = st.permutations("abcdefghs").map(lambda letters: puzzle("".join(letters[:7])))


@settings(max_examples=40)
@given(WORDS, LETTERS)
def test_the_fast_solver_equals_the_obvious_scan(words, asked):
    obvious = sorted(word for word in words if spells(asked, word))
    assert sorted(solver.solve(solver.build_index(words), asked)) == obvious
    assert sorted(solver.scan(words, asked)) == obvious


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


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("words.csv", b"word\ncove\n"),
        ("words.json", b'["cove"]'),
        ("words.txt", b'["cove", "octave"]'),
        ("words.txt", "\ufeffcove\n".encode("utf-16-be")),
        ("words.txt", "\ufeffcove\n".encode("utf-32-le")),
        ("words.txt", "\ufeffcove\n".encode("utf-32-be")),
        ("words.txt", b"word,meaning\ncove,a bay\noctave,eight notes\n"),
        ("words.txt", b"word,tier\ncove,core\noctave,core\n"),
        ("words.txt", b"cove;1\noctave\ncave;1\n"),
        ("words.txt", b'"cove"\n"octave"\n'),
        ("words.txt", b"cove;octave;cave"),
        ("words.txt", b"cove, octave, cave\n"),
        ("-words.csv", b"word\ncove\n"),
    ],
)
def test_a_list_in_another_form_is_sent_to_bee_convert(tmp_path, monkeypatch, bee, name, data):
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(data)
    refused = bee("solve", "vctaoen", f"--list={name}")
    assert refused.code == 1
    (remedy,) = re.findall("one word per line; `bee (.+)` makes such a list", refused.err)
    assert bee(*shlex.split(remedy)).code == 0
    assert "cove" in bee("solve", "vctaoen", "--list", remedy.split()[-1]).out.split()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("words.zip", b"PK\x03\x04\x14cove\n"),
        ("words.csv", b"PK\x03\x04\x14cove\n"),
        ("words.bz2", bz2.compress(b"cove\n")),
        ("words.xz", lzma.compress(b"cove\n")),
        ("words.db", b"SQLite format 3\0cove\noctave\n"),
        ("words.txt", "cove\n".encode("utf-16-le")),
        ("words.txt", "cove\n".encode("utf-32-be")),
        ("words.txt", b"co\0ve\n"),
    ],
)
def test_a_list_that_is_not_text_is_refused_by_all_that_read_lists(tmp_path, bee, ran_once, name, data):
    path = tmp_path / name
    path.write_bytes(data)
    for command in (("solve", "vctaoen", "--list"), ("convert",), ("audit", "--data", ran_once)):
        refused = bee(*command, path)
        assert (refused.code, refused.out) == (1, "")
        assert f"{name} is not text; unpack it, or save it as text in UTF-8" in refused.err


def test_a_comment_in_a_list_is_not_a_word(tmp_path):
    (tmp_path / "words.txt").write_text("# coven words\ncove # bay note\noctave\n")
    assert solver.load_words(tmp_path / "words.txt") == ["cove", "octave"]


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
        ({}, {"covenate": 0.2}),
        ({"p": "0.05"}, {"covenate": 0.05}),
        ({"kind": "estimate"}, {"covenate": 0.5}),
        ({"offered": "1"}, {}),
        ({"flags": "rare explicit"}, {}),
        ({"tier": "core"}, {}),
        ({"word": "octave"}, {}),
    ],
)
def test_an_untried_pangram_that_a_person_dropped_can_be_the_guess_with_a_low_p(changed, guesses):
    dropped = {"word": "covenate", "tier": "refused", "p": "0.5", "flags": "", "offered": "0", "kind": "verdict"}
    assert solver.pangram_candidates([dropped | changed]) == guesses


def test_any_word_list_can_be_read_and_a_file_that_is_none_says_so(tmp_path):
    path = tmp_path / "list.txt"
    with pytest.raises(BeeError, match="Cannot read the word list"):
        solver.load_words(path)
    path.write_text("bee\ncafé\n")
    with pytest.raises(BeeError, match="no playable word"):
        solver.load_words(path)
    path.write_text("# A, B, 2020\ncove\noctave\ncave\n")
    assert solver.load_words(path) == ["cove", "octave", "cave"]
    path.write_bytes(b"\xef\xbb\xbf" + "COVE\r\nOctave\ncafé\ncove\nbee\nnull\n\n".encode("latin-1"))
    assert solver.load_words(path) == ["cove", "octave", "null"]
