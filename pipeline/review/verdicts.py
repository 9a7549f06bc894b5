"""Verdicts: decisions of people, as the text of a file to which the code only adds lines.

A cell that a spreadsheet would run as a formula gets an apostrophe in front, which reading removes.
"""

from __future__ import annotations

import contextlib
import csv
import datetime
import io
import os
from collections.abc import Callable, Iterable, Mapping

import pandas as pd

from pipeline import store
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import cells, frames
from pipeline.words import LISTED, TIER_OF, BeeError, mask, pangram, rule_broken

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
        if given := known.get(word):
            raise VerdictError(
                f'{word}: {given["by"]} said "{given["verdict"]}" on {given["on"]}; '
                f"change that line of {NAME}, or take "
                f"it back: bee undo {word}. Nothing was written."
            )
        known[word] = dict(row)
        text += _line(row)
    return text


def _taken_back(text: str, row: Mapping[str, str]) -> str:
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
        verdict = dict(zip(header, map(cells.unguarded, row), strict=False))
        if verdict.get("word") == word:
            found = start, reader.line_num, verdict
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


def _require_change(word: str, verdict: str, decisions: pd.DataFrame) -> None:
    """Raise VerdictError for a verdict that is probably a typing error, or that changes nothing.

    This is a verdict on a word that is in no list and has no record, or a verdict that only repeats the record.
    """
    verb = {"keep": "keeps", "drop": "drops"}[verdict]
    forced = f"Nothing was written; --force {verb} it anyway."
    decision = decisions[decisions["word"] == word]
    if decision.empty:
        raise VerdictError(f"{word}: it is in no list and has no record. {forced}")
    tier, by = decision[["tier", "by"]].iloc[0]
    if (tier, by) == (TIER_OF[verdict], "evidence"):
        raise VerdictError(f"{word} is already {tier} by its record; a verdict would only repeat it. {forced}")


def cost(word: str, decisions: pd.DataFrame) -> str:
    """Describe the effect of dropping a core word or the only listed pangram of its letters; else return ""."""
    listed = decisions[decisions["tier"].isin(LISTED)]
    tiers = listed["tier"][listed["word"] == word].tolist()
    lines = [f"{word} is of tier core: its last trial accepted it."] if tiers == ["core"] else []
    if tiers and pangram(word):
        alike = sorted(other for other in listed["word"] if other != word and mask(other) == mask(word))
        letters = "".join(sorted(set(word)))
        others = f"the list still has {', '.join(alike)}" if alike else "the list has no other, and a solver must guess"
        lines.append(f"It is a pangram of {letters}: {others}.")
    return " ".join(lines)


WAIT = 10.0
"""The default number of seconds to wait for another command in the same workspace."""

Row = dict[str, str]
"""A verdict: word, verdict, reason, by, on."""


def decider(by: str = "") -> str:
    """Return the name of the person who decides: `by`, else the user; raise BeeError if there is none."""
    name = by.strip() or os.environ.get("USER") or os.environ.get("USERNAME") or ""
    if not name:
        raise BeeError("Who decides? Name yourself with --by.")
    return name


def row(word: str, verdict: str, reason: str, by: str) -> Row:
    """Return a verdict with today's date."""
    on = datetime.date.today().isoformat()
    return {"word": word.strip().lower(), "verdict": verdict, "reason": reason.strip(), "by": by, "on": on}


def write(workspace: Workspace, rows: Iterable[Mapping[str, str]]) -> None:
    """Add verdicts, all or none. The caller must hold the lock of the workspace. Raises VerdictError for an invalid
    one."""
    store.write_bytes(workspace.root / NAME, _with(workspace, rows).encode())


def _with(workspace: Workspace, rows: Iterable[Mapping[str, str]]) -> str:
    return added(_text(workspace), rows)


def _text(workspace: Workspace, absent: str = "") -> str:
    """Read `verdicts.csv`; raises StoreError if it is not text."""
    path = workspace.root / NAME
    try:
        return store.read_if_there(path).decode("utf-8-sig") or absent
    except UnicodeDecodeError as error:
        raise store.StoreError(f"{NAME} is not text in UTF-8; save it as UTF-8, or restore it.") from error


def take_back(workspace: Workspace, last: Mapping[str, str], wait: float = WAIT) -> None:
    """Remove the last verdict; raises VerdictError if the file has changed since it was written."""
    path = workspace.root / NAME
    with store.locked(workspace, wait):
        store.write_bytes(path, _taken_back(_text(workspace), last).encode())


def undo(workspace: Workspace, word: str, wait: float = WAIT) -> Row:
    """Remove the last verdict of a word and return it; raises VerdictError if there is none."""
    path = workspace.root / NAME
    with store.locked(workspace, wait):
        text = _text(workspace, ",".join(COLUMNS))
        left, taken = without(text, word.strip().lower())
        store.write_bytes(path, left.encode())
    return taken


def decide(workspace: Workspace, given: Row, force: bool = False, wait: float = WAIT) -> str:
    """Write one verdict, and return its cost as a message, or "".

    Raises VerdictError if it cannot be written. `force` is required for a word that is in no list and has no record,
    and for a verdict that only repeats the record.
    """
    with store.locked(workspace, wait):
        text = _with(workspace, [given])  # refuse an invalid verdict first
        decisions = registry.load(workspace, "decisions") if registry.there(workspace, "decisions") else None
        if decisions is not None and not force:
            _require_change(given["word"], given["verdict"], decisions)
        store.write_bytes(workspace.root / NAME, text.encode())
    return cost(given["word"], decisions) if decisions is not None and given["verdict"] == "drop" else ""


SKIPPED = "custom/skipped.txt"
"""The words that a person skipped, one per line."""
_SKIPPED_BEFORE = "build/skipped.txt"
"""Where they were before: in a folder that may be deleted."""


def skipped(workspace: Workspace) -> set[str]:
    """Return the words that a person skipped; `bee review --again` shows them anyway."""
    kept = [store.read_if_there(workspace.root / name) for name in (SKIPPED, _SKIPPED_BEFORE)]
    return set(b" ".join(kept).decode("utf-8", "replace").split())


def skip(workspace: Workspace, add: Iterable[str] = (), drop: Iterable[str] = (), wait: float = WAIT) -> set[str]:
    """Add words to the skipped words and remove others; return the words for which this made a difference."""
    with store.locked(workspace, wait):
        before = skipped(workspace)
        after = (before | set(add)) - set(drop)
        store.write_bytes(workspace.root / SKIPPED, "".join(f"{word}\n" for word in sorted(after)).encode())
        store.write_bytes(workspace.root / _SKIPPED_BEFORE, b"")
    return before ^ after


class Review:
    """Verdicts in a notebook: each is saved immediately, and can be undone until another one is given."""

    def __init__(self, workspace: Workspace, by: str = "", wait: float = WAIT) -> None:
        """Use a workspace and sign verdicts with `by`, or with the name of the user."""
        self.workspace, self.by, self.wait = workspace, by, wait
        self.given: list[Row] = []
        self.watchers: list[Callable[[str, str, str], None]] = []
        """Functions that are called on every change with the word, its verdict or "", and the message to show."""

    def keep(self, word: str, reason: str = "", force: bool = False) -> str:
        """Keep a word on the list; `force` as in `decide`. Returns the message to show; raises VerdictError."""
        return self.decide(word, "keep", reason, force)

    def drop(self, word: str, reason: str = "", force: bool = False) -> str:
        """Drop a word from the list; `force` as in `decide`. Returns the message to show; raises VerdictError."""
        return self.decide(word, "drop", reason, force)

    def decide(self, word: str, verdict: str, reason: str, force: bool = False) -> str:
        """Write a verdict. Returns the message to show; raises VerdictError."""
        last = row(word, verdict, reason, decider(self.by))
        cost = decide(self.workspace, last, force, self.wait)
        self.given.append(last)
        message = f"{verdict} {last['word']}: written; bee run applies it. {cost}".strip()
        return self._notify(last["word"], verdict, message)

    def skip(self, word: str) -> str:
        """Leave a word out of the queue from now on. Returns the message to show."""
        fresh = skip(self.workspace, add=[word], wait=self.wait)
        self.given.append({"word": word, "verdict": "skip", "fresh": word if fresh else ""})
        return self._notify(word, "skip", f"skip {word}: the queue leaves it out from now on.")

    def undo(self) -> str:
        """Undo the last verdict or skip of this notebook. Returns its word; raises BeeError."""
        if not self.given:
            raise BeeError("There is nothing to undo: no verdict was given here.")
        last = self.given[-1]
        if last["verdict"] == "skip":
            skip(self.workspace, drop=last["fresh"].split(), wait=self.wait)
        else:
            take_back(self.workspace, last, self.wait)
        self.given.pop()
        self._notify(last["word"], "", f"{last['verdict']} {last['word']}: removed.")
        return last["word"]

    def _notify(self, word: str, verdict: str, message: str) -> str:
        for tell in self.watchers:
            tell(word, verdict, message)
        return message

    def known(self) -> dict[str, str]:
        """Return the words that have a verdict, with the verdict."""
        with contextlib.suppress(store.StoreError):
            table = registry.load(self.workspace, "verdicts")
            return dict(zip(table["word"].tolist(), table["verdict"].tolist(), strict=True))
        return {}
