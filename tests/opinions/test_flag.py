"""Flags, each on a clean word in which one thing is then changed, and grades."""

from typing import Any

import pandas as pd
import pytest
from examples import forms_of, grades, lexicon

from pipeline.facts.grades import offensive_words
from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.opinions import catalog, flag

BREAKS: dict[str, list[dict[str, Any]]] = {
    "unlisted": [{"scowl_size": 95}],
    "large-list": [{"scowl_size": 70}, {"scowl_size": 80}],
    "rare": [{"scowl_size": 70, "zipf": 1.9}],
    "seldom": [{"scowl_size": 60, "zipf": 1.49}],
    "archaic": [{"wordnet_labels": "archaism=2"}],
    "technical": [{"word": "ovitosis", "scowl_size": 60, "zipf": 2.5}],
    "foreign": [{"scowl_size": 50, "zipf": 2.0, "zipf_abroad": 3.0}],
    "proper": [
        {"scowl_size": 95, "wordnet_senses": 0, "scowl_upper": 50},
        {"scowl_size": 80, "wordnet_senses": 0, "wordnet_capitalised": 1},
        {"scowl_upper": 35, "wordnet_senses": 1},
        {"scowl_name": 35, "wordnet_senses": 2, "wordnet_capitalised": 2},
    ],
    "abbreviation": [{"scowl_size": 80, "wordnet_senses": 0, "scowl_abbreviation": 50}],
    "variant": [{"scowl_size": NO_SIZE, "scowl_british": NO_SIZE, "scowl_variant": 60, "scowl_variant_level": 1}],
    "derived": [{"scowl_size": 80, "wordnet_senses": 0, "base": "cave"}],
    "british": [{"scowl_size": NO_SIZE}],
    "slur": [{"wordnet_labels": "ethnic_slur=1"}],
    "vulgar": [{"wordnet_labels": "obscenity=1"}, {"cuss": 2, "ldnoobw": True}],
    "sensitive": [{"wordnet_labels": "disparagement=2"}],
}


NEIGHBOURS: dict[str, list[dict[str, Any]]] = {
    "unlisted": [{"scowl_size": 80}],
    "large-list": [{"scowl_size": 60}, {"scowl_size": 95}],
    "rare": [{"scowl_size": 60, "zipf": 1.9}, {"scowl_size": 70, "zipf": 2.0}],
    "seldom": [{"scowl_size": 60, "zipf": 1.5}, {"scowl_size": 70, "zipf": 1.49}],
    "archaic": [{"wordnet_labels": "archaism=1"}],
    "technical": [
        {"word": "ovitosis", "scowl_size": 55, "zipf": 2.5},
        {"word": "ovitosis", "scowl_size": 60, "zipf": 3.0},
    ],
    "foreign": [
        {"scowl_size": 50, "zipf": 2.1, "zipf_abroad": 3.0},
        {"scowl_size": 50, "zipf": 1.0, "zipf_abroad": 2.9},
        {"scowl_size": 40, "zipf": 2.0, "zipf_abroad": 5.0},
    ],
    "proper": [
        {"scowl_size": 95, "scowl_upper": 50},
        {"scowl_size": 95, "wordnet_senses": 0},
        {"scowl_size": 60, "wordnet_senses": 0, "wordnet_capitalised": 1},
        {"scowl_upper": 36, "wordnet_senses": 1},
        {"scowl_upper": 35, "wordnet_senses": 1, "scowl_size": NO_SIZE},
        {"scowl_upper": 35, "wordnet_senses": 2, "wordnet_capitalised": 1},
        {"scowl_upper": 35, "wordnet_senses": 1, "base": "cave"},
    ],
    "abbreviation": [
        {"scowl_abbreviation": 50},
        {"scowl_size": 80, "wordnet_senses": 0},
        {"scowl_size": 60, "wordnet_senses": 0, "scowl_abbreviation": 50},
    ],
    "variant": [{"scowl_variant": 60}, {"scowl_size": NO_SIZE, "scowl_british": NO_SIZE}],
    "derived": [{"scowl_size": 60, "wordnet_senses": 0, "base": "cave"}, {"scowl_size": 80, "base": "cave"}],
    "british": [{"scowl_british": 35}, {"scowl_size": NO_SIZE, "scowl_british": NO_SIZE}],
    "slur": [{"wordnet_labels": "slang=1"}],
    "vulgar": [{"cuss": 2}],
    "sensitive": [{"wordnet_labels": "disparagement=1"}],
}


def flags_of(*rows: dict[str, Any], **by_hand: str) -> pd.DataFrame:
    words = lexicon(*rows)
    return flag.flag(words, offensive_words(words, forms_of(words), grades(**by_hand)))


@pytest.mark.parametrize("base", ["bring", "brin"])
def test_a_word_without_a_grade_by_hand_has_that_of_its_base_and_then_that_of_the_lists(base):
    """The base may be too short for the lexicon, and no ending need lead to it."""

    def flagged(row: dict[str, Any], **by_hand: str) -> list[str]:
        found = flags_of(row, **by_hand)
        return found["flag"][found["word"] == row["word"]].tolist()

    listed = {"word": "brung", "base": base, "cuss": 2, "ldnoobw": True}
    assert flagged(listed, **{base: "crude"}) == ["crude"]
    assert flagged({**listed, "base": ""}, **{base: "crude"}) == ["vulgar"]
    assert flagged(listed, **{base: "none"}) == []
    assert flagged(listed, **{base: "none", "brung": "slur"}) == ["slur"]
    assert flagged({"word": "bringy"}, **{base: "crude"}) == [], "a derivative has a grade of its own"


EXAMPLES = [(rule, change, True) for rule in BREAKS for change in BREAKS[rule]]


EXAMPLES += [(rule, change, False) for rule in NEIGHBOURS for change in NEIGHBOURS[rule]]


@pytest.mark.parametrize(("rule", "change", "raised"), EXAMPLES)
def test_one_change_raises_a_flag_and_a_smaller_one_does_not(rule, change, raised):
    assert (rule in set(flags_of(change)["flag"])) == raised


def test_every_flag_has_its_examples_and_a_clean_word_has_none():
    by_rule = {rule.id for rule in catalog.FLAGS} - {"explicit", "crude"}
    assert set(BREAKS) == set(NEIGHBOURS) == by_rule, "BREAKS and NEIGHBOURS have examples for each flag"
    assert flags_of({}).empty
    for size, detail in ((95, "SCOWL 95 only"), (NO_SIZE, "in no SCOWL list in American spelling")):
        assert detail in set(flags_of({"scowl_size": size})["detail"])


def test_the_gravest_flag_stands_alone_a_grade_by_hand_overrules_the_lists_and_forms_inherit_both():
    listed = {"wordnet_labels": "disparagement=1 ethnic_slur=1", "cuss": 2, "ldnoobw": True}
    forms = [{"word": f"{base}s", "base": base, "wordnet_senses": 0} for base in ("coon", "taco", "vixen")]
    words = {"word": "coon", **listed}, {"word": "taco", **listed}, {"word": "vixen"}
    found = flags_of(*words, *forms, taco="none", vixen="vulgar")
    assert found[["word", "flag"]].values.tolist() == [
        ["coon", "slur"], ["coons", "slur"], ["vixen", "vulgar"], ["vixens", "vulgar"],
    ]  # fmt: skip


def test_a_form_of_two_bases_has_the_grade_of_the_first_one():
    words = lexicon({"word": "axe"}, {"word": "axis"}, {"word": "axes", "wordnet_senses": 0})
    forms = pd.DataFrame({"word": ["axes"] * 2, "base": ["axis", "axe"], "form": ["plural"] * 2})
    found = offensive_words(words, forms, grades(axe="crude", axis="slur"))
    assert dict(zip(found["word"], found["flag"], strict=True))["axes"] == "slur"
