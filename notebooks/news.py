"""News for the first notebook: the days after a release, and how they changed the list."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pandas as pd


def since(dates: Collection[str], covered_to: str, otherwise: int) -> tuple[list[str], bool]:
    """Return the dates after a given one, and whether there are any; if not, return the last `otherwise` dates.

    >>> since(["2025-01-01", "2025-01-02"], "2025-01-01", 1), since(["2025-01-01", "2025-01-02"], "2025-01-02", 1)
    ((['2025-01-02'], True), (['2025-01-02'], False))
    """
    new = sorted(date for date in dates if date > covered_to)
    return (new, True) if new else (sorted(dates)[-otherwise:], False)


def days(dates: Collection[str], puzzles: pd.DataFrame, track: pd.DataFrame, waiting: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `track` of some days, and in `waits` the reason why a day does not count yet, or "".

    A day that waits, or that came with the first merge, has no figures.
    """
    frame = puzzles.loc[puzzles["date"].isin(dates), ["date", "source"]]
    frame = frame.merge(track.drop(columns="source"), on="date", how="left")
    reasons = waiting[waiting["subject"] == "day"].set_index("date")
    return frame.assign(waits=frame["date"].map(reasons["kind"] + ": " + reasons["detail"]).fillna(""))


def changes(approved: Collection[str], listed: Collection[str], because: Mapping[str, str]) -> pd.DataFrame:
    """Compare the approved list with the current one: columns word, change (added or removed), because."""
    rows = [
        (word, "added" if word in listed else "removed", because.get(word, "no list knows it any more"))
        for word in sorted(set(approved) ^ set(listed))
    ]
    return pd.DataFrame(rows, columns=["word", "change", "because"], dtype="str")


def relatives(words: Collection[str], lexicon: pd.DataFrame, links: pd.DataFrame, record: pd.DataFrame) -> pd.Series:
    """Return the tried relatives of words with how often each was accepted, by word: `luffs 3/4, luffed 0/1`.

    `links` are from `opinions.relatives`, by row number of the lexicon. A word without tried relatives has "".
    """
    names = lexicon["word"].to_numpy()
    pairs = pd.DataFrame({"word": names[links["form"]], "other": names[links["base"]]})
    both = pd.concat([pairs, pairs.rename(columns={"word": "other", "other": "word"})])
    both = both[both["word"].isin(set(words))].drop_duplicates().merge(record, left_on="other", right_on="word")
    both = both.sort_values(["word_x", "other"])
    records = both["other"] + " " + both["accepted"].astype(str) + "/" + both["offered"].astype(str)
    joined = dict(records.groupby(both["word_x"]).agg(", ".join)) if len(records) else {}
    return pd.Series({word: joined.get(word, "") for word in words}, dtype="str")
