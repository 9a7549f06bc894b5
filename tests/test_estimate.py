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


def record_of(word: str, **said: int) -> dict[str, float]:
    """The relatives' record of a word, where 1 was accepted, 0 refused, -1 never tried."""
    frame = lexicon(*[{"word": name} for name in sorted(said)])
    names = frame["word"].tolist()
    yes = np.array([said[name] == 1 for name in names], dtype=float)
    no = np.array([said[name] == 0 for name in names], dtype=float)
    rows = relatives.record(relatives.links(frame), relatives.stems(frame), yes, no)
    return rows.iloc[names.index(word)].to_dict()


def test_relatives_speak_for_a_word_and_it_never_speaks_for_itself():
    for own in (1, 0, -1):
        row = record_of("pitas", pita=1, pitas=own)
        assert (row["base of inflected accepted"], row["base of inflected refused"]) == (1, 0)
        assert row["sister forms tried"] == 0
        assert record_of("pita", pita=own, pitas=0)["inflected forms refused"] == 1
        sisters = record_of("zapping", zapping=own, zapped=1, zaps=0)
        assert (sisters["sister forms accepted"], sisters["sister forms refused"]) == (1, 1)
        alike = record_of("cookbook", cookbook=own, cook=-1, book=-1, bookcase=0, case=-1)
        assert (alike["compounds alike accepted"], alike["compounds alike refused"]) == (0, 1)


def test_the_only_plausible_pangram_of_its_letters_must_be_right():
    words = pd.Series(["covenant", "vacanto", "octave", "centavos"])
    found = features.letter_set(words, np.array([0.3, 0.0, 0.9, 0.5]))
    alone = found.iloc[0]
    assert alone["chance that no other pangram is accepted"] == 1
    assert alone["p given that some pangram is accepted"] > 5
    crowded = features.letter_set(pd.Series(["covenant", "covenanta"]), np.array([0.3, 0.98])).iloc[0]
    assert crowded["best rival pangram"] == pytest.approx(0.98)
    assert crowded["likeliest pangram of its letters"] == 0
    assert crowded["p given that some pangram is accepted"] < 0
    assert (found.iloc[1:] == 0).all(axis=None)


def test_features_name_what_they_are():
    frame = lexicon({}, {"word": "coves", "lemma": "cove", "wordnet_senses": 0})
    rows = features.features(frame, relatives.links(frame))
    assert rows.loc[0, ["SCOWL 35", "fairly common", "noun", "4 letters"]].tolist() == [1, 1, 1, 1]
    assert (
        rows.loc[1, ["plural in -s", "has an S", "not in WordNet", "base of inflected in SCOWL 35"]].tolist() == [1] * 4
    )
    assert not rows.isna().any(axis=None)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_fit_is_the_optimum_of_the_penalised_likelihood(seed):
    random = np.random.default_rng(seed)
    table = random.normal(size=(200, 4))
    accepted = (table @ [3.0, -2.0, 0.5, 0.0] + random.normal(size=200) > 0).astype(float)
    weights = estimate.logistic(table, accepted)
    p = 1 / (1 + np.exp(-(weights[0] + table @ weights[1:])))
    slope = table.T @ (p - accepted) + weights[1:] / estimate.STRENGTH
    assert np.abs(slope).max() < 1e-5
    assert abs((p - accepted).sum()) < 1e-4
    assert weights[1] > 0 > weights[2]
    again = estimate.logistic(table, accepted, weights + random.normal(size=5))
    assert np.abs(again - weights).max() < 1e-6


def test_the_fit_stands_data_that_a_line_separates():
    table = np.array([[1.0], [2.0], [-1.0], [-2.0]])
    weights = estimate.logistic(table, np.array([1.0, 1.0, 0.0, 0.0]))
    assert np.isfinite(weights).all()


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
    assert "- " in found.loc["ubuzz", "basis"]


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
