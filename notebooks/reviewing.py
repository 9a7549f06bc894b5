"""Reviewing in a notebook: verdicts on words. Each is saved immediately, and can be undone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from pipeline import inputs, store
from pipeline.errors import BeeError
from pipeline.review import verdicts
from pipeline.store import WAIT, Workspace

Listener = Callable[[str, str, str], None]
"""Called on every change with the word, what was decided or "", and the message to show."""


@dataclass(frozen=True, slots=True)
class SavedDecision:
    """A decision of this notebook: its word, what was decided, and the function that takes it back."""

    word: str
    decision: str
    take_back: Callable[[], object]


class Review:
    """Decisions in a notebook: each is saved immediately, and can be undone."""

    def __init__(self, workspace: Workspace, by: str = "", wait: float = WAIT) -> None:
        """Use a workspace and sign with `by`, or with the name of the user.

        `wait` is the number of seconds to wait for another command in the workspace.
        """
        self.workspace = workspace
        self.by = by or store.user_name(workspace.root)
        self.wait = wait
        self.known = verdicts.known(workspace)
        self.saved: list[SavedDecision] = []
        self.listeners: list[Listener] = []

    def decide(self, word: str, verdict: str, reason: str) -> str:
        """Write a verdict and return the message to show; raises BeeError if it is refused."""
        if not self.by.strip():
            raise BeeError('Who decides? Write your name into the box "by".')
        line = verdicts.row(word, verdict, reason, self.by.strip(), self.known)
        cost = verdicts.decide(self.workspace, line, self.known, wait=self.wait)
        message = f"{verdict} {line['word']}: saved. Apply puts it into effect. {cost}".strip()

        def take_back() -> None:
            verdicts.undo(self.workspace, line["word"], "verdict", self.wait)

        return self._add(SavedDecision(line["word"], verdict, take_back), message)

    def skip(self, word: str) -> str:
        """Leave a word out of the queue from now on. Returns the message to show."""
        added = verdicts.skip(self.workspace, add=[word], wait=self.wait)

        def take_back() -> None:
            verdicts.skip(self.workspace, drop=added, wait=self.wait)

        return self._add(SavedDecision(word, "skip", take_back), f"skip {word}: the queue leaves it out from now on.")

    def undo(self) -> str:
        """Undo the last decision of this notebook. Returns its word; raises BeeError."""
        if not self.saved:
            raise BeeError("There is nothing to undo: nothing was decided here.")
        last = self.saved[-1]
        last.take_back()
        self.saved.pop()
        self._notify(last.word, "", f"{last.decision} {last.word}: removed.")
        return last.word

    def apply(self) -> str:
        """Put the decisions into effect, as `bee run` does. Returns the message to show; raises BeeError."""
        command = [sys.executable, "-m", "pipeline", "run", "--data", str(self.workspace.root)]
        environment = {**os.environ, "NO_COLOR": "1"}
        result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if result.returncode:
            raise BeeError(result.stderr.strip())
        release = result.stdout.splitlines()[-1]
        return f"{release}. Run all cells again to see it."

    def known_verdicts(self) -> dict[str, str]:
        """Return the words that have a verdict, with the verdict; none if the file cannot be read."""
        try:
            table = inputs.read_decisions(self.workspace, "verdicts")
        except BeeError:
            return {}
        return dict(zip(table["word"].tolist(), table["verdict"].tolist(), strict=True))

    def _add(self, saved: SavedDecision, message: str) -> str:
        """Remember a decision for `undo`, and return its message."""
        self.saved.append(saved)
        self._notify(saved.word, saved.decision, message)
        return message

    def _notify(self, word: str, decision: str, message: str) -> None:
        for listener in self.listeners:
            listener(word, decision, message)
