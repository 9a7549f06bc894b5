"""Functions on whole columns give the same results as the glossary for each word; tables are compared and read as
text."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import words
from pipeline.errors import DataError
from pipeline.tables import columns, frames

LINES = st.lists(
    st.text("aeéinsty-B", max_size=21) | st.sampled_from(["null", "nan", "abcdefgh", "ab\ncd"]), max_size=30
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


@pytest.mark.parametrize("rows", [[("b", "x"), ("a", "y"), ("a", "x")], [("a", "y"), ("b", "x"), ("a", "x")]])
def test_rows_are_sorted_by_their_whole_key(rows):
    given = pd.DataFrame(rows, columns=["date", "word"])
    made = frames.check(given, "answers")
    assert list(zip(made["date"], made["word"], strict=True)) == sorted(rows)


@pytest.mark.parametrize("body", ["1,2,3\n", "1,2\n3,4,5\n", '1,"2\n'])
def test_a_table_with_an_extra_cell_is_refused(body):
    with pytest.raises(DataError, match="here "):
        frames.read_csv(f"word,two\n{body}".encode(), "here")
