"""Kill -9 at random moments over fetch, run, publish, keep and review: nothing that was there may be lost.

`pytest -m faults tests/faults/test_kills.py -s` kills 200 of them. Each round starts a real command in a process of
its own, kills it, and looks: every list that was imported is there, every verdict that was told as written is
there, and the release that a reader gets is the old one or the new one. At the end one run must make what it makes in
a workspace in which nothing was ever killed.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from once import succeed
from sampling import short_and_long
from small import SAMPLE

from pipeline import reader
from pipeline.publishing.release import FILES
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.tables import frames

BEE = [sys.executable, "-m", "pipeline"]


@dataclass
class Round:
    """What a workspace must still contain after every kill."""

    root: Path
    told: set[str] = field(default_factory=set)
    lists: set[tuple[str, str]] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)

    def look(self, step: str) -> None:
        """Compare the files on disk with the expected content."""
        workspace = Workspace(self.root)
        try:
            found = set(registry.load(workspace, "captures").seen)
            self.lost += [f"{step}: list of {source} {date}" for source, date in self.lists - found]
            self.lists |= found
            if (workspace.custom / "SHA256SUMS").exists():
                reader.check({reader.SUMS: b"", **_sealed(workspace.custom)}, workspace.custom, whole=True)
            verdicts = workspace.custom / "verdicts.csv"
            rows = frames.rows(frames.read_csv(verdicts.read_bytes(), verdicts)) if verdicts.exists() else []
            missing = self.told - {row["word"] for row in rows}
            self.lost += [f"{step}: verdict on {word}" for word in missing]
        except Exception as error:  # noqa: BLE001 - whatever cannot be read is lost
            self.lost.append(f"{step}: {type(error).__name__}: {error}")


def _sealed(folder: Path) -> dict[str, bytes]:
    """Read the release like any reader, and return it with its checksums."""
    files = reader.read(folder).files
    return {**files, reader.SUMS: reader.format_checksums(files)}


def choose_command(draw: random.Random, root: Path, number: int) -> tuple[list[str], str]:
    """Choose a command, and the word of its verdict if it writes one."""
    word = "".join(draw.choices("abcdefg", k=7)) + "h"
    days = root.parent / f"days-{number % 14}.txt"
    sheet = root.parent / f"sheet-{number}.csv"
    sheet.write_text(f"word,verdict,reason\n{word},drop,round {number} (in no list)\n")
    keep = ["drop", word, "--force", "--reason", f"round {number}", "--by", "faults"]
    chosen, told = draw.choice(
        [
            (["import", str(days)], ""),
            (["run"], ""),
            (["publish", "--force"], ""),
            (keep, word),
            (["review", "--import", str(sheet), "--by", "faults"], word),
        ]
    )
    return [*BEE, *chosen, "--data", str(root)], told


def prepare(folder: Path, lexicon: Path) -> Path:
    """Make a workspace with a first release, and the days to fetch later."""
    root = folder / "data"
    shutil.copytree(lexicon, root / "raw/lexicon")
    (root / "custom").mkdir()
    rows = SAMPLE.read_text().splitlines()
    dates = sorted({row[:10] for row in rows[1:]})
    for number, date in enumerate(dates):
        (folder / f"days-{number}.txt").write_text(
            "\n".join([rows[0], *(r for r in rows if r.startswith(date))]) + "\n"
        )
    succeed("import", folder / "days-0.txt", "--data", root)
    succeed("run", "--data", root)
    return root


@pytest.mark.slow
@pytest.mark.parametrize("number", short_and_long(2, 200))
def test_killed_at_any_moment_commands_lose_nothing_and_end_with_the_record_of_a_clean_run(
    number, tmp_path, small_lexicon
):
    draw = random.Random(1)
    root = prepare(tmp_path, small_lexicon)
    state = Round(root)
    killed, usual, commands_run = 0, 1.0, 0
    while killed < number:
        commands_run += 1
        command, word = choose_command(draw, root, commands_run)
        started = time.monotonic()
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, said = running.communicate(timeout=draw.uniform(0.02, 1.2) * usual)
            usual = 0.9 * usual + 0.1 * max(0.5, time.monotonic() - started)
            if word and running.returncode == 0 and b"written" in said:
                state.told.add(word)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            killed += 1
            usual = 1.01 * usual
        state.look(" ".join(command[3:5]))
    print(f"{commands_run} commands, {killed} killed, {len(state.told)} verdicts written, {len(state.lost)} losses")
    assert state.lost == []

    clean = tmp_path / "clean"
    shutil.copytree(root / "raw", clean / "raw")
    shutil.copytree(root / "custom", clean / "custom", ignore=shutil.ignore_patterns(*FILES))
    for data in (root, clean):
        for stage in (["merge"], ["flag"], ["diff"], ["check"], ["publish", "--approve"]):
            succeed(*stage, "--data", data)
    assert (clean / "custom/record.csv").read_bytes() == (root / "custom/record.csv").read_bytes()
    assert not [path for path in root.rglob("*.tmp") if path.parent.name in ("build", "custom")]
