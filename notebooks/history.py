"""History: how the official puzzles changed over time, and which words changed sides."""

from __future__ import annotations

import string
from typing import Literal

import pandas as pd
from notebook_data import NotebookData

from pipeline.measure import backtest
from pipeline.measure.score import compare
from pipeline.publishing import diff
from pipeline.words import bingo, pangram, perfect_pangram, puzzle, score

FIGURES = ("words", "points", "pangrams", "perfect", "longest", "bingo")
"""The figures of a puzzle: counts, the points of its answers, the length of the longest, 1 for a bingo."""
PERIOD_LENGTHS = {"year": len("2025"), "month": len("2025-01")}
"""The number of characters of a date that name its period."""


def measure_puzzles(puzzles: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Measure every puzzle: columns date and `FIGURES`."""
    frame = answers.assign(
        words=1,
        points=answers["word"].map(score),
        pangrams=answers["word"].map(pangram),
        perfect=answers["word"].map(perfect_pangram),
        longest=answers["word"].str.len(),
    )
    totals = frame.groupby("date").agg(
        words=("words", "sum"),
        points=("points", "sum"),
        pangrams=("pangrams", "sum"),
        perfect=("perfect", "sum"),
        longest=("longest", "max"),
        answers=("word", list),
    )
    frame = puzzles.merge(totals, on="date", validate="one_to_one")
    frame["bingo"] = [
        bingo(puzzle(outer, center), words)
        for center, outer, words in zip(frame["center"], frame["outer"], frame["answers"], strict=True)
    ]
    return frame[["date", *FIGURES]].astype({name: "int64" for name in FIGURES})


def average_figures(figures: pd.DataFrame, period: Literal["year", "month"]) -> pd.DataFrame:
    """Average the `FIGURES` of puzzles over years or months: columns period, puzzles and `FIGURES`."""
    periods = figures["date"].str[: PERIOD_LENGTHS[period]].rename("period")
    groups = figures.groupby(periods)
    averages = groups[list(FIGURES)].mean()
    averages.insert(0, "puzzles", groups.size())
    return averages.reset_index()


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


def turns_by_quarter(turned: pd.DataFrame) -> pd.DataFrame:
    """Count `turns` by quarter: the index is the quarter, the columns are True (accepted) and False."""
    year, month = turned["date"].str[:4], turned["date"].str[5:7].astype(int)
    quarter = year + " Q" + ((month + 2) // 3).astype(str)
    counts = turned.groupby([quarter, "accepted"]).size().unstack(fill_value=0)
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


def latest_debuts(data: NotebookData, count: int) -> pd.DataFrame:
    """Return the last debuts of words that had been refused, newest first: columns word, month, refused."""
    frame = debuts(data.trials)
    frame = frame[frame["refused"] > 0].sort_values(["date", "word"], ascending=[False, True]).head(count)
    return data.censored(frame.assign(month=frame["date"].str[:7]), "word")


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


def exact_by_month(data: NotebookData) -> pd.DataFrame:
    """Return for each month the share of puzzles for which the current list is exactly right: columns month, exact."""
    trials = data.trials.merge(data.puzzles[["date", "center"]], on="date")
    compared = compare(trials, data.listed).assign(list="this list")
    return backtest.scores(compared, "month")


def diff_causes(data: NotebookData) -> pd.DataFrame:
    """Count the diffs of the current list by side and cause: columns side, cause, words, diffs."""
    turn_counts = turns(data.trials).groupby("word").size()
    decided_by = data.decisions.set_index("word")["by"]
    frame = data.diffs.copy()
    frame["turns"] = frame["word"].map(turn_counts).fillna(0)
    frame["cause"] = "changed sides once"
    frame.loc[frame["turns"] > 1, "cause"] = "changed sides several times"
    frame.loc[frame["turns"] == 0, "cause"] = "waits for a second source, or was tried on days that are not on disk"
    frame.loc[frame["word"].map(decided_by) == "verdict", "cause"] = "a person's verdict"
    return frame.groupby(["side", "cause"]).agg(words=("word", "nunique"), diffs=("word", "size")).reset_index()


def points_at_stake(data: NotebookData, count: int) -> pd.DataFrame:
    """Return the words of the record about which the list is wrong most often, by the points that this costs."""
    frame = diff.by_word(data.evidence, data.decisions)
    frame["at stake"] = frame["puzzles"] * frame["word"].map(score)
    frame = frame.sort_values(["at stake", "word"], ascending=[False, True]).head(count)
    trials = data.trials[data.trials["word"].isin(frame["word"])]
    turn_counts = turns(trials).groupby("word").size()
    frame["turns"] = frame["word"].map(turn_counts).fillna(0).astype("int64")
    frame["last trials"] = frame["word"].map(last_outcomes(trials, 10)).fillna("")
    return frame
