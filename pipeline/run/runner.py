"""The runner: loads the inputs that a stage declares, checks and writes its results, and finds stale stages.

A stage is stale if the content of its inputs or results, or the code of this package, has changed since its last run.
Inputs and results come from the stage's own declaration, so the check always matches what the stage does.
"""

from __future__ import annotations

import contextlib
import functools
import json
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow

from pipeline import git, reader, store
from pipeline.facts import decision_files
from pipeline.progress import Progress, no_progress
from pipeline.publishing.verify import MISSING, MODEL, RECORD, TRACK, Refusal, needed
from pipeline.run import registry
from pipeline.run.stages import BY_NAME, STAGES, Counts, Stage
from pipeline.store import StoreError, Workspace
from pipeline.tables import frames
from pipeline.words import BeeError

with contextlib.suppress(NotImplementedError):  # if Arrow has this allocator, it returns memory immediately
    pyarrow.set_memory_pool(pyarrow.jemalloc_memory_pool())
    pyarrow.jemalloc_set_decay_ms(0)


class StageError(BeeError):
    """A stage did not make what it declares, or its inputs are out of date."""


def stale(workspace: Workspace, stage: Stage) -> bool:
    """Return whether a stage has to run."""
    if not all(registry.has_files(workspace, name) for name in stage.makes):
        return True
    read = {name: registry.digest(workspace, name) for name in stage.reads}
    made = {name: registry.digest(workspace, name) for name in stage.makes}
    if _state(workspace).get(stage.name) != _digests(stage, read, made):
        return True
    return any(stale(workspace, later) for later in _stages_that_feed_back(stage))


def _stages_that_feed_back(stage: Stage) -> list[Stage]:
    """Return the later stages that make what a stage reads: it has the result of their last run, so it runs when they
    run."""
    reads = [name for name in stage.reads if not registry.ENTRIES[name].only_guards]
    return [later for later in _later_stages(stage) if _paths(later.makes) & _paths(reads)]


def _later_stages(stage: Stage) -> tuple[Stage, ...]:
    names = [each.name for each in STAGES]
    return STAGES[names.index(stage.name) + 1 :]


def _paths(names: Iterable[str]) -> set[str]:
    """Return the paths of tables and files."""
    return {path for name in names for path in registry.ENTRIES[name].paths}


def stale_before(workspace: Workspace, last: Stage) -> list[str]:
    """Name the stages before a stage that have to run."""
    return [stage.name for stage in STAGES[: STAGES.index(last)] if stale(workspace, stage)]


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A value, and the digest of the files that it was decoded from or written to."""

    digest: str
    value: Any


def run_stage(
    workspace: Workspace,
    stage: Stage,
    progress: Progress = no_progress,
    loaded: dict[str, _Loaded] | None = None,
    **options: Any,
) -> Counts:
    """Run a stage, and store the digests of the values that it got and made, whatever was edited meanwhile.

    `loaded` has values by name that earlier stages in the same process read or made; the stage adds its own.
    """
    loaded = {} if loaded is None else loaded
    for name in stage.reads:
        _load(workspace, name, progress, loaded)
    inputs = {name: loaded[name] for name in stage.reads}
    arguments = stage.arguments({name: each.value for name, each in inputs.items()})
    made = stage.work(**arguments, **options)
    if set(made) != set(stage.makes):
        raise StageError(f"Stage {stage.name} made {', '.join(sorted(made))}, not {', '.join(sorted(stage.makes))}.")
    del arguments
    written = {}
    for name in stage.makes:
        written[name] = registry.save(workspace, name, made[name])
        loaded.pop(name, None)
        pyarrow.default_memory_pool().release_unused()  # return memory that was used temporarily
    for name in stage.makes:
        if name in registry.TABLES:
            loaded[name] = _Loaded(written[name], made[name])
    state = _digests(stage, {name: each.digest for name, each in inputs.items()}, written)
    _write_state(workspace, {**_state(workspace), stage.name: state})
    return stage.counts(made)


def _load(workspace: Workspace, name: str, progress: Progress, loaded: dict[str, _Loaded]) -> None:
    """Load a value, unless it is loaded and its files have not changed since.

    The digest is taken first. If a file changes while it is read, the digest is too old, and the stage is stale.
    """
    digest = registry.digest(workspace, name)
    if name not in loaded or loaded[name].digest != digest:
        loaded[name] = _Loaded(digest, registry.load(workspace, name, progress))


def _digests(stage: Stage, read: Mapping[str, str], made: Mapping[str, str]) -> dict[str, Any]:
    """Return what `stale` compares: the digests of inputs and results by name, and that of the code.

    What this stage or a later one makes is no input here: the next run reads what this one made.
    """
    fed_back = _paths(stage.makes)
    for later in _stages_that_feed_back(stage):
        fed_back |= _paths(later.makes)
    inputs = {}
    for name in stage.reads:
        entry = registry.ENTRIES[name]
        if not entry.only_guards and not fed_back.intersection(entry.paths):
            inputs[name] = read[name]
    return {"read": inputs, "made": dict(made), "code": code_digest()}


@functools.cache
def code_digest() -> str:
    """Return a digest of the code of this package."""
    here = Path(__file__).parent.parent
    files = {path.relative_to(here).as_posix(): path.read_bytes() for path in sorted(here.rglob("*.py"))}
    return reader.sha256("".join(f"{name} {reader.sha256(data)}\n" for name, data in files.items()).encode())


def accept_track_record(workspace: Workspace) -> None:
    """Take the track record as it is for the one that the last merge left."""
    state = _state(workspace)
    state.setdefault("record", {}).setdefault("made", {})["track"] = registry.digest(workspace, "track")
    _write_state(workspace, state)


def _state(workspace: Workspace) -> dict[str, Any]:
    try:
        value = json.loads((workspace.build / "state.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _write_state(workspace: Workspace, state: Mapping[str, Any]) -> None:
    store.write_bytes(workspace.build / "state.json", json.dumps(state, indent=1).encode())


COMMANDS = {
    "merge": ("lexicon", "facts", "trials", "record"),
    "fit": ("lexicon", "facts", "trials", "record"),
    "flag": ("relatives", "flags", "glosses", "estimates", "decisions"),
    "diff": ("diff",),
    "check": ("check",),
    "publish": ("publish",),
}
"""The stages of each command. The last one always runs, the others only if they are stale."""


def require_complete(workspace: Workspace, command: str = "", rebuild: bool = False) -> None:
    """Raise StoreError if a file is missing that the release in this workspace was made with, or if the track record is
    not as the last merge or the release left it.

    Otherwise, a lost file would look like the decision to remove everything that it says. `bee fit` and a rebuild make
    some of these files anew.
    """
    require_finished_merge(workspace)
    package = workspace.custom / reader.PACKAGE
    if not package.is_file():
        if (workspace.custom / reader.SUMS).is_file():
            raise StoreError(f"{package} is missing. {MISSING}")
        return
    made_with = needed(package.read_bytes())
    made_anew = set()
    if command == "fit":
        made_anew = {MODEL}
    elif rebuild:
        made_anew = {RECORD, TRACK}
    lost = sorted(name for name in made_with.keys() - made_anew if store.is_missing_or_empty(workspace.custom / name))
    if lost:
        raise StoreError(_explain_lost(workspace, lost))
    if TRACK in made_with and not rebuild:
        track_of_release = made_with[TRACK]["hash"]
        track_of_last_merge = _state(workspace).get("record", {}).get("made", {}).get("track")
        data = (workspace.custom / TRACK).read_bytes()
        is_of_release = track_of_release == f"sha256:{reader.sha256(data)}"
        if not is_of_release and track_of_last_merge != registry.digest(workspace, "track"):
            raise StoreError(f"custom/{TRACK} is not as the last merge or the release left it. {MISSING}")


def _explain_lost(workspace: Workspace, lost: list[str]) -> str:
    """Name the lost files of a release, and the commands that bring them back or go on without the first of them."""
    names = ", ".join(f"custom/{name}" for name in lost)
    verb = "are" if len(lost) > 1 else "is"
    state = "empty" if all((workspace.custom / name).is_file() for name in lost) else "missing"
    first = lost[0]
    if first in (RECORD, TRACK):
        go_on = ""
    elif first == MODEL:
        go_on = " `bee fit` makes a new one."
    else:
        columns = ",".join(frames.CONTRACTS[first.partition(".")[0]].columns)
        go_on = f" If nothing in it shall count any more: `echo {columns} > {workspace.custom / first}`."
    return f"The release was made with {names}, which {verb} {state}. {MISSING}{go_on}"


def require_finished_merge(workspace: Workspace) -> None:
    """Raise StoreError if a merge is not finished: git says so, or a file has the marks of a conflict.

    The message names the files, and the commands that finish it and lose no decision.
    """
    custom = workspace.custom
    merge = git.unfinished_merge(custom)
    marked = [
        path for path in sorted(custom.glob("*")) if path.is_file() and decision_files.conflict_lines(path.read_bytes())
    ]
    named = ", ".join(map(str, marked))
    if merge and marked:
        raise StoreError(
            f"A {merge.name} is not finished: the versions of both sides are in {named}. `bee restore` takes the "
            "release and the record of one side, and the decisions of both."
        )
    if marked:
        raise StoreError(f"{named}: marks of a conflict are left. `bee restore` keeps the decisions of both sides.")
    if merge:
        raise StoreError(f"A {merge.name} is not finished. {how_to_finish(workspace, merge)}.")


def how_to_finish(workspace: Workspace, merge: git.UnfinishedMerge) -> str:
    """Say how to finish a merge, after the conflicts in the workspace are gone."""
    here = Path.cwd().resolve().is_relative_to(merge.top.resolve())
    begin = "git" if here else f"git -C {shlex.quote(str(merge.top))}"
    custom = workspace.custom if here else workspace.custom.resolve()
    finish = merge.finish.replace("git", begin, 1)
    inside = workspace.custom.resolve()
    elsewhere = [name for name in merge.unmerged if not (merge.top / name).resolve().is_relative_to(inside)]
    also = f"Correct {', '.join(elsewhere)} and add them with git. " if elsewhere else ""
    return f"{also}`{begin} add {shlex.quote(str(custom))}` and then `{finish}` finish the {merge.name}"


def run_command(workspace: Workspace, command: str, progress: Progress = no_progress, **options: Any) -> Counts:
    """Run the stages of a command; raises Refusal if its last stage needs fresh tables and earlier stages are stale."""
    require_complete(workspace, command, rebuild=bool(options.get("rebuild")))
    stages = [BY_NAME[name] for name in COMMANDS[command]]
    last = stages[-1]
    for stage in stages[:-1]:
        stage_options = {name: value for name, value in options.items() if name in stage.options and value}
        if stage_options or stale(workspace, stage):
            run_stage(workspace, stage, progress, **stage_options)
    if last.on_fresh:
        stale_names = stale_before(workspace, last)
        if stale_names:
            raise Refusal(f"Not published: {', '.join(stale_names)} would come out differently now; run `bee run`.")
    return run_stage(workspace, last, progress, **options)


@dataclass(frozen=True, slots=True)
class Run:
    """One stage of a run: its name, the seconds it took (None if it was up to date), and its counts."""

    stage: str
    seconds: float | None
    counts: Counts


def run_stale_stages(workspace: Workspace, progress: Progress = no_progress) -> Iterator[Run]:
    """Run every stale stage in order; yield each stage."""
    require_complete(workspace)
    loaded: dict[str, _Loaded] = {}
    for place, stage in enumerate(progress(list(STAGES), "stages")):
        needed_later = {name for later in STAGES[place:] for name in later.reads}
        loaded = {name: value for name, value in loaded.items() if name in needed_later}
        started = time.perf_counter()
        if stale(workspace, stage):
            counts = run_stage(workspace, stage, progress, loaded=loaded)
            yield Run(stage.name, time.perf_counter() - started, counts)
        else:
            yield Run(stage.name, None, {})
