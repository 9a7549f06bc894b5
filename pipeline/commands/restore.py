"""The command `bee restore`: restores lost files and damaged releases, and never loses a decision."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline import reader
from pipeline.commands import RUN, command
from pipeline.commands.settings import Settings
from pipeline.errors import Command, Message
from pipeline.words import count


@command(RUN, "bee restore", "bee restore --only model.csv")
def restore(
    settings: Settings,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FROM",
            help="A folder, an archive or a git revision with a release. Default: the last commit whose release passes "
            "verification, or else the release that came with the program.",
        ),
    ] = "",
    only: Annotated[str, typer.Option(help="Restore only this file, even if it exists.")] = "",
    force: Annotated[
        bool, typer.Option("--force", help="With --only: discard decisions that are not committed.")
    ] = False,
) -> None:
    """Restore lost files and a damaged release from one that passes verification.

    Existing decision files are not changed, and lost ones are restored from the last commit. A damaged release is
    restored as a whole. During an unfinished merge, the release comes from one side, and the decisions of both sides
    are kept.
    """
    from pipeline import git, store
    from pipeline.commands import recovery
    from pipeline.run import registry, runner

    workspace = settings.find_workspace()
    custom = workspace.custom
    with settings.lock(workspace, repair=False):
        if source:
            origin = recovery.verified_origin(source, custom)
        else:
            origin = recovery.last_that_verifies(custom, settings.say)
        merge = git.unfinished_merge(custom)
        if only:
            files = recovery.single_file(custom, origin, only, merge, force)
        else:
            files = recovery.release_and_lost_files(custom, origin, bool(merge)) | recovery.joined_decisions(
                custom, merge
            )
        if reader.SUMS in files:
            store.delete_replacement(custom)
        written = [name for name in sorted(files) if store.write_bytes(custom / name, files[name])]
        restored = ", ".join(written) or "nothing, because all files already match"
        settings.say(f"Restored from {origin.name}: {restored}.")
        for sentence in recovery.unreadable_lines(custom, files):
            settings.say(sentence)
        runner.end_rebuild(workspace)
        covered = registry.load(workspace, "published_coverage").dates
        merge = git.unfinished_merge(custom)  # what finishes it may have changed
    next_step = Message(Command("run"), " continues from there")
    if merge:
        next_step = Message(runner.how_to_finish(workspace, merge), ", then ", Command("run"))
    settings.say(
        f"The record covers {count(len(covered), 'day')} up to {max(covered, default='none')}; ", next_step, "."
    )
