"""The age of a workspace: what a normal day costs after a month, and after years, in memory, time and disk.

`pytest -m faults tests/faults/test_years.py -s` measures it after 1, 7 and 60 months. The workspace starts with the
real lexicon, the real record moved back by five years, and the weights fitted on it. Then it gets generated days from
two sources, as many as a workspace of that age has. More days are added one by one, and `bee run` is measured in a
process of its own, but not on the first of them, which still has work to do for the many days before it. A model that
is fitted on a third of the real record is as large as the real one.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import past
import pytest
from small import PROJECT

from pipeline import reader, solver
from pipeline.fetching import captures, imports
from pipeline.opinions import model as modeling
from pipeline.sources.day import Day
from pipeline.store import Workspace
from pipeline.words import GAME, Puzzle

YEARS = 5
MONTHS = (1, 7, 12 * YEARS)
ADDED_DAYS = 4
"""The days that are added one by one at each age; all but the first are measured."""
MEMORY, DISK = 750, 40
"""At most so many megabytes of memory and of `build/`."""


def moved(date: str) -> str:
    """Move a date back by the years that are to be generated, at most to the first puzzle."""
    day = datetime.date.fromisoformat(date)
    return max(str(day - datetime.timedelta(days=round(365.25 * YEARS))), GAME.first_day)


def prepare(root: Path) -> str:
    """Make a workspace with the real record moved back; return the last day that it covers."""
    (root / "custom").mkdir(parents=True)
    shutil.copytree(PROJECT / "data/raw/lexicon", root / "raw/lexicon")
    covered = {moved(date) for date in past.COVERED}
    past.write_release(root / "custom", past.move(past.record_of(root / "raw/lexicon"), moved), covered)
    model = modeling.decode((PROJECT / "data/custom/model.csv").read_bytes())
    model = modeling.fitted_on(model, len(covered), model.lists)
    (root / "custom/model.csv").write_bytes(modeling.encode(model))
    for name in ("verdicts.csv", "offensive.csv"):
        shutil.copy(PROJECT / "data/custom" / name, root / "custom" / name)
    return max(covered)


def days(after: str, count: int, seed: int = 1) -> list[Day]:
    """Generate days like the official ones: an editor decided on every word once, as likely as the published p says."""
    draw = random.Random(seed)
    rows = reader.read(PROJECT / "data/custom").files["words.csv"]
    p = {row["word"]: float(row["p"]) for row in reader.word_rows(rows)}
    accepted = solver.build_index(word for word in p if draw.random() < p[word])
    whole = sorted(word for word in p if len(set(word)) == GAME.letter_count and p[word] > 0.95 and "s" not in word)
    made: list[Day] = []
    while len(made) < count:
        letters = sorted(set(draw.choice(whole)))
        center = draw.choice(letters)
        puzzle = Puzzle(center, "".join(letters).replace(center, ""))
        answers = solver.solve(accepted, puzzle)
        if 20 <= len(answers) <= 80 and any(len(set(word)) == GAME.letter_count for word in answers):
            date = datetime.date.fromisoformat(after) + datetime.timedelta(days=len(made) + 1)
            made.append(Day(str(date), puzzle, tuple(sorted(answers))))
    return made


def bring(workspace: Workspace, listed: list[Day]) -> None:
    """Store days as captures of two sources, taken five days after each."""
    for source in ("nyt", "nytbee"):
        files = []
        for day in listed:
            taken = datetime.datetime.fromisoformat(f"{day.date}T12:00:00+00:00") + datetime.timedelta(days=5)
            if source == "nyt":
                said = {"printDate": day.date, "centerLetter": day.puzzle.center, "answers": day.answers}
                data = json.dumps({**said, "outerLetters": list(day.puzzle.outer)}).encode()
            else:
                data = f"{day.date} {day.puzzle.center} {day.puzzle.outer}: {' '.join(day.answers)}\n".encode()
            url = f"https://example.org/{source}/{day.date}"
            files.append(captures.Capture(source, f"{day.date}.txt", url, data, taken.isoformat()))
        imports.import_files(workspace, source, files)


def bee(*arguments: str, root: Path) -> str:
    """Run a command in a process of its own; return what it says."""
    command = [sys.executable, "-m", "pipeline", *arguments, "--data", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "BEE_WAIT": "0"})
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def measured_run(root: Path) -> tuple[float, float]:
    """Run `bee run`; return its seconds, and its megabytes at most."""
    started = time.perf_counter()
    output = bee("run", root=root)
    seconds = time.perf_counter() - started
    (megabytes,) = re.findall(r"(\d+) MB peak memory", output)
    return seconds, float(megabytes)


@pytest.mark.faults
def test_a_normal_day_costs_the_same_after_years(tmp_path):
    workspace = Workspace(tmp_path / "data")
    last = prepare(workspace.root)
    listed = days(last, round(365.25 / 12 * max(MONTHS)) + ADDED_DAYS * len(MONTHS))
    at = 0
    for number, age in enumerate(MONTHS):
        until = round(365.25 / 12 * age) + ADDED_DAYS * number
        bring(workspace, listed[at:until])
        bee("merge", root=workspace.root)
        bee("flag", root=workspace.root)
        bee("diff", root=workspace.root)
        bee("check", root=workspace.root)
        bee("publish", "--approve", root=workspace.root)  # months at once change more words than one day may
        at = until + ADDED_DAYS
        bring(workspace, listed[until : until + 1])
        bee("run", root=workspace.root)
        costs = []
        for day in listed[until + 1 : at]:
            bring(workspace, [day])
            costs.append(measured_run(workspace.root))
        seconds, megabytes = (sorted(part)[1] for part in zip(*costs, strict=True))
        size = sum(path.stat().st_size for path in workspace.build.rglob("*") if path.is_file()) / 1e6
        number_of_captures = sum(captures.numbers(workspace).values())
        print(f"{age} months, {number_of_captures} captures: {seconds:.1f} s, {megabytes:.0f} MB, build/ {size:.0f} MB")
        assert megabytes <= MEMORY
        assert size <= DISK
