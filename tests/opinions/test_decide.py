"""Decide: each threshold and each condition, tested on both sides."""

from typing import Any

import pandas as pd
import pytest
from examples import BAD, GOOD, NONE, estimates, grades, lexicon, recorded

from pipeline.facts.grades import offensive_words
from pipeline.opinions import decide
from pipeline.tables import frames
from pipeline.words import DOUBTFUL, LIKELY

NO_VERDICT = frames.empty("verdicts")


def decided(
    p: float | None = None,
    record: tuple[int, int, str, str] | None = None,
    flag: str = "",
    verdicts: pd.DataFrame = NO_VERDICT,
) -> dict[str, str]:
    """Decide on one word: with an estimate, or with a record (offered, accepted, last accepted, last refused)."""
    guess = [] if p is None else [{"word": "cove", "p": p, "kind": "estimate"}]
    rows = []
    if record:
        offered, accepted, yes, no = record
        dates = {"first_accepted": yes, "last_accepted": yes, "last_refused": no}
        rows = [{"word": "cove", "offered": offered, "accepted": accepted, **dates}]
    offensive = [{"word": "cove", "flag": flag, "detail": "so"}] if flag else []
    record_table = frames.from_rows(rows, "record")
    made = decide.decide(
        record_table,
        frames.from_rows(guess, "estimates"),
        frames.from_rows(offensive, "offensive_words"),
        decide.that_hold(verdicts, record_table),
        frames.empty("lexicon"),
    )
    (row,) = frames.rows(made)
    return row


YES, NO = "2025-01-02", "2025-01-01"


@pytest.mark.parametrize(
    ("p", "record", "flag", "tier", "kind"),
    [
        (LIKELY, None, "", "likely", "estimate"),
        (LIKELY - 0.01, None, "", "review", "estimate"),
        (DOUBTFUL, None, "", "review", "estimate"),
        (0.01, (1, 1, YES, ""), "", "core", "accepted"),
        (None, (2, 1, YES, NO), "", "core", "accepted"),
        (None, (2, 1, NO, YES), "", "refused", "refused"),
        (None, (1, 1, YES, ""), "slur", "core", "accepted"),
        (0.99, None, "slur", "refused", "slur"),
        (0.99, None, "vulgar", "refused", "vulgar"),
        (0.99, None, "explicit", "refused", "explicit"),
        (0.99, None, "crude", "likely", "estimate"),
        (0.99, None, "sensitive", "likely", "estimate"),
    ],
)
def test_a_record_goes_before_p_and_a_grade_matters_only_without_a_record(p, record, flag, tier, kind):
    made = decided(p, record, flag)
    assert (made["tier"], made["kind"]) == (tier, kind)


@pytest.mark.parametrize(
    ("verdict", "after", "record", "tier"),
    [
        ("keep", YES, (1, 0, "", YES), "core"),
        ("keep", NO, (1, 0, "", YES), "refused"),
        ("keep", "", (1, 0, "", YES), "refused"),
        ("keep", "", None, "core"),
        ("drop", YES, (1, 1, YES, ""), "refused"),
        ("drop", NO, (1, 1, YES, ""), "core"),
        ("drop", "2030-01-01", (1, 1, YES, ""), "refused"),
    ],
)
def test_a_verdict_holds_until_a_later_trial(verdict, after, record, tier):
    row = {"word": "cove", "verdict": verdict, "reason": "so", "by": "ann", "after": after}
    assert decided(0.6, record, verdicts=frames.from_rows([row], "verdicts"))["tier"] == tier


EMPTY = {
    name: {"int": 61, "float": 0.0, "bool": False, "str": ""}[kind]
    for name, kind in frames.CONTRACTS["lexicon"].columns.items()
}
"""A word of the lexicon that no ordinary dictionary has."""


def asked_about(*rows: dict[str, Any], **p: float) -> list[str]:
    """The untried words that have a decision, of words with these p and rows of the lexicon; *hijklmn* is listed."""
    record = {"word": "hijklmn", "offered": 1, "accepted": 1, "first_accepted": YES, "last_accepted": YES}
    guess = [{"word": word, "p": value, "kind": "estimate"} for word, value in p.items()]
    made = decide.decide(
        frames.from_rows([{**record, "last_refused": ""}], "record"),
        frames.from_rows(guess, "estimates"),
        frames.empty("offensive_words"),
        NO_VERDICT,
        frames.from_rows([{**EMPTY, **row} for row in rows], "lexicon"),
    )
    return sorted(set(made["word"]) - {"hijklmn"})


def test_of_the_unlikely_words_those_of_ordinary_dictionaries_in_any_spelling_have_a_decision():
    sizes = {"cave": {"scowl_size": 60}, "cove": {"scowl_british": 60}, "dove": {"scowl_variant": 60}, "wove": {}}
    found = asked_about(*({"word": word, **row} for word, row in sizes.items()), cave=0.0, cove=0.0, dove=0.0, wove=0.0)
    assert found == ["cave", "cove", "dove"]
    assert asked_about({"word": "wove"}, wove=DOUBTFUL) == ["wove"]
    assert asked_about({"word": "wove"}, wove=DOUBTFUL - 0.01) == []


def test_an_unlikely_pangram_that_could_be_a_guess_has_a_decision_from_one_in_a_hundred_on():
    """Not if it is no pangram, or its letters have one on the list."""
    assert asked_about(abcdefg=0.0099, abcdefh=0.01, abcdefi=0.0101) == ["abcdefh", "abcdefi"]
    assert asked_about(abcdef=0.1, hijklmnn=0.1, abcdefg=0.1) == ["abcdefg"]


@pytest.mark.parametrize(("p", "british", "tier"), [(0.7, 10, "likely"), (0.69, 10, "review"), (0.69, 35, "likely")])
def test_a_british_spelling_needs_more(p, british, tier):
    for opinion in ("", "fine", "ordinary"):
        words = lexicon({"scowl_british": british, "opinion": opinion})
        nothing = recorded(), frames.empty("offensive_words")
        (found,) = decide.decide(nothing[0], estimates(cove=p), nothing[1], NONE, words)["tier"]
        assert found == ("likely" if opinion == "ordinary" else tier)


@pytest.mark.parametrize(
    ("p", "graded", "record", "tier"),
    [
        (0.9, {"coves": "crude"}, {}, "likely"),
        (0.89, {"coves": "crude"}, {}, "review"),
        (0.89, {"coves": "sensitive"}, {}, "likely"),
        (0.89, {"coves": "crude", "cove": "crude"}, {"cove": GOOD}, "likely"),
        (0.89, {"coves": "crude", "cove": "crude"}, {"cove": BAD}, "review"),
        (0.89, {"coves": "crude", "cove": "none"}, {"cove": GOOD}, "review"),
    ],
)
def test_a_crude_word_needs_more_unless_it_is_a_form_of_one_that_puzzles_accept(p, graded, record, tier):
    british = {"scowl_british": 10} if tier == "review" or record else {}  # also if it is British
    words = lexicon({}, {"word": "coves", "base": "cove", **british})
    flags = offensive_words(words, frames.empty("forms"), grades(**graded))
    found = decide.decide(recorded(**record), estimates(coves=p), flags, NONE, words)
    assert found.set_index("word").loc["coves", "tier"] == tier
