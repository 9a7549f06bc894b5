"""A curated word list for the Spelling Bee, with a solver. Not affiliated with The New York Times.

>>> import bee_wordlist
>>> bee_wordlist.solve("vctaoen")[0]
'covenant'

Solving reads only the list. Everything else about words is read when it is first needed.
"""

from __future__ import annotations

import bisect
import difflib
import functools
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = [
    "TIERS",
    "VERSION",
    "InstallError",
    "LettersError",
    "Record",
    "Why",
    "define",
    "entries",
    "family",
    "is_pangram",
    "safe",
    "score",
    "solve",
    "why",
    "words",
]

LETTERS = 7
"""The number of letters of a puzzle."""
MIN_LENGTH, MAX_LENGTH = 4, 19
"""The lengths of words."""
PANGRAM_BONUS = 7
"""The extra points of a pangram."""
TIERS = ("core", "likely", "review", "refused")
"""The tiers. The list consists of core and likely."""
UNSAFE_FLAGS = {"slur", "vulgar", "explicit"}
NOT_FOR_FAMILIES = UNSAFE_FLAGS | {"crude", "sensitive"}
WHY_UNKNOWN = "we do not know this word: no puzzle has accepted it, and no word list makes it likely"
SIMILAR = 0.8
"""A word of the list resembles another word from this ratio of `difflib` on."""


class LettersError(ValueError):
    """The given letters are not a puzzle."""


class InstallError(RuntimeError):
    """A file of this package is missing or damaged."""


@dataclass(frozen=True, slots=True)
class Record:
    """On how many days a word was possible, on how many of them it was accepted, and when.

    A date is None if there was no such day.
    """

    offered: int
    accepted: int
    first_accepted: str | None
    last_accepted: str | None
    last_refused: str | None


@dataclass(frozen=True, slots=True)
class Why:
    """What the list says about a word.

    `tier` is one of `TIERS`, "unknown" or "unplayable". `p` is the probability that a puzzle accepts the word the next
    time it is possible. `record` is None if the word was never possible. `near` has up to three words of the list that
    resemble a word without a tier.
    """

    word: str
    tier: str
    listed: bool = False
    p: float | None = None
    because: str = ""
    flags: tuple[str, ...] = ()
    record: Record | None = None
    near: tuple[str, ...] = ()


def _read(name: str) -> str:
    path = Path(__file__).with_name(name)
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise InstallError(f"Cannot read {path} ({error}). Install bee-wordlist again.") from error


VERSION = _read("version.txt").strip()
"""The version of the list: the last date that it covers, then a build number."""


@functools.cache
def _listed() -> tuple[str, ...]:
    return tuple(_read("wordlist.txt").split())


@functools.cache
def _lines() -> list[str]:
    """Return the entries of all words, A to Z, each as a line of JSON."""
    return _read("words.jsonl.gz").split("\n")


def words(tier: str | None = None) -> list[str]:
    """Return the words of the list, A to Z, or all words of one of the `TIERS`."""
    if tier is None:
        return list(_listed())
    if tier not in TIERS:
        raise ValueError(f'"{tier}" is not a tier; the tiers are {", ".join(TIERS)}.')
    return [entry.word for entry in entries() if entry.tier == tier]


def safe() -> list[str]:
    """Return the words of the list without slurs, vulgar and explicit words."""
    return [entry.word for entry in entries() if entry.listed and UNSAFE_FLAGS.isdisjoint(entry.flags)]


def family() -> list[str]:
    """Return the words of `safe` without crude and sensitive words."""
    return [entry.word for entry in entries() if entry.listed and NOT_FOR_FAMILIES.isdisjoint(entry.flags)]


def solve(letters: str, words: Iterable[str] | None = None) -> list[str]:
    """Return the answers of a puzzle: pangrams first, then longest first, then A to Z.

    `letters` are seven letters, center first; case and blanks are ignored. `words` is any word list; the default is the
    list of this package. Raises LettersError if the letters are not a puzzle.
    """
    letters = _puzzle(letters)
    center, allowed = letters[0], set(letters)
    answers = [
        word
        for word in (_listed() if words is None else words)
        if center in word and MIN_LENGTH <= len(word) <= MAX_LENGTH and allowed.issuperset(word)
    ]
    return sorted(answers, key=lambda word: (not is_pangram(word), -len(word), word))


def _puzzle(letters: str) -> str:
    """Return the letters of a puzzle in lower case and without blanks; raise LettersError if they are not a puzzle."""
    letters = "".join(letters.split()).lower()
    for letter in letters:
        if not "a" <= letter <= "z":
            raise LettersError(f'"{letter}" is not a letter from a to z.')
    if len(letters) != LETTERS:
        raise LettersError(f"A puzzle has seven letters, center first; you gave {len(letters):,}.")
    for position, letter in enumerate(letters):
        if letter in letters[:position]:
            raise LettersError(f'The letter "{letter}" is there twice; a puzzle has seven different letters.')
    return letters


def is_pangram(word: str) -> bool:
    """Return whether a word has seven different letters."""
    return len(set(word)) == LETTERS


def score(word: str) -> int:
    """Return the points of a word: 1 for four letters, otherwise its length, and 7 more for a pangram."""
    points = 1 if len(word) <= MIN_LENGTH else len(word)
    return points + PANGRAM_BONUS if is_pangram(word) else points


def why(word: str) -> Why:
    """Return what the list says about a word, which can be in upper or lower case."""
    word = word.strip().lower()
    rule = _rule_broken(word)
    entry = {} if rule else _entry(word)
    if entry:
        return _why(entry)
    near = difflib.get_close_matches(word, _listed(), cutoff=SIMILAR)
    return Why(word, tier="unplayable" if rule else "unknown", because=rule or WHY_UNKNOWN, near=tuple(near))


def define(word: str) -> str:
    """Return the definition of a word in one line, or an empty string if there is none."""
    return str(_entry(word.strip().lower()).get("definition", ""))


def entries() -> Iterator[Why]:
    """Yield what the list says about each word that has a tier, A to Z."""
    return (_why(json.loads(line)) for line in _lines())


def _rule_broken(word: str) -> str:
    """Return why no puzzle can have a word, or "" if one can."""
    for character in word:
        if not "a" <= character <= "z":
            return f'"{character}" is not a letter from a to z'
    if len(word) < MIN_LENGTH:
        return f"too short: an answer has at least {MIN_LENGTH} letters"
    if len(word) > MAX_LENGTH:
        return f"too long: no answer has more than {MAX_LENGTH} letters"
    if len(set(word)) > LETTERS:
        return f"{len(set(word))} different letters: a puzzle has {LETTERS}"
    return ""


def _entry(word: str) -> dict[str, Any]:
    """Return the entry of a word, or {} if it has none. The lines are sorted, so only one of them is parsed."""
    lines = _lines()
    position = bisect.bisect_left(lines, f'{{"word":"{word}"')
    entry: dict[str, Any] = json.loads(lines[position]) if position < len(lines) else {}
    return entry if entry.get("word") == word else {}


def _why(entry: dict[str, Any]) -> Why:
    record = None
    if "offered" in entry:
        record = Record(
            offered=entry["offered"],
            accepted=entry["accepted"],
            first_accepted=entry.get("first_accepted"),
            last_accepted=entry.get("last_accepted"),
            last_refused=entry.get("last_refused"),
        )
    return Why(
        word=entry["word"],
        tier=entry["tier"],
        listed=entry["tier"] in ("core", "likely"),
        p=entry["p"],
        because=entry["because"],
        flags=tuple(entry.get("flags", ())),
        record=record,
    )
