"""Verdicts: decisions of people, as the text of a file to which the code only adds lines.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, which reading removes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

import pandas as pd

from pipeline.tables import cells, frames
from pipeline.words import LISTED, SETTLED, BeeError, mask, pangram, rule_broken

NAME = "custom/verdicts.csv"
COLUMNS = tuple(frames.CONTRACTS["verdicts"].columns)


class VerdictError(BeeError):
    """A verdict cannot be written."""


def added(text: str, rows: Iterable[Mapping[str, str]]) -> str:
    """Return the text of `verdicts.csv` with more verdicts at its end; "" is a file that does not exist yet.

    Raises VerdictError for a text that is not a word, a verdict without a reason, or a word that already has a verdict.
    """
    text = text or ",".join(COLUMNS) + "\n"
    text += "" if text.endswith("\n") else "\n"
    cells.lines(text.encode(), NAME, ["word"])  # a word twice is refused
    try:
        table = frames.from_text(frames.read_csv(text.encode(), NAME), "verdicts")
    except frames.FrameError as error:
        raise VerdictError(f"{NAME}: {error} Nothing was written.") from error
    known = {row["word"]: row for row in frames.rows(table)}
    for row in rows:
        word = row["word"]
        if rule := rule_broken(word):
            raise VerdictError(f'"{word}" cannot be a word of a puzzle: {rule}. Nothing was written.')
        if not row["reason"]:
            raise VerdictError("A verdict needs a reason: --reason TEXT.")
        if said := known.get(word):
            raise VerdictError(
                f'{word}: {said["by"]} said "{said["verdict"]}" on {said["on"]}; '
                f"change that line of {NAME}, or take "
                f"it back: bee undo {word}. Nothing was written."
            )
        known[word] = dict(row)
        text += _line(row)
    return text


def taken_back(text: str, row: Mapping[str, str]) -> str:
    """Return the text without its last verdict; raise VerdictError if the last verdict is now a different one."""
    if not text.endswith("\n" + _line(row)):
        raise VerdictError(f"{NAME} has changed since; take the line of {row['word']} out by hand.")
    return text.removesuffix(_line(row))


def without(text: str, word: str) -> tuple[str, dict[str, str]]:
    """Return the text without the last verdict of a word, and that verdict; every other line stays as it is.

    Raises VerdictError when there is none.
    """
    cells.table(text.encode(), NAME)  # a broken file is refused
    lines = list(io.StringIO(text, newline=""))
    reader = csv.reader(lines, strict=True)
    header, start, found = next(reader, []), reader.line_num, None
    for row in reader:
        told = dict(zip(header, map(cells.unguarded, row), strict=False))
        if told.get("word") == word:
            found = start, reader.line_num, told
        start = reader.line_num
    if not found:
        raise VerdictError(f"{word} has no verdict in {NAME}; there is nothing to take back.")
    return "".join(lines[: found[0]] + lines[found[1] :]), found[2]


def _plain(text: str) -> str:
    """Put a text on one line, without control characters that a terminal would interpret."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _line(row: Mapping[str, str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([cells.guarded(_plain(row[name])) for name in COLUMNS])
    return line.getvalue()


def need_news(word: str, verdict: str, decisions: pd.DataFrame) -> None:
    """Raise VerdictError for a verdict that is probably a typing error, or that changes nothing.

    This is a verdict on a word that is in no list and has no record, or a verdict that only repeats the record.
    """
    verb = {"keep": "keeps", "drop": "drops"}[verdict]
    forced = f"Nothing was written; --force {verb} it anyway."
    told = decisions[decisions["word"] == word]
    if told.empty:
        raise VerdictError(f"{word}: it is in no list and has no record. {forced}")
    tier, by = told[["tier", "by"]].iloc[0]
    if (tier, by) == (SETTLED[verdict], "evidence"):
        raise VerdictError(f"{word} is already {tier} by its record; a verdict would only repeat it. {forced}")


def cost(word: str, decisions: pd.DataFrame) -> str:
    """Describe the effect of dropping a core word or the only listed pangram of its letters; else return ""."""
    listed = decisions[decisions["tier"].isin(LISTED)]
    told = listed["tier"][listed["word"] == word].tolist()
    lines = [f"{word} is of tier core: its last trial accepted it."] if told == ["core"] else []
    if told and pangram(word):
        alike = sorted(each for each in listed["word"] if each != word and mask(each) == mask(word))
        letters = "".join(sorted(set(word)))
        others = f"the list still has {', '.join(alike)}" if alike else "the list has no other, and a solver must guess"
        lines.append(f"It is a pangram of {letters}: {others}.")
    return " ".join(lines)
