"""The estimate: relatives, the letter set, the fit, and what it may learn from."""

import dataclasses
import functools

import numpy as np
import pandas as pd
import pytest
from examples import BAD, GOOD, estimated, forms_of, lexicon, recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import DataError
from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.opinions import estimate_untried, logistic, model, relatives
from pipeline.tables import frames


def record_of(word: str, **surprise: float) -> dict[str, float]:
    """What the records of its relatives say of a word, given the surprise in each record; *lime* is the base of all."""
    rows = [{"word": name, "base": "" if name == "lime" else "lime"} for name in sorted(surprise)]
    frame = lexicon(*rows)
    forms, names = forms_of(frame), frame["word"].tolist()
    links, sisters = relatives.links(frame, forms), relatives.sisters(frame, forms)
    values = np.array([surprise[name] for name in names])
    return relatives.relative_features(links, sisters, values).iloc[names.index(word)].to_dict()


@pytest.mark.parametrize("own", [-0.9, 0, 0.9])
def test_relatives_speak_for_a_word_and_it_never_speaks_for_itself(own):
    assert record_of("limes", lime=0.5, limes=own) == {"base": 0.5, "form": 0, "sister": 0}
    assert record_of("lime", lime=own, limes=-0.25) == {"base": 0, "form": -0.25, "sister": 0}
    assert record_of("liming", liming=own, limed=0.5, limes=0.25) == {"base": 0, "form": 0, "sister": 0.75}


def test_forms_of_a_base_that_is_too_short_are_sisters():
    frame = lexicon({"word": "zapped", "base": "zap"}, {"word": "zapping", "base": "zap"})
    found = relatives.sisters(frame, forms_of(frame))
    assert found.to_dict("list") == {"form": [0, 1], "other": [1, 0], "alike": [True, True]}
    assert relatives.links(frame, forms_of(frame)).empty


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


def test_a_model_is_kept_in_a_file_and_gives_the_same_estimates_from_it():
    inputs, fitted = learned()
    kept = model.decode(model.encode(fitted))
    assert (kept.days, kept.lists) == (3, "ab")
    pd.testing.assert_frame_equal(kept.weights, fitted.weights)
    words = inputs.lexicon["word"]
    pd.testing.assert_frame_equal(
        estimate_untried.estimate(inputs, kept, words), estimate_untried.estimate(inputs, fitted, words)
    )


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
    bases = {"zipping": "zip", "zips": "zip", "zapping": "zap"}
    new = lexicon(*({"word": word, "base": base} for word, base in bases.items()))
    words = pd.concat([inputs.lexicon, new]).sort_values("word", ignore_index=True)
    before = estimate_untried.estimate_input(words, forms_of(words), inputs.record)
    longer_record = pd.concat([inputs.record, recorded(zipping=BAD_ALWAYS)])
    after = dataclasses.replace(before, record=longer_record)
    one, two = (
        estimate_untried.estimate(data, fitted, words["word"]).set_index("word")["p"].drop("zipping", errors="ignore")
        for data in (before, after)
    )
    assert set(one.index[one != two]) <= {"zips"}


def test_a_form_is_likely_if_its_base_was_accepted_where_tried_forms_share_the_fate_of_their_bases():
    fates = {"aga": GOOD, "abo": BAD_ALWAYS}
    bases = {prefix: words_like(prefix, 40) for prefix in fates}
    rows, records = [], {}
    for prefix, fate in fates.items():
        for row in bases[prefix]:
            base = row["word"]
            rows += [row, {"word": f"{base}s", "base": base}]
            records |= {base: fate, f"{base}s": fate}
    new = [{"word": f"{bases[prefix][0]['word']}ing", "base": bases[prefix][0]["word"]} for prefix in fates]
    words = lexicon(*rows, *new)
    data = estimate_untried.estimate_input(words, forms_of(words), recorded(**records))
    p = estimate_untried.estimate(data, estimate_untried.fit(data), words["word"]).set_index("word")["p"]
    assert p[new[0]["word"]] > 0.8 > 0.2 > p[new[1]["word"]]


def test_what_readers_think_is_weighed_as_the_tried_words_show():
    """Of the tried words that readers judged, the ordinary ones were accepted and the odd ones refused, and so were
    ordinary ones that no list has. From these the other weights learn nothing."""
    judged = {row["word"]: "ordinary" for row in COMMON[:30]} | {row["word"]: "odd" for row in RARE[:30]}
    unlisted = words_like("ovo", 20, scowl_size=NO_SIZE, scowl_british=NO_SIZE, wordnet_senses=0)
    judged |= {row["word"]: "ordinary" for row in unlisted}
    new = {"agazz": "", "agazzy": "ordinary", "agazzed": "odd"}
    words = lexicon(*COMMON, *RARE, *unlisted, *({"word": word} for word in new))
    words = words.assign(opinion=words["word"].map(judged | new).fillna("")).astype({"opinion": "str"})
    record = pd.concat([LEARNED, recorded(**{row["word"]: BAD_ALWAYS for row in unlisted})])
    inputs = estimate_untried.estimate_input(words, frames.empty("forms"), record)
    fitted = estimate_untried.fit(inputs)
    weight = fitted.weights.set_index("name")["relatives"]
    assert weight["readers: ordinary"] > weight["readers: doubtful"] > weight["readers: odd"]
    assert weight["readers: in no list"] < 0 < weight["readers: score"]
    p = estimate_untried.estimate(inputs, fitted, words["word"]).set_index("word")["p"]
    assert p["agazzy"] > 0.9 > p["agazzed"]
    blank = dataclasses.replace(inputs, lexicon=words.assign(opinion=""))
    without = estimate_untried.fit(blank).weights
    same = ~without["name"].str.startswith("readers")
    pd.testing.assert_frame_equal(without[same], fitted.weights[same])
    assert estimate_untried.estimate(blank, fitted, words["word"]).set_index("word")["p"]["agazz"] == p["agazz"]


@pytest.mark.parametrize(
    ("word", "surprise", "says"),
    [
        ("limes", {"limed": -0.9, "liming": -0.9}, 0),
        ("limest", {"limed": -0.9}, 0),
        ("limed", {"liming": -0.9}, -0.9),
        ("limed", {"limes": -0.9}, 0),
        ("limes", {"limed": 0.5}, 0.5),
        ("limes", {"limest": -0.9}, -0.9),
    ],
)
def test_forms_in_ed_and_ing_and_all_others_ignore_what_the_others_were_refused_for(word, surprise, says):
    """*lime* was always accepted, *limed* and *liming* refused: that says nothing about *limes*."""
    assert record_of(word, **{word: 0}, **surprise)["sister"] == pytest.approx(says)


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
NEW = ({"word": "agazz"}, *({"word": word, **UNUSUAL} for word in ("ubufgkhpr", "ubuprkfgh", "ubufgkhpw")))
LEARNED = recorded(**{row["word"]: GOOD for row in COMMON}, **{row["word"]: BAD for row in RARE})


@functools.cache
def learned() -> tuple[estimate_untried.EstimateInput, model.Model]:
    words = lexicon(*COMMON, *RARE, *NEW)
    inputs = estimate_untried.estimate_input(words, forms_of(words), LEARNED)
    return inputs, model.fitted_on(estimate_untried.fit(inputs), 3, "ab")


def test_p_is_high_for_words_like_accepted_ones_and_low_for_words_like_refused_ones():
    inputs, fitted = learned()
    words = inputs.lexicon["word"]
    table = estimated(inputs.lexicon, LEARNED, words)
    found = estimate_untried.estimate(inputs, fitted, words).set_index("word")
    assert set(found.index) == {row["word"] for row in NEW}
    assert (found.loc["agazz", "p"] > 0.9, found.loc["ubufgkhpr", "p"] < 0.1) == (True, True)
    assert found.loc["ubufgkhpw", "p"] == found.loc["ubufgkhpr", "p"], "it does not matter whether it has a rival"
    again = estimated(inputs.lexicon, LEARNED.sample(frac=1, random_state=1), words.iloc[::-1])
    pd.testing.assert_frame_equal(table, again)


def test_a_word_with_letters_that_puzzles_rarely_have_is_nearer_to_words_that_are_as_common():
    """Ordinary words were accepted, and rare words were refused, so caution raises what speaks against an ordinary word
    and lowers what speaks for a rare one."""
    inputs, fitted = learned()
    doubtful = {"wordnet_senses": 0, "wordnet_tagged": 0, "wordnet_pos": "", "scowl_variant": 50}
    rare = {"scowl_size": 80, "scowl_british": 80, "zipf": 0.0}
    new = [
        *({"word": word, **doubtful} for word in ("onzz", "onss", "erzz", "onze")),
        *({"word": word, **rare} for word in ("undzz", "undss")),
        *({"word": word, "scowl_size": 80, "scowl_british": 80} for word in ("anzz", "anss")),
        *({"word": word, "scowl_size": NO_SIZE, **doubtful} for word in ("ynzz", "ynss")),
    ]
    words = lexicon(*COMMON, *RARE, *new)
    data = estimate_untried.estimate_input(words, frames.empty("forms"), inputs.record)
    p = estimate_untried.estimate(data, fitted, words["word"]).set_index("word")["p"]
    assert p["onzz"] == p["onze"] < p["onss"] == p["erzz"]
    assert p["undzz"] > p["undss"]
    assert p["anzz"] > p["anss"], "no word of this size and frequency was tried"
    assert p["ynzz"] < p["ynss"], "its size is that of the British list"


@pytest.mark.parametrize("damage", [lambda data: data[:-2], lambda data: data[1:], lambda _: b""])
def test_a_damaged_model_is_not_used(damage):
    with pytest.raises(DataError, match=r"custom/model\.csv is damaged"):
        model.decode(damage(model.encode(learned()[1])))


def test_words_that_are_all_tried_or_unknown_have_no_estimates():
    inputs, fitted = learned()
    words = pd.Series([COMMON[0]["word"], "zzyzx"])
    assert estimate_untried.estimate_and_share(inputs, fitted, words).empty
    assert estimate_untried.estimate(inputs, fitted, words).empty
