"""Manners: how offensive a word is, and how its grade passes to its forms and simple derivatives.

The first of these that applies: the grade given by a person, which may be `none` (as for *pussycat* and *cockpit*); the
grade of the word of which it is a form; the most serious grade from the lists and from the words of which it is a
derivative.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from pipeline.facts.forms import Parts, all_bases, together, without
from pipeline.tables import columns
from pipeline.words import MIN_LENGTH, OFFENSIVE

DERIVING: dict[str, tuple[str, ...]] = {
    "ery": ("", "e"), "fest": ("",), "hood": ("",), "ish": ("", "e"), "ishly": ("", "e"), "ishness": ("", "e"),
    "iness": ("y",), "less": ("",), "like": ("",), "ly": ("",), "ily": ("y",), "ness": ("",), "some": ("",),
    "y": ("", "e"), "able": ("", "e"), "ism": ("",), "dom": ("",), "ier": ("y",),
    "iest": ("y",),
}  # fmt: skip
"""Suffixes of derivatives that have the meaning of their base, each with its possible replacements in the base.
Inflections are in `endings.bases`, including -er, -ed and -ing."""


class Grade(NamedTuple):
    """An offensive grade and its origin."""

    grade: str
    because: str


def graded(lemmas: Mapping[str, str], by_hand: Mapping[str, str], by_lists: Mapping[str, Grade]) -> dict[str, Grade]:
    """Grade words: those that people graded, and every word of `lemmas` (word to the word of which it is a form, or
    "").

    Words graded `none`, and words without a grade, are left out.
    """
    told: dict[str, Grade] = {word: Grade(grade, "graded by hand") for word, grade in by_hand.items()}
    bases = _in_reach(lemmas, [*by_hand, *by_lists])
    for word in sorted(bases.keys() - by_hand.keys(), key=lambda word: (len(word), word)):
        if lemmas[word] in told:
            told[word] = Grade(told[lemmas[word]].grade, f"a form of {lemmas[word]}")
            continue
        made = [Grade(told[base].grade, f"made from {base}") for base in bases[word] if base in told]
        named = [by_lists[word]] if word in by_lists else []
        if found := [each for each in (*made, *named) if each.grade in OFFENSIVE]:
            told[word] = min(found, key=lambda each: OFFENSIVE.index(each.grade))
    return {word: each for word, each in told.items() if each.grade in OFFENSIVE}


def _in_reach(lemmas: Mapping[str, str], graded: list[str]) -> dict[str, list[str]]:
    """Return the words that a grade can pass to: words of `lemmas` that are graded, or derived from such a word.

    Each comes with the words from which it may be derived.
    """
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


def derived_from(words: pa.Array) -> Parts:
    """Find the words of which others may be forms or simple derivatives, by spelling alone.

    >>> derived_from(columns.text(["bitchiness"])).text.to_pylist()
    ['bitchy', 'bitchi']
    """
    found = [all_bases(words)]
    for suffix, instead in DERIVING.items():
        stems = without(words, suffix)
        found += [*(stems.plus(end) for end in instead), stems.single()]
    return together(found).longer(MIN_LENGTH)
