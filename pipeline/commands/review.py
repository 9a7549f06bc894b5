"""`bee review`: decide on the words that matter most, in the terminal or in a spreadsheet."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline import run, store
from pipeline.commands import command, sitting
from pipeline.commands.options import By, refuse_together
from pipeline.commands.settings import Settings
from pipeline.errors import BeeError
from pipeline.play import glosses
from pipeline.review import queue, sheets, verdicts
from pipeline.store import Workspace
from pipeline.words import count


@command("bee review --limit 20", "bee review --export queue.csv")
def review(
    settings: Settings,
    limit: Annotated[
        int, typer.Option(min=1, help="Maximum number of questions. A family of words is one question.")
    ] = 20,
    again: Annotated[bool, typer.Option("--again", help="Show skipped words again.")] = False,
    export_path: Annotated[
        Path | None, typer.Option("--export", help="Write the queue as CSV, for a spreadsheet.")
    ] = None,
    import_path: Annotated[
        Path | None, typer.Option("--import", help="Read the verdicts in a CSV of --export.")
    ] = None,
    by: By = "",
) -> None:
    """Decide on the words that matter most, one screen per word.

    A screen shows the definition, the record, and what a verdict would change. The words of the newest days come first.
    To keep or drop a word, give a reason; nothing is saved without one.
    """
    refuse_together(
        settings,
        "--import",
        {"--export", "--limit", "--again"},
        "--import only reads a sheet, so it cannot be combined with {}.",
    )
    uses_terminal = not (export_path or import_path)
    workspace = settings.find_workspace()
    if import_path:
        _import_sheet(settings, workspace, import_path, verdicts.decider(workspace, by))
        return
    has_terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if uses_terminal and not has_terminal:
        raise BeeError("A review needs a terminal to read keys from. Without a terminal, use --export and --import.")
    if uses_terminal:
        typer.echo("Loading…")
    made = run.update(workspace)
    words_to_ask = queue.words_to_ask(made)
    if not again:
        words_to_ask = words_to_ask[~words_to_ask["word"].isin(verdicts.skipped(workspace))]
    families = words_to_ask["family"].unique()[:limit]
    words_to_ask = words_to_ask[words_to_ask["family"].isin(families)]
    definitions = glosses.load(settings.release_folder(), {*words_to_ask["word"]})
    if export_path is None:
        sitting.sit(settings, workspace, words_to_ask, made, definitions, verdicts.decider(workspace, by))
        return
    store.write_bytes(
        export_path, sheets.to_csv(words_to_ask, made.flags, definitions, max(made.coverage.dates, default=""))
    )
    settings.say(queue.benefit_of(words_to_ask))
    settings.say(
        f"Wrote {count(len(words_to_ask), 'word')} to {export_path}. Fill in verdict (keep or drop) and reason, "
        f"then: `bee review --import {shlex.quote(str(export_path))}`."
    )


def _import_sheet(settings: Settings, workspace: Workspace, path: Path, by: str) -> None:
    """Write the verdicts of a sheet, and print the rows that cannot be written."""
    sheet = sheets.read(store.read_bytes(path, f"bee review --export {shlex.quote(str(path))}"), path)
    known = verdicts.known(workspace)
    new_verdicts = [
        {
            **verdicts.row(row.word, row.verdict, row.reason, by, known),
            "after": known.last_day if row.after is None else row.after,
        }
        for row in sheet.rows
    ]
    refusals = verdicts.decide_each(workspace, new_verdicts, known, settings.wait)
    problems = [*sheet.problems]
    for row, refusal in zip(sheet.rows, refusals, strict=True):
        if refusal:
            problems.append(f"{path}, row {row.number}: {refusal}")
    for problem in problems:
        settings.complain(problem)
    number_written = sum(not refusal for refusal in refusals)
    settings.say(f"Wrote {count(number_written, 'verdict')} of {path}; `bee run` applies them.")
    if problems:
        raise BeeError(
            f"Of {path}, {count(len(problems), 'row')} could not be imported (see above). Correct them, and run `bee "
            f"review --import {shlex.quote(str(path))}` again."
        )
