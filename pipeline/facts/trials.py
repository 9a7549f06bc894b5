"""Trials: a *trial* records that a word was possible on a date, and whether it was accepted.

The index of masks finds all trials of all candidates in about a second; all other facts about words are sums over this
one table.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import is_common
from pipeline.tables import columns, frames
from pipeline.words import GAME


def candidates(lexicon: pd.DataFrame, others: Iterable[str]) -> pd.DataFrame:
    """Return the words to consider, A to Z (columns word, common): the `common` words of the lexicon, and `others`,
    which are those that were ever an answer and those on which people decided."""
    common_words = lexicon["word"][is_common(lexicon)]
    other_words = columns.sorted_words([others])
    other_words = other_words[~columns.is_in(other_words, common_words)]
    words = pd.concat([common_words, other_words], ignore_index=True)
    common = np.arange(len(words)) < len(common_words)
    return pd.DataFrame({"word": words, "common": common}).sort_values("word", ignore_index=True)


def find_trials(puzzles: pd.DataFrame, answers: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the trials of all candidates: one row for each word that the letters of a puzzle can spell, accepted or
    not.

    A puzzle's letters have 64 subsets that include the center. Each subset is looked up among the masks of the
    candidates, for all puzzles at once. So the time grows with the number of puzzles and trials, but hardly with the
    number of candidates.
    """
    dates, words = puzzles["date"], candidates["word"]
    masks_of_words = pd.DataFrame({"mask": columns.masks(words), "word": np.arange(len(words))})
    possible = _subsets(puzzles).merge(masks_of_words, on="mask")
    # each trial is the number `puzzle * len(words) + word`, so sorting the numbers gives the order of the table
    trial = np.sort(possible["puzzle"] * len(words) + possible["word"])
    puzzle, word = np.divmod(trial, len(words))
    answered_puzzle = columns.positions(answers["date"], dates)
    answered_word = columns.positions(answers["word"], words)
    is_possible = (answered_puzzle >= 0) & (answered_word >= 0)
    accepted_trials = (answered_puzzle * len(words) + answered_word)[is_possible]
    cells = {
        "date": dates.array.take(puzzle),
        "word": words.array.take(word),
        "accepted": np.isin(trial, accepted_trials),
    }
    return frames.check(pd.DataFrame(cells), "trials")


def _subsets(puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return the mask of each subset of a puzzle's letters that includes the center, as a table with the columns puzzle
    (its row) and mask."""
    masks = [columns.masks(puzzles["center"])]
    for place in range(GAME.letter_count - 1):
        letter = columns.masks(puzzles["outer"].str[place])
        masks += [mask | letter for mask in masks]
    puzzle = np.tile(np.arange(len(puzzles)), len(masks))
    return pd.DataFrame({"puzzle": puzzle, "mask": np.concatenate(masks)})


def leave_out(rows: pd.DataFrame, without_trial: pd.DataFrame) -> pd.DataFrame:
    """Return trials or answers without those of some words on some dates (columns date, word)."""
    possible = rows[columns.is_in(rows["date"], without_trial["date"])]
    keys = possible["date"] + " " + possible["word"]
    is_excluded = columns.is_in(keys, without_trial["date"] + " " + without_trial["word"])
    return rows.drop(index=possible.index[is_excluded]).reset_index(drop=True)
