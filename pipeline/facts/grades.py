"""Grades: how offensive words are, as a person graded them in `offensive.csv` or as word lists mark them."""

from __future__ import annotations

import pandas as pd

from pipeline.facts.lexicon import has_label, has_only_label, is_common
from pipeline.tables import columns, frames
from pipeline.words import OFFENSIVE


def offensive_words(lexicon: pd.DataFrame, forms: pd.DataFrame, by_hand: pd.DataFrame) -> pd.DataFrame:
    """Return the offensive words: columns word, flag (the grade), detail (its origin).

    The grade of a word is that of a person (`by_hand`: table `grades`), or else that of its first base with a
    grade, or else that of the lists. A base that a person graded `none` gives its forms none, too.
    """
    is_word = is_common(lexicon) | (lexicon["zipf"] > 0)
    may_be_marked = (lexicon["wordnet_labels"] != "") | lexicon["ldnoobw"]
    by_lists = _graded_by_lists(lexicon[is_word & may_be_marked])
    given = by_hand[["word", "grade"]].rename(columns={"grade": "flag"}).assign(detail="graded by hand")
    of_bases = pd.concat([given, by_lists]).drop_duplicates("word")
    graded_forms = forms[["word", "base"]].merge(of_bases.rename(columns={"word": "base"}), on="base")
    by_bases = graded_forms[columns.is_in(graded_forms["word"], lexicon["word"][is_word])]
    by_bases = by_bases.assign(detail="a form of " + by_bases["base"])[["word", "flag", "detail"]]
    graded = pd.concat([given, by_bases, by_lists]).drop_duplicates("word")
    return frames.check(graded[graded["flag"].isin(OFFENSIVE)], "offensive_words")


def _graded_by_lists(words: pd.DataFrame) -> pd.DataFrame:
    """Return the words that the lists mark, each with its most serious grade: columns word, flag, detail."""
    in_both_lists = (words["cuss"] == 2) & words["ldnoobw"]
    marks = "cuss " + words["cuss"].astype(str) + ", LDNOOBW " + words["ldnoobw"].astype(str)
    rules = (
        ("slur", has_label(words, "ethnic_slur"), "WordNet: ethnic slur"),
        ("vulgar", has_label(words, "obscenity") | in_both_lists, marks),
        ("sensitive", has_only_label(words, "disparagement"), "WordNet: disparagement"),
    )
    tables = [words[["word"]].assign(flag=grade, detail=detail)[is_marked] for grade, is_marked, detail in rules]
    return pd.concat(tables).drop_duplicates("word")
