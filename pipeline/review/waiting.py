"""Waiting: days that are held or have words that wait, with the lists of all sources and a command for each choice."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import pandas as pd

from pipeline.tables import frames

Rows = Sequence[dict[str, Any]]


def unsettled(waiting: pd.DataFrame, versions: pd.DataFrame) -> dict[str, list[str]]:
    """Describe each day that needs a person, in lines: why, the versions, and a command for each choice."""
    found: dict[str, list[str]] = {}
    for row in frames.rows(waiting[waiting["kind"] != "provisional"]):
        what = "held " + row["date"] if row["kind"] == "held" else f"waits {row['date']} {row['subject']}"
        found.setdefault(row["date"], []).append(f"{what}: {row['detail']}")
    for date, lines in found.items():
        same_date = [row for row in frames.rows(versions) if row["date"] == date]
        lines += [*map(_described, same_date), *(_choices(date, same_date) if same_date else ())]
    return found


def _described(row: dict[str, Any]) -> str:
    bits = f", {row['surprise']} bits of surprise" if row["surprise"] else ""
    words = f"; only here: {row['words']}" if row["words"] else ""
    counts = f"{row['answers']} words, {row['accepted_before']} accepted before"
    return f"  {row['source']:10} {row['letters']}  {counts}{bits}{words}"


def choices(rows: Rows) -> list[tuple[str, list[str]]]:
    """Return for each different version of a day its sources, and the options of the `bee correct` that leave only it.
    The only version comes with those that reject it; `bee admit` lets it count."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        found.setdefault((row["letters"], row["words"]), []).append(row["source"])
    options = [_options(rows, letters if len(found) > 1 else "", {*words.split()}) for letters, words in found]
    return list(zip(map(", ".join, found.values()), options, strict=True))


def _choices(date: str, rows: Rows) -> list[str]:
    """Return a line for each different version of a day: the commands to give if it is right."""
    if len(found := choices(rows)) == 1:
        lines = [f'  If this list is right: `bee admit {date} --reason "checked by hand"`', "  If it is wrong: "]
        lines[1] += f'`bee correct {date} {found[0][1][0]} --reason "the list is wrong"`; the day is missing then.'
        return lines
    lines = []
    for sources, options in found:
        right = f"{sources} {'are' if ', ' in sources else 'is'} right"
        commands = [f'`bee correct {date} {each} --reason "{right}"`' for each in options]
        lines.append(f"  If {right}: {' and '.join(commands)}")
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
