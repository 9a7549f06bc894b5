"""History: how the official puzzles changed over time, and which words changed sides. For the notebooks beside it."""

from __future__ import annotations

import string

import pandas as pd

from pipeline.words import bingo, pangram, perfect_pangram, puzzle, score

FIGURES = ("words", "points", "pangrams", "perfect", "longest", "bingo")
"""The figures of a puzzle: counts, the points of its answers, the length of the longest, 1 for a bingo."""


def figures(puzzles: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Measure every puzzle: columns date and `FIGURES`."""
    frame = answers.assign(
        words=1,
        points=answers["word"].map(score),
        pangrams=answers["word"].map(pangram),
        perfect=answers["word"].map(perfect_pangram),
        longest=answers["word"].str.len(),
    )
    sums = {name: (name, "sum") for name in ("words", "points", "pangrams", "perfect")}
    counted = frame.groupby("date").agg(**sums, longest=("longest", "max"), answers=("word", list))
    frame = puzzles.merge(counted, on="date", validate="one_to_one")
    frame["bingo"] = [
        int(bingo(puzzle(outer, center), listed))
        for center, outer, listed in zip(frame["center"], frame["outer"], frame["answers"], strict=True)
    ]
    return frame[["date", *FIGURES]].astype({name: "int64" for name in FIGURES})


def means(measured: pd.DataFrame, digits: int) -> pd.DataFrame:
    """Average the `FIGURES` over months, with 7 digits of the dates, or years, with 4: also columns period, puzzles."""
    groups = measured.assign(period=measured["date"].str[:digits]).groupby("period")
    return groups.agg(puzzles=("date", "size"), **{name: (name, "mean") for name in FIGURES}).reset_index()


def letters(puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return how often each letter occurs: columns letter, center and outer, shares of the puzzles."""
    center, outer = puzzles["center"], puzzles["outer"]
    rows = [(each, (center == each).mean(), outer.str.contains(each).mean()) for each in string.ascii_lowercase]
    return pd.DataFrame(rows, columns=["letter", "center", "outer"])


def turns(trials: pd.DataFrame) -> pd.DataFrame:
    """List every trial with a different outcome than the previous trial of its word: columns word, date, accepted (the
    new outcome), before (the number of consecutive trials with the old one)."""
    frame = trials.sort_values(["word", "date"], ignore_index=True)
    new = frame["word"] != frame["word"].shift(1)
    changed = ~new & (frame["accepted"] != frame["accepted"].shift(1))
    stretch = (new | changed).cumsum()
    lengths = stretch.map(stretch.value_counts())
    frame["before"] = lengths.shift(1, fill_value=0)
    return frame[changed][["word", "date", "accepted", "before"]].reset_index(drop=True)


def debuts(trials: pd.DataFrame) -> pd.DataFrame:
    """List the first acceptance of every word: columns word, date, refused (how often it was refused before)."""
    frame = trials.sort_values(["word", "date"])
    frame["refused"] = (~frame["accepted"]).groupby(frame["word"]).cumsum()
    first = frame[frame["accepted"]].drop_duplicates("word")
    return first[["word", "date", "refused"]].reset_index(drop=True)


def recent(trials: pd.DataFrame, count: int) -> pd.Series:
    """Write the last trials of every word, oldest first, `+` for accepted and `-` for refused; the index is the word.

    >>> days = [("2025-01-01", "luff", False), ("2025-01-02", "luff", True), ("2025-01-03", "luff", True)]
    >>> recent(pd.DataFrame(days, columns=["date", "word", "accepted"]), 2)["luff"]
    '++'
    """
    last = trials.sort_values(["word", "date"]).groupby("word").tail(count)
    return last["accepted"].map({True: "+", False: "-"}).groupby(last["word"]).agg("".join)


def speaks(last: str, verdict: str, count: int = 5) -> bool:
    """Return whether at most half of the last trials, as `recent` writes them, contradict a verdict.

    >>> speaks("+++--", "keep"), speaks("+++--", "drop"), speaks("", "keep"), speaks("----+++", "keep")
    (True, False, True, True)
    """
    against = last[-count:].count("-" if verdict == "keep" else "+")
    return 2 * against <= len(last[-count:])
