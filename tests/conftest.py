"""Shared fixtures: the command line as users run it, and a small real workspace."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import filelock
import pandas as pd
import pytest
import small
from hypothesis import settings
from server import Site, serving

from pipeline import cli, reader
from pipeline.facts import lexicon, seal
from pipeline.fetching import receipts
from pipeline.sources import read
from pipeline.store import Workspace

pytest_plugins = ("browsing",)
"""Fixtures of a browser and the site that it opens."""

settings.register_profile("bee", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile("bee")
"""On a busy machine tests are sometimes slow, so no test asserts a time. `make quick` tries fewer examples."""

PROJECT = Path(__file__).parent.parent
SAMPLE = PROJECT / "data/raw/sample/two-weeks.csv"


SLOW = {
    "test_site", "test_site_files", "test_pages", "test_offline", "test_bee_js", "test_consumers", "test_export",
    "test_wheel", "test_notebooks", "test_jupyter", "test_faults", "test_flow", "test_explore", "test_play",
    "test_fetch_live", "test_servers", "test_inputs", "test_kills", "test_year", "test_curate", "test_lists",
    "test_track", "test_desk", "test_news", "test_json", "test_filters", "test_forecast", "test_daily", "test_together",
    "test_trust", "test_own_lists", "test_verdicts", "test_held", "test_decisions", "test_parsed", "test_days",
    "test_reading", "test_clones", "test_packages", "test_word_pages",
    "test_proposals", "test_effect", "test_sheets", "test_sitting", "test_reasons",
}  # fmt: skip
"""Modules whose tests need a browser, a compiler, a wheel, the archive or the whole lexicon, or run the pipeline in
nearly every test. Single slow tests in other modules are marked `slow`."""


FIRST = (
    "test_site",
    "test_clones",
    "test_flow",
    "test_notebooks",
    "test_fetch_live",
    "test_export",
    "test_wheel",
    "test_faults",
    "test_days",
    "test_pages",
    "test_held",
)
"""The modules that take longest. They start first, so that no worker waits for another one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that `make quick` leaves out, and order the modules."""
    for item in items:
        if item.path.stem in SLOW or {"shared", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    items.sort(key=lambda item: FIRST.index(item.path.stem) if item.path.stem in FIRST else len(FIRST))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the slow modules where their tests are left out."""
    return True if collection_path.stem in SLOW and "not slow" in config.option.markexpr else None


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
    return read(SAMPLE.read_bytes(), SAMPLE.name).parsed.days


@pytest.fixture(scope="session")
def small_lexicon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real lexicon, reduced to the words that are possible in a puzzle of the sample, so that stages take a
    second."""
    return small.small_lexicon(tmp_path_factory.mktemp("lexicon"))


@pytest.fixture
def data(tmp_path: Path, small_lexicon: Path) -> Path:
    """A workspace with the small lexicon and nothing else."""
    root = tmp_path / "data"
    shutil.copytree(small_lexicon, root / "raw/lexicon")
    (root / "custom").mkdir()
    return root


@pytest.fixture(scope="session", autouse=True)
def frequencies_read_once() -> Iterator[None]:
    """Keep what wordfreq says of each set of words: reading it takes half of the time of a run on the small lexicon."""
    read, known = lexicon.frequencies, {}

    def frequencies(listed: Iterable[str]) -> pd.DataFrame:
        words = frozenset(listed)
        if words not in known:
            known[words] = read(words)
        return known[words].copy()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexicon, "frequencies", frequencies)
        yield


@pytest.fixture(scope="session")
def ran_once(tmp_path_factory: pytest.TempPathFactory, small_lexicon: Path) -> Path:
    """A workspace in which all stages ran on the sample, made once; tests get copies of it."""
    root = tmp_path_factory.mktemp("ran") / "data"
    shutil.copytree(small_lexicon, root / "raw/lexicon")
    (root / "custom").mkdir()
    for arguments in (["import", str(SAMPLE), "--as", "table"], ["run"]):
        with pytest.raises(SystemExit) as stop:
            cli.main([*arguments, "--data", str(root)])
        assert not stop.value.code
    return root


def copy_of_the_project(target: Path) -> Path:
    """Copy the data that a fresh clone has."""
    for name in ("raw/lexicon", "raw/sample", "custom"):
        shutil.copytree(PROJECT / "data" / name, target / name)
    return target


@pytest.fixture(scope="session")
def real_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with the data of a fresh clone in which all stages ran, made once for all processes; only read it."""
    base = tmp_path_factory.getbasetemp()
    target = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "run-of-the-checkout"
    with filelock.FileLock(f"{target}.lock"):
        if not target.exists():
            begun = copy_of_the_project(Path(f"{target}.begun"))
            with pytest.raises(SystemExit) as stop:
                cli.main(["run", "--quiet", "--data", str(begun)])
            assert not stop.value.code
            begun.rename(target)
    return target


@pytest.fixture
def ran(ran_once: Path, tmp_path: Path) -> Path:
    """A workspace in which all stages ran on the sample."""
    return Path(shutil.copytree(ran_once, tmp_path / "data"))


def keep(workspace: Workspace, source: str, found: Iterable[tuple[str, str, bytes]], fetched_at: str) -> int:
    """Store captures (name, URL, bytes) with their receipts, as a fetch does; return how many were new."""
    kept = receipts.keeper(workspace, source)
    return sum([kept(name, url, data, fetched_at, "") for name, url, data in found])


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the big archive, which is not part of the project."""
    named = os.environ.get("BEE_SHARED")
    if not named or not (Path(named) / "archive").is_dir():
        pytest.skip("BEE_SHARED names no folder with the archive of official answers")
    return Path(named)


def reseal(folder: Path) -> None:
    """Update the checksums of a release that was changed on purpose."""
    files = {name: data for name, data in snapshot(folder).items() if name not in (reader.SUMS, "evidence.csv")}
    (folder / reader.SUMS).write_bytes(reader.sums(files))


def read_changes(text: str) -> dict[str, dict[str, str]]:
    """The words of a CHANGES.md with their reasons, by side: Added and Removed."""
    sides: dict[str, dict[str, str]] = {"Added": {}, "Removed": {}}
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        sides[title] |= re.findall(r"^- `(\w+)`: (.*)$", rest, re.MULTILINE)
    return sides


def some_words(folder: Path, also: Container[str] = ()) -> Path:
    """Make a release of every tenth word of the real one, and of other words."""
    folder.mkdir(exist_ok=True)
    header, *rows = (PROJECT / "data/custom/words.csv").read_text().splitlines()
    kept = [row for at, row in enumerate(rows) if at % 10 == 0 or row.partition(",")[0] in also]
    (folder / "words.csv").write_text("\n".join([header, *kept]) + "\n")
    shutil.copy(PROJECT / "data/custom/datapackage.json", folder)
    reseal(folder)
    return folder


def first_words(folder: Path) -> Path:
    """Copy the release with the first words of its table and of its record, so that a site takes no time."""
    shutil.copytree(PROJECT / "data/custom", folder)
    for name in ("words.csv", "evidence.csv"):
        kept = b"".join((folder / name).read_bytes().splitlines(keepends=True)[:500])
        if name == "evidence.csv":
            first, _, body = kept.partition(b"\n")
            kept = seal.sealed(seal.dates(first.decode().partition(" covers ")[2]), body)
        (folder / name).write_bytes(kept)
    reseal(folder)
    return folder


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def fake_gh(folder: Path) -> Path:
    """Make a replacement for gh that notes its arguments in `gh.txt`, and deletes a branch as the real one does."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "gh").write_text(
        f'#!/bin/sh\necho "$@" >> {folder}/gh.txt\n'
        'if test "$2" = close; then git push --quiet --delete origin "$3"; fi\n'
    )
    (tools / "gh").chmod(0o755)
    (folder / "gh.txt").write_text("")
    return tools
