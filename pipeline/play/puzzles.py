"""Puzzles: every puzzle that a word list makes possible, with its words and points.

A puzzle is possible if some word uses all its seven letters. All are counted together: for each of the 127 ways to
choose some of seven letters, the masks of all sets are made in one step and looked up in the masks of the list.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.words import GAME

Numbers = npt.NDArray[np.int64]

COLUMNS = ("words", "points", "pangrams", "perfect", "bingo")
"""The columns of a possible puzzle; `bingo` is whether every letter starts an answer, the others are numbers."""


def possible(words: Iterable[str], hard: Mapping[str, int] | None = None) -> pd.DataFrame:
    """Count every puzzle of a list of playable words.

    Columns: center, outer and `COLUMNS`; if the hardness of each word is given, also difficulty.

    >>> possible(["covenant", "cove", "cave"]).iloc[0].to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'center': 'a', 'outer': 'cenotv', 'words': 2, 'points': 16, 'pangrams': 1, 'perfect': 0, 'bingo': False}
    """
    masks, sums = _by_mask(words, hard)
    sets = np.unique(masks[sums["pangrams"] > 0])
    totals = {name: np.zeros((GAME.letter_count, len(sets)), np.int64) for name in (*sums, "firsts")}
    firsts = sums.pop("firsts")
    for places, hit, rows in subsets(sets, masks):
        for place in places:
            for name, column in sums.items():
                totals[name][place, hit] += column[rows]
            totals["firsts"][place, hit] |= firsts[rows]
    totals["bingo"] = totals.pop("firsts") == sets
    letters = np.array([chr(97 + bit) for bit in range(26)])[_places(sets)]
    outer = [functools.reduce(np.char.add, np.delete(letters, place, axis=0)) for place in range(GAME.letter_count)]
    named = {"center": letters.ravel(), "outer": np.concatenate(outer)}
    made = pd.DataFrame(named | {name: totals[name].ravel() for name in COLUMNS})
    if hard is not None:  # tenths, half up, like `difficulty.rounded`
        points = totals["points"].ravel()
        made["difficulty"] = (20 * totals["weighed"].ravel() + points) // (2 * points) / 10
    return made.astype({"center": "str", "outer": "str"})


def subsets(sets: Numbers, masks: Numbers) -> Iterator[tuple[list[int], Numbers, Numbers]]:
    """Look up every choice of letters from sets of seven in sorted masks: yield the places that are chosen (0 is the
    lowest letter), the sets whose choice is among the masks, and the rows of those masks."""
    bits = np.int64(1) << _places(sets)
    for chosen in range(1, 1 << GAME.letter_count):
        places = [place for place in range(GAME.letter_count) if chosen >> place & 1]
        subset = bits[places].sum(axis=0)
        at = np.searchsorted(masks, subset).clip(max=max(len(masks) - 1, 0))
        hit = np.flatnonzero(masks[at] == subset) if len(masks) else np.empty(0, np.int64)
        yield places, hit, at[hit]


def choose(
    puzzles: pd.DataFrame,
    contains: str = "",
    without: str = "",
    center: str = "",
    **between: tuple[int | None, int | None],
) -> pd.DataFrame:
    """Keep puzzles with and without some letters, with one of these centers, and with columns between two bounds."""
    kept = pd.Series(True, index=puzzles.index)
    letters = puzzles["center"] + puzzles["outer"]
    for letter in contains:
        kept &= letters.str.contains(letter, regex=False)
    for letter in without:
        kept &= ~letters.str.contains(letter, regex=False)
    if center:
        kept &= puzzles["center"].isin(list(center))
    for column, (least, most) in between.items():
        if least is not None:
            kept &= puzzles[column] >= least
        if most is not None:
            kept &= puzzles[column] <= most
    return puzzles[kept]


def _by_mask(words: Iterable[str], hard: Mapping[str, int] | None) -> tuple[Numbers, dict[str, Numbers]]:
    """Sum words by mask: return the sorted masks, and for each the columns and the bits of the first letters."""
    listed = list(words)
    table = np.array(listed, dtype=f"S{GAME.max_length}")
    letters = table.view(np.uint8).reshape(-1, GAME.max_length).astype(np.int64)
    lengths = (letters > 0).sum(axis=1)
    bits = np.where(letters > 0, np.int64(1) << (letters - 97).clip(min=0), 0)
    every = np.bitwise_or.reduce(bits, axis=1)
    masks, at = np.unique(every, return_inverse=True)
    full = np.bitwise_count(every) == GAME.letter_count
    points = np.where(lengths <= GAME.min_length, 1, lengths) + GAME.pangram_bonus * full
    columns = dict(
        zip(COLUMNS, (np.ones_like(points), points, full, full & (lengths == GAME.letter_count)), strict=False)
    )
    if hard is not None:
        columns["weighed"] = points * np.array([hard[word] for word in listed], dtype=np.int64)
    sums = {
        name: np.bincount(at, weights=column, minlength=len(masks)).astype(np.int64) for name, column in columns.items()
    }
    sums["firsts"] = np.zeros_like(masks)
    np.bitwise_or.at(sums["firsts"], at, bits[:, 0])
    return masks, sums


def _places(sets: Numbers) -> Numbers:
    """Return the places of the seven bits of each set, lowest first: seven rows, one column per set."""
    table = (sets[:, None] >> np.arange(26)) & 1
    return np.nonzero(table)[1].reshape(len(sets), GAME.letter_count).T
