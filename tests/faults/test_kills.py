"""Kill -9 at random moments over every command that writes: nothing that was told as done may be lost.

`pytest -m faults tests/faults/test_kills.py -s` kills 200 of them. Each round starts a real command in a process of its
own, kills it, and looks: every list that was imported or fetched is there, every decision that was told as written is
there, every decision that was told as undone is not, and the release that a reader gets is the old one or the new one.
What a killed command left, a decision or none, must stay as it is. Before some rounds `build/` is deleted, so that a
command is also killed while it writes the cache of the lexicon.
At the end one run must make what it makes in a workspace in which nothing was ever killed.
"""

from __future__ import annotations

import functools
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import snapshot
from once import succeed
from pages import nyt_json
from sampling import short_and_long
from server import Site, reply
from small import SAMPLE

from pipeline import reader
from pipeline.facts import by_hand, lexicon_files
from pipeline.fetching import captures
from pipeline.publishing.release_files import FILES
from pipeline.sources import LIVE_SITES, read_capture
from pipeline.store import Workspace

DAYS = tuple(sorted(read_capture(SAMPLE.read_bytes(), SAMPLE.name).days, key=lambda day: day.date))
IMPORTED, FETCHED = DAYS[:10], DAYS[10:]
"""The days that rounds import and fetch; the first one is there from the beginning."""
Decision = tuple[str, str]
"""A decision: its kind, and its word or date."""


@dataclass
class Round:
    """What a workspace must still contain after every kill, and what it must not contain."""

    root: Path
    decided: set[Decision] = field(default_factory=set)
    undone: set[Decision] = field(default_factory=set)
    lists: set[tuple[str, str]] = field(default_factory=set)
    lost: list[str] = field(default_factory=list)

    @property
    def made(self) -> Path:
        """The folder that `bee init` fills again and again."""
        return self.root.parent / "made"

    def look(self, step: str, in_doubt: Decision | None) -> None:
        """Compare the files on disk with the expected content. A killed command leaves one decision in doubt; what is
        on disk now is expected from now on."""
        workspace = Workspace(self.root)
        try:
            on_disk = captures.load(workspace)
            found = set(zip(on_disk["source"], on_disk["date"], strict=True))
            self.lost += [f"{step}: list of {source} {date}" for source, date in self.lists - found]
            self.lists |= found
            for custom in (workspace.custom, self.made / "custom"):
                if (custom / reader.SUMS).exists():
                    reader.check({reader.SUMS: b"", **_sealed(custom)}, custom)
            written = decisions(workspace)
            if in_doubt:
                self.set(in_doubt, in_doubt in written)
            self.lost += [f"{step}: {kind} on {subject} is lost" for kind, subject in self.decided - written]
            self.lost += [f"{step}: {kind} on {subject} is back" for kind, subject in self.undone & written]
        except Exception as error:  # noqa: BLE001 - whatever cannot be read is lost
            self.lost.append(f"{step}: {type(error).__name__}: {error}")

    def set(self, decision: Decision, is_written: bool) -> None:
        """Remember that a decision was told as written, or as undone."""
        expected, others = (self.decided, self.undone) if is_written else (self.undone, self.decided)
        expected.add(decision)
        others.discard(decision)

    def bring(self, source: str, date: str) -> Callable[[], None]:
        """Return what remembers that a list was told as imported or fetched."""
        return lambda: self.lists.add((source, date))

    def start_anew(self) -> None:
        """Check the workspace that `bee init` told as made, and delete it."""
        lexicon = self.made / "raw/lexicon"
        paths = [path for path in lexicon.rglob("*") if path.is_file()]
        files = {path.relative_to(lexicon).as_posix(): path.read_bytes() for path in paths}
        self.lost += [f"init: {name}: {problem}" for name, problem in lexicon_files.changed_files(files)]
        reader.read(self.made / "custom")
        shutil.rmtree(self.made)


def decisions(workspace: Workspace) -> set[Decision]:
    """Read all decisions."""
    found = set()
    for kind, table in by_hand.TABLE_OF_KIND.items():
        path = workspace.root / by_hand.FILES[table].path
        data = path.read_bytes() if path.exists() else b""
        found |= {(kind, row[by_hand.FILES[table].columns[0]]) for row in by_hand.parse(table, data)}
    return found


def _sealed(folder: Path) -> dict[str, bytes]:
    """Read the release like any reader, and return it with its checksums."""
    files = reader.read(folder).files
    return {**files, reader.SUMS: reader.format_checksums(files)}


@dataclass
class Command:
    """The arguments of a command, how often it is chosen, the decision that it writes or undoes, and what else happens
    once it has told that it is done."""

    arguments: list[str]
    often: int = 2
    decision: Decision | None = None
    done: Callable[[], None] = lambda: None

    @property
    def name(self) -> str:
        """The name in the figures."""
        return " ".join(self.arguments[: 1 + (self.arguments[0] == "flag")])


def choose_command(draw: random.Random, state: Round, number: int) -> Command:
    """Choose a command that writes."""
    folder = state.root.parent
    word = "".join(draw.choices("abcdefg", k=7)) + "h"
    why = ["--reason", f"seen in round {number}", "--by", "faults"]
    brought, fetched = draw.choice(IMPORTED).date, draw.choice(FETCHED).date
    graded = draw.choice(sorted({word for day in DAYS for word in day.answers}))
    sheet = folder / f"sheet-{number}.csv"
    sheet.write_text(f"word,verdict,reason\n{graded},drop,seen in round {number}\n")
    verdict = draw.choice(("keep", "drop"))
    kind, subject = draw.choice(sorted(state.decided) or [("verdict", word)])
    first = DAYS[0].date
    commands = [
        Command(["import", str(folder / f"{brought}.txt"), "--as", "lines"], 3, done=state.bring("lines", brought)),
        Command(["fetch", "--source", "nyt", "--since", fetched, "--until", fetched], done=state.bring("nyt", fetched)),
        Command(["run"], 3),
        Command(["merge"]),
        Command(["flag", "--fit"], 1),
        Command(["publish", "--force"]),
        Command([verdict, word, "--force", *why], 3, ("verdict", word)),
        Command(["review", "--import", str(sheet), "--by", "faults"], 2, ("verdict", graded)),
        Command(["grade", graded, "none", *why], 2, ("grade", graded)),
        Command(["day", first, "--source", "lines", *why], 2, ("day", first)),
        Command(["undo", subject, "--kind", kind], 2, (kind, subject)),
        Command(["init", str(state.made)], 1, done=state.start_anew),
    ]
    return draw.choices(commands, [command.often for command in commands])[0]


def prepare(folder: Path, lexicon: Path) -> Path:
    """Make a workspace with a first release, and the days to import later."""
    root = folder / "data"
    shutil.copytree(lexicon, root / "raw/lexicon")
    (root / "custom").mkdir()
    header, *rows = SAMPLE.read_text().splitlines(keepends=True)
    for day in IMPORTED:
        (folder / f"{day.date}.txt").write_text(header + "".join(row for row in rows if row.startswith(day.date)))
    succeed("--data", root, "import", folder / f"{DAYS[0].date}.txt", "--as", "lines")
    succeed("--data", root, "run")
    return root


@pytest.mark.slow
@pytest.mark.parametrize("number", short_and_long(2, 200))
def test_killed_at_any_moment_commands_lose_nothing_and_end_with_the_record_of_a_clean_run(
    number, tmp_path, small_lexicon, site: Site
):
    draw = random.Random(1)
    root = prepare(tmp_path, small_lexicon)
    state = Round(root)
    site.pages |= {LIVE_SITES["nyt"].url_for("", day.date): reply(nyt_json(day)) for day in FETCHED}
    settings = {**os.environ, "BEE_DATA": str(root), "BEE_NYT_URL": site.url, "BEE_DELAY": "0"}
    start = functools.partial(
        subprocess.Popen, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    started: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    usual: dict[str, float] = defaultdict(lambda: 3.0)
    told = 0
    while killed.total() < number:
        command = choose_command(draw, state, started.total())
        name, decision = command.name, command.decision
        in_doubt = decision if name == "undo" or decision not in state.decided else None
        started[name] += 1
        if draw.random() < 0.3:
            shutil.rmtree(root / "build", ignore_errors=True)
        running = start([sys.executable, "-m", "pipeline", *command.arguments])
        begun = time.monotonic()
        try:
            _, said = running.communicate(timeout=draw.uniform(0.1, 1.6) * usual[name])
            usual[name] = 0.9 * usual[name] + 0.1 * max(0.5, time.monotonic() - begun)
            assert "Traceback" not in said, said
            in_doubt = None
            if running.returncode == 0:
                command.done()
                if decision:
                    state.set(decision, name != "undo")
                told += 1
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            killed[name] += 1
            usual[name] *= 1.1
        state.look(" ".join(command.arguments[:3]), in_doubt)
    print(f"{started.total()} commands, {killed.total()} killed: {dict(sorted(killed.items()))}")
    kept = f"{len(state.decided)} decisions, {len(state.undone)} undone or never written, {len(state.lists)} lists"
    print(f"{told} done; expected at the end: {kept}; {len(state.lost)} losses")
    assert state.lost == []

    clean = tmp_path / "clean"
    shutil.copytree(root / "raw", clean / "raw")
    shutil.copytree(root / "custom", clean / "custom", ignore=shutil.ignore_patterns(*FILES))
    for data in (root, clean):
        succeed("--data", data, "run", "--approve")
    assert (clean / "custom/words.csv").read_bytes() == (root / "custom/words.csv").read_bytes()
    assert snapshot(clean / "build/tables").keys() == snapshot(root / "build/tables").keys()
    assert len(list((root / "build").iterdir())) == 2, "the cache of the lexicon and the tables, and nothing unfinished"
    assert not list((root / "custom").glob(".*.tmp"))


def begun_cache(build: Path, cache: Path) -> None:
    """Leave a cache that is not whole."""
    cache.rename(build / f".{cache.name}-1")
    (build / f".{cache.name}-1/words.parquet").unlink()


def deleted_cache(_: Path, cache: Path) -> None:
    """Leave a cache that is half deleted."""
    (cache / "words.parquet").unlink()


def begun_tables(build: Path, _: Path) -> None:
    """Leave new tables that are not whole beside the old ones."""
    (build / ".tables").mkdir()
    (build / ".tables/record.parquet").write_bytes(b"PAR1")


def unmoved_tables(build: Path, _: Path) -> None:
    """Leave new tables that were not moved into place."""
    (build / "tables").rename(build / ".tables")


@pytest.mark.parametrize("kill", [begun_cache, deleted_cache, begun_tables, unmoved_tables])
def test_what_a_killed_run_left_in_build_is_replaced_by_the_next_run(kill, bee, ran):
    build = ran / "build"
    before, (cache,) = snapshot(ran), build.glob("lexicon-*")
    kill(build, cache)
    assert snapshot(ran) != before
    assert bee("--data", ran, "run").code == 0
    assert snapshot(ran) == before
