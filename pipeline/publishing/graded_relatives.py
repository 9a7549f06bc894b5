"""Graded relatives: words without a grade that have a relative that is graded as offensive.

The filters treat a family alike only if a person graded each such word, also with `none`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.facts import endings
from pipeline.play.glosses import first_glosses
from pipeline.tables import columns, frames
from pipeline.words import OFFENSIVE

TELLING = tuple(grade for grade in OFFENSIVE if grade != "crude")
"""The grades that a word may take from a word of its definition; most crude ones have an ordinary sense (a cock, horny
skin)."""
FAMILY = endings.KINDS[:2]
"""The kinds of links between words that share their meaning."""


@dataclass(frozen=True, slots=True)
class Grades:
    """The offensive grade of each word that has one, and the words of the release that nobody graded."""

    grade_of: Mapping[str, str]
    ungraded: frozenset[str]


def grades(
    decisions: pd.DataFrame, offensive_words: pd.DataFrame, by_hand: pd.DataFrame, lemmas: pd.DataFrame
) -> Grades:
    """Sum up the grades; `by_hand` are those that people gave, also `none`. The forms of a graded word follow it."""
    grade_of = dict(zip(offensive_words["word"], offensive_words["flag"], strict=True))
    graded = grade_of.keys() | set(by_hand["word"])
    forms_of_graded = lemmas["word"][columns.is_in(lemmas["lemma"], graded)]
    shown = decisions["word"][decisions["tier"] != "refused"]
    return Grades(grade_of, frozenset(shown) - graded - frozenset(forms_of_graded))


def by_form(grades: Grades, words: pd.Series, links: pd.DataFrame, spellings: pd.DataFrame) -> dict[str, str]:
    """Explain for each ungraded word which graded word is its base, is made from it, or is another spelling of it.

    `links` and `spellings` are the tables of these names; `words` are those that the row numbers of `links` mean.
    """
    explanations: dict[str, str] = {}

    def note(word: str, relative: str, relation: str) -> None:
        if word in grades.ungraded and relative in grades.grade_of:
            explanations.setdefault(word, _explanation(word, relative, relation, grades))

    family = links[links["kind"].isin(FAMILY)]
    forms = words.array.take(family["form"])
    bases = words.array.take(family["base"])
    is_near = words.isin(grades.grade_of.keys()).to_numpy()
    has_graded = is_near[family["form"]] | is_near[family["base"]]
    for form, base in zip(forms[has_graded], bases[has_graded], strict=True):
        note(form, base, "its base")
        note(base, form, "made from it")
    for variant, root in zip(spellings["variant"], spellings["root"], strict=True):
        note(variant, root, "another spelling")
        note(root, variant, "another spelling")
    return explanations


def first_gloss_table(glosses: pd.DataFrame, wordnet: str) -> pd.DataFrame:
    """Make the table `first_glosses`: the definition of each word that is shown first.

    `glosses` is the table of this name, and `wordnet` the text of WordNet's.
    """
    gloss_of = first_glosses(glosses.to_numpy().tolist(), csv.reader(wordnet.splitlines()))
    first = pd.DataFrame({"word": list(gloss_of), "gloss": list(gloss_of.values())}, dtype="str")
    return frames.check(first, "first_glosses")


def by_definition(grades: Grades, first_gloss_of: Mapping[str, str]) -> dict[str, str]:
    """Explain for each ungraded word which graded word has the same first definition, or is named in it."""
    graded_word_of_gloss = {first_gloss_of[word]: word for word in sorted(grades.grade_of) if word in first_gloss_of}
    explanations: dict[str, str] = {}
    for word in sorted(grades.ungraded & first_gloss_of.keys()):
        gloss = first_gloss_of[word]
        if gloss in graded_word_of_gloss:
            relative = graded_word_of_gloss[gloss]
            explanations[word] = _explanation(word, relative, "with the same definition", grades)
            continue
        for named_word in re.findall("[a-z]+", gloss.lower()):
            if grades.grade_of.get(named_word) in TELLING:
                explanations[word] = _explanation(word, named_word, "in its definition", grades)
                break
    return explanations


def _explanation(word: str, relative: str, relation: str, grades: Grades) -> str:
    grade = grades.grade_of[relative]
    return (
        f"{relative} ({relation}) is {grade}; "
        f"`bee grade {word} {grade} --reason 'Like {relative}.'` gives it the same grade, and "
        f"`bee grade {word} none --reason 'Its first sense is another one.'` gives it none"
    )
