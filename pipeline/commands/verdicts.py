"""The commands for decisions on words: `bee keep`, `drop` and `grade`, and `undo` for all decisions."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from pipeline import custom
from pipeline.commands.messages import say
from pipeline.commands.options import By, Reason
from pipeline.review import verdicts
from pipeline.store import Workspace
from pipeline.words import GRADES

Word = Annotated[str, typer.Argument(help="The word.")]
OptionalReason = Annotated[str, typer.Option("--reason", help="The reason, which is published with the word.")]
Force = Annotated[bool, typer.Option("--force", help="Also accept a word that no list has.")]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Write nothing; print the words that would come and go."),
]


def keep(
    ctx: typer.Context,
    word: Word,
    reason: OptionalReason = "",
    dry_run: DryRun = False,
    by: By = "",
    force: Force = False,
) -> None:
    """Decide that a word belongs on the list, until a later puzzle says otherwise.

    \b
    Examples:
      bee keep adjoint --reason "common in mathematics" --by ann
      bee keep adjoint --dry-run
    """
    if dry_run:
        _print_changes(ctx.obj, word, "keep", force)
    else:
        say(verdicts.keep(word, _given(reason), by, force, ctx.obj))


def drop(
    ctx: typer.Context,
    word: Word,
    reason: OptionalReason = "",
    dry_run: DryRun = False,
    by: By = "",
    force: Force = False,
) -> None:
    """Decide that a word does not belong on the list, until a later puzzle says otherwise.

    \b
    Examples:
      bee drop angerly --reason "obscure" --by ann
      bee drop naans --reason "rare plural"
    """
    if dry_run:
        _print_changes(ctx.obj, word, "drop", force)
    else:
        say(verdicts.drop(word, _given(reason), by, force, ctx.obj))


def _given(reason: str) -> str:
    if not reason:
        raise typer.BadParameter("Say why with --reason, or use --dry-run.")
    return reason


def _print_changes(workspace: Workspace, word: str, verdict: str, force: bool) -> None:
    """Print the words that would come and go with a verdict."""
    from pipeline.review import effect  # only --dry-run needs tables, and pandas

    word = word.strip().lower()
    if not force:
        verdicts.require_known([word], custom.require_release(workspace), verdicts.BY_FORCE)
    changes = effect.effect(word, verdict, workspace)
    for sign, words in changes.items():
        for each in words:
            typer.echo(f"{sign} {each}")
    if not any(changes.values()):
        say("The list would not change.")


def grade(
    ctx: typer.Context,
    word: Word,
    grade: Annotated[str, typer.Argument(help=f"The grade: {', '.join(GRADES)}.")],
    reason: Reason,
    by: By = "",
) -> None:
    """Grade how offensive a word is. The grade none is for a word that the lists wrongly mark as offensive.

    \b
    Examples:
      bee grade troth none --reason "a promise" --by ann
      bee grade thorn none --reason "of a rose"
    """
    say(verdicts.grade(word, grade, reason, by, ctx.obj))


def undo(
    ctx: typer.Context,
    subject: Annotated[str, typer.Argument(help="The word or the date.")],
    kind: Annotated[
        Literal["verdict", "grade", "day"] | None,
        typer.Option(help="The kind of decision. Required if a word has both a verdict and a grade."),
    ] = None,
) -> None:
    """Remove the verdict or the grade on a word, or the decisions about a day, and print what was removed.

    \b
    Examples:
      bee undo arborist
      bee undo naans --kind verdict
    """
    typer.echo(verdicts.undo(subject, kind or "", workspace=ctx.obj))
    say(verdicts.how_to_apply(subject, ctx.obj))
