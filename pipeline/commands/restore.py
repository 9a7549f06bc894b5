"""The command `bee restore`: brings back the record, lost files and damaged releases, and never loses a decision."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline import reader
from pipeline.commands import RUN, command
from pipeline.commands.settings import Settings
from pipeline.errors import Command, Message
from pipeline.words import count


@command(RUN, "bee restore", "bee restore --only track.csv")
def restore(
    settings: Settings,
    source: Annotated[
        str,
        typer.Argument(
            metavar="FROM",
            help="A folder, an archive or a git revision with a release; default the last commit that verifies, else "
            "the release that came with the program.",
        ),
    ] = "",
    only: Annotated[str, typer.Option(help="Take this file only, also if there is another one.")] = "",
    force: Annotated[bool, typer.Option("--force", help="With --only: drop decisions that no commit has.")] = False,
) -> None:
    """Bring back the record, the track record and lost files from a release that verifies.

    Decisions of people that are there stay as they are, and lost ones come from the last commit. A release that is
    damaged is brought back as a whole. In a merge that is not finished, release and record are those of one side, and
    the decisions those of both.
    """
    from pipeline import git, store
    from pipeline.commands import recovery
    from pipeline.publishing.verify import TRACK
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
            files = recovery.record_and_release(custom, origin, bool(merge)) | recovery.joined_decisions(custom, merge)
        if reader.SUMS in files:
            store.delete_replacement(custom)
        written = [name for name in sorted(files) if store.write_bytes(custom / name, files[name])]
        settings.say(f"From {origin.name}: {', '.join(written) or 'nothing; all files were as they are there'}.")
        for sentence in recovery.unreadable_lines(custom, files):
            settings.say(sentence)
        if TRACK in files:
            runner.accept_track_record(workspace)
        covered = registry.load(workspace, "settled").covered
        merge = git.unfinished_merge(custom)  # what finishes it may have changed
    next_step = Message(Command("run"), " goes on from there")
    if merge:
        next_step = Message(runner.how_to_finish(workspace, merge), ", then ", Command("run"))
    settings.say(
        f"The record covers {count(len(covered), 'day')} up to {max(covered, default='none')}; ", next_step, "."
    )
