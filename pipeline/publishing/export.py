"""Chooses words of a release by tier, flags, letters, length and form, and describes the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pipeline.errors import BeeError
from pipeline.words import GAME, LISTED, count, rule_broken

COPYRIGHT = "Copyright (c) 2026 the bee-wordlist maintainers"
AFFILIATION = "Not affiliated with The New York Times."

Rows = list[dict[str, str]]
"""Rows of `words.csv`. All cells are text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which words to export: their tiers, excluded flags, minimum length and p, only base forms. The default is
    the whole list, which solvers need."""

    tiers: Sequence[str] = LISTED
    without: Sequence[str] = ()
    min_length: int = GAME.min_length
    lemmas: bool = False
    min_p: float = 0.0


def choose(words: Rows, choice: Choice, base_forms: Set[str] = frozenset()) -> Rows:
    """Return the chosen rows of `words.csv`, A to Z. `base_forms` are needed for `Choice.lemmas`."""
    chosen = [
        row
        for row in words
        if row["tier"] in choice.tiers
        and len(row["word"]) >= choice.min_length
        and float(row["p"] or 0) >= choice.min_p
        and not set(row["flags"].split()) & set(choice.without)
    ]
    if choice.lemmas:
        chosen = [row for row in chosen if row["word"] in base_forms]
    if not chosen:
        raise BeeError("No words match these options.")
    return sorted(chosen, key=lambda row: row["word"])


def apply_edits(chosen: Rows, words: Rows, edits: str, source: str) -> tuple[Rows, list[str]]:
    """Return rows with edits applied, A to Z, and the words of the edits that are not needed.

    Each line of `edits` is `+word` or `-word`; `#` starts a comment. An added word that is not on the list gets the
    tier `core`, because a person keeps it. Raises BeeError for any other line.
    """
    row_of_word = {row["word"]: row for row in words}
    edited_rows = {row["word"]: row for row in chosen}
    needless = []
    for number, line in enumerate(edits.splitlines(), 1):
        edit = line.partition("#")[0].strip()
        if not edit:
            continue
        mark, word = line[:1], edit[1:].strip().lower()
        if mark not in ("+", "-") or rule_broken(word):
            problem = "is not +WORD or -WORD, where WORD can be an answer"
            raise BeeError(f'{source}, line {number}: "{line}" {problem}.')
        is_listed = row_of_word.get(word, {}).get("tier") in LISTED
        is_needless = word in edited_rows if mark == "+" else not is_listed
        if is_needless:
            needless.append(word)
        if mark == "-":
            edited_rows.pop(word, None)
        elif word not in edited_rows and is_listed:
            edited_rows[word] = row_of_word[word]
        elif word not in edited_rows:
            untried = dict.fromkeys(words[0], "") | {"word": word, "p": "1.00", "offered": "0", "accepted": "0"}
            added = {"tier": "core", "because": f"added by {source}"}
            edited_rows[word] = row_of_word.get(word, untried) | added
    return [edited_rows[word] for word in sorted(edited_rows)], needless


def describe_choice(number: int, choice: Choice) -> str:
    """Return a description of the chosen words.

    >>> from pipeline.words import UNSAFE_FLAGS
    >>> describe_choice(38723, Choice(["likely"], UNSAFE_FLAGS))
    '38,723 words of tier likely, without words flagged slur, vulgar or explicit'
    >>> describe_choice(500, Choice(["core"], min_length=5, lemmas=True))
    '500 words of tier core, with at least 5 letters, base forms only'
    """
    parts = [f"{count(number, 'word')} of tier {' and '.join(choice.tiers)}"]
    if choice.min_length > GAME.min_length:
        parts.append(f"with at least {choice.min_length} letters")
    if choice.min_p:
        parts.append(f"with a p of at least {choice.min_p:g}")
    if choice.without:
        parts.append(f"without words flagged {' or '.join((', '.join(choice.without)).rsplit(', ', 1))}")
    if choice.lemmas:
        parts.append("base forms only")
    return ", ".join(parts)


def notice(package: Mapping[str, Any], content: str, has_flags: bool) -> dict[str, str]:
    """Return the notice of an export, from name to sentence, with data from the `datapackage.json` of the release.

    The first license in it is that of the list. The other licenses are for the flags, and are named only if the export
    `has_flags`. `content` describes the chosen words.
    """
    licenses = package["licenses"] if has_flags else package["licenses"][:1]
    sentences = {
        "title": package["title"],
        "version": package["version"],
        "content": content,
        "licence": "; ".join(f"{license['name']} ({license['title']})" for license in licenses),
        "copyright": COPYRIGHT,
        "sources": "; ".join(source["title"] for source in package["sources"]),
        "affiliation": AFFILIATION,
    }
    return {name: " ".join(sentence.replace("*/", "").split()) for name, sentence in sentences.items()}
