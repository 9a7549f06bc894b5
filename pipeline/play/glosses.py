"""Glosses: short definitions from WordNet (see `lexicon/wordnet.py`). Standard library only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pipeline import reader

PARTS = {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}


class Sense(NamedTuple):
    """One sense: part of speech (a key of `PARTS`), gloss, and whether it is offensive."""

    pos: str
    gloss: str
    rude: bool


class Definition(NamedTuple):
    """The definition of a word: the lemma that has its senses ("" if they are its own), and up to three senses."""

    word: str
    base: str
    senses: tuple[Sense, ...]


Glosses = Mapping[str, Definition]
"""A definition with at least one sense for each word."""


def look_up(word: str, folder: str | os.PathLike[str] = reader.LEXICON) -> Definition:
    """Read the definition of one word without making the whole table. Raises BeeError if there is no table."""
    text = reader.lexicon_table("glosses", folder)
    rows = reader.rows_of_word(text, word)
    return define(word, _read(rows + [row for _, base, *_ in rows if base for row in reader.rows_of_word(text, base)]))


def load(folder: str | os.PathLike[str] = reader.LEXICON) -> Glosses:
    """Read the gloss table. Raises BeeError if there is none."""
    return _read(reader.lexicon_rows("glosses", folder))


def _read(rows: Iterable[list[str]]) -> Glosses:
    senses: dict[str, list[Sense]] = {}
    bases: dict[str, str] = {}
    for word, base, pos, gloss, rude in rows:
        if base:
            bases[word] = base
        else:
            senses.setdefault(word, []).append(Sense(pos, gloss, bool(rude)))
    found = {word: Definition(word, "", tuple(own)) for word, own in senses.items()}
    return found | {word: Definition(word, base, tuple(senses[base])) for word, base in bases.items()}


def define(word: str, glosses: Glosses) -> Definition:
    """Return the definition of a word; it has no senses if the word is not in the table.

    >>> define("luff", {}).senses
    ()
    """
    return glosses.get(word, Definition(word, "", ()))


def line(definition: Definition) -> str:
    """Format a definition as one line.

    >>> line(Definition("cats", "cat", (Sense("n", "feline mammal", False), Sense("v", "beat with a cat", False))))
    'cat: noun, feline mammal; verb, beat with a cat'
    >>> line(Definition("luff", "", ()))
    'no definition'
    """
    if not definition.senses:
        return "no definition"
    meanings = "; ".join(f"{PARTS[sense.pos]}, {sense.gloss}" for sense in definition.senses)
    return f"{definition.base}: {meanings}" if definition.base else meanings


def text(definition: Definition) -> str:
    """Format a definition for reading, one line per sense.

    >>> print(text(Definition("cats", "cat", (Sense("n", "feline mammal", False),))))
    cats (form of cat)
      noun       feline mammal
    """
    head = f"{definition.word} (form of {definition.base})" if definition.base else definition.word
    if not definition.senses:
        return f"{head}: no definition in WordNet"
    lines = [
        f"  {PARTS[sense.pos]:10} {sense.gloss}{' (offensive)' if sense.rude else ''}" for sense in definition.senses
    ]
    return "\n".join([head, *lines])


def coverage(words: Iterable[str], glosses: Glosses) -> tuple[int, int]:
    """Return the number of words that have a gloss, and of all words."""
    listed = list(words)
    return sum(word in glosses for word in listed), len(listed)
