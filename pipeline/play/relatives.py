"""Relatives: the bases and the forms of a word, from the table of forms. Standard library only."""

from __future__ import annotations

from collections.abc import Collection

from pipeline import reader
from pipeline.errors import DataError


def relatives(words: Collection[str]) -> dict[str, list[str]]:
    """Return for each word its bases, its forms, and the other forms of its bases, each once.

    Raises BeeError if the table of forms is damaged.
    """
    table = reader.lexicon_table("forms")
    try:
        pairs = [line.split(",", 2)[:2] for line in table.decode().splitlines()[1:] if line]
        bases_of: dict[str, list[str]] = {word: [] for word in words}
        for form, base in pairs:
            if form in bases_of:
                bases_of[form].append(base)
        forms_of: dict[str, list[str]] = {word: [] for bases in (words, *bases_of.values()) for word in bases}
        for form, base in pairs:
            if base in forms_of:
                forms_of[base].append(form)
    except ValueError as error:
        raise DataError(f"The table of forms is damaged: {error}.") from error
    found = {}
    for word, bases in bases_of.items():
        family = [*bases, *forms_of[word], *(form for base in bases for form in forms_of[base])]
        found[word] = [each for each in dict.fromkeys(family) if each != word]
    return found
