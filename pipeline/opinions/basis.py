"""Basis: says in words what raises and what lowers the p of a word, compared with a word about which nothing is known.

The unknown word has in every column the mean of all tried words, so its p is about the share of tried words that were
accepted. Columns that share one reason are a group. `phrases` has what each group can say, and for which words it is
true.
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
"""The group of each column, by its name or by the first part of its name. Any other first part is the name of a
group."""
MAX_REASONS = 3
"""The maximum number of reasons that are named."""
MIN_DECISIVE = 0.25
"""A negative contribution of at least this size, in the logarithm of the odds, can be the one that keeps a word off the
list."""
NO_REASON = "nothing speaks clearly for or against it"
"""The reason for a word for which no phrase is true in the direction of its group."""

Array = npt.NDArray[np.float64]


def group_of(column: str) -> str:
    """Return the group of a column.

    >>> [group_of(column) for column in ("size: 35", "base: commoner forms", "shape: un-", "shape: -able", "pangram")]
    ['dictionaries', 'forms', 'beginning', 'ending', 'pangram']
    """
    first_part, _, detail = column.partition(": ")
    if column in GROUPS:
        return GROUPS[column]
    if first_part == "shape":
        return "ending" if detail.startswith("-") else "beginning"
    return GROUPS.get(first_part, first_part)


def columns_by_group(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the positions of the columns of each group."""
    positions: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        positions.setdefault(group_of(name), []).append(position)
    return positions


def basis(contributions: Array, groups: Sequence[str], p: Array, facts: Facts) -> list[str]:
    """Return, for each word, phrases for the three groups that change its p most, with + for up and - for down. The
    group that decides the tier comes first.

    `contributions` has a row for each word and a column for each group; a value above 0 raises p. `facts` are those of
    `phrases`. If no phrase of a group is true in its direction, the next group is named instead.
    """
    texts = np.column_stack([_texts(group, contributions[:, column], facts) for column, group in enumerate(groups)])
    order = _order(np.where(texts != "", contributions, 0.0), p)[:, :MAX_REASONS]
    first_three = np.take_along_axis(texts, order, axis=1)
    return [", ".join(filter(None, reasons)) or NO_REASON for reasons in first_three.tolist()]


def _texts(group: str, contribution: Array, facts: Facts) -> npt.NDArray[np.object_]:
    """Return what a group says about each word; "" if it contributes nothing or no phrase is true in its direction."""
    texts = np.full(len(contribution), "", dtype=object)
    for sign, in_direction in ((UP, contribution > 0), (DOWN, contribution < 0)):
        first_true, phrases = choose(facts, group, sign)
        for number, phrase in enumerate(phrases):
            rows = np.flatnonzero(in_direction & (first_true == number))
            texts[rows] = phrase.write(facts, rows)
    return texts


def _order(contributions: Array, p: Array) -> npt.NDArray[np.int64]:
    """Return the order of the groups for each word: the one that decides its tier first, then by size of
    contribution."""
    listed = p.round(2) >= LIKELY
    toward_tier = np.where(listed, 1, -1)[:, None] * contributions
    rows, strongest = np.arange(len(p)), toward_tier.argmax(axis=1)
    most = toward_tier[rows, strongest]
    decides = (most > 0) & (listed | (most >= MIN_DECISIVE))
    strength = np.abs(contributions)
    strength[rows[decides], strongest[decides]] = np.inf
    return np.argsort(-strength, axis=1, kind="stable")
