"""The table of forms: which forms a base has, which base a form has, and what is corrected."""

import dataclasses

import pandas as pd
import pytest
from conftest import PROJECT

from lexicon import forms, wordnet
from lexicon.forms import Correction, Words
from pipeline import reader
from pipeline.errors import DataError


@pytest.mark.parametrize(
    ("base", "form", "spelled"),
    [
        ("cap", "past form", "capped"),
        ("cape", "past form", "caped"),
        ("offer", "past form", "offered offerred"),
        ("hurry", "past form", "hurried"),
        ("panic", "present participle", "panicing panicking"),
        ("die", "present participle", "dieing dying"),
        ("big", "comparative", "bigger"),
        ("homey", "comparative", "homeyer homier"),
        ("quiz", "plural", "quizzes"),
        ("toy", "third person", "toys"),
        ("match", "plural", "matches matchs"),
    ],
)
def test_regular_forms_follow_the_rules_of_spelling(base, form, spelled):
    assert sorted(forms.spellings(base, form)) == spelled.split()


INFLECTIONS = """axis,noun,axes/axises
axe,noun,axes
goose,noun,geese/goose
goose,verb,goosed,,goosing,gooses
tear,verb,tore,torn,tearing,tears
star,verb,starred,,starring,stars
tare,verb,tared,,taring,tares
tar,verb,tarred,,taring/tarring,tars
silent,adj,,
odd,adj,odder,oddest
"""
SIZES = {
    **dict.fromkeys("star stare odd sell resell silent recent fell goose tear tar nana leaf leave gamify".split(), 35),
    **{"stares": 35, "cookie": 20, "axis": 40, "axe": 50, "fall": 10, "tare": 60},
}
PARTS = {
    "star": {"noun", "verb"}, "stare": {"verb"}, "odd": {"adjective"}, "sell": {"verb"}, "resell": {"verb"},
    "silent": {"adjective"}, "recent": {"adjective"}, "fell": {"verb"}, "fall": {"verb"}, "goose": {"noun", "verb"},
    "cookie": {"noun"}, "cooky": {"noun"}, "axis": {"noun"}, "axe": {"noun"}, "tear": {"verb"}, "nana": {"noun"},
    "leaf": {"noun"}, "leave": {"noun", "verb"}, "recenter": {"verb"}, "owner": {"noun"}, "own": {"adjective"},
    "tar": {"verb"}, "tare": {"verb"}, "teared": {"adjective"},
}  # fmt: skip
ALL = """stares stared staring starred odder oddest sold resold silentest silenter recenter recentest fell felled gooses
geese cookies axes tears torn teared nanas leaves gamified gamifying gamifies owner ownest taring fells""".split()


@pytest.fixture
def words() -> Words:
    return Words(
        all=frozenset([*ALL, *SIZES, *PARTS]),
        parts_of_speech=PARTS,
        defined={"nanas": {"verb"}},
        sizes=SIZES,
        rarity={},
        listed=forms.read_inflections(INFLECTIONS),
        irregular=forms.irregular_inflections(
            {"verb": "sold sell\nfell fall\n", "noun": "leaves leaf leave\n", "adjective": ""}
        ),
    )


def rows(table: pd.DataFrame) -> dict[str, list[tuple[str, str]]]:
    return {word: list(zip(of_word["base"], of_word["form"], strict=True)) for word, of_word in table.groupby("word")}


def test_a_form_has_one_base_for_each_part_of_speech(words):
    found = rows(forms.table(forms.claims(words), [], {}, {}))
    assert found["stared"] == [("stare", "past form")]
    assert found["starred"] == [("star", "past form")]
    assert found["taring"] == [("tare", "present participle")], "whatever the package says of tar"
    assert found["cookies"] == [("cookie", "plural")], "the commoner of two bases"
    assert found["axes"] == [("axis", "plural")]
    assert found["leaves"] == [("leave", "plural"), ("leave", "third person")]
    assert found["gooses"] == [("goose", "third person")], "its plural is another"
    assert found["fells"] == [("fell", "third person")], "a past form with a sense of its own is a base"
    assert found["fell"] == [("fall", "past form")]
    assert found["resold"] == [("resell", "past form")], "like sold"
    assert found["gamified"] == [("gamify", "past form")], "a verb by its forms, though no list says so"


def test_comparatives_are_of_adjectives_that_compare_and_no_agent_noun_is_one(words):
    found = rows(forms.table(forms.claims(words), [], {}, {}))
    assert found["odder"] == [("odd", "comparative")]
    assert found["silenter"] == [("silent", "comparative")]
    assert not {"owner", "recenter"} & found.keys()
    assert "teared" not in found, "an adjective, and the past form of tear is another"


def test_a_base_that_is_more_frequent_comes_first_and_own_senses_are_marked(words):
    times = {("leave", "verb"): 90, ("leave", "noun"): 3, ("fall", "verb"): 100, ("fell", "verb"): 25}
    table = forms.table(forms.claims(words), [], times, {})
    assert rows(table)["leaves"] == [("leave", "third person"), ("leave", "plural")]
    own = dict(zip(table["word"], table["own"], strict=True))
    assert own["fell"] == "1", "four times as often as a fourth of the base"
    times["fell", "verb"] = 24
    table = forms.table(forms.claims(words), [], times, {})
    assert dict(zip(table["word"], table["own"], strict=True))["fell"] == ""
    table = forms.table(forms.claims(words), [], {("fell", "verb"): 0}, {})
    assert dict(zip(table["word"], table["own"], strict=True))["fell"] == "1", "neither occurs, and it has a sense"


def test_of_equally_frequent_bases_that_in_its_usual_part_of_speech_comes_first(words):
    for usual, first in (("noun", "plural"), ("verb", "third person")):
        table = forms.table(forms.claims(words), [], {("leaf", "noun"): 0}, {"leave": usual, "leaf": "noun"})
        assert next(form for base, form in rows(table)["leaves"] if base == "leave") == first
    table = forms.table(forms.claims(words), [], {("leave", "noun"): 1}, {"leave": "verb", "leaf": "noun"})
    assert rows(table)["leaves"][0] == ("leave", "plural"), "texts know better"


@pytest.mark.parametrize(
    ("defined", "expected"),
    [({}, {"plural"}), *(({word: {"verb"}}, {"plural", "third person"}) for word in ("nana", "nanas"))],
)
def test_a_plural_is_a_third_person_only_if_its_base_or_itself_has_a_sense_as_a_verb(words, defined, expected):
    listed = {**words.listed, ("nana", "verb"): {"third person": {"nanas"}, "past form": {"nanaed"}}}
    more = dataclasses.replace(words, all=words.all | {"nanas", "nanaed"}, listed=listed, defined=defined)
    found = forms.claims(more)
    assert {form for word, form in found if word == "nanas"} == expected
    assert ("nanaed", "past form") in found
    of_past = {"tore": {"verb"}}
    listed = {**listed, ("tore", "verb"): {"third person": {"tores"}}, ("tore", "noun"): {"plural": {"tores"}}}
    found = forms.claims(dataclasses.replace(more, all=more.all | {"tore", "tores"}, listed=listed, defined=of_past))
    assert {form for word, form in found if word == "tores"} == {"plural"}, "tore is defined as a form of tear"


def test_a_verb_in_un_is_not_guessed_and_no_word_is_its_own_form(words):
    """*Unpeeled* is an adjective; and the plural of *bison* is spelled like it."""
    more = {"unpeel", "unpeeled", "unpeeling", "bison"}
    listed = {**words.listed, ("bison", "noun"): {"plural": {"bison"}}}
    found = forms.claims(dataclasses.replace(words, all=words.all | more, listed=listed))
    assert not {("unpeeled", "past form"), ("bison", "plural")} & found.keys()


def test_wordnet_gives_three_senses_and_a_base_has_two_of_each_part_of_speech():
    of_cove = [wordnet.Sense(part, f"{n}", 0) for part, senses in (("noun", 4), ("verb", 3)) for n in range(senses)]
    senses = {"cove": of_cove, "ox": [wordnet.Sense("noun", "animal", 0)], "ax": [wordnet.Sense("noun", "tool", 0)]}
    found = wordnet.glosses(senses, [("cove", "verb"), ("ox", "noun"), ("ax", "verb")])
    assert sorted(found.itertuples(index=False, name=None)) == [
        ("cove", "noun", "0"), ("cove", "noun", "1"), ("cove", "noun", "2"),
        ("cove", "verb", "0"), ("cove", "verb", "1"), ("ox", "noun", "animal"),
    ]  # fmt: skip


def test_the_smallest_american_list_gives_the_size_of_a_word():
    lists = {"english-words.35": "cove\n", "american-words.10": "cove\n", "british-words.20": "cove\ntyre\n"}
    definitions = pd.DataFrame({"word": ["cove"], "pos": ["noun"]})
    found = forms.read_words(lists, {}, {}, {forms.INFLECTIONS: ""}, [], definitions)
    assert (found.sizes, found.all) == ({"cove": 10}, {"cove", "tyre"})
    with pytest.raises(DataError, match="lemminflect; install it again"):
        forms.read_words(lists, {}, {}, {}, [], definitions)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("word,form\nx,plural\n", "must have the columns"),
        ("word,form,bases,reason\ncoves,plural,cove\n", "Line 2"),
        ("word,form,bases,reason\ncoves,many,cove,a\n", "Line 2"),
    ],
)
def test_corrections_that_mean_nothing_are_an_error(text, says):
    with pytest.raises(DataError, match=says):
        forms.read_corrections(text)


def test_corrections_replace_a_base_name_two_or_remove_one(words):
    corrections = forms.read_corrections(
        "word,form,bases,reason\naxes,plural,axe axis,both are usual\nleaves,plural,leaf,of a tree\n"
        "leaves,third person,,a test\ndice,plural,die,of the cubes\n"
    )
    found = rows(forms.table(forms.claims(words), corrections, {}, {}))
    assert found["axes"] == [("axe", "plural"), ("axis", "plural")]
    assert found["leaves"] == [("leaf", "plural")]
    assert found["dice"] == [("die", "plural")]


@pytest.mark.parametrize(("word", "bases"), [("stared", ["stare"]), ("owner", [])])
def test_a_correction_that_corrects_nothing_is_an_error(words, word, bases):
    with pytest.raises(DataError, match=f"corrects nothing: {word} is"):
        forms.table(forms.claims(words), [Correction(word, "past form", bases)], {}, {})


def test_the_committed_table_has_each_form_of_a_word_once_and_no_word_is_its_own_base():
    table = pd.DataFrame(reader.rows(reader.lexicon_table("forms"), "forms"))
    assert list(table) == forms.COLUMNS
    assert not table.duplicated(["word", "base", "form"]).any()
    assert (table["word"] != table["base"]).all()
    assert set(table["form"]) == {form for of_part in forms.FORMS_OF.values() for form in of_part}
    corrections = (PROJECT / "lexicon/forms/corrections.csv").read_text()
    two = table[table.duplicated(["word", "form"], keep=False)]
    corrected = {(line.word, line.form) for line in forms.read_corrections(corrections)}
    assert set(zip(two["word"], two["form"], strict=True)) <= corrected
