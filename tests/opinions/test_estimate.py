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
from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import bounds, estimate, logistic, model, relatives
from pipeline.opinions.families import word_forms
from pipeline.tables import frames


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


PLURAL = {"word": "coves", "lemma": "cove", "wordnet_senses": 0, "zipf": 2.0}


ANALYSE = pd.DataFrame(
    [("analyse", "analyze", "-yse, -yze"), ("analysed", "analyze", "-yse, -yze"), ("colour", "color", "-our, -or")],
    columns=["variant", "root", "differs"],
)


def test_what_was_said_of_one_spelling_counts_for_the_forms_of_the_same_word():
    found = bounds.of_spellings(ANALYSE, {"analyse": False})
    assert list(found) == ["analysed"]
    assert (found["analysed"].p, found["analysed"].is_upper, found["analysed"].kind) == (1 / 3, True, "estimate")
    found = bounds.of_spellings(ANALYSE, {"analyse": True})
    assert (found["analysed"].p, found["analysed"].is_upper) == (0.7, False)
    apart = ANALYSE.assign(root=["analyze", "analyzed", "color"])
    assert bounds.of_spellings(apart, {"analyse": False}) == {}


def test_of_two_bases_in_lists_alike_the_commoner_one_is_right():
    frame = lexicon({"word": "bake", "zipf": 3.0}, {"word": "baker", "zipf": 4.0}, {"word": "bakery"})
    names, found = frame["word"], relatives.right_bases(frame, relatives.link_words(frame)).set_index("form")["base"]
    assert {names[form]: names[base] for form, base in found.items()} == {"baker": "bake", "bakery": "baker"}
    frame.loc[frame["word"] == "bake", "zipf"] = 5.0
    found = relatives.right_bases(frame, relatives.link_words(frame)).set_index("form")["base"]
    assert names[found[2]] == "bake"


def reasons(logit: float, frequency: float, mean: float, wordnet: float) -> str:
    """The basis of a word of Zipf frequency 3.25 without a sense in WordNet, from the weights of two columns and the
    mean frequency; its p has these odds."""
    weights = pd.DataFrame({"name": ["constant", "frequency: Zipf", "WordNet: none"]})
    weights["relatives"] = [logit - 3.25 * frequency - wordnet, frequency, wordnet]
    fitted = model.Model(weights.assign(attributes=0.0, usual=[1.0, mean, 0.0], days=1, lists="ab"))
    words = lexicon({"zipf": 3.25, "wordnet_senses": 0})
    found = estimate.estimate(estimate.estimate_input(words, recorded()), fitted, words["word"])
    return found["basis"].str.split(", ").str[:2].str.join(", ")[0]


@pytest.mark.parametrize(
    ("logit", "frequency", "mean", "wordnet", "basis"),
    [
        (-1.0, 0.5, 5.25, -0.5, "- not in WordNet"),  # rarer than the tried words, but no word for that would be true
        (1.0, 0.5, 1.25, -0.5, "+ fairly common, - not in WordNet"),
        (0.0, 0.25, 2.25, -1.0, "+ fairly common, - not in WordNet"),  # listed, so first what speaks for it
        (-0.019, 0.25, 2.25, -1.0, "+ fairly common, - not in WordNet"),  # a p of .495 is .50 when it is published
        (-0.03, 0.25, 2.25, -1.0, "- not in WordNet, + fairly common"),
        (-0.1, 0.5, 1.25, -0.25, "- not in WordNet, + fairly common"),  # off the list, and a pull that is just enough
        (-0.1, 0.5, 1.25, -0.24, "+ fairly common, - not in WordNet"),
    ],
)
def test_the_deciding_reason_comes_first_and_is_held_against_the_mean_of_the_tried_words(
    logit, frequency, mean, wordnet, basis
):
    assert reasons(logit, frequency, mean, wordnet) == basis


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


def test_only_what_a_model_lacks_is_fitted_and_all_else_stays():
    """Half of the refused words are crude, and no accepted one; a model without grades learns that and nothing else."""
    inputs, fitted = learned()
    without = fitted.weights[~fitted.weights["name"].str.startswith("grade: ")].reset_index(drop=True)
    graded = dataclasses.replace(inputs, grades=crude_words(*[row["word"] for row in RARE[::2]], "agazz"))
    refitted = estimate.fit_added(graded, dataclasses.replace(fitted, weights=without))
    kept = refitted.weights[~refitted.weights["name"].str.startswith("grade: ")].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, without)
    weights = refitted.weights.set_index("name")
    assert weights.loc["grade: crude", ["attributes", "relatives"]].max() < 0
    assert weights.loc["grade: slur", "attributes"] == 0
    before, after = (estimate.estimate(data, refitted, pd.Series(["agazz"]))["p"].iloc[0] for data in (inputs, graded))
    assert after < before
    assert estimate.fit_added(inputs, fitted) is fitted
    assert estimate.fit_added(inputs, model.EMPTY) is model.EMPTY


def test_the_reason_of_an_offensive_word_says_so():
    inputs, fitted = learned()
    is_crude = fitted.weights["name"] == "grade: crude"
    strict = dataclasses.replace(fitted, weights=fitted.weights.assign(relatives=np.where(is_crude, -9.0, 0.0)))
    graded = dataclasses.replace(inputs, grades=crude_words("agazz"))
    found = estimate.estimate(graded, strict, pd.Series(["agazz"]))
    assert found["basis"].tolist() == ["- offensive (crude)"]


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
    assert "+ in small dictionaries" in found.loc["agazz", "basis"]
    assert "- only in very large dictionaries" in found.loc["ubufgkhpr", "basis"]
    assert "- never met in texts" in found.loc["ubufgkhpr", "basis"]
    assert found.loc["ubufgkhpw", "p"] == found.loc["ubufgkhpr", "p"], "it does not matter whether it has a rival"
    again = estimated(inputs.lexicon, LEARNED.sample(frac=1, random_state=1), words.iloc[::-1])
    pd.testing.assert_frame_equal(table, again)


@pytest.mark.parametrize("damage", [lambda data: data[:-2], lambda data: data[1:], lambda _: b""])
def test_a_damaged_model_is_not_used(damage):
    with pytest.raises(DataError, match=r"custom/model\.csv is damaged"):
        model.decode(damage(model.encode(learned()[1])))


TRIED = [f"{stem}ey" for stem in ("bogg", "cant", "danc", "fanc", "gorm")]
KIND = pd.DataFrame([(word, word, "-ey, -y") for word in [*TRIED, "bonney"]], columns=["variant", "root", "differs"])


@pytest.mark.parametrize(
    ("refused", "accepted", "p"), [(bounds.ENOUGH, 0, 1 / 5), (bounds.ENOUGH - 1, 0, None), (bounds.ENOUGH, 1, None)]
)
def test_a_kind_of_spelling_that_was_always_refused_speaks_against_the_untried(refused, accepted, p):
    outcomes = dict.fromkeys(TRIED[:refused], False) | dict.fromkeys(TRIED[refused : refused + accepted], True)
    found = bounds.of_spellings(KIND, outcomes).get("bonney")
    assert (found and (found.p, found.is_upper, found.kind, found.because)) == (
        p and (p, True, "spelling", "- spellings of its kind, all refused")
    )


MARKED = {"scowl_size": bounds.USUAL + 10, "scowl_variant": 50}


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([{"word": "bonny", "scowl_size": bounds.USUAL}, {"word": "bonney", **MARKED}], ["bonney", "bonny", "-ey, -y"]),
        ([{"word": "fancy", "scowl_size": bounds.USUAL + 10}, {"word": "fancey", **MARKED}], None),
        ([{"word": "gormy"}, {"word": "gormey", **MARKED, "scowl_size": bounds.USUAL}], None),
        ([{"word": "inquire"}, {"word": "enquire", **MARKED}], ["enquire", "inquire", "en-, in-"]),
        ([{"word": "inquire"}, {"word": "menquire", **MARKED}], None),
    ],
)
def test_a_variant_is_beyond_the_usual_size_and_its_usual_spelling_is_not(rows, found):
    assert bounds.variants(lexicon(*rows)).values.tolist() == [found] * bool(found)


@pytest.mark.parametrize(
    ("variant", "british", "found"),
    [(NO_SIZE - 1, NO_SIZE, True), (NO_SIZE, NO_SIZE - 1, True), (NO_SIZE, NO_SIZE, False)],
)
def test_a_word_that_no_list_calls_variant_or_british_is_no_spelling_of_another(variant, british, found):
    enquire = {"word": "enquire", **MARKED, "scowl_variant": variant, "scowl_british": british}
    assert len(bounds.variants(lexicon(enquire, {"word": "inquire"}))) == found


def test_the_family_of_a_spelling_is_that_of_its_usual_one():
    words = lexicon({"word": "analyze"}, {"word": "analyzed", "lemma": "analyze"}, {"word": "analysed", **MARKED})
    found = bounds.spelling_families(bounds.variants(words), {"analyzed": "analyze"})
    assert found.values.tolist() == [["analysed", "analyze", "-yse, -yze"]]


OWN_SENSE = {**PLURAL, "wordnet_senses": 1}


@pytest.mark.parametrize(
    ("word", "outcomes", "row", "base", "expected"),
    [
        ("coves", {"cove": False}, PLURAL, 2.0, (0.0, True)),
        ("coves", {"cove": False}, PLURAL, 1.9, None),
        ("coves", {"cove": False}, OWN_SENSE, 2.0, None),
        ("coves", {"cove": True}, PLURAL, 3.4, (0.5, False)),
        ("coves", {"cove": True}, {**PLURAL, "scowl_size": 50}, 3.4, (0.5, False)),
        ("coves", {"cove": True}, {**PLURAL, "scowl_size": 55}, 3.4, None),
        ("coves", {"cove": True}, {**PLURAL, "zipf": 1.9}, 3.4, None),
        ("coving", {"cove": False}, {**PLURAL, "word": "coving"}, 2.0, (0.0, True)),
        ("coving", {"cove": False}, {**OWN_SENSE, "word": "coving"}, 2.0, None),
        ("coves", {"nook": False}, PLURAL, 2.0, None),
        ("cove", {"coves": True}, PLURAL, 3.4, (0.99, False)),
        ("cove", {"coves": False}, PLURAL, 3.4, None),
        ("cove", {"coves": True}, OWN_SENSE, 3.4, None),
        ("cove", {"coved": True}, {**OWN_SENSE, "word": "coved"}, 3.4, (0.99, False)),
    ],
)
def test_a_form_of_a_refused_word_is_out_and_the_base_of_an_accepted_form_and_an_everyday_form_are_in(
    word, outcomes, row, base, expected
):
    found = bounds.forms(word_forms(lexicon({"word": "cove", "zipf": base}, row)), bounds.Outcomes(outcomes)).get(word)
    assert (found and (round(found.p, 2), found.is_upper)) == expected


FORMS = word_forms(lexicon({"word": "turd"}, {"word": "turds", "lemma": "turd", "wordnet_senses": 0}))
ANALYSER = pd.concat([ANALYSE, pd.DataFrame([("analyser", "analyze", "-yse, -yze")], columns=ANALYSE.columns)])
TURD, SPELLING = "- turd was {}", "- other forms of this spelling were refused or dropped"
COLOUR = pd.DataFrame([(f"{stem}our", f"{stem}or", "-our, -or") for stem in ("col", "fav", "hon", "harb")])
COLOUR = COLOUR.set_axis(ANALYSE.columns, axis=1)


@pytest.mark.parametrize(
    ("tried", "dropped", "pairs", "expected"),
    [
        ({"zzzz": GOOD}, ["turd", "analyse"], ANALYSE, {"turds": TURD.format("dropped"), "analysed": SPELLING}),
        ({"analysed": GOOD}, ["turd", "analyse"], ANALYSER, {"turds": TURD.format("dropped")}),
        ({"turd": BAD_ALWAYS}, [], ANALYSE, {"turds": TURD.format("refused")}),
        ({"analyse": GOOD}, ["analyse"], ANALYSE, {"analysed": SPELLING}),
        ({"zzzz": GOOD}, ["turd", "turds"], ANALYSE, {}),
        ({"zzzz": GOOD}, ["colour", "favour", "honour"], COLOUR, {"harbour": "- spellings of its kind, all refused"}),
        ({"harbour": GOOD}, ["colour", "favour", "honour"], COLOUR, {}),
    ],
)
def test_a_verdict_or_else_a_trial_speaks_for_other_forms_and_spellings(tried, dropped, pairs, expected):
    rows = [{"word": word, "verdict": "drop", "reason": "a test", "by": "ann", "on": "2026-01-01"} for word in dropped]
    found = bounds.limits(recorded(**tried), frames.from_rows(rows, "verdicts"), FORMS, pairs)
    assert {word: bound.because for word, bound in found.items() if bound.is_upper} == expected


def test_a_person_who_keeps_a_word_overrules_its_trial():
    row = {"word": "turd", "verdict": "keep", "reason": "a test", "by": "ann", "on": "2026-01-01"}
    found = bounds.limits(recorded(turd=BAD_ALWAYS), frames.from_rows([row], "verdicts"), FORMS, ANALYSE)
    assert "turds" not in found or not found["turds"].is_upper


def test_a_bound_limits_an_estimate_and_no_record():
    limits = {"turds": bounds.Bound(0.001, True, "- turd was dropped"), "coves": bounds.Bound(0.5, False, "+ low")}
    guess = pd.DataFrame({"word": ["coves", "turds", "turf"], "p": [0.4, 0.61, 0.7], "kind": "estimate", "basis": "+"})
    assert bounds.limited(guess, limits)[["p", "basis"]].values.tolist() == [
        [0.5, "+ low"], [0.0, "- turd was dropped"], [0.7, "+"],
    ]  # fmt: skip
    assert bounds.limited(guess.assign(kind="record"), limits)["p"].tolist() == [0.4, 0.61, 0.7]
    better = guess.assign(p=[0.6, 0.0, 0.7])
    assert bounds.limited(better, limits)["basis"].tolist() == ["+", "+", "+"]


def test_words_that_are_all_tried_or_unknown_have_no_estimates():
    inputs, fitted = learned()
    words = pd.Series([COMMON[0]["word"], "zzyzx"])
    assert estimate.estimate_within_limits(inputs, fitted, words).empty
    assert estimate.estimate(inputs, fitted, words).empty
