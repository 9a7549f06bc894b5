"""Reasons: each fact of the release is held against the tables, without the code that writes reasons; and which facts
are told of a word, in which order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_opinions import forms_of, lexicon, recorded

from pipeline.opinions import reasons
from pipeline.tables import frames
from pipeline.words import OFFENSIVE

NONE = 100
"""The size of a list of SCOWL that does not have a word."""
SIZES = {
    "in ordinary dictionaries": (0, 60), "in large dictionaries": (60, 70), "only in large dictionaries": (60, 70),
    "only in large word lists": (70, 80), "only in the largest word lists": (80, 95),
    "not in SCOWL's dictionaries": (99, NONE),
}  # fmt: skip
OFTEN = {
    "almost never": (-1, 0), "very rare": (0, 2), "rare": (2, 3), "fairly common": (3, 4), "common": (4, 5),
    "very common": (5, 9),
}  # fmt: skip
LANGUAGES = {"French": "fr", "Spanish": "es", "Italian": "it", "German": "de", "Dutch": "nl", "Portuguese": "pt"}
WORD = "([a-z]+)"
TIMES = r"(once|both times|all \d+ times|\d+ of \d+ times)"


class World:
    """The tables of a workspace that `bee run` made of the real lexicon and the committed record, by word."""

    def __init__(self, workspace: Path):
        text = {"keep_default_na": False, "dtype": str}
        tables = {path.stem: pd.read_parquet(path) for path in (workspace / "build/tables").glob("*.parquet")}
        self.lexicon = tables["lexicon"].set_index("word").to_dict("index")
        self.verdicts = pd.read_csv(workspace / "custom/verdicts.csv", **text).set_index("word")["verdict"].to_dict()
        forms = tables["forms"]
        self.forms = set(zip(forms["word"], forms["base"], strict=True))
        self.bases = forms.groupby("word")["base"].agg(set).to_dict()
        self.decisions = tables["decisions"].set_index("word").to_dict("index")
        flags = tables["flags"]
        self.grades = flags[flags["flag"].isin(OFFENSIVE)].set_index("word")["flag"].to_dict()
        self.published = pd.read_csv(workspace / "custom/words.csv", **text)
        tried = self.published[self.published["offered"] != "0"]
        self.record = tried.set_index("word").to_dict("index")

    def is_form(self, form: str, base: str) -> bool:
        return (form, base) in self.forms

    def are_sisters(self, one: str, other: str) -> bool:
        return not self.bases.get(one, set()).isdisjoint(self.bases.get(other, set()))

    def was(self, word: str, outcome: str) -> bool:
        """Whether the last trial accepted or refused a word, or a person did."""
        if word in self.verdicts:
            return {"keep": "accepted", "drop": "refused"}[self.verdicts[word]] == outcome
        row = self.record.get(word)
        return bool(row) and ("accepted" if row["last_accepted"] > row["last_refused"] else "refused") == outcome

    def happened(self, word: str, outcome: str, often: str) -> bool:
        """Whether puzzles accepted or refused a word as often as told."""
        offered, accepted = (int(self.record[word][name]) for name in ("offered", "accepted"))
        number = accepted if outcome == "accepted" else offered - accepted
        told = {"once": (1, 1), "both times": (2, 2)}.get(often)
        if told is None:
            one, *rest = map(int, re.findall(r"\d+", often))
            told = (one, *rest) if rest else (one, one)
        return (number, offered) == told

    def is_likely(self, word: str) -> bool:
        return self.decisions[word]["p"] >= 0.5


Condition = Callable[..., bool]
CONDITIONS: dict[str, Condition] = {
    **{rf"[+-] ({text})": lambda _, row, text: SIZES[text][0] < row["scowl_size"] <= SIZES[text][1] for text in SIZES},
    rf"[+-] ({'|'.join(OFTEN)}) in texts": lambda _, row, often: OFTEN[often][0] < row["zipf"] <= OFTEN[often][1],
    r"- only in British word lists": lambda _, row: row["scowl_british"] < NONE == row["scowl_size"],
    r"- a variant spelling": lambda _, row: row["scowl_variant"] < row["scowl_size"],
    r"- usually with a capital": lambda _, row: min(row["scowl_upper"], row["scowl_name"]) < row["scowl_size"],
    r"- also with a capital": lambda _, row: row["scowl_upper"] < NONE,
    r"- also a name": lambda _, row: row["scowl_name"] < NONE,
    r"\+ in WordNet": lambda _, row: row["wordnet_senses"] > 0,
    r"- not in WordNet": lambda _, row: not row["wordnet_senses"] and not row["wordnet_capitalised"],
    r"- in WordNet only with a capital": lambda _, row: not row["wordnet_senses"] and row["wordnet_capitalised"] > 0,
    rf"- more common in ({'|'.join(LANGUAGES)}) than in English": lambda _, row, language: (
        row["language"] == LANGUAGES[language] and row["zipf_abroad"] > row["zipf"]
    ),
    r"- may offend \(graded ([a-z]+)\)": lambda of, row, grade: of.grades[row["word"]] == grade,
    rf"\+ a form of {WORD}": lambda _, row, base: row["base"] == base,
    rf"- a form of the rare word {WORD}": lambda of, row, base: (
        row["base"] == base and of.lexicon.get(base, {"zipf": 0})["zipf"] < 2
    ),
    rf"[+-] its base {WORD} was (accepted|refused) {TIMES}": lambda of, row, base, outcome, often: (
        of.is_form(row["word"], base) and of.happened(base, outcome, often)
    ),
    rf"[+-] its form {WORD} was (accepted|refused) {TIMES}": lambda of, row, form, outcome, often: (
        of.is_form(form, row["word"]) and of.happened(form, outcome, often)
    ),
    rf"[+-] another form, {WORD}, was (accepted|refused) {TIMES}": lambda of, row, form, outcome, often: (
        of.are_sisters(form, row["word"]) and of.happened(form, outcome, often)
    ),
    rf"[+-] its base {WORD} was (accepted|refused)": lambda of, row, base, outcome: (
        of.is_form(row["word"], base) and of.was(base, outcome)
    ),
    rf"\+ its form {WORD} was (accepted)": lambda of, row, form, outcome: (
        of.is_form(form, row["word"]) and of.was(form, outcome)
    ),
    rf"\+ its base {WORD} is likely to be accepted": lambda of, row, base: (
        of.is_form(row["word"], base) and of.is_likely(base)
    ),
    rf"- its base {WORD} is unlikely to be accepted": lambda of, row, base: (
        of.is_form(row["word"], base) and not of.is_likely(base)
    ),
    rf"[+-] {WORD} was (accepted|refused)": lambda of, row, other, outcome: (
        of.are_sisters(other, row["word"]) and of.was(other, outcome)
    ),
    rf"[+-] {WORD} is (?:likely|unlikely)": lambda of, row, other: of.are_sisters(other, row["word"]),
    rf"- people say (?:more|most) {WORD} instead": lambda of, row, base: of.is_form(row["word"], base),
    r"\+ similar words speak for it": lambda of, row: of.is_likely(row["word"]),
    r"- similar words speak against it": lambda of, row: not of.is_likely(row["word"]),
}
PATTERNS = {re.compile(pattern): condition for pattern, condition in CONDITIONS.items()}


@pytest.fixture(scope="module")
def world(real_run: Path) -> World:
    return World(real_run)


def untrue(of: World, word: str, told: str, used: Counter) -> str:
    for pattern, condition in PATTERNS.items():
        if match := pattern.fullmatch(told):
            used[pattern.pattern] += 1
            return "" if condition(of, {"word": word, **of.lexicon[word]}, *match.groups()) else f"{word}: {told}"
    return f"{word}: {told} (nobody knows this)"


def test_at_most_three_facts_are_told_of_a_word_and_all_are_true(world):
    used: Counter[str] = Counter()
    wrong = []
    rows = {word: row for word, row in world.decisions.items() if row["kind"] == "estimate"}
    for word, row in rows.items():
        facts = row["because"].split(": ", 1)[1].split("; ")
        assert 1 <= len(set(facts)) == len(facts) <= 3, row
        wrong += filter(None, (untrue(world, word, told, used) for told in facts))
    assert not wrong, f"{len(wrong)}, such as {wrong[:20]}"
    assert len(rows) > 150_000
    assert len([pattern for pattern, times in used.items() if times > 100]) > 15


def test_the_release_has_the_reasons_of_the_decisions(world):
    decided = world.published["word"].map({word: row["because"] for word, row in world.decisions.items()})
    assert (world.published["because"] == decided).all()
    assert not world.published["because"].str.contains("|", regex=False).any()


def known_about(words, record=None, rows=None) -> pd.DataFrame:
    """What is known about some words, or those in some rows."""
    return reasons.known_about(
        words,
        np.arange(len(words)) if rows is None else np.array(rows),
        forms_of(words),
        recorded() if record is None else record,
        frames.empty("offensive_words"),
    )


def told(moves: dict[str, float], p: float, **row: Any) -> str:
    """The reason of *cove* with this p, if these groups move it from the mean tried word, which is also the mean likely
    word."""
    words = lexicon({"word": "cove", "scowl_british": NONE, **row})
    known = known_about(words)
    scores = np.array([[moves.get(group, 0.0) for group in reasons.TOLD]])
    nothing = np.zeros(len(reasons.TOLD))
    (because,) = reasons.because(scores, nothing, nothing, np.array([p]), known)
    return because


COMMON = {"scowl_size": 35, "zipf": 4.5, "wordnet_senses": 1}
NAME = {"scowl_size": 60, "scowl_upper": 35, "wordnet_senses": 1, "wordnet_capitalised": 1, "zipf": 4.5}


@pytest.mark.parametrize(
    ("moves", "p", "row", "because"),
    [
        ({"dictionaries": 1, "texts": 2, "WordNet": 3}, 0.5, COMMON,
         "+ in WordNet; + common in texts; + in ordinary dictionaries"),
        ({"dictionaries": 0.6, "texts": 0.5, "WordNet": 0.49}, 0.5, COMMON,
         "+ in ordinary dictionaries; + common in texts"),
        ({"dictionaries": 0.1}, 0.5, COMMON, "+ in ordinary dictionaries"),  # the first fact may be weak
        ({"dictionaries": 1, "abroad": -2}, 0.5, {**COMMON, "zipf_abroad": 5, "language": "fr"},
         "+ in ordinary dictionaries; - more common in French than in English"),
        ({"dictionaries": 1, "abroad": -2}, 0.49, {**COMMON, "zipf_abroad": 5, "language": "fr"},
         "- more common in French than in English; + in ordinary dictionaries"),
        ({"dictionaries": 1}, 0.49, COMMON, "- similar words speak against it; + in ordinary dictionaries"),
        ({}, 0.5, COMMON, "+ similar words speak for it"),
        ({"dictionaries": -1, "texts": -2, "WordNet": -3, "name": -4}, 0.1,
         {"scowl_size": 80, "zipf": 0.0, "wordnet_senses": 1, "scowl_name": 60},
         "- also a name; - almost never in texts; - only in large word lists"),
        ({"dictionaries": -1, "texts": 2, "name": -2}, 0.4, NAME, "- usually with a capital"),
        ({"dictionaries": -1}, 0.4, {"scowl_size": 70}, "- only in large dictionaries"),
        ({"dictionaries": 1}, 0.6, {"scowl_size": 70}, "+ in large dictionaries"),
        ({"WordNet": -1}, 0.4, {"word": "covings", "wordnet_senses": 0, "base": "coving"},
         "- similar words speak against it"),
    ],
)  # fmt: skip
def test_what_speaks_for_the_place_of_a_word_comes_first_and_then_the_strongest(moves, p, row, because):
    assert told(moves, p, **row) == because


LIKE, UNLIKE = "+ similar words speak for it", "- similar words speak against it"
NO_SCOWL = {"scowl_size": NONE, "scowl_british": NONE, "scowl_variant": NONE}
ABOVE_ALL_A_NAME = {"scowl_size": 70, "scowl_upper": 60, "wordnet_senses": 0, "wordnet_capitalised": 1}
CAPITAL, ABROAD = "- also with a capital", "- more common in Italian than in English"


@pytest.mark.parametrize(
    ("group", "row", "says"),
    [
        ("dictionaries", NO_SCOWL, "- not in SCOWL's dictionaries"),
        ("dictionaries", NO_SCOWL | {"scowl_british": 60}, "- only in British word lists"),
        ("dictionaries", {"scowl_size": 80, "scowl_british": 60}, "- only in large word lists"),
        ("dictionaries", NO_SCOWL | {"scowl_variant": 60}, "- a variant spelling"),
        ("dictionaries", {"scowl_size": 80, "scowl_variant": 80}, "- only in large word lists"),
        ("dictionaries", {"scowl_size": 81}, "- only in the largest word lists"),
        ("dictionaries", {"scowl_size": 60}, UNLIKE),
        ("dictionaries", ABOVE_ALL_A_NAME, "- usually with a capital"),
        ("dictionaries", ABOVE_ALL_A_NAME | {"scowl_upper": 70}, "- only in large dictionaries"),
        ("dictionaries", ABOVE_ALL_A_NAME | {"wordnet_senses": 1}, "- usually with a capital"),
        (
            "dictionaries",
            ABOVE_ALL_A_NAME | {"wordnet_senses": 1, "wordnet_capitalised": 0},
            "- only in large dictionaries",
        ),
        ("texts", {"zipf": 3.0}, "- rare in texts"),
        ("texts", {"zipf": 3.1}, UNLIKE),
        ("texts", {"zipf": 2.0}, "- very rare in texts"),
        ("WordNet", {"wordnet_senses": 1}, UNLIKE),
        ("WordNet", {"wordnet_senses": 0}, "- not in WordNet"),
        ("WordNet", {"wordnet_senses": 0, "wordnet_capitalised": 1}, "- in WordNet only with a capital"),
        ("WordNet", {"wordnet_senses": 1, "wordnet_capitalised": 1}, UNLIKE),
        ("WordNet", ABOVE_ALL_A_NAME, UNLIKE),
        ("WordNet", {"wordnet_senses": 0, "base": "coo"}, UNLIKE),  # its base may be in WordNet
        ("name", {"scowl_name": 60}, "- also a name"),
        ("name", {"scowl_name": 70}, UNLIKE),
        ("name", {"scowl_upper": 60}, CAPITAL),
        ("name", {"scowl_upper": 70}, UNLIKE),
        ("name", ABOVE_ALL_A_NAME, UNLIKE),
        ("name", ABOVE_ALL_A_NAME | {"scowl_size": 60, "scowl_upper": 55}, "- usually with a capital"),
        ("name", {"scowl_size": 60, "scowl_name": 60, "wordnet_senses": 2}, "- also a name"),
        ("abroad", {"zipf": 3.0, "zipf_abroad": 3.1}, ABROAD),
        ("abroad", {"zipf": 3.0, "zipf_abroad": 3.0}, UNLIKE),
        ("form", {"base": "ace", "wordnet_senses": 0}, UNLIKE),  # nobody knows how rare a word of three letters is
    ],
)
def test_a_fact_against_a_word_is_told_only_if_it_is_true(group, row, says):
    row = {"scowl_british": NONE} | row
    assert told({group: -1.0}, 0.4, **row) == says


@pytest.mark.parametrize(
    ("group", "row", "says"),
    [
        ("texts", {"zipf": 3.1}, "+ fairly common in texts"),
        ("texts", {"zipf": 3.0}, LIKE),
        ("texts", ABOVE_ALL_A_NAME | {"zipf": 4.0}, LIKE),
        ("WordNet", {"wordnet_senses": 1}, "+ in WordNet"),
        ("WordNet", {"wordnet_senses": 0}, LIKE),
        ("own list", {"own_list": True}, "+ in a list of your own"),
        ("own list", {"own_list": False}, LIKE),
        ("form", {}, LIKE),
    ],
)
def test_a_fact_for_a_word_is_told_only_if_it_is_true(group, row, says):
    assert told({group: 1.0}, 0.6, **row) == says


COVE = {"word": "cove", "wordnet_pos": "nva", "zipf": 2.0}


@pytest.mark.parametrize(
    ("word", "base", "more", "tried", "says"),
    [
        ("coved", COVE, {}, {}, ("+ a form of cove", UNLIKE)),
        ("coved", COVE | {"zipf": 1.9}, {}, {}, (LIKE, "- a form of the rare word cove")),
        ("coved", COVE, {"wordnet_senses": 3}, {}, ("+ a form of cove", UNLIKE)),
        ("coved", COVE, {}, {"cove": (2, 2, "2025-01-02", "")}, (LIKE, UNLIKE)),  # its record says more
        ("coved", COVE, {}, {"cove": (2, 0, "", "2025-01-02")}, (LIKE, UNLIKE)),
    ],
)  # fmt: skip
def test_a_form_is_told_with_its_base_unless_the_record_of_a_relative_is(word, base, more, tried, says):
    words = lexicon(base, {"word": word, "base": "cove", "wordnet_senses": 0, **more})
    known = known_about(words, recorded(**tried), rows=[1])
    at, nothing = reasons.TOLD.index("form"), np.zeros(len(reasons.TOLD))
    found = []
    for move, p in ((1.0, 0.6), (-1.0, 0.4)):
        scores = np.zeros((1, len(nothing)))
        scores[0, at] = move
        found += reasons.because(scores, nothing, nothing, np.array([p]), known)
    assert tuple(found) == says


def test_the_scores_of_a_group_are_those_of_its_columns():
    names = ["size: 35", "size: 60", "shape: -ness", "frequency: Zipf"]
    found = reasons.group_scores(names, np.array([1.0, 2.0, 4.0, 8.0]), np.array([[1.0, 1.0, 1.0, 0.5]]))
    told = dict(zip(reasons.TOLD, found[0].tolist(), strict=True))
    assert (told["dictionaries"], told["texts"], sum(told.values())) == (3.0, 4.0, 7.0)


def test_what_speaks_against_an_unlikely_word_is_held_against_a_likely_one():
    words = lexicon({"word": "cove", "scowl_size": 70, "scowl_british": NONE})
    known = known_about(words)
    of = {group: number for number, group in enumerate(reasons.TOLD)}
    scores, usual, likely = np.zeros((1, len(of))), np.zeros(len(of)), np.zeros(len(of))
    scores[0, of["dictionaries"]], likely[of["dictionaries"]] = 1.0, 2.0
    assert reasons.because(scores, usual, likely, np.array([0.4]), known) == ["- only in large dictionaries"]
    assert reasons.because(scores, usual, likely, np.array([0.6]), known) == ["+ in large dictionaries"]


def nearest(word: str, **tried: tuple[int, int, str, str]) -> tuple[str, str]:
    """What the records of relatives of a word say for it and against it."""
    forms = [{"word": form, "base": "cove", "wordnet_senses": 0} for form in ("coved", "coves", "coving")]
    words = lexicon({"word": "cove", "wordnet_pos": "nv"}, *forms)
    known = known_about(words, recorded(**tried))
    row = known.set_index("word").loc[word]
    return row["accepted"], row["refused"]


YES, NO = "2025-01-02", "2025-01-01"


@pytest.mark.parametrize(
    ("word", "tried", "says"),
    [
        ("coves", {"cove": (3, 3, YES, "")}, ("its base cove was accepted all 3 times", "")),
        ("coves", {"cove": (3, 2, YES, NO)}, ("its base cove was accepted 2 of 3 times", "")),
        ("coves", {"cove": (5, 3, YES, NO)}, ("", "")),  # fewer than two of three times says nothing
        ("coves", {"cove": (3, 2, NO, YES)}, ("", "")),  # mostly accepted, but not the last time
        ("coves", {"cove": (2, 0, "", YES)}, ("", "its base cove was refused both times")),
        ("cove", {"coves": (1, 1, YES, ""), "coved": (2, 2, YES, "")}, ("its form coved was accepted both times", "")),
        ("coving", {"coved": (1, 1, YES, ""), "cove": (1, 0, "", YES)},
         ("another form, coved, was accepted once", "its base cove was refused once")),
        ("coving", {"coved": (9, 9, YES, ""), "cove": (1, 1, YES, "")}, ("its base cove was accepted once", "")),
        ("coves", {"coved": (1, 1, YES, "")}, ("", "")),  # a verb says nothing about a plural
        ("coves", {"coves": (1, 1, YES, "")}, ("", "")),
    ],
)  # fmt: skip
def test_the_nearest_tried_relative_speaks_with_its_record(word, tried, says):
    assert nearest(word, **tried) == says


def test_every_column_of_a_group_belongs_to_a_fact():
    groups = {reasons.group_of(name) for name in (*reasons.GROUPS, "base: from SCOWL 35")}
    assert groups == set(reasons.TOLD)
    told_by_name = {reasons.group_of(name) for name in ("shape: un-", "shape: -ness", "pangram")}
    assert told_by_name == {""}
