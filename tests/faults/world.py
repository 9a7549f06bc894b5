"""A small world for the ways out: a git repository with a workspace, two live sources, and a clock.

The first release has the real record, reduced to the words of a small lexicon and moved back to end before the days
that the sources have. On `YESTERDAY` all days but the last are counted and committed, and on `TODAY` the last one too.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import past
from pages import nyt_json, nytbee_page
from server import Answer, Site, reply, serving
from small import PROJECT, SAMPLE, small_lexicon

from pipeline.sources import LIVE_SITES, read_capture
from pipeline.sources.day import Day
from pipeline.words import GAME

BEFORE, FIRST, LAST = "2025-02-24", "2025-02-23", "2025-03-05"
"""The last day of the moved record, and the first and the last day that the sources have."""
YESTERDAY, TODAY = "2025-03-06T12:00:00+00:00", "2025-03-07T12:00:00+00:00"
DAYS: dict[str, Day] = {
    day.date: day for day in read_capture(SAMPLE.read_bytes(), SAMPLE.name).days if FIRST <= day.date <= LAST
}
DECISIONS = {
    "days": "2024-06-03,plus,2b28217c2967,a test,ann\n2025-02-20,none,,a test,ann\n",
    "glosses": "thorn,noun,sharp spike of a rose\n",
    "offensive": "arid,none,a test,ann\n",
    "verdicts": "",
}
"""What people decided before the world begins."""
MISSING = reply(b"not here", 404)


@dataclasses.dataclass(frozen=True)
class Done:
    """A command that was run: its exit code and what it printed."""

    code: int
    said: str


@dataclasses.dataclass
class World:
    """A repository on disk, the sources, and the time at which commands run."""

    root: Path
    nyt: Site
    nytbee: Site
    now: str = TODAY

    @property
    def repository(self) -> Path:
        """The folder that a person works in."""
        return self.root / "repository"

    @property
    def data(self) -> Path:
        """The workspace."""
        return self.repository / "data"

    def path(self, name: str) -> Path:
        """Return a file of the workspace."""
        return self.data / name

    def sh(self, command: str, **settings: str) -> Done:
        """Run a command in a shell, as a person does."""
        ours = {"BEE_NYT_URL": self.nyt.url, "BEE_NYTBEE_URL": self.nytbee.url, "BEE_CLOCK": self.now}
        ours |= {"BEE_FREQUENCIES": os.environ["BEE_FREQUENCIES"], "GIT_EDITOR": "true"}
        mine = {**ours, "PATH": f"{self.root}/bin:{os.environ['PATH']}", "HOME": str(self.root), **settings}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("BEE_", "GIT_"))}
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.repository, capture_output=True, text=True, check=False, timeout=300,
            env={**kept, "BEE_DELAY": "0", "BEE_WAIT": "0", "OPENBLAS_NUM_THREADS": "1", "COLUMNS": "200", **mine},
        )  # fmt: skip
        return Done(done.returncode, done.stderr + done.stdout)

    def must(self, *commands: str) -> None:
        """Run commands that must succeed."""
        for command in commands:
            done = self.sh(command)
            assert done.code == 0, f"{command}: {done.said}"

    def commit(self) -> None:
        """Commit what is there."""
        self.must("git add -A", "git commit --quiet --allow-empty -m next")

    def serve(self, until: str = LAST) -> None:
        """Let both sources have their days up to a date."""
        for day in DAYS.values():
            for site, name, page in ((self.nyt, "nyt", nyt_json), (self.nytbee, "nytbee", nytbee_page)):
                site.pages[LIVE_SITES[name].url_for("", day.date)] = reply(page(day)) if day.date <= until else MISSING

    def say(self, nyt: Day | None, nytbee: Day | None) -> None:
        """Let the sources have these versions of the last day; None is no page."""
        self.nyt.pages[LIVE_SITES["nyt"].url_for("", LAST)] = reply(nyt_json(nyt)) if nyt else MISSING
        self.nytbee.pages[LIVE_SITES["nytbee"].url_for("", LAST)] = reply(nytbee_page(nytbee)) if nytbee else MISSING

    def answer(self, source: str, answer: Answer) -> None:
        """Let a source answer everything alike."""
        site = {"nyt": self.nyt, "nytbee": self.nytbee}[source]
        for path in list(site.pages):
            site.pages[path] = answer


def moved(date: str) -> str:
    """Move a date back by as much as the record, at most to the first puzzle."""
    back = datetime.date.fromisoformat(max(past.COVERED)) - datetime.date.fromisoformat(BEFORE)
    return max(str(datetime.date.fromisoformat(date) - back), GAME.first_day)


def settle(world: World, lexicon: Path, decisions: Mapping[str, str]) -> None:
    """Make the repository with a workspace in it, and the program `bee` that obeys the clock of the world.

    `decisions` are the lines of each file of decisions.
    """
    (world.root / "bin").mkdir(parents=True)
    clock = shlex.quote(str(PROJECT / "tests/faults/clock.py"))
    program(world, "bee", f'exec {shlex.quote(sys.executable)} {clock} "$@"')
    world.path("custom").mkdir(parents=True)
    shutil.copytree(lexicon, world.path("raw/lexicon"))
    for name in (".gitignore", ".gitattributes"):
        shutil.copy(PROJECT / name, world.repository)
    past.write_release(world.path("custom"), past.move(past.record_of(lexicon), moved), map(moved, past.COVERED))
    for name, lines in decisions.items():
        header = (PROJECT / f"data/custom/{name}.csv").read_text().partition("\n")[0]
        world.path(f"custom/{name}.csv").write_text(f"{header}\n{lines}")
    world.must("git init --quiet -b main", "git config --global user.name ann", "git config --global gc.auto 0")
    world.must("git config --global user.email ann@example.org", "git config --global pull.rebase false")


def program(world: World, name: str, script: str) -> None:
    """Make a program of the world, a shell script."""
    path = world.root / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def start(root: Path) -> None:
    """Make the world in a folder: `yesterday` and `today`, and the true release of today in `truth`."""
    lexicon = small_lexicon(root / "lexicon")
    with inhabited(root / "today") as world:
        settle(world, lexicon, DECISIONS)
        world.must("bee run", 'bee drop award --reason "hardly used" --force', "bee run", "bee publish --approve")
        for name, now, last in (("yesterday", YESTERDAY, "2025-03-04"), ("today", TODAY, LAST)):
            world.now = now
            world.serve(last)
            world.must("bee run --fetch")
            world.commit()
            if name == "yesterday":
                shutil.copytree(world.root, root / name, symlinks=True)
        shutil.copytree(world.path("custom"), root / "truth")


@contextlib.contextmanager
def inhabited(root: Path) -> Iterator[World]:
    """Run the sources of a world while the block lasts."""
    with serving() as nyt, serving() as nytbee:
        world = World(root, nyt, nytbee)
        world.serve()
        yield world


def cloned(world: World) -> None:
    """Replace the repository by a fresh clone of it."""
    old = world.root / "old"
    world.repository.rename(old)
    subprocess.run(["git", "clone", "--quiet", str(old), str(world.repository)], check=True)


def commands_in(text: str) -> list[str]:
    """Return the commands in backticks, in order; other things in backticks are no commands."""
    return re.findall(r"`((?:bee|git|echo|rm|mv|cp|export) [^`]+)`", text)
