"""The wheel contains the release, and works outside the checkout."""

import subprocess
import sys
from pathlib import Path

from conftest import PROJECT, first_words

from pipeline.site import build


def python(installed: Path, *arguments: str) -> str:
    """Run python outside the checkout with the wheel's content first on its path."""
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True,
        cwd=installed.parent, env={"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin"},
    ).stdout  # fmt: skip


def test_the_installed_command_solves_and_exports(installed):
    bee = str(installed / "bin/bee")
    assert python(installed, bee, "solve", "vctaoen") == python(installed, "-m", "pipeline", "solve", "vctaoen")
    assert python(installed, bee, "export", "--format", "txt") == (PROJECT / "data/custom/wordlist.txt").read_text()


def test_the_wheel_has_the_list_and_its_licences_and_no_captures(installed):
    (wheel,) = installed.parent.glob("*.whl")
    assert wheel.stat().st_size < 6_800_000
    names = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    assert "pipeline/py.typed" in names
    assert {"pipeline/release/wordlist.txt", "pipeline/release/datapackage.json"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/data/LICENSES.md") for name in names)
    assert {"pipeline/sample/two-weeks.csv", "pipeline/lexicon/wordnet.csv.gz"} <= names  # for `bee init`
    assert not [name for name in names if "raw" in Path(name).parts]


def test_the_wheel_makes_the_site(installed, tmp_path):
    first_words(tmp_path / "release/custom")
    python(installed, "-m", "pipeline", "--data", str(tmp_path / "release"), "site", "-o", str(tmp_path / "site"))
    made = {path.name for path in (tmp_path / "site").iterdir()}
    assert {*build.PAGE, "words.json", "more.json", "puzzles.json", "words", "latest.json"} <= made


def test_the_wheel_makes_a_workspace(installed, tmp_path):
    python(installed, "-m", "pipeline", "init", str(tmp_path / "work"))
    assert (tmp_path / "work/custom/wordlist.txt").read_text() == (PROJECT / "data/custom/wordlist.txt").read_text()
