"""Waiting: describes the days that wait, their lists side by side, with a command for each choice."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pandas as pd

from pipeline.facts.coverage import ranges
from pipeline.tables import frames
from pipeline.words import count

SILENT = 7
"""After this many days running with one witness, a source is dead."""

Lists = Sequence[dict[str, str]]
"""The lists of a day, one for each source: its source, its letters, the number of its answers, and its `words` that not
all lists with these letters have."""


def needs_person(waits: pd.DataFrame, without_source: Sequence[str], track: pd.DataFrame) -> list[str]:
    """Return a sentence for each reason why a person is needed, with what to do: days that wait for a person (table
    `waits`), settled days that no source has, and a week of the track record with one witness a day."""
    sentences = []
    waiting = waits["date"][waits["until"] == ""].tolist()
    if waiting:
        sentences.append(
            f"{count(len(waiting), 'day')} for a person to decide ({ranges(waiting)}): `bee check --only day-waits` "
            "shows why, and how to answer."
        )
    if without_source:
        first = min(without_source)
        sentences.append(
            f"No list of {ranges(without_source)} has come from any source. `bee import --help` shows how to add "
            f'a file that has them. If no source has {first}, `bee day {first} --reject --reason "no source has it"` '
            "ends the requests for it."
        )
    last = track.sort_values("date").tail(SILENT)
    is_running = len(ranges(last["date"]).split()) == 1
    if len(last) == SILENT and is_running and (last["witnesses"] == 1).all():
        since = last["date"].iloc[0]
        sentences.append(
            f"Every day since {since} had one witness, so a source is dead or refuses requests; `bee status` shows "
            "what failed."
        )
    return sentences


def days_to_decide(waits: pd.DataFrame, days: pd.DataFrame) -> dict[str, list[str]]:
    """Return lines about each day that waits: the reason, the lists, and a command for each choice."""
    lines_by_date = {}
    for row in frames.rows(waits):
        date = row["date"]
        lists = _lists_of_day(days[days["date"] == date])
        lines_by_date[date] = [f"{date} waits: {row['because']}", *map(_describe, lists), *_choices(date, lists)]
    return lines_by_date


def _lists_of_day(days: pd.DataFrame) -> Lists:
    lists = []
    for row in frames.rows(days):
        with_letters = days[(days["center"] == row["center"]) & (days["outer"] == row["outer"])]
        in_all_lists = set.intersection(*(set(answers.split()) for answers in with_letters["answers"]))
        answers = row["answers"].split()
        words = sorted(set(answers) - in_all_lists)
        letters = row["center"] + row["outer"]
        lists.append(
            {"source": row["source"], "letters": letters, "answers": str(len(answers)), "words": " ".join(words)}
        )
    return lists


def _describe(row: dict[str, str]) -> str:
    words = f"; not in every list: {row['words']}" if row["words"] else ""
    return f"  {row['source']:10} {row['letters']}  {row['answers']} words{words}"


def _choices(date: str, lists: Lists) -> list[str]:
    """Return a line for each different list of a day, with the command to run if this list is right."""
    sources_of: dict[tuple[str, str], list[str]] = {}
    for row in lists:
        sources_of.setdefault((row["letters"], row["words"]), []).append(shlex.quote(row["source"]))
    if len(sources_of) == 1:
        reject = [
            f'`bee day {date} --reject --source {shlex.quote(row["source"])} --reason "the list is wrong"`'
            for row in lists
        ]
        return [
            f'  If this list is right: `bee day {date} --accept --reason "checked by hand"`',
            f"  If it is wrong: {' and '.join(reject)}; then the day counts as missing.",
        ]
    lines = []
    for sources in sources_of.values():
        right = f"{', '.join(sources)} {'is' if len(sources) == 1 else 'are'} right"
        accept = f'`bee day {date} --accept --source {sources[0]} --reason "{right}"`'
        lines.append(f"  If {right}: {accept}")
    return lines
