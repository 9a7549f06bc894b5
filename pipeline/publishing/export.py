"""Export: choose words of a release by tier, flags, letters, length, form and rank, and describe the choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.errors import BeeError
from pipeline.facts import endings
from pipeline.play.glosses import Glosses
from pipeline.words import GAME, LISTED, TIERS, count, in_play, plural, rule_broken

COPYRIGHT = "Copyright (c) 2026 the bee-wordlist maintainers"
AFFILIATION = "Not affiliated with The New York Times."


class ChoiceError(BeeError):
    """The requested option value does not exist."""

    exit_code = 2


Rows = list[dict[str, str]]
"""Rows of `words.csv`, all cells text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The words to export: tiers, excluded flags, lengths, plurals, maximum number, in play only, base forms only.

    The default is the whole list, which solvers need; `in_play` leaves out words that official puzzles rarely have.
    `common` keeps the least hard words (`play.difficulty`), then those with the highest p, then the most accepted.
    """

    tiers: Sequence[str]
    without: Sequence[str] = ()
    min_length: int = GAME.min_length
    max_length: int = 0
    no_plural_s: bool = False
    common: int = 0
    in_play: bool = False
    lemmas: bool = False


def choose(words: Rows, choice: Choice, hard: Mapping[str, int] | None = None, glosses: Glosses | None = None) -> Rows:
    """Choose rows of `words.csv`, A to Z. `hard` maps words to hardness, which `Choice.common` needs; `glosses` are
    definitions, which `Choice.lemmas` needs."""
    if unknown := [tier for tier in choice.tiers if tier not in TIERS]:
        raise ChoiceError(f'"{unknown[0]}" is no tier; there are {", ".join(TIERS)}.')
    most = choice.max_length or GAME.max_length
    every = {row["word"] for row in words if row["tier"] in LISTED}
    chosen = [
        row
        for row in words
        if row["tier"] in choice.tiers
        and choice.min_length <= len(row["word"]) <= most
        and not set(row["flags"].split()) & set(choice.without)
        and not (choice.no_plural_s and plural(row["word"], every))
        and (in_play(row["word"]) or not choice.in_play)
    ]
    if choice.lemmas:
        chosen = [row for row in chosen if not _form(row["word"], every, glosses or {})]
    if not chosen:
        raise BeeError("No word is left after this choice.")
    if choice.common:
        known = hard or {}
        chosen.sort(key=lambda row: (known[row["word"]], -float(row["p"]), -int(row["accepted"]), row["word"]))
        chosen = chosen[: choice.common]
    return sorted(chosen, key=lambda row: row["word"])


def _form(word: str, every: set[str], glosses: Glosses) -> bool:
    """Return whether a word is only a form of another: by its definitions, else by a base in the list.

    >>> _form("coves", {"cove"}, {}), _form("coves", {"octave"}, {}), _form("cove", {"cove"}, {})
    (True, False, False)
    """
    if word in glosses:
        return all(sense.base for sense in glosses[word].senses)
    return not every.isdisjoint(endings.bases(word))


def edited(chosen: Rows, words: Rows, edits: str, source: str) -> tuple[Rows, list[str]]:
    """Apply edits, a line `+word` or `-word` each, to rows; return them A to Z, and the words of needless edits.

    An added word that the list lacks gets the tier `core`, as a person keeps it. Raises BeeError for any other line;
    `#` starts a comment.
    """
    known = {row["word"]: row for row in words}
    kept, idle = {row["word"]: row for row in chosen}, []
    for number, line in enumerate(edits.splitlines(), 1):
        mark, word = line[:1], line[1:].partition("#")[0].strip().lower()
        if not line.partition("#")[0].strip():
            continue
        if mark not in ("+", "-") or rule_broken(word):
            raise BeeError(f'{source}, line {number}: "{line}" is not +word or -word with a word of the game.')
        listed = known.get(word, {}).get("tier") in LISTED
        if word in kept if mark == "+" else not listed:
            idle.append(word)
        if mark == "-":
            kept.pop(word, None)
        elif word not in kept:
            blank = dict.fromkeys(words[0], "") | {"word": word, "p": "1.00", "offered": "0", "accepted": "0"}
            added = {} if listed else {"tier": "core", "because": f"added by {source}"}
            kept[word] = known.get(word, blank) | added
    return [kept[word] for word in sorted(kept)], idle


def content(number: int, choice: Choice) -> str:
    """Describe which words were chosen.

    >>> from pipeline.words import SAFE
    >>> content(38723, Choice(["likely"], SAFE))
    '38,723 words of tier likely, without words flagged slur, vulgar or explicit'
    >>> content(500, Choice(["core"], min_length=5, max_length=8, no_plural_s=True, common=500))
    '500 words of tier core, from 5 letters on, up to 8 letters, without plurals in -s, the most common ones'
    >>> content(16174, Choice(["core"], in_play=True))
    '16,174 words of tier core, without S and without E and R together'
    """
    parts = [f"{count(number, 'word')} of tier {' and '.join(choice.tiers)}"]
    parts += [f"from {choice.min_length} letters on"] if choice.min_length > GAME.min_length else []
    parts += [f"up to {choice.max_length} letters"] if choice.max_length else []
    if choice.without:
        parts.append(f"without words flagged {' or '.join((', '.join(choice.without)).rsplit(', ', 1))}")
    parts += ["without plurals in -s"] if choice.no_plural_s else []
    parts += ["without S and without E and R together"] if choice.in_play else []
    parts += ["base forms only"] if choice.lemmas else []
    parts += ["the most common ones"] if choice.common else []
    return ", ".join(parts)


def facts(package: Mapping[str, Any], chosen: str, flagged: bool) -> dict[str, str]:
    """Return the facts about an export, name to sentence, from the `datapackage.json` of the release.

    Its first license is that of the list; the others are for the flags, if the export is `flagged`.
    """
    found = {
        "title": package["title"],
        "version": package["version"],
        "content": chosen,
        "licence": "; ".join(
            f"{named['name']} ({named['title']})" for named in package["licenses"][: None if flagged else 1]
        ),
        "copyright": COPYRIGHT,
        "sources": "; ".join(source["title"] for source in package["sources"]),
        "affiliation": AFFILIATION,
    }
    return {name: " ".join(text.replace("*/", "").split()) for name, text in found.items()}
