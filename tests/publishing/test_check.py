"""Checks and diffs, each on a valid example in which one thing is then changed."""

import inspect
from typing import Any

import pandas as pd
import pytest
from examples import BAD, GOOD, decisions, recorded, verdicts

from pipeline import reader
from pipeline.facts.coverage import Coverage, checksum_of_words
from pipeline.opinions.model import EMPTY as NO_MODEL
from pipeline.publishing import check, diff
from pipeline.tables import frames

TRIALS = frames.from_rows(
    [
        {"date": "2025-01-02", "word": word, "accepted": word not in ("canto", "tote")}
        for word in ("canto", "cove", "covenant", "octave", "tote")
    ],
    "trials",
)


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
