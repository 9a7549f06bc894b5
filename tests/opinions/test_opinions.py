"""Flags, estimates, decisions, diffs and checks, each on a valid example in which one thing is then changed."""

from typing import Any

import pandas as pd
import pytest
from conftest import PROJECT

from pipeline import solver, violations
from pipeline.facts import by_hand, endings
from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import catalog, decide, estimate, flag, relatives
from pipeline.publishing import check
from pipeline.tables import frames
from pipeline.words import OFFENSIVE

CLEAN: dict[str, Any] = {
    "word": "cove", "scowl_size": 35, "scowl_british": 35, "scowl_variant": NO_SIZE, "scowl_variant_level": 0,
    "scowl_upper": NO_SIZE, "scowl_name": NO_SIZE, "scowl_abbreviation": NO_SIZE, "scowl_special": NO_SIZE,
    "modern": False, "own": "",
    "wordnet_pos": "n", "wordnet_senses": 2, "wordnet_tagged": 3, "wordnet_capitalised": 0, "wordnet_labels": "",
    "lemma": "", "cuss": -1, "ldnoobw": False, "zipf": 3.4, "zipf_abroad": 2.0, "language": "it",
}  # fmt: skip

OFFENSIVE_BY_HAND = frames.read_csv((PROJECT / "data/custom/offensive.csv").read_bytes(), "offensive.csv")

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


def flags_of(**change: Any) -> set[str]:
    return set(flag.flag(lexicon(change))["flag"])


def test_every_rule_has_its_examples():
    by_hand = {rule.id for rule in catalog.FLAGS if rule.marks is None}
    assert by_hand == {"explicit", "crude"}, "any other flag without `marks` would never mark a word"
    assert set(BREAKS) == set(NEIGHBOURS) == {rule.id for rule in catalog.FLAGS} - by_hand
    assert by_hand < set(OFFENSIVE) < {rule.id for rule in catalog.FLAGS}
    assert all(rule.severity in ("strong", "fair", "note") and rule.sentence.endswith(".") for rule in catalog.FLAGS)


def test_a_clean_word_has_no_flag():
    assert flags_of() == set()


@pytest.mark.parametrize(("rule", "change"), [(rule, change) for rule in BREAKS for change in BREAKS[rule]])
def test_one_change_raises_the_flag(rule, change):
    found = flag.flag(lexicon(change))
    (row,) = found[found["flag"] == rule].to_dict("records")
    assert row["detail"]
    assert row["severity"] == next(one.severity for one in catalog.FLAGS if one.id == rule)


@pytest.mark.parametrize(("rule", "change"), [(rule, change) for rule in NEIGHBOURS for change in NEIGHBOURS[rule]])
def test_a_smaller_change_does_not(rule, change):
    assert rule not in flags_of(**change)


def test_the_gravest_offensive_flag_stands_alone_and_forms_inherit_it():
    found = flag.flag(
        lexicon(
            {"word": "coon", "wordnet_labels": "disparagement=1 ethnic_slur=1", "cuss": 2, "ldnoobw": True},
            {"word": "coons", "lemma": "coon", "wordnet_senses": 0},
        )
    )
    assert [(row["word"], row["flag"]) for row in found.to_dict("records")] == [("coon", "slur"), ("coons", "slur")]


def grades(**words: str) -> pd.DataFrame:
    return frames.from_rows([{"word": word, "grade": grade} for word, grade in words.items()], "offensive")


def test_a_grade_by_hand_overrules_the_lists_and_forms_inherit_it():
    words = lexicon(
        {"word": "taco", "wordnet_labels": "ethnic_slur=1"},
        {"word": "tacos", "lemma": "taco", "wordnet_senses": 0},
        {"word": "vixen"},
        {"word": "vixens", "lemma": "vixen", "wordnet_senses": 0},
    )
    found = flag.flag(words, grades(taco="none", vixen="vulgar"))
    assert [(row["word"], row["flag"], row["detail"]) for row in frames.rows(found)] == [
        ("vixen", "vulgar", "graded by hand"),
        ("vixens", "vulgar", "a form of vixen"),
    ]


@pytest.mark.parametrize(
    ("grade", "tier"),
    [("slur", "refused"), ("vulgar", "refused"), ("explicit", "likely"), ("crude", "likely"), ("sensitive", "likely")],
)
def test_a_slur_or_a_strong_vulgarity_that_was_never_accepted_is_refused_whatever_its_p(grade, tier):
    words = lexicon({"word": "badword"})
    rude = flag.flag(words, grades(badword=grade))
    found = decided(candidates(badword=1), frames.empty("evidence"), estimates(badword=0.99), rude)
    assert tiers(found) == {"badword": (tier, "estimate")}
    twice = evidence(badword=GOOD).assign(vouched=2)
    assert tiers(decided(candidates(badword=1), twice, flags=rude))["badword"][0] == "core"


def flagged(*rows: dict, **by_hand: str) -> dict[str, str]:
    found = flag.flag(lexicon(*rows), grades(**by_hand))
    return {row["word"]: row["flag"] for row in frames.rows(found) if row["flag"] in OFFENSIVE}


@pytest.mark.parametrize("made", ["shitty", "shittier", "shitless", "shitlike", "shits", "shitting"])
def test_a_grade_passes_to_forms_and_plain_derivatives(made):
    words = [{"word": word} for word in sorted({"shit", "shitty", made})]
    assert flagged(*words, shit="vulgar")[made] == "vulgar"
    assert made not in flagged(*words, **{"shit": "vulgar", "shitty": "none", made: "none"})


@pytest.mark.parametrize(
    ("word", "part"),
    [("pussycat", "pussy"), ("cockpit", "cock"), ("scunthorpe", "cunt"), ("cockatoo", "cock"), ("classic", "lass")],
)
def test_a_word_that_only_holds_another_one_is_not_made_from_it(word, part):
    assert word not in flagged({"word": word}, {"word": part}, **{part: "vulgar"})


@pytest.mark.parametrize(
    ("word", "base"),
    [("junkier", "junkie"), ("skanking", "skank"), ("crapy", "crap"), ("dyked", "dyke"), ("twinked", "twink")],
)
def test_what_only_looks_like_a_form_is_graded_none_by_hand(word, base):
    by_hand = {row["word"]: row["grade"] for row in frames.rows(OFFENSIVE_BY_HAND)}
    rows = [{"word": base}, {"word": word, "lemma": base}]
    assert word not in flagged(*rows, **by_hand)
    assert flagged(*rows, **{name: grade for name, grade in by_hand.items() if name != word})[word] == by_hand[base]


def test_of_two_bases_the_gravest_counts_and_a_grade_by_hand_passes_before_the_lists():
    assert flagged({"word": "hoser"}, {"word": "hose"}, {"word": "hosers"}, hose="crude", hoser="slur")["hosers"]
    two = flagged({"word": "dicker"}, {"word": "dick"}, {"word": "dicke"}, dick="crude", dicke="slur")
    assert two["dicker"] == "slur"
    listed = {"word": "tacos", "lemma": "taco", "cuss": 2, "ldnoobw": True}
    assert "tacos" not in flagged({"word": "taco"}, listed, taco="none")


def evidence(**records: tuple[int, int, str, str]) -> pd.DataFrame:
    """Records by word: offered, accepted, last accepted, last rejected."""
    rows = [
        {
            "word": word, "offered": offered, "accepted": accepted, "first_accepted": yes, "last_accepted": yes,
            "last_rejected": no, "vouched": 1 if accepted else 0,
        }
        for word, (offered, accepted, yes, no) in records.items()
    ]  # fmt: skip
    return frames.from_rows(rows, "evidence")


def candidates(known: bool = True, **words: int) -> pd.DataFrame:
    return frames.from_rows(
        [{"word": word, "mask": mask, "known": known} for word, mask in words.items()], "candidates"
    )


def estimates(**p: float) -> pd.DataFrame:
    rows = [{"word": word, "p": value, "basis": "SCOWL 35", "kind": "estimate"} for word, value in p.items()]
    return frames.from_rows(rows, "estimates")


def verdicts(*rows: tuple[str, str]) -> pd.DataFrame:
    return frames.from_rows(
        [{"word": word, "verdict": said, "reason": "seen", "by": "ann", "on": "2025-01-01"} for word, said in rows],
        "verdicts",
    )


NONE = frames.empty("verdicts")
GOOD = (2, 2, "2025-01-02", "")
BAD = (2, 1, "2024-01-02", "2025-01-02")


def tiers(decisions: pd.DataFrame) -> dict[str, tuple[str, str]]:
    assert (decisions["because"].str.len() > 10).all()
    return {row["word"]: (row["tier"], row["by"]) for row in decisions.to_dict("records")}


def decided(words, record, guess=None, flags=None, said=NONE, families=None) -> pd.DataFrame:
    """Decide without flags, verdicts or families unless they are given."""
    none = frames.empty("flags") if flags is None else flags
    known = frames.empty("lexicon") if families is None else families
    return decide.decide(words, record, estimates() if guess is None else guess, none, said, known)


@pytest.mark.parametrize(
    ("level", "twin", "p", "tier"),
    [
        (1, 2.1, 0.5, "likely"),
        (2, 2.1, 0.5, "review"),
        (2, 2.1, 0.7, "likely"),
        (3, 2.1, 0.69, "review"),
        (3, 2.0, 0.69, "likely"),
    ],
)
def test_a_variant_that_is_rarer_than_its_twin_needs_more_to_be_listed(level, twin, p, tier):
    elsewhere = {"scowl_size": NO_SIZE, "scowl_british": NO_SIZE, "scowl_variant": 50, "scowl_variant_level": level}
    families = lexicon({"word": "pixy", "zipf": 2.0, **elsewhere}, {"word": "pixie", "zipf": twin})
    found = decided(candidates(pixy=1), frames.empty("evidence"), estimates(pixy=p), families=families)
    assert tiers(found)["pixy"] == (tier, "estimate")


def test_a_variant_plural_is_compared_with_the_other_plural_of_its_base():
    elsewhere = {"scowl_size": NO_SIZE, "scowl_british": NO_SIZE, "scowl_variant": 50, "scowl_variant_level": 2}
    rows = [{"word": "chili"}, {"word": "chilis", "lemma": "chili", "zipf": 2.0, **elsewhere}]
    other = {"word": "chilies", "lemma": "chili", "zipf": 2.1}
    verb = {"word": "chilied", "lemma": "chili", "zipf": 2.1}
    for more, tier in ((other, "review"), (verb, "likely"), ({**other, "zipf": 2.0}, "likely")):
        found = decided(
            candidates(chilis=1), frames.empty("evidence"), estimates(chilis=0.6), families=lexicon(*rows, more)
        )
        assert tiers(found)["chilis"] == (tier, "estimate")


@pytest.mark.parametrize(("base", "tier"), [(0.69, "review"), (0.7, "likely")])
def test_a_form_of_a_name_needs_more_unless_the_name_is_listed(base, tier):
    name = {"word": "danish", "scowl_upper": 10, "wordnet_senses": 1, "wordnet_capitalised": 1}
    families = lexicon(name, {"word": "danishes", "lemma": "danish", "wordnet_senses": 0})
    words, guess = candidates(danish=1, danishes=1), estimates(danish=base, danishes=0.6)
    assert tiers(decided(words, frames.empty("evidence"), guess, families=families))["danishes"] == (tier, "estimate")


def test_a_form_with_a_sense_of_its_own_and_a_name_that_is_a_form_need_no_more():
    name = {"scowl_upper": 10, "wordnet_senses": 1, "wordnet_capitalised": 1}
    families = lexicon(
        {"word": "danish", **name},
        {"word": "danishes", "lemma": "danish", "wordnet_senses": 1},
        {"word": "cove"},
        {"word": "coves", "lemma": "cove", **name},
    )
    words, guess = candidates(danishes=1, coves=1), estimates(danishes=0.6, coves=0.6)
    found = tiers(decided(words, frames.empty("evidence"), guess, families=families))
    assert found == {"danishes": ("likely", "estimate"), "coves": ("likely", "estimate")}


@pytest.mark.parametrize(
    ("row", "tier"),
    [
        ({"word": "silenter", "lemma": "silent"}, "review"),
        ({"word": "silentest", "lemma": "silent"}, "review"),
        ({"word": "silenter", "lemma": "silent", "zipf": 1.1}, "likely"),
        ({"word": "silenter", "lemma": "silent", "wordnet_senses": 1}, "likely"),
        ({"word": "warmer", "lemma": "warm"}, "likely"),
        ({"word": "eerier", "lemma": "eerie"}, "likely"),
        ({"word": "happier", "lemma": "happy"}, "likely"),
        ({"word": "mellower", "lemma": "mellow"}, "likely"),
        ({"word": "nobler", "lemma": "noble"}, "likely"),
        ({"word": "docilest", "lemma": "docile"}, "review"),
        ({"word": "unkinder", "lemma": "unkind"}, "likely"),
        ({"word": "milliner", "lemma": "millin"}, "likely"),
    ],
)
def test_a_comparative_that_nobody_says_waits_for_a_person(row, tier):
    pos = "n" if row["lemma"] == "millin" else "a"
    form = {"wordnet_senses": 0, "zipf": 0.0, **row}
    families = lexicon({"word": row["lemma"], "wordnet_pos": pos}, form)
    for p in (0.9, 0.5):
        guess = estimates(**{row["word"]: p})
        found = decided(candidates(**{row["word"]: 1}), frames.empty("evidence"), guess, families=families)
        assert tiers(found)[row["word"]] == (tier, "estimate")


def test_verdict_beats_evidence_beats_estimate():
    record = evidence(cove=GOOD, octave=BAD)
    guess = estimates(tote=0.9, canto=0.3, cento=0.01)
    assert tiers(decided(candidates(cove=1), record, guess)) == {
        "cove": ("core", "evidence"),
        "octave": ("refused", "evidence"),
        "tote": ("likely", "estimate"),
        "canto": ("review", "estimate"),
        "cento": ("refused", "estimate"),
    }
    overruled = tiers(decided(candidates(cove=1), record, guess, said=verdicts(("cove", "drop"), ("octave", "keep"))))
    assert overruled["cove"] == ("refused", "verdict")
    assert overruled["octave"] == ("core", "verdict")


def test_a_word_that_one_source_alone_names_and_no_list_knows_waits():
    record = evidence(zzyzzy=(1, 1, "2025-01-02", ""))
    assert tiers(decided(candidates(known=False, zzyzzy=1), record))["zzyzzy"][0] == "review"
    assert tiers(decided(candidates(zzyzzy=1), record))["zzyzzy"][0] == "core"
    record["vouched"] = 2
    assert tiers(decided(candidates(known=False, zzyzzy=1), record))["zzyzzy"][0] == "core"


def estimated(lexicon: pd.DataFrame, record: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    known = estimate.known(lexicon, record)
    return estimate.limited(known, estimate.fit(known), words)


def test_an_offensive_flag_never_removes_an_accepted_word():
    words = lexicon({"word": "coon", "wordnet_labels": "ethnic_slur=1"})
    record = evidence(coon=GOOD).assign(vouched=2)
    guess = estimated(words, record, words["word"])
    assert tiers(decided(candidates(coon=1), record, guess, flag.flag(words))) == {"coon": ("core", "evidence")}


def test_the_estimate_rises_with_what_was_accepted_of_words_alike():
    common = [{"word": f"cove{letter}"} for letter in "abcdefghij"]
    large = [{"word": f"vote{letter}", "scowl_size": 80, "zipf": 1.2} for letter in "abcdefghij"]
    words = lexicon(*common, *large, {"word": "covet"}, {"word": "votet", "scowl_size": 80, "zipf": 1.2})
    record = evidence(**{row["word"]: GOOD for row in common}, **{row["word"]: BAD for row in large})
    found = estimated(words, record, words["word"])
    p = dict(zip(found["word"], found["p"], strict=True))
    assert set(p) == {"covet", "votet"}
    assert p["covet"] > decide.LIKELY > p["votet"]


TRIALS = frames.from_rows(
    [
        {"date": "2025-01-02", "word": "cove", "accepted": True},
        {"date": "2025-01-02", "word": "octave", "accepted": True},
        {"date": "2025-01-02", "word": "tote", "accepted": False},
        {"date": "2025-01-02", "word": "covenant", "accepted": True},
        {"date": "2025-01-02", "word": "canto", "accepted": False},
    ],
    "trials",
)


def decisions(**tier: str) -> pd.DataFrame:
    reason = {"by": "evidence", "kind": "accepted", "details": ""}
    rows = [{"word": word, "tier": name, "because": f"so {word}", **reason} for word, name in tier.items()]
    return frames.from_rows(rows, "decisions")


def test_diffs_name_missing_and_extra_words_with_the_reason():
    found = check.diff(TRIALS, decisions(cove="core", covenant="core", octave="review", tote="likely", canto="refused"))
    assert [(row["word"], row["side"], row["because"]) for row in found.to_dict("records")] == [
        ("octave", "missing", "so octave"),
        ("tote", "extra", "so tote"),
    ]


def test_diffs_by_word_follow_from_the_record_alone():
    record = evidence(cove=(3, 2, "2025-01-02", "2024-01-01"), octave=BAD, tote=GOOD)
    found = check.by_word(record, decisions(cove="core", octave="refused", tote="core"))
    assert [tuple(row) for row in found.itertuples(index=False)] == [
        ("cove", "extra", 1, "so cove"),
        ("octave", "missing", 1, "so octave"),
    ]


def rules(found: pd.DataFrame) -> list[str]:
    return sorted(set(found["rule"]))


PUZZLES = frames.from_rows([{"date": "2025-01-02", "center": "e", "outer": "acnotv", "source": "days"}], "puzzles")
ANSWERS = frames.from_rows(
    [{"date": "2025-01-02", "word": word, "vouched": 1} for word in ("cove", "covenant", "octave")], "answers"
)
ALL_WELL = decisions(cove="core", covenant="core", octave="core", tote="refused", canto="refused")


def captures(**change: pd.DataFrame) -> list[str]:
    tables = {
        "faults": frames.empty("faults"), "conflicts": frames.empty("conflicts"), "puzzles": PUZZLES,
        "answers": ANSWERS, "trials": TRIALS, "decisions": ALL_WELL, "lines": {},
    }  # fmt: skip
    return rules(check.check_captures(**{**tables, **change}))


SUBJECT = "nyt 2025-01-02 eacnotv"


def test_clean_captures_break_no_rule():
    assert captures() == []


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("answer-lost", {"trials": TRIALS[TRIALS["word"] != "octave"]}),
        ("list-lacks-pangram", {"decisions": decisions(cove="core", covenant="review")}),
        (
            "source-conflict",
            {
                "conflicts": frames.from_rows(
                    [dict(date="2025-01-02", subject="tote", source_a="a", source_b="b", detail="differ", open=False)],
                    "conflicts",
                )
            },
        ),
        *[
            (
                rule.id,
                {
                    "faults": frames.from_rows(
                        [{"rule": rule.id, "subject": "nyt 2025-01-02 eacnotv", "detail": "so"}], "faults"
                    )
                },
            )
            for rule in violations.CATALOG
            if rule.scope == "capture" and rule.id not in ("answer-lost", "list-lacks-pangram", "source-conflict")
        ],
    ],
)
def test_one_change_to_the_captures_breaks_one_rule(rule, change):
    assert captures(**change) == [rule]


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("correction-stale", " `bee undo 2025-01-02 --kind correction --line 3` takes the line out."),
        ("correction-met", " `bee undo 2025-01-02 --kind correction --line 3` takes the line out."),
        ("correction-broken", ""),
    ],
)
def test_a_correction_that_is_not_needed_any_more_names_the_command_that_takes_out_its_line(rule, command):
    lines = {"corrections": {("nyt", "2025-01-02", "nacetov"): 2, ("nyt", "2025-01-02", "eacnotv"): 3}}
    faults = frames.from_rows([{"rule": rule, "subject": SUBJECT, "detail": "so."}], "faults")
    found = check.check_captures(faults, frames.empty("conflicts"), PUZZLES, ANSWERS, TRIALS, ALL_WELL, lines)
    assert found["detail"].tolist() == [f"so.{command}"]


RECORD = evidence(cove=GOOD, octave=BAD)
DECIDED = decisions(cove="core", octave="refused", tote="likely")


CANDIDATES = pd.Series(["cove", "octave", "tote"])


def release(record=RECORD, decided=DECIDED, said=NONE, graded=None) -> list[str]:
    candidates = pd.DataFrame({"word": CANDIDATES, "known": True})
    tried = decide.by_record(candidates, record, frames.empty("flags"))
    graded = grades() if graded is None else graded
    written = {"verdicts": said, "grades": graded.assign(reason="", by=""), "admitted": frames.empty("admitted")}
    by_hand = check.check_by_hand(written, {}, [CANDIDATES], frames.empty("waiting"))
    return rules(check.join(check.check_release(record, decided, said, tried), by_hand))


@pytest.mark.parametrize(("table", "kind"), [("verdicts", "verdict"), ("grades", "grade")])
def test_a_word_that_nobody_knows_names_the_command_that_takes_out_this_line_alone(table, kind):
    person = {"reason": "odd", "by": "ann"}
    written = {
        "verdicts": frames.from_rows([{"word": "cofe", "verdict": "keep", **person, "on": "2025-01-02"}], "verdicts"),
        "grades": frames.from_rows([{"word": "cofe", "grade": "none", **person}], "grades"),
        "admitted": frames.empty("admitted"),
    }
    details = check.check_by_hand(written, {}, [CANDIDATES], frames.empty("waiting"))["detail"].tolist()
    path = by_hand.PATHS[table]
    command = f"`bee undo cofe --kind {kind}`"
    assert [command in detail for detail in details if detail.startswith(path)] == [True]


def test_a_clean_release_breaks_no_rule():
    assert release() == []
    assert release(said=verdicts(("tote", "drop")), decided=decisions(cove="core", octave="refused")) == []


@pytest.mark.parametrize(
    ("word", "verdict"),
    [("tote", "keep"), ("tote", "drop"), ("cove", "drop"), ("octave", "keep")],
)
def test_a_verdict_is_stale_only_when_official_trials_say_the_same(word, verdict):
    assert release(decided=DECIDED[DECIDED["word"] != word], said=verdicts((word, verdict))) == []


def test_a_verdict_on_a_word_that_waits_for_a_witness_is_not_stale():
    alone = evidence(cove=GOOD, octave=BAD).assign(vouched=1)
    unknown = pd.DataFrame({"word": CANDIDATES, "known": CANDIDATES != "cove"})
    tried = decide.by_record(unknown, alone, frames.empty("flags"))
    assert rules(check.check_release(alone, decisions(), verdicts(("cove", "keep")), tried)) == []


def broken(column: str, value: Any) -> pd.DataFrame:
    frame = RECORD.copy()
    frame.loc[frame["word"] == "cove", column] = value
    return frame


UNDATED = evidence(cove=GOOD, octave=(2, 1, "", "2025-01-02"))


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("evidence-impossible", {"record": broken("accepted", 3)}),
        ("evidence-impossible", {"record": broken("offered", 5)}),
        ("evidence-impossible", {"record": broken("last_rejected", "2019-01-01")}),
        ("evidence-impossible", {"record": UNDATED}),
        ("evidence-impossible", {"record": broken("first_accepted", "2025-12-31")}),
        ("not-playable", {"decided": decisions(cove="core", octave="refused", tot="likely")}),
        ("no-because", {"decided": DECIDED.assign(because=["", "so", "so"])}),
        ("refused-listed", {"decided": decisions(cove="core", octave="core")}),
        ("accepted-unlisted", {"decided": decisions(cove="refused", octave="refused")}),
        ("unvouched", {"decided": decisions(cove="review", octave="refused")}),
        ("verdict-broken", {"said": verdicts(("tote", "perhaps"))}),
        ("verdict-broken", {"said": verdicts(("tote", "drop")).assign(reason=" ")}),
        ("grade-broken", {"graded": grades(taco="rude")}),
        ("verdict-broken", {"said": verdicts(("tote", "drop")).assign(on="2025-02-30")}),
        ("word-unknown", {"said": verdicts(("zzyzzy", "keep"))}),
        ("word-unknown", {"graded": grades(cuve="crude")}),
        ("verdict-stale", {"said": verdicts(("cove", "keep"))}),
        ("verdict-stale", {"said": verdicts(("octave", "drop"))}),
    ],
)
def test_one_change_to_the_release_breaks_one_rule(rule, change):
    assert release(**change) == [rule]
    assert violations.VIOLATIONS[rule].scope == "release"


def test_the_catalogue_is_complete():
    assert len(violations.VIOLATIONS) == len(violations.CATALOG)
    for rule in violations.CATALOG:
        assert rule.severity in ("error", "warning")
        assert rule.scope in ("capture", "release")
        assert rule.sentence.endswith(".")


def test_links_of_all_words_at_once_are_those_of_the_obvious_way():
    words = sorted({word for word in solver.load_words() if len(word) < 9} | {"bakery", "unbaked", "jogged", "teapot"})
    known = set(words)
    lemmas = [word[:-1] if at % 3 == 0 and word[:-1] in known else "" for at, word in enumerate(words)]
    sizes = [10 + 5 * (at % 18) for at in range(len(words))]
    fast = relatives.links(pd.DataFrame({"word": words, "lemma": lemmas, "scowl_size": sizes}))
    parts = {word for word, size in zip(words, sizes, strict=True) if size <= endings.PART_SIZE}
    told = zip(fast["form"].tolist(), fast["base"].tolist(), fast["kind"].tolist(), strict=True)
    assert [((form, base), kind) for form, base, kind in told] == list(endings.pairs(words, lemmas, parts).items())
    assert set(fast["kind"]) == set(endings.KINDS)


def test_an_unusual_spelling_says_what_it_needs_only_below_that():
    words = lexicon({"word": "cove", "scowl_british": 10}, {"word": "dove", "scowl_british": 10})
    guess = pd.DataFrame({"word": ["cove", "dove"], "p": [0.7, 0.69], "kind": "estimate", "basis": "+ a test"})
    made = decided(candidates(cove=1, dove=1), frames.empty("evidence"), guess, families=words).set_index("word")
    assert made["tier"].tolist() == ["likely", "review"]
    assert made["details"].tolist() == [
        "0.70|+ a test",
        "0.69|- an unusual spelling or a name (listed from p = 0.7 on), + a test",
    ]


def test_estimates_are_told_as_decisions_name_them():
    guess = pd.DataFrame(
        {"word": ["cove", "dove"], "p": [0.6, 0.4], "kind": "estimate", "basis": ["+ a test", "- one"]}
    )
    made = pd.DataFrame(
        {"word": ["cove", "dove"], "kind": ["spelling", "relative"], "details": ["0.20", "x|0.40|0.60"]}
    )
    assert decide.told(guess, made)[["p", "basis"]].values.tolist() == [[0.2, "+ a test"], [0.4, "- one"]]
    limited = made.assign(kind="estimate", details=["0.02|- turd was refused", "0.40|- one"])
    assert decide.told(guess, limited)[["p", "basis"]].values.tolist() == [[0.02, "- turd was refused"], [0.4, "- one"]]
