"""Verdicts: what people decided, in a file that the code only ever adds lines to."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from pipeline import store
from pipeline.store import Workspace
from pipeline.words import BeeError, rule_broken

COLUMNS = ("word", "verdict", "reason", "by", "on")


class VerdictError(BeeError):
    """A verdict cannot be written as it is."""


def append(workspace: Workspace, row: Mapping[str, str]) -> None:
    """Add one verdict to `custom/verdicts.csv`; raise VerdictError for no word, no reason, or a second verdict."""
    word = row["word"]
    if rule := rule_broken(word):
        raise VerdictError(f'"{word}" cannot be a word of a puzzle: {rule}.')
    if not row["reason"]:
        raise VerdictError("A verdict needs a reason: --reason TEXT.")
    known = store.read_custom(workspace, "verdicts")
    path = workspace.custom / "verdicts.csv"
    if word in set(known["word"]):
        said = known[known["word"] == word].iloc[0]
        raise VerdictError(f'{said["by"]} said "{said["verdict"]}" on {said["on"]}; change that line of {path}.')
    text = path.read_text("utf-8") if path.exists() else ",".join(COLUMNS) + "\n"
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([" ".join(row[name].split()) for name in COLUMNS])
    store.write_bytes(path, (text + ("" if text.endswith("\n") else "\n") + line.getvalue()).encode())
