"""Reviewing in a notebook: decisions on words and held days. Each is saved immediately, and can be undone."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import NamedTuple

from pipeline import store
from pipeline.facts import by_hand
from pipeline.review import verdicts
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import BeeError


class Given(NamedTuple):
    """A decision of this notebook: its word or date, what was decided, the lines that were written, and its kind, which
    is one of `by_hand.TABLE_OF_KIND` or "skip"."""

    subject: str
    decision: str
    kind: str
    rows: list[verdicts.Row]


class Review:
    """Decisions in a notebook: each is saved immediately, and can be undone."""

    def __init__(self, workspace: Workspace, by: str = "", wait: float = verdicts.WAIT) -> None:
        """Use a workspace and sign with `by`, or with the name of the user."""
        self.workspace, self.by, self.wait = workspace, by or store.user_name(workspace.root), wait
        self.given: list[Given] = []
        self.watchers: list[Callable[[str, str, str], None]] = []
        """Called on every change with the word or date, what was decided or "", and the message to show."""

    def keep(self, word: str, reason: str = "", force: bool = False) -> str:
        """Keep a word on the list; `force` as in `decide`. Returns the message to show; raises VerdictError."""
        return self.decide(word, "keep", reason, force)

    def drop(self, word: str, reason: str = "", force: bool = False) -> str:
        """Drop a word from the list; `force` as in `decide`. Returns the message to show; raises VerdictError."""
        return self.decide(word, "drop", reason, force)

    def decide(self, word: str, verdict: str, reason: str, force: bool = False) -> str:
        """Write a verdict. Returns the message to show; raises BeeError, and VerdictError if `force` would write it."""
        last = verdicts.row(word, verdict, reason, self._signed())
        cost = verdicts.decide(self.workspace, last, force, self.wait)
        message = f"{verdict} {last['word']}: saved. Apply puts it into effect. {cost}".strip()
        return self._took(Given(last["word"], verdict, "verdict", [last]), message)

    def skip(self, word: str) -> str:
        """Leave a word out of the queue from now on. Returns the message to show."""
        fresh = verdicts.skip(self.workspace, add=[word], wait=self.wait)
        given = Given(word, "skip", "skip", [{"word": each} for each in fresh])
        return self._took(given, f"skip {word}: the queue leaves it out from now on.")

    def settle(self, date: str, corrections: list[str], reason: str) -> str:
        """Admit a held day as it is, or write corrections, each given by the options of `bee correct`.

        Returns the message to show; raises BeeError.
        """
        kind, command = ("correction", "correct") if corrections else ("admission", "admit")
        given = Given(date, command, kind, [])
        for options in corrections or [""]:
            before = self._rows(kind)
            self._bee(command, date, *shlex.split(options), "--reason", reason, "--by", self._signed())
            given.rows.extend(row for row in self._rows(kind) if row not in before)
        return self._took(given, f"{command} {date}: saved. Apply puts it into effect.")

    def undo(self) -> str:
        """Undo the last decision of this notebook. Returns its word or date; raises BeeError."""
        if not self.given:
            raise BeeError("There is nothing to undo: nothing was decided here.")
        last = self.given[-1]
        if last.kind == "skip":
            verdicts.skip(self.workspace, drop=[row["word"] for row in last.rows], wait=self.wait)
        for row in [] if last.kind == "skip" else last.rows:
            verdicts.undo(self.workspace, last.subject, last.kind, self.wait, row)
        self.given.pop()
        self._notify(last.subject, "", f"{last.decision} {last.subject}: removed.")
        return last.subject

    def apply(self) -> str:
        """Put the decisions into effect, as `bee run` does. Returns the message to show; raises BeeError."""
        said = self._bee("run").strip().splitlines()
        return f"{said[-2] if len(said) > 1 else 'Done.'} Run all cells again to see it."

    def known(self) -> dict[str, str]:
        """Return the words that have a verdict, with the verdict."""
        with contextlib.suppress(store.StoreError):
            table = registry.load(self.workspace, "verdicts")
            return dict(zip(table["word"].tolist(), table["verdict"].tolist(), strict=True))
        return {}

    def _signed(self) -> str:
        if not self.by.strip():
            raise BeeError('Who decides? Write your name into the box "by".')
        return self.by.strip()

    def _rows(self, kind: str) -> list[verdicts.Row]:
        path = self.workspace.root / by_hand.PATHS[by_hand.TABLE_OF_KIND[kind]]
        return frames.rows(frames.read_csv(path.read_bytes(), path)) if path.exists() else []

    def _bee(self, *arguments: str) -> str:
        """Run a command of bee in the workspace and return what it says; raise BeeError if it fails."""
        command = [sys.executable, "-m", "pipeline", *arguments, "--data", str(self.workspace.root)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}, check=False)
        if done.returncode:
            raise BeeError(re.sub(r"^bee: ", "", done.stderr.strip(), flags=re.MULTILINE))
        return done.stderr

    def _took(self, given: Given, message: str) -> str:
        self.given.append(given)
        return self._notify(given.subject, given.decision, message)

    def _notify(self, subject: str, decision: str, message: str) -> str:
        for tell in self.watchers:
            tell(subject, decision, message)
        return message
