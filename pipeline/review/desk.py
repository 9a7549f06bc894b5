"""The desk: writes verdicts for `bee keep`, `bee review`, spreadsheets and notebooks.

All of them write the same line of `custom/verdicts.csv` under the same lock, and give the same error messages.
"""

from __future__ import annotations

import contextlib
import datetime
import os
from collections.abc import Callable, Iterable, Mapping

from pipeline import store
from pipeline.review import verdicts
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import BeeError

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
    store.write_bytes(workspace.root / verdicts.NAME, _with(workspace, rows).encode())


def _with(workspace: Workspace, rows: Iterable[Mapping[str, str]]) -> str:
    return verdicts.added(_text(workspace), rows)


def _text(workspace: Workspace, absent: str = "") -> str:
    """Read `verdicts.csv`; raises StoreError if it is not text."""
    path = workspace.root / verdicts.NAME
    try:
        return store.read_bytes(path, "bee keep").decode("utf-8-sig") if path.exists() else absent
    except UnicodeDecodeError as error:
        raise store.StoreError(f"{verdicts.NAME} is not text in UTF-8; save it as UTF-8, or restore it.") from error


def take_back(workspace: Workspace, last: Mapping[str, str], wait: float = WAIT) -> None:
    """Remove the last verdict; raises VerdictError if the file has changed since it was written."""
    path = workspace.root / verdicts.NAME
    with store.locked(workspace, wait):
        store.write_bytes(path, verdicts.taken_back(_text(workspace), last).encode())


def undo(workspace: Workspace, word: str, wait: float = WAIT) -> Row:
    """Remove the last verdict of a word and return it; raises VerdictError if there is none."""
    path = workspace.root / verdicts.NAME
    with store.locked(workspace, wait):
        text = _text(workspace, ",".join(verdicts.COLUMNS))
        left, taken = verdicts.without(text, word.strip().lower())
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
            verdicts.need_news(given["word"], given["verdict"], decisions)
        store.write_bytes(workspace.root / verdicts.NAME, text.encode())
    return verdicts.cost(given["word"], decisions) if decisions is not None and given["verdict"] == "drop" else ""


def skipped(workspace: Workspace) -> set[str]:
    """Return the words that a person skipped; `bee review --again` shows them anyway."""
    path = workspace.build / "skipped.txt"
    return set(path.read_text("utf-8", "replace").split()) if path.exists() else set()


def skip(workspace: Workspace, add: Iterable[str] = (), drop: Iterable[str] = (), wait: float = WAIT) -> set[str]:
    """Add words to the skipped words and remove others; return the words for which this made a difference."""
    with store.locked(workspace, wait):
        before = skipped(workspace)
        after = (before | set(add)) - set(drop)
        store.write_bytes(workspace.build / "skipped.txt", "".join(f"{word}\n" for word in sorted(after)).encode())
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
        said = f"{verdict} {last['word']}: written; bee run applies it. {cost}".strip()
        return self._told(last["word"], verdict, said)

    def skip(self, word: str) -> str:
        """Leave a word out of the queue from now on. Returns the message to show."""
        fresh = skip(self.workspace, add=[word], wait=self.wait)
        self.given.append({"word": word, "verdict": "skip", "fresh": word if fresh else ""})
        return self._told(word, "skip", f"skip {word}: the queue leaves it out from now on.")

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
        self._told(last["word"], "", f"{last['verdict']} {last['word']}: removed.")
        return last["word"]

    def _told(self, word: str, verdict: str, said: str) -> str:
        for tell in self.watchers:
            tell(word, verdict, said)
        return said

    def known(self) -> dict[str, str]:
        """Return the words that have a verdict, with the verdict."""
        with contextlib.suppress(store.StoreError):
            table = registry.load(self.workspace, "verdicts")
            return dict(zip(table["word"].tolist(), table["verdict"].tolist(), strict=True))
        return {}
