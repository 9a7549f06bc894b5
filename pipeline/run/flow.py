"""The flow: which stages a command runs, and how all stale stages run in order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from pipeline.progress import Track, untracked
from pipeline.publishing.publish import Refusal
from pipeline.run import runner
from pipeline.run.runner import Counts
from pipeline.run.stages import BY_NAME, STAGES
from pipeline.store import StoreError, Workspace

COMMANDS = {
    "merge": ("lexicon", "facts"),
    "flag": ("relatives", "flags", "estimates", "decisions"),
    "diff": ("diff",),
    "check": ("check",),
    "publish": ("publish",),
}
"""The stages of each command. The last one always runs, the others only if they are stale."""


MADE_WITH = {
    "offensive.csv": ("flags.csv", (b",explicit,", b",crude,")),
    "verdicts.csv": ("words.csv", (b',"keep, says ', b',"drop, says ')),
}
"""Files that people write, each with a file of the release and the marks that it leaves there."""


def complete(workspace: Workspace) -> None:
    """Raise StoreError if a file is gone that the release in this workspace was made with.

    Otherwise, a lost file would look like the decision to remove everything that it says.
    """
    for name, (made, marks) in MADE_WITH.items():
        path = workspace.custom / made
        if (workspace.custom / name).is_file() or not path.is_file():
            continue
        data = path.read_bytes()
        if any(mark in data for mark in marks):
            raise StoreError(
                f"custom/{name} is missing, and the release was made with it. Restore it, for example with git "
                f"checkout. To go on without it, delete custom/{made} as well."
            )


def run(workspace: Workspace, command: str, track: Track = untracked, **options: Any) -> Counts:
    """Run the stages of a command; raises Refusal if its last stage needs fresh tables and earlier stages are stale."""
    complete(workspace)
    *first, last = (BY_NAME[name] for name in COMMANDS[command])
    for stage in first:
        if runner.stale(workspace, stage):
            runner.run(workspace, stage, track)
    before = STAGES[: STAGES.index(last)] if last.on_fresh else ()
    if late := [each.name for each in before if runner.stale(workspace, each)]:
        raise Refusal(f"Not published: {', '.join(late)} would come out differently now; run bee run.")
    return runner.run(workspace, last, track, **options)


def run_stale(workspace: Workspace, track: Track = untracked) -> Iterator[tuple[str, float | None, Counts]]:
    """Run every stale stage in order; yield its name, the seconds it took (None if it was fresh), and its counts."""
    complete(workspace)
    held: dict[str, Any] = {}
    for at, stage in enumerate(track(list(STAGES), "stages")):
        needed = {name for later in STAGES[at:] for name in later.reads}
        held = {name: value for name, value in held.items() if name in needed}
        started = time.perf_counter()
        if runner.stale(workspace, stage):
            counts = runner.run(workspace, stage, track, held=held)
            yield stage.name, time.perf_counter() - started, counts
        else:
            yield stage.name, None, {}
