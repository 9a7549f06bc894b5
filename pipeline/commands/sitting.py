"""The interactive session of `bee review`: one screen per question, single keys, and a line of text for each reason.

Text is never taken for keys: characters that arrive together, as in a paste, are ignored. Keys are never taken for
text: whatever was typed before a prompt or a key is awaited is discarded. Each verdict is saved immediately.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import typer
from rich.console import Console

from pipeline.commands.settings import Settings
from pipeline.errors import BeeError
from pipeline.facts import by_hand
from pipeline.play import glosses
from pipeline.review import effect, verdicts, why
from pipeline.run import Update
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import LISTED, TIER_OF_VERDICT

with contextlib.suppress(ImportError):  # Windows
    import readline  # noqa: F401 - lets a reason be edited

ACTIONS = {"k": "keep", "d": "drop", "s": "skip", "o": "only this word", "u": "undo", "q": "quit"}
HELP = "   ".join(f"{key} {action}" for key, action in ACTIONS.items())
OTHER_KEYS = {"\x1b[D": "u", "\x1bOD": "u", "\x7f": "u", "\x08": "u", " ": "s", "": "q"}
"""The left arrow and Backspace undo, the space bar skips, and the end of the input quits."""
MARK_PASTES, STOP_MARKING_PASTES = "\x1b[?2004h", "\x1b[?2004l"
"""The sequences that make a terminal send `START_OF_PASTE` before pasted text, and that stop it."""
START_OF_PASTE = "\x1b[200~"
SECONDS_OF_PASTE = 0.2
"""The seconds within which the rest of a paste arrives."""
USUAL_REASONS = {
    "keep": ("an everyday word", "in ordinary dictionaries, without a label", "a usual form of a word on the list"),
    "drop": ("a word that few readers know", "a name, without another common sense", "a technical term"),
}
"""The reasons that the prompt offers."""
MOST_TRIALS = 30
"""The maximum number of trials on a screen."""
MOST_RELATIVES = 5
"""The maximum number of relatives on a screen."""

Question = list[dict[str, Any]]
"""The rows of the queue of one family of words; the first one is the subject."""


@dataclass(frozen=True, slots=True)
class Step:
    """The answer to a question: its number, and the verdicts that were written or the words that were skipped."""

    question_number: int
    rows: list[by_hand.Row] = field(default_factory=list)
    skipped: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Sitting:
    """The state of a session: the questions of a queue, its tables, the definitions of its words, and past steps."""

    settings: Settings
    workspace: Workspace
    questions: list[Question]
    made: Update
    known: verdicts.Known
    definitions: glosses.Glosses
    by: str
    question_number: int = 0
    note: str = ""
    """A message about the last key, which the next screen shows."""
    steps: list[Step] = field(default_factory=list)

    @property
    def question(self) -> Question:
        """The question on the screen."""
        return self.questions[self.question_number]

    def show_questions(self) -> None:
        """Show one question after another and act on the keys."""
        with ThreadPoolExecutor(1) as pool:
            effects: dict[int, Future[effect.Effect]] = {}
            is_first_screen = True
            while self.question_number < len(self.questions):
                for number in (self.question_number, self.question_number + 1):  # the next one while the person reads
                    if number < len(self.questions) and number not in effects:
                        first = self.questions[number][0]
                        effects[number] = pool.submit(_opposite_effect, first["word"], first["tier"], self.made)
                effect_of_verdict = effects[self.question_number]
                is_shown_later = is_first_screen and not effect_of_verdict.done()
                self._show_question(None if is_shown_later else effect_of_verdict.result())
                is_first_screen = False
                key = self._read_key()
                if key == "q":
                    return
                if key:
                    try:
                        self._act(key)
                    except BeeError as error:  # such as another command that writes
                        self.note = str(error)

    def _show_question(self, effect_of_verdict: effect.Effect | None) -> None:
        Console().clear()
        typer.echo(f"{self.question_number + 1} of {len(self.questions)}: {self.question[0]['asks']}\n")
        typer.echo(screen(self.question, self.made, effect_of_verdict, self.definitions))
        if self.note:
            typer.echo(f"\n{self.note}")
            typer.echo(HELP)
        else:
            typer.echo(f"\n{HELP}")

    def _read_key(self) -> str:
        """Read a key of `ACTIONS`; "" for any other, which does nothing."""
        self.note = ""
        typer.echo(MARK_PASTES, nl=False)
        try:
            typed = typer.getchar()
        except (KeyboardInterrupt, EOFError):
            return "q"
        finally:
            typer.echo(STOP_MARKING_PASTES, nl=False)
        key = OTHER_KEYS.get(typed, typed.lower())
        if key in ACTIONS:
            return key
        is_escape_sequence = typed.startswith("\x1b") and not typed.startswith(START_OF_PASTE)
        if len(typed) > 1 and not is_escape_sequence:
            time.sleep(SECONDS_OF_PASTE)  # the next getchar discards what has arrived by then
            self.note = "Several characters arrived at once, so they were ignored. Press one key at a time."
        return ""

    def _act(self, key: str) -> None:
        """Carry out the action of a key."""
        if key == "s":
            words = [row["word"] for row in self.question]
            skipped = verdicts.skip(self.workspace, add=words, wait=self.settings.wait)
            self.steps.append(Step(self.question_number, skipped=skipped))
            self.question_number += 1
        elif key == "o":
            self.questions[self.question_number] = self.question[:1]
        elif key == "u":
            self._undo()
        else:
            self._decide(ACTIONS[key])

    def _decide(self, verdict: str) -> None:
        """Ask for a reason, and write a verdict on the words of the question."""
        if all(row["offered"] and row["tier"] == TIER_OF_VERDICT[verdict] for row in self.question):
            self.note = f"The record alone says {verdict}, so a verdict would only repeat it. Press s to skip."
            return
        words = [row["word"] for row in self.question]
        reasons = [row["reason"] for step in self.steps for row in step.rows if row["verdict"] == verdict]
        reason = _ask_for_reason(verdict, words, reasons[-1:])
        if not reason:
            self.note = "Nothing was written."
            return
        rows = [verdicts.row(word, verdict, reason, self.by, self.known) for word in words]
        refusals = verdicts.decide_each(self.workspace, rows, self.known, self.settings.wait)
        self.note = " ".join(str(refusal) for refusal in refusals if refusal)
        written = [row for row, refusal in zip(rows, refusals, strict=True) if not refusal]
        if written:
            self.steps.append(Step(self.question_number, rows=written))
            self.question_number += 1

    def _undo(self) -> None:
        """Undo the last step of this session, and return to its question."""
        if not self.steps:
            self.note = "There is nothing to undo in this session."
            return
        step = self.steps.pop()
        verdicts.skip(self.workspace, drop=step.skipped, wait=self.settings.wait)
        for row in step.rows:
            verdicts.undo(self.workspace, row["word"], "verdict", self.settings.wait)
        self.question_number = step.question_number
        removed = ", ".join(by_hand.describe(row) for row in step.rows)
        self.note = f"Undone: {removed or 'the skip'}."

    def show_summary(self) -> None:
        """Print what was decided, and the commands that apply and commit it."""
        Console().clear()
        rows = [row for step in self.steps for row in step.rows]
        for row in rows:
            typer.echo(f"{row['verdict']}  {row['word']}  {row['reason']}")
        kept = [row["word"] for row in rows if row["verdict"] == "keep"]
        dropped = [row["word"] for row in rows if row["verdict"] == "drop"]
        left = len(self.questions) - self.question_number
        left_text = f"{left} left" if left else "none left"
        summary = f"{len(kept)} kept, {len(dropped)} dropped, {left_text}."
        if not rows:
            self.settings.say(summary)
            return
        self.settings.say(f"{summary} `bee run` applies them.")
        custom = self.workspace.custom.resolve()
        if any((folder / ".git").exists() for folder in custom.parents):
            self.settings.say(f"To commit all of them at once: `{_commit_command(custom, kept, dropped)}`")


def _commit_command(custom: Path, kept: list[str], dropped: list[str]) -> str:
    """Return the command that commits the verdicts alone."""
    subjects = []
    if kept:
        subjects.append(f"Keep {', '.join(kept)}")
    if dropped:
        subjects.append(f"Drop {', '.join(dropped)}")
    git = f"git -C {shlex.quote(os.path.relpath(custom))}"
    return f"{git} add verdicts.csv && {git} commit -m {shlex.quote('; '.join(subjects))} -- verdicts.csv"


def _opposite_effect(word: str, tier: str, made: Update) -> effect.Effect:
    """Return what a verdict against the present tier of a word would change."""
    verdict = "drop" if tier in LISTED else "keep"
    return effect.effect(word, verdict, made)


def sit(
    settings: Settings,
    workspace: Workspace,
    queue: pd.DataFrame,
    made: Update,
    definitions: glosses.Glosses,
    by: str,
) -> None:
    """Ask the questions of a queue, and print what was decided."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _exit)
    questions = [frames.rows(rows) for _, rows in queue.groupby("family", sort=False)]
    sitting = Sitting(settings, workspace, questions, made, verdicts.known(workspace), definitions, by)
    sitting.show_questions()
    sitting.show_summary()


def _exit(signal_number: int, _: object) -> None:
    """Exit when the terminal closes or the process is terminated, so that the settings of the terminal are restored."""
    raise SystemExit(128 + signal_number)


def _ask_for_reason(verdict: str, words: list[str], last_reasons: list[str]) -> str:
    """Ask for a reason in one line of text; return "" if the person changed their mind."""
    offers = list(dict.fromkeys([*last_reasons, *USUAL_REASONS[verdict]]))
    typer.echo(f"\nWhy {verdict} {', '.join(words)}? Type a reason, or the number of one below. It will be published.")
    typer.echo("Press Enter to go back.")
    for number, offer in enumerate(offers, 1):
        note = " (as before)" if offer in last_reasons else ""
        typer.echo(f"  {number}  {offer}{note}")
    offer_by_number = {str(number): offer for number, offer in enumerate(offers, 1)}
    try:
        text = " ".join(typer.prompt("Reason", default="", show_default=False).split())
    except typer.Abort:
        return ""
    return offer_by_number.get(text, text)


def screen(
    question: Question,
    made: Update,
    effect_of_verdict: effect.Effect | None,
    definitions: glosses.Glosses,
) -> str:
    """Return the screen of a question: definition, trials, where the word stands, and what a verdict would change.

    Without an effect, which takes seconds to compute, the screen says how to see it.
    """
    first, *others = question
    word = first["word"]
    relatives = why.tried_relatives(word, made.forms, made.record)
    lines = [glosses.text(glosses.define(word, definitions)), ""]
    if effect_of_verdict:
        lines.append(f"  trials     {_trials_text(effect_of_verdict.outcomes)}")
    lines.append(f"  stands     {first['tier']}: {first['because']}")
    for row in relatives[:MOST_RELATIVES]:
        lines.append(f"  relative   {row['word']}: accepted {row['accepted']} of {row['offered']}")
    for flag in frames.rows(made.flags[made.flags["word"] == word]):
        lines.append(f"  flag       {flag['flag']}: {flag['detail']}")
    if others:
        lines.append(f"  family     decided together with {', '.join(row['word'] for row in others)}")
    if first["folded"]:
        lines.append(f"  not asked  {', '.join(first['folded'].split())}: they make little difference")
    if not effect_of_verdict:
        return "\n".join([*lines, "", "  Press Enter to see the trials on disk and what a verdict would change."])
    lines += ["", f"  {effect_of_verdict.verdict} {word}"]
    for sentence in effect_of_verdict.sentences():
        lines.append(f"    {sentence}")
    return "\n".join(lines)


def _trials_text(trials: str) -> str:
    if not trials:
        return "none"
    earlier = "…" if len(trials) > MOST_TRIALS else ""
    return f"{earlier}{trials[-MOST_TRIALS:]}  (+ accepted, - refused, newest last)"
