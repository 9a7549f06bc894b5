"""Flags: rules that mark words. A `strong` flag predicts refusal, a `fair` one suggests it, and a `note` only explains;
the record decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from pipeline.facts.forms import PossibleBases, all_bases, merge_bases, remove_ending
from pipeline.facts.lexicon import plain
from pipeline.opinions.catalog import FLAGS
from pipeline.tables import columns, frames
from pipeline.words import GAME, OFFENSIVE


def flag(lexicon: pd.DataFrame, grades: pd.DataFrame | None = None) -> pd.DataFrame:
    """Compute the flags of every common word of the lexicon, of which at most one is offensive, by `graded`: columns
    word, flag, severity, detail. `grades` are the grades that people gave."""
    frame = lexicon[plain(lexicon) | (lexicon["zipf"] > 0)].reset_index(drop=True)
    rows = []
    for rule in FLAGS:
        if rule.id not in OFFENSIVE and rule.marks:
            marked = frame[rule.marks(frame)]
            found = {"word": marked["word"], "flag": rule.id, "severity": rule.severity, "detail": rule.detail(marked)}
            rows.append(pd.DataFrame(found))
    by_hand = frames.empty("offensive") if grades is None else grades
    return frames.check(pd.concat([*rows, _offensive(frame, by_hand)]), "flags")


def offensive_words(flags: pd.DataFrame) -> pd.DataFrame:
    """Return the offensive words of the table `flags` with their grades: columns word, flag."""
    return flags[columns.among(flags["flag"], OFFENSIVE)][["word", "flag"]].reset_index(drop=True)


def _offensive(frame: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Grade words as offensive: by hand, by their bases, and by the lists."""
    by_lists: dict[str, Grade] = {}
    for rule in FLAGS:
        marked = frame[rule.marks(frame)] if rule.id in OFFENSIVE and rule.marks else frame[:0]
        marked = marked.assign(detail=rule.detail(marked))
        for word, detail in zip(marked["word"].tolist(), marked["detail"].tolist(), strict=True):
            by_lists.setdefault(word, Grade(rule.id, detail))
    by_hand = {row["word"]: row["grade"] for row in frames.rows(grades)}
    lemmas = dict(zip(frame["word"].tolist(), frame["lemma"].tolist(), strict=True))
    severity = {rule.id: rule.severity for rule in FLAGS}
    grades_of = graded(lemmas, by_hand, by_lists)
    rows = [(word, found.grade, severity[found.grade], found.because) for word, found in grades_of.items()]
    return pd.DataFrame(rows, columns=["word", "flag", "severity", "detail"])


DERIVING: dict[str, tuple[str, ...]] = {
    "ery": ("", "e"), "fest": ("",), "hood": ("",), "ish": ("", "e"), "ishly": ("", "e"), "ishness": ("", "e"),
    "iness": ("y",), "less": ("",), "like": ("",), "ly": ("",), "ily": ("y",), "ness": ("",), "some": ("",),
    "y": ("", "e"), "able": ("", "e"), "ism": ("",), "dom": ("",), "ier": ("y",), "iest": ("y",),
}  # fmt: skip
"""Suffixes of derivatives that have the meaning of their base, each with its possible replacements in the base."""


class Grade(NamedTuple):
    """An offensive grade and its origin."""

    grade: str
    because: str


def graded(lemmas: Mapping[str, str], by_hand: Mapping[str, str], by_lists: Mapping[str, Grade]) -> dict[str, Grade]:
    """Grade words: those that people graded, and every word of `lemmas` (word to its base or ""); not `none`."""
    grades: dict[str, Grade] = {word: Grade(grade, "graded by hand") for word, grade in by_hand.items()}
    bases = _in_reach(lemmas, [*by_hand, *by_lists])
    for word in sorted(bases.keys() - by_hand.keys(), key=lambda word: (len(word), word)):
        if lemmas[word] in grades:
            grades[word] = Grade(grades[lemmas[word]].grade, f"a form of {lemmas[word]}")
            continue
        made = [Grade(grades[base].grade, f"made from {base}") for base in bases[word] if base in grades]
        named = [by_lists[word]] if word in by_lists else []
        if found := [grade for grade in (*made, *named) if grade.grade in OFFENSIVE]:
            grades[word] = min(found, key=lambda grade: OFFENSIVE.index(grade.grade))
    return {word: grade for word, grade in grades.items() if grade.grade in OFFENSIVE}


def _in_reach(lemmas: Mapping[str, str], graded: list[str]) -> dict[str, list[str]]:
    """Return the words of `lemmas` that are graded or derived from such words, each with those it may derive from."""
    words = columns.text(lemmas)
    derived = derived_from(words)
    everything = pa.concat_arrays([words, columns.text(set(graded) - lemmas.keys())])
    base = columns.places(derived.text, everything)
    of, by = derived.rows[base >= 0], base[base >= 0]
    lemma = columns.places(columns.text(lemmas.values()), everything)
    of, by = np.append(of, np.flatnonzero(lemma >= 0)), np.append(by, lemma[lemma >= 0])
    reached = columns.among(everything, graded)
    while not reached[of[reached[by]]].all():
        reached[of[reached[by]]] = True
    found: dict[str, list[str]] = {word: [] for word in words.filter(pa.array(reached[: len(words)])).to_pylist()}
    near = derived.where(reached[derived.rows])
    for word, base in zip(words.take(pa.array(near.rows)).to_pylist(), near.text.to_pylist(), strict=True):
        found[word].append(base)
    return found


def derived_from(words: pa.Array) -> PossibleBases:
    """Find the words of which others may be forms or simple derivatives, by spelling alone.

    >>> derived_from(columns.text(["bitchiness"])).text.to_pylist()
    ['bitchy', 'bitchi']
    """
    found = [all_bases(words)]
    for suffix, instead in DERIVING.items():
        stems = remove_ending(words, suffix)
        found += [*(stems.with_ending(end) for end in instead), stems.undoubled()]
    return merge_bases(found).with_min_length(GAME.shortest)
