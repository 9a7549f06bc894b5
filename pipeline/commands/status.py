"""`bee status`: shows on one screen what is on disk and what a person needs to do."""

from __future__ import annotations

import typer

from pipeline.commands import command
from pipeline.commands.options import Json
from pipeline.commands.settings import Settings
from pipeline.commands.state import State, states
from pipeline.commands.workspace import open_workspace


@command("bee status", "bee status --json")
def status(settings: Settings, as_json: Json = False) -> None:
    """Show what is on disk, which days the record covers, what is missing, waiting or failing, and what is not applied.

    Exits with code 1 if something needs your attention. Writes nothing and does not use the network.
    """
    with open_workspace(settings, lock=False) as (workspace, _):
        found = {"workspace": State(settings.describe_workspace()), **dict(states(workspace))}
    if as_json:
        texts = {topic: {"says": state.text, "todo": state.todo} for topic, state in found.items()}
        settings.print_json(texts)
    else:
        for topic, state in found.items():
            typer.echo(f"{topic:10} {state.text}")
            if state.todo:
                typer.echo(f"{'':10} -> {state.todo}")
    if any(state.todo for state in found.values()):
        raise typer.Exit(1)
