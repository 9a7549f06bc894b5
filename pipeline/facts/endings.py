"""Endings: the words of which a word may be an inflected form. Standard library only."""

from __future__ import annotations

NO_SIZE = 100
"""The size that stands for "in no SCOWL list of this kind", so that `size <= 60` is false."""
REPLACEMENTS = {
    "ies": ("y",), "ied": ("y",), "ing": ("e", ""), "est": ("e", ""), "es": ("e", ""), "ed": ("e", ""),
    "er": ("e", ""), "s": ("",),
}  # fmt: skip
"""The endings of inflected forms, each with its possible replacements: the rules of WordNet's morphy(7WN)."""
_LAST_LETTERS = frozenset(ending[-1] for ending in REPLACEMENTS)


def bases(word: str) -> list[str]:
    """Return all possible base forms of a word, likely or not, including those with a doubled consonant made single.

    >>> bases("jogged")
    ['jogge', 'jogg', 'jog']
    >>> bases("pitas")
    ['pita']
    """
    found: list[str] = []
    if word[-1:] not in _LAST_LETTERS or word.endswith("ss"):
        return found
    for length in (3, 2, 1):
        stem, ending = word[:-length], word[-length:]
        for replacement in REPLACEMENTS.get(ending, ()):
            found.append(stem + replacement)
            is_doubled = len(stem) > 2 and stem[-1] == stem[-2] != "s"
            if is_doubled and not replacement and ending != "s":
                found.append(stem[:-1])
    return found
