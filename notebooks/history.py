"""History: how the official puzzles changed over time, and which words changed sides."""

from __future__ import annotations

import string
from typing import Literal

import pandas as pd
from notebook_data import NotebookData

from pipeline.publishing import diff
from pipeline.words import pangram, score

FIGURES = ["words", "points", "pangrams"]
"""The figures of a puzzle: its numbers of answers and pangrams, and the points of its answers."""


def measure_puzzles(answers: pd.DataFrame) -> pd.DataFrame:
    """Measure every puzzle: columns date and `FIGURES`."""
    frame = answers.assign(words=1, points=answers["word"].map(score), pangrams=answers["word"].map(pangram))
    return frame.groupby("date")[FIGURES].sum().reset_index()


def average_figures(figures: pd.DataFrame, period: Literal["Y", "M"]) -> pd.DataFrame:
    """Average the `FIGURES` of puzzles over years or months: columns period, puzzles and `FIGURES`."""
    groups = figures.groupby(_periods(figures["date"], period))
    averages = groups[FIGURES].mean()
    averages.insert(0, "puzzles", groups.size())
    return averages.rename_axis("period").reset_index()


def _periods(dates: pd.Series, period: str) -> pd.Series:
    """Return the year, quarter or month of each date, as pandas abbreviates and writes them: `Y`, `Q` or `M`."""
    return pd.to_datetime(dates).dt.to_period(period).astype("str")


def letter_shares(puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return how often each letter occurs: columns letter, and center and outer, which are shares of the puzzles."""
    rows = [
        (letter, (puzzles["center"] == letter).mean(), puzzles["outer"].str.contains(letter).mean())
        for letter in string.ascii_lowercase
    ]
    return pd.DataFrame(rows, columns=["letter", "center", "outer"])


def turns(trials: pd.DataFrame) -> pd.DataFrame:
    """List every trial with a different outcome than the previous trial of its word: columns word, date, accepted (the
    new outcome), before (the number of consecutive trials with the old one)."""
    frame = trials.sort_values(["word", "date"], ignore_index=True)
    new_word = frame["word"] != frame["word"].shift(1)
    turned = ~new_word & (frame["accepted"] != frame["accepted"].shift(1))
    streak = (new_word | turned).cumsum()
    streak_lengths = streak.map(streak.value_counts())
    frame["before"] = streak_lengths.shift(1, fill_value=0)
    return frame[turned][["word", "date", "accepted", "before"]].reset_index(drop=True)


def count_outcomes(trials: pd.DataFrame, period: Literal["Y", "Q"]) -> pd.DataFrame:
    """Count trials by year or quarter: the index is the period, the columns are True (accepted) and False."""
    counts = pd.crosstab(_periods(trials["date"], period), trials["accepted"])
    return counts.reindex(columns=[True, False], fill_value=0)


def latest_turns(data: NotebookData, count: int) -> pd.DataFrame:
    """Return the last `turns`, newest first, with their month and outcome (`now`) instead of the date."""
    frame = turns(data.trials).sort_values(["date", "word"], ascending=[False, True]).head(count)
    outcome = frame["accepted"].map({True: "accepted", False: "refused"})
    return data.censored(frame.assign(month=frame["date"].str[:7], now=outcome), "word")


def debuts(trials: pd.DataFrame) -> pd.DataFrame:
    """List the first acceptance of every word: columns word, date, refused (how often it was refused before)."""
    frame = trials.sort_values(["word", "date"])
    frame["refused"] = (~frame["accepted"]).groupby(frame["word"]).cumsum()
    first = frame[frame["accepted"]].drop_duplicates("word")
    return first[["word", "date", "refused"]].reset_index(drop=True)


def debut_shares(trials: pd.DataFrame) -> pd.DataFrame:
    """Return for each month the percentage of answers that were never accepted before: columns period, debuts, and
    turned (those that had been refused). Of more than two years, the first is left out: in it every word is new."""
    first = debuts(trials)
    answers = trials[trials["accepted"]]
    answers_per_month = answers.groupby(answers["date"].str[:7]).size()
    months = first.assign(period=first["date"].str[:7], turned=first["refused"] > 0).groupby("period")
    counts = months.agg(debuts=("word", "size"), turned=("turned", "sum"))
    counts = counts.reindex(answers_per_month.index, fill_value=0)
    shares = (100 * counts.div(answers_per_month, axis=0)).rename_axis("period").reset_index()
    return shares[12:] if len(shares) > 24 else shares


def last_outcomes(trials: pd.DataFrame, count: int) -> pd.Series:
    """Write the last trials of every word, oldest first, `+` for accepted and `-` for refused; the index is the word.

    >>> rows = [("2025-01-01", "luff", False), ("2025-01-02", "luff", True), ("2025-01-03", "luff", True)]
    >>> last_outcomes(pd.DataFrame(rows, columns=["date", "word", "accepted"]), 2)["luff"]
    '++'
    """
    last = trials.sort_values(["word", "date"]).groupby("word").tail(count)
    return last["accepted"].map({True: "+", False: "-"}).groupby(last["word"]).agg("".join)


def agrees_with_outcomes(verdict: str, outcomes: str) -> bool:
    """Return whether at most half of the last five outcomes, as `last_outcomes` writes them, contradict a verdict.

    >>> agrees_with_outcomes("keep", "+++--"), agrees_with_outcomes("drop", "+++--")
    (True, False)
    >>> agrees_with_outcomes("keep", ""), agrees_with_outcomes("keep", "----+++")
    (True, True)
    """
    last = outcomes[-5:]
    contradicting = last.count("-" if verdict == "keep" else "+")
    return 2 * contradicting <= len(last)


def points_at_stake(data: NotebookData, count: int) -> pd.DataFrame:
    """Return the words of the record about which the list is wrong most often, by the points that this costs."""
    frame = diff.by_word(data.record, data.decisions)
    frame["at stake"] = frame["puzzles"] * frame["word"].map(score)
    frame = frame.sort_values(["at stake", "word"], ascending=[False, True]).head(count)
    trials = data.trials[data.trials["word"].isin(frame["word"])]
    turn_counts = turns(trials).groupby("word").size()
    frame["turns"] = frame["word"].map(turn_counts).fillna(0).astype("int64")
    frame["last trials"] = frame["word"].map(last_outcomes(trials, 10)).fillna("")
    return frame
