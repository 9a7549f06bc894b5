"""The runner: loads the inputs that a stage declares, checks and writes its results, and finds stale stages.

A stage is stale if the content of its inputs or results, or the code of this package, has changed since its last run.
Inputs and results come from the stage's own declaration, so the check always matches what the stage does.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow

from pipeline import reader, store
from pipeline.progress import Track, untracked
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import BeeError

with contextlib.suppress(NotImplementedError):  # if Arrow has this allocator, it returns memory immediately
    pyarrow.set_memory_pool(pyarrow.jemalloc_memory_pool())
    pyarrow.jemalloc_set_decay_ms(0)

Counts = dict[str, int]
"""The numbers that a stage reports, by name."""


class StageError(BeeError):
    """A stage did not make what it declares, or its inputs are out of date."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: its command, a pure function, the names of its results, and the numbers that it reports.

    The function's parameters are names in the registry: the inputs of the stage. Keyword-only parameters are options
    of its command. A stage with `on_fresh` refuses to run if tables are out of date.
    """

    name: str
    work: Callable[..., dict[str, Any]]
    makes: tuple[str, ...]
    counts: Callable[[Mapping[str, Any]], Counts]
    on_fresh: bool = False

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of the inputs."""
        parameters = inspect.signature(self.work).parameters.values()
        return tuple(each.name for each in parameters if each.kind is not each.KEYWORD_ONLY)


def stale(workspace: Workspace, stage: Stage) -> bool:
    """Return whether a stage has to run."""
    made = all(registry.ENTRIES[name].files(workspace) for name in stage.makes)
    last = _state(workspace).get(stage.name)
    return not made or not isinstance(last, dict) or (last.get("read"), last.get("made")) != _now(workspace, stage)


def run(
    workspace: Workspace, stage: Stage, track: Track = untracked, held: dict[str, Any] | None = None, **options: Any
) -> Counts:
    """Run a stage, and save digests of its inputs (taken before the run, as they may change meanwhile) and results.

    `held` has values by name that earlier stages in the same process read or made; the stage adds its own.
    """
    held = {} if held is None else held
    read, _ = _now(workspace, stage)
    held |= {name: registry.load(workspace, name, track) for name in stage.reads if name not in held}
    made = stage.work(**{name: held[name] for name in stage.reads}, **options)
    if set(made) != set(stage.makes):
        raise StageError(f"Stage {stage.name} made {', '.join(sorted(made))}, not {', '.join(sorted(stage.makes))}.")
    for name in stage.makes:
        registry.save(workspace, name, made[name])
        held.pop(name, None)
        pyarrow.default_memory_pool().release_unused()  # return memory that was used temporarily
    held |= {name: made[name] for name in stage.makes if name in registry.TABLES}
    counts = stage.counts(made)
    state = {"read": read, "made": _now(workspace, stage)[1]}
    path = workspace.build / "state.json"
    store.write_bytes(path, json.dumps({**_state(workspace), stage.name: state}, indent=1).encode())
    return counts


def _now(workspace: Workspace, stage: Stage) -> tuple[str, str]:
    """Return digests of a stage's inputs with the code, and of its results; what is both counts as a result."""
    mine = {path for name in stage.makes for path in registry.ENTRIES[name].paths}
    read = [name for name in stage.reads if not mine.intersection(registry.ENTRIES[name].paths)]
    return f"{registry.digest(workspace, read)} {code()}", registry.digest(workspace, stage.makes)


@functools.cache
def code() -> str:
    """Return a digest of the code of this package."""
    here = Path(__file__).parent.parent
    files = {path.relative_to(here).as_posix(): path.read_bytes() for path in sorted(here.rglob("*.py"))}
    return reader.sha256("".join(f"{name} {reader.sha256(data)}\n" for name, data in files.items()).encode())


def _state(workspace: Workspace) -> dict[str, Any]:
    try:
        value = json.loads((workspace.build / "state.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
