"""Waiting: describes the days that wait, their lists side by side, with a command for each choice."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pandas as pd

from pipeline.errors import Command, Message
from pipeline.tables import frames

Lists = Sequence[dict[str, str]]
"""The lists of a day, one for each source: its source, its letters, the number of its answers, and its `words` that not
all lists with these letters have."""


def days_to_decide(waits: pd.DataFrame, days: pd.DataFrame) -> dict[str, list[Message]]:
    """Return lines about each day that waits: the reason, the lists, and a command for each choice."""
    lines_by_date = {}
    for row in frames.rows(waits):
        date = row["date"]
        lists = _lists_of_day(days[days["date"] == date])
        lines = [Message(f"{date} waits: ", Message.parse(row["because"]))]
        lines_by_date[date] = [*lines, *(Message(_describe(each)) for each in lists), *_choices(date, lists)]
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
    words = f"; only here: {row['words']}" if row["words"] else ""
    return f"  {row['source']:10} {row['letters']}  {row['answers']} words{words}"


def _choices(date: str, rows: Lists) -> list[Message]:
    """Return a line for each different list of a day, with the commands to run if this list is right."""
    sources_of: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        sources_of.setdefault((row["letters"], row["words"]), []).append(row["source"])
    if len(sources_of) == 1:
        rejection = _corrections(rows, "", set())[0]
        admit = Command(f'admit {date} --reason "checked by hand"')
        correct = Command(f'correct {date} {rejection} --reason "the list is wrong"')
        return [
            Message("  If this list is right: ", admit),
            Message("  If it is wrong: ", correct, "; then the day counts as missing."),
        ]
    lines = []
    for (letters, words), sources in sources_of.items():
        right = f"{', '.join(sources)} {'is' if len(sources) == 1 else 'are'} right"
        corrections = _corrections(rows, letters, set(words.split()))
        commands = [Command(f'correct {date} {options} --reason "{right}"') for options in corrections]
        lines.append(Message(f"  If {right}: ", Message.join(commands, " and ")))
    then = ". If the right list is itself very unusual, "
    return [*lines, Message("  Then ", Command("run"), then, Command("run"), " asks about the day again.")]


def _corrections(rows: Lists, letters: str, words: set[str]) -> list[str]:
    """Return the options of the corrections that leave only the list with these letters and words.

    Without letters, the corrections reject all lists. A correction applies to all sources with the same letters and
    the words that it names, and a rejection to those with the same list. It names the source that differs most, which
    has every difference.
    """
    options_for: dict[tuple[str, str], str] = {}
    for row in rows:
        options = f"--source {shlex.quote(row['source'])}"
        if row["letters"] != letters:
            options_for[row["letters"], row["words"]] = f"{options} --letters {row['letters']} --reject"
            continue
        words_of_source = set(row["words"].split())
        if words_of_source == words:
            continue
        if listed := sorted(words_of_source - words):
            options += f' --listed "{" ".join(listed)}"'
        if lacking := sorted(words - words_of_source):
            options += f' --lacking "{" ".join(lacking)}"'
        if len(options) > len(options_for.get((letters, ""), "")):
            options_for[letters, ""] = options
    return list(options_for.values())
