"""The record in words.csv."""

import pytest

from pipeline.errors import DataError
from pipeline.facts import record
from pipeline.tables import frames
from pipeline.words import WORD_COLUMNS

HEADER = ",".join(WORD_COLUMNS)
NULL = "null,core,0.99,3,2,2020-01-01,2022-01-01,2021-01-01,,accepted,so"


def test_the_record_is_the_rows_of_tried_words_and_null_is_a_word():
    cove = "cove,likely,0.90,0,0,,,,rare,estimate,so"
    true = "true,refused,0.00,1,0,,,2021-01-01,,refused,so"
    assert frames.rows(record.decode("\n".join([HEADER, cove, NULL, true, ""]).encode())) == [
        {"word": "null", "offered": 3, "accepted": 2, "first_accepted": "2020-01-01", "last_accepted": "2022-01-01",
         "last_refused": "2021-01-01"},
        {"word": "true", "offered": 1, "accepted": 0, "first_accepted": "", "last_accepted": "",
         "last_refused": "2021-01-01"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "",
        "word,tier\nnull,core\n",
        f"{HEADER}\n{NULL}\n{NULL}\n",
        f"{HEADER}\n{NULL.replace(',3,', ',x,')}\n",
        f"{HEADER}\n{NULL.replace('null', 'nul')}\n",
    ],
)
def test_a_damaged_table_is_named(text):
    with pytest.raises(DataError, match=r"words\.csv"):
        record.decode(text.encode())
