"""Families: the base and the forms of a word, from the table of forms. Without pandas."""

from __future__ import annotations

from collections.abc import Collection

from pipeline import reader
from pipeline.store import Workspace


def relatives(words: Collection[str], workspace: Workspace) -> dict[str, list[str]]:
    """Return for each word its bases and its forms, as in `forms.csv.gz`; raise BeeError if that is damaged."""
    table = reader.lexicon_table("forms", workspace.raw / "lexicon")
    found: dict[str, list[str]] = {word: [] for word in words}
    for line in table.decode().splitlines()[1:]:
        form, base, _ = line.split(",", 2)
        if form in found:
            found[form].append(base)
        if base in found:
            found[base].append(form)
    return found
