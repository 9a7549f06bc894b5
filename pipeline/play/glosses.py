"""Glosses: short definitions. Those of the release, `glosses.csv`, are written by people, and replace WordNet's (see
`lexicon/wordnet.py`) of the same part of speech. Both tables have the same rows in the order in which they are shown: a
sense of the word, or what it is a form of. Standard library only."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import groupby
from typing import NamedTuple

from pipeline import reader
from pipeline.words import LISTED

SHOWN = 3
"""The maximum number of senses of a word."""
EACH = 2
"""The maximum number of senses from one base, if the word has other rows."""


class Sense(NamedTuple):
    """One sense: part of speech, gloss, whether it is offensive, and, if it is the sense of a base, form and base."""

    pos: str
    gloss: str
    rude: bool = False
    form: str = ""
    base: str = ""


class Definition(NamedTuple):
    """The definition of a word: up to three senses, the usual one first."""

    word: str
    senses: tuple[Sense, ...]

    @property
    def base(self) -> str:
        """The lemma that has the first sense, or "" if the word itself has it."""
        return self.senses[0].base if self.senses else ""


Glosses = Mapping[str, Definition]
"""A definition with at least one sense for each word."""
_Rows = dict[str, list[list[str]]]
"""Rows by word: word, base, pos, gloss or form, and in WordNet's table a mark if it is offensive."""
_BASE, _POS, _TEXT = 1, 2, 3
"""The places of cells in a row."""


def load(
    release: str | os.PathLike[str],
    words: Set[str] | None = None,
    lexicon: str | os.PathLike[str] = reader.LEXICON_FOLDER,
) -> Glosses:
    """Read the definitions of a release and of WordNet, or only those of some words, which is faster.

    Raises BeeError if a table is missing or damaged.
    """
    own, others = reader.glosses(release), reader.lexicon_table("glosses", lexicon)
    return table(own, csv.reader(others.splitlines())) if words is None else some(words, own, others)


def table(own: Iterable[list[str]], others: Iterable[list[str]]) -> Glosses:
    """Make the definitions from the rows of a release and those of WordNet."""
    ours, theirs = _by_word(own), _by_word(others)
    both = {word: _merged(word, ours.get(word, []), theirs.get(word, [])) for word in theirs | ours}
    found = {word: Definition(word, _senses(rows, ours, theirs)) for word, rows in both.items()}
    return {word: made for word, made in found.items() if made.senses}


def _merged(word: str, own: list[list[str]], others: list[list[str]]) -> list[list[str]]:
    """Return the rows of a word in the order in which they are shown.

    Our own replace WordNet's of the same part of speech, and come first, except before the noun of a word in -s that
    is above all a plural: *services*. An agent noun comes before a comparative of the same letters: *archer*.
    """
    if len(own) + len(others) == 1:
        return [*own, *others]
    written = {pos for _, _, pos, *_ in own}
    rest = [row for row in others if row[_POS] not in written]
    if any(row[_POS] == "noun" and not row[_BASE] for row in rest):
        rest.sort(key=lambda row: row[_TEXT] == "comparative")
    if word.endswith("s") and others and others[0][_POS] == "noun":
        nouns = [row for row in rest if row[_POS] == "noun"]
        return [*nouns, *own, *(row for row in rest if row not in nouns)]
    return [*own, *rest]


def some(words: Set[str], own: Iterable[list[str]], others: str) -> Glosses:
    """Make the definitions of some words from all rows of a release and the text of WordNet's table, of which only the
    lines of these words and their bases are parsed."""
    lines, own = others.splitlines(), list(own)
    theirs = list(csv.reader(line for line in lines if line.partition(",")[0] in words))
    bases = {row[1] for row in (*theirs, *own)} - words
    theirs += csv.reader(line for line in lines if line.partition(",")[0] in bases)
    return {word: made for word, made in table(own, theirs).items() if word in words}


def _by_word(rows: Iterable[list[str]]) -> _Rows:
    found: _Rows = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


def first_glosses(own: Iterable[list[str]], others: Iterable[list[str]]) -> dict[str, str]:
    """Return the gloss of each word that is shown first, from the rows of a release and those of WordNet."""
    ours, theirs = _by_word(own), _by_word(others)
    first = {}
    for word in theirs | ours:
        rows = _merged(word, ours.get(word, []), theirs.get(word, []))
        if sense := next(_every_sense(rows, ours, theirs), None):
            first[word] = sense.gloss
    return first


def _senses(rows: list[list[str]], ours: _Rows, theirs: _Rows) -> tuple[Sense, ...]:
    """Return the senses of a word that are shown, from its rows."""
    return tuple(dict.fromkeys(_every_sense(rows, ours, theirs)))[:SHOWN]


def _every_sense(rows: list[list[str]], ours: _Rows, theirs: _Rows) -> Iterator[Sense]:
    """Yield the senses of a word from its rows. Those of a base are of the release if it has that part of speech."""
    for _, base, pos, text, *marks in rows:
        if not base:
            yield Sense(pos, text, any(marks))
            continue
        of_base = _own_senses(ours, base, pos) or _own_senses(theirs, base, pos)
        most = EACH if len(rows) > 1 else SHOWN
        for _, _, _, gloss, *marks_of_base in of_base[:most]:
            yield Sense(pos, gloss, any(marks_of_base), text, base)


def _own_senses(rows: _Rows, word: str, pos: str) -> list[list[str]]:
    """Return the rows of a word that are senses of its own, of a part of speech."""
    return [row for row in rows.get(word, ()) if not row[_BASE] and row[_POS] == pos]


def define(word: str, glosses: Glosses) -> Definition:
    """Return the definition of a word; it has no senses if the word is not in the table.

    >>> define("luff", {}).senses
    ()
    """
    return glosses.get(word, Definition(word, ()))


def _groups(definition: Definition) -> Iterator[tuple[str, list[Sense]]]:
    """Yield what the word is, such as "plural of cat" or "", with the senses that follow from it."""
    for (form, base), some in groupby(definition.senses, key=lambda sense: (sense.form, sense.base)):
        yield f"{form} of {base}" if base else "", list(some)


def line(definition: Definition) -> str:
    """Format a definition as one line.

    >>> cats = [Sense("noun", "feline mammal", False, "plural", "cat"), Sense("noun", "an old musical")]
    >>> line(Definition("cats", tuple(cats)))
    'plural of cat: noun, feline mammal · noun, an old musical'
    >>> line(Definition("luff", ()))
    'no definition'
    """
    groups = [
        (f"{what}: " if what else "") + "; ".join(f"{sense.pos}, {sense.gloss}" for sense in some)
        for what, some in _groups(definition)
    ]
    return " · ".join(groups) or "no definition"


def text(definition: Definition) -> str:
    """Format a definition for reading, one line per sense.

    >>> print(text(Definition("cats", (Sense("noun", "feline mammal", False, "plural", "cat"),))))
    cats, plural of cat
      noun          feline mammal
    """
    lines = [] if definition.senses else [f"{definition.word}: no definition"]
    for what, some in _groups(definition):
        lines.append(f"{definition.word}, {what}" if what else definition.word)
        lines += [f"  {sense.pos:13} {sense.gloss}{' (offensive)' if sense.rude else ''}" for sense in some]
    return "\n".join(lines)


def coverage(release: reader.Release, glosses: Glosses) -> Iterator[tuple[str, list[str], int]]:
    """Yield the listed words of a release that have no definition, and the number of all, by tier."""
    tiers: dict[str, list[str]] = {tier: [] for tier in LISTED}
    for row in reader.word_rows(release.files["words.csv"]):
        if row["tier"] in tiers:
            tiers[row["tier"]].append(row["word"])
    for tier, words in tiers.items():
        yield tier, [word for word in words if word not in glosses], len(words)
