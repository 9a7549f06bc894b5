"""Glosses: short definitions. People write those of the release (`glosses.csv`). They replace WordNet's definitions
(see `lexicon/wordnet.py`) of the same part of speech. A row of either table is a sense of a word, or says which form of
which base the word is; rows are in the order in which they are shown. Standard library only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from pipeline import reader
from pipeline.words import LISTED

MAX_SENSES = 3
"""The maximum number of senses of a word."""
MAX_SENSES_OF_BASE = 2
"""The maximum number of senses from one base if the word also has other rows."""
_DEGREES = ("comparative", "superlative")


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense: part of speech, gloss, and, if it is the sense of a base, the form and the base."""

    pos: str
    gloss: str
    form: str = ""
    base: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the sense as JSON, for the page."""
        return {"pos": self.pos, "gloss": self.gloss, "form": self.form, "base": self.base}


@dataclass(frozen=True, slots=True)
class Definition:
    """The definition of a word: up to three senses, the most usual one first."""

    word: str
    senses: tuple[Sense, ...]

    @property
    def base(self) -> str:
        """The lemma that has the first sense, or "" if the word itself has it."""
        return self.senses[0].base if self.senses else ""


Glosses = Mapping[str, Definition]
"""Definitions with at least one sense each, by word."""


class _Row(NamedTuple):
    """A row of a table: a sense of the word itself or, if the row has a base, which form of the base the word is."""

    word: str
    base: str
    pos: str
    gloss_or_form: str


_Rows = dict[str, list[_Row]]
"""Rows by word."""


def _by_word(rows: Iterable[Mapping[str, str]]) -> _Rows:
    by_word: _Rows = {}
    for row in rows:
        by_word.setdefault(row["word"], []).append(_Row(row["word"], row["base"], row["pos"], row["gloss"]))
    return by_word


@dataclass(frozen=True, slots=True)
class _Tables:
    """The rows of a release and those of WordNet, by word."""

    release: _Rows
    wordnet: _Rows

    def words(self) -> Iterable[str]:
        """Return the words of both tables."""
        return self.wordnet | self.release

    def rows(self, word: str) -> list[_Row]:
        """Return the rows of a word in the order in which they are shown.

        The rows of the release replace WordNet's rows of the same part of speech and come first. WordNet's comparatives
        and superlatives of a word with senses of its own count only if one is an adjective or adverb, like the base:
        *sharper*, but not *owner* or *forest*.
        """
        own, wordnet = self.release.get(word, []), self.wordnet.get(word, [])
        own_parts_of_speech = {row.pos for row in own}
        others = [row for row in wordnet if row.pos not in own_parts_of_speech]
        parts_of_speech = {row.pos for row in (*own, *others) if not row.base}
        if parts_of_speech:
            others = [row for row in others if row.gloss_or_form not in _DEGREES or row.pos in parts_of_speech]
        return [*own, *others]

    def senses(self, word: str) -> Iterator[Sense]:
        """Yield the senses of a word. Senses of a base come from the release if it has them for that part of speech."""
        rows = self.rows(word)
        limit = MAX_SENSES_OF_BASE if len(rows) > 1 else MAX_SENSES
        for row in rows:
            if not row.base:
                yield Sense(row.pos, row.gloss_or_form)
                continue
            of_base = _own_senses(self.release, row.base, row.pos) or _own_senses(self.wordnet, row.base, row.pos)
            form = row.gloss_or_form
            for base_row in of_base[:limit]:
                yield Sense(row.pos, base_row.gloss_or_form, form, row.base)


def _own_senses(rows: _Rows, word: str, pos: str) -> list[_Row]:
    """Return the rows of a word that are its own senses in a part of speech."""
    return [row for row in rows.get(word, ()) if not row.base and row.pos == pos]


def load(
    release: str | os.PathLike[str],
    words: Set[str] | None = None,
    lexicon: str | os.PathLike[str] = reader.LEXICON_FOLDER,
) -> Glosses:
    """Return the definitions of a release and of WordNet. With `words`, only theirs are read, which is faster.

    Raises BeeError if a table is missing or damaged.
    """
    wordnet = reader.lexicon_table("glosses", lexicon)
    needed = None if words is None else reader.any_of(words)
    if words is not None and needed is not None:
        rows = [*reader.glosses(release, needed), *reader.rows(wordnet, "glosses", needed)]
        needed = reader.any_of(words | {row["base"] for row in rows if row["base"]})
    definitions = combine(reader.glosses(release, needed), reader.rows(wordnet, "glosses", needed))
    if words is None:
        return definitions
    return {word: definition for word, definition in definitions.items() if word in words}


def combine(release: Iterable[Mapping[str, str]], wordnet: Iterable[Mapping[str, str]]) -> Glosses:
    """Return the definitions from the rows of a release and those of WordNet."""
    tables = _Tables(_by_word(release), _by_word(wordnet))
    definitions = {}
    for word in tables.words():
        senses = tuple(dict.fromkeys(tables.senses(word)))[:MAX_SENSES]
        if senses:
            definitions[word] = Definition(word, senses)
    return definitions


def define(word: str, glosses: Glosses) -> Definition:
    """Return the definition of a word; it has no senses if the word is not in the table.

    >>> define("luff", {}).senses
    ()
    """
    return glosses.get(word, Definition(word, ()))


def _groups(definition: Definition) -> Iterator[tuple[str, list[Sense]]]:
    """Yield each form of a base that the word is, such as "plural of cat", or "", with its senses."""
    for (form, base), senses in groupby(definition.senses, key=lambda sense: (sense.form, sense.base)):
        yield f"{form} of {base}" if base else "", list(senses)


def line(definition: Definition) -> str:
    """Return a definition as one line.

    >>> cats = [Sense("noun", "feline mammal", "plural", "cat"), Sense("noun", "an old musical")]
    >>> line(Definition("cats", tuple(cats)))
    'plural of cat: noun, feline mammal · noun, an old musical'
    >>> line(Definition("luff", ()))
    'no definition'
    """
    groups = []
    for form_of_base, senses in _groups(definition):
        start = f"{form_of_base}: " if form_of_base else ""
        groups.append(start + "; ".join(f"{sense.pos}, {sense.gloss}" for sense in senses))
    return " · ".join(groups) or "no definition"


def text(definition: Definition) -> str:
    """Return a definition as text, with one line per sense.

    >>> print(text(Definition("cats", (Sense("noun", "feline mammal", "plural", "cat"),))))
    cats, plural of cat
      noun          feline mammal
    """
    lines = []
    for form_of_base, senses in _groups(definition):
        lines.append(f"{definition.word}, {form_of_base}" if form_of_base else definition.word)
        for sense in senses:
            lines.append(f"  {sense.pos:13} {sense.gloss}")
    return "\n".join(lines) or f"{definition.word}: no definition"


def coverage(release: reader.Release, glosses: Glosses) -> Iterator[tuple[str, list[str], int]]:
    """Yield, for each tier of the list, its words that have no definition and the number of all its words."""
    tiers: dict[str, list[str]] = {tier: [] for tier in LISTED}
    for row in reader.rows(release.files["words.csv"], "words.csv"):
        if row["tier"] in tiers:
            tiers[row["tier"]].append(row["word"])
    for tier, words in tiers.items():
        yield tier, [word for word in words if word not in glosses], len(words)
