"""Flags, estimates, decisions, diffs and checks, each on a valid example in which one thing is then changed."""

import inspect
from typing import Any

import pandas as pd
import pytest

from pipeline import reader
from pipeline.facts.coverage import Coverage, checksum_of_words
from pipeline.facts.grades import offensive_words
from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import catalog, decide, estimate_untried, flag
from pipeline.opinions.model import EMPTY as NO_MODEL
from pipeline.publishing import check, diff
from pipeline.tables import frames

CLEAN: dict[str, Any] = {
    "word": "cove", "scowl_size": 35, "scowl_british": 35, "scowl_variant": NO_SIZE, "scowl_variant_level": 0,
    "scowl_upper": NO_SIZE, "scowl_name": NO_SIZE, "scowl_abbreviation": NO_SIZE, "scowl_special": NO_SIZE,
    "modern": False, "opinion": "", "own_list": False,
    "wordnet_pos": "n", "wordnet_senses": 2, "wordnet_tagged": 3, "wordnet_capitalised": 0, "wordnet_labels": "",
    "base": "", "cuss": -1, "ldnoobw": False, "zipf": 3.4, "zipf_abroad": 2.0, "language": "it",
}  # fmt: skip


FORMS_BY_ENDING = {"s": "plural", "ing": "present participle", "er": "comparative", "est": "superlative"}


def forms_of(words: pd.DataFrame) -> pd.DataFrame:
    """The table of forms in which each word of a lexicon has its base; its ending says which form it is."""
    rows = []
    for row in frames.rows(words[words["base"] != ""]):
        names = [name for ending, name in FORMS_BY_ENDING.items() if row["word"].endswith(ending)]
        rows.append({"word": row["word"], "base": row["base"], "form": [*names, "past form"][0]})
    return frames.from_rows(rows, "forms")


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


def lexicon(*changes: dict[str, Any]) -> pd.DataFrame:
    return frames.from_rows([{**CLEAN, **change} for change in changes], "lexicon")


def grades(**words: str) -> pd.DataFrame:
    rows = [{"word": word, "grade": grade, "reason": "", "by": ""} for word, grade in words.items()]
    return frames.from_rows(rows, "grades")


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


def recorded(**records: tuple[int, int, str, str]) -> pd.DataFrame:
    """Records by word: offered, accepted, last accepted, last rejected."""
    columns = ("offered", "accepted", "last_accepted", "last_refused")
    rows = [{"word": word, **dict(zip(columns, records[word], strict=True))} for word in records]
    return frames.from_rows([{**row, "first_accepted": row["last_accepted"]} for row in rows], "record")


def estimates(**p: float) -> pd.DataFrame:
    rows = [{"word": word, "p": value, "kind": "estimate"} for word, value in p.items()]
    return frames.from_rows(rows, "estimates")


def verdicts(*decided: tuple[str, str]) -> pd.DataFrame:
    same = {"reason": "seen", "by": "ann", "after": "2025-01-02"}
    return frames.from_rows([{"word": word, "verdict": verdict, **same} for word, verdict in decided], "verdicts")


NONE = frames.empty("verdicts")
GOOD = (2, 2, "2025-01-02", "")
BAD = (2, 1, "2024-01-02", "2025-01-02")


def estimated(lexicon: pd.DataFrame, record: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    known = estimate_untried.estimate_input(lexicon, forms_of(lexicon), record)
    return estimate_untried.estimate_and_share(known, estimate_untried.fit(known), words)


TRIALS = frames.from_rows(
    [
        {"date": "2025-01-02", "word": word, "accepted": word not in ("canto", "tote")}
        for word in ("canto", "cove", "covenant", "octave", "tote")
    ],
    "trials",
)


def decisions(**tier: str) -> pd.DataFrame:
    reason = {"by": "record", "kind": "verdict", "p": 0.5}
    rows = [{"word": word, "tier": name, "because": f"kept: {word}", **reason} for word, name in tier.items()]
    return frames.from_rows(rows, "decisions")


def test_diffs_name_missing_and_extra_words_with_the_reason():
    found = diff.by_day(
        TRIALS, decisions(cove="core", covenant="core", octave="review", tote="likely", canto="refused")
    )
    assert found[["word", "side", "because"]].values.tolist() == [
        ["octave", "missing", "kept: octave"],
        ["tote", "extra", "kept: tote"],
    ]


def test_diffs_by_word_follow_from_the_record_alone():
    record = recorded(cove=(3, 2, "2025-01-02", "2024-01-01"), octave=BAD, tote=GOOD)
    found = diff.by_word(record, decisions(cove="core", octave="refused", tote="core"))
    assert [tuple(row) for row in found.itertuples(index=False)] == [
        ("cove", "extra", 1, "kept: cove"),
        ("octave", "missing", 1, "kept: octave"),
    ]


def rules(found: pd.DataFrame) -> list[str]:
    return sorted(set(found["rule"]))


PUZZLES = frames.from_rows(
    [{"date": "2025-01-02", "center": "e", "outer": "acnotv", "source": "days", "witnesses": 1}], "puzzles"
)


RECORD = recorded(cove=GOOD, octave=BAD)
DECIDED = decisions(cove="core", octave="refused", tote="likely")


LISTS = {"sources.csv": b"the same lists"}
LISTS[reader.SUMS] = reader.format_checksums(LISTS)
TABLES = {
    name: frames.empty(name)
    for name in inspect.signature(check.check).parameters
    if name in frames.CONTRACTS and name != "record"
}


def violations(record=None, **tables: Any) -> pd.DataFrame:
    """What the checks find in a workspace without anything, except for some tables."""
    others = {"record": frames.empty("record") if record is None else record, "coverage": Coverage()}
    candidates = pd.DataFrame({"word": ["cove", "octave", "tote"], "common": True})
    others |= {"lexicon_files": LISTS, "own": {}, "candidates": candidates}
    return check.check(**{**TABLES, **others, "model": NO_MODEL, **tables})


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


@pytest.mark.parametrize(("tier", "rule"), [("core", []), ("review", ["list-lacks-pangram"])])
def test_a_puzzle_for_which_the_list_has_no_pangram_is_named(tier, rule):
    found = violations(puzzles=PUZZLES, trials=TRIALS, decisions=decisions(cove="core", covenant=tier))
    assert rules(found) == rule


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("", {}),
        ("", {"verdicts": verdicts(("cove", "drop")), "decisions": DECIDED[DECIDED["word"] != "cove"]}),
        ("verdict-ended", {"verdicts": verdicts(("cove", "drop")).assign(after="2025-01-01")}),
        ("verdict-ended", {"verdicts": verdicts(("octave", "keep")).assign(after="")}),
    ],
)
def test_one_change_to_the_release_breaks_one_rule(rule, change):
    found = violations(RECORD, **{"decisions": DECIDED, **change})
    assert rules(found) == [rule] * bool(rule)
    assert all("the puzzle of 2025-01-02 decided; `bee undo" in detail for detail in found["detail"])


@pytest.mark.parametrize(("words", "rule"), [(["cove"], []), (["cove", "octave"], ["record-incomplete"])])
def test_a_record_that_was_counted_for_other_words_is_incomplete(words, rule):
    covered = Coverage(frozenset(["2025-01-02"]), checksum_of_words(["cove"]))
    known = pd.DataFrame({"word": [*words, "zzyzx"], "common": [True] * len(words) + [False]})
    assert rules(violations(candidates=known, coverage=covered)) == rule
    assert rules(violations(candidates=known)) == []


def test_a_day_that_waits_is_named():
    waits = frames.from_rows([{"date": "2025-01-02", "because": "so", "person": True}], "waits")
    assert rules(violations(waits=waits)) == ["day-waits"]
