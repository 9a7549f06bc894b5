"""The filters for offensive words are tested in both directions, with words that two people graded in the same way.

`manners.csv` says which filter leaves a word out: `safe` (and so `family`), `family` alone, or neither, for ordinary
words that share letters, senses or relatives with offensive ones. Words are veiled in what a failing test prints.
"""

import csv
import re
from pathlib import Path

import pandas as pd
import pytest
from conftest import PROJECT

from pipeline import reader
from pipeline.facts import grades
from pipeline.facts.lexicon_files import DEFAULTS
from pipeline.publishing import export
from pipeline.words import FILTERS, GRADES, TIERS, playable

CASES = list(csv.DictReader(Path(__file__).with_name("manners.csv").read_text().splitlines()))


def veiled(words: set[str]) -> list[str]:
    return sorted(word[0] + "·" * (len(word) - 1) for word in words)


def cases(*kinds: str) -> set[str]:
    return {row["word"] for row in CASES if row["left_out_by"] in kinds}


@pytest.fixture(scope="module")
def exported():
    words = list(reader.rows(reader.read(reader.RELEASE, "words.csv").files["words.csv"], "words.csv"))
    chosen = {
        name: {row["word"] for row in export.choose(words, export.Choice(TIERS, grades))}
        for name, grades in FILTERS.items()
    }
    return {"": {row["word"] for row in words}, **chosen}


def test_all_cases_are_in_the_release(exported):
    assert all(len(cases(kind)) >= 120 for kind in ("safe", "family", ""))
    assert veiled(cases("safe", "family", "") - exported[""]) == []


def test_no_word_that_a_filter_must_leave_out_gets_through(exported):
    assert veiled(cases("safe") & exported["safe"]) == []
    assert veiled(cases("safe", "family") & exported["family"]) == []


def test_no_ordinary_word_is_left_out(exported):
    assert veiled(cases("") - exported["family"]) == []
    assert veiled(cases("", "family") - exported["safe"]) == []


def test_words_that_are_alike_are_left_out_together(exported):
    """Each line of `alike.csv` has words with one meaning or one kind of meaning; all of them are `sensitive`."""
    lines = [line.split() for line in Path(__file__).with_name("alike.csv").read_text().splitlines()[1:]]
    assert len(lines) > 5
    for words in lines:
        known = set(words) & exported[""]
        assert len(known) > 1
        assert known <= exported["safe"], words[0]
        assert veiled(known & exported["family"]) == []


@pytest.fixture(scope="module")
def by_hand() -> dict[str, dict[str, str]]:
    text = (PROJECT / "data/custom/offensive.csv").read_text()
    return {row["word"]: row for row in csv.DictReader(text.splitlines())}


@pytest.fixture(scope="module")
def forms() -> pd.DataFrame:
    return pd.DataFrame(reader.rows(reader.lexicon_table("forms"), "forms"))


def test_the_examples_of_the_guide_have_the_grades_that_it_says(by_hand, forms):
    table = (PROJECT / "docs/OFFENSIVE.md").read_text().partition("\n\n| grade")[2].partition("\n\n")[0]
    examples: dict[str, str] = {}
    for row in table.splitlines()[2:]:
        _, name, _, included, excluded, _ = (cell.strip() for cell in row.split("|"))
        grade = name.strip("`")
        examples |= dict.fromkeys(re.findall(r"\*(\w+)\*", included), grade)
        for part in excluded.split(";"):  # such as "*crap*, *arse*: `crude`", "*tranny* is `slur`"
            if named := re.search(rf"`({'|'.join(GRADES)})`", part):
                before = [word for piece in part.split(",") for word in re.findall(r"\*(\w+)\*", piece)]
                examples |= dict.fromkeys(before, named[1]) if len(re.findall("`", part)) == 2 else {}
    examples = {word: grade for word, grade in examples.items() if playable(word)}
    assert len(examples) > 60
    assert set(examples.values()) == set(GRADES)
    # a word without a line of its own has the grade of its base, or none
    lexicon = pd.DataFrame([{**DEFAULTS, "word": word, "zipf": 1.0} for word in sorted(examples)])
    graded = grades.offensive_words(lexicon, forms, pd.DataFrame(by_hand.values()))
    now = dict(zip(graded["word"], graded["flag"], strict=True))
    assert veiled({word for word, grade in examples.items() if now.get(word, "none") != grade}) == []


def test_a_family_has_one_grade_unless_a_person_says_why(by_hand, forms):
    graded = forms[forms["word"].isin(by_hand) & forms["base"].isin(by_hand)]
    pairs = [*zip(graded["word"], graded["base"], strict=True)]
    agreeing = {word for word, base in pairs if by_hand[word]["grade"] == by_hand[base]["grade"]}
    differing = {word for word, _ in pairs} - agreeing
    assert len(agreeing) > 100
    says_nothing = {"", "Two readers graded it independently, with the same result."}
    assert veiled({word for word in differing if by_hand[word]["reason"] in says_nothing}) == []
