"""Lemmas: which words of a list are base forms, by the lexicon's forms of each part of speech. Standard library only.

The lexicon says of *horses* that it is a plural of *horse*, whatever definition of their own people gave it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field

from pipeline import reader
from pipeline.facts import endings
from pipeline.words import playable

PARTICIPLE = "present participle"
NO_FORM = ("er", "est")
"""Endings of words that the lexicon does not know: a *biker* is somebody who bikes, and no form of *bike*."""
MORE_THAN_AN_ACT = 2
"""A gerund whose plural no puzzle can have is a noun of its own if the lexicon has as many senses of it: *building*."""


MOSTLY_PLURAL = re.compile(r"\([^)]*\bplural\b")
"""The remark of WordNet in the definition of a singular that is rare: *trouser*, "(usually in the plural)"."""


@dataclass(slots=True)
class _Readings:
    """How the lexicon reads a word: its senses (part of speech, gloss), and the bases of which it is a form."""

    senses: list[tuple[str, str]] = field(default_factory=list)
    forms: list[tuple[str, str]] = field(default_factory=list)

    @property
    def parts_of_speech(self) -> set[str]:
        """The parts of speech in which the word has a sense of its own."""
        return {part_of_speech for part_of_speech, _ in self.senses}


def base_forms(listed: Set[str], release: str | os.PathLike[str]) -> set[str]:
    """Return the words of a list that are base forms. `release` is the folder of the release with our definitions.

    A word is a base form if the lexicon has a sense of its own for a part of speech; only a gerund without a plural is
    not (*accenting*). A plural without a sense of its own stays if it is more common than its singular, by SCOWL or
    WordNet: *jeans*, *trousers*. A word that the lexicon does not know is a form if it only adds -s, -ed or -ing to a
    word of the list. Raises BeeError if a table is missing or damaged.
    """
    readings: dict[str, _Readings] = {}
    for word, base, part_of_speech, gloss_or_form in _rows(release):
        of_word = readings.setdefault(word, _Readings())
        if base:
            of_word.forms.append((base, gloss_or_form))
        else:
            of_word.senses.append((part_of_speech, gloss_or_form))
    sizes = _sizes(reader.rows(reader.lexicon_table("scowl"), "scowl"))
    return {word for word in listed if _is_base_form(word, readings, listed, sizes)}


def _rows(release: str | os.PathLike[str]) -> Iterator[tuple[str, str, str, str]]:
    """Yield word, base, part of speech and gloss or form: all rows of the lexicon, and the forms in our definitions."""
    for row in reader.rows(reader.lexicon_table("glosses"), "glosses"):
        yield row["word"], row["base"], row["pos"], row["gloss"]
    for row in reader.glosses(release):
        if row["base"]:
            yield row["word"], row["base"], row["pos"], row["gloss"]


def _sizes(rows: Iterable[Mapping[str, str]]) -> dict[str, int]:
    """Return the smallest SCOWL size of each word that is no name or abbreviation; a small size means common."""
    sizes: dict[str, int] = {}
    for row in rows:
        if row["kind"] == "words":
            sizes[row["word"]] = min(int(row["size"]), sizes.get(row["word"], endings.NO_SIZE))
    return sizes


def _is_base_form(word: str, readings: Mapping[str, _Readings], listed: Set[str], sizes: Mapping[str, int]) -> bool:
    """Return whether a word is a base form."""
    if word not in readings:
        bases = endings.bases(word) if not word.endswith(NO_FORM) else ()
        return listed.isdisjoint(bases)
    forms = {form for _, form in readings[word].forms}
    parts_of_speech = readings[word].parts_of_speech
    if PARTICIPLE in forms and parts_of_speech == {"noun"}:
        plural = f"{word}s"
        return plural in listed if playable(plural) else len(readings[word].senses) >= MORE_THAN_AN_ACT
    if parts_of_speech or not forms:
        return True
    singulars = [base for base, _ in readings[word].forms]
    return forms == {"plural"} and all(_is_rarer(base, word, readings, sizes) for base in singulars)


def _is_rarer(singular: str, plural: str, readings: Mapping[str, _Readings], sizes: Mapping[str, int]) -> bool:
    """Return whether a singular is rarer than its plural."""
    senses = readings[singular].senses if singular in readings else []
    says_so = bool(senses) and bool(MOSTLY_PLURAL.search(senses[0][1]))
    return says_so or sizes.get(plural, endings.NO_SIZE) < sizes.get(singular, 0)
