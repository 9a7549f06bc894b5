"""Functions on whole columns give the same results as the glossary for each word; tables are compared and read as
text."""

import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import words
from pipeline.errors import DataError
from pipeline.facts import endings, forms
from pipeline.opinions import flag
from pipeline.tables import columns, frames

LINES = st.lists(
    st.text("aeéinsty-B", max_size=21) | st.sampled_from(["null", "nan", "abcdefgh", "ab\ncd"]), max_size=30
)
FORMS = st.lists(
    st.builds(
        lambda *parts: "".join(parts),
        st.sampled_from(["", "un", "re"]),
        st.sampled_from(["jog", "jogg", "bab", "bak", "pass", "pit", "bless", "fly", "bitch"]),
        st.sampled_from(["", "e", "y", "s"]),
        st.sampled_from(["", "es", "s", "ies", "ed", "ing", "er", "est", "iness", "ly"]),
    ),
    unique=True,
    min_size=1,
)


@given(LINES)
def test_a_column_is_playable_where_its_words_are(lines):
    assert columns.is_playable(lines).tolist() == [words.playable(line) for line in lines]


@given(st.lists(st.text("abcdefghz", min_size=1, max_size=19)))
def test_the_masks_and_pangrams_of_a_column_are_those_of_its_words(listed):
    assert columns.masks(listed).tolist() == [words.mask(word) for word in listed]
    assert columns.is_pangram(listed).tolist() == [words.pangram(word) for word in listed]


CELLS = st.text("ab,\"\n'# é😀", max_size=6) | st.sampled_from(["null", "nan", ""])


@given(st.lists(st.tuples(CELLS, st.integers(-(2**63), 2**63 - 1), CELLS), max_size=8))
def test_a_table_is_read_from_csv_as_it_was_written(rows):
    frame = pd.DataFrame(rows, columns=["word", "offered", "be,cause"])
    frame = frame.astype({"word": "str", "offered": "int64", "be,cause": "str"})
    pd.testing.assert_frame_equal(frames.read_csv(frames.csv_bytes(frame), "here"), frame.astype("str"))


@pytest.mark.parametrize(
    ("word", "bases"),
    [
        ("flies", ["fly", "flie", "fli", "flie"]),
        ("balls", ["ball"]),
        ("glass", []),
        ("passing", ["passe", "pass"]),
        ("jogging", ["jogge", "jogg", "jog"]),
        ("eeing", ["eee", "ee"]),
        ("nicest", ["nice", "nic"]),
        ("cover", ["cove", "cov"]),
        ("cove", []),
    ],
)
def test_the_possible_bases_of_a_word_by_its_endings(word, bases):
    assert endings.bases(word) == bases
    found = forms.all_bases(columns.as_text(["null", word]))
    assert (found.rows.tolist(), found.text.to_pylist()) == ([1] * len(bases), bases)


def test_the_right_known_base_of_playable_length_is_the_lemma():
    listed = pd.Series(["joggers", "jogged", "flies", "tinges", "inks", "null"])
    words = {"jogger": (35, 3), "jogg": (80, 5), "jog": (35, 3), "flie": (35, 1), "fly": (35, 4), "tinge": (50, 1)}
    words |= {"ting": (35, 3), "ink": (35, 3)}
    known = pd.DataFrame([(word, *cells) for word, cells in words.items()], columns=["word", "scowl_size", "zipf"])
    assert forms.lemmas(listed, known).tolist() == ["jogger", "jogg", "flie", "tinge", "", ""]


@pytest.mark.parametrize(("star", "stare", "lemma"), [(3.0, 3.1, "stare"), (3.1, 3.0, "star")])
def test_of_two_bases_in_lists_alike_the_commoner_one_is_the_lemma(star, stare, lemma):
    known = pd.DataFrame({"word": ["star", "stare"], "scowl_size": 35, "zipf": [star, stare]})
    assert forms.lemmas(pd.Series(["stared"]), known).tolist() == [lemma]


@pytest.mark.parametrize(
    ("word", "bases"),
    [
        ("gypped", ["gypp"]), ("shady", ["shad", "shade"]), ("fattiness", ["fatty", "fatti"]),
    ],
)  # fmt: skip
def test_derivatives_come_from_what_their_ending_leaves(word, bases):
    found = flag.possible_origins(columns.as_text([word])).text.to_pylist()
    assert [base for base in found if base in bases] == bases


def test_a_grade_passes_through_bases_that_come_later_in_the_list():
    lemmas = {"zzcurseds": "zzcursed", "zzcursed": "", "zzcurse": "", "null": ""}
    grades = flag.grade_words(lemmas, {"zzcurse": "vulgar"}, {})
    assert {word: grade.grade for word, grade in grades.items()} == dict.fromkeys(
        ["zzcurse", "zzcursed", "zzcurseds"], "vulgar"
    )
    assert grades["zzcurseds"].because == "a form of zzcursed"


@pytest.mark.parametrize("rows", [[("b", "x"), ("a", "y"), ("a", "x")], [("a", "y"), ("b", "x"), ("a", "x")]])
def test_rows_are_sorted_by_their_whole_key(rows):
    given = pd.DataFrame([(date, word, 1) for date, word in rows], columns=["date", "word", "witnesses"])
    made = frames.check(given, "answers")
    assert list(zip(made["date"], made["word"], strict=True)) == sorted(rows)


def test_the_package_is_imported_without_any_other():
    script = "import pipeline, sys; print({'pandas', 'numpy', 'pyarrow', 'typer', 'click'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("body", ["1,2,3\n", "1,2\n3,4,5\n", '1,"2\n'])
def test_a_table_with_an_extra_cell_is_refused(body):
    with pytest.raises(DataError, match="here "):
        frames.read_csv(f"word,two\n{body}".encode(), "here")
