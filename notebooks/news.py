"""News for the first notebook: the days after a release, how they changed the list, and the words to decide on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

import history
import pandas as pd
from opening import Opened

from pipeline import reader
from pipeline.play import glosses
from pipeline.publishing import changes as released
from pipeline.publishing import verify
from pipeline.review import queue as queueing
from pipeline.review import verdicts

OTHERWISE = 14
"""The number of days that are shown if no day is newer than the release: two weeks, as many as the sample has."""
MOVED = "Its estimate changed with the records of other words"
AGAIN = "To find them again, run `bee merge --rebuild` and then `bee run` in a terminal, and then all cells."


class News(NamedTuple):
    """The newest days and their missing and extra words, each as a table, and in words what they are."""

    days: pd.DataFrame
    words: pd.DataFrame
    summary: str


def newest(book: Opened) -> News:
    """Find the days since the release that a person approved last, or the last `OTHERWISE` days if there is none."""
    puzzles, approved = book["puzzles"], _release(book).package["approved"]
    dates, newer = since(set(puzzles["date"]), approved[:10].replace(".", "-"), OTHERWISE)
    found = days(dates, puzzles, book["track"], book["waiting"])
    words = book["news"][book["news"]["date"].isin(dates)]
    words = words.sort_values(["surprise", "word"], ascending=[False, True], ignore_index=True)
    lines = [f"{len(puzzles):,} puzzles on disk, {puzzles['date'].min()} to {puzzles['date'].max()}."]
    if newer:
        lines[0] += f" {len(dates)} of them are newer than release {approved}, the last one that a person approved."
    else:
        lines[0] += f" None is newer than release {approved}, so the last {len(dates)} are shown."
    lines += _accuracy(found, words)
    return News(found.iloc[::-1], _words(book, words), "\n".join(lines))


def _accuracy(found: pd.DataFrame, words: pd.DataFrame) -> list[str]:
    """Say how exact the list was on some days, and whether their missing and extra words are all on disk."""
    scored = found.dropna(subset="exact")
    if scored.empty:
        return ["None of them was scored when it was counted: that needs 100 older days on record."]
    exact, due = int(scored["exact"].sum()), scored["expected"].sum()
    lines = [f"The list was exactly right on {exact} of {len(scored)} days; the forecast was {due:.1f}."]
    gone = int(scored["missing"].sum() + scored["extra"].sum()) - int(words["date"].isin(scored["date"]).sum())
    return lines + [f"{gone} of their missing and extra words are not on disk. {AGAIN}"] * (gone > 0)


def _words(book: Opened, words: pd.DataFrame) -> pd.DataFrame:
    """Add to words of the news why they are on the list or not now, their relatives, and the opposite verdict."""
    because = book["decisions"].set_index("word")["because"]
    return words.drop(columns="date").assign(
        relatives=_tried_relatives(words["word"], book),
        now=words["word"].map(because).fillna(""),
        command=commands(words["word"], book),
    )


def commands(words: pd.Series, book: Opened) -> list[str]:
    """Return for each word the command of the verdict that changes the list, or "" if most of its last five trials
    contradict that verdict."""
    last = history.recent(book["trials"][book["trials"]["word"].isin(words)], 10)
    sides = [(word, "drop" if word in book.listed else "keep") for word in words]
    return [
        f'bee {verdict} {word} --reason "…"' if history.speaks(last.get(word, ""), verdict) else ""
        for word, verdict in sides
    ]


def questions(book: Opened, most: int) -> tuple[pd.DataFrame, str]:
    """Return the first words of the queue, without skipped ones, and what deciding on all of the queue is worth."""
    queue = queueing.queue(book.tables)
    queue = queue[~queue["word"].isin(verdicts.skipped(book.workspace))]
    first = queue.head(most)
    meanings = glosses.load(book.workspace.custom, set(first["word"]))
    first = first.assign(
        points=1000 * first["points"],
        definition=[glosses.line(glosses.define(word, meanings)) for word in first["word"]],
        command=commands(first["word"], book),
    )
    return first, queueing.worth(queue)


def moved(book: Opened) -> tuple[pd.DataFrame, str]:
    """Return the words that were added or removed since the approved release, with the cause, and a caption."""
    decisions, release = book["decisions"].set_index("word"), _release(book)
    frame = changes(verify.approved_list(release), book.listed, decisions["because"])
    cause = [released.group("", kind) for kind in frame["word"].map(decisions["kind"]).fillna("gone")]
    frame["cause"] = [MOVED if each == released.OTHERS else each for each in cause]
    frame = frame.assign(word=frame["word"].map(book.veiled), because=frame["because"].map(book.veiled))
    return frame, f"Words added or removed since release {release.package['approved']}"


def _release(book: Opened) -> reader.Release:
    return reader.read(book.workspace.custom)


def _tried_relatives(words: pd.Series, book: Opened) -> pd.Series:
    return words.map(relatives(words, book["lexicon"], book["links"], book["evidence"])).fillna("")


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


def changes(approved: Collection[str], listed: Collection[str], because: Mapping[str, str] | pd.Series) -> pd.DataFrame:
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
