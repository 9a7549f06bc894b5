"""Endings: the possible base forms of a word. Standard library only."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pipeline.words import GAME

ENDINGS = (
    ("ies", "y"), ("ied", "y"), ("es", "e"), ("es", ""), ("s", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ("er", "e"), ("er", ""), ("est", "e"), ("est", ""),
)  # fmt: skip
"""The endings of inflected forms and their replacements: the detachment rules of WordNet's morphy(7WN)."""


def bases(word: str) -> Iterator[str]:
    """Yield all possible base forms of a word, likely or not, including those with a doubled consonant made single.

    >>> list(bases("jogged"))
    ['jogge', 'jogg', 'jog']
    >>> list(bases("pitas"))
    ['pita']
    """
    for ending, replacement in ENDINGS:
        if not word.endswith(ending) or (ending == "s" and word.endswith("ss")):
            continue
        stem = word.removesuffix(ending)
        yield stem + replacement
        doubled = len(stem) > 2 and stem[-1] == stem[-2] != "s"
        if doubled and not replacement and ending != "s":
            yield stem[:-1]


KINDS = ("inflected", "suffixed", "prefixed", "compound")
"""The kinds of links between a form and its base. If several apply, the first one counts."""
NO_SIZE = 100
"""The size that stands for "in no SCOWL list of this kind", so that `size <= 60` is false."""
PART_SIZE = 50
"""The SCOWL size up to which a word is common enough to be part of a compound."""
PREFIXES = frozenset(
    "a anti back be bi co de dis down en fore im in inter il mid mis non off on out over pre re sub super tri un under "
    "up".split()
)
_LONGEST_SUFFIX = 6
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
    """Return the links between words and their bases: (position of the form, position of the base), each with the first
    of `KINDS` that applies.

    `lemmas` has the base of each word, or ""; `parts` are the words that compounds can consist of.
    """
    position = {word: number for number, word in enumerate(words)}
    links: dict[tuple[int, int], str] = {}
    for form, (word, lemma) in enumerate(zip(words, lemmas, strict=True)):
        bases_of_kinds = (
            [*bases(word), lemma],
            _without_suffix(word),
            _without_prefix(word),
            _compound_parts(word, parts),
        )
        for kind, possible_bases in zip(KINDS, bases_of_kinds, strict=True):
            for base in possible_bases:
                if base in position and base != word and len(base) >= GAME.min_length:
                    links.setdefault((form, position[base]), kind)
    return dict(sorted(links.items()))


def _without_suffix(word: str) -> list[str]:
    """Return the possible bases of a word that ends in one of `SUFFIXES`."""
    possible = []
    for length in range(1, min(_LONGEST_SUFFIX, len(word) - 3) + 1):
        stem, suffix = word[:-length], word[-length:]
        for replacement in SUFFIXES.get(suffix, ()):
            possible.append(stem + replacement)
            if not replacement and stem[-1] == stem[-2]:
                possible.append(stem[:-1])
    return possible


def _without_prefix(word: str) -> list[str]:
    return [word.removeprefix(prefix) for prefix in PREFIXES if word.startswith(prefix)]


def _compound_parts(word: str, parts: Collection[str]) -> list[str]:
    """Return the two parts of a compound, split at the first position where both are in `parts`; otherwise an empty
    list."""
    for cut in range(GAME.min_length, len(word) - GAME.min_length + 1):
        first, second = word[:cut], word[cut:]
        if first in parts and second in parts:
            return [first, second]
    return []
