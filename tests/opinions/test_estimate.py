"""The estimate: relatives, the letter set, the fit, and what it may and may not learn from."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_opinions import BAD, GOOD, evidence, lexicon

from pipeline import estimate, features, relatives


def linked(*words: str, **lemmas: str) -> set[tuple[str, str, str]]:
    frame = lexicon(*[{"word": word, "lemma": lemmas.get(word, "")} for word in sorted(words)])
    names = frame["word"].tolist()
    return {(names[row.form], names[row.base], row.kind) for row in relatives.links(frame).itertuples()}


@pytest.mark.parametrize(
    ("form", "base", "kind"),
    [
        ("pitas", "pita", "inflected"),
        ("baking", "bake", "inflected"),
        ("logged", "loge", "inflected"),
        ("unbake", "bake", "prefixed"),
        ("bakery", "bake", "suffixed"),
        ("happily", "happy", "suffixed"),
        ("baggy", "bagg", "suffixed"),
    ],
)
def test_spelling_links_a_form_to_its_base(form, base, kind):
    found = linked(form, base)
    assert ((form, base, kind) in found) == (form not in ("logged",))


def test_irregular_forms_are_linked_by_their_lemma_and_compounds_to_both_parts():
    assert ("mice", "mouse", "inflected") in linked("mice", "mouse", mice="mouse")
    assert {("cookbook", "book", "compound"), ("cookbook", "cook", "compound")} <= linked("cookbook", "book", "cook")


def record_of(word: str, **surprise: float) -> dict[str, float]:
    """What the records of its relatives say of a word, given the surprise in each record."""
    frame = lexicon(*[{"word": name} for name in sorted(surprise)])
    names = frame["word"].tolist()
    values = np.array([surprise[name] for name in names])
    rows = relatives.record(relatives.links(frame), relatives.sisters(frame), values)
    return rows.iloc[names.index(word)].to_dict()


@pytest.mark.parametrize("own", [-0.9, 0, 0.9])
def test_relatives_speak_for_a_word_and_it_never_speaks_for_itself(own):
    assert record_of("pitas", pita=0.5, pitas=own)["base of inflected word"] == 0.5
    assert record_of("pita", pita=own, pitas=-0.25)["inflected form"] == -0.25
    assert record_of("zapping", zapping=own, zapped=0.5, zaps=-0.25)["sister form"] == 0.25
    alike = record_of("cookbook", cookbook=own, cook=0, book=0, bookcase=-0.5, case=0)
    assert (alike["compound"], alike["compounds alike"]) == (1, -0.5)


def test_more_than_enough_surprise_says_no_more():
    many = {f"pita{ending}": -0.9 for ending in ("s", "ed", "er", "ing")}
    assert record_of("pita", pita=0, **many)["inflected form"] >= -relatives.MOST


def test_the_only_plausible_pangram_of_its_letters_is_alone():
    words = pd.Series(["covenant", "covenanta", "octave", "unvoicedly", "backpains"])
    found = features.alone(words, np.array([0.3, 0.75, 0.9, 0.2, 0.4]))
    assert found[:2] == pytest.approx([0.25, 0.7])
    assert list(found[2:]) == [0, 0, 0]
    assert features.alone(words, np.array([0.3, 0.0, 0.9, 0.2, 0.4]))[:2] == pytest.approx([1, 0])


def test_features_name_what_they_are():
    frame = lexicon({}, {"word": "coves", "lemma": "cove", "wordnet_senses": 0})
    rows = features.features(frame)
    assert rows.loc[0, ["size: 35", "frequency: fairly common", "WordNet: n"]].tolist() == [1, 1, 1]
    assert rows.loc[1, ["shape: inflected", "WordNet: none", "size: 35"]].tolist() == [1, 1, 1]
    base = relatives.standing(frame, relatives.links(frame))
    assert base.loc[1, ["inflected from SCOWL 35", "inflected from SCOWL 60"]].tolist() == [1, 0]
    assert not rows.isna().any(axis=None)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_fit_is_the_optimum_of_the_penalised_likelihood(seed):
    random = np.random.default_rng(seed)
    table = pd.DataFrame(random.normal(size=(200, 4)))
    accepted = table.to_numpy() @ [3.0, -2.0, 0.5, 0.0] + random.normal(size=200) > 0
    model = estimate._fit(table, accepted, np.ones(200, dtype=bool))
    spread = table.to_numpy().std(axis=0) + 1e-3
    scaled = (table.to_numpy() - table.to_numpy().mean(axis=0)) / spread
    slope = scaled.T @ (model.p(table) - accepted) + estimate.RIDGE * model.weights * spread
    assert np.abs(slope).max() < 1e-6
    assert abs((model.p(table) - accepted).sum()) < 1e-4
    assert model.weights[0] > 0 > model.weights[1]


def test_the_fit_stands_data_that_a_line_separates():
    table = pd.DataFrame({"one": [1.0, 2.0, -1.0, -2.0]})
    model = estimate._fit(table, np.array([True, True, False, False]), np.ones(4, dtype=bool))
    assert 0.5 < model.p(table)[1] < 1


def words_like(prefix: str, count: int, **attributes) -> list[dict]:
    letters = "bcdfghklmnprtvw"
    return [{"word": f"{prefix}{one}{two}", **attributes} for one in letters for two in letters][:count]


COMMON = words_like("aga", 100)
RARE = words_like("ubu", 100, scowl_size=80, zipf=0.0, wordnet_senses=0)


def test_p_is_high_for_words_like_accepted_ones_and_low_for_words_like_refused_ones():
    new = [{"word": "agazz"}, {"word": "ubuzz", "scowl_size": 80, "zipf": 0.0, "wordnet_senses": 0}]
    words = lexicon(*COMMON, *RARE, *new)
    record = evidence(**{row["word"]: GOOD for row in COMMON}, **{row["word"]: BAD for row in RARE})
    found = estimate.estimate(words, record, words["word"]).set_index("word")
    assert set(found.index) == {"agazz", "ubuzz"}
    assert found.loc["agazz", "p"] > 0.9
    assert found.loc["ubuzz", "p"] < 0.1
    assert "+ SCOWL 35" in found.loc["agazz", "basis"]
    assert "- SCOWL 80" in found.loc["ubuzz", "basis"]


def test_a_hopeless_word_is_not_taken_because_its_letters_have_no_other_pangram():
    hopeless = {"word": "ubulcdfg", "scowl_size": 80, "zipf": 0.0, "wordnet_senses": 0}
    words = lexicon(*COMMON, *RARE, hopeless)
    record = evidence(**{row["word"]: GOOD for row in COMMON}, **{row["word"]: BAD for row in RARE})
    found = estimate.estimate(words, record, words["word"]).set_index("word")
    assert found.loc["ubulcdfg", "p"] < estimate.LIKELY


def test_nothing_to_learn_from_is_no_error():
    words = lexicon(*COMMON[:3])
    found = estimate.estimate(words, evidence(agabb=GOOD), words["word"])
    assert set(found["p"]) == {0.3}
    assert estimate.estimate(words, evidence(agabb=GOOD, agabc=BAD, agabd=BAD), words["word"]).empty


def test_the_same_facts_give_the_same_estimates():
    words = lexicon(*COMMON, *RARE, {"word": "agazz"})
    record = evidence(**{row["word"]: GOOD for row in COMMON[:50]}, **{row["word"]: BAD for row in RARE[:50]})
    one = estimate.estimate(words, record, words["word"])
    two = estimate.estimate(words, record.sample(frac=1, random_state=1), words["word"].iloc[::-1])
    pd.testing.assert_frame_equal(one, two)
