"""Reads and writes the files that people write: CSV, one decision on each line, sorted by key.

Git joins the lines of two people (`.gitattributes`: union). Lines that are the same count once, and the next command
that writes the file sorts it. A cell that a spreadsheet would run as a formula is written with an apostrophe in
front, which is removed when the file is read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import DataError, DecisionError
from pipeline.facts import by_hand
from pipeline.facts.by_hand import PATHS, undo_command
from pipeline.tables import cells, frames
from pipeline.words import count

MAX_FAULTS = 10
"""The maximum number of faults that one message names."""

Row = dict[str, str]
"""A decision: column to cell."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, and the number of its line; 0 if it is not written yet."""

    row: Row
    line: int = 0

    def key(self, table: str) -> tuple[str, ...]:
        """Return the cells of the key columns of a table."""
        return tuple(self.row[name] for name in frames.CONTRACTS[table].key)

    def subject(self, table: str) -> str:
        """Return the word or the date, which is the first column of the key."""
        return self.key(table)[0]

    def __str__(self) -> str:
        return f"line {self.line} ({describe(self.row).rstrip('.')})"


def read(table: str, data: bytes) -> pd.DataFrame:
    """Return the table of a decision file.

    Raises DecisionError, which names the file and the lines, for invalid lines and different decisions on one key; and
    DataError for a file that is not CSV or has other columns.
    """
    decisions = parse(table, data)
    frame = pd.DataFrame([decision.row for decision in decisions], columns=list(frames.CONTRACTS[table].columns))
    return frames.from_text(frame.astype("str"), table)


def parse(table: str, data: bytes) -> list[Decision]:
    """Return the decisions in a file, each once; see `read` for what is raised. No bytes stand for no decisions."""
    if not data:
        return []
    path = PATHS[table]
    header, numbered_rows = cells.numbered_rows(data, path)
    contract = frames.CONTRACTS[table]
    if sorted(header) != sorted(contract.columns):
        raise DataError(
            f"{path}: The first line must be {','.join(contract.columns)}, with commas between the columns."
        )
    decisions = []
    first_of: dict[tuple[str, ...], Decision] = {}
    faults = []
    for line, row in numbered_rows:
        decision = Decision(dict(zip(header, map(cells.unguarded, row), strict=True)), line)
        if problem := by_hand.problem_with(table, decision.row):
            faults.append(f"{path}, line {line}: {problem}. Correct or delete the line.")
            continue
        first = first_of.setdefault(decision.key(table), decision)
        if first is decision:
            decisions.append(decision)
        elif first.row != decision.row:
            subject = " ".join(filter(None, decision.key(table)))
            faults.append(f"{path} has two decisions on {subject}: {first} and {decision}. Delete one of these lines.")
    if faults:
        more = [f"And {count(len(faults) - MAX_FAULTS, 'more line')} like these."] if len(faults) > MAX_FAULTS else []
        raise DecisionError("\n".join([*faults[:MAX_FAULTS], *more]))
    return decisions


def encode(table: str, decisions: Iterable[Decision]) -> bytes:
    """Return the file with these decisions, sorted by key."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = frames.CONTRACTS[table].columns
    writer.writerow(columns)
    for decision in sorted(decisions, key=lambda decision: decision.key(table)):
        writer.writerow([cells.guarded(decision.row[name]) for name in columns])
    return text.getvalue().encode()


def add(table: str, data: bytes, rows: Iterable[Mapping[str, str]]) -> bytes:
    """Return a file with new decisions.

    Raises DecisionError for an invalid row, and for a row whose key is already in the file; otherwise, see `read`.
    """
    decisions = {decision.key(table): decision for decision in parse(table, data)}
    for row in rows:
        new = Decision({name: _one_line(row[name]) for name in frames.CONTRACTS[table].columns})
        if problem := by_hand.problem_with(table, new.row, strict=True):
            raise DecisionError(f"{problem[0].upper()}{problem[1:]}. Nothing was written.")
        before = decisions.setdefault(new.key(table), new)
        if before is not new:
            raise DecisionError(
                f"{PATHS[table]} already has a decision on {' '.join(filter(None, new.key(table)))}: {before}. "
                f"{undo_command(table, new.subject(table))} removes it. Nothing was written."
            )
    return encode(table, decisions.values())


def without(table: str, data: bytes, subject: str) -> tuple[bytes, list[Row]]:
    """Return a file without the decisions on a word or date, and these decisions; see `read` for what is raised."""
    decisions = parse(table, data)
    removed = [decision for decision in decisions if decision.subject(table) == subject]
    remaining = [decision for decision in decisions if decision not in removed]
    return encode(table, remaining), [decision.row for decision in removed]


def describe(row: Mapping[str, str]) -> str:
    """Return a decision in words.

    >>> describe({"word": "thorn", "verdict": "drop", "reason": "odd", "by": "ann", "on": "2026-01-02"})
    'drop thorn, by ann on 2026-01-02: odd'
    >>> describe({"word": "troth", "grade": "none", "reason": "", "by": ""})
    'none troth'
    """
    if "check" in row:
        right = f"the list of {row['source']} is right" if row["check"] else "no source has it"
        return f"{row['date']}: {right}, by {row['by']}: {row['reason']}"
    content = [cell for name, cell in row.items() if name not in ("reason", "by", "on") and cell]
    if "by" in row:
        content.reverse()
    if not row.get("by"):
        return " ".join(content)
    on = f" on {row['on']}" if "on" in row else ""
    return f"{' '.join(content)}, by {row['by']}{on}: {row['reason']}"


def _one_line(text: str) -> str:
    """Return a text on one line, without control characters that a terminal would interpret."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
