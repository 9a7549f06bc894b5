"""Worth: which words are most worth a person's minute.

The effect of a wrong decision is the points that it costs a player in a puzzle, on average: the chance that a puzzle
spells the word, times the doubt that the decision is right, times the word's points. Words of a family stand together,
the family with the greatest sum first, so that one thought serves them all.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline import frames, puzzles
from pipeline.words import PUZZLE_LETTERS, mask, pangram, score

CHANGED, CONSTANT = 0.15, 0.015
"""How often the next trial disagreed with the last one, times the number of trials since the word changed sides (plus
one): words that did change sides, and words that never did. Fitted by eye to the trials from 2023-07 on, where 6.6 %
disagreed after one trial since a change, 0.3 % after six, and 0.8 % after the first trial ever."""

UNWITNESSED = 0.5
"""The doubt about a word that one source alone vouched for, once: nothing speaks for either side."""

PRIOR = 500
"""For so many puzzles the letters alone count in a word's chance; what was offered then counts for the rest."""

MATTERS = 0.05
"""Words of a family with less than this share of its greatest effect are left out: they are as good as settled."""

COLUMNS = ["word", "family", "tier", "p", "offered", "accepted", "chance", "doubt", "points", "effect", "because"]


def queue(
    decisions: pd.DataFrame,
    estimates: pd.DataFrame,
    evidence: pd.DataFrame,
    lexicon: pd.DataFrame,
    verdicts: pd.DataFrame,
    covered: Iterable[str],
) -> pd.DataFrame:
    """Order the words that no person has decided on by what a minute spent on them is worth; `COLUMNS`.

    Of words that were never tried those of the tiers likely and review are taken, of the others all. `covered`
    are the dates of the evidence. `p` is NaN for words with a trial; `effect` is in points a puzzle.
    """
    dates = np.sort(np.array(list(covered), dtype="U10"))
    frame = decisions[~decisions["word"].isin(verdicts["word"])]
    frame = frame[(frame["by"] == "evidence") | frame["tier"].isin(["likely", "review"])].copy()
    frame["p"] = frames.look_up(frame["word"], estimates.set_index("word")["p"], np.nan)
    record = evidence.set_index("word")
    for column in ("offered", "accepted"):
        frame[column] = np.array(frames.look_up(frame["word"], record[column], 0), dtype=np.int64)
    played = [mask(word) for word in evidence["word"][evidence["accepted"] > 0] if pangram(word)]
    by_letters = spelled([mask(word) for word in frame["word"]], played)
    frame["chance"] = (frame["offered"] + PRIOR * by_letters) / (len(dates) + PRIOR)
    frame["doubt"] = _doubt(frame, record, dates)
    frame["points"] = np.array([score(word) for word in frame["word"]], dtype=np.int64)
    frame.loc[(frame["by"] == "evidence") & (frame["tier"] == "review"), "doubt"] = UNWITNESSED
    frame["effect"] = frame["chance"] * frame["doubt"] * frame["points"]
    lemma = frames.look_up(frame["word"], lexicon.set_index("word")["lemma"], "")
    frame["family"] = [lemma or word for lemma, word in zip(lemma, frame["word"], strict=True)]
    effects = frame.groupby("family")["effect"]
    frame["together"] = effects.transform("sum")
    frame = frame[frame["effect"] >= MATTERS * effects.transform("max")]
    order = ["together", "family", "effect", "word"]
    return frame.sort_values(order, ascending=[False, True, False, True], ignore_index=True)[COLUMNS]


def _doubt(frame: pd.DataFrame, record: pd.DataFrame, dates: npt.NDArray[np.str_]) -> npt.NDArray[np.float64]:
    """Judge how likely each decision is wrong: by p, or by how long the record has been of one mind."""
    accepted, rejected = (
        np.array(frames.look_up(frame["word"], record[f"last_{side}"], ""), dtype="U10")
        for side in ("accepted", "rejected")
    )
    other = np.where(accepted < rejected, accepted, rejected)
    since = 1 - np.searchsorted(dates, other, side="right") / max(len(dates), 1)
    run = np.maximum(frame["offered"].to_numpy() * np.where(other == "", 1, since), 1)
    tried = np.where(other == "", CONSTANT, CHANGED) / (run + 1)
    p = frame["p"].to_numpy()
    return np.asarray(np.where(np.isnan(p), tried, np.minimum(p, 1 - p)), dtype=np.float64)


def spelled(masks: list[int], played: list[int]) -> npt.NDArray[np.float64]:
    """Return for each mask the share of puzzles that spell it, judged by the sets of letters that were played.

    A set counts once, whatever number of its puzzles or pangrams there were; any of its letters may be the center.
    Letters that go with none of them still have a small chance: half a set more is counted for every mask.
    """
    wanted, at = np.unique(np.array(masks, dtype=np.int64), return_inverse=True)
    sets = np.unique(np.array(played, dtype=np.int64))
    hits = np.zeros(len(wanted))
    for _, _, rows in puzzles.subsets(sets, wanted):
        np.add.at(hits, rows, 1.0)
    centers = np.bitwise_count(wanted) / PUZZLE_LETTERS
    return np.asarray(((hits + 0.5) / (len(sets) + 1) * centers)[at])
