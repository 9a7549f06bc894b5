"""Times whole runs: `python -m benchmarks.runs --data DIR` prints the first figures in docs/PERFORMANCE.md.

It works in a copy of the workspace. Each run is compared with `python -c "import pandas, pyarrow"` in the same turn,
because machines differ and are shared. The new days repeat old puzzles under later dates.
"""

from __future__ import annotations

import argparse
import datetime
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pipeline import store
from pipeline.errors import BeeError
from pipeline.run import registry
from pipeline.store import Workspace

BEE = [sys.executable, "-m", "pipeline"]
IMPORT = "import pandas, pyarrow"
OLD = 400
"""The puzzles that are repeated are at least so many days old."""


def timed(command: list[str]) -> tuple[float, float]:
    """Run a command; return its seconds and its peak memory in MB."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed.")
    return time.perf_counter() - started, usage.ru_maxrss / 1000


def new_day(workspace: Workspace, number: int) -> bytes:
    """Return an old puzzle as a CSV file with the date `number` days after the last one."""
    puzzles, answers = registry.load(workspace, "puzzles"), registry.load(workspace, "answers")
    if len(puzzles) < OLD + number:
        raise BeeError(f"{workspace.root} has {len(puzzles)} puzzles on disk, but {OLD + number} are needed.")
    old = puzzles.iloc[-OLD - number]
    date = datetime.date.fromisoformat(puzzles["date"].iloc[-1]) + datetime.timedelta(days=1)
    words = answers["word"][answers["date"] == old["date"]]
    rows = [f"{date},{old['center']},{old['outer']},{word}\n" for word in words]
    return "".join(["date,center,outer,answer\n", *rows]).encode()


def turn(workspace: Workspace, number: int) -> dict[str, tuple[float, float]]:
    """Time each kind of run once."""
    data = ["--data", str(workspace.root)]
    found = {IMPORT: timed([sys.executable, "-c", IMPORT])}
    shutil.rmtree(workspace.build)
    found["full rebuild of the tables"] = timed([*BEE, "run", *data])
    listed = (workspace.custom / "wordlist.txt").read_text().split()
    because = ["--reason", "a test of speed", "--by", "a test", "--only", "--force"]
    timed([*BEE, "drop", listed[-1000 - number], *because, *data])
    found["release after a verdict"] = timed([*BEE, "run", *data])
    file = workspace.root / "new.csv"
    file.write_bytes(new_day(workspace, number))
    timed([*BEE, "import", str(file), "--as", "days", *data])
    found["release after a new day"] = timed([*BEE, "run", *data])
    return found


def main(arguments: list[str]) -> None:
    """Print the medians of some turns."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.runs", description="Time whole runs.")
    parser.add_argument("--data", help="the workspace; default data")
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        root = shutil.copytree(store.find_workspace(options.data).root, Path(folder) / "data")
        turns = [turn(Workspace(root), number) for number in range(1, options.turns + 1)]
    seconds_of_import = statistics.median(each.pop(IMPORT)[0] for each in turns)
    print(f"{IMPORT:28} {seconds_of_import:6.2f} s")
    for name in turns[0]:
        seconds, megabytes = (statistics.median(column) for column in zip(*(each[name] for each in turns), strict=True))
        print(f"{name:28} {seconds:6.1f} s {seconds / seconds_of_import:6.1f} times {megabytes:6.0f} MB")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BeeError as error:
        sys.exit(str(error))
