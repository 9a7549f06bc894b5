"""`bee status`: what is on disk and what a person needs to do, on one screen."""

from __future__ import annotations

import typer

from pipeline.commands import RUN, Data, Json, at_work, command, remedied, tell


@command(RUN, "bee status", "bee status --json")
def status(
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Show what is on disk, which days the record covers, and what is missing, held, failing or stale.

    Exit code 1 if a person needs to do something. Writes nothing and does not use the network.
    """
    from pipeline.commands import state

    with at_work(data, writes=False) as (workspace, _):
        lines = [state.Line("workspace", str(workspace.root.resolve())), *state.lines(workspace)]
    if as_json:
        tell({line.about: {"says": remedied(line.says), "todo": remedied(line.todo)} for line in lines}, data)
    else:
        for line in lines:
            typer.echo(remedied(f"{line.about:10} {line.says}" + (f"\n{'':10} -> {line.todo}" if line.todo else "")))
    if any(line.todo for line in lines):
        raise typer.Exit(1)
