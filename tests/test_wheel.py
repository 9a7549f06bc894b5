"""The wheel contains the release, and works outside the checkout."""

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from conftest import PROJECT, first_words, snapshot, some_words
from packaging.requirements import Requirement

from pipeline.publishing import formats
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
    assert wheel_of(installed).stat().st_size < 6_800_000
    names = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
    assert "pipeline/py.typed" in names
    assert {"pipeline/release/wordlist.txt", "pipeline/release/datapackage.json"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/data/LICENSES.md") for name in names)
    assert {"pipeline/sample/two-weeks.csv", "pipeline/lexicon/wordnet.csv.gz"} <= names  # for `bee init`
    assert not [name for name in names if "raw" in Path(name).parts]


@pytest.fixture(scope="module")
def bare(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages that the wheel asks for when no extra is named, and theirs, and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    (wheel,) = metadata.distributions(path=[str(installed)])
    wanted, seen = [*wheel.requires], set()
    while wanted:
        asked = Requirement(wanted.pop())
        if asked.name.lower() in seen or (asked.marker and not asked.marker.evaluate({"extra": ""})):
            continue
        seen.add(asked.name.lower())
        found = metadata.distribution(asked.name)
        wanted += found.requires or []
        for top in {path.parts[0] for path in found.files if path.parts[0] != ".."} - {"__pycache__"}:
            (folder / top).symlink_to(found.locate_file(top))
    return folder


def alone(installed: Path, bare: Path, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `bee` with the wheel and what it asks for, and no other package."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "pipeline", *arguments], capture_output=True, text=True, check=False,
        cwd=cwd or bare, env={"PYTHONPATH": f"{installed}:{bare}", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip


def test_the_plain_install_brings_typer_and_nothing_large(bare):
    names = {path.name for path in bare.iterdir()}
    assert "typer" in names
    assert not names & {"pandas", "numpy", "requests", "bs4", "pyarrow", "matplotlib", "pydantic"}


EXPORTS = f"""
import pathlib, sys
from pipeline import cli
release, to = map(pathlib.Path, sys.argv[1:])
for form in {list(formats.FORMATS)}:
    (to / form).mkdir(parents=True)
    asked = ["--release", release, "--format", form, "-o", to / form / "bee"]
    try:
        cli.main(["export", *map(str, asked)])
    except SystemExit as stop:
        assert not stop.code, form
"""
"""A program that runs `bee export` in every format."""


@pytest.fixture(scope="module")
def exported(installed: Path, bare: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Every tenth word in every format: from the plain install, and with all packages at hand."""
    folder = tmp_path_factory.mktemp("exported")
    release = some_words(folder / "release")
    for where, options, packages in (("plain", ["-S"], f"{installed}:{bare}"), ("full", [], str(installed))):
        done = subprocess.run(
            [sys.executable, *options, "-c", EXPORTS, str(release), str(folder / where)],
            capture_output=True, text=True, check=False,
            cwd=bare, env={"PYTHONPATH": packages, "PATH": "/usr/bin:/bin"},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return folder / "plain", folder / "full"


def test_the_site_is_the_same_from_the_plain_install(installed, bare, bee, tmp_path, monkeypatch):
    """The wheel alone makes, byte for byte, what the checkout makes with all packages at hand."""
    options = ("--release", str(first_words(tmp_path / "release")))
    done = alone(installed, bare, "site", "-o", str(tmp_path / "plain"), *options)
    assert done.returncode == 0, done.stderr
    monkeypatch.setattr("pipeline.commands.site.DOCS", tmp_path)  # the wheel has no report
    assert bee("site", "-o", tmp_path / "full", *options).code == 0
    made = snapshot(tmp_path / "plain")
    assert made == snapshot(tmp_path / "full")
    assert {*build.PAGE, "words.json", "more.json", "puzzles.json", "words/aa.json", "latest.json"} <= made.keys()


def wheel_of(installed: Path) -> Path:
    (wheel,) = installed.parent.glob("*.whl")
    return wheel


PLAIN = [
    (["solve", "vctaoen", "--hints", "--ranks"], "DIFFICULTY", ""),
    (["solve", "vctaoen", "--maybe", "--json"], "covenant", ""),
    (["define", "luff"], "noun", ""),
    (["--version"], "word list 20", ""),
    (["export", "--help"], "hunspell", ""),
    (["flag", "--list"], "slur", ""),
    (["convert", "words.csv"], "cove", ""),
    (["why", "luff"], "luff: core", ""),
    (["daily", "2026-11-22"], "outer      cegint", "Release "),
    (["verify"], "", "as published."),
    (["init"], "", "`bee run` makes the list."),
]


@pytest.mark.parametrize(("arguments", "says", "notes"), PLAIN)
def test_what_players_need_works_from_the_plain_install(installed, bare, tmp_path, arguments, says, notes):
    (tmp_path / "words.csv").write_text("rank,word\n1,cove\n2,Rome\n")
    done = alone(installed, bare, *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    assert notes in done.stderr


@pytest.mark.parametrize(
    ("command", "way"),
    [(name, "pip install 'bee-pipeline[curate] @ file://") for name in ("puzzles", "run")],
)
def test_a_command_that_lacks_packages_says_which_extra_brings_them(installed, bare, tmp_path, command, way):
    done = alone(installed, bare, command, cwd=tmp_path)
    assert done.returncode == 1
    assert way in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_every_format_is_exported_from_the_plain_install(exported):
    plain, full = (snapshot(each) for each in exported)
    assert plain == full
    assert len(plain) == sum(len(form.writers) for form in formats.FORMATS.values())


@pytest.mark.needs("uv")
def test_a_wheel_runs_without_being_installed(installed, tmp_path):
    program = shutil.which("uvx") or str(Path(sys.executable).parent / "uvx")
    command = [program, "--python", sys.executable, "--from", str(wheel_of(installed)), "bee", "solve", "vctaoen"]
    environment = {**os.environ, "UV_CACHE_DIR": str(tmp_path / "uv")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=tmp_path)
    if done.returncode and re.search(r"(?i)network|connect|resolve|temporary failure|no matching", done.stderr):
        pytest.skip("uvx found no package index")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "covenant"
