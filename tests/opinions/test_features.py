"""Features: each attribute on both sides of its threshold and at it, and how common the bases of a word are."""

import pandas as pd
import pytest
from examples import forms_of, lexicon

from pipeline.opinions import features, relatives


def has(name: str, **change: object) -> bool:
    return bool(features.word_features(lexicon(change)).loc[0, name])


@pytest.mark.parametrize(
    ("name", "column", "inside", "outside"),
    [
        ("size: 35", "scowl_size", [35], [20, 40]),
        ("also a name: 60", "scowl_name", [36, 60], [35, 61]),
        ("variant spelling: level 2", "scowl_variant_level", [2], [1, 3]),
        ("frequency: never met in texts", "zipf", [0.0], [0.01]),
        ("frequency: hardly ever met", "zipf", [0.01, 1.2], [0.0, 1.21]),
        ("frequency: extremely common", "zipf", [4.51], [4.5]),
        ("WordNet: none", "wordnet_senses", [0], [1]),
        ("WordNet: also with a capital", "wordnet_capitalised", [1], [0]),
        ("WordNet: never tagged", "wordnet_tagged", [0], [1]),
        ("shape: un-", "word", ["unbee"], ["unbe", "bunee"]),
        ("shape: -er", "word", ["beeer"], ["beer", "beere"]),
        ("pangram", "word", ["covenant"], ["covenan"]),
    ],
)
def test_an_attribute_begins_and_ends_where_its_name_says(name, column, inside, outside):
    assert [has(name, **{column: value}) for value in inside] == [True] * len(inside)
    assert [has(name, **{column: value}) for value in outside] == [False] * len(outside)


@pytest.mark.parametrize(
    ("british", "size", "marked"), [(60, 80, [1, 0]), (61, 80, [0, 1]), (80, 80, [0, 0]), (60, 60, [0, 0])]
)
def test_a_spelling_is_british_if_its_british_list_is_smaller(british, size, marked):
    row = features.word_features(lexicon({"scowl_british": british, "scowl_size": size})).loc[0]
    assert row[["British spelling: 60", "British spelling: 95"]].tolist() == marked


@pytest.mark.parametrize(
    ("abroad", "zipf", "steps"),
    [(3.0, 2.0, [1, 0, 0]), (2.99, 0.0, [0, 0, 0]), (5.0, 2.5, [1, 1, 1]), (3.0, 2.5, [0] * 3)],
)
def test_a_word_is_foreign_if_it_is_common_abroad_and_rarer_here(abroad, zipf, steps):
    row = features.word_features(lexicon({"zipf_abroad": abroad, "zipf": zipf})).loc[0]
    assert row[[f"use abroad: by {step}" for step in (0.5, 1, 2)]].tolist() == steps


def test_only_with_a_capital_means_without_another_sense():
    assert has("WordNet: only with a capital", wordnet_capitalised=1, wordnet_senses=0)
    assert not has("WordNet: only with a capital", wordnet_capitalised=1, wordnet_senses=1)


def test_a_word_without_a_sense_in_wordnet_is_not_one_that_was_never_tagged():
    for senses, never_tagged in ((0, False), (1, True), (2, True)):
        assert has("WordNet: never tagged", wordnet_tagged=0, wordnet_senses=senses) == never_tagged


def base_features(**sizes: int) -> pd.DataFrame:
    """How common the bases and forms of words are, by word, from the sizes of their lists; all are forms of *pita*."""
    bases = {word: "pita" if word.startswith("pita") and word != "pita" else "" for word in sizes}
    frame = lexicon(*({"word": word, "scowl_size": sizes[word], "base": bases[word]} for word in sorted(sizes)))
    return relatives.base_features(frame, relatives.links(frame, forms_of(frame))).set_axis(frame["word"])


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (35, "from SCOWL 35"),
        (36, "from SCOWL 60"),
        (70, "from SCOWL 70"),
        (80, "from a rarer word"),
    ],
)
def test_a_form_has_the_class_of_the_list_of_its_base(size, name):
    names = [f"from {rest}" for rest in ("SCOWL 35", "SCOWL 60", "SCOWL 70", "a rarer word")]
    row = base_features(pita=size, pitas=50).loc["pitas", names]
    assert row[row > 0].index.tolist() == [name]
    assert not base_features(pita=size, rowan=50).loc["rowan", names].any()


@pytest.mark.parametrize(("form", "usual", "smaller"), [(60, 1, 0), (61, 0, 0), (59, 1, 1)])
def test_a_word_knows_the_list_of_its_most_usual_form(form, usual, smaller):
    row = base_features(pita=60, pitas=form, pitaed=95).loc["pita"]
    assert (row["forms in SCOWL 60"], row["forms in a smaller list"]) == (usual, smaller)
