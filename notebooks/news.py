"""News for the first notebook: the words to decide on, the days after a release, and how they changed the list."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import history
import html_tables
import pandas as pd
from IPython.display import HTML
from notebook_data import NotebookData

from pipeline import reader
from pipeline.play import glosses
from pipeline.publishing import datapackage, diff
from pipeline.publishing.changes import OTHERS, cause_of
from pipeline.review import queue
from pipeline.review.verdicts import skipped
from pipeline.tables import columns, frames
from pipeline.words import LISTED, count

LAST_DAYS = 14
"""The number of days that are shown if no day is newer than the release: two weeks, as many as the sample has."""
ESTIMATE_CHANGED = "Its estimate changed with the records of other words"
"""The cause of a change of a word that was not tried itself."""


@dataclass(frozen=True, slots=True)
class NewDays:
    """The newest days and their missing and extra words, each as a table, and a summary in words."""

    days: pd.DataFrame
    words: pd.DataFrame
    summary: str


def new_days(data: NotebookData) -> NewDays:
    """Find the days since the release that a person approved last, or the last `LAST_DAYS` days if there is none."""
    release = reader.read(data.workspace.custom)
    approved = release.package["approved"]
    release_date = approved[:10].replace(".", "-")
    all_dates = {*data.puzzles["date"], *data.waits["date"]}
    dates = dates_to_show(all_dates, release_date, LAST_DAYS)
    days = accuracy_of_days(dates, data.track, data.waits)
    words = diff.diff(data.trials[data.trials["date"].isin(dates)], approved_decisions(release))
    words = words.drop(columns="because").sort_values(["date", "side", "word"], ascending=[False, False, True])
    if any(date > release_date for date in dates):
        summary = f"{count(len(dates), 'day')} since release {approved}."
    else:
        span = f", {dates[0]} to {dates[-1]}" if dates else ""
        summary = f"No day is newer than release {approved}. These are the last {len(dates)} days on disk{span}."
    text = f"{summary} {_accuracy_text(days)}{_waiting_text(data.waits)}"
    return NewDays(days.iloc[::-1], _with_current_state(words.reset_index(drop=True), data), text)


def approved_decisions(release: reader.Release) -> pd.DataFrame:
    """Return the list that a person approved last as decisions: columns word, tier, because."""
    return pd.DataFrame({"word": datapackage.approved_list(release), "tier": "likely", "because": ""}, dtype="str")


def dates_to_show(dates: Collection[str], release_date: str, limit: int) -> list[str]:
    """Return the dates after a release, or the last ones if there is none after it.

    >>> dates_to_show(["2025-01-01", "2025-01-02"], "2025-01-01", 1)
    ['2025-01-02']
    >>> dates_to_show(["2025-01-01", "2025-01-02"], "2025-01-02", 1)
    ['2025-01-02']
    """
    newer = sorted(date for date in dates if date > release_date)
    return newer or sorted(dates)[-limit:]


def accuracy_of_days(dates: Collection[str], track: pd.DataFrame, waits: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `track` of some days, and in `waits` the reason why a day does not count yet, or "".

    A day that waits, or that was counted without a comparison, has no figures.
    """
    figures = track.drop(columns=["without_trial", "differs"])
    frame = pd.DataFrame({"date": sorted(dates)}, dtype="str").merge(figures, on="date", how="left")
    return frame.assign(waits=columns.look_up(frame["date"], waits.set_index("date")["because"], ""))


def waiting_days(data: NotebookData) -> HTML:
    """Show the days that wait, each with the reason and what ends it."""
    lines = [f"{row['date']} waits: {row['because']}." for row in frames.rows(data.waits)]
    return html_tables.as_text("\n".join(lines) or "No day waits.")


def _accuracy_text(days: pd.DataFrame) -> str:
    """Say on how many days the list was exact."""
    scored = days.dropna(subset="missing")
    if scored.empty:
        return "None was compared with the list. A new day is if the last release covers at least 100 days."
    exact = int((scored["missing"] + scored["extra"] == 0).sum())
    return f"The list was exactly right on {exact} of {len(scored)}."


def _waiting_text(waits: pd.DataFrame) -> str:
    """Return a line that names the days that wait, or "" if there is none."""
    if waits.empty:
        return ""
    days = count(len(waits), "day")
    return f"\n{days} {'waits' if len(waits) == 1 else 'wait'}: {', '.join(waits['date'])}. See “Which days wait?”."


def _with_current_state(words: pd.DataFrame, data: NotebookData) -> pd.DataFrame:
    """Add to missing and extra words why they are on the list or not now, and the opposite verdict."""
    because = data.decisions.set_index("word")["because"]
    return words.drop(columns="date").assign(
        now=columns.look_up(words["word"], because, ""), command=verdict_commands(words["word"], data)
    )


def verdict_commands(words: pd.Series, data: NotebookData) -> list[str]:
    """Return for each word the command of the verdict that changes the list, or "" if most of its last five trials
    contradict that verdict."""
    outcomes = history.last_outcomes(data.trials[data.trials["word"].isin(words)], 5)
    commands = []
    for word in words:
        verdict = "drop" if word in data.listed else "keep"
        agrees = history.agrees_with_outcomes(verdict, outcomes.get(word, ""))
        commands.append(f'bee {verdict} {word} --reason "…"' if agrees else "")
    return commands


def questions(data: NotebookData, limit: int) -> tuple[pd.DataFrame, str]:
    """Return the first words of the queue, without skipped ones, and what deciding on all of the queue is worth."""
    words = queue.words_to_ask(data)
    words = words[~words["word"].isin(skipped(data.workspace))]
    first = words.head(limit)
    meanings = glosses.load(data.workspace.custom, set(first["word"]))
    first = first.assign(
        points=1000 * first["points"],
        definition=[glosses.line(glosses.define(word, meanings)) for word in first["word"]],
        list=first["tier"].isin(LISTED).map({True: "on", False: "off"}),
        command=verdict_commands(first["word"], data),
    )
    return first, queue.benefit_of(words)


def changes_since_release(data: NotebookData) -> tuple[pd.DataFrame, str]:
    """Return the words that were added or removed since the approved release, with the cause, and a caption."""
    release = reader.read(data.workspace.custom)
    decisions = data.decisions.set_index("word")
    frame = changes(datapackage.approved_list(release), data.listed, decisions["because"])
    kinds = frame["word"].map(decisions["kind"]).fillna("gone")
    causes = kinds.map(lambda kind: cause_of("", kind))
    frame["cause"] = causes.replace(OTHERS, ESTIMATE_CHANGED)
    caption = f"Words added or removed since release {release.package['approved']}"
    return data.censored(frame, "word", "because"), caption


def changes(approved: Collection[str], listed: Collection[str], because: Mapping[str, str] | pd.Series) -> pd.DataFrame:
    """Compare the approved list with the current one: columns word, change (added or removed), because."""
    rows = [
        (word, "added" if word in listed else "removed", because.get(word, "no list knows it any more"))
        for word in sorted(set(approved) ^ set(listed))
    ]
    return pd.DataFrame(rows, columns=["word", "change", "because"], dtype="str")
