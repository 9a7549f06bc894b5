"""Reasons: which facts are told of a word, for it and against it, and in what order."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from examples import BAD, GOOD, forms_of, grades, lexicon, recorded, verdicts

from pipeline.facts.grades import offensive_words
from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.opinions import flag, reasons
from pipeline.tables import frames


def told(
    p: float,
    row: dict[str, Any],
    *others: dict[str, Any],
    tier: str = "",
    grade: str = "",
    verdict: str = "",
    **records: tuple[int, int, str, str],
) -> str:
    """The reason for a word that was never tried, *cove* unless its row says otherwise; `others` are words of the
    lexicon that are likely."""
    words = lexicon(row, *others)
    word = words["word"].iloc[0] if not others else row.get("word", "cove")
    forms = forms_of(words)
    graded = offensive_words(words, forms, grades(**{word: grade}) if grade else grades())
    record = recorded(**records)
    kinds = {word: (tier or ("likely" if p >= 0.5 else "refused"), p)}
    kinds |= {other["word"]: ("likely", 0.9) for other in others if other["word"] not in records}
    rows = [
        {"word": name, "tier": kind, "by": "estimate", "kind": "estimate", "p": q} for name, (kind, q) in kinds.items()
    ]
    written = verdicts((others[0]["word"], verdict)) if verdict else frames.empty("verdicts")
    guess = frames.from_rows([{"word": row["word"], "p": row["p"], "kind": "estimate"} for row in rows], "estimates")
    made = reasons.explain(pd.DataFrame(rows), guess, record, flag.flag(words, graded), written, forms, words)
    return str(made.set_index("word")["because"][word])


RARE = {"scowl_size": 70, "scowl_british": NO_SIZE, "zipf": 1.0, "wordnet_senses": 0, "zipf_abroad": 0.0}


@pytest.mark.parametrize(
    ("p", "row", "reason"),
    [
        (0.8, {}, "untried: in ordinary dictionaries, common in texts"),
        (0.8, {"zipf": 2.9}, "untried: in ordinary dictionaries, now and then in texts"),
        (0.8, {"scowl_size": 60, "zipf": 2.0}, "untried: in ordinary dictionaries, now and then in texts"),
        (0.8, {"scowl_size": 61, "zipf": 1.9}, "untried: in WordNet"),
        (0.79, {"zipf": 1.9}, "untried, and rather likely: in ordinary dictionaries, although rare in texts"),
        (0.5, {}, "untried, and rather likely: in ordinary dictionaries, common in texts"),
        (0.8, {"opinion": "ordinary"}, "untried: readers call it ordinary, in ordinary dictionaries, common in texts"),
        (0.2, {**RARE, "opinion": "odd"},
         "untried, and rather unlikely: readers find it odd, only in large lists, rare in texts"),
        (0.49, RARE, "untried, and rather unlikely: only in large lists, rare in texts"),
        (0.49, {"zipf": 1.9}, "untried, and rather unlikely: rare in texts, although in ordinary dictionaries"),
        (0.19, {**RARE, "opinion": "strange"},
         "untried, and unlikely: readers find it rather odd, only in large lists, rare in texts"),
        (0.6, RARE,
         "untried, and rather likely: similar words were accepted, although only in large lists, rare in texts"),
        (0.1, {}, "untried, and unlikely: similar words were refused"),
        (0.1, {"zipf_abroad": 4.5, "scowl_size": 60, "language": "it"},
         "untried, and unlikely: more common in Italian"),
        (0.9, {"own_list": True, **RARE}, "untried: in a list of your own"),
        (0.9, {"modern": True, **RARE}, "untried: in our list of modern words"),
    ],
)  # fmt: skip
def test_a_clear_p_has_the_facts_of_its_side_and_any_other_those_of_both(p, row, reason):
    assert told(p, row) == reason


def test_an_offensive_word_is_told_its_grade():
    assert "although may offend (graded crude)" in told(0.6, {}, grade="crude")


@pytest.mark.parametrize(("grade", "needs"), [("crude", "vulgarity needs p = 0.90"), ("", "spelling needs p = 0.70")])
def test_a_word_that_p_alone_would_list_is_told_what_it_needs(grade, needs):
    british = {"scowl_british": 10}
    assert told(0.6, british, tier="review", grade=grade).endswith(f"; a {'mild' if grade else 'British'} {needs}")
    assert "needs" not in told(0.4, british, tier="review", grade=grade) + told(0.9, british, grade=grade)
    assert "needs" not in told(0.6, {})


LIKELY = {"word": "cove"}
FORM = {"word": "coves", "base": "cove", **RARE}


@pytest.mark.parametrize(
    ("p", "form", "records", "reason"),
    [
        (0.9, FORM, {"cove": GOOD}, "untried: its base cove was accepted both times"),
        (0.1, FORM, {"cove": (3, 0, "", "2025-01-02")},
         "untried, and unlikely: its base cove was refused all 3 times, only in large lists, rare in texts"),
        (0.9, FORM, {}, "untried: its base cove is likely"),
        (0.9, FORM, {"cove": (9, 2, "2025-01-02", "2024-01-02")}, "untried: similar words were accepted"),
        (0.1, FORM, {"cove": BAD},
         "untried, and unlikely: its base cove was refused 1 of 2 times, only in large lists, rare in texts"),
    ],
)  # fmt: skip
def test_the_nearest_relative_that_puzzles_tried_is_told_unless_its_record_contradicts_itself(p, form, records, reason):
    assert told(p, form, LIKELY, **records) == reason


@pytest.mark.parametrize(("verdict", "p", "says"), [("keep", 0.9, "is kept"), ("drop", 0.1, "is left out")])
def test_what_a_person_decided_about_a_relative_is_told(verdict, p, says):
    assert f"its base cove {says} by a curator" in told(p, FORM, LIKELY, verdict=verdict)


def test_forms_in_ed_and_ing_say_nothing_about_others_and_of_two_the_one_tried_more_often_is_told():
    others = [{"word": word, "base": "cove"} for word in ("coved", "covest")]
    assert "relative" not in told(0.9, FORM, others[0], coved=GOOD)
    assert "its relative covest was accepted both times" in told(0.9, FORM, others[1], covest=GOOD)
    base = {"word": "cove", **RARE}
    found = told(0.9, base, {"word": "coving", "base": "cove"}, others[0], coving=GOOD, coved=(9, 9, "2025-01-02", ""))
    assert found == "untried: its form coved was accepted all 9 times"


def test_the_base_is_nearer_than_a_form_that_was_tried_more_often():
    found = told(0.9, FORM, LIKELY, {"word": "covest", "base": "cove"}, cove=GOOD, covest=(9, 0, "", "2025-01-02"))
    assert found == "untried: its base cove was accepted both times"


def test_a_british_spelling_names_the_word_of_the_list():
    british = {"scowl_size": NO_SIZE, "wordnet_senses": 0, "zipf": 2.5}
    for word, american in (("fibre", "fiber"), ("colours", "colors"), ("agonise", "agonize"), ("modelled", "modeled")):
        found = told(0.1, {"word": word, **british}, {"word": american})
        assert found == f"untried, and unlikely: British for {american}"
    assert told(0.1, {"word": "fibre", **british}) == "untried, and unlikely: listed as British"
    assert "p = 0.70" in told(0.6, {"word": "fibre", **british}, tier="review")


def test_a_record_a_verdict_and_a_grade_are_reasons_of_their_own():
    cells = [
        {"word": "cave", "tier": "core", "by": "record", "kind": "accepted", "p": 1.0},
        {"word": "cove", "tier": "refused", "by": "verdict", "kind": "verdict", "p": 0.9},
        {"word": "cuve", "tier": "refused", "by": "estimate", "kind": "explicit", "p": 0.9},
        {"word": "cyve", "tier": "review", "by": "estimate", "kind": "unlearned", "p": 0.3},
    ]
    words = lexicon(*({"word": row["word"]} for row in cells))
    estimates, flags, forms = (frames.empty(name) for name in ("estimates", "flags", "forms"))
    decisions, written = pd.DataFrame(cells), verdicts(("cove", "drop"))
    made = reasons.explain(decisions, estimates, recorded(cave=GOOD), flags, written, forms, words)
    assert made["because"].tolist() == [
        "accepted both times, last on 2025-01-02",
        "dropped by ann: seen",
        "graded explicit, and no puzzle accepted it",
        "untried; there is nothing to learn from yet",
    ]
