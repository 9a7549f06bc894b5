"""History: what the official puzzles looked like over time, and which words changed sides.

Frames in, frames out, each a group-by of puzzles, answers or trials; months and years are the beginnings of ISO dates.
"""

from __future__ import annotations

import string

import pandas as pd

from pipeline.words import bingo, pangram, perfect_pangram, puzzle, score

FIGURES = ("words", "points", "pangrams", "perfect", "longest", "bingo")
"""What is measured of a puzzle: counts, points of all answers, letters of its longest answer, 1 for a bingo."""


def figures(puzzles: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Measure every puzzle: columns date and those of `FIGURES`."""
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
    """Average the figures over dates that begin alike: 7 digits for months, 4 for years.

    Columns: period, puzzles and those of `FIGURES`, each a mean a puzzle.
    """
    groups = measured.assign(period=measured["date"].str[:digits]).groupby("period")
    return groups.agg(puzzles=("date", "size"), **{name: (name, "mean") for name in FIGURES}).reset_index()


def letters(puzzles: pd.DataFrame) -> pd.DataFrame:
    """Say how often each letter occurs: columns letter, center and outer, shares of the puzzles."""
    rows = [
        {
            "letter": letter,
            "center": (puzzles["center"] == letter).mean(),
            "outer": puzzles["outer"].str.contains(letter).mean(),
        }
        for letter in string.ascii_lowercase
    ]
    return pd.DataFrame(rows)


def turns(trials: pd.DataFrame) -> pd.DataFrame:
    """List every trial that went another way than the word's trial before: columns word, date, accepted, before.

    `accepted` is the new side; `before` is how many trials had gone the old way in a row.
    """
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
    """Spell the last trials of every word, oldest first, `+` for accepted and `-` for refused; the index is the word.

    >>> days = [("2025-01-01", "luff", False), ("2025-01-02", "luff", True), ("2025-01-03", "luff", True)]
    >>> recent(pd.DataFrame(days, columns=["date", "word", "accepted"]), 2)["luff"]
    '++'
    """
    last = trials.sort_values(["word", "date"]).groupby("word").tail(count)
    return last["accepted"].map({True: "+", False: "-"}).groupby(last["word"]).agg("".join)
