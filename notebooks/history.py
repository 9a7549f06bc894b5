"""History: how the official puzzles changed over time, and which words changed sides. For the notebooks beside it."""

from __future__ import annotations

import string

import pandas as pd
from opening import Opened

from pipeline.measure import backtest
from pipeline.measure import score as score_lists
from pipeline.publishing import diff
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


def exactness(book: Opened) -> pd.DataFrame:
    """Return for each month the share of puzzles for which the current list is exactly right: columns month, exact."""
    centers = book["puzzles"][["date", "center"]]
    sided = score_lists.sides(book["trials"].merge(centers, on="date"), book.listed).assign(list="this list")
    return backtest.scores(sided, "month")


def causes(book: Opened) -> pd.DataFrame:
    """Count the diffs of the current list by side and cause: columns side, cause, words, diffs."""
    turned, by = turns(book["trials"]).groupby("word").size(), book["decisions"].set_index("word")["by"]
    frame = book["diffs"].assign(turns=book["diffs"]["word"].map(turned).fillna(0), by=book["diffs"]["word"].map(by))
    frame["cause"] = "changed sides once"
    frame.loc[frame["turns"] > 1, "cause"] = "changed sides several times"
    frame.loc[frame["turns"] == 0, "cause"] = "waits for a second source, or was tried on days that are not on disk"
    frame.loc[frame["by"] == "verdict", "cause"] = "a person's verdict"
    return frame.groupby(["side", "cause"]).agg(words=("word", "nunique"), diffs=("word", "size")).reset_index()


def stakes(book: Opened, most: int) -> pd.DataFrame:
    """Return the words of the record about which the list is wrong most often, by the points that this costs."""
    frame = diff.by_word(book["evidence"], book["decisions"])
    frame["at stake"] = frame["puzzles"] * frame["word"].map(score)
    frame = frame.sort_values(["at stake", "word"], ascending=[False, True]).head(most)
    trials = book["trials"][book["trials"]["word"].isin(frame["word"])]
    frame["turns"] = frame["word"].map(turns(trials).groupby("word").size()).fillna(0).astype("int64")
    frame["last trials"] = frame["word"].map(recent(trials, 10)).fillna("")
    return frame


def by_quarter(turned: pd.DataFrame) -> pd.DataFrame:
    """Count `turns` by quarter: the index is the quarter, the columns are True (accepted) and False."""
    quarter = turned["date"].str[:4] + " Q" + ((turned["date"].str[5:7].astype(int) + 2) // 3).astype(str)
    counts = turned.groupby([quarter, "accepted"]).size().unstack(fill_value=0)
    return counts.reindex(columns=[True, False], fill_value=0)


def debut_shares(trials: pd.DataFrame) -> pd.DataFrame:
    """Return for each month the percentage of answers that were never accepted before: columns period, debuts, and
    turned (those that had been refused). Of more than two years, the first is left out: in it every word is new."""
    found = debuts(trials)
    accepted = trials[trials["accepted"]].groupby(trials["date"].str[:7]).size()
    periods = found.assign(period=found["date"].str[:7], turned=found["refused"] > 0).groupby("period")
    counts = periods.agg(debuts=("word", "size"), turned=("turned", "sum")).reindex(accepted.index, fill_value=0)
    shares = (100 * counts.div(accepted, axis=0)).rename_axis("period").reset_index()
    return shares[12:] if len(shares) > 24 else shares


def latest_debuts(book: Opened, most: int) -> pd.DataFrame:
    """Return the last debuts of words that had been refused, newest first: columns word, month, refused."""
    frame = debuts(book["trials"])
    frame = frame[frame["refused"] > 0].sort_values(["date", "word"], ascending=[False, True]).head(most)
    return frame.assign(month=frame["date"].str[:7], word=frame["word"].map(book.veiled))


def latest_turns(book: Opened, most: int) -> pd.DataFrame:
    """Return the last `turns`, newest first, with their month and outcome instead of the date."""
    frame = turns(book["trials"]).sort_values(["date", "word"], ascending=[False, True]).head(most)
    now = frame["accepted"].map({True: "accepted", False: "refused"})
    return frame.assign(word=frame["word"].map(book.veiled), month=frame["date"].str[:7], now=now)
