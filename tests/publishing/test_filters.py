"""The filters for offensive words, held to words that two people graded alike, in both directions.

`manners.csv` says which filter leaves a word out: `safe` (and so `family`), `family` alone, or neither, for ordinary
words that share letters, senses or relatives with offensive ones. Words are veiled in what a failing test prints.
"""

import csv
from pathlib import Path

import pytest

from pipeline import reader
from pipeline.publishing import export
from pipeline.words import FILTERS, TIERS

CASES = list(csv.DictReader(Path(__file__).with_name("manners.csv").read_text().splitlines()))


def veiled(words: set[str]) -> list[str]:
    return sorted(word[0] + "·" * (len(word) - 1) for word in words)


def cases(*kinds: str) -> set[str]:
    return {row["word"] for row in CASES if row["left_out_by"] in kinds}


@pytest.fixture(scope="module")
def exported():
    words = list(reader.word_rows(reader.read(reader.RELEASE, "words.csv").files["words.csv"]))
    chosen = {
        name: {row["word"] for row in export.choose(words, export.Choice(TIERS, grades))}
        for name, grades in FILTERS.items()
    }
    return {"": {row["word"] for row in words}, **chosen}


def test_there_are_enough_cases_of_each_kind():
    assert all(len(cases(kind)) >= 150 for kind in ("safe", "family", ""))


def test_all_cases_are_in_the_release(exported):
    assert veiled(cases("safe", "family", "") - exported[""]) == []


def test_no_word_that_a_filter_must_leave_out_gets_through(exported):
    assert veiled(cases("safe") & exported["safe"]) == []
    assert veiled(cases("safe", "family") & exported["family"]) == []


def test_no_ordinary_word_is_left_out(exported):
    assert veiled(cases("") - exported["family"]) == []
    assert veiled(cases("", "family") - exported["safe"]) == []
