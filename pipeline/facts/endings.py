"""Endings: the possible base forms of a word. Standard library only."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pipeline.words import GAME

ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("es", "e"), ("es", ""), ("s", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ("er", "e"), ("er", ""), ("est", "e"), ("est", ""),
)  # fmt: skip
"""Endings of inflected forms and their replacements: the detachment rules of WordNet's morphy(7WN)."""
_LAST = frozenset(ending[-1] for ending, _ in ENDINGS)


def bases(word: str) -> Iterator[str]:
    """Yield all possible base forms of a word, likely or not, also with a doubled consonant made single.

    >>> list(bases("jogged"))
    ['jogge', 'jogg', 'jog']
    >>> list(bases("pitas"))
    ['pita']
    """
    if word[-1:] not in _LAST:
        return
    for ending, instead in ENDINGS:
        if word.endswith(ending) and not (ending == "s" and word.endswith("ss")):
            stem = word[: -len(ending)]
            yield stem + instead
            if not instead and ending != "s" and len(stem) > 2 and stem[-1] == stem[-2] != "s":
                yield stem[:-1]


KINDS = ("inflected", "suffixed", "prefixed", "compound")
NO_SIZE = 100
"""The size of a word that is in none of SCOWL's lists of some kind, so that `size <= 60` is false for it."""
PART_SIZE = 50
"""The SCOWL size up to which a word is common enough to be part of a compound."""
PREFIXES = frozenset(
    "a anti back be bi co de dis down en fore im in inter il mid mis non off on out over pre re sub super tri un under "
    "up".split()
)
_LENGTHS = sorted({len(prefix) for prefix in PREFIXES})
SUFFIXES: dict[str, tuple[str, ...]] = {
    "er": ("", "e"), "or": ("", "e"), "ly": ("", "le"), "ily": ("y",), "ally": ("",), "ness": ("",), "iness": ("y",),
    "less": ("",), "able": ("", "e"), "ible": ("", "e"), "y": ("", "e"), "ish": ("", "e"), "ful": ("",),
    "al": ("", "e"), "ial": ("",), "ic": ("", "e", "y"), "ical": ("",), "ity": ("", "e"), "ility": ("le",),
    "ist": ("", "e"), "ism": ("", "e"), "ment": ("",), "ion": ("", "e"), "ation": ("", "e"), "ition": ("e",),
    "like": ("",), "man": ("",), "hood": ("",), "ship": ("",), "ward": ("",), "ee": ("", "e"), "ette": ("",),
    "let": ("",), "en": ("",), "age": ("",), "ant": ("",), "ent": ("",), "ance": ("",), "ence": ("",), "ate": ("",),
    "ative": ("ate",), "ive": ("", "e"), "ous": ("",), "an": ("",), "a": ("um",), "ae": ("a",), "i": ("us", "o"),
    "ia": ("ium",), "o": ("",), "ling": ("",), "some": ("",), "ery": ("",), "ry": ("",), "th": ("",),
}  # fmt: skip
"""Suffixes, each with its possible replacements in the base."""


def pairs(words: Sequence[str], lemmas: Sequence[str], parts: Collection[str]) -> dict[tuple[int, int], str]:
    """Link words to their bases: (position of the form, position of the base) to the first of `KINDS` that fits.

    `lemmas` has the base of each word, or ""; `parts` are the words of which compounds consist.
    """
    rows = {word: number for number, word in enumerate(words)}
    found: dict[tuple[int, int], int] = {}
    for number, (word, lemma) in enumerate(zip(words, lemmas, strict=True)):
        inflected = [(base, 0) for base in (*bases(word), lemma)]
        for base, kind in (*inflected, *_derived(word), *_compound(word, parts)):
            if base in rows and base != word and len(base) >= GAME.shortest:
                found.setdefault((number, rows[base]), kind)
    return {pair: KINDS[kind] for pair, kind in sorted(found.items())}


def _derived(word: str) -> list[tuple[str, int]]:
    found = []
    for cut in range(1, min(7, len(word) - 2)):
        if word[-cut:] not in SUFFIXES:
            continue
        stem = word[:-cut]
        for instead in SUFFIXES[word[-cut:]]:
            found.append((stem + instead, 1))
            if not instead and stem[-1] == stem[-2]:
                found.append((stem[:-1], 1))
    return found + [(word[cut:], 2) for cut in _LENGTHS if word[:cut] in PREFIXES]


def _compound(word: str, parts: Collection[str]) -> list[tuple[str, int]]:
    for cut in range(GAME.shortest, len(word) - GAME.shortest + 1):
        if word[:cut] in parts and word[cut:] in parts:
            return [(word[:cut], 3), (word[cut:], 3)]
    return []
