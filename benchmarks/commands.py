"""Times commands and pipeline runs. The import that a command cannot do without is timed just before it: machines
differ and are shared, so the ratio of the two says more than seconds."""

from __future__ import annotations

import datetime
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from pipeline import reader, store
from pipeline import run as pipeline_run
from pipeline.errors import BeeError
from pipeline.review import queue
from pipeline.store import Workspace

BEE = ("-m", "pipeline")
COMMANDS = ("solve vctaoen", "--help", "why luff", "export", "daily", "review --limit 1 --by ann")
"""The input of a review ends after its first question."""
PANDAS = "pandas, pyarrow"
"""What each pipeline run imports."""
AFTER_A_DAY = "release after a new day"
DECISIONS = 1_000
"""How many verdicts a sheet has."""
OLD = datetime.timedelta(days=400)
"""How old a puzzle must be to be imported again as a new one."""
MEGABYTE = 1e6 if sys.platform == "darwin" else 1e3
"""One megabyte in the unit in which the system reports memory."""


class Timing(NamedTuple):
    """The time of a process, also as a multiple of the time of an import, and its peak memory."""

    seconds: float
    times_import: float
    megabytes: float


def time_commands(workspace: Workspace, turns: int) -> Iterator[tuple[str, Timing]]:
    """Time short commands in a workspace, in turn; yield the name and the timing of each."""
    for command in turns * COMMANDS:
        yield f"bee {command}", time_bee(command.split(), "typer", workspace)


def time_decisions(workspace: Workspace, turns: int) -> Iterator[tuple[str, Timing]]:
    """Time decisions, each turn in a new copy of a workspace; yield the name and the timing of each."""
    reason = ["--reason", "a test of speed", "--by", "ann"]
    for _ in range(turns):
        with tempfile.TemporaryDirectory() as folder:
            root = shutil.copytree(
                workspace.root, Path(folder) / "data", ignore=shutil.ignore_patterns("build", "*.db")
            )
            copy = Workspace(root)
            sheet = Path(folder) / "sheet.csv"
            words = [row["word"] for row in queue.questions(copy)[: DECISIONS + 1]]
            yield "bee keep", time_bee(["keep", words.pop(), *reason], "typer", copy)
            sheet.write_text("\n".join(["word,verdict,reason", *(f"{word},keep,a test of speed" for word in words)]))
            command = ["review", "--import", str(sheet), "--by", "ann"]
            yield f"bee review --import, {len(words):,} verdicts", time_bee(command, "typer", copy)


def time_runs(workspace: Workspace, turns: int) -> Iterator[tuple[str, Timing]]:
    """Time pipeline runs, each turn in a new copy of a workspace; yield the name and the timing of each.

    If no puzzle is old enough, there is no release after a new day.
    """
    for _ in range(turns):
        with tempfile.TemporaryDirectory() as folder:
            root = shutil.copytree(workspace.root, Path(folder) / "data", ignore=shutil.ignore_patterns("build"))
            copy = Workspace(root)
            yield "full rebuild", time_bee(["run"], PANDAS, copy)
            listed = (copy.custom / "wordlist.txt").read_text().split()
            verdicts = store.read_if_exists(copy.custom / "verdicts.csv").decode()
            judged = {line.partition(",")[0] for line in verdicts.splitlines()}
            word = next(word for word in listed[len(listed) // 2 :] if word not in judged)
            run([*BEE, "drop", word, "--reason", "a test of speed", "--by", "a test"], copy)
            yield "release after a verdict", time_release(copy)
            if day := new_day(copy):
                file = Path(folder) / "day.csv"
                file.write_text(day)
                run([*BEE, "import", str(file), "--as", "days"], copy)
                yield AFTER_A_DAY, time_release(copy)


def medians(timings: Iterable[tuple[str, Timing]]) -> dict[str, Timing]:
    """Return the medians of all timings of the same name."""
    timings_of: dict[str, list[Timing]] = {}
    for name, timing in timings:
        timings_of.setdefault(name, []).append(timing)
    return {name: Timing(*map(median, zip(*several, strict=True))) for name, several in timings_of.items()}


def new_day(workspace: Workspace) -> str:
    """Return an old puzzle on disk, in CSV, under the date of the next new day; "" if no puzzle is old enough."""
    days = pipeline_run.days_on_disk(workspace)
    puzzles, answers = days.puzzles, days.answers
    known_dates = {*days.coverage.dates, *puzzles["date"]}
    date = datetime.date.fromisoformat(max(known_dates, default="2018-05-09")) + datetime.timedelta(days=1)
    old_puzzles = puzzles[puzzles["date"] <= str(date - OLD)]
    if old_puzzles.empty:
        return ""
    puzzle = old_puzzles.iloc[-1]
    words = answers["word"][answers["date"] == puzzle["date"]]
    rows = [f"{date},{puzzle['center']},{puzzle['outer']},{word}\n" for word in words]
    return "".join(["date,center,outer,answer\n", *rows])


def time_release(workspace: Workspace) -> Timing:
    """Time a run that makes a release; raise BeeError if it makes none."""
    sums = workspace.custom / reader.SUMS
    before = sums.read_bytes()
    timing = time_bee(["run"], PANDAS, workspace)
    if sums.read_bytes() == before:
        raise BeeError("A run in a copy of the workspace made no release, so its time says nothing.")
    return timing


def time_bee(arguments: list[str], modules: str, workspace: Workspace) -> Timing:
    """Time the import of modules, then `bee` with arguments in a workspace."""
    seconds_of_import, _ = run(["-c", f"import {modules}"], workspace)
    seconds, megabytes = run([*BEE, *arguments], workspace)
    return Timing(seconds, seconds / seconds_of_import, megabytes)


def run(arguments: list[str], workspace: Workspace) -> tuple[float, float]:
    """Run Python with arguments; return its seconds and its peak memory in megabytes. Raises BeeError if it fails."""
    environment = os.environ | {"BEE_DATA": str(workspace.root)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # with it, every start would compile the whole program again
    command = [sys.executable, *arguments]
    started = time.perf_counter()
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BeeError(f"`python {shlex.join(arguments)}` failed in the workspace or a copy of it; run it to see why.")
    return seconds, usage.ru_maxrss / MEGABYTE
