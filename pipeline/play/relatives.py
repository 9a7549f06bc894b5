"""Relatives: the bases and the forms of a word, from the table of forms. Standard library only."""

from __future__ import annotations

from collections.abc import Collection

from pipeline import reader


def relatives(words: Collection[str]) -> dict[str, list[str]]:
    """Return for each word its bases, its forms, and the other forms of its bases, each once.

    Raises BeeError if the table of forms is damaged.
    """
    table = reader.lexicon_table("forms")
    bases_of: dict[str, list[str]] = {word: [] for word in words}
    for row in reader.rows(table, "forms", reader.any_of(words)):
        if row["word"] in bases_of:
            bases_of[row["word"]].append(row["base"])
    forms_of: dict[str, list[str]] = {word: [] for bases in (words, *bases_of.values()) for word in bases}
    any_base = reader.any_of(forms_of.keys())
    for row in reader.rows(table, "forms", None if any_base is None else f"[a-z]+,(?:{any_base})"):
        if row["base"] in forms_of:
            forms_of[row["base"]].append(row["word"])
    found = {}
    for word, bases in bases_of.items():
        family = [*bases, *forms_of[word], *(form for base in bases for form in forms_of[base])]
        found[word] = [each for each in dict.fromkeys(family) if each != word]
    return found
