"""The sitting of `bee review`: one screen per question, single keys, and a line of text for each reason.

A key never means text: what comes together, as a paste does, is refused. Text never means keys: what was typed before a
prompt or a key is awaited is dropped. Each verdict is saved immediately.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shlex
import signal
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import pandas as pd
import typer
from rich.console import Console

from pipeline.commands import remedied, say, waiting
from pipeline.errors import BeeError
from pipeline.facts import by_hand, decision_files
from pipeline.opinions import why
from pipeline.play import glosses
from pipeline.review import effect, verdicts
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames
from pipeline.words import LISTED, TIER_OF_VERDICT, VERDICTS

with contextlib.suppress(ImportError):  # Windows
    import readline  # noqa: F401 - lets a reason be edited

KEYS = {"k": "keep", "d": "drop", "s": "skip", "o": "only this word", "u": "undo", "q": "quit"}
HELP = "   ".join(f"{key} {does}" for key, does in KEYS.items())
NAMED = {"\x1b[D": "u", "\x1bOD": "u", "\x7f": "u", "\x08": "u", " ": "s", "": "q"}
"""Other keys: the left arrow and Backspace undo, the blank skips; the end of the input quits."""
LATER = 0.2
"""The seconds within which the rest of a paste arrives."""
USUAL = {
    "keep": ("an everyday word", "in ordinary dictionaries, without a label", "a usual form of a word on the list"),
    "drop": ("a word that few readers know", "a name, without another common sense", "a technical term"),
}
"""The reasons that the prompt offers."""
LAST, SOME = 30, 5
"""The maximum number of trials and of relatives on a screen."""


class Step(NamedTuple):
    """What was decided on a question: its number, and the verdicts that were written or the words that were skipped."""

    at: int
    rows: list[verdicts.Row]
    skipped: set[str]


def sit(
    workspace: Workspace, queue: pd.DataFrame, tables: Mapping[str, Any], meanings: glosses.Glosses, by: str
) -> None:
    """Show one question after another and act on the keys; at the end, list what was decided."""
    questions = [frames.rows(rows) for _, rows in queue.groupby("family", sort=False)]
    steps: list[Step] = []
    at, note = 0, ""
    for name in {"SIGTERM", "SIGHUP"} & {*dir(signal)}:
        signal.signal(getattr(signal, name), _end)
    with ThreadPoolExecutor(1) as pool:
        known = pool.submit(lambda: effect.ready(registry.load_all(workspace, *effect.READS)))

        @functools.cache
        def measured(number: int) -> Future[dict[str, Any]]:
            first = questions[number][0]
            return pool.submit(lambda: effect.effect(first["word"], VERDICTS[first["tier"] in LISTED], known.result()))

        while at < len(questions):
            found = measured(at).result()
            measured(min(at + 1, len(questions) - 1))  # while the person reads
            Console().clear()
            typer.echo(f"{at + 1} of {len(questions)}: {questions[at][0]['asks']}\n")
            typer.echo(screen(questions[at], tables, found, meanings))
            typer.echo(f"\n{note}\n{HELP}" if note else f"\n{HELP}")
            key, note = _key()
            if key == "q":
                break
            try:
                at, note = _act(workspace, key, at, questions[at], steps, by) if key else (at, note)
            except BeeError as error:  # such as another command that writes
                note = str(error)
    _summary(workspace, steps, len(questions) - at)


def _act(
    workspace: Workspace, key: str, at: int, question: list[dict[str, Any]], steps: list[Step], by: str
) -> tuple[int, str]:
    """Do what a key says about a question; return the number of the next question, and a note for its screen."""
    words = [row["word"] for row in question]
    if key == "s":
        steps.append(Step(at, [], verdicts.skip(workspace, add=words, wait=waiting["seconds"])))
        return at + 1, ""
    if key == "o":
        del question[1:]
        return at, ""
    if key == "u":
        return _undo(workspace, at, steps)
    verdict = KEYS[key]
    if all(row["offered"] and row["tier"] == TIER_OF_VERDICT[verdict] for row in question):
        return at, f"The record alone says {verdict}, so a verdict would only repeat it. s leaves it as it is."
    given = [row["reason"] for step in steps for row in step.rows if row["verdict"] == verdict]
    reason = _reason(verdict, words, given[-1:])
    if not reason:
        return at, "Nothing was written."
    rows = [verdicts.row(word, verdict, reason, by) for word in words]
    refused = verdicts.decide_each(workspace, rows, waiting["seconds"])
    written = [row for row, why_not in zip(rows, refused, strict=True) if not why_not]
    if written:
        steps.append(Step(at, written, set()))
    return at + bool(written), " ".join(filter(None, refused))


def _undo(workspace: Workspace, at: int, steps: list[Step]) -> tuple[int, str]:
    """Take back the last step of this sitting, and return to its question."""
    if not steps:
        return at, "There is nothing to undo in this sitting."
    step = steps.pop()
    verdicts.skip(workspace, drop=step.skipped, wait=waiting["seconds"])
    for row in step.rows:
        verdicts.undo(workspace, row["word"], "verdict", waiting["seconds"], row)
    return step.at, f"Removed: {', '.join(decision_files.describe(row) for row in step.rows) or 'the skip'}."


def _reason(verdict: str, words: list[str], last: list[str]) -> str:
    """Ask for a reason in one line of text; return "" if the person changed their mind."""
    offers = list(dict.fromkeys([*last, *USUAL[verdict]]))
    typer.echo(f"\nWhy {verdict} {', '.join(words)}? Type a reason, which is published, or a number. Enter goes back.")
    for number, offer in enumerate(offers, 1):
        typer.echo(f"  {number}  {offer}{' (as before)' * (offer in last)}")
    while True:
        try:
            text = " ".join(typer.prompt("Reason", default="", show_default=False).split())
        except typer.Abort:
            return ""
        text = offers[int(text) - 1] if text in map(str, range(1, len(offers) + 1)) else text
        if not text or not by_hand.says_nothing(text):
            return text
        typer.echo(f'"{text}" says nothing about the word. Type why, in a few words.')


def _key() -> tuple[str, str]:
    """Read a key, and return it, or "" and a note. Other keys than those of `KEYS` do nothing."""
    typer.echo("\x1b[?2004h", nl=False)  # the terminal then begins what is pasted with \\x1b[200~
    try:
        typed = typer.getchar()
    except (KeyboardInterrupt, EOFError):
        return "q", ""
    finally:
        typer.echo("\x1b[?2004l", nl=False)
    if (key := NAMED.get(typed, typed.lower())) in KEYS:
        return key, ""
    if len(typed) == 1 or (typed.startswith("\x1b") and not typed.startswith("\x1b[200~")):
        return "", ""
    time.sleep(LATER)  # the rest of a long paste is dropped when the next key is awaited
    return "", "Several characters came at once, so none was taken for a key. Press one key at a time."


def _end(number: int, _: object) -> None:
    """Exit when the terminal closes or the process is ended, so that the terminal gets its settings back."""
    raise SystemExit(128 + number)


def screen(
    question: list[dict[str, Any]], tables: Mapping[str, Any], found: Mapping[str, Any], meanings: glosses.Glosses
) -> str:
    """Write the screen of a question: definition, trials, where the word stands, and what a verdict would change."""
    first, *others = question
    trail = why.why(first["word"], tables)
    trials = found["trials"]
    shown = f"{'…' * (len(trials) > LAST)}{trials[-LAST:]}  (+ accepted, - refused, newest last)" if trials else "none"
    lines = [glosses.text(glosses.define(first["word"], meanings)), ""]
    lines += [f"  trials     {shown}", f"  stands     {trail['tier']}: {trail['because']}"]
    for row in trail["relatives"][:SOME]:
        lines.append(f"  relative   {row['word']}: accepted {row['accepted']} of {row['offered']}")
    lines += [f"  flag       {flag['flag']}: {flag['detail']}" for flag in trail["flags"]]
    if others:
        lines.append(f"  together   with {', '.join(row['word'] for row in others)}")
    if first["folded"]:
        lines.append(f"  not asked  {', '.join(first['folded'].split())}: little depends on them")
    lines += ["", f"  {found['verdict']} {first['word']}", *(f"    {says}" for says in found["says"])]
    return remedied("\n".join(lines))


def _summary(workspace: Workspace, steps: list[Step], left: int) -> None:
    """List what was decided, and name the commands that apply it in one commit."""
    Console().clear()
    rows = [row for step in steps for row in step.rows]
    for row in rows:
        typer.echo(f"{row['verdict']}  {row['word']}  {row['reason']}")
    kept, dropped = ([row["word"] for row in rows if row["verdict"] == verdict] for verdict in VERDICTS)
    left_over = f"{left} left" if left else "the queue is empty"
    say(f"{len(kept)} kept, {len(dropped)} dropped, {left_over}.{' `bee run` applies them.' if rows else ''}")
    custom = workspace.custom.resolve()
    if rows and any((folder / ".git").exists() for folder in custom.parents):
        words = "; ".join(f"{name} {', '.join(words)}" for name, words in (("Keep", kept), ("Drop", dropped)) if words)
        here = f"git -C {shlex.quote(os.path.relpath(custom))}"
        file = "verdicts.csv"
        commands = f"{here} add {file} && {here} commit -m {shlex.quote(words)} -- {file}"
        say(f"Then one commit has them all: `{commands}`")
