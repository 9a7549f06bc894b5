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
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow

from pipeline import git, reader, store
from pipeline.facts import decision_files
from pipeline.progress import Track, untracked
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
    if not all(registry.there(workspace, name) for name in stage.makes):
        return True
    read, made = ({name: registry.digest(workspace, name) for name in names} for names in (stage.reads, stage.makes))
    return bool(_state(workspace).get(stage.name) != _digests(stage, read, made))


def late(workspace: Workspace, last: Stage) -> list[str]:
    """Name the stages before a stage that have to run."""
    return [stage.name for stage in STAGES[: STAGES.index(last)] if stale(workspace, stage)]


class _Held(NamedTuple):
    """A value, and the digest of the files that it was decoded from or written to."""

    digest: str
    value: Any


def run_stage(
    workspace: Workspace, stage: Stage, track: Track = untracked, held: dict[str, _Held] | None = None, **options: Any
) -> Counts:
    """Run a stage, and store the digests of the values that it got and made, whatever was edited meanwhile.

    `held` has values by name that earlier stages in the same process read or made; the stage adds its own.
    """
    held = {} if held is None else held
    for name in stage.reads:
        _hold(workspace, name, track, held)
    got = {name: held[name] for name in stage.reads}
    made = stage.work(**{name: kept.value for name, kept in got.items()}, **options)
    if set(made) != set(stage.makes):
        raise StageError(f"Stage {stage.name} made {', '.join(sorted(made))}, not {', '.join(sorted(stage.makes))}.")
    written = {}
    for name in stage.makes:
        written[name] = registry.save(workspace, name, made[name])
        held.pop(name, None)
        pyarrow.default_memory_pool().release_unused()  # return memory that was used temporarily
    held |= {name: _Held(written[name], made[name]) for name in stage.makes if name in registry.TABLES}
    counts = stage.counts(made)
    state = _digests(stage, {name: kept.digest for name, kept in got.items()}, written)
    path = workspace.build / "state.json"
    store.write_bytes(path, json.dumps({**_state(workspace), stage.name: state}, indent=1).encode())
    return counts


def _hold(workspace: Workspace, name: str, track: Track, held: dict[str, _Held]) -> None:
    """Load a value, unless it is held and its files have not changed since.

    The digest is taken first. If a file changes while it is read, the digest is too old, and the stage is stale.
    """
    now = registry.digest(workspace, name)
    if name not in held or held[name].digest != now:
        held[name] = _Held(now, registry.load(workspace, name, track))


def _digests(stage: Stage, read: Mapping[str, str], made: Mapping[str, str]) -> dict[str, Any]:
    """Return what `stale` compares: the digests of inputs and results by name, and that of the code; what is both
    counts as a result."""
    mine = {path for name in stage.makes for path in registry.ENTRIES[name].paths}
    entries = {name: registry.ENTRIES[name] for name in stage.reads}
    inputs = {name: read[name] for name, entry in entries.items() if not (entry.aside or mine & set(entry.paths))}
    return {"read": inputs, "made": dict(made), "code": code()}


@functools.cache
def code() -> str:
    """Return a digest of the code of this package."""
    here = Path(__file__).parent.parent
    files = {path.relative_to(here).as_posix(): path.read_bytes() for path in sorted(here.rglob("*.py"))}
    return reader.sha256("".join(f"{name} {reader.sha256(data)}\n" for name, data in files.items()).encode())


def restored(workspace: Workspace) -> None:
    """Take the track record as it is for the one that the last merge left."""
    state = _state(workspace)
    state.setdefault("record", {}).setdefault("made", {})["track"] = registry.digest(workspace, "track")
    store.write_bytes(workspace.build / "state.json", json.dumps(state, indent=1).encode())


def _state(workspace: Workspace) -> dict[str, Any]:
    try:
        value = json.loads((workspace.build / "state.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


COMMANDS = {
    "merge": ("lexicon", "facts", "record"),
    "fit": ("lexicon", "facts", "record"),
    "flag": ("relatives", "flags", "estimates", "decisions"),
    "diff": ("diff",),
    "check": ("check",),
    "publish": ("publish",),
}
"""The stages of each command. The last one always runs, the others only if they are stale."""


def complete(workspace: Workspace, command: str = "", rebuild: bool = False) -> None:
    """Raise StoreError if a file is gone that the release in this workspace was made with, or if the track record is
    not as the last merge or the release left it.

    Otherwise, a lost file would look like the decision to remove everything that it says. `bee fit` and a rebuild make
    some of these files anew.
    """
    require_finished_merge(workspace)
    described = workspace.custom / reader.PACKAGE
    if not described.is_file():
        if (workspace.custom / reader.SUMS).is_file():
            raise StoreError(f"{described} is missing. {MISSING}")
        return
    anew = {MODEL} if command == "fit" else {RECORD, TRACK} if rebuild else set()
    made_with = needed(described.read_bytes())
    gone = sorted(name for name in made_with.keys() - anew if store.is_lost(workspace.custom / name))
    if gone:
        names = ", ".join(f"custom/{name}" for name in gone)
        state = "empty" if all((workspace.custom / name).is_file() for name in gone) else "missing"
        columns = ",".join(frames.CONTRACTS[gone[0].partition(".")[0]].columns)
        nothing = f" If nothing in it shall count any more: `echo {columns} > {workspace.custom / gone[0]}`."
        go_on = {RECORD: "", TRACK: "", MODEL: " `bee fit` makes a new one."}.get(gone[0], nothing)
        raise StoreError(
            f"The release was made with {names}, which {'are' if len(gone) > 1 else 'is'} {state}. {MISSING}{go_on}"
        )
    if (track := made_with.get(TRACK)) and not rebuild:
        last = _state(workspace).get("record", {}).get("made", {}).get("track")
        data = (workspace.custom / TRACK).read_bytes()
        if track["hash"] != f"sha256:{reader.sha256(data)}" and last != registry.digest(workspace, "track"):
            raise StoreError(f"custom/{TRACK} is not as the last merge or the release left it. {MISSING}")


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


def run_command(workspace: Workspace, command: str, track: Track = untracked, **options: Any) -> Counts:
    """Run the stages of a command; raises Refusal if its last stage needs fresh tables and earlier stages are stale."""
    complete(workspace, command, rebuild=bool(options.get("rebuild")))
    *first, last = (BY_NAME[name] for name in COMMANDS[command])
    for stage in first:
        if stale(workspace, stage):
            run_stage(workspace, stage, track)
    if last.on_fresh and (before := late(workspace, last)):
        raise Refusal(f"Not published: {', '.join(before)} would come out differently now; run `bee run`.")
    return run_stage(workspace, last, track, **options)


def run_stale(workspace: Workspace, track: Track = untracked) -> Iterator[tuple[str, float | None, Counts]]:
    """Run every stale stage in order; yield its name, the seconds it took (None if it was fresh), and its counts."""
    complete(workspace)
    held: dict[str, _Held] = {}
    for at, stage in enumerate(track(list(STAGES), "stages")):
        needed = {name for later in STAGES[at:] for name in later.reads}
        held = {name: value for name, value in held.items() if name in needed}
        started = time.perf_counter()
        if stale(workspace, stage):
            counts = run_stage(workspace, stage, track, held=held)
            yield stage.name, time.perf_counter() - started, counts
        else:
            yield stage.name, None, {}
