"""The runner: loads the inputs that a stage declares, checks and writes its results, and finds stale stages.

A stage is stale if the content of its inputs or results, or the code of this package, has changed since its last run.
An input whose content is what the stage itself made in its last run counts as unchanged, so publishing makes nothing
stale. Inputs and results come from the stage's own declaration, so the check always matches what the stage does.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import shlex
import time
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow

from pipeline import reader, store
from pipeline.errors import BeeError, ReleaseError, StoreError
from pipeline.facts import by_hand, decision_files
from pipeline.opinions.model import FIT
from pipeline.progress import Progress, no_progress
from pipeline.publishing.datapackage import inputs_of
from pipeline.publishing.release import FILES
from pipeline.run import registry
from pipeline.run.stages import BY_NAME, STAGES, Counts, Stage
from pipeline.store import Workspace
from pipeline.tables import frames

with contextlib.suppress(NotImplementedError):  # if Arrow has this allocator, it returns memory immediately
    pyarrow.set_memory_pool(pyarrow.jemalloc_memory_pool())
    pyarrow.jemalloc_set_decay_ms(0)


_StageDigests = dict[str, Any]
"""The stored state of a stage: the digests of what it `read` and `made`, by name, and the digest of the `code`."""


def stale(workspace: Workspace, stage: Stage) -> bool:
    """Return whether a stage has to run."""
    if not all(registry.has_files(workspace, name) for name in stage.makes):
        return True
    made = {name: registry.digest(workspace, name) for name in stage.makes}
    read = {name: registry.digest(workspace, name) for name in stage.reads}
    last_run = _read_state(workspace).get(stage.name)
    if not isinstance(last_run, dict) or (last_run.get("code"), last_run.get("made")) != (code_digest(), made):
        return True
    last_read = dict(last_run["read"])
    return any(digest not in (last_read.get(name), *made.values()) for name, digest in read.items())


def stale_before(workspace: Workspace, stage: Stage) -> list[str]:
    """Return the names of the stages before a stage that have to run."""
    return [earlier.name for earlier in STAGES[: STAGES.index(stage)] if stale(workspace, earlier)]


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
    needed: Container[str] = (),
    **options: Any,
) -> Counts:
    """Run a stage, write its results, and store the digests of the inputs that it read and of the results.

    `loaded` has values by name that earlier stages in the same process read or made. To limit memory use, only those
    that are `needed` later stay there, and the stage adds its own.
    """
    loaded = {} if loaded is None else loaded
    for name in stage.reads:
        _load(workspace, name, progress, loaded)
    read = {name: loaded[name].digest for name in stage.reads}
    arguments = stage.arguments({name: loaded[name].value for name in stage.reads})
    if stage is REBUILT and is_rebuilding(workspace):
        options = {"rebuilding": True, **options}
    results = stage.work(**arguments, **options)
    if set(results) != set(stage.makes):
        makes = ", ".join(sorted(stage.makes))
        raise BeeError(f"The stage {stage.name} made {', '.join(sorted(results))} instead of {makes}.")
    del arguments
    for name in [*loaded]:
        if name not in needed:
            del loaded[name]
    digests = {}
    for name in stage.makes:
        digests[name] = registry.save(workspace, name, results[name])
        _return_unused_memory()
    for name in stage.makes:
        if name in registry.TABLES and name in needed:
            loaded[name] = _Loaded(digests[name], results[name])
    state = _read_state(workspace)
    state[stage.name] = {"read": read, "made": digests, "code": code_digest()}
    if options.get("rebuild") or options.get("rebuilding"):
        state[stage.name]["rebuilding"] = True
    _write_state(workspace, state)
    if stage is STAGES[-1]:
        _end_rebuild(workspace)
    return stage.counts(results)


REBUILT = BY_NAME["record"]
"""The stage that `bee merge --rebuild` runs from nothing."""


OF_RELEASE = {"published_record": "record", "published_coverage": "coverage"}
"""The inputs of this stage that come from the last release, each with the result that becomes it."""


def is_rebuilding(workspace: Workspace) -> bool:
    """Return whether a rebuild is not published yet, so that merges start from nothing. It ends with the next release,
    whoever makes it."""
    last_run = _read_state(workspace).get(REBUILT.name)
    if not isinstance(last_run, dict) or not last_run.get("rebuilding"):
        return False
    published = {name: registry.digest(workspace, name) for name in OF_RELEASE}
    is_same_release = published.items() <= last_run["read"].items()
    is_published = all(last_run["made"].get(OF_RELEASE[name]) == digest for name, digest in published.items())
    return is_same_release and not is_published


def _end_rebuild(workspace: Workspace) -> None:
    """After a release, let merges start from it again."""
    state = _read_state(workspace)
    last_run = state.get(REBUILT.name)
    if isinstance(last_run, dict) and last_run.pop("rebuilding", False):
        last_run["read"] |= {name: registry.digest(workspace, name) for name in OF_RELEASE}
        _write_state(workspace, state)


def _return_unused_memory() -> None:
    """Return unused memory to the system: that of Arrow and, on Linux, that of Python and numpy.

    Python and numpy would otherwise keep about 50 MB more.
    """
    pyarrow.default_memory_pool().release_unused()
    with contextlib.suppress(AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _load(workspace: Workspace, name: str, progress: Progress, loaded: dict[str, _Loaded]) -> None:
    """Load a value, unless it is loaded and its files have not changed since.

    The digest is taken first. If a file changes while it is read, the digest is too old, and the stage is stale.
    """
    digest = registry.digest(workspace, name)
    if name not in loaded or loaded[name].digest != digest:
        loaded[name] = _Loaded(digest, registry.load(workspace, name, progress))


@functools.cache
def code_digest() -> str:
    """Return a digest of the code of this package."""
    package = Path(__file__).parent.parent
    files = {path.relative_to(package).as_posix(): path.read_bytes() for path in sorted(package.rglob("*.py"))}
    return reader.sha256("".join(f"{name} {reader.sha256(data)}\n" for name, data in files.items()).encode())


def _read_state(workspace: Workspace) -> dict[str, _StageDigests]:
    """Return the digests of each stage when it last ran; none if the file is missing or damaged."""
    try:
        value = json.loads((workspace.build / "state.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _write_state(workspace: Workspace, state: Mapping[str, _StageDigests]) -> None:
    store.write_bytes(workspace.build / "state.json", json.dumps(state, indent=1).encode())


COMMANDS = {
    "merge": ("lexicon", "grades", "record"),
    "fit": ("lexicon", "grades", "record"),
    "flag": ("relatives", "flags", "estimates", "decisions"),
    "diff": ("diff",),
    "check": ("check",),
    "publish": ("publish",),
}
"""The stages of each command. The last one always runs, the others only if they are stale."""


def require_complete(workspace: Workspace, command: str = "") -> None:
    """Raise StoreError if a merge is not finished, or if a file that the last release was made with is missing.

    Otherwise, a lost file would look like a decision to remove all its content. A fit makes the weights again, so it
    does not need them.
    """
    _require_finished_merge(workspace.custom)
    package = workspace.custom / reader.PACKAGE
    if not package.is_file():
        in_git = f"{workspace.custom.name}/{reader.SUMS}"
        if (workspace.custom / reader.SUMS).is_file() or store.ask_git(workspace.root, "ls-files", "--", in_git):
            raise ReleaseError(f"{package} is missing.")
        if STAGES[-1].name in _read_state(workspace):
            way_back = store.way_back_of_release(workspace.custom)
            begin_anew = f"To begin without a release: `rm -r {shlex.quote(str(workspace.build))}`."
            raise StoreError(f"{package} is missing, and this workspace had a release. {way_back} {begin_anew}")
        return
    made_anew = {reader.MODEL} if command == "fit" else set()
    needed = [workspace.custom / name for name in sorted(inputs_of(package.read_bytes()).keys() - made_anew)]
    sentences = [_lost(path) for path in needed if store.is_missing_or_empty(path)]
    if sentences:
        raise StoreError("\n".join(sentences))


def _lost(path: Path) -> str:
    """Return that a file is lost, how to get it back, and how to go on without it."""
    state = "empty" if path.is_file() else "missing"
    go_on = f"{FIT} makes a new one."
    if path.name != reader.MODEL:
        columns = ",".join(frames.CONTRACTS[by_hand.TABLE_OF_FILE[path.name]].columns)
        go_on = f"To give up all decisions in it: `echo {columns} > {shlex.quote(str(path))}`."
    return f"{path} is {state}, and the release was made with it. {store.way_back(path)} {go_on}"


def _require_finished_merge(custom: Path) -> None:
    """Raise StoreError if git has two versions of a file, because it could not join them."""
    if not any((folder / ".git").exists() for folder in custom.resolve().parents):
        return
    names = store.ask_git(custom, "diff", "--name-only", "--diff-filter=U", "--relative").splitlines()
    made = [name for name in names if name in (*FILES, reader.MODEL)]
    steps = []
    for name in sorted(set(names) - set(made)):
        lines = ", ".join(map(str, decision_files.conflict_lines(store.read_if_exists(custom / name))))
        markers = f", delete the conflict markers (lines {lines})" if lines else ""
        add = shlex.join(["git", "-C", str(custom), "add", name])
        steps.append(f"Choose between the two versions of {name} in an editor{markers}, and add it: `{add}`.")
    if made:
        revision = "MERGE_HEAD" if store.ask_git(custom, "rev-parse", "--verify", "MERGE_HEAD") else "HEAD"
        steps.append(store.way_back_of_release(custom, revision, [reader.MODEL]))
    if names:
        raise StoreError(
            f"A merge is not finished: git has two versions of {', '.join(names)} in {custom}. {' '.join(steps)} Then "
            "run the same command again, add what it makes, and finish the merge or the rebase."
        )


def run_command(workspace: Workspace, command: str, progress: Progress = no_progress, **options: Any) -> Counts:
    """Run the stages of a command and return the counts of the last one.

    Raises BeeError if the last stage needs up-to-date tables and earlier stages are stale.
    """
    require_complete(workspace, command)
    stages = [BY_NAME[name] for name in COMMANDS[command]]
    last = stages[-1]
    for stage in stages[:-1]:
        stage_options = {name: value for name, value in options.items() if name in stage.options and value}
        if stage_options or stale(workspace, stage):
            run_stage(workspace, stage, progress, **stage_options)
    if last.on_fresh:
        stale_names = stale_before(workspace, last)
        if stale_names:
            raise BeeError(f"Not published: {', '.join(stale_names)} must run again first; run `bee run`.")
    return run_stage(workspace, last, progress, **options)


@dataclass(frozen=True, slots=True)
class StageRun:
    """One stage of a run: its name, the seconds it took (None if it was up to date), and its counts."""

    stage: str
    seconds: float | None
    counts: Counts


def run_stale_stages(workspace: Workspace, progress: Progress = no_progress) -> Iterator[StageRun]:
    """Run every stale stage, and yield all stages in order."""
    require_complete(workspace)
    loaded: dict[str, _Loaded] = {}
    for position, stage in enumerate(progress(list(STAGES), "stages")):
        needed_next = {name for following in STAGES[position + 1 : position + 2] for name in following.reads}
        started = time.perf_counter()
        if stale(workspace, stage):
            counts = run_stage(workspace, stage, progress, loaded, needed_next)
            yield StageRun(stage.name, time.perf_counter() - started, counts)
        else:
            yield StageRun(stage.name, None, {})
