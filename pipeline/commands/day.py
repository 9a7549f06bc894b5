"""The command for decisions about days: `bee day`."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.commands.messages import say
from pipeline.commands.options import By, Reason, iso_date
from pipeline.review import named_days


def day(
    ctx: typer.Context,
    date: Annotated[str, typer.Argument(callback=iso_date, help="The date, such as 2025-03-12.")],
    source: Annotated[
        str, typer.Option("--source", help="The source whose list is right, or none if no source has this day.")
    ],
    reason: Reason,
    by: By = "",
) -> None:
    """Say whose list of a day is right, or that no source has the day, so that it is no longer asked for.

    \b
    Examples:
      bee day 2025-02-20 --source sample --reason "checked by hand" --by ann
      bee day 2025-02-20 --source none --reason "no source has it"
    """
    say(named_days.name_list(ctx.obj, date, source, reason, by))
