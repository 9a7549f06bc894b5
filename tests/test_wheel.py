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

from pipeline.publishing import formats, site


def python(installed: Path, *arguments: str) -> str:
    """Run python outside the checkout with the wheel's content first on its path."""
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=True,
        cwd=installed.parent, env={"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin"},
    ).stdout  # fmt: skip


def test_the_wheel_is_small(installed):
    assert wheel_of(installed).stat().st_size < 6_500_000


def test_the_api_works_from_the_wheel(installed):
    script = "import pipeline; print(pipeline.__file__, len(pipeline.load_words()), *pipeline.solve('vctaoen'))"
    path, count, *found = python(installed, "-c", script).split()
    assert Path(path).is_relative_to(installed)
    assert int(count) > 40_000
    assert found[0] == "covenant"


def test_solving_works_from_the_wheel(installed):
    found = python(installed, "-m", "pipeline", "solve", "vctaoen").split()
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
    assert {"pipeline/sample/two-weeks.csv", "pipeline/lexicon/wordnet.csv.gz"} <= names  # for `bee init`
    assert not [name for name in names if "raw" in Path(name).parts]


def test_words_are_defined_and_puzzles_weighed_from_the_wheel(installed):
    assert "noun" in python(installed, "-m", "pipeline", "define", "covenant")
    assert "DIFFICULTY" in python(installed, "-m", "pipeline", "solve", "vctaoen", "--hints")
    assert (installed / "pipeline/lexicon/licences/wordnet.txt").is_file()


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


def alone(installed: Path, bare: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `bee` with the wheel and what it asks for, and no other package."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "pipeline", *arguments], capture_output=True, text=True, check=False,
        cwd=bare, env={"PYTHONPATH": f"{installed}:{bare}", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip


def test_the_plain_install_brings_typer_and_nothing_large(bare):
    names = {path.name for path in bare.iterdir()}
    assert "typer" in names
    assert not names & {"pandas", "numpy", "requests", "bs4", "pyarrow", "matplotlib", "pydantic"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "vctaoen"], "covenant"),
        (["solve", "vctaoen", "--hints", "--ranks"], "DIFFICULTY"),
        (["solve", "vctaoen", "--maybe", "--json"], "covenant"),
        (["define", "luff"], "noun"),
        (["--version"], "word list 20"),
        (["--help"], "Use the list"),
        (["export", "--help"], "hunspell"),
        (["puzzles", "--help"], "--max-similar"),
        (["flag", "--list"], "slur"),
    ],
)
def test_what_players_need_works_from_the_plain_install(installed, bare, arguments, says):
    done = alone(installed, bare, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert says in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says", "told"),
    [
        (["why", "luff"], "luff: core", "Lists and relatives are missing above. No workspace here: `bee init`"),
        (["puzzles", "--daily", "2026-11-22", "--csv"], "m,cegint,", "Our own puzzle of 2026-11-22."),
        (["verify"], "", "as published."),
        (["init"], "", "`bee run` makes the list."),
    ],
)
def test_what_needs_no_table_works_from_the_plain_install(installed, bare, tmp_path, arguments, says, told):
    done = subprocess.run(
        [sys.executable, "-S", "-m", "pipeline", *arguments], capture_output=True, text=True, check=False,
        cwd=tmp_path, env={"PYTHONPATH": f"{installed}:{bare}", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    assert told in done.stderr


def test_a_list_is_cleaned_from_the_plain_install(installed, bare, tmp_path):
    (tmp_path / "words.csv").write_text("rank,word\n1,cove\n2,Rome\n")
    done = alone(installed, bare, "convert", str(tmp_path / "words.csv"))
    assert (done.returncode, done.stdout) == (0, "cove\n"), done.stderr


@pytest.mark.parametrize("command", ["puzzles", "run", "fetch", "backtest"])
def test_a_command_that_lacks_packages_says_which_extra_brings_them(installed, bare, command):
    done = alone(installed, bare, command)
    assert done.returncode == 1
    assert (
        "bee init" if command in ("run", "fetch", "backtest") else "pip install 'bee-pipeline[curate] @ file://"
    ) in done.stderr
    assert len(done.stderr.splitlines()) == 1


EXPORTS = f"""
import pathlib, sys
from pipeline import cli
release, to = map(pathlib.Path, sys.argv[1:])
for form in {list(formats.FORMATS)}:
    (to / form).mkdir(parents=True)
    asked = ["--release", release, "--format", form, "-o", to / form / "bee"]
    asked += ["--common", 900] if form == "txt" else []  # it reads how hard all words are, which takes long
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


@pytest.mark.parametrize("form", formats.FORMATS)
def test_every_format_is_exported_from_the_plain_install(exported, form):
    plain, full = (snapshot(each / form) for each in exported)
    assert plain == full
    assert len(plain) == len(formats.FORMATS[form].writers)


def test_the_site_is_the_same_from_the_plain_install(installed, bare, bee, tmp_path):
    """The wheel alone makes, byte for byte, what the checkout makes with all packages at hand."""
    options = ("--report", str(PROJECT / "docs"), "--release", str(first_words(tmp_path / "release")))
    done = alone(installed, bare, "site", "-o", str(tmp_path / "plain"), *options)
    assert done.returncode == 0, done.stderr
    assert bee("site", "-o", tmp_path / "full", *options).code == 0
    made = snapshot(tmp_path / "plain")
    assert made == snapshot(tmp_path / "full")
    assert {*site.PAGE, "words.js", "more.js", "record.js", "puzzles.js", "gloss-a.js", "latest.json"} <= made.keys()


def wheel_of(installed: Path) -> Path:
    (wheel,) = installed.parent.glob("*.whl")
    return wheel


@pytest.mark.parametrize("tool", ["uvx", "pipx"])
def test_a_wheel_runs_without_being_installed(installed, tmp_path, tool):
    program = shutil.which(tool) or shutil.which(tool, path=str(Path(sys.executable).parent))
    if not program:
        pytest.skip(f"{tool} is not installed")
    wheel = str(wheel_of(installed))
    run = ["run", "--python", sys.executable, "--spec", wheel] if tool == "pipx" else ["--python", sys.executable]
    run += [] if tool == "pipx" else ["--from", wheel]
    homes = {"PIPX_HOME": tmp_path, "PIPX_BIN_DIR": tmp_path / "bin", "UV_CACHE_DIR": tmp_path / "uv"}
    environment = {**os.environ, **{name: str(path) for name, path in homes.items()}}
    done = subprocess.run(
        [program, *run, "bee", "solve", "vctaoen"], capture_output=True, text=True, check=False, env=environment,
        cwd=tmp_path,
    )  # fmt: skip
    if done.returncode and re.search(r"(?i)network|connect|resolve|temporary failure|no matching", done.stderr):
        pytest.skip(f"{tool} found no package index")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "covenant"


def test_the_package_says_that_it_is_typed(installed):
    assert (installed / "pipeline/py.typed").is_file()
