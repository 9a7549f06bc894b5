"""Reviewing in a notebook: decisions on words and held days. Each is saved immediately, and can be undone."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline import store
from pipeline.facts import by_hand
from pipeline.review import verdicts
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import BeeError

Listener = Callable[[str, str, str], None]
"""Called on every change with the word or date, what was decided or "", and the message to show."""


@dataclass(frozen=True, slots=True)
class SavedDecision:
    """A decision of this notebook: its word or date, what was decided, its kind (in `by_hand.TABLE_OF_KIND`, or
    "skip"), and the lines that were written."""

    subject: str
    decision: str
    kind: str
    lines: Sequence[verdicts.Row]


class Review:
    """Decisions in a notebook: each is saved immediately, and can be undone."""

    def __init__(self, workspace: Workspace, by: str = "", wait: float = verdicts.WAIT) -> None:
        """Use a workspace and sign with `by`, or with the name of the user.

        `wait` is the number of seconds to wait for another command in the workspace.
        """
        self.workspace = workspace
        self.by = by or store.user_name(workspace.root)
        self.wait = wait
        self.saved: list[SavedDecision] = []
        self.listeners: list[Listener] = []

    def decide(self, word: str, verdict: str, reason: str, force: bool = False) -> str:
        """Write a verdict. Returns the message to show; raises BeeError, and VerdictError if `force` would write it."""
        line = verdicts.row(word, verdict, reason, self._signature())
        cost = verdicts.decide(self.workspace, line, force, self.wait)
        message = f"{verdict} {line['word']}: saved. Apply puts it into effect. {cost}".strip()
        return self._add(SavedDecision(line["word"], verdict, "verdict", [line]), message)

    def skip(self, word: str) -> str:
        """Leave a word out of the queue from now on. Returns the message to show."""
        added = verdicts.skip(self.workspace, add=[word], wait=self.wait)
        saved = SavedDecision(word, "skip", "skip", [{"word": word} for word in added])
        return self._add(saved, f"skip {word}: the queue leaves it out from now on.")

    def admit(self, date: str, reason: str) -> str:
        """Let a held day count as it is. Returns the message to show; raises BeeError."""
        return self._decide_day(date, "admit", "admission", [[]], reason)

    def correct(self, date: str, corrections: Sequence[str], reason: str) -> str:
        """Write corrections of a day, each as the options of `bee correct`. Returns the message to show; raises
        BeeError."""
        return self._decide_day(date, "correct", "correction", [shlex.split(text) for text in corrections], reason)

    def _decide_day(self, date: str, command: str, kind: str, options: list[list[str]], reason: str) -> str:
        """Run a command once with each list of options, and remember the lines that it wrote."""
        lines: list[verdicts.Row] = []
        saved = SavedDecision(date, command, kind, lines)
        for arguments in options:
            before = self._lines(kind)
            self._run_bee(command, date, *arguments, "--reason", reason, "--by", self._signature())
            lines.extend(line for line in self._lines(kind) if line not in before)
        return self._add(saved, f"{command} {date}: saved. Apply puts it into effect.")

    def undo(self) -> str:
        """Undo the last decision of this notebook. Returns its word or date; raises BeeError."""
        if not self.saved:
            raise BeeError("There is nothing to undo: nothing was decided here.")
        last = self.saved[-1]
        if last.kind == "skip":
            verdicts.skip(self.workspace, drop=[line["word"] for line in last.lines], wait=self.wait)
        else:
            for line in last.lines:
                verdicts.undo(self.workspace, last.subject, last.kind, self.wait, line)
        self.saved.pop()
        self._notify(last.subject, "", f"{last.decision} {last.subject}: removed.")
        return last.subject

    def apply(self) -> str:
        """Put the decisions into effect, as `bee run` does. Returns the message to show; raises BeeError."""
        lines = self._run_bee("run").strip().splitlines()
        result = lines[-2] if len(lines) > 1 else "Done."
        return f"{result} Run all cells again to see it."

    def known_verdicts(self) -> dict[str, str]:
        """Return the words that have a verdict, with the verdict; none if the file cannot be read."""
        try:
            table = registry.load(self.workspace, "verdicts")
        except store.StoreError:
            return {}
        return dict(zip(table["word"].tolist(), table["verdict"].tolist(), strict=True))

    def _signature(self) -> str:
        """Return the name of the person who decides; raises BeeError if there is none."""
        if not self.by.strip():
            raise BeeError('Who decides? Write your name into the box "by".')
        return self.by.strip()

    def _lines(self, kind: str) -> list[verdicts.Row]:
        """Return the lines of the file that holds the decisions of a kind."""
        path = self.workspace.root / by_hand.PATHS[by_hand.TABLE_OF_KIND[kind]]
        if not path.exists():
            return []
        return frames.rows(frames.read_csv(path.read_bytes(), path))

    def _run_bee(self, *arguments: str) -> str:
        """Run a command of bee in the workspace and return what it prints on stderr; raise BeeError if it fails."""
        command = [sys.executable, "-m", "pipeline", *arguments, "--data", str(self.workspace.root)]
        environment = {**os.environ, "NO_COLOR": "1"}
        result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if result.returncode:
            raise BeeError(re.sub(r"^bee: ", "", result.stderr.strip(), flags=re.MULTILINE))
        return result.stderr

    def _add(self, saved: SavedDecision, message: str) -> str:
        """Remember a decision for `undo`, and return its message."""
        self.saved.append(saved)
        self._notify(saved.subject, saved.decision, message)
        return message

    def _notify(self, subject: str, decision: str, message: str) -> None:
        for listener in self.listeners:
            listener(subject, decision, message)
