"""Puzzles: every puzzle that a word list makes possible, with its words and points.

A puzzle is possible if at least one word uses all its seven letters. All puzzles are counted together: for each of the
127 ways to choose some of seven letters, the masks of this choice from all letter sets are made in one step and looked
up in the masks of the list.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.words import GAME

Numbers = npt.NDArray[np.int64]

COLUMNS = ("words", "points", "pangrams", "perfect", "bingo")
"""The columns of a possible puzzle. `bingo` is whether every letter starts an answer; the others are numbers."""


def possible(words: Iterable[str], hardness: Mapping[str, int] | None = None) -> pd.DataFrame:
    """Return a table of all possible puzzles of a list of playable words.

    Its columns are center, outer and `COLUMNS`; if the hardness of each word is given, also difficulty.

    >>> possible(["covenant", "cove", "cave"]).iloc[0].to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'center': 'a', 'outer': 'cenotv', 'words': 2, 'points': 16, 'pangrams': 1, 'perfect': 0, 'bingo': False}
    """
    sums = _sum_by_mask(words, hardness)
    letter_sets = np.unique(sums.masks[sums.columns["pangrams"] > 0])
    totals = {name: np.zeros((GAME.letter_count, len(letter_sets)), np.int64) for name in sums.columns}
    first_letters = np.zeros((GAME.letter_count, len(letter_sets)), np.int64)
    for subset in subsets(letter_sets, sums.masks):
        for place in subset.places:
            for name, column in sums.columns.items():
                totals[name][place, subset.set_rows] += column[subset.mask_rows]
            first_letters[place, subset.set_rows] |= sums.first_letters[subset.mask_rows]
    totals["bingo"] = first_letters == letter_sets  # all seven letters start some answer
    alphabet = np.array([chr(97 + bit) for bit in range(26)])
    letters = alphabet[_places(letter_sets)]
    outer = [functools.reduce(np.char.add, np.delete(letters, place, axis=0)) for place in range(GAME.letter_count)]
    puzzles = pd.DataFrame({"center": letters.ravel(), "outer": np.concatenate(outer)}, dtype="str")
    for name in COLUMNS:
        puzzles[name] = totals[name].ravel()
    if hardness is not None:  # rounded to tenths, half up, like `difficulty.rounded_mean`
        points = totals["points"].ravel()
        puzzles["difficulty"] = (20 * totals["weighted"].ravel() + points) // (2 * points) / 10
    return puzzles


@dataclass(frozen=True, slots=True)
class Subset:
    """One choice of letters from many sets of seven letters: the chosen places (0 is the first letter of a set, A to Z)
    and, for each set for which the chosen letters are among the masks, the row of the set and the row of the mask."""

    places: list[int]
    set_rows: Numbers
    mask_rows: Numbers


def subsets(sets: Numbers, masks: Numbers) -> Iterator[Subset]:
    """Yield every choice of letters from sets of seven letters, looked up in sorted masks."""
    if not len(masks):
        return
    bits = np.int64(1) << _places(sets)
    for chosen in range(1, 1 << GAME.letter_count):
        places = [place for place in range(GAME.letter_count) if chosen >> place & 1]
        subset_masks = bits[places].sum(axis=0)
        mask_rows = np.searchsorted(masks, subset_masks).clip(max=len(masks) - 1)
        set_rows = np.flatnonzero(masks[mask_rows] == subset_masks)
        yield Subset(places, set_rows, mask_rows[set_rows])


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sums over all words with the same letters: the sorted masks, the sums by column, and the bits of the first
    letters of the words."""

    masks: Numbers
    columns: dict[str, Numbers]
    first_letters: Numbers


def _sum_by_mask(words: Iterable[str], hardness: Mapping[str, int] | None) -> _Sums:
    """Return the sums over words with the same mask. With their hardness, there is also a column `weighted`, the points
    times the hardness."""
    words = list(words)
    padded_words = np.array(words, dtype=f"S{GAME.max_length}")
    codes = (
        padded_words.view(np.uint8).reshape(-1, GAME.max_length).astype(np.int64)
    )  # a row for each word, 0 at its end
    lengths = (codes > 0).sum(axis=1)
    letter_bits = np.where(codes > 0, np.int64(1) << (codes - 97).clip(min=0), 0)
    mask_of_word = np.bitwise_or.reduce(letter_bits, axis=1)
    masks, mask_index_of_word = np.unique(mask_of_word, return_inverse=True)
    is_pangram = np.bitwise_count(mask_of_word) == GAME.letter_count
    points = np.where(lengths <= GAME.min_length, 1, lengths) + GAME.pangram_bonus * is_pangram
    by_word = {
        "words": np.ones_like(points),
        "points": points,
        "pangrams": is_pangram,
        "perfect": is_pangram & (lengths == GAME.letter_count),
    }
    if hardness is not None:
        by_word["weighted"] = points * np.array([hardness[word] for word in words], dtype=np.int64)
    columns = {
        name: np.bincount(mask_index_of_word, weights=column, minlength=len(masks)).astype(np.int64)
        for name, column in by_word.items()
    }
    first_letters = np.zeros_like(masks)
    np.bitwise_or.at(first_letters, mask_index_of_word, letter_bits[:, 0])
    return _Sums(masks, columns, first_letters)


def _places(sets: Numbers) -> Numbers:
    """Return the positions of the seven bits of each set, lowest first: seven rows, one column per set."""
    table = (sets[:, None] >> np.arange(26)) & 1
    return np.nonzero(table)[1].reshape(len(sets), GAME.letter_count).T
