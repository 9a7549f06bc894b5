"""Definitions: how our own and WordNet's are combined, and what no definition of a listed word may have."""

import re

import pytest

import pipeline
from pipeline import reader
from pipeline.play import glosses

pytestmark = pytest.mark.slow


def shown(own: str, others: str, forms: str = "") -> dict[str, str]:
    """The lines of definitions made from tables that are written as CSV with `|` and `;`."""
    columns = (("word", "pos", "gloss"), ("word", "pos", "gloss"), ("word", "base", "form", "own"))
    tables = [
        [dict(zip(names, line.split("|"), strict=True)) for line in text.split("; ") if line]
        for names, text in zip(columns, (own, others, forms), strict=True)
    ]
    return {word: glosses.line(made) for word, made in glosses.combine(*tables).items()}


@pytest.mark.parametrize(
    ("own", "others", "line"),
    [
        ("pita|verb|pit", "pita|noun|a fiber; pita|verb|to pit", "verb, pit; noun, a fiber"),
        ("pita|noun|a bread; pita|noun|a fiber", "pita|noun|other", "noun, a bread; noun, a fiber"),
        ("pita|noun|1; pita|noun|2; pita|noun|3; pita|noun|4", "", "noun, 1; noun, 2; noun, 3"),
    ],
)
def test_our_own_senses_replace_those_of_the_same_part_of_speech(own, others, line):
    assert shown(own, others)["pita"] == line


LEAVES = "leaves|leaf|plural|; leaves|leave|third person|"


@pytest.mark.parametrize(
    ("own", "others", "forms", "word", "line"),
    [
        ("leaf|noun|of a tree", "leave|verb|go; leave|noun|time off", LEAVES, "leaves",
         "plural of leaf: noun, of a tree · third person of leave: verb, go"),
        ("", "cave|noun|1; cave|noun|2; cave|noun|3; cave|noun|4", "caves|cave|plural|", "caves",
         "plural of cave: noun, 1; noun, 2; noun, 3"),
        ("", "cave|noun|1; cave|noun|2; cave|noun|3; caves|verb|sinks", "caves|cave|plural|", "caves",
         "plural of cave: noun, 1; noun, 2 · verb, sinks"),
        ("", "mean|adjective|unkind; means|noun|way", "means|mean|third person|1", "means", "noun, way"),
        ("", "wind|verb|wrap; wound|noun|injury", "wound|wind|past form|1", "wound",
         "noun, injury · past form of wind: verb, wrap"),
        ("lapping|verb|drinking", "lap|verb|drink", "lapping|lap|present participle|", "lapping",
         "present participle of lap: verb, drinking"),
        ("", "bear|verb|carry; bore|noun|1; bore|verb|2; bore|noun|3", "bore|bear|past form|1", "bore",
         "noun, 1; verb, 2 · past form of bear: verb, carry"),
        ("", "bore|noun|1; bore|verb|2; bore|noun|3", "bore|bear|past form|1", "bore", "noun, 1; verb, 2; noun, 3"),
        ("", "odd|adjective|strange; odd|adjective|1, 3, 5; odd|adverb|so", "odder|odd|comparative|", "odder",
         "comparative of odd: adjective, strange"),
        ("", "soon|adverb|in a bit; soon|adverb|next", "sooner|soon|comparative|", "sooner",
         "comparative of soon: adverb, in a bit"),
        ("", "cake|noun|treat", "caking|bake|present participle|", "caking", None),
    ],
)  # fmt: skip
def test_a_form_has_the_senses_of_its_base_in_its_own_part_of_speech(own, others, forms, word, line):
    assert shown(own, others, forms).get(word) == line


def faults(word: str, sense: glosses.Sense) -> list[str]:
    """What is wrong with a sense of a word; it must also not name the base that it belongs to."""
    base, text = sense.base or word, sense.gloss
    named = {word, f"{word}s", base, f"{base}s"} & set(re.findall("[a-z]+", text.lower()))
    marks = '"' in text or text.rstrip().endswith((";", ":", ",", "(")) or text.count("(") != text.count(")")
    found = {"names itself": named, "too long": len(text) > 120, "stray marks": marks}
    return [fault for fault, there in {**found, "or or": re.search(r"\bor or\b", text)}.items() if there]


@pytest.fixture(scope="module")
def listed() -> list[str]:
    return pipeline.load_words()


@pytest.fixture(scope="module")
def known() -> glosses.Glosses:
    return glosses.load(reader.RELEASE)


def test_each_word_of_the_list_has_a_definition_without_faults(listed, known):
    made = {word: glosses.define(word, known).senses for word in listed}
    assert [word for word, senses in made.items() if not senses] == []
    wrong = [(word, sense.gloss) for word, senses in made.items() for sense in senses if faults(word, sense)]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("of pitas", "names itself"),
        ("x" * 121, "too long"),
        ('a bread" ', "stray marks"),
        ("a bread;", "stray marks"),
        ("a bread or or a fiber", "or or"),
        ("bread of an actor or pocket", ""),
    ],
)
def test_each_fault_is_found(text, fault):
    assert faults("pita", glosses.Sense("noun", text)) == [fault] * bool(fault)


def test_the_base_of_a_definition_is_the_first_one_of_the_table_of_forms(listed, known):
    """So that definition and reason never tell different ones."""
    first: dict[str, str] = {}
    for row in reader.rows(reader.lexicon_table("forms"), "forms"):
        first.setdefault(row["word"], row["base"])
    bases = {word: [sense.base for sense in glosses.define(word, known).senses if sense.base] for word in listed}
    assert sum(map(bool, bases.values())) > 15_000
    assert {word: of_word for word, of_word in bases.items() if of_word and of_word[0] != first[word]} == {}
