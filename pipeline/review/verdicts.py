"""Verdicts: what people decided, in a file that the code only ever adds lines to."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from pipeline import frames, store
from pipeline.store import Workspace
from pipeline.words import BeeError, rule_broken

COLUMNS = ("word", "verdict", "reason", "by", "on")


class VerdictError(BeeError):
    """A verdict cannot be written as it is."""


def append(workspace: Workspace, rows: Iterable[Mapping[str, str]]) -> None:
    """Add verdicts to `custom/verdicts.csv`, all or none.

    Raises VerdictError for what is no word, a verdict without a reason, or a word that has a verdict already.
    """
    path = workspace.custom / "verdicts.csv"
    known = {row["word"]: row for row in frames.rows(store.read_custom(workspace, "verdicts"))}
    text = path.read_text("utf-8") if path.exists() else ",".join(COLUMNS) + "\n"
    text += "" if text.endswith("\n") else "\n"
    for row in rows:
        word = row["word"]
        if rule := rule_broken(word):
            raise VerdictError(f'"{word}" cannot be a word of a puzzle: {rule}. Nothing was written.')
        if not row["reason"]:
            raise VerdictError("A verdict needs a reason: --reason TEXT.")
        if said := known.get(word):
            raise VerdictError(
                f'{word}: {said["by"]} said "{said["verdict"]}" on {said["on"]}; change that line of {path}. '
                "Nothing was written."
            )
        known[word] = dict(row)
        text += _line(row)
    store.write_bytes(path, text.encode())


def take_back(workspace: Workspace, row: Mapping[str, str]) -> None:
    """Take the last verdict back; raise VerdictError when the file has changed since it was written."""
    path = workspace.custom / "verdicts.csv"
    text = path.read_text("utf-8") if path.exists() else ""
    if not text.endswith("\n" + _line(row)):
        raise VerdictError(f"{path} has changed since; take the line of {row['word']} out by hand.")
    store.write_bytes(path, text.removesuffix(_line(row)).encode())


def _plain(text: str) -> str:
    """Put a text into one line, without what a terminal would take for an order."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _line(row: Mapping[str, str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([_plain(row[name]) for name in COLUMNS])
    return line.getvalue()
