"""Shared fixtures: the command line as users run it, and a small real workspace."""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import needs
import pytest
import small
import typer.main
from frequencies import remembered
from hypothesis import settings
from once import made_once, succeed
from server import Site, serving

from pipeline import cli, reader, solver
from pipeline.facts import lexicon
from pipeline.fetching import imports
from pipeline.fetching.captures import Capture
from pipeline.publishing.datapackage import MADE_WITH
from pipeline.sources import read_capture
from pipeline.store import Workspace
from pipeline.words import LISTED, Puzzle

pytest_plugins = ("browsing",)
"""Fixtures of a browser and the site that it opens."""

gc.set_threshold(100_000, 50, 100)
"""Looking for cycles among many objects as often as usual would take a tenth of the time."""
settings.register_profile("bee", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile("bee")
"""On a busy machine tests are sometimes slow, so no test asserts a time. `make quick` tries fewer examples."""

PROJECT = Path(__file__).parent.parent
SAMPLE = PROJECT / "data/raw/sample/two-weeks.csv"


@functools.cache
def command_line(app: typer.Typer) -> Callable[..., Any]:
    """Typer's command line of an app, which Typer makes for every call, in 40 ms."""
    return typer.main.get_command(app)


def called(app: typer.Typer, *arguments: Any, **options: Any) -> Any:
    """Call an app as Typer does, but make its command line only once."""
    return command_line(app)(*arguments, **options)


typer.Typer.__call__ = called


SLOW_FIXTURES = {"browser", "dist", "folder", "installed", "real_run", "shared", "whole_site"}
"""Fixtures that need a browser, a wheel, the whole lexicon or the archive. `make quick` leaves their tests out, and all
tests that are marked `slow`."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make quick` leaves out, and start with the modules that have them, as they take longest."""
    for item in items:
        if SLOW_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test if what it needs is not on this machine."""
    for marker in item.iter_markers("needs"):
        needs.require(*marker.args)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    """Say at the end, in one line, which kinds of tests were skipped, and what installs what they lack."""
    yield
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
    if reasons:
        terminalreporter.write_line(needs.sum_of_skips(reasons))


@dataclass(frozen=True)
class Result:
    """The result of a command: exit code, stdout, stderr."""

    code: int
    out: str
    err: str


Bee = Callable[..., Result]


@pytest.fixture
def bee(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Bee:
    """Run `bee` with arguments."""
    monkeypatch.delenv("BEE_DATA", raising=False)

    def run(*arguments: object) -> Result:
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            cli.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        code = stop.value.code
        return Result(code if isinstance(code, int) else int(code is not None), out, err)

    return run


@pytest.fixture
def site() -> Iterator[Site]:
    """A local site that has no page yet."""
    with serving() as site:
        yield site


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace with nothing in it."""
    return Workspace(tmp_path)


@pytest.fixture(scope="session")
def sample_days():
    """The two weeks of official answers that come with the project."""
    return read_capture(SAMPLE.read_bytes(), SAMPLE.name).days


@pytest.fixture(scope="session")
def small_lexicon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real lexicon, reduced to the words that are possible in a puzzle of the sample, so that a run takes a
    second."""
    return made_once(tmp_path_factory, "small-lexicon", small.small_lexicon)


@pytest.fixture
def data(tmp_path: Path, small_lexicon: Path) -> Path:
    """A workspace with the small lexicon and nothing else."""
    root = tmp_path / "data"
    shutil.copytree(small_lexicon, root / "raw/lexicon")
    (root / "custom").mkdir()
    return root


@pytest.fixture(scope="session", autouse=True)
def frequencies_read_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder in which all workers, and commands in processes of their own, keep the frequencies of words."""
    folder = made_once(tmp_path_factory, "frequencies", lambda _: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexicon, "read_frequencies", remembered(lexicon.read_frequencies, folder))
        patch.setenv("BEE_FREQUENCIES", str(folder))
        yield folder


@pytest.fixture(scope="session")
def ran_once(tmp_path_factory: pytest.TempPathFactory, small_lexicon: Path) -> Path:
    """A workspace on which `bee run` ran on the sample; tests that only read use it, others get copies (`ran`)."""

    def make(folder: Path) -> None:
        shutil.copytree(small_lexicon, folder / "raw/lexicon")
        (folder / "custom").mkdir()
        succeed("--data", folder, "import", SAMPLE, "--as", "table")
        succeed("--data", folder, "run")

    return made_once(tmp_path_factory, "run-of-the-sample", make)


def copy_of_the_project(target: Path) -> Path:
    """Copy the data that a fresh clone has."""
    for name in ("raw/lexicon", "raw/sample", "custom"):
        shutil.copytree(PROJECT / "data" / name, target / name)
    return target


@pytest.fixture(scope="session")
def real_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the data of a fresh clone on which `bee run` ran; only read it."""

    def make(folder: Path) -> None:
        copy_of_the_project(folder)
        succeed("--quiet", "--data", folder, "run")

    return made_once(tmp_path_factory, "run-of-the-checkout", make)


@pytest.fixture(scope="session")
def own_puzzles(tmp_path_factory: pytest.TempPathFactory, real_run: Path) -> list[dict[str, Any]]:
    """Every puzzle of our own, as the command prints it, with its answers."""

    def make(folder: Path) -> None:
        command = [sys.executable, "-m", "pipeline", "--data", str(real_run), *"puzzles --own --limit 0".split()]
        with (folder / "puzzles.csv").open("w") as file:
            subprocess.run(command, cwd=PROJECT, stdout=file, stderr=subprocess.DEVNULL, check=True)

    folder = made_once(tmp_path_factory, "puzzles-of-our-own", make)
    index = solver.build_index(solver.load_release(real_run / "custom"))
    rows = reader.rows((folder / "puzzles.csv").read_bytes(), "puzzles.csv")
    return [{**row, "answers": solver.solve(index, Puzzle(row["center"], row["outer"]))} for row in rows]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout, installed where nothing else is; the wheel itself lies beside it."""

    def make(folder: Path) -> None:
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(PROJECT)]
        subprocess.run(build, check=True, capture_output=True)
        (wheel,) = folder.glob("*.whl")
        pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", str(folder / "site")]
        subprocess.run([*pip, str(wheel)], check=True, capture_output=True)

    return made_once(tmp_path_factory, "wheel", make) / "site"


@pytest.fixture
def ran(ran_once: Path, tmp_path: Path) -> Path:
    """A workspace on which `bee run` ran on the sample."""
    return Path(shutil.copytree(ran_once, tmp_path / "data"))


@pytest.fixture
def other(ran: Path) -> Path:
    """A workspace whose release has a version of its own."""
    package = ran / "custom" / reader.PACKAGE
    package.write_text(re.sub('"version": "[^"]+"', '"version": "2020.01.02.3"', package.read_text()))
    reseal(ran / "custom")
    return ran


def keep(workspace: Workspace, source: str, found: Iterable[tuple[str, str, bytes]], fetched_at: str) -> int:
    """Store captures (name, URL, bytes), as an import does at that time; return how many were new."""
    files = [Capture(source, name, url, data, fetched_at) for name, url, data in found]
    return imports.import_files(workspace, source, files).new


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the big archive, which is not part of the project."""
    needs.require("the archive of answers")
    return Path(os.environ["BEE_SHARED"])


def skip_on_a_branch(reason: str) -> None:
    """Skip a test that only main must pass: a branch of the program does not make the release that main commits."""
    ref = os.environ.get("GITHUB_REF_NAME")
    if not ref:
        command = ["git", "-C", str(PROJECT), "rev-parse", "--abbrev-ref", "HEAD"]
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            ref = subprocess.check_output(command, stderr=subprocess.DEVNULL, text=True).strip()
    if ref and ref not in ("main", "HEAD"):
        pytest.skip(reason)


def reseal(folder: Path) -> None:
    """Update the checksums of a release that was changed on purpose."""
    files = {name: data for name, data in snapshot(folder).items() if name not in (reader.SUMS, *MADE_WITH)}
    (folder / reader.SUMS).write_bytes(reader.format_checksums(files))


def read_changes(text: str) -> dict[str, dict[str, str]]:
    """The words of a CHANGES.md with their reasons, by side: Added and Removed."""
    sides: dict[str, dict[str, str]] = {"Added": {}, "Removed": {}}
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        sides[title] |= re.findall(r"^- `(\w+)`: (.*)$", rest, re.MULTILINE)
    return sides


def some_words(folder: Path, also: Container[str] = (), every: int = 10) -> Path:
    """Make a release of every tenth word of the real one, or fewer, and of other words."""
    folder.mkdir(parents=True, exist_ok=True)
    header, *rows = (PROJECT / "data/custom/words.csv").read_text().splitlines()
    kept = [row for at, row in enumerate(rows) if at % every == 0 or row.partition(",")[0] in also]
    (folder / "words.csv").write_text("\n".join([header, *kept]) + "\n")
    listed = [row.partition(",")[0] for row in kept if row.split(",", 2)[1] in LISTED]
    (folder / "wordlist.txt").write_text("\n".join(listed) + "\n")
    shutil.copy(PROJECT / "data/custom/datapackage.json", folder)
    reseal(folder)
    return folder


def part_of_the_release(folder: Path, kept: Container[str]) -> Path:
    """Copy the release with some words of its table, so that a site takes no time."""
    shutil.copytree(PROJECT / "data/custom", folder)
    header, *rows = (folder / "words.csv").read_bytes().splitlines(keepends=True)
    kept_rows = [row for row in rows if row.partition(b",")[0].decode() in kept]
    (folder / "words.csv").write_bytes(b"".join([header, *kept_rows]))
    reseal(folder)
    return folder


def first_words(folder: Path) -> Path:
    """Copy the release with the first words of its table and the first of our definitions."""
    rows = (PROJECT / "data/custom/words.csv").read_text().splitlines()[1:500]
    part_of_the_release(folder, {row.partition(",")[0] for row in rows})
    senses = (folder / reader.GLOSSES).read_text().splitlines(keepends=True)
    (folder / reader.GLOSSES).write_text("".join(senses[:500]))
    reseal(folder)
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
