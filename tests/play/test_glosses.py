"""Definitions: how our own and WordNet's are combined, and what no definition of a listed word may have."""

import re

import pytest

from pipeline import reader
from pipeline.play import glosses
from pipeline.words import LISTED

pytestmark = pytest.mark.slow

LONGEST = 120
PART_OF_SPEECH = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}


def row(word: str, base: str, pos: str, gloss: str) -> dict[str, str]:
    return {"word": word, "base": base, "pos": pos, "gloss": gloss}


def shown(own: list[str], others: list[str]) -> dict[str, str]:
    """The lines of definitions made from rows that are written with blanks between their cells, and _ for none."""
    rows = [[row(*line.replace("_", "").split("|")) for line in lines] for lines in (own, others)]
    return {word: glosses.line(made) for word, made in glosses.combine(*rows).items()}


@pytest.mark.parametrize(
    ("own", "others", "line"),
    [
        (["pita|_|noun|a bread"], ["pita|_|noun|a fiber", "pita|_|verb|to pit"], "noun, a bread; verb, to pit"),
        (["pita|_|verb|pit"], ["pita|_|noun|a fiber", "pita|_|verb|to pit"], "verb, pit; noun, a fiber"),
        (["pitas|_|verb|pits"], ["pitas|pita|noun|plural"], "verb, pits"),
        (["pita|_|noun|a bread", "pita|_|noun|a fiber"], ["pita|_|noun|other"], "noun, a bread; noun, a fiber"),
        ([], ["pita|_|noun|a fiber"], "noun, a fiber"),
        (
            ["pitas|pita|noun|plural", "pitas|_|verb|pits", "pita|_|noun|a bread"],
            ["pitas|pita|verb|third person"],
            "plural of pita: noun, a bread · verb, pits",
        ),
    ],
)
def test_our_own_senses_replace_those_of_the_same_part_of_speech(own, others, line):
    assert shown(own, others)[own[0].split("|")[0] if own else "pita"] == line


@pytest.mark.parametrize(
    ("own", "others", "line"),
    [
        ([], ["archer|_|noun|one with a bow"], "noun, one with a bow"),
        (["archer|_|noun|one who arches"], [], "noun, one who arches"),
        ([], [], "comparative of arch: adjective, sly"),
        ([], ["archer|_|adverb|more so"], "adverb, more so"),
        ([], ["archer|_|adjective|more so"], "comparative of arch: adjective, sly · adjective, more so"),
        (
            ["archer|arch|adjective|comparative"],
            ["archer|_|noun|one with a bow"],
            "comparative of arch: adjective, sly · noun, one with a bow",
        ),
    ],
)
def test_an_agent_noun_is_a_comparative_only_if_a_person_says_so(own, others, line):
    form = "archer|arch|adjective|comparative"
    assert shown(own, [form, *others, "arch|_|adjective|sly"])["archer"] == line


def test_each_comparative_and_superlative_of_the_list_is_an_adjective_or_adverb_in_its_own_right(listed, known):
    """A word with senses compares only in a part of speech in which it has one, or if our definitions say so."""
    ours = reader.glosses(reader.RELEASE)
    said = {(row["word"], row["pos"]) for row in ours if row["base"]}
    senses = {(row["word"], row["pos"]) for row in ours if not row["base"]}
    for entry in reader.rows(reader.lexicon_table("wordnet"), "wordnet"):
        senses |= {(entry["word"], PART_OF_SPEECH[letter]) for letter in entry["pos"]}
    has_sense = {word for word, _ in senses}
    compared = [
        (word, sense.pos, sense.base)
        for word in listed
        for sense in glosses.define(word, known).senses
        if sense.form in ("comparative", "superlative") and (word, sense.pos) not in said
    ]
    assert len(compared) > 1_000
    assert [(word, base) for word, pos, base in compared if word in has_sense and (word, pos) not in senses] == []


def faults(word: str, sense: glosses.Sense) -> list[str]:
    """What is wrong with a sense of a word; it must also not name the base that it belongs to."""
    base, text = sense.base or word, sense.gloss
    named = {word, f"{word}s", base, f"{base}s"} & set(re.findall("[a-z]+", text.lower()))
    marks = '"' in text or text.rstrip().endswith((";", ":", ",", "(")) or text.count("(") != text.count(")")
    found = {"names itself": named, "too long": len(text) > LONGEST, "stray marks": marks}
    return [fault for fault, there in {**found, "or or": re.search(r"\bor or\b", text)}.items() if there]


@pytest.fixture(scope="module")
def listed() -> list[str]:
    """The words of the list."""
    return [
        row["word"]
        for row in reader.rows(reader.read(reader.RELEASE, "words.csv").files["words.csv"], "words.csv")
        if row["tier"] in LISTED
    ]


@pytest.fixture(scope="module")
def known() -> glosses.Glosses:
    return glosses.load(reader.RELEASE)


def test_each_word_of_the_list_has_a_definition_without_faults(listed, known):
    made = {word: glosses.define(word, known).senses for word in listed}
    assert [word for word, senses in made.items() if not senses] == []
    found = {
        (word, sense.gloss): wrong
        for word, senses in made.items()
        for sense in senses
        if (wrong := faults(word, sense))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("word", "text", "fault"),
    [
        ("pita", "a pita bread", "names itself"),
        ("pita", "of pitas", "names itself"),
        ("pita", "x" * 121, "too long"),
        ("pita", 'a bread" ', "stray marks"),
        ("pita", "a bread (flat", "stray marks"),
        ("pita", "a bread;", "stray marks"),
        ("pita", "a bread or or a fiber", "or or"),
        ("pita", "bread of an actor or pocket", ""),
    ],
)
def test_each_fault_is_found(word, text, fault):
    assert faults(word, glosses.Sense("noun", text)) == [fault] * bool(fault)


@pytest.mark.parametrize(("own_sense", "of_base"), [(False, 3), (True, 2)])
def test_a_form_without_a_sense_of_its_own_shows_one_sense_of_its_base_more(own_sense, of_base):
    rows = [row("cave", "", "noun", f"hollow {number}") for number in range(5)]
    rows.append(row("caves", "cave", "noun", "plural"))
    if own_sense:
        rows.append(row("caves", "", "verb", "explores holes"))
    senses = glosses.combine([], rows)["caves"].senses
    assert [sense.gloss for sense in senses if sense.base] == [f"hollow {number}" for number in range(of_base)]
