"""Finds words without a grade that have a relative that is graded as offensive.

The filters treat all words of a family in the same way only if a person gave each such word a grade, which can be
`none`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.opinions.relatives import KINDS
from pipeline.play.glosses import first_glosses
from pipeline.tables import columns, frames
from pipeline.words import OFFENSIVE

TELLING = tuple(grade for grade in OFFENSIVE if grade != "crude")
"""The grades for which a word in a definition counts as a relative. Crude words are left out, because most of them have
an ordinary sense (a cock, horny skin)."""
NOT_FOR_FAMILIES = KINDS[:2]
"""The kinds of links for which a word is likely to share the meaning of its base."""


@dataclass(frozen=True, slots=True)
class Grades:
    """The offensive grade of each word that has one, and the words of the release that nobody graded."""

    grade_of: Mapping[str, str]
    ungraded: frozenset[str]


def grades(
    decisions: pd.DataFrame, offensive_words: pd.DataFrame, by_hand: pd.DataFrame, lemmas: pd.DataFrame
) -> Grades:
    """Return the grades of all words. `by_hand` are those that people gave, including `none`. Forms of a graded word
    have its grade."""
    grade_of = dict(zip(offensive_words["word"], offensive_words["flag"], strict=True))
    graded = grade_of.keys() | set(by_hand["word"])
    forms_of_graded = lemmas["word"][columns.is_in(lemmas["lemma"], graded)]
    shown = decisions["word"][~columns.is_in(decisions["tier"], ["refused"])]
    return Grades(grade_of, frozenset(shown.tolist()) - graded - frozenset(forms_of_graded))


def by_form(grades: Grades, words: pd.Series, links: pd.DataFrame, spellings: pd.DataFrame) -> dict[str, str]:
    """Return an explanation for each ungraded word whose base, derivative or other spelling is graded.

    `links` and `spellings` are the tables with these names; the row numbers in `links` refer to `words`.
    """
    explanations: dict[str, str] = {}
    graded_words = list(grades.grade_of)

    def note(word: str, relative: str, relation: str) -> None:
        if word in grades.ungraded and relative in grades.grade_of:
            explanations.setdefault(word, _explanation(word, relative, relation, grades))

    is_graded = columns.is_in(words, graded_words)
    has_graded_word = is_graded[links["form"]] | is_graded[links["base"]]
    family = links[has_graded_word & columns.is_in(links["kind"], NOT_FOR_FAMILIES)]
    for form, base in zip(words.array.take(family["form"]), words.array.take(family["base"]), strict=True):
        note(form, base, "its base")
        note(base, form, "made from it")
    for variant, root in zip(spellings["variant"], spellings["root"], strict=True):
        note(variant, root, "another spelling")
        note(root, variant, "another spelling")
    return explanations


def first_gloss_table(glosses: pd.DataFrame, wordnet: str) -> pd.DataFrame:
    """Return the table `first_glosses`: for each word, the definition that is shown first.

    `glosses` is the table with this name, and `wordnet` is the text of WordNet's table.
    """
    gloss_of = first_glosses(glosses.to_numpy().tolist(), csv.reader(wordnet.splitlines()))
    first = pd.DataFrame({"word": list(gloss_of), "gloss": list(gloss_of.values())}, dtype="str")
    return frames.check(first, "first_glosses")


def by_definition(grades: Grades, first_glosses: pd.DataFrame) -> dict[str, str]:
    """Return an explanation for each ungraded word if a graded word has the same first definition, or is part of the
    first definition.

    `first_glosses` is the table with this name.
    """
    graded = first_glosses[columns.is_in(first_glosses["word"], list(grades.grade_of))]
    graded_word_of_gloss = dict(zip(graded["gloss"], graded["word"], strict=True))
    ungraded = first_glosses[columns.is_in(first_glosses["word"], list(grades.ungraded))].reset_index(drop=True)
    has_graded_gloss = columns.is_in(ungraded["gloss"], graded["gloss"])
    explanations: dict[str, str] = {}
    for word, gloss in ungraded[has_graded_gloss].itertuples(index=False):
        relative = graded_word_of_gloss[gloss]
        explanations[word] = _explanation(word, relative, "with the same definition", grades)
    telling_words = [word for word, grade in grades.grade_of.items() if grade in TELLING]
    named = columns.words_in(ungraded["gloss"])
    for row, named_word in named[columns.is_in(named["word"], telling_words)].itertuples(index=False):
        word = ungraded["word"].iloc[row]
        if word not in explanations:
            explanations[word] = _explanation(word, named_word, "in its definition", grades)
    return explanations


def _explanation(word: str, relative: str, relation: str, grades: Grades) -> str:
    grade = grades.grade_of[relative]
    return (
        f"{relative} ({relation}) has the grade {grade}; "
        f"`bee grade {word} {grade} --reason 'Like {relative}.'` gives {word} the same grade, and "
        f"`bee grade {word} none --reason 'Its main sense is different.'` marks it as not offensive"
    )
