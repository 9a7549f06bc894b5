"""Basis: says in words what raised and what lowered the p of a word, against a word that one knows nothing of.

Such a word has in every column the mean of all tried words, and so about their share of accepted ones as its p. Columns
that have one reason together are a group; `phrases` says what each group can say, and of which words it is true.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pipeline.opinions.phrases import DOWN, UP, Facts, choose
from pipeline.words import LIKELY

GROUPS = {
    "size": "dictionaries",
    "British spelling": "dictionaries",
    "variant spelling": "dictionaries",
    "also with a capital": "name",
    "also a name": "name",
    "shape: inflected": "base",
    "base: forms in SCOWL 60": "forms",
    "base: forms in a smaller list": "forms",
    "base: commoner forms": "forms",
    "relatives: compound": "compound",
}
"""The groups of columns, by the name of a column or by the first part of it; any other first part is a group itself."""
MOST = 3
"""The number of reasons that are named."""
LEAST = 0.25
"""A pull down of at least this much, in the logarithm of the odds, can be the one that keeps a word off the list."""
NOTHING = "nothing speaks clearly for or against it"
"""The reason of a word of which no phrase is true in the direction of its group."""

Array = npt.NDArray[np.float64]


def group_of(column: str) -> str:
    """Name the group of a column.

    >>> [group_of(column) for column in ("size: 35", "base: commoner forms", "shape: un-", "shape: -able", "pangram")]
    ['dictionaries', 'forms', 'beginning', 'ending', 'pangram']
    """
    first, _, detail = column.partition(": ")
    if column in GROUPS or first != "shape":
        return GROUPS.get(column, GROUPS.get(first, first))
    return "ending" if detail.startswith("-") else "beginning"


def grouped(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the positions of the columns of each group."""
    groups = [group_of(name) for name in names]
    return {group: [at for at, each in enumerate(groups) if each == group] for group in dict.fromkeys(groups)}


def basis(pulls: Array, groups: Sequence[str], p: Array, facts: Facts) -> list[str]:
    """Name the three groups that change the p of each word most, + for up and - for down, the deciding one first.

    `pulls` has a column for each group, above 0 if it raises p; `facts` are those of `phrases`. A group of which no
    phrase is true in its direction is left out, and the next one is named.
    """
    chosen = {(group, side): choose(facts, group, side) for group in groups for side in (UP, DOWN)}
    raises = np.column_stack([chosen[group, UP][0] >= 0 for group in groups])
    lowers = np.column_stack([chosen[group, DOWN][0] >= 0 for group in groups])
    sayable = ((pulls > 0) & raises) | ((pulls < 0) & lowers)
    order = _order(np.where(sayable, pulls, 0.0), p)[:, :MOST]
    places = []
    for place in range(order.shape[1]):
        said = np.full(len(p), "", dtype=object)
        named = order[:, place]
        for at, group in enumerate(groups):
            here = (named == at) & sayable[:, at]
            for side, toward in ((UP, pulls[:, at] > 0), (DOWN, pulls[:, at] < 0)):
                first_true, phrases = chosen[group, side]
                for number, phrase in enumerate(phrases):
                    rows = np.flatnonzero(here & toward & (first_true == number))
                    if len(rows):
                        said[rows] = phrase.of(facts, rows)
        places.append(said)
    return [", ".join(filter(None, said)) or NOTHING for said in zip(*places, strict=True)]


def _order(pulls: Array, p: Array) -> npt.NDArray[np.int64]:
    """Order the groups of each word by their pulls, but the one that decides its tier first."""
    likely = p.round(2) >= LIKELY
    decisive = np.where(likely, 1, -1)[:, None] * pulls
    first, strength = decisive.argmax(axis=1)[:, None], np.abs(pulls)
    most = np.take_along_axis(decisive, first, axis=1)
    decides = (most > 0) & (most >= np.where(likely, 0, LEAST)[:, None])
    np.put_along_axis(strength, first, np.where(decides, np.inf, np.take_along_axis(strength, first, axis=1)), axis=1)
    return np.argsort(-strength, axis=1, kind="stable")
