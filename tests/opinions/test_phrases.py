"""Phrases of a reason: each is used only for words for which it is true, and in the direction that it suggests."""

import numpy as np
import pandas as pd
import pytest
from conftest import PROJECT
from test_opinions import lexicon

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import basis, model, origins, phrases, relatives, tried_relatives

NO_RELATIVES = {"accepted": "", "accepted_alike": "", "refused": "", "refused_alike": ""}


def reason_of(word: str, contributions: dict[str, float], *rows: dict, p: float = 0.9, **tried: str) -> str:
    """The reason of a word to whose p groups of columns contribute so much; `rows` are the lexicon, A to Z, and `tried`
    are the relatives that were tried."""
    frame = lexicon(*rows)
    row = np.flatnonzero(frame["word"] == word)
    relation = pd.DataFrame([{**NO_RELATIVES, **tried}])
    origin = origins.origins(frame, relatives.link_words(frame))
    facts = phrases.facts(frame, row, origin, pd.Series(dtype="str"), relation)
    (found,) = basis.basis(np.array([[*contributions.values()]]), list(contributions), np.array([p]), facts)
    return found


def both_ways(word: str, group: str, *rows: dict, **tried: str) -> tuple[str, str]:
    """What a group says of a word if it raises its p, and if it lowers it."""
    return reason_of(word, {group: 1.0}, *rows, **tried), reason_of(word, {group: -1.0}, *rows, **tried)


RARE = {"zipf": 1.99}
LODGE = {"word": "lodge", "wordnet_pos": "nv", "zipf": 4.0}
LODGER = {"word": "lodger", "wordnet_pos": "n", "wordnet_senses": 1, "zipf": 2.5}
FORM = {"lemma": "cove", "wordnet_senses": 0, "wordnet_pos": "", "zipf": 2.5}


COVE, COVES = {"word": "cove"}, {"word": "coves", **FORM}
ALIKE = {**COVES, "lemma": ""}
MISS, MISSION, BAKED, UNBAKED = ({"word": word} for word in ("miss", "mission", "baked", "unbaked"))


@pytest.mark.parametrize(
    ("rows", "up", "down"),
    [
        ([{"word": "gruel"}], "", ""),
        ([LODGE, LODGER], "+ made from lodge", ""),
        ([LODGE | RARE, LODGER | {"zipf": 1.0}], "+ made from lodge", "- made from the rare word lodge"),
        ([LODGE | {"zipf": 2.0}, LODGER | {"zipf": 1.0}], "+ made from lodge", ""),
        ([LODGE | {"wordnet_pos": "n"}, LODGER], "+ looks made from lodge", ""),
        ([LODGE | {"scowl_size": 50}, LODGER], "+ looks made from lodge", ""),
        ([BAKED | {"zipf": 1.0}, UNBAKED], "+ made from baked", "- made from the rare word baked"),
        ([BAKED | {"zipf": 0.9}, UNBAKED], "+ looks made from baked", "- looks made from the rare word baked"),
        ([COVE, COVES], "+ a form of cove", "- only a form of cove"),
        ([COVE | RARE, COVES], "+ a form of cove", "- a form of the rare word cove"),
        ([COVE, ALIKE], "+ looks like a form of cove", ""),
        ([COVE | RARE, ALIKE], "+ looks like a form of cove", "- looks like a form of the rare word cove"),
        ([MISS, MISSION], "+ looks made from miss", ""),
        ([MISS | RARE, MISSION], "+ looks made from miss", "- looks made from the rare word miss"),
        ([{"word": "wedd"}, {"word": "wedding", "lemma": "wed", "wordnet_senses": 0}], "+ a form of wed", ""),
        ([{"word": "wedd"}, {"word": "wedding", "lemma": "wed"}], "+ looks like a form of wed", ""),
    ],
)
def test_the_last_word_is_said_to_come_from_what_it_comes_from(rows, up, down):
    found = both_ways(rows[-1]["word"], "base", *rows)
    assert found[0] == (up or basis.NO_REASON)
    assert found[1] == (down or basis.NO_REASON) or rows[-1]["word"] == "wedding"


@pytest.mark.parametrize(
    ("change", "up"),
    [
        ({"zipf": 3.4}, "+ made from book and case"),
        ({"zipf": 3.41}, "+ looks made from book and case"),
        ({"wordnet_pos": "v"}, "+ looks made from book and case"),
        ({"wordnet_pos": "na"}, "+ looks made from book and case"),
        ({"wordnet_senses": 0, "wordnet_pos": ""}, "+ made from book and case"),
    ],
)
def test_a_compound_names_both_parts_and_hedges_what_may_be_an_accident(change, up):
    rows = [{"word": "book"}, {"word": "bookcase", **change}, {"word": "case"}]
    assert both_ways("bookcase", "compound", *rows) == (up, basis.NO_REASON)
    assert both_ways("bookcase", "base", *rows) == (basis.NO_REASON, basis.NO_REASON)
    assert both_ways("book", "compound", *rows) == (basis.NO_REASON, basis.NO_REASON)


def test_a_word_is_not_made_from_one_part_twice():
    """The cover of *overcover* is its base, so only *over* is left as a part, at both ends."""
    rows = [{"word": "cover"}, {"word": "over"}, {"word": "overcover"}]
    assert both_ways("overcover", "compound", *rows) == (basis.NO_REASON, basis.NO_REASON)
    assert both_ways("overcover", "base", *rows) == ("+ made from cover", basis.NO_REASON)


@pytest.mark.parametrize(
    ("words", "size", "says"),
    [
        (("airs", "airspace", "pace"), 35, "+ made from airs and pace"),
        (("airs", "airspace", "pace", "space"), 35, basis.NO_REASON),
        (("airs", "airspace", "pace", "space"), 55, "+ made from airs and pace"),
        (("airs", "airsp", "airspace", "pace"), 35, "+ made from airs and pace"),
        (("acer", "airs", "airsp", "airspacer", "pacer"), 35, basis.NO_REASON),
    ],
)
def test_a_compound_that_can_be_split_in_two_ways_names_no_parts(words, size, says):
    """Unless one of the parts, the last one here, is in a larger list."""
    rows = [{"word": word} for word in words]
    rows[-1]["scowl_size"] = size
    assert reason_of(max(words, key=len), {"compound": 1.0}, *rows) == says


def test_a_form_is_a_compound_if_its_base_is_one():
    book = [{"word": word} for word in ("book", "bookcase", "case", "cases")]
    form = {"word": "bookcases", **FORM, "lemma": "bookcase"}
    rows = sorted([*book, form], key=lambda row: row["word"])
    assert reason_of("bookcases", {"compound": 1.0}, *rows) == "+ made from book and cases"
    rampages = [
        {"word": "ages"},
        {"word": "ramp"},
        {"word": "rampage"},
        {**form, "word": "rampages", "lemma": "rampage"},
    ]
    assert reason_of("rampages", {"compound": 1.0, "base": 0.5}, *rampages) == "+ a form of rampage"


SMALLER = "- its form coves is in smaller dictionaries"


@pytest.mark.parametrize(
    ("form", "up", "down"),
    [
        ({"scowl_size": 50}, "+ its form coves is in small dictionaries", basis.NO_REASON),
        ({"scowl_size": 60}, "+ its form coves is in ordinary dictionaries", basis.NO_REASON),
        ({"scowl_size": 70, "zipf": 3.5}, "+ its form coves is more common", basis.NO_REASON),
        ({"scowl_size": 70, "zipf": 3.4}, basis.NO_REASON, basis.NO_REASON),
        ({"scowl_size": 34}, "+ its form coves is in small dictionaries", SMALLER),
        ({"lemma": "", "zipf": 3.5}, basis.NO_REASON, basis.NO_REASON),
    ],
)
def test_what_the_forms_of_a_word_say_is_not_what_it_is_made_from(form, up, down):
    rows = [{"word": "cove"}, {"word": "coves", **FORM, **form}]
    assert both_ways("cove", "forms", *rows) == (up, down)
    assert both_ways("cove", "base", *rows) == (basis.NO_REASON, basis.NO_REASON)


LARGEST, VARIANT, NOT_SMALL = {"scowl_size": 95}, "- a variant spelling", "- not in small dictionaries"


@pytest.mark.parametrize(
    ("group", "change", "up", "down"),
    [
        ("dictionaries", {"scowl_size": 50}, "+ in small dictionaries", ""),
        ("dictionaries", {"scowl_size": 55}, "+ in ordinary dictionaries", "- not in small dictionaries"),
        ("dictionaries", {"scowl_size": 60}, "+ in ordinary dictionaries", "- not in small dictionaries"),
        ("dictionaries", {"scowl_size": 70}, "+ in large dictionaries", "- only in large dictionaries"),
        ("dictionaries", {"scowl_size": 80}, "+ in very large dictionaries", "- only in very large dictionaries"),
        ("dictionaries", {"scowl_size": 95}, "+ in the largest word lists", "- only in the largest word lists"),
        ("dictionaries", {**LARGEST, "scowl_variant": 50}, "+ in small dictionaries as a variant", VARIANT),
        ("dictionaries", {**LARGEST, "scowl_variant": 60}, "+ in ordinary dictionaries as a variant", VARIANT),
        ("dictionaries", {"scowl_size": 60, "scowl_variant": 60}, "+ in ordinary dictionaries", NOT_SMALL),
        ("dictionaries", {**LARGEST, "scowl_british": 35}, "+ in small British dictionaries", "- a British spelling"),
        ("dictionaries", {"scowl_size": NO_SIZE, "scowl_special": 95}, "", "- not in SCOWL as a common word"),
        ("dictionaries", {"scowl_size": NO_SIZE, "scowl_name": 95}, "", "- not in SCOWL as a common word"),
        ("dictionaries", {"scowl_size": NO_SIZE}, "", "- not in SCOWL"),
        ("frequency", {"zipf": 0.0}, "", "- never met in texts"),
        ("frequency", {"zipf": 0.5}, "+ seen in texts", "- hardly ever met in texts"),
        ("frequency", {"zipf": 3.0}, "+ seen in texts", "- uncommon in texts"),
        ("frequency", {"zipf": 3.01}, "+ fairly common", ""),
        ("WordNet", {"wordnet_senses": 1, "wordnet_tagged": 1}, "+ in WordNet", ""),
        ("WordNet", {"wordnet_tagged": 0}, "+ in WordNet", "- never used in WordNet's sample texts"),
        ("WordNet", {"wordnet_senses": 0}, "", "- not in WordNet"),
        ("WordNet", {"wordnet_senses": 0, "wordnet_capitalised": 1}, "", "- in WordNet only with a capital"),
        ("name", {}, "+ not also a name", ""),
        ("name", {"scowl_name": 95}, "", "- also a name"),
        ("name", {"scowl_upper": 95}, "", "- also written with a capital"),
        ("name", {"wordnet_capitalised": 1}, "", "- also written with a capital"),
        ("pangram", {"word": "covenant"}, "+ a pangram", ""),
        ("pangram", {"word": "covenan"}, "", "- not a pangram"),
        ("use abroad", {"zipf_abroad": 3.4}, "+ not more common in other languages", ""),
        ("use abroad", {"zipf_abroad": 3.41}, "", "- more common in other languages"),
        ("beginning", {"word": "unbee"}, "+ begins with un-", "- begins with un-"),
        ("beginning", {"word": "unbe"}, "", ""),
        ("ending", {"word": "cacament"}, "+ ends in -ment", "- ends in -ment"),
        ("ending", {"word": "cament"}, "+ ends in -ent", "- ends in -ent"),
        ("own list", {"own_list": True}, "+ in a list of your own", "- in a list of your own"),
        ("own list", {}, "", ""),
    ],
)
def test_a_phrase_begins_to_be_true_where_its_words_say(group, change, up, down):
    """An unusual spelling is never given as an advantage, and a small dictionary is never given as a drawback."""
    row = {"scowl_british": change.get("scowl_size", 35), **change}
    assert both_ways(change.get("word", "cove"), group, row) == (up or basis.NO_REASON, down or basis.NO_REASON)


@pytest.mark.parametrize(
    ("tried", "up", "down"),
    [
        ({}, basis.NO_REASON, basis.NO_REASON),
        ({"accepted": "coves", "refused": "coved"}, "+ coves was accepted", "- coved was refused"),
        ({"accepted_alike": "coven"}, "+ the similar word coven was accepted", basis.NO_REASON),
        ({"accepted": "coves", "accepted_alike": "coven"}, "+ coves was accepted", basis.NO_REASON),
        ({"refused_alike": "coven"}, basis.NO_REASON, "- the similar word coven was refused"),
    ],
)
def test_an_accepted_relative_speaks_for_a_word_and_a_refused_one_against_it(tried, up, down):
    assert both_ways("cove", "relatives", {}, **tried) == (up, down)


def test_a_group_that_has_nothing_true_to_say_leaves_its_place_to_the_next():
    contributions = {"base": 3.0, "WordNet": -2.0, "pangram": -1.0, "frequency": 0.5, "name": 0.4}
    found = reason_of("cove", contributions, {"word": "cove", "wordnet_senses": 0})
    assert found == "+ fairly common, - not in WordNet, - not a pangram"
    assert reason_of("cove", contributions, {"word": "cove", "wordnet_senses": 0}, p=0.4) == (
        "- not in WordNet, - not a pangram, + fairly common"
    )
    assert reason_of("cove", {"pangram": 0.0, "WordNet": 0.0}, {}) == basis.NO_REASON, (
        "a contribution of 0 is no reason"
    )


def test_every_column_of_the_model_belongs_to_a_group_that_can_say_something():
    fitted = model.decode((PROJECT / "data/custom/model.csv").read_bytes())
    groups = set(basis.columns_by_group([name for name in fitted.weights["name"] if name != model.CONSTANT]))
    assert groups | {"own list"} == {phrase.group for phrase in phrases.PHRASES}


def test_what_forms_say_and_what_bases_say_are_two_groups():
    """*Cove* has a form and no base, *coves* a base and no form."""
    frame = lexicon({"word": "cove"}, {"word": "coves", **FORM, "scowl_size": 10, "zipf": 4.0})
    table = relatives.base_features(frame, relatives.link_words(frame))
    by_forms, by_bases = ({name for name in table if table.loc[row, name] != 0} for row in (0, 1))
    assert {basis.group_of(f"base: {name}") for name in by_forms} == {"forms"}
    assert len(by_forms) == 3
    assert {basis.group_of(f"base: {name}") for name in set(table) - by_forms} == {"base"}
    assert by_bases <= set(table) - by_forms
    names = ("shape: inflected", "relatives: compound", "relatives: compounds alike")
    assert [basis.group_of(name) for name in names] == ["base", "compound", "relatives"]


READS_AS_A_MINUS = ("not ", "no ", "only", "never", "spelling", "also ", "rare", "refused", "hardly")
READS_AS_A_PLUS = ("accepted", "small dictionaries", "is more common", "a pangram", "seen ")
HARMLESS = {
    "+ not also a name",
    "+ not more common in other languages",
    "- not in small dictionaries",
    "- not a pangram",
}


def test_no_phrase_contradicts_its_sign():
    for phrase in phrases.PHRASES:
        text = f"{phrase.sign} {phrase.text}"
        other_side = READS_AS_A_MINUS if phrase.sign == phrases.UP else READS_AS_A_PLUS
        assert text in HARMLESS or not any(part in phrase.text for part in other_side), text
        assert ", " not in text, "a comma separates phrases"


MORN, NEWA, CLOSE = {"word": "morn"}, {"word": "newa"}, {"word": "close", "wordnet_pos": "a"}
WILIER = {"word": "wilier", "lemma": "wily", "wordnet_senses": 0}


@pytest.mark.parametrize(
    ("word", "base", "rows"),
    [
        ("morning", False, [MORN | {"wordnet_pos": "n"}, {"word": "morning", "lemma": "morn"}]),
        ("morning", True, [MORN | {"wordnet_pos": "nv"}, {"word": "morning", "lemma": "morn"}]),
        ("news", False, [NEWA, {"word": "news", "lemma": "newa", "zipf": 3.9}]),
        ("news", True, [NEWA, {"word": "news", "lemma": "newa", "zipf": 3.89}]),
        ("wilier", True, [WILIER, {"word": "wily", "wordnet_pos": "a"}]),
        ("wilier", False, [WILIER, {"word": "wily"}]),
        ("closest", True, [CLOSE, {"word": "closest", "lemma": "close", "wordnet_pos": "n"}]),
        ("lost", True, [{"word": "lose"}, {"word": "lost", "lemma": "lose", "wordnet_pos": "a"}]),
        ("porter", False, [{"word": "port", "wordnet_pos": "na"}, {"word": "porter", "lemma": "port"}]),
    ],
)
def test_a_word_with_a_sense_of_its_own_may_be_no_form(word, base, rows):
    frame = lexicon(*rows)
    found = origins.origins(frame, relatives.link_words(frame))
    at = frame["word"].tolist().index(word)
    assert bool(found.certain[at] and found.is_form[at]) == base


def strongest_relatives_of(word: str, *rows: dict, **surprise: float) -> dict[str, str]:
    """The tried words that are named for a word, given the surprise in their records."""
    frame = lexicon(*rows)
    links, names = relatives.link_words(frame), frame["word"].tolist()
    values = np.array([surprise.get(name, 0.0) for name in names])
    origin = origins.origins(frame, links)
    pairs = tried_relatives.tried_pairs(
        relatives.influences(links, relatives.same_stem_pairs(frame), values, frame), origin
    )
    pairs += tried_relatives.compounds_alike(origin, values)
    found = tried_relatives.strongest_relatives(
        pairs, np.ones(len(pairs)), frame["word"], np.array([names.index(word)])
    )
    return {name: cell for name, cell in found.iloc[0].to_dict().items() if cell}


FORMS_OF_COVE = [{"word": word, **FORM} for word in ("coved", "coves", "coving")]


def test_the_strongest_relative_is_named_on_each_side():
    rows = [{"word": "cove"}, *FORMS_OF_COVE]
    assert strongest_relatives_of("cove", *rows, coves=0.2, coved=0.3, coving=-0.1) == {
        "accepted": "coved",
        "refused": "coving",
    }
    assert strongest_relatives_of("cove", *rows, coves=0.3, coved=0.3) == {"accepted": "coved"}, (
        "of equal ones the first"
    )
    assert strongest_relatives_of("coves", *rows, cove=-0.1) == {"refused": "cove"}
    assert strongest_relatives_of("coving", *rows, coves=0.1) == {"accepted": "coves"}, "a form of the same word"
    assert strongest_relatives_of("cove", *rows) == {}
    assert strongest_relatives_of("coves", *rows, coved=-0.5) == {}, (
        "a form in -s ignores what verb forms were refused for"
    )
    assert strongest_relatives_of("coves", *rows, coved=0.5) == {"accepted": "coved"}
    alike = [{"word": "miss"}, {"word": "mission"}]
    assert strongest_relatives_of("mission", *alike, miss=0.2) == {"accepted_alike": "miss"}, (
        "only the spelling links them"
    )
    assert strongest_relatives_of("miss", *alike, mission=-0.2) == {"refused_alike": "mission"}


def test_a_compound_with_the_same_part_is_named():
    rows = [{"word": word} for word in ("book", "bookcase", "bookend", "case", "suit", "suitcase")]
    assert strongest_relatives_of("bookcase", *rows, suitcase=0.2) == {"accepted": "suitcase"}
    assert strongest_relatives_of("bookcase", *rows, suitcase=-0.2, bookcase=0.0) == {"refused": "suitcase"}
    rows[5] |= {"wordnet_pos": "a"}
    assert strongest_relatives_of("bookcase", *rows, suitcase=0.2) == {"accepted_alike": "suitcase"}
    assert strongest_relatives_of("bookend", *rows, suitcase=0.2) == {}


@pytest.mark.parametrize("weight", [-1.0, 0.0])
def test_a_record_that_counts_against_its_outcome_is_not_named(weight):
    frame = lexicon({"word": "cove"}, {"word": "coves", **FORM})
    links = relatives.link_words(frame)
    influences = relatives.influences(links, relatives.same_stem_pairs(frame), np.array([0.0, 0.5]), frame)
    pairs = tried_relatives.tried_pairs(influences, origins.origins(frame, links))
    found = tried_relatives.strongest_relatives(pairs, np.full(len(pairs), weight), frame["word"], np.array([0]))
    assert found.iloc[0].tolist() == ["", "", "", ""]
