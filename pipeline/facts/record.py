"""The record of every word that was ever possible: its trials, counted, one row per word, never as puzzles.

All columns are sums, minimums or maximums, so the record of some days is the sum of the records of parts of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from pipeline.errors import DataError
from pipeline.tables import columns, frames


def tally(trials: pd.DataFrame) -> pd.DataFrame:
    """Return the counts of trials, one row per word, as the table `record`."""
    trials_of_word = trials.groupby("word")
    acceptances = trials[trials["accepted"]].groupby("word")
    refusals = trials[~trials["accepted"]].groupby("word")
    counts = pd.DataFrame(
        {
            "offered": trials_of_word.size(),
            "accepted": trials_of_word["accepted"].sum(),
            "first_accepted": acceptances["date"].min(),
            "last_accepted": acceptances["date"].max(),
            "last_refused": refusals["date"].max(),
        }
    )
    counts = counts.fillna({"first_accepted": "", "last_accepted": "", "last_refused": ""})
    return frames.check(counts.reset_index(names="word"), "record")


def add(left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
    """Return the sum of two records that cover different days."""
    is_changed = columns.is_in(left["word"], right["word"])
    both = pd.concat([left[is_changed], right], ignore_index=True)
    both["first_accepted"] = both["first_accepted"].replace("", None)  # so that "" does not count as the first date
    sums = {
        "offered": "sum",
        "accepted": "sum",
        "first_accepted": "min",
        "last_accepted": "max",
        "last_refused": "max",
    }
    counts = both.groupby("word").agg(sums).fillna({"first_accepted": ""})
    return frames.check(pd.concat([left[~is_changed], counts.reset_index()]), "record")


def trials_to_count(trials: pd.DataFrame, common_words: Iterable[str], start: pd.DataFrame) -> pd.DataFrame:
    """Return the trials of new days that are added to a record.

    A common word of the lexicon or of the record counts on all of the days. Any other word counts from the first day
    that accepts it on or, if the record is empty, on all of the days.
    """
    word = trials["word"]
    is_counted = columns.is_in(word, common_words) | columns.is_in(word, start["word"])
    others = trials[~is_counted]
    first_accepted = others[others["accepted"]].groupby("word")["date"].min()
    never = "9999"
    first = columns.look_up(word, first_accepted, never)
    is_accepted_by_then = (trials["date"] >= first) if len(start) else (first < never)
    return trials[is_counted | is_accepted_by_then.to_numpy()]


def accepted_on(record: pd.DataFrame) -> dict[str, list[str]]:
    """Return, by date, the words whose last trial accepted them on that date."""
    accepted = record[record["last_accepted"] > record["last_refused"]]
    words: dict[str, list[str]] = {}
    for date, word in zip(accepted["last_accepted"].tolist(), accepted["word"].tolist(), strict=True):
        words.setdefault(date, []).append(word)
    return words


def decode(words_csv: bytes) -> pd.DataFrame:
    """Return the record in the bytes of `words.csv`: the rows of its words that were ever possible. Raise DataError if
    it is damaged."""
    names = frames.CONTRACTS["record"].columns
    header = words_csv.partition(b"\n")[0].decode("utf-8", "replace").strip().split(",")
    if absent := [name for name in names if name not in header]:
        raise DataError(
            f"words.csv has no column {absent[0]}: it is of another version of the program. `bee init` puts the "
            "release of the program there."
        )
    table = frames.read_csv(words_csv, "words.csv", only=names)
    try:
        record = frames.from_text(table[table["offered"] != "0"], "record")
    except DataError as error:
        raise DataError(f"words.csv is damaged: {error}") from error
    impossible = record["word"][~columns.is_playable(record["word"])]
    if len(impossible):
        raise DataError(f'words.csv has "{impossible.iloc[0]}", which cannot be an answer of a puzzle.')
    return record
