"""What the tests share: the command line as users meet it, and a small real workspace."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pipeline import algorithms, cli, frames, lexicon_files, store
from pipeline.sources import read
from pipeline.words import mask

PROJECT = Path(__file__).parent.parent
SAMPLE = PROJECT / "data/raw/sample/two-weeks.csv"


@dataclass(frozen=True)
class Result:
    """What a command left: exit code, stdout, stderr."""

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


@pytest.fixture(scope="session")
def sample_days():
    """The two weeks of official answers that come with the project."""
    return read(SAMPLE.read_bytes(), SAMPLE.name).parsed.days


@pytest.fixture(scope="session")
def small_lexicon(tmp_path_factory: pytest.TempPathFactory, sample_days) -> Path:
    """The real lexicon, cut down to the words that a puzzle of the sample spells, so that stages take a second."""
    folder = tmp_path_factory.mktemp("lexicon")
    shutil.copytree(PROJECT / "data/raw/lexicon", folder, dirs_exist_ok=True)
    masks = {subset for day in sample_days for subset in algorithms.centered_subsets(day.puzzle)}
    sums = {}
    for item in lexicon_files.LISTS:
        path = folder / f"{item.name}.csv.gz"
        table = frames.read_csv(store.gunzipped(path.read_bytes(), path), path)
        kept = table[[mask(word) in masks or word.startswith("zi") for word in table["word"]]]
        path.write_bytes(store.gzipped(frames.csv_bytes(kept)))
        sums[path.name] = store.sha256(path.read_bytes())
    (folder / "SHA256SUMS").write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    return folder


@pytest.fixture
def data(tmp_path: Path, small_lexicon: Path) -> Path:
    """A workspace with the small lexicon and nothing else."""
    root = tmp_path / "data"
    shutil.copytree(small_lexicon, root / "raw/lexicon")
    (root / "custom").mkdir()
    return root


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the big archive, which is not part of the project."""
    named = os.environ.get("BEE_SHARED")
    if not named or not (Path(named) / "archive").is_dir():
        pytest.skip("BEE_SHARED names no folder with the archive of official answers")
    return Path(named)


def reseal(folder: Path) -> None:
    """Make the description of a release that was changed on purpose true again."""
    package = json.loads((folder / "datapackage.json").read_text())
    for resource in package["resources"]:
        if (folder / resource["path"]).exists():
            resource["hash"] = f"sha256:{store.sha256((folder / resource['path']).read_bytes())}"
    (folder / "datapackage.json").write_text(json.dumps(package))


def snapshot(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
