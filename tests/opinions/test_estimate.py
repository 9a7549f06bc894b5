"""The estimate: relatives, the letter set, the fit, and what it may learn from."""

import dataclasses
import functools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_opinions import BAD, GOOD, estimated, lexicon, recorded

from pipeline.errors import DataError
from pipeline.opinions import estimate, logistic, model, relatives


def linked(*words: str, **lemmas: str) -> set[tuple[str, str, str]]:
    frame = lexicon(*[{"word": word, "lemma": lemmas.get(word, "")} for word in sorted(words)])
    names = frame["word"].tolist()
    return {(names[row.form], names[row.base], row.kind) for row in relatives.link_words(frame).itertuples()}


def test_a_compound_is_split_at_the_first_position_where_both_parts_are_words():
    found = linked("abcdefghi", "abcd", "efghi", "abcde", "fghi")
    assert found == {("abcdefghi", "abcd", "compound"), ("abcdefghi", "efghi", "compound")}


def record_of(word, common=False, zipf=None, size=relatives.COMMON_SIZE, **surprise: float):
    """What the records of its relatives say of a word, given the surprise in each record."""
    usual = relatives.COMMON_ZIPF if common else relatives.COMMON_ZIPF - 0.01
    zipf_of = {name: (zipf or {}).get(name, usual) for name in sorted(surprise)}
    rows = [{"word": name, "scowl_size": size, "zipf": zipf_of[name]} for name in zipf_of]
    frame = lexicon(*rows)
    names = frame["word"].tolist()
    values = np.array([surprise[name] for name in names])
    rows = relatives.relative_features(relatives.link_words(frame), relatives.same_stem_pairs(frame), values, frame)
    return rows.iloc[names.index(word)].to_dict()


@pytest.mark.parametrize("own", [-0.9, 0, 0.9])
def test_relatives_speak_for_a_word_and_it_never_speaks_for_itself(own):
    assert record_of("pitas", pita=0.5, pitas=own)["base of inflected word"] == 0.5
    assert record_of("pita", pita=own, pitas=-0.25)["inflected form"] == -0.25
    assert record_of("zapping", zapping=own, zapped=0.5, zaps=-0.25)["sister form"] == 0.25
    alike = record_of("cookbook", cookbook=own, cook=0, book=0, bookcase=-0.5, case=0)
    assert (alike["compound"], alike["compounds alike"]) == (1, -0.5)


def words_like(prefix: str, count: int, **attributes) -> list[dict]:
    letters = "bcdfghklmnprtvw"
    return [{"word": f"{prefix}{one}{two}", **attributes} for one in letters for two in letters][:count]


COMMON = words_like("aga", 100)
RARE = words_like("ubu", 100, scowl_size=80, scowl_british=80, zipf=0.0, wordnet_senses=0)


BAD_ALWAYS = (2, 0, "", "2025-01-02")


def test_nothing_to_learn_from_is_no_error():
    words = lexicon(*COMMON[:3])
    found = estimated(words, recorded(agabb=GOOD), words["word"])
    assert set(found["p"]) == {0.3}
    assert estimated(words, recorded(agabb=GOOD, agabc=BAD, agabd=BAD), words["word"]).empty


def test_of_two_bases_in_lists_alike_the_commoner_one_is_right():
    frame = lexicon({"word": "bake", "zipf": 3.0}, {"word": "baker", "zipf": 4.0}, {"word": "bakery"})
    names, found = frame["word"], relatives.right_bases(frame, relatives.link_words(frame)).set_index("form")["base"]
    assert {names[form]: names[base] for form, base in found.items()} == {"baker": "bake", "bakery": "baker"}
    frame.loc[frame["word"] == "bake", "zipf"] = 5.0
    found = relatives.right_bases(frame, relatives.link_words(frame)).set_index("form")["base"]
    assert names[found[2]] == "bake"


def test_a_model_is_kept_in_a_file_and_gives_the_same_estimates_from_it():
    inputs, fitted = learned()
    kept = model.decode(model.encode(fitted))
    assert (kept.days, kept.lists) == (3, "ab")
    pd.testing.assert_frame_equal(kept.weights, fitted.weights)
    words = inputs.lexicon["word"]
    pd.testing.assert_frame_equal(estimate.estimate(inputs, kept, words), estimate.estimate(inputs, fitted, words))


@pytest.mark.parametrize(
    ("days", "lists", "says"),
    [
        (3, "ab", ""),
        (5, "ab", ""),
        (3, "cd", "other word lists"),
        (2, "ab", "on 3 days, and the record has 2"),
        (6, "ab", "on 3 days, and the record has 6"),
    ],
)
def test_a_model_of_other_lists_or_another_record_is_outdated(days, lists, says):
    found = model.outdated(learned()[1], days, lists)
    assert says in found
    assert bool(found) == bool(says)


def test_the_weights_stay_when_a_day_is_added_so_only_relatives_of_its_words_move():
    inputs, fitted = learned()
    words = pd.concat([inputs.lexicon, lexicon({"word": "zipping"}, {"word": "zips"}, {"word": "zapping"})])
    before = estimate.estimate_input(words.sort_values("word", ignore_index=True), inputs.record)
    longer_record = pd.concat([inputs.record, recorded(zipping=BAD_ALWAYS)])
    after = dataclasses.replace(before, record=longer_record)
    one, two = (
        estimate.estimate(data, fitted, words["word"]).set_index("word")["p"].drop("zipping", errors="ignore")
        for data in (before, after)
    )
    assert set(one.index[one != two]) <= {"zips"}


def crude_words(*words: str) -> pd.DataFrame:
    return pd.DataFrame({"word": list(words), "flag": "crude"}, dtype="str")


def test_the_reason_of_an_offensive_word_says_so():
    inputs, fitted = learned()
    is_crude = fitted.weights["name"] == "grade: crude"
    strict = dataclasses.replace(fitted, weights=fitted.weights.assign(relatives=np.where(is_crude, -9.0, 0.0)))
    graded = dataclasses.replace(inputs, grades=crude_words("agazz"))
    found = estimate.estimate(graded, strict, pd.Series(["agazz"]))
    assert "- may offend (graded crude)" in found["because"][0]


@pytest.mark.parametrize(
    ("form", "base", "kind"),
    [
        ("pitas", "pita", "inflected"),
        ("baking", "bake", "inflected"),
        ("mice", "mouse", "inflected"),
        ("unbake", "bake", "prefixed"),
        ("bakery", "bake", "suffixed"),
        ("happily", "happy", "suffixed"),
        ("baggy", "bagg", "suffixed"),
        ("whizzy", "whiz", "suffixed"),
        ("cookbook", "book", "compound"),
        ("cookbook", "cook", "compound"),
        ("logged", "loge", ""),
    ],
)
def test_spelling_and_lemma_link_a_form_to_its_base_and_a_compound_to_its_parts(form, base, kind):
    found = linked(*{form, base, "book", "cook"}, mice="mouse")
    assert {link for link in found if link[:2] == (form, base)} == ({(form, base, kind)} if kind else set())


@pytest.mark.parametrize(
    ("surprise", "about", "says"),
    [
        (-0.9, {"common": True}, -relatives.MAX_AGAINST_COMMON),
        (-0.9, {"common": False}, -0.9),
        (-0.9, {"common": True, "zipf": {"pita": 2.99}}, -0.9),
        (-0.9, {"common": True, "zipf": {"pita": 4.0, "pitas": 2.0}}, -0.3),
        (-0.9, {"common": True, "zipf": {"pita": 3.0, "pitas": 5.0}}, -relatives.MAX_AGAINST_COMMON),
        (-0.9, {"common": True, "size": relatives.COMMON_SIZE + 1}, -0.9),
        (0.9, {"common": True}, 0.9),
    ],
)
def test_the_refusal_of_a_form_says_less_of_a_common_word_the_rarer_it_is(surprise, about, says):
    assert record_of("pita", pita=0, pitas=surprise, **about)["inflected form"] == pytest.approx(says)


@pytest.mark.parametrize(
    ("word", "surprise", "says"),
    [
        ("limes", {"limed": -0.9, "liming": -0.9}, 0),
        ("limest", {"limed": -0.9}, 0),
        ("limed", {"liming": -0.9}, -0.9),
        ("limes", {"limed": 0.5}, 0.5),
        ("limes", {"limest": -0.9}, -0.9),
    ],
)
def test_a_form_in_s_ignores_what_verb_forms_were_refused_for(word, surprise, says):
    """*lime* was always accepted, *limed* and *liming* refused: that says nothing about *limes*."""
    assert record_of(word, **{word: 0}, **surprise)["sister form"] == pytest.approx(says)


@pytest.mark.parametrize("rows", [200, 20_000])
def test_one_row_that_contradicts_all_others_does_not_drive_the_fit_apart(rows):
    """As among words that were refused last: the next trial agrees nearly always, and a full step goes too far."""
    column = np.linspace(0, 1, rows)
    outcomes = np.full(rows, True)
    outcomes[rows // 2] = False
    table = np.column_stack([column, np.arange(rows) == rows // 2])
    found = logistic.fit(table, outcomes, ridge=1.0)
    p = logistic.logistic(table @ found.weights + found.constant)
    assert abs((p - outcomes).sum()) < 1e-4
    assert p[rows // 2] < 0.5 < p.min() + 0.5


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_the_fit_is_the_optimum_of_the_penalised_likelihood(seed):
    random = np.random.default_rng(seed)
    table = random.normal(size=(200, 4))
    accepted = table @ [3.0, -2.0, 0.5, 0.0] + random.normal(size=200) > 0
    found = logistic.fit(table, accepted)
    p = logistic.logistic(table @ found.weights + found.constant)
    spread = table.std(axis=0) + 1e-3
    slope = ((table - table.mean(axis=0)) / spread).T @ (p - accepted) + logistic.RIDGE * found.weights * spread
    assert np.abs(slope).max() < 1e-6
    assert abs((p - accepted).sum()) < 1e-4
    assert found.weights[0] > 0 > found.weights[1]
    apart = logistic.fit(np.array([[1.0], [2.0], [-1.0], [-2.0]]), np.array([True, True, False, False]))
    assert 0.5 < logistic.logistic(2.0 * apart.weights + apart.constant)[0] < 1, "it stands data that a line separates"


UNUSUAL = {"scowl_size": 80, "scowl_british": 80, "zipf": 0.0, "wordnet_senses": 0}
NEW = (
    {"word": "agazz"},
    {"word": "ubufgkhpr", **UNUSUAL},
    {"word": "ubuprkfgh", **UNUSUAL},
    {"word": "ubufgkhpw", **UNUSUAL},
)
LEARNED = recorded(**{row["word"]: GOOD for row in COMMON}, **{row["word"]: BAD for row in RARE})


@functools.cache
def learned() -> tuple[estimate.EstimateInput, model.Model]:
    inputs = estimate.estimate_input(lexicon(*COMMON, *RARE, *NEW), LEARNED)
    return inputs, model.fitted_on(estimate.fit(inputs), 3, "ab")


def test_p_is_high_for_words_like_accepted_ones_and_low_for_words_like_refused_ones():
    inputs, fitted = learned()
    words = inputs.lexicon["word"]
    table = estimated(inputs.lexicon, LEARNED, words)
    found = estimate.estimate(inputs, fitted, words).set_index("word")
    pd.testing.assert_series_equal(
        found["p"], estimate.estimate(inputs, fitted, words, explained=False).set_index("word")["p"]
    )
    assert set(found.index) == {row["word"] for row in NEW}
    assert (found.loc["agazz", "p"] > 0.9, found.loc["ubufgkhpr", "p"] < 0.1) == (True, True)
    assert "+ in ordinary dictionaries" in found.loc["agazz", "because"]
    assert "- only in large word lists" in found.loc["ubufgkhpr", "because"]
    assert found.loc["ubufgkhpw", "p"] == found.loc["ubufgkhpr", "p"], "it does not matter whether it has a rival"
    again = estimated(inputs.lexicon, LEARNED.sample(frac=1, random_state=1), words.iloc[::-1])
    pd.testing.assert_frame_equal(table, again)


@pytest.mark.parametrize("damage", [lambda data: data[:-2], lambda data: data[1:], lambda _: b""])
def test_a_damaged_model_is_not_used(damage):
    with pytest.raises(DataError, match=r"custom/model\.csv is damaged"):
        model.decode(damage(model.encode(learned()[1])))


def test_words_that_are_all_tried_or_unknown_have_no_estimates():
    inputs, fitted = learned()
    words = pd.Series([COMMON[0]["word"], "zzyzx"])
    assert estimate.estimate_within_limits(inputs, fitted, words).empty
    assert estimate.estimate(inputs, fitted, words).empty
