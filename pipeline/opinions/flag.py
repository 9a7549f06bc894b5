"""Flags: rules that mark words. A `strong` flag predicts refusal, a `fair` flag suggests it, and a `note` only
explains. Flags do not decide about tried words; the record does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from pipeline.facts.forms import PossibleBases, all_bases, merge_bases, remove_ending
from pipeline.facts.lexicon import is_common
from pipeline.opinions.catalog import FLAGS, Flag
from pipeline.tables import columns, frames
from pipeline.words import GAME, OFFENSIVE


def flag(lexicon: pd.DataFrame, grades: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the flags of every common word of the lexicon: columns word, flag, severity, detail. A word has at most
    one offensive flag, which `grade_words` determines. `grades` are the grades that people gave."""
    words = _words_to_flag(lexicon)
    tables = [_marked(words, rule) for rule in FLAGS if rule.id not in OFFENSIVE]
    tables.append(_offensive(words, frames.empty("word_grades") if grades is None else grades))
    return frames.check(pd.concat(tables), "flags")


def offensive_words(lexicon: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Return the offensive words of the table `flag`, without computing the other flags: columns word, flag."""
    return frames.check(_offensive(_words_to_flag(lexicon), grades)[["word", "flag"]], "offensive_words")


def _words_to_flag(lexicon: pd.DataFrame) -> pd.DataFrame:
    return lexicon[is_common(lexicon) | (lexicon["zipf"] > 0)].reset_index(drop=True)


def _marked(words: pd.DataFrame, rule: Flag) -> pd.DataFrame:
    """Return the words that a flag marks: columns word, flag, severity, detail."""
    marked = words[rule.marks(words)] if rule.marks else words[:0]
    return pd.DataFrame(
        {"word": marked["word"], "flag": rule.id, "severity": rule.severity, "detail": rule.detail(marked)}
    )


def _offensive(words: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Return the offensive words, by hand, by their bases, and by the lists: columns word, flag, severity, detail."""
    by_lists: dict[str, Grade] = {}
    for rule in FLAGS:
        if rule.id in OFFENSIVE:
            for row in frames.rows(_marked(words, rule)):
                by_lists.setdefault(row["word"], Grade(rule.id, row["detail"]))
    by_hand = dict(zip(grades["word"].tolist(), grades["grade"].tolist(), strict=True))
    lemmas = dict(zip(words["word"].tolist(), words["lemma"].tolist(), strict=True))
    severity = {rule.id: rule.severity for rule in FLAGS}
    graded = grade_words(lemmas, by_hand, by_lists).items()
    rows = [(word, grade.grade, severity[grade.grade], grade.because) for word, grade in graded]
    return pd.DataFrame(rows, columns=["word", "flag", "severity", "detail"])


DERIVING_SUFFIXES: dict[str, tuple[str, ...]] = {
    "ery": ("", "e"), "fest": ("",), "hood": ("",), "ish": ("", "e"), "ishly": ("", "e"), "ishness": ("", "e"),
    "iness": ("y",), "less": ("",), "like": ("",), "ly": ("",), "ily": ("y",), "ness": ("",), "some": ("",),
    "y": ("", "e"), "able": ("", "e"), "ism": ("",), "dom": ("",), "ier": ("y",), "iest": ("y",),
}  # fmt: skip
"""The suffixes of derivatives that share the meaning of their base, each with its possible replacements in the base."""


@dataclass(frozen=True, slots=True)
class Grade:
    """An offensive grade, or `none`, and its origin."""

    grade: str
    because: str


def grade_words(
    lemmas: Mapping[str, str], by_hand: Mapping[str, str], by_lists: Mapping[str, Grade]
) -> dict[str, Grade]:
    """Return the offensive grades of words: of those that people graded, and of the words of `lemmas`, which has the
    base of each word or "". A word that no person graded has the grade of its lemma, or else the most serious grade of
    its possible bases and the lists."""
    grades: dict[str, Grade] = {word: Grade(grade, "graded by hand") for word, grade in by_hand.items()}
    bases_by_word = _possibly_graded(lemmas, [*by_hand, *by_lists])
    for word in sorted(bases_by_word.keys() - by_hand.keys(), key=lambda word: (len(word), word)):
        lemma = lemmas[word]
        if lemma in grades:
            grades[word] = Grade(grades[lemma].grade, f"a form of {lemma}")
            continue
        possible = [Grade(grades[base].grade, f"made from {base}") for base in bases_by_word[word] if base in grades]
        if word in by_lists:
            possible.append(by_lists[word])
        offensive = [grade for grade in possible if grade.grade in OFFENSIVE]
        if offensive:
            grades[word] = min(offensive, key=lambda grade: OFFENSIVE.index(grade.grade))
    return {word: grade for word, grade in grades.items() if grade.grade in OFFENSIVE}


def _possibly_graded(lemmas: Mapping[str, str], graded: list[str]) -> dict[str, list[str]]:
    """Return the words of `lemmas` that are graded or derived from graded words, each with its possible bases."""
    words = columns.as_text(lemmas)
    derived = possible_origins(words)
    all_words = pa.concat_arrays([words, columns.as_text(set(graded) - lemmas.keys())])
    base_row = columns.positions(derived.text, all_words)
    lemma_row = columns.positions(columns.as_text(lemmas.values()), all_words)
    has_base, has_lemma = base_row >= 0, lemma_row >= 0
    word_rows = np.append(derived.rows[has_base], np.flatnonzero(has_lemma))
    base_rows = np.append(base_row[has_base], lemma_row[has_lemma])

    reached = columns.is_in(all_words, graded)
    newly_reached = word_rows[reached[base_rows]]
    while not reached[newly_reached].all():
        reached[newly_reached] = True
        newly_reached = word_rows[reached[base_rows]]

    reached_words = words.filter(pa.array(reached[: len(words)])).to_pylist()
    bases_by_word: dict[str, list[str]] = {word: [] for word in reached_words}
    possible_bases = derived.where(reached[derived.rows])
    words_of_bases = words.take(pa.array(possible_bases.rows)).to_pylist()
    for word, base in zip(words_of_bases, possible_bases.text.to_pylist(), strict=True):
        bases_by_word[word].append(base)
    return bases_by_word


def possible_origins(words: pa.Array) -> PossibleBases:
    """Return the words of which others may be forms or simple derivatives, judged by spelling alone.

    >>> possible_origins(columns.as_text(["bitchiness"])).text.to_pylist()
    ['bitchy', 'bitchi']
    """
    bases = [all_bases(words)]
    for suffix, replacements in DERIVING_SUFFIXES.items():
        stems = remove_ending(words, suffix)
        bases += [stems.with_ending(replacement) for replacement in replacements]
        bases.append(stems.undoubled())
    return merge_bases(bases).with_min_length(GAME.min_length)
