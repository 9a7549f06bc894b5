"""The packages for users of the list: built from a release, installed where nothing else is, and used from there."""

from __future__ import annotations

import csv
import gzip
import io
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
from pipeline.words import FAMILY, LISTED, SAFE, because, score

RELEASE = PROJECT / "data/custom"
ESBUILD = "esbuild@0.28.2"
"""The bundler of the tests, which npm installs; without a network the test is skipped."""
NODE = pytest.mark.skipif(not shutil.which("node"), reason="node is not installed; `make tools` installs it")
NPM = pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")


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
    """Letters of 40 possible puzzles of the list, chosen at random."""
    every = puzzles.possible(pipeline.load_words())
    some = random.Random(23).sample(range(len(every)), 40)
    return (every["center"].iloc[some] + every["outer"].iloc[some]).tolist()


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
    """Make a release of every tenth word, with its list and its licenses, but without evidence and definitions."""
    release = some_words(folder)
    kept = reader.word_rows((release / "words.csv").read_bytes())
    (release / "wordlist.txt").write_text("".join(f"{row['word']}\n" for row in kept if row["tier"] in LISTED))
    shutil.copy(RELEASE / "LICENSES.txt", release)
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
    assert not [source for source in sources if "`bee restore" in source or 'VERSION = "checkout"' in source]
    assert not [line for source in sources for line in re.findall(r"^ *(?:from|import) p\w+.*$", source, re.MULTILINE)]


def test_the_sdist_builds_the_same_wheel(dist, tmp_path):
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    assert (folder / "dist" / wheel.name).read_bytes() == wheel.read_bytes()


def test_the_same_release_gives_the_same_bytes(tmp_path):
    release = whole(tmp_path / "release")
    first, again = contents.read(release), contents.read(release)
    assert python.build(first) == python.build(again)
    assert npm.build(first) == npm.build(again)


def test_a_release_without_kinds_record_and_definitions_keeps_its_reasons(tmp_path):
    release = whole(tmp_path / "release")
    old = list(reader.word_rows((release / "words.csv").read_bytes()))
    text = io.StringIO()
    writer = csv.DictWriter(text, reader.EVERY_RELEASE, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(old)
    (release / "words.csv").write_text(text.getvalue())
    reseal(release)
    packed = list(csv.DictReader(python.table(contents.read(release).rows).decode().splitlines()))
    assert [row["because"] for row in packed] == [row["because"] for row in old]
    assert {row["first_accepted"] for row in packed} == {""}


def test_the_packed_table_has_each_reason_once(rows):
    packed = csv.DictReader(
        python.table([row | dict.fromkeys(contents.DATES, "") for row in rows[:2000]]).decode().splitlines()
    )
    made = [row["because"] or because(row["kind"], row["details"]) for row in packed]
    assert made == [row["because"] for row in rows[:2000]]
    assert len(python.table([row | dict.fromkeys(contents.DATES, "") for row in rows[:2000]])) < 200_000


def test_dates_are_used_only_where_the_record_is_that_of_the_release(tmp_path):
    release = whole(tmp_path / "release")
    shutil.copy(RELEASE / "evidence.csv", release)
    found = {row["word"]: row for row in contents.read(release).rows}
    dated = next(word for word, row in found.items() if row["last_accepted"])
    text = (release / "words.csv").read_text()
    newer = re.sub(rf"^({dated},\w+,[\d.]+),(\d+)", lambda at: f"{at[1]},{int(at[2]) - 1}", text, flags=re.MULTILINE)
    assert newer != text
    (release / "words.csv").write_text(newer)
    reseal(release)
    again = {row["word"]: row for row in contents.read(release).rows}
    assert again[dated]["last_accepted"] == ""
    assert (
        sum(row["last_accepted"] != "" for row in again.values())
        == sum(row["last_accepted"] != "" for row in found.values()) - 1
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("words.csv", b"likely", b"core", "words.csv in"),
        ("datapackage.json", b'"version": "20', b'"version": "x', "is not a version of a release"),
        ("wordlist.txt", b"\n", b"\nzzzz\n", "wordlist.txt and words.csv in"),
        ("evidence.csv", b"covers", b"Covers", "evidence.csv"),
    ],
)
def test_a_damaged_release_makes_no_package(tmp_path, capfd, name, old, new, says):
    release = whole(tmp_path / "release")
    shutil.copy(RELEASE / "evidence.csv", release)
    (release / name).write_bytes((release / name).read_bytes().replace(old, new, 1))
    if name != "words.csv":
        reseal(release)
    assert command.main(["--release", str(release), "--to", str(tmp_path / "dist")]) == 1
    error = capfd.readouterr().err
    assert says in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize("absent", ["words.csv", "wordlist.txt", "LICENSES.txt"])
def test_a_release_that_lacks_a_file_makes_no_package(tmp_path, capfd, absent):
    release = whole(tmp_path / "release")
    (release / absent).unlink()
    reseal(release)
    assert command.main(["--release", str(release), "--to", str(tmp_path / "dist")]) == 1
    assert f"has no {absent}, which the packages need" in capfd.readouterr().err


# ---------------------------------------------------------------- the Python package


def test_only_the_package_is_in_the_environment(site):
    (folder,) = (site / "venv/lib").glob("python*/site-packages")
    assert {path.name.partition("-")[0] for path in folder.iterdir()} == {"bee_wordlist"}


def test_the_lists_are_those_of_the_release(site, rows):
    names = ("words", "in_play", "safe", "family")
    lists = told(site, "{name: getattr(bee_wordlist, name)() for name in given}", names)
    assert lists["words"] == pipeline.load_words()
    assert lists["in_play"] == (RELEASE / "wordlist-in-play.txt").read_text().split()
    for name, flags in (("safe", SAFE), ("family", FAMILY)):
        assert lists[name] == [row["word"] for row in export.choose(rows, export.Choice(LISTED, flags))]
    tiers = told(site, "{tier: bee_wordlist.words(tier) for tier in given}", ["core", "review"])
    assert tiers == {tier: [row["word"] for row in rows if row["tier"] == tier] for tier in tiers}
    assert told(site, "bee_wordlist.VERSION") == reader.read(RELEASE, reader.PACKAGE).version


RARE_LETTERS = ["creatid", "snortig"]
"""Letters of puzzles with both E and R, and with S, center first."""


def test_solving_uses_the_whole_list_unless_another_is_named(site):
    whole_list = (RELEASE / "wordlist.txt").read_text().split()
    smaller = set((RELEASE / "wordlist-in-play.txt").read_text().split())
    for letters in RARE_LETTERS:
        found = told(site, "bee_wordlist.solve(given)", letters)
        assert found == pipeline.solve(letters, whole_list)
        assert not smaller.issuperset(found)
        assert run(site, "-m", "bee_wordlist", letters).stdout.split() == found
        assert told(site, "bee_wordlist.solve(given, bee_wordlist.in_play())", letters) == [
            word for word in found if word in smaller
        ]


def test_it_solves_and_scores_as_the_pipeline_does(site, asked):
    found = told(site, "[bee_wordlist.solve(letters) for letters in given]", asked)
    assert found == [pipeline.solve(letters) for letters in asked]
    own = ["octave", "xxxx", "cove", "Cove", "covenant"]
    assert told(site, "bee_wordlist.solve('V ctaoen', given)", own) == pipeline.solve("vctaoen", own)
    assert told(site, "[bee_wordlist.score(word) for word in given]", found[0]) == [score(word) for word in found[0]]


def test_the_command_prints_what_bee_solve_prints(site, bee, rows):
    guess = min(solver.guesses(pipeline.load_words(), solver.candidates(rows)))
    for letters in (["vctaoen"], ["V", "ctaoen"], ["".join(dict.fromkeys(guess))], ["zxqjkwv"]):
        ours, theirs = run(site, "-m", "bee_wordlist", *letters), bee("solve", *letters)
        assert (ours.stdout, ours.stderr, ours.returncode) == (theirs.out, theirs.err, theirs.code)
    assert f"{guess} ?" in run(site, "-m", "bee_wordlist", *dict.fromkeys(guess)).stdout


SLOW_IMPORTS = {"typing", "dataclasses", "pathlib", "re", "json", "csv", "bz2", "bee_wordlist.lookup"}
"""Modules whose import takes as long as solving a puzzle."""


def test_solving_imports_nothing_that_takes_long(site):
    done = run(site, "-c", "import sys, bee_wordlist; bee_wordlist.solve('vctaoen'); print(*sys.modules)")
    assert "bee_wordlist.solver" in done.stdout.split()
    assert not SLOW_IMPORTS & set(done.stdout.split())


def test_why_says_what_the_release_says(site, rows):
    some = {row["word"]: row for row in rows[::400]}
    assert {row["tier"] for row in some.values()} == {"core", "likely", "review", "refused"}
    found = told(site, "[bee_wordlist.why(word)._asdict() for word in given]", list(some))
    lines = (RELEASE / "evidence.csv").read_text().splitlines()[1:]
    evidence = {row["word"]: row for row in csv.DictReader(lines)}
    for answer, row in zip(found, some.values(), strict=True):
        record = answer.pop("record")
        assert answer == {
            "word": row["word"], "tier": row["tier"], "listed": row["tier"] in LISTED, "p": float(row["p"]),
            "reason": row["because"], "flags": row["flags"].split(),
        }  # fmt: skip
        known = evidence.get(row["word"])
        dates = [known[name] for name in contents.DATES] if known else []
        assert record == ([int(known["offered"]), int(known["accepted"]), *dates] if known else None)


def test_a_word_in_no_list_is_unknown_and_no_error(site):
    strange = ["zzzz", "", "luff,core", "a\nb", "café", '"', "luf", "../words"]
    unknown = [[word, "unknown", False, None, "We do not know this word", [], None] for word in strange]
    assert told(site, "[bee_wordlist.why(word) for word in given]", strange) == unknown


def test_a_word_may_be_in_any_case_and_an_answer_cannot_be_changed(site):
    assert told(site, "bee_wordlist.why(' LUFF ') == bee_wordlist.why('luff')") is True
    done = run(site, "-c", "import bee_wordlist; bee_wordlist.why('luff').tier = 'refused'")
    assert "AttributeError" in done.stderr


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


@pytest.mark.parametrize("arguments", [[], ["abc"], ["vctaoen", "x"], ["--why"], ["--bogus"], ["vctaoé1"]])
def test_a_wrong_command_gets_one_line(site, arguments):
    done = run(site, "-m", "bee_wordlist", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bee_wordlist: ")
    assert len(done.stderr.splitlines()) == 1


def test_the_command_has_help_and_a_version(site):
    assert "LETTERS" in run(site, "-m", "bee_wordlist", "--help").stdout
    assert run(site, "-m", "bee_wordlist", "--version").stdout.strip() == reader.read(RELEASE, reader.PACKAGE).version


def test_wrong_letters_and_tiers_are_errors_that_can_be_caught(site):
    code = """
import bee_wordlist
for call in (lambda: bee_wordlist.solve("abc"), lambda: bee_wordlist.words("best")):
    try:
        call()
    except bee_wordlist.BeeError as error:
        print(type(error).__name__, error)
"""
    first, second = run(site, "-c", code).stdout.splitlines()
    assert first.startswith('LettersError A puzzle has seven letters, center first; "abc"')
    assert second == 'BeeError "best" is no tier; there are core, likely, review, refused.'


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
answers: list[str] = bee_wordlist.solve("vctaoen", words=["cove"]) + bee_wordlist.words("core") + bee_wordlist.in_play()
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


def node(site: Path, code: str, given: object = None) -> object:
    """Run a module in node that sets `result`, with the package installed and `given` at hand."""
    imports = """
import all, { version } from "bee-wordlist";
import { words as inPlay } from "bee-wordlist/in-play";
import { words as safe } from "bee-wordlist/safe";
import { solve, score, isPangram } from "bee-wordlist/solve";
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0));
let result;
"""
    done = subprocess.run(
        ["node", "--input-type=module", "-e", f"{imports}{code}\nconsole.log(JSON.stringify(result));"],
        cwd=site, input=json.dumps(given), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@NODE
def test_the_modules_have_the_lists_of_the_release(site, rows):
    version, every, playable, safe = node(site, "result = [version, all, inPlay, safe];")
    assert version == reader.read(RELEASE, reader.PACKAGE).version
    assert every == pipeline.load_words()
    assert playable == (RELEASE / "wordlist-in-play.txt").read_text().split()
    assert safe == [row["word"] for row in export.choose(rows, export.Choice(LISTED, SAFE))]
    assert len(gzip.compress((site / "node_modules/bee-wordlist/in-play.js").read_bytes())) < 50_000


@NODE
def test_the_main_module_of_npm_is_the_whole_list_and_solves_puzzles_with_rare_letters(site):
    package = json.loads((site / "node_modules/bee-wordlist/package.json").read_text())
    assert package["exports"]["."]["default"] == package["main"] == "./index.js"
    whole_list, found, found_in_play = node(
        site,
        "result = [all, given.map((letters) => solve(letters, all)), given.map((letters) => solve(letters, inPlay))];",
        RARE_LETTERS,
    )
    assert whole_list == (RELEASE / "wordlist.txt").read_text().split()
    assert found == [pipeline.solve(letters) for letters in RARE_LETTERS]
    for answers, answers_in_play in zip(found, found_in_play, strict=True):
        assert len(answers_in_play) < len(answers)


@NODE
def test_the_first_example_of_the_npm_readme_solves_with_the_whole_list(site):
    readme = (site / "node_modules/bee-wordlist/README.md").read_text()
    (example,) = re.findall(r"^```js\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    code = example.replace("vctaoen", RARE_LETTERS[0]).replace("console.log(", "console.log(...")
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code], cwd=site, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == pipeline.solve(RARE_LETTERS[0])


@NODE
def test_it_solves_in_node_as_bee_solve_does(site, asked):
    found, points, pangrams = node(
        site,
        "const found = given.map((letters) => solve(letters, all));"
        "result = [found, found[0].map(score), found[0].map(isPangram)];",
        asked,
    )
    assert found == [pipeline.solve(letters) for letters in asked]
    assert points == [score(word) for word in found[0]]
    assert pangrams == [pipeline.pangram(word) for word in found[0]]


@NODE
def test_wrong_calls_are_errors_in_node(site):
    calls = {
        "solve('abc', all)": "A puzzle has seven letters, center first; “abc” has 3.",
        "solve('aabcdef', all)": "The letter “a” occurs twice; seven different letters are needed.",
        "solve('vctaoe1', all)": "“1” is not a letter from a to z.",
        "solve(5, all)": 'The letters of a puzzle are text, such as "vctaoen".',
        "solve('vctaoen')": 'Name a list: solve(letters, words), with words from "bee-wordlist".',
    }
    tries = "".join(
        f"try {{ {call}; result.push('') }} catch (error) {{ result.push(error.message) }}\n" for call in calls
    )
    assert node(site, f"result = [];\n{tries}") == list(calls.values())


@NODE
def test_a_list_of_ones_own_may_hold_anything(site):
    own = ["cove", "Cove", "covét", "cové", "octave", "canto", "co-ve", ""]
    assert node(site, "result = solve('V-ctaoen', given);", own) == ["octave", "cove"]


@NPM
def test_the_tarball_is_what_npm_pack_packs(dist, tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    (tarball,) = dist.glob("*.tgz")
    with tarfile.open(tarball) as packed:
        packed.extractall(ours, filter="data")
        assert {entry.mode for entry in packed} == {0o644}
    subprocess.run(["npm", "pack", "--offline"], cwd=ours / "package", check=True, capture_output=True)
    again = ours / "package" / tarball.name
    with tarfile.open(again) as packed:
        packed.extractall(theirs, filter="data")
    again.unlink()
    assert snapshot(ours) == snapshot(theirs)


@pytest.fixture(scope="module")
def esbuild(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A common bundler, installed by npm."""
    folder = tmp_path_factory.mktemp("esbuild")
    (folder / "package.json").write_text("{}")
    install = ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=0", ESBUILD]
    try:
        done = subprocess.run(install, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot install {ESBUILD}: {error}")
    if done.returncode:
        pytest.skip(f"npm cannot install {ESBUILD}: {done.stderr.strip().splitlines()[:1]}")
    return folder / "node_modules/.bin/esbuild"


def bundled(esbuild: Path, site: Path, code: str) -> Path:
    """Bundle a module that uses the package."""
    (site / "entry.js").write_text(code)
    bundle = [str(esbuild), "entry.js", "--bundle", "--minify", "--format=esm", "--outfile=bundle.mjs"]
    subprocess.run(bundle, cwd=site, check=True, capture_output=True)
    return site / "bundle.mjs"


@NPM
def test_a_bundle_has_only_what_it_uses(site, esbuild):
    code = 'import { words } from "bee-wordlist/in-play"; import { solve } from "bee-wordlist/solve"; '
    bundle = bundled(esbuild, site, f'{code}console.log(solve("vctaoen", words).join(" "));')
    printed = subprocess.run(["node", bundle], capture_output=True, text=True, check=True).stdout
    assert printed.split() == pipeline.solve("vctaoen")
    assert bundle.stat().st_size < 140_000
    small = bundled(esbuild, site, 'import { score } from "bee-wordlist/solve"; console.log(score("cove"));')
    assert small.stat().st_size < 1_000
