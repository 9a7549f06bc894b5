"""Waiting: describes the days that are held or have words that wait, with a command for each choice."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.errors import Command, Message
from pipeline.tables import frames

Versions = Sequence[dict[str, Any]]
"""The versions of a day: rows of the table `versions`."""


def days_to_decide(waiting: pd.DataFrame, versions: pd.DataFrame) -> dict[str, list[Message]]:
    """Return lines about each day that needs a person: the reason, the versions, and a command for each choice."""
    lines_by_date: dict[str, list[Message]] = {}
    for row in frames.rows(waiting[waiting["kind"] != "provisional"]):
        title = f"held {row['date']}" if row["kind"] == "held" else f"waits {row['date']} {row['subject']}"
        lines_by_date.setdefault(row["date"], []).append(Message(f"{title}: ", Message.parse(row["detail"])))
    for date in lines_by_date:
        versions_of_day = [row for row in frames.rows(versions) if row["date"] == date]
        lines_by_date[date] += [Message(_describe(version)) for version in versions_of_day]
        if versions_of_day:
            lines_by_date[date] += _choices(date, versions_of_day)
    return lines_by_date


def _describe(row: dict[str, Any]) -> str:
    bits = f", {row['surprise']} bits of surprise" if row["surprise"] else ""
    words = f"; only in this version: {row['words']}" if row["words"] else ""
    counts = f"{row['answers']} words, {row['accepted_before']} of them accepted before"
    return f"  {row['source']:10} {row['letters']}  {counts}{bits}{words}"


def _choices(date: str, rows: Versions) -> list[Message]:
    """Return a line for each different version of a day, with the commands to run if this version is right."""
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
    then = ". If the right version is itself very unusual, "
    return [*lines, Message("  Then ", Command("run"), then, Command("run"), " asks about the day again.")]


def _corrections(rows: Versions, letters: str, words: set[str]) -> list[str]:
    """Return the options of the corrections that leave only the version with these letters and words.

    Without letters, the corrections reject all versions. A correction applies to all sources with the same letters and
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
