"""Reviewing in a notebook: verdicts that are written immediately, and can be undone one by one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from pipeline import store
from pipeline.review import verdicts
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import BeeError


class Review:
    """Verdicts in a notebook: each is saved immediately, and can be undone until another one is given."""

    def __init__(self, workspace: Workspace, by: str = "", wait: float = verdicts.WAIT) -> None:
        """Use a workspace and sign verdicts with `by`, or with the name of the user."""
        self.workspace, self.by, self.wait = workspace, by, wait
        self.given: list[verdicts.Row] = []
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
        last = verdicts.row(word, verdict, reason, verdicts.decider(self.workspace, self.by))
        cost = verdicts.decide(self.workspace, last, force, self.wait)
        self.given.append(last)
        message = f"{verdict} {last['word']}: written; bee run applies it. {cost}".strip()
        return self._notify(last["word"], verdict, message)

    def skip(self, word: str) -> str:
        """Leave a word out of the queue from now on. Returns the message to show."""
        fresh = verdicts.skip(self.workspace, add=[word], wait=self.wait)
        self.given.append({"word": word, "verdict": "skip", "fresh": word if fresh else ""})
        return self._notify(word, "skip", f"skip {word}: the queue leaves it out from now on.")

    def undo(self) -> str:
        """Undo the last verdict or skip of this notebook. Returns its word; raises BeeError."""
        if not self.given:
            raise BeeError("There is nothing to undo: no verdict was given here.")
        last = self.given[-1]
        if last["verdict"] == "skip":
            verdicts.skip(self.workspace, drop=last["fresh"].split(), wait=self.wait)
        else:
            verdicts.undo(self.workspace, last["word"], "verdict", self.wait, last)
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
