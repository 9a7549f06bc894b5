"""Manners: words without a grade whose relatives are graded as offensive. The filters treat a family alike only if a
person graded each such word, also with `none`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set

from pipeline.facts import endings
from pipeline.play import glosses
from pipeline.violations import Finding
from pipeline.words import OFFENSIVE

TELLING = tuple(grade for grade in OFFENSIVE if grade != "crude")
"""The grades that a word may take from a word of its definition; most crude ones have an ordinary sense (a cock, horny
skin)."""
FAMILY = endings.KINDS[:2]
"""The kinds of links between words that share their meaning."""


def differ(
    shown: Iterable[str],
    graded: Mapping[str, str],
    settled: Set[str],
    lemmas: Mapping[str, str],
    variants: Iterable[tuple[str, str]],
    own: Iterable[list[str]],
    others: str,
) -> Iterator[Finding]:
    """Find the words of `shown` that have no offensive grade although a relative has one, and that no person graded.

    `graded` is the offensive grade by word, `settled` are the words that people graded, also with `none`; their forms
    follow them. `lemmas` is the base or "" by word, `variants` are spellings of one word, `own` the rows of the
    definitions of the release, and `others` the table of WordNet's. Relatives are bases, derived forms, spellings, and
    words whose first definition is the same or names the other one.
    """
    decided = graded.keys() | settled
    open_ = {word for word in shown if word not in decided and lemmas.get(word) not in decided}
    found: dict[str, tuple[str, str]] = {}

    def note(word: str, other: str, what: str) -> None:
        if word in open_ and other in graded:
            found.setdefault(word, (other, what))

    names = sorted(open_ | graded.keys())
    for (form, base), kind in endings.pairs(names, [lemmas.get(word, "") for word in names], ()).items():
        if kind in FAMILY:
            note(names[form], names[base], "its base")
            note(names[base], names[form], "made from it")
    for one, other in variants:
        note(one, other, "another spelling")
        note(other, one, "another spelling")
    first = {word: made.senses[0].gloss for word, made in glosses.some({*names}, own, others).items()}
    told = {first[word]: word for word in sorted(graded) if word in first}
    for word in sorted(open_ & first.keys()):
        note(word, told.get(first[word], ""), "with the same definition")
        for other in re.findall("[a-z]+", first[word].lower()):
            if graded.get(other) in TELLING:
                note(word, other, "in its definition")
    for word, (other, what) in sorted(found.items()):
        grade = graded[other]
        same = f"`bee grade {word} {grade} --reason 'Like {other}.'` gives it the same grade"
        none = f"`bee grade {word} none --reason 'Its first sense is another one.'` gives it none"
        yield Finding("grade-missing", word, f"{other} ({what}) is {grade}; {same}, and {none}")
