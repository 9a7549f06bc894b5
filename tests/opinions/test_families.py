"""Families: what each sentence changes, on both sides of its conditions."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from examples import BAD, GOOD, estimates, forms_of, lexicon, recorded, verdicts

from pipeline.opinions import families
from pipeline.tables import frames

FORM = {"wordnet_senses": 0}


def shared(
    guess: dict[str, float],
    *rows: dict[str, Any],
    verdict: str = "",
    **records: tuple[int, int, str, str],
) -> dict[str, float]:
    """The p of each word, of words with these rows and records; *cove* is the base of all."""
    given = {row["word"]: row for row in rows}
    bases = {word: "" if word == "cove" else "cove" for word in sorted({"cove", *guess, *given, *records})}
    words = lexicon(*({"word": word, "base": bases[word], **FORM, **given.get(word, {})} for word in bases))
    made = families.share(
        estimates(**guess),
        recorded(**records),
        verdicts(("cove", verdict)) if verdict else frames.empty("verdicts"),
        forms_of(words),
        words,
    )
    return dict(zip(made["word"], made["p"], strict=True))


@pytest.mark.parametrize(
    ("p", "row", "after"),
    [(0.9, {}, 0.49), (0.3, {}, 0.3), (0.9, {"wordnet_senses": 1}, 0.9)],
)
def test_a_form_of_refused_bases_is_unlikely_unless_it_has_a_sense_of_its_own(p, row, after):
    assert shared({"coved": p}, {"word": "coved", **row}, cove=BAD)["coved"] == after
    assert shared({"coved": p}, {"word": "coved", **row}, cove=GOOD, verdict="drop")["coved"] == after, (
        "as a person says"
    )


def test_what_a_person_keeps_makes_its_base_just_likely_and_keeps_its_own_p():
    assert shared({"cove": 0.1, "coves": 0.2}, verdict="keep") == {"cove": 0.1, "coves": 0.2}
    words = lexicon({"word": "cove"}, {"word": "coves", "base": "cove", **FORM})
    kept = verdicts(("coves", "keep"))
    found = families.share(estimates(cove=0.2, coves=0.1), recorded(), kept, forms_of(words), words)
    assert found["p"].tolist() == [0.5, 0.1]


def test_the_base_of_an_accepted_form_is_as_likely_as_it_unless_the_form_has_a_sense_of_its_own():
    assert shared({"cove": 0.2}, coved=GOOD)["cove"] == 0.99
    assert shared({"cove": 0.2}, {"word": "coved", "wordnet_senses": 1}, coved=GOOD)["cove"] == 0.2
    assert shared({"cove": 0.2}, coved=BAD)["cove"] == 0.2


@pytest.mark.parametrize(
    ("form", "base", "after"),
    [
        ({}, {}, 0.8),
        ({}, {"opinion": "fine"}, 0.8),
        ({}, {"opinion": "doubtful"}, 0.3),
        ({"wordnet_senses": 1}, {}, 0.3),
        ({"opinion": "fine"}, {}, 0.3),
    ],
)
def test_the_untried_base_of_a_form_that_readers_call_ordinary_is_as_likely_as_it(form, base, after):
    rows = {"word": "coved", "opinion": "ordinary", **form}, {"word": "cove", **base}
    assert shared({"cove": 0.3, "coved": 0.8}, *rows)["cove"] == after
    assert shared({"cove": 0.9, "coved": 0.8}, *rows)["cove"] == 0.9
    assert shared({"cove": 0.3, "coved": 0.8}, *rows, coved=BAD)["cove"] == 0.3, "a puzzle refused the form"


def test_a_form_without_a_sense_of_its_own_is_at_most_as_likely_as_its_untried_base():
    rare = {"word": "coves", "scowl_size": 80}
    assert shared({"cove": 0.3, "coves": 0.8}, rare)["coves"] == 0.3
    assert shared({"cove": 0.3, "coves": 0.8}, {**rare, "wordnet_senses": 1})["coves"] == 0.8
    assert shared({"cove": 0.3, "coves": 0.8}, {**rare, "opinion": "ordinary"})["coves"] == 0.8
    assert shared({"cove": 0.3, "coves": 0.8}, {**rare, "opinion": "fine"})["coves"] == 0.3
    assert shared({"cove": 0.5, "coves": 0.8}, rare)["coves"] == 0.5
    assert shared({"cove": 0.9, "coves": 0.8}, rare)["coves"] == 0.8
    assert shared({"coves": 0.8}, rare)["coves"] == 0.8, "the base may be too long for a puzzle"
    assert shared({"cove": 0.3, "coves": 0.8}, rare, cove=GOOD)["coves"] == 0.8, "the base was tried"


@pytest.mark.parametrize(
    ("records", "after"),
    [
        ({}, 0.4),
        ({"axe": BAD}, 0.9),
        ({"axe": GOOD}, 0.9),
        ({"axe": BAD, "axis": BAD}, 0.49),
        ({"axe": BAD, "axis": GOOD}, 0.9),
    ],
)
def test_of_several_bases_the_likeliest_limits_a_form_if_none_was_tried_and_the_refusal_of_all(records, after):
    words = lexicon({"word": "axes", "base": "axe", **FORM, "scowl_size": 80})
    forms = pd.DataFrame({"word": ["axes"] * 2, "base": ["axe", "axis"], "form": ["plural"] * 2})
    guess = estimates(axe=0.2, axes=0.9, axis=0.4)
    made = families.share(guess, recorded(**records), frames.empty("verdicts"), forms, words)
    assert made.set_index("word")["p"]["axes"] == after


@pytest.mark.parametrize(
    ("other", "records", "after"),
    [(0.8, {}, 0.6), (None, {"covest": GOOD}, 0.5), (None, {"covest": BAD}, 0.4)],
)
def test_comparative_and_superlative_are_alike(other, records, after):
    guess = {"cover": 0.4} if other is None else {"cover": 0.4, "covest": other}
    made = shared(guess, {"word": "cover"}, {"word": "covest"}, **records)
    assert made["cover"] == after
    if other is not None:
        assert made["covest"] == after
        assert shared({**guess, "coves": 0.1}, {"word": "cover"}, {"word": "covest"})["coves"] == 0.1
    if records == {"covest": BAD}:
        assert shared({"cover": 0.9}, {"word": "cover"}, {"word": "covest"}, **records)["cover"] == 0.49


@pytest.mark.parametrize(
    ("word", "base", "row", "unsaid"),
    [
        ("silenter", "silent", {}, True),
        ("silenter", "silent", {"zipf": 1.1}, False),
        ("silenter", "silent", {"wordnet_senses": 1}, False),
        ("warmer", "warm", {}, False),
        ("mellower", "mellow", {}, False),
        ("nobler", "noble", {}, False),
        ("docilest", "docile", {}, True),
        ("silents", "silent", {}, False),
    ],
)
def test_a_comparative_that_nobody_says_is_unlikely(word, base, row, unsaid):
    words = lexicon({"word": word, "base": base, "zipf": 0.0, **FORM, **row})
    made = families.share(estimates(**{word: 0.9}), recorded(), frames.empty("verdicts"), forms_of(words), words)
    assert made["p"][0] == (0.49 if unsaid else 0.9)


def test_a_comparative_is_said_if_its_superlative_is_in_texts():
    rows = [{"word": f"silent{ending}", "base": "silent", **FORM} for ending in ("er", "est")]
    words = lexicon({**rows[0], "zipf": 0.0}, {**rows[1], "zipf": 1.0})
    guess = estimates(silenter=0.9, silentest=0.9)
    made = families.share(guess, recorded(), frames.empty("verdicts"), forms_of(words), words)
    assert made["p"].tolist() == [0.9, 0.9]
