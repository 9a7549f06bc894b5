"""`bee review`: decide on the words that matter most, in the terminal or in a spreadsheet."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline import reader, store
from pipeline.commands.messages import complain, escaped, say
from pipeline.commands.options import By
from pipeline.errors import BeeError
from pipeline.play import glosses
from pipeline.play.glosses import Glosses
from pipeline.play.relatives import relatives
from pipeline.review import queue, sheets, verdicts
from pipeline.review.queue import Question
from pipeline.store import Workspace
from pipeline.words import count

PROMPT = "k REASON keeps it, d REASON drops it, s skips, u undoes, q quits"


def review(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of words.")] = 20,
    export_path: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help="Write the words as CSV, for a spreadsheet.")
    ] = None,
    import_path: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Read the verdicts in a CSV of --export.")
    ] = None,
    by: By = "",
) -> None:
    """Ask about the words that matter most: those that the newest days left open, and then those with the most points.

    Answer in one line: k or d with a reason, such as "k an everyday word", s to skip, u to undo, q to quit. A verdict
    is written at once.

    \b
    Examples:
      bee review --limit 20
      bee review --export queue.csv
      bee review --import queue.csv
    """
    workspace: Workspace = ctx.obj
    if import_path:
        _import_sheet(workspace, import_path, by)
        return
    questions = queue.questions(workspace)[:limit]
    words = {question["word"] for question in questions}
    definitions = glosses.load(workspace.custom, words)
    if export_path:
        last_day = verdicts.last_day(reader.read(workspace.custom, reader.PACKAGE))
        store.write_bytes(export_path, sheets.to_csv(questions, definitions, last_day))
        say(
            f"Wrote {count(len(questions), 'word')} to {export_path}. Fill in verdict (keep or drop) and reason, then: "
            f"`bee review --import {shlex.quote(str(export_path))}`."
        )
        return
    _ask(questions, definitions, verdicts.decider(workspace, by), workspace)


def _ask(questions: list[Question], definitions: Glosses, by: str, workspace: Workspace) -> None:
    """Ask about one word after another, and write each verdict at once; the end of the input quits."""
    relatives_of = relatives({question["word"] for question in questions})
    release = reader.read(workspace.custom, "words.csv")
    rows = verdicts.rows_of({word for family in relatives_of.values() for word in family}, release)
    number = 0
    decided: list[int] = []
    while number < len(questions):
        word = questions[number]["word"]
        typer.echo(f"\n{number + 1} of {len(questions)}")
        typer.echo(_screen(questions[number], definitions, [rows[each] for each in relatives_of[word] if each in rows]))
        key, reason = _answer()
        if key == "q":
            break
        try:
            if key == "k":
                say(verdicts.keep(word, reason, by, force=True, workspace=workspace))
            elif key == "d":
                say(verdicts.drop(word, reason, by, force=True, workspace=workspace))
            elif key == "u" and decided:
                say(verdicts.undo(questions[decided[-1]]["word"], "verdict", by, workspace))
                number = decided.pop()
            elif key != "s":
                say("Nothing was written.")
        except BeeError as error:  # such as a word that another person has just decided
            complain(f"bee: {error}")
            continue
        if key in ("k", "d"):
            decided.append(number)
        number += key in ("k", "d", "s")
    say(f"{count(len(decided), 'verdict')} written, {count(len(questions) - number, 'word')} left.")
    if decided:
        say("Next: `bee run`.")


def _answer() -> tuple[str, str]:
    """Ask for a key and a reason; the key is q at the end of the input."""
    line = _line(PROMPT)
    key, _, reason = line.strip().partition(" ")
    if key in ("k", "d") and not reason:
        line = _line("Why? The reason is published with the word; Enter goes back")
        reason = line.strip()
        key = key if len(reason) > 1 else ""  # a letter is no reason
    return (key, reason) if line else ("q", "")


def _line(question: str) -> str:
    """Ask for a line; return it with its end, or "" at the end of the input."""
    typer.echo(f"{question}: ", nl=False)
    return sys.stdin.readline() if sys.stdin else ""


def _screen(question: Question, definitions: Glosses, family: list[dict[str, str]]) -> str:
    """Return what helps to decide: definition, why we ask, where the word stands and why, flags, and relatives."""
    lines = [glosses.text(glosses.define(question["word"], definitions))]
    if question["day"]:
        lines.append(f"  asked      {question['asks']}")
    p = f", p {question['p']:.2f}" if question["kind"] == "estimate" else ""
    lines.append(f"  stands     {question['tier']}{p}: {question['because']}")
    if question["flags"]:
        lines.append(f"  flags      {question['flags'].replace(' ', ', ')}")
    lines += [f"  relative   {row['word']}: {row['tier']}, {row['because']}" for row in family]
    return escaped("\n".join(lines))


def _import_sheet(workspace: Workspace, path: Path, by: str) -> None:
    """Write the verdicts of a sheet, all or none."""
    name = verdicts.decider(workspace, by)
    rows = sheets.read(store.read_bytes(path, f"bee review --export {shlex.quote(str(path))}"), path)
    verdicts.write_verdicts(workspace, [{**row, "by": name} for row in rows])
    say(f"Wrote {count(len(rows), 'verdict')} of {path}. Next: `bee run`.")
