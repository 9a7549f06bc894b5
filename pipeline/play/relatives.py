"""Relatives: the bases and the forms of a word, from the table of forms. Standard library only."""

from __future__ import annotations

from collections.abc import Collection

from pipeline import reader


def relatives(words: Collection[str]) -> dict[str, list[str]]:
    """Return for each word its bases and its forms; raise BeeError if the table is damaged."""
    found: dict[str, dict[str, None]] = {word: {} for word in words}
    for line in reader.lexicon_table("forms").decode().splitlines()[1:]:
        form, base, _ = line.split(",", 2)
        if form in found:
            found[form][base] = None
        if base in found:
            found[base][form] = None
    return {word: list(others) for word, others in found.items()}
