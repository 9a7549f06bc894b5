"""Chooses words of a release by tier, flags, p and form, and describes the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pipeline import reader
from pipeline.errors import BeeError
from pipeline.words import LISTED, count, playable

COPYRIGHT = "Copyright (c) 2026 the bee-wordlist maintainers"
AFFILIATION = "Not affiliated with The New York Times."

Rows = list[dict[str, str]]
"""Rows of `words.csv`. All cells are text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which words to export: their tiers, excluded flags, minimum p (of words that are not core), only base forms. The
    default is the whole list, which solvers need."""

    tiers: Sequence[str] = LISTED
    without: Sequence[str] = ()
    lemmas: bool = False
    min_p: float = 0.0


def choose(words: Rows, choice: Choice) -> Rows:
    """Return the chosen rows of `words.csv`, A to Z."""
    chosen = [
        row
        for row in words
        if row["tier"] in choice.tiers
        and (row["tier"] == "core" or float(row["p"] or 0) >= choice.min_p)
        and not set(row["flags"].split()) & set(choice.without)
    ]
    if choice.lemmas:
        forms = _forms_of({row["word"] for row in words if row["tier"] in LISTED})
        chosen = [row for row in chosen if row["word"] not in forms]
    if not chosen:
        raise BeeError("No words match these options.")
    return sorted(chosen, key=lambda row: row["word"])


def _forms_of(listed: Set[str]) -> set[str]:
    """Return the forms of words that are in a list or too short for it, if they have no sense of their own in the
    lexicon: *coves*, but neither *building* nor *tidings*.

    Raises BeeError if a table of the lexicon is missing or damaged.
    """
    rows = reader.rows(reader.lexicon_table("forms"), "forms")
    forms = {row["word"] for row in rows if row["base"] in listed or not playable(row["base"])}
    return forms - {row["word"] for row in reader.rows(reader.lexicon_table("glosses"), "glosses")}


def describe_choice(number: int, choice: Choice) -> str:
    """Return a description of the chosen words.

    >>> from pipeline.words import UNSAFE_FLAGS
    >>> describe_choice(38723, Choice(["likely"], UNSAFE_FLAGS))
    '38,723 words of tier likely, without words flagged slur, vulgar or explicit'
    >>> describe_choice(500, Choice(["core"], min_p=0.9, lemmas=True))
    '500 words of tier core, with a p of at least 0.9, base forms only'
    """
    parts = [f"{count(number, 'word')} of tier {' and '.join(choice.tiers)}"]
    if choice.min_p:
        parts.append(f"with a p of at least {choice.min_p:g}")
    if choice.without:
        parts.append(f"without words flagged {' or '.join((', '.join(choice.without)).rsplit(', ', 1))}")
    if choice.lemmas:
        parts.append("base forms only")
    return ", ".join(parts)


def notice(package: Mapping[str, Any], content: str) -> dict[str, str]:
    """Return the notice of an export, from name to sentence, with data from the `datapackage.json` of the release.
    `content` describes the chosen words."""
    return {
        "title": package["title"],
        "version": package["version"],
        "content": content,
        "licence": "; ".join(f"{license['name']} ({license['title']})" for license in package["licenses"]),
        "copyright": COPYRIGHT,
        "sources": "; ".join(source["title"] for source in package["sources"]),
        "affiliation": AFFILIATION,
    }
