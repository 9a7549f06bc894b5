"""Endings: the possible base forms of a word. Standard library only."""

from __future__ import annotations

from collections.abc import Iterator

ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("es", "e"),
    ("es", ""),
    ("s", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
    ("er", "e"),
    ("er", ""),
    ("est", "e"),
    ("est", ""),
)
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
