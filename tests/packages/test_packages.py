"""The packages for users of the list: built from a release, installed where nothing else is, and used from there."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from conftest import PROJECT, reseal, snapshot, some_words

import pipeline
from packages import __main__ as command
from packages import contents, npm, python
from pipeline import reader, solver
from pipeline.play import puzzles
from pipeline.publishing import export
from pipeline.words import LISTED, NOT_FOR_FAMILIES, UNSAFE_FLAGS, score

RELEASE = PROJECT / "data/custom"
RARE_LETTERS = ["creatid", "snortig"]
"""Letters of puzzles with both E and R, and with S, center first."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both packages, built from the release of the project by the command."""
    folder = tmp_path_factory.mktemp("dist")
    assert command.main(["--release", str(RELEASE), "--to", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def site(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has a `pipeline` of its own, and both packages in empty environments: venv/ and node_modules/."""
    folder = tmp_path_factory.mktemp("site")
    script = [str(PROJECT / "packages/try.sh"), str(dist), str(folder)]
    done = subprocess.run(
        script, env=os.environ | {"PYTHON": sys.executable}, capture_output=True, text=True, check=False
    )
    if shutil.which("node"):
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1].split()[2:] == pipeline.solve("vctaoen")
    assert done.stdout.splitlines()[: len(pipeline.solve("vctaoen"))] == pipeline.solve("vctaoen")
    return folder


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    return list(reader.word_rows((RELEASE / "words.csv").read_bytes()))


@pytest.fixture(scope="module")
def asked() -> list[str]:
    """Letters of 40 possible puzzles of the list, chosen at random, and of two that need the whole list."""
    every = puzzles.possible(pipeline.load_words())
    some = random.Random(23).sample(range(len(every)), 40)
    return [*RARE_LETTERS, *(every["center"].iloc[some] + every["outer"].iloc[some]).tolist()]


def run(site: Path, *arguments: str, given: object = None) -> subprocess.CompletedProcess[str]:
    """Run the installed package's Python in a folder that has another `pipeline`."""
    return subprocess.run(
        [str(site / "venv/bin/python"), *arguments], cwd=site, input=json.dumps(given), env={"PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def told(site: Path, expression: str, given: object = None) -> object:
    """Evaluate an expression over `given` with the installed package."""
    code = "import bee_wordlist, json, sys; given = json.load(sys.stdin); "
    done = run(site, "-c", f"{code}print(json.dumps({expression}))", given=given)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def whole(folder: Path) -> Path:
    """Make a release of every tenth word, with its list, its record and its licenses, but without definitions."""
    release = some_words(folder)
    kept = reader.word_rows((release / "words.csv").read_bytes())
    (release / "wordlist.txt").write_text("".join(f"{row['word']}\n" for row in kept if row["tier"] in LISTED))
    for name in ("LICENSES.txt", "record.csv"):
        shutil.copy(RELEASE / name, release)
    reseal(release)
    return release


# ---------------------------------------------------------------- building


def test_the_files_are_named_by_the_version_of_the_release_and_small(dist):
    sizes = {path.name: path.stat().st_size for path in dist.iterdir()}
    version = reader.read(RELEASE, reader.PACKAGE).version
    plain, semver = ".".join(map(str, contents.numbers(version))), npm.semver(version)
    wheel = f"bee_wordlist-{plain}-py3-none-any.whl"
    assert sizes.keys() == {wheel, f"bee_wordlist-{plain}.tar.gz", f"bee-wordlist-{semver}.tgz"}
    assert max(sizes.values()) <= 1_300_000
    assert sizes[f"bee-wordlist-{semver}.tgz"] <= 400_000


def test_versions_of_npm_have_three_numbers_and_the_same_order():
    versions = ["2025.12.31.3", "2025.12.31.10", "2026.01.05.1", "2026.01.31.1", "2026.10.01.1"]
    made = [npm.semver(version) for version in versions]
    assert made == ["2025.1231.3", "2025.1231.10", "2026.105.1", "2026.131.1", "2026.1001.1"]
    assert made == sorted(made, key=lambda version: [int(part) for part in version.split(".")])


def test_the_wheel_has_the_package_its_licenses_and_nothing_named_pipeline(dist):
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (metadata,) = [packed.read(name).decode() for name in names if name.endswith("METADATA")]
        sources = [packed.read(name).decode() for name in names if name.endswith(".py")]
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"bee_wordlist"}
    assert {"bee_wordlist/py.typed", "bee_wordlist/solver.py"} <= set(names)
    assert {name.rpartition("/")[2] for name in names if "/licenses/" in name} == {"LICENSE", "LICENSES.txt"}
    assert "License-Expression: MIT AND CC-BY-4.0" in metadata
    assert "Requires-Dist" not in metadata
    assert "ot affiliated with The New York Times" in metadata
    assert not [
        source for source in sources if "Take all files from one release" in source or 'VERSION = "checkout"' in source
    ]
    assert not [
        line
        for source in sources
        for line in re.findall(r"^ *(?:from|import) (?:pipeline|packages).*$", source, re.MULTILINE)
    ]


def unpack(tarball: Path, folder: Path) -> None:
    """Unpack a tarball with tar, because `tarfile` of early versions of Python 3.11 has no filter."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["tar", "-xzf", str(tarball), "-C", str(folder)], check=True)


def test_the_sdist_builds_the_same_wheel(dist, tmp_path):
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    unpack(sdist, tmp_path)
    (folder,) = tmp_path.iterdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    assert (folder / "dist" / wheel.name).read_bytes() == wheel.read_bytes()


def test_the_same_release_gives_the_same_bytes(tmp_path):
    release = whole(tmp_path / "release")
    first, again = contents.read(release), contents.read(release)
    assert python.build(first) == python.build(again)
    assert npm.build(first) == npm.build(again)


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("words.csv", b"likely", b"core", "words.csv in"),
        ("datapackage.json", b'"version": "20', b'"version": "x', "is not a version of a release"),
        ("wordlist.txt", b"\n", b"\nzzzz\n", "wordlist.txt and words.csv in"),
    ],
)
def test_a_damaged_release_makes_no_package(tmp_path, capfd, name, old, new, says):
    release = whole(tmp_path / "release")
    (release / name).write_bytes((release / name).read_bytes().replace(old, new, 1))
    if name != "words.csv":
        reseal(release)
    assert command.main(["--release", str(release), "--to", str(tmp_path / "dist")]) == 1
    error = capfd.readouterr().err
    assert says in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "dist").exists()


# ---------------------------------------------------------------- the Python package


def test_only_the_package_is_in_the_environment(site):
    (folder,) = (site / "venv/lib").glob("python*/site-packages")
    assert {path.name.partition("-")[0] for path in folder.iterdir()} == {"bee_wordlist"}


def test_the_lists_are_those_of_the_release(site, rows):
    names = ("words", "safe", "family")
    lists = told(site, "{name: getattr(bee_wordlist, name)() for name in given}", names)
    assert lists["words"] == pipeline.load_words()
    for name, flags in (("safe", UNSAFE_FLAGS), ("family", NOT_FOR_FAMILIES)):
        assert lists[name] == [row["word"] for row in export.choose(rows, export.Choice(LISTED, flags))]
    tiers = told(site, "{tier: bee_wordlist.words(tier) for tier in given}", ["core", "review"])
    assert tiers == {tier: [row["word"] for row in rows if row["tier"] == tier] for tier in tiers}
    assert told(site, "bee_wordlist.VERSION") == reader.read(RELEASE, reader.PACKAGE).version


def test_it_solves_and_scores_as_the_pipeline_does(site, asked):
    found = told(site, "[bee_wordlist.solve(letters) for letters in given]", asked)
    assert found == [pipeline.solve(letters) for letters in asked]
    own = ["octave", "xxxx", "cove", "Cove", "covenant"]
    assert told(site, "bee_wordlist.solve('V ctaoen', given)", own) == pipeline.solve("vctaoen", own)
    assert told(site, "[bee_wordlist.score(word) for word in given]", found[0]) == [score(word) for word in found[0]]


def test_the_command_prints_what_bee_solve_prints(site, bee, rows):
    guess = min(solver.guessed_pangrams(pipeline.load_words(), solver.pangram_candidates(rows)))
    for letters in (["vctaoen"], ["V", "ctaoen"], ["".join(dict.fromkeys(guess))], ["zxqjkwv"]):
        ours, theirs = run(site, "-m", "bee_wordlist", *letters), bee("solve", *letters)
        assert (ours.stdout, ours.stderr, ours.returncode) == (theirs.out, theirs.err, theirs.code)
    assert f"{guess} ?" in run(site, "-m", "bee_wordlist", *dict.fromkeys(guess)).stdout


def test_solving_does_not_read_the_table_of_words(site):
    code = "from bee_wordlist import lookup, solve, why; solve('vctaoen'); print(lookup._lines.cache_info().misses); "
    done = run(site, "-c", f"{code} why('luff'); print(lookup._lines.cache_info().misses)")
    assert done.stdout.split() == ["0", "1"]


def test_why_says_what_the_release_says(site, rows):
    some = {row["word"]: row for row in rows[::400]}
    assert {row["tier"] for row in some.values()} == {"core", "likely", "review", "refused"}
    found = told(site, "[bee_wordlist.why(word)._asdict() for word in given]", list(some))
    lines = (RELEASE / "record.csv").read_text().splitlines()
    records = {row["word"]: row for row in csv.DictReader(lines)}
    for answer, row in zip(found, some.values(), strict=True):
        record = answer.pop("record")
        assert answer == {
            "word": row["word"], "tier": row["tier"], "listed": row["tier"] in LISTED, "p": float(row["p"]),
            "reason": row["because"], "flags": row["flags"].split(),
        }  # fmt: skip
        known = records.get(row["word"])
        dates = [known[name] for name in contents.DATES] if known else []
        assert record == ([int(known["offered"]), int(known["accepted"]), *dates] if known else None)


def test_a_word_in_no_list_is_unknown_and_no_error(site):
    strange = ["zzzz", "", "luff,core", "a\nb", "café", '"', "luf", "../words"]
    unknown = [[word, "unknown", False, None, "We do not know this word", [], None] for word in strange]
    assert told(site, "[bee_wordlist.why(word) for word in given]", strange) == unknown


def test_the_command_says_why(site, rows):
    slur = next(row for row in rows if "slur" in row["flags"].split() and row["tier"] == "refused")
    done = run(site, "-m", "bee_wordlist", "--why", "luff", slur["word"], "zzzz")
    assert (done.returncode, done.stderr) == (0, "")
    luff, offensive, unknown = done.stdout.split("\n\n")
    assert luff.startswith("luff: on the list, tier core, p = ")
    assert "first accepted 20" in luff
    assert f"{slur['word']}: not on the list, tier refused" in offensive
    assert "flags: " in offensive
    assert unknown == "zzzz: not on the list, tier unknown\nWe do not know this word.\n"


def test_wrong_commands_and_calls_get_one_line(site):
    for arguments in ([], ["abc"], ["vctaoen", "x"], ["--why"], ["--bogus"]):
        done = run(site, "-m", "bee_wordlist", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("bee_wordlist: ")
        assert len(done.stderr.splitlines()) == 1
    for call, error in (("solve('abc')", "LettersError"), ("words('best')", "BeeError")):
        assert told(site, f"issubclass(bee_wordlist.{error}, bee_wordlist.BeeError)") is True
        assert f"{error}: " in run(site, "-c", f"import bee_wordlist; bee_wordlist.{call}").stderr


@pytest.mark.parametrize(("name", "arguments"), [("wordlist.txt", ["vctaoen"]), ("words.csv.bz2", ["--why", "luff"])])
@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_damaged_install_says_how_to_repair_it(site, tmp_path, name, arguments, damage):
    (installed,) = (site / "venv/lib").glob("python*/site-packages/bee_wordlist")
    copy = shutil.copytree(installed, tmp_path / "bee_wordlist") / name
    copy.write_bytes(b"\xff" + copy.read_bytes()[: copy.stat().st_size // 2])
    if damage == "gone":
        copy.unlink()
    done = subprocess.run(
        [sys.executable, "-m", "bee_wordlist", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "Install bee-wordlist again." in done.stderr


def test_the_examples_of_the_readme_are_right(site, dist):
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        (name,) = [name for name in packed.getnames() if name.endswith("/README.md")]
        text = packed.extractfile(name).read().decode()
    assert "{" not in text
    (site / "README.txt").write_text(text)
    done = run(site, "-m", "doctest", "README.txt")
    assert (done.returncode, done.stdout) == (0, "")
    assert ">>> bee_wordlist.solve" in text


CONSUMER = """
import bee_wordlist
from bee_wordlist import Record, Why

found: Why = bee_wordlist.why("luff")
record: Record | None = found.record
chance: float | None = found.p
first: str = record.first if record else ""
answers: list[str] = bee_wordlist.solve("vctaoen", words=["cove"]) + bee_wordlist.words("core")
points: int = sum(map(bee_wordlist.score, answers))
reveal_type(found.flags)
bee_wordlist.solve(5)
"""


def test_the_types_hold_in_a_strict_consumer(site, tmp_path):
    (tmp_path / "consumer.py").write_text(CONSUMER)
    check = ["mypy", "--strict", "--python-executable", str(site / "venv/bin/python"), "--no-incremental"]
    done = subprocess.run(
        [sys.executable, "-m", *check, "consumer.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    notes, errors = re.findall(r"note: (.*)", done.stdout), re.findall(r"error: (.*)", done.stdout)
    assert notes == ['Revealed type is "tuple[str, ...]"'], done.stdout
    assert len(errors) == 1, done.stdout
    assert 'Argument 1 to "solve"' in errors[0]


# ---------------------------------------------------------------- the npm package

WRONG_CALLS = {
    "solve('abc', all)": "A puzzle has seven letters, center first; “abc” has 3.",
    "solve('aabcdef', all)": "The letter “a” occurs twice; seven different letters are needed.",
    "solve('vctaoe1', all)": "“1” is not a letter from a to z.",
    "solve(5, all)": 'The letters of a puzzle must be text, such as "vctaoen".',
    "solve('vctaoen')": 'A list is missing: call solve(letters, words), for example with words from "bee-wordlist".',
}
OWN = ["cove", "Cove", "covét", "cové", "octave", "canto", "co-ve", ""]


@pytest.mark.needs("node")
def test_the_modules_of_npm_have_the_lists_and_solve_as_the_package_does(site, rows, asked):
    """With the whole list, and with a user's own list, which may contain anything."""
    tries = ", ".join(f"() => {call}" for call in WRONG_CALLS)
    code = f"""
        import all, {{ version }} from "bee-wordlist";
        import {{ words as safe }} from "bee-wordlist/safe";
        import {{ solve, score, isPangram }} from "bee-wordlist/solve";
        import {{ readFileSync }} from "node:fs";
        const given = JSON.parse(readFileSync(0));
        const found = given.asked.map((letters) => solve(letters, all));
        const tried = (call) => {{ try {{ return call() }} catch (error) {{ return error.message }} }};
        console.log(JSON.stringify({{ version, all, safe, found, points: found[0].map(score),
            pangrams: found[0].map(isPangram), own: solve("V-ctaoen", given.own), wrong: [{tries}].map(tried) }}));
    """
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code],
        cwd=site, input=json.dumps({"asked": asked, "own": OWN}), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert made["version"] == reader.read(RELEASE, reader.PACKAGE).version
    assert made["all"] == pipeline.load_words()
    assert made["safe"] == [row["word"] for row in export.choose(rows, export.Choice(LISTED, UNSAFE_FLAGS))]
    expected = [pipeline.solve(letters) for letters in asked]
    assert made["found"] == expected
    assert made["points"] == [score(word) for word in expected[0]]
    assert made["pangrams"] == [pipeline.pangram(word) for word in expected[0]]
    assert made["own"] == ["octave", "cove"]
    assert made["wrong"] == list(WRONG_CALLS.values())
    package = json.loads((site / "node_modules/bee-wordlist/package.json").read_text())
    assert package["exports"]["."]["default"] == package["main"] == "./index.js"
    assert package["sideEffects"] is False, "a bundle has only what it uses"


@pytest.mark.needs("npm")
def test_the_tarball_is_what_npm_pack_packs(dist, tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    (tarball,) = dist.glob("*.tgz")
    unpack(tarball, ours)
    with tarfile.open(tarball) as packed:
        assert {entry.mode for entry in packed} == {0o644}
    subprocess.run(["npm", "pack", "--offline"], cwd=ours / "package", check=True, capture_output=True)
    again = ours / "package" / tarball.name
    unpack(again, theirs)
    again.unlink()
    assert snapshot(ours) == snapshot(theirs)
