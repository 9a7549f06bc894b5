"""The commands for decisions: `bee keep`, `drop` and `grade` for words, `day` for days, and `undo`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from pipeline import inputs, run
from pipeline.commands import command
from pipeline.commands.options import By, iso_date
from pipeline.commands.settings import Settings
from pipeline.commands.workspace import open_workspace
from pipeline.facts import by_hand, grades
from pipeline.review import days, effect, verdicts
from pipeline.words import GRADES

Word = Annotated[str, typer.Argument(help="The word.")]
Force = Annotated[bool, typer.Option("--force", help="Also accept a word that no list has.")]
Reason = Annotated[str, typer.Option(help="The reason, which is published with the word.")]
OptionalReason = Annotated[str, typer.Option("--reason", help="The reason, which is published with the word.")]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Write nothing; print what the verdict would change: words of the list, past puzzles, expected exact "
        "lists.",
    ),
]
APPLIES = "`bee run` applies it."


@dataclass(frozen=True, slots=True)
class VerdictOptions:
    """The options of `bee keep` and `bee drop`."""

    reason: str
    dry_run: bool
    by: str
    force: bool


@command('bee keep adjoint --reason "common in mathematics" --by ann', "bee keep adjoint --dry-run")
def keep(
    settings: Settings,
    word: Word,
    reason: OptionalReason = "",
    dry_run: DryRun = False,
    by: By = "",
    force: Force = False,
) -> None:
    """Decide that a word belongs on the list, until a later puzzle says otherwise."""
    _decide(settings, word, "keep", VerdictOptions(reason=reason, dry_run=dry_run, by=by, force=force))


@command('bee drop angerly --reason "obscure" --by ann', 'bee drop naans --reason "rare plural"')
def drop(
    settings: Settings,
    word: Word,
    reason: OptionalReason = "",
    dry_run: DryRun = False,
    by: By = "",
    force: Force = False,
) -> None:
    """Decide that a word does not belong on the list, until a later puzzle says otherwise."""
    _decide(settings, word, "drop", VerdictOptions(reason=reason, dry_run=dry_run, by=by, force=force))


def _decide(settings: Settings, word: str, verdict: str, options: VerdictOptions) -> None:
    """Write a verdict on a word; with `dry_run`, only print what it would change."""
    if options.dry_run:
        _print_effect(settings, word, verdict)
    elif options.reason:
        _write_verdict(settings, word, verdict, options)
    else:
        raise typer.BadParameter("Say why with --reason, or use --dry-run.")


def _print_effect(settings: Settings, word: str, verdict: str) -> None:
    with open_workspace(settings, lock=False) as (workspace, _):
        made = run.update(workspace)
    effect_of_verdict = effect.effect(word.strip().lower(), verdict, made)
    typer.echo(f"{verdict} {effect_of_verdict.word}")
    for sentence in effect_of_verdict.sentences():
        typer.echo(f"  {sentence}")


def _write_verdict(settings: Settings, word: str, verdict: str, options: VerdictOptions) -> None:
    workspace = settings.find_workspace()
    by = verdicts.decider(workspace, options.by)
    known = verdicts.known(workspace)
    row = verdicts.row(word, verdict, options.reason, by, known)

    def say_standing(standing: str) -> None:
        if standing:
            settings.say(standing)

    verdicts.decide(workspace, row, known, options.force, settings.wait, say_standing)
    settings.say(f"{verdict} {row['word']}: written; {APPLIES}")


@command('bee grade troth none --reason "a promise" --by ann', 'bee grade thorn none --reason "of a rose"')
def grade(
    settings: Settings,
    word: Word,
    grade: Annotated[str, typer.Argument(help=f"The grade: {', '.join(GRADES)}.")],
    reason: Reason,
    by: By = "",
) -> None:
    """Grade how offensive a word is. The grade none is for a word that the lists wrongly mark as offensive."""
    workspace = settings.find_workspace()
    decider = verdicts.decider(workspace, by)
    row = {"word": word.strip().lower(), "grade": grade, "reason": reason.strip(), "by": decider}

    def say_consequences() -> None:
        known = verdicts.known(workspace)
        verdicts.require_in_a_list(row["word"], known)
        graded = inputs.read_decisions(workspace, "grades")
        offensive_words = grades.offensive_words(known.lexicon.words, known.lexicon.forms, graded)
        settings.say(verdicts.consequences_of_grade(row["word"], grade, known.decisions, offensive_words))

    with settings.lock(workspace):
        verdicts.write(workspace, [row], "grades", before_writing=say_consequences)
    settings.say(f"{grade} {row['word']}: written; {APPLIES}")


Date = Annotated[str, typer.Argument(callback=iso_date, help="The date, such as 2025-03-12.")]


@command(
    'bee day 2025-02-20 --source sample --reason "checked by hand" --by ann',
    'bee day 2025-02-20 --source none --reason "no source has it"',
)
def day(
    settings: Settings,
    date: Date,
    source: Annotated[
        str, typer.Option("--source", help="The source whose list is right, or none if no source has this day.")
    ],
    reason: Annotated[str, typer.Option("--reason", help="The reason, which is published with the day.")],
    by: By = "",
) -> None:
    """Say whose list of a day is right, or that no source has the day, so that it is no longer asked for."""
    workspace = settings.find_workspace()
    how_to_apply = days.how_to_apply(workspace, date)
    with settings.lock(workspace):
        row = days.decide(workspace, date, source, reason, by)
    settings.say(f"{by_hand.describe(row)}; {how_to_apply}")


@command("bee undo arborist", "bee undo naans --kind verdict")
def undo(
    settings: Settings,
    subject: Annotated[str, typer.Argument(help="The word or the date.")],
    kind: Annotated[
        str,
        typer.Option(
            help="The kind of decision: verdict, grade or day. Required if a word has both a verdict and a grade."
        ),
    ] = "",
) -> None:
    """Remove the verdict or the grade on a word, or the decisions about a day, and print what was removed."""
    if kind and kind not in by_hand.TABLE_OF_KIND:
        raise typer.BadParameter(
            f'"{kind}" is not a kind of decision; the kinds are {", ".join(by_hand.TABLE_OF_KIND)}.'
        )
    workspace = settings.find_workspace()
    is_date = subject[:1].isdigit()
    how_to_apply = days.how_to_apply(workspace, iso_date(subject)) if is_date else APPLIES
    rows = verdicts.undo(workspace, subject, kind, settings.wait)
    for row in rows:
        typer.echo(f"Removed: {by_hand.describe(row)}")
    settings.say(f"{how_to_apply[0].upper()}{how_to_apply[1:]}")
