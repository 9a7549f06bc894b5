"""News: the days after a release, how they changed the list, and the days that wait for a person.

Each day that is held, or has words that wait, is shown with the lists of all sources, and a command for each choice.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import pandas as pd

from pipeline.tables import frames


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


Rows = Sequence[dict[str, Any]]


def unsettled(waiting: pd.DataFrame, versions: pd.DataFrame) -> dict[str, list[str]]:
    """Describe each day that needs a person, in lines: why, the versions, and a command for each choice."""
    found: dict[str, list[str]] = {}
    for row in frames.rows(waiting[waiting["kind"] != "provisional"]):
        what = "held " + row["date"] if row["kind"] == "held" else f"waits {row['date']} {row['subject']}"
        found.setdefault(row["date"], []).append(f"{what}: {row['detail']}")
    lists = frames.rows(versions)
    for date, lines in found.items():
        same_date = [row for row in lists if row["date"] == date]
        lines += [*map(_described, same_date), *(_choices(date, same_date) if same_date else ())]
    return found


def _described(row: dict[str, Any]) -> str:
    bits = f", {row['surprise']} bits of surprise" if row["surprise"] else ""
    words = f"; only here: {row['words']}" if row["words"] else ""
    return f"  {row['source']:10} {row['letters']}  {row['answers']} words, {row['met']} accepted before{bits}{words}"


def _choices(date: str, rows: Rows) -> list[str]:
    """Return a line for each different version of a day: the commands to give if it is right."""
    different: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        different.setdefault((row["letters"], row["words"]), []).append(row["source"])
    if len(different) == 1:
        ((letters, _),) = different
        wrong = f"`bee correct {date} --source {shlex.quote(rows[0]['source'])} --letters {letters} --reject "
        return [
            f'  If this list is right: `bee admit {date} --reason "checked by hand"`',
            f'  If it is wrong: {wrong}--reason "the list is wrong"`; the day is missing then.',
        ]
    lines = []
    for (letters, words), sources in different.items():
        right = ", ".join(sources)
        commands = [
            f'`bee correct {date} {option} --reason "{right} {"is" if len(sources) == 1 else "are"} right"`'
            for option in _options(rows, letters, set(words.split()))
        ]
        lines.append(f"  If {right} {'is' if len(sources) == 1 else 'are'} right: {' and '.join(commands)}")
    return [*lines, "  Then `bee run`. If the remaining list is itself very unusual, `bee run` asks about it too."]


def _options(rows: Rows, letters: str, words: set[str]) -> list[str]:
    """Return the options of the corrections that leave only the version with these letters and words.

    A correction applies to all sources with its letters, so one is enough for each letters. It names the source that
    differs most, which has all that is to be corrected.
    """
    options = {}
    for row in rows:
        source = f"--source {shlex.quote(row['source'])}"
        if row["letters"] != letters:
            options[row["letters"]] = f"{source} --letters {row['letters']} --reject"
            continue
        theirs = set(row["words"].split())
        listed, lacking = " ".join(sorted(theirs - words)), " ".join(sorted(words - theirs))
        option = source + f' --listed "{listed}"' * bool(listed) + f' --lacking "{lacking}"' * bool(lacking)
        if theirs != words and len(option) > len(options.get(letters, "")):
            options[letters] = option
    return list(options.values())
