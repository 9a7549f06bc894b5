"""The wheel carries the release, and works outside the checkout."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the checkout, installed where nothing else is; what it needs is where the tests run."""
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target), str(PROJECT)],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = target.glob("*.whl")
    assert wheel.stat().st_size < 5_000_000
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target"]
    subprocess.run(
        [*pip, str(target / "site"), str(wheel)],
        check=True, capture_output=True,
    )  # fmt: skip
    return target / "site"


def python(installed: Path, *arguments: str) -> str:
    """Run python outside the checkout with the wheel's content first on its path."""
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True,
        cwd=installed.parent, env={"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin"},
    ).stdout  # fmt: skip


def test_the_api_works_from_the_wheel(installed):
    script = "import pipeline; print(pipeline.__file__, len(pipeline.load_words()), *pipeline.solve('vctaoen'))"
    path, count, *found = python(installed, "-c", script).split()
    assert Path(path).is_relative_to(installed)
    assert int(count) > 40_000
    assert found[0] == "covenant"


def test_solving_works_from_the_wheel(installed):
    found = python(installed, "-m", "pipeline", "solve", "vctaoen").split()
    assert found == python(installed, "-m", "pipeline.solver", "vctaoen").split()
    assert found[0] == "covenant"


def test_the_installed_command_solves_and_exports(installed):
    bee = str(installed / "bin/bee")
    assert python(installed, bee, "solve", "vctaoen") == python(installed, "-m", "pipeline", "solve", "vctaoen")
    assert python(installed, bee, "export", "--format", "txt") == (PROJECT / "data/custom/wordlist.txt").read_text()


def test_the_wheel_has_the_list_and_its_licences_and_no_captures(installed):
    names = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    assert {"pipeline/release/wordlist.txt", "pipeline/release/datapackage.json"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/data/LICENSES.md") for name in names)
    assert not [name for name in names if "raw" in name or "sample" in name]


def test_the_site_is_made_from_the_wheel(installed):
    python(installed, "-m", "pipeline", "site", "-o", "made")
    names = {path.name for path in (installed.parent / "made").iterdir()}
    assert names == {"index.html", "style.css", "app.js", "words.js", "record.js", "LICENSES.txt"}
