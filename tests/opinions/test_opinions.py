"""Flags, estimates, decisions, diffs and checks, each on a valid example in which one thing is then changed."""

from typing import Any

import pandas as pd
import pytest
from conftest import PROJECT

from pipeline import reader
from pipeline.facts import by_hand
from pipeline.facts.coverage import Coverage, checksum_of_words
from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import catalog, decide, estimate, families, flag
from pipeline.opinions.model import EMPTY as NO_MODEL
from pipeline.publishing import check, diff
from pipeline.publishing.check import CATALOG, RULES
from pipeline.tables import frames
from pipeline.violations import READING_RULES
from pipeline.words import OFFENSIVE

CLEAN: dict[str, Any] = {
    "word": "cove", "scowl_size": 35, "scowl_british": 35, "scowl_variant": NO_SIZE, "scowl_variant_level": 0,
    "scowl_upper": NO_SIZE, "scowl_name": NO_SIZE, "scowl_abbreviation": NO_SIZE, "scowl_special": NO_SIZE,
    "modern": False, "own_list": False,
    "wordnet_pos": "n", "wordnet_senses": 2, "wordnet_tagged": 3, "wordnet_capitalised": 0, "wordnet_labels": "",
    "lemma": "", "cuss": -1, "ldnoobw": False, "zipf": 3.4, "zipf_abroad": 2.0, "language": "it",
}  # fmt: skip


BREAKS: dict[str, list[dict[str, Any]]] = {
    "unlisted": [{"scowl_size": 95}, {"scowl_size": NO_SIZE, "scowl_british": 35}],
    "large-list": [{"scowl_size": 70}, {"scowl_size": 80}],
    "rare": [{"scowl_size": 70, "zipf": 1.9}, {"scowl_size": 95, "zipf": 0.0}],
    "seldom": [{"scowl_size": 60, "zipf": 1.49}, {"scowl_size": 10, "zipf": 0.0}],
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
    "derived": [{"scowl_size": 80, "wordnet_senses": 0, "lemma": "cave"}],
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
        {"scowl_upper": 50},
        {"scowl_size": 95, "scowl_upper": 50},
        {"scowl_size": 95, "wordnet_senses": 0},
        {"scowl_size": 60, "wordnet_senses": 0, "wordnet_capitalised": 1},
        {"scowl_upper": 36, "wordnet_senses": 1},
        {"scowl_upper": 35, "wordnet_senses": 2, "wordnet_capitalised": 1},
        {"scowl_upper": 35, "wordnet_senses": 1, "lemma": "cave"},
    ],
    "abbreviation": [
        {"scowl_abbreviation": 50},
        {"scowl_size": 80, "wordnet_senses": 0},
        {"scowl_size": 60, "wordnet_senses": 0, "scowl_abbreviation": 50},
    ],
    "variant": [{"scowl_variant": 60}, {"scowl_size": NO_SIZE, "scowl_british": NO_SIZE}],
    "derived": [{"scowl_size": 60, "wordnet_senses": 0, "lemma": "cave"}, {"scowl_size": 80, "lemma": "cave"}],
    "british": [{"scowl_british": 35}, {"scowl_size": NO_SIZE, "scowl_british": NO_SIZE}],
    "slur": [{"wordnet_labels": "slang=1"}],
    "vulgar": [{"cuss": 2}],
    "sensitive": [{"wordnet_labels": "disparagement=1"}, {"cuss": 1}, {"ldnoobw": True}],
}


def lexicon(*changes: dict[str, Any]) -> pd.DataFrame:
    return frames.from_rows([{**CLEAN, **change} for change in changes], "lexicon")


def grades(**words: str) -> pd.DataFrame:
    return frames.from_rows([{"word": word, "grade": grade} for word, grade in words.items()], "word_grades")


def flagged(*rows: dict, **by_hand: str) -> dict[str, str]:
    found = flag.flag(lexicon(*rows), grades(**by_hand))
    return {row["word"]: row["flag"] for row in frames.rows(found) if row["flag"] in OFFENSIVE}


@pytest.mark.parametrize("derived", ["shitty", "shittier", "shitless", "shitlike", "shits", "shitting"])
def test_a_grade_passes_to_forms_and_plain_derivatives(derived):
    words = [{"word": word} for word in sorted({"shit", "shitty", derived})]
    assert flagged(*words, shit="vulgar")[derived] == "vulgar"
    assert derived not in flagged(*words, **{"shit": "vulgar", "shitty": "none", derived: "none"})


def test_of_two_bases_the_gravest_counts_and_a_grade_by_hand_passes_before_the_lists():
    assert flagged({"word": "hoser"}, {"word": "hose"}, {"word": "hosers"}, hose="crude", hoser="slur")["hosers"]
    two = flagged({"word": "dicker"}, {"word": "dick"}, {"word": "dicke"}, dick="crude", dicke="slur")
    assert two["dicker"] == "slur"
    listed = {"word": "tacos", "lemma": "taco", "cuss": 2, "ldnoobw": True}
    assert "tacos" not in flagged({"word": "taco"}, listed, taco="none")


@pytest.mark.parametrize("earlier", [[], [{"word": "acme"}]])
@pytest.mark.parametrize("listed", [[{"word": "bring"}], []])
def test_a_grade_passes_to_a_form_that_only_its_lemma_links_with_the_base(earlier, listed):
    """No ending leads from *brung* to *bring*, which is the first word of the lexicon, a later one, or not in it."""
    words, brung = [*earlier, *listed], {"word": "brung", "lemma": "bring"}
    assert flagged(*words, brung, bring="crude")["brung"] == "crude"
    assert "brung" not in flagged(*words, {**brung, "lemma": ""}, bring="crude")


def recorded(**records: tuple[int, int, str, str]) -> pd.DataFrame:
    """Records by word: offered, accepted, last accepted, last rejected."""
    rows = [
        {
            "word": word, "offered": offered, "accepted": accepted, "first_accepted": yes, "last_accepted": yes,
            "last_refused": no, "witnesses": 1 if accepted else 0,
        }
        for word, (offered, accepted, yes, no) in records.items()
    ]  # fmt: skip
    return frames.from_rows(rows, "record")


def candidates(*words: str) -> pd.DataFrame:
    return frames.from_rows([{"word": word, "common": True, "known": True} for word in words], "candidates")


def estimates(**p: float) -> pd.DataFrame:
    rows = [{"word": word, "p": value, "because": "SCOWL 35", "kind": "estimate"} for word, value in p.items()]
    return frames.from_rows(rows, "estimates")


def verdicts(*rows: tuple[str, str]) -> pd.DataFrame:
    return frames.from_rows(
        [
            {"word": word, "verdict": verdict, "reason": "seen", "by": "ann", "on": "2025-01-02"}
            for word, verdict in rows
        ],
        "verdicts",
    )


NONE = frames.empty("verdicts")
GOOD = (2, 2, "2025-01-02", "")
BAD = (2, 1, "2024-01-02", "2025-01-02")


def tiers(decisions: pd.DataFrame) -> dict[str, tuple[str, str]]:
    assert (decisions["because"].str.len() > 10).all()
    return {row["word"]: (row["tier"], row["by"]) for row in decisions.to_dict("records")}


def decided(record, guess=None, flags=None, verdict_table=NONE, words=None) -> pd.DataFrame:
    """Decide without flags, verdicts or unusual words unless they are given."""
    none = frames.empty("flags") if flags is None else flags
    lexicon = frames.empty("lexicon") if words is None else words
    return decide.decide(
        record,
        estimates() if guess is None else guess,
        none,
        verdict_table,
        families.unusual_words(lexicon, families.spellings(lexicon, {})),
    )


def test_verdict_beats_record_beats_estimate():
    record = recorded(cove=GOOD, octave=BAD)
    guess = estimates(tote=0.9, canto=0.3, cento=0.01)
    assert tiers(decided(record, guess)) == {
        "cove": ("core", "record"),
        "octave": ("refused", "record"),
        "tote": ("likely", "estimate"),
        "canto": ("review", "estimate"),
        "cento": ("refused", "estimate"),
    }
    overruled = tiers(decided(record, guess, verdict_table=verdicts(("cove", "drop"), ("octave", "keep"))))
    assert overruled["cove"] == ("refused", "verdict")
    assert overruled["octave"] == ("core", "verdict")


def estimated(lexicon: pd.DataFrame, record: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    known = estimate.estimate_input(lexicon, record)
    return estimate.estimate_within_limits(known, estimate.fit(known), words)


OUTCOMES = {"cove": True, "octave": True, "tote": False, "covenant": True, "canto": False}
TRIALS = frames.from_rows(
    [{"date": "2025-01-02", "word": word, "accepted": yes} for word, yes in OUTCOMES.items()], "trials"
)


def decisions(**tier: str) -> pd.DataFrame:
    reason = {"by": "record", "kind": "verdict", "p": 0.5}
    rows = [{"word": word, "tier": name, "because": f"kept: {word}", **reason} for word, name in tier.items()]
    return frames.from_rows(rows, "decisions")


def test_diffs_name_missing_and_extra_words_with_the_reason():
    found = diff.diff(TRIALS, decisions(cove="core", covenant="core", octave="review", tote="likely", canto="refused"))
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


PUZZLES = frames.from_rows([{"date": "2025-01-02", "center": "e", "outer": "acnotv", "source": "days"}], "puzzles")
ANSWERS = frames.from_rows(
    [{"date": "2025-01-02", "word": word, "witnesses": 1} for word in ("cove", "covenant", "octave")], "answers"
)
ALL_WELL = decisions(cove="core", covenant="core", octave="core", tote="refused", canto="refused")


RECORD = recorded(cove=GOOD, octave=BAD)
DECIDED = decisions(cove="core", octave="refused", tote="likely")


CANDIDATES = pd.Series(["cove", "octave", "tote"])


LISTS = {"sources.csv": b"the same lists"}
LISTS[reader.SUMS] = reader.format_checksums(LISTS)
TABLES = {name: frames.empty(name) for name in check.INPUTS if name in frames.CONTRACTS and name != "record"}


def violations(record=None, **tables: Any) -> pd.DataFrame:
    """What the checks find in a workspace without anything, except for some tables."""
    others = {"record": frames.empty("record") if record is None else record, "coverage": Coverage()}
    others |= {"lines": {}, "lexicon_files": LISTS, "own_lists": {}}
    return check.check(**{**TABLES, **others, "model": NO_MODEL, **tables})


def release(record=RECORD, decided=DECIDED, verdict_table=NONE, graded=None) -> list[str]:
    candidates = pd.DataFrame({"word": CANDIDATES, "common": True, "known": True})
    graded = grades() if graded is None else graded
    by_hand = {"verdicts": verdict_table, "grades": graded.assign(reason="", by="")}
    return rules(violations(record, decisions=decided, candidates=candidates, **by_hand))


def broken(column: str, value: Any) -> pd.DataFrame:
    frame = RECORD.copy()
    frame.loc[frame["word"] == "cove", column] = value
    return frame


EXAMPLES = [(rule, change, True) for rule in BREAKS for change in BREAKS[rule]]
EXAMPLES += [(rule, change, False) for rule in NEIGHBOURS for change in NEIGHBOURS[rule]]


@pytest.mark.parametrize(("rule", "change", "raised"), EXAMPLES)
def test_one_change_raises_a_flag_and_a_smaller_one_does_not(rule, change, raised):
    found = flag.flag(lexicon(change))
    assert (rule in set(found["flag"])) == raised
    for row in found[found["flag"] == rule].to_dict("records"):
        assert row["detail"]
        assert row["severity"] == next(one.severity for one in catalog.FLAGS if one.id == rule)


def test_every_flag_has_its_examples_and_a_clean_word_has_none():
    by_hand = {rule.id for rule in catalog.FLAGS if rule.marks is None}
    assert by_hand == {"explicit", "crude"}, "any other flag without `marks` would never mark a word"
    by_rule = {rule.id for rule in catalog.FLAGS} - by_hand
    assert set(BREAKS) == set(NEIGHBOURS) == by_rule, "BREAKS and NEIGHBOURS have examples for each flag"
    assert by_hand < set(OFFENSIVE) < {rule.id for rule in catalog.FLAGS}
    assert all(rule.severity in ("strong", "fair", "note") and rule.sentence.endswith(".") for rule in catalog.FLAGS)
    assert flag.flag(lexicon({})).empty
    for size, detail in ((95, "SCOWL 95 only"), (NO_SIZE, "in no SCOWL list in American spelling")):
        assert detail in set(flag.flag(lexicon({"scowl_size": size}))["detail"])


def test_the_gravest_offensive_flag_stands_alone_and_forms_inherit_it():
    slur = {"word": "coon", "wordnet_labels": "disparagement=1 ethnic_slur=1", "cuss": 2, "ldnoobw": True}
    found = flag.flag(lexicon(slur, {"word": "coons", "lemma": "coon", "wordnet_senses": 0}))
    assert found[["word", "flag"]].values.tolist() == [["coon", "slur"], ["coons", "slur"]]


def test_a_grade_by_hand_overrules_the_lists_and_forms_inherit_it():
    words = lexicon(
        {"word": "taco", "wordnet_labels": "ethnic_slur=1"},
        {"word": "tacos", "lemma": "taco", "wordnet_senses": 0},
        {"word": "vixen"},
        {"word": "vixens", "lemma": "vixen", "wordnet_senses": 0},
    )
    found = flag.flag(words, grades(taco="none", vixen="vulgar"))
    assert found[["word", "flag", "detail"]].values.tolist() == [
        ["vixen", "vulgar", "graded by hand"],
        ["vixens", "vulgar", "a form of vixen"],
    ]


@pytest.mark.parametrize(("word", "part"), [("pussycat", "pussy"), ("cockatoo", "cock"), ("classic", "lass")])
def test_a_word_that_only_holds_another_one_is_not_made_from_it(word, part):
    assert word not in flagged({"word": word}, {"word": part}, **{part: "vulgar"})


@pytest.mark.parametrize(("word", "base"), [("junkier", "junkie"), ("crapy", "crap"), ("dyked", "dyke")])
def test_what_only_looks_like_a_form_is_graded_none_by_hand(word, base):
    by_hand = frames.rows(frames.read_csv((PROJECT / "data/custom/offensive.csv").read_bytes(), "offensive.csv"))
    given = {row["word"]: row["grade"] for row in by_hand}
    rows = [{"word": base}, {"word": word, "lemma": base}]
    assert word not in flagged(*rows, **given)
    del given[word]
    assert flagged(*rows, **given)[word] == given[base]


NAME = {"scowl_upper": 10, "wordnet_senses": 1, "wordnet_capitalised": 1}
DANISH = {"word": "danish", **NAME}
ELSEWHERE = {"scowl_size": NO_SIZE, "scowl_british": NO_SIZE, "scowl_variant": 50, "zipf": 2.0}
CHILIS = {"word": "chilis", "lemma": "chili", **ELSEWHERE, "scowl_variant_level": 2}
SILENTER = {"word": "silenter", "lemma": "silent", "wordnet_senses": 0, "zipf": 0.0}


def pixies(level: int, twin: float) -> list[dict[str, Any]]:
    """A variant of this level and its more usual spelling of this frequency."""
    return [{"word": "pixy", **ELSEWHERE, "scowl_variant_level": level}, {"word": "pixie", "zipf": twin}]


def silent(form: str, base: str, pos: str = "a", **more: Any) -> list[dict[str, Any]]:
    """An adjective and its form in -er or -est."""
    return [{"word": base, "wordnet_pos": pos}, {**SILENTER, "word": form, "lemma": base, **more}]


@pytest.mark.parametrize(
    ("word", "p", "rows", "tier"),
    [
        ("cove", 0.7, [{"scowl_british": 10}], "likely"),
        ("cove", 0.69, [{"scowl_british": 10}], "review"),
        ("pixy", 0.5, pixies(1, 2.1), "likely"),
        ("pixy", 0.5, pixies(2, 2.1), "review"),
        ("pixy", 0.7, pixies(2, 2.1), "likely"),
        ("pixy", 0.69, pixies(3, 2.1), "review"),
        ("pixy", 0.69, pixies(3, 2.0), "likely"),
        ("chilis", 0.6, [CHILIS, {"word": "chilies", "lemma": "chili", "zipf": 2.1}], "review"),
        ("chilis", 0.6, [CHILIS, {"word": "chilies", "lemma": "chili", "zipf": 2.0}], "likely"),
        ("chilis", 0.6, [CHILIS, {"word": "chilied", "lemma": "chili", "zipf": 2.1}], "likely"),
        ("danishes", 0.6, [DANISH, {"word": "danishes", "lemma": "danish", "wordnet_senses": 0}], "review"),
        ("danishes", 0.6, [DANISH, {"word": "danishes", "lemma": "danish", "wordnet_senses": 1}], "likely"),
        ("danishes", 0.65, [DANISH, {"word": "danishes", "lemma": "danish", "wordnet_senses": 0}], "likely"),
        ("coves", 0.6, [{"word": "cove"}, {"word": "coves", "lemma": "cove", **NAME}], "likely"),
        ("silenter", 0.9, silent("silenter", "silent"), "review"),
        ("silenter", 0.01, silent("silenter", "silent"), "refused"),
        ("silentest", 0.5, silent("silentest", "silent"), "review"),
        ("silenter", 0.9, silent("silenter", "silent", zipf=1.1), "likely"),
        ("silenter", 0.9, silent("silenter", "silent", wordnet_senses=1), "likely"),
        ("warmer", 0.9, silent("warmer", "warm"), "likely"),
        ("eerier", 0.9, silent("eerier", "eerie"), "likely"),
        ("mellower", 0.9, silent("mellower", "mellow"), "likely"),
        ("nobler", 0.9, silent("nobler", "noble"), "likely"),
        ("docilest", 0.9, silent("docilest", "docile"), "review"),
        ("unkinder", 0.9, silent("unkinder", "unkind"), "likely"),
        ("milliner", 0.9, silent("milliner", "millin", "n"), "likely"),
    ],
)
def test_an_unusual_spelling_or_name_and_a_comparative_that_nobody_says_need_more(word, p, rows, tier):
    base = {"danish": 0.7 if p == 0.65 else 0.69} if word == "danishes" else {}  # a listed name is held against no form
    guess = estimates(**{word: p}, **base)
    found = decided(frames.empty("record"), guess, words=lexicon(*rows)).set_index("word").loc[word]
    assert (found["tier"], found["by"]) == (tier, "estimate")
    is_unsaid = tier == "review" and word in ("silenter", "silentest", "docilest")
    flags = frames.from_rows([{"word": word, "flag": "slur", "severity": "strong", "detail": ""}], "flags")
    graded = decided(frames.empty("record"), guess, flags, words=lexicon(*rows)).set_index("word").loc[word]
    assert (graded["tier"], graded["kind"]) == ("refused", "slur"), "a slur is not even a matter for review"
    more = "most" if word.endswith("est") else "more"
    assert (f'people say "{more} {rows[0].get("word")}" instead' in found["because"]) == is_unsaid
    needs = "an unusual spelling or a name, which needs p = 0.70" in found["because"]
    assert needs == (tier == "review" and not word.endswith(("er", "est")))


def rows_of(table: str, **row: Any) -> dict[str, pd.DataFrame]:
    return {table: frames.from_rows([row], table)}


DIFFER = {"date": "2025-01-02", "subject": "tote", "source_a": "a", "source_b": "b", "detail": "differ"}
DIFFER |= {"open": False, "witnesses": 1}
SUBJECT = "2025-01-02 nyt eacnotv"


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("", {}),
        ("answer-lost", {"trials": TRIALS[TRIALS["word"] != "octave"]}),
        ("list-lacks-pangram", {"decisions": decisions(cove="core", covenant="review")}),
        ("source-conflict", rows_of("conflicts", **DIFFER)),
        *[(rule.id, rows_of("faults", rule=rule.id, subject=SUBJECT, detail="so.")) for rule in READING_RULES],
    ],
)
def test_one_change_to_the_captures_breaks_one_rule(rule, change):
    tables = {
        "faults": frames.empty("faults"), "conflicts": frames.empty("conflicts"), "puzzles": PUZZLES,
        "answers": ANSWERS, "trials": TRIALS, "decisions": ALL_WELL,
    }  # fmt: skip
    found = violations(**{**tables, **change})
    assert rules(found) == [rule] * bool(rule)
    undo = "`bee undo 2025-01-02 --kind day` removes the decision."
    assert (undo in "".join(found["detail"])) == rule.startswith("day-")


def contradicted(word: str, verdict: str) -> dict[str, pd.DataFrame]:
    """Return a verdict of the day before the last trial of the word, which decided otherwise."""
    written = verdicts((word, verdict)).assign(on="2025-01-01")
    return {"verdict_table": written, "decided": DECIDED[DECIDED["word"] != word]}


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("", {}),
        ("", {"verdict_table": verdicts(("tote", "drop")), "decided": decisions(cove="core", octave="refused")}),
        ("", {"verdict_table": verdicts(("cove", "drop")), "decided": DECIDED[DECIDED["word"] != "cove"]}),
        ("", {"verdict_table": verdicts(("octave", "keep")), "decided": DECIDED[DECIDED["word"] != "octave"]}),
        ("record-impossible", {"record": broken("accepted", 3)}),
        ("record-impossible", {"record": broken("offered", 5)}),
        ("record-impossible", {"record": broken("last_refused", "2019-01-01")}),
        ("record-impossible", {"record": recorded(cove=GOOD, octave=(2, 1, "", "2025-01-02"))}),
        ("record-impossible", {"record": broken("first_accepted", "2025-12-31")}),
        ("not-playable", {"decided": decisions(cove="core", octave="refused", tot="likely")}),
        ("no-because", {"decided": DECIDED.assign(kind=["", "accepted", "accepted"])}),
        ("refused-listed", {"decided": decisions(cove="core", octave="core")}),
        ("accepted-unlisted", {"decided": decisions(cove="refused", octave="refused")}),
        ("accepted-unlisted", {"decided": decisions(cove="review", octave="refused")}),
        ("word-unknown", {"verdict_table": verdicts(("zzyzzy", "keep"))}),
        ("word-unknown", {"graded": grades(cuve="crude")}),
        ("verdict-stale", {"verdict_table": verdicts(("cove", "keep"))}),
        ("verdict-stale", {"verdict_table": verdicts(("octave", "drop"))}),
        ("verdict-stale", contradicted("cove", "drop")),
        ("verdict-stale", contradicted("octave", "keep")),
    ],
)
def test_one_change_to_the_release_breaks_one_rule(rule, change):
    assert release(**change) == [rule] * bool(rule)
    assert not rule or RULES[rule].scope == "release"


@pytest.mark.parametrize(("words", "rule"), [(["cove"], []), (["cove", "octave"], ["record-incomplete"])])
def test_a_record_that_was_counted_for_other_words_is_incomplete(words, rule):
    covered = Coverage(frozenset(["2025-01-02"]), checksum_of_words(["cove"]))
    known = pd.DataFrame({"word": [*words, "zzyzx"], "common": [True] * len(words) + [False], "known": True})
    assert rules(violations(candidates=known, coverage=covered)) == rule
    assert rules(violations(candidates=known)) == []


@pytest.mark.parametrize(("word", "verdict", "outcome"), [("cove", "drop", "accepted"), ("octave", "keep", "refused")])
def test_a_verdict_that_a_later_puzzle_contradicts_names_the_puzzle_and_the_way_out(word, verdict, outcome):
    written = verdicts((word, verdict)).assign(on="2025-01-01")
    known = pd.DataFrame({"word": CANDIDATES, "common": True, "known": True})
    (detail,) = violations(RECORD, candidates=known, verdicts=written)["detail"]
    assert f"2025-01-02 {outcome} it" in detail
    assert f"`bee undo {word} --kind verdict`" in detail


@pytest.mark.parametrize(("table", "kind"), [("verdicts", "verdict"), ("grades", "grade")])
def test_a_word_that_nobody_knows_names_the_command_that_takes_out_this_line_alone(table, kind):
    person = {"word": "cofe", "reason": "odd", "by": "ann"}
    written = rows_of("verdicts", **person, verdict="keep", on="2025-01-02")
    written |= rows_of("grades", **person, grade="none")
    found = violations(**written)
    (detail,) = [detail for detail in found["detail"] if detail.startswith(by_hand.PATHS[table])]
    assert f"`bee undo cofe --kind {kind}`" in detail


def test_the_catalog_of_violations_is_complete():
    assert len(RULES) == len(CATALOG)
    for rule in CATALOG:
        assert (rule.severity in ("error", "warning"), rule.scope in ("capture", "release")) == (True, True)
        assert rule.sentence.endswith(".")


def test_a_day_that_waits_is_named():
    assert rules(violations(**rows_of("waits", date="2025-01-02", until="", because="so"))) == ["day-waits"]


@pytest.mark.parametrize(
    ("answers", "witnesses", "decided", "says"),
    [
        ("cove covenant octave", 1, (), []),
        ("cove covenant octave tote", 1, ("tote",), []),
        ("cove covenant", 1, (), ["2025-01-02 octave: it was counted as accepted, but nytbee lacks it"]),
        ("cove covenant octave tote", 1, (), ["2025-01-02 tote: nytbee has it, but it was not counted as accepted"]),
        ("cove covenant octave vote", 1, (), ["2025-01-02 vote: nytbee has it, but it was not counted as accepted"]),
        ("covenant octave", 1, ("cove",), []),
        ("cove covenant", 2, (), []),
        ("canoe ocean", 1, (), ["2025-01-02 letters: nytbee has other letters"]),
    ],
)
def test_a_list_that_came_after_its_day_was_counted_with_one_witness_is_compared(answers, witnesses, decided, says):
    accepted = {word: (1, 1, "2025-01-02", "") for word in ("cove", "covenant", "octave")}
    known = recorded(**accepted, tote=(1, 0, "", "2025-01-02"))
    letters = ("c", "aenosv") if "canoe" in answers else ("e", "acnotv")
    day = {"date": "2025-01-02", "source": "nytbee", "center": letters[0], "outer": letters[1], "answers": answers}
    scored = {"date": "2025-01-02", "source": "nyt", "witnesses": witnesses, "answers": 3, "missing": 0, "extra": 0}
    found = violations(
        known,
        **rows_of("days", **day, settled=True, week_over=False, accepted=False),
        **rows_of("track", **scored, exact=1, expected=0.5, surprise=0.1),
        verdicts=verdicts(*((word, "keep") for word in decided)),
    )
    early = violations(
        known,
        **rows_of("days", **day, settled=False, week_over=False, accepted=False),
        **rows_of("track", **scored, exact=1, expected=0.5, surprise=0.1),
    )
    assert "record-differs" not in rules(early), "the list can still grow"
    differing = found[found["rule"] == "record-differs"]
    told = [f"{subject}: {detail}" for subject, detail in zip(differing["subject"], differing["detail"], strict=True)]
    assert [text.startswith(beginning) for text, beginning in zip(told, says, strict=True)] == [True] * len(says)
    assert all("`bee " in text for text in told if "letters" not in text)
