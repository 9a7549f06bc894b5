"""The packages for users of the list: built from a release, installed where nothing else is, and used from there."""

from __future__ import annotations

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
from typing import Any

import pytest
from conftest import PROJECT, first_words, reseal, snapshot

import pipeline
from packages import __main__ as command
from packages import build
from pipeline import reader
from pipeline.play import about, glosses, puzzles
from pipeline.words import LISTED, NOT_FOR_FAMILIES, UNSAFE_FLAGS, score

Rows = list[dict[str, str]]
UNPLAYABLE = {
    "": "too short: an answer has at least 4 letters",
    "cab": "too short: an answer has at least 4 letters",
    "background": "10 different letters: a puzzle has 7",
    "cocoon" * 3 + "co": "too long: no answer has more than 19 letters",
    "café": '"é" is not a letter from a to z',
}
UNKNOWN = ["covenat", "zzzz", "cocoon" * 3 + "c"]
WRONG_LETTERS = {
    "abc": "A puzzle has seven letters, center first; you gave 3.",
    "vctaoens": "A puzzle has seven letters, center first; you gave 8.",
    "aabcdef": 'The letter "a" is there twice; a puzzle has seven different letters.',
    "vctaoe1": '"1" is not a letter from a to z.',
}
OWN = ["cove", "Cove", "covét", "octave", "canto", "cov", "", "v" * 19, "v" * 20]
"""A user's own list, which may contain anything; three of its words are answers."""

PYTHON = """
import json, sys, bee_wordlist as bee
from dataclasses import asdict
given = json.load(sys.stdin)
def wrong(letters):
    try: bee.solve(letters)
    except bee.LettersError as error: return str(error)
print(json.dumps({"version": bee.VERSION, "tiers": bee.TIERS, "words": bee.words(), "safe": bee.safe(),
    "family": bee.family(), **{tier: bee.words(tier) for tier in ("core", "likely", "review")},
    "solved": [bee.solve(letters) for letters in given["letters"]], "own": bee.solve(" V ctaoen", given["own"]),
    "points": [bee.score(word) for word in given["words"]], "define": [bee.define(word) for word in given["words"]],
    "pangrams": [bee.is_pangram(word) for word in given["words"]], "wrong": [wrong(item) for item in given["wrong"]],
    "why": [asdict(bee.why(word)) for word in given["words"]], "entries": [asdict(entry) for entry in bee.entries()]}))
"""
NODE = """
import * as bee from "bee-wordlist";
import { define, entries, why } from "bee-wordlist/why";
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0));
const wrong = (letters) => { try { bee.solve(letters) } catch (error) { return error.message } };
const { version, tiers, words, safe, family, core, likely, review } = bee;
console.log(JSON.stringify({ version, tiers, words, safe, family, core, likely, review,
    solved: given.letters.map((letters) => bee.solve(letters)), own: bee.solve(" V ctaoen", given.own),
    points: given.words.map(bee.score), pangrams: given.words.map(bee.isPangram), wrong: given.wrong.map(wrong),
    why: given.words.map(why), define: given.words.map(define), entries: [...entries()] }));
"""


def run(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, **{"cwd": folder, "capture_output": True, "text": True, "check": False, **options})


def bee(site: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command of the installed package."""
    return run(site, str(site / "venv/bin/python"), "-m", "bee_wordlist", *arguments, **options)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both packages, built from the release of the project by the command."""
    folder = tmp_path_factory.mktemp("dist")
    assert command.main(["--to", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def site(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has a `pipeline` of its own, and both packages in empty environments: venv/ and node_modules/."""
    folder = tmp_path_factory.mktemp("site")
    script = str(PROJECT / "packages/try.sh")
    done = run(folder, script, str(dist), str(folder), env=os.environ | {"PYTHON": sys.executable})
    answers = pipeline.solve("vctaoen")
    assert done.stdout.splitlines()[: len(answers)] == answers
    if shutil.which("node"):
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1].split()[2:] == answers
    return folder


@pytest.fixture(scope="module")
def release() -> reader.Release:
    return reader.read(PROJECT / "data/custom")


@pytest.fixture(scope="module")
def rows(release: reader.Release) -> Rows:
    return list(reader.rows(release.files["words.csv"], "words.csv"))


@pytest.fixture(scope="module")
def given(rows: Rows) -> dict[str, list[str]]:
    """Letters of 40 random puzzles and of two with S, or E and R; words of all tiers, and words without one."""
    possible = puzzles.possible(pipeline.load_words())
    chosen = random.Random(23).sample(range(len(possible)), 40)
    letters = (possible["center"].iloc[chosen] + possible["outer"].iloc[chosen]).tolist()
    words = [*(row["word"] for row in rows[::400]), rows[-1]["word"], "null", *UNPLAYABLE, *UNKNOWN]
    return {"letters": ["creatid", "snortig", *letters], "words": words, "own": OWN, "wrong": list(WRONG_LETTERS)}


@pytest.fixture(scope="module", params=["python", pytest.param("node", marks=pytest.mark.needs("node"))])
def answers(request: pytest.FixtureRequest, site: Path, given: dict[str, list[str]]) -> dict[str, Any]:
    """What an installed package returns for everything in `given`."""
    arguments = ["venv/bin/python", "-c", PYTHON]
    if request.param == "node":
        arguments = ["node", "--input-type=module", "-e", NODE]
    done = run(site, *arguments, input=json.dumps(given))
    assert (done.returncode, done.stderr) == (0, "")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_the_lists_are_those_of_the_release(answers, release, rows):
    assert answers["version"] == release.version
    assert answers["tiers"] == ["core", "likely", "review", "refused"]
    assert answers["words"] == release.files["wordlist.txt"].decode().split()
    for tier in ("core", "likely", "review"):
        assert answers[tier] == [row["word"] for row in rows if row["tier"] == tier]
    for name, flags in (("safe", UNSAFE_FLAGS), ("family", NOT_FOR_FAMILIES)):
        listed = [row for row in rows if row["tier"] in LISTED]
        assert answers[name] == [row["word"] for row in listed if not {*flags} & {*row["flags"].split()}]
    tiers = [(entry["word"], entry["tier"], entry["p"]) for entry in answers["entries"]]
    assert tiers == [(row["word"], row["tier"], float(row["p"])) for row in rows]


def test_they_solve_and_score_as_the_pipeline_does(answers, given):
    assert answers["solved"] == [pipeline.solve(letters) for letters in given["letters"]]
    assert answers["own"] == ["v" * 19, "octave", "cove"]
    assert answers["points"] == [score(word) for word in given["words"]]
    assert answers["pangrams"] == [pipeline.pangram(word) for word in given["words"]]
    assert answers["wrong"] == list(WRONG_LETTERS.values())


def test_they_say_why_and_define_as_the_release_does(answers, given, release):
    definitions = glosses.load(PROJECT / "data/custom", {*given["words"]})
    entries = {entry["word"]: entry for entry in answers["entries"]}
    tiers = set()
    for word, entry, definition in zip(given["words"], answers["why"], answers["define"], strict=True):
        expected = about.explain(word, release)
        record = {name: cell if cell != "" else None for name, cell in expected.record.items()}
        assert entry == {
            "word": word, "tier": "unplayable" if word in UNPLAYABLE else expected.tier, "listed": expected.listed,
            "p": expected.p, "because": UNPLAYABLE.get(word, expected.because), "flags": expected.flags,
            "record": record or None, "near": entry["near"],
        }  # fmt: skip
        near = about.near_misses(word, pipeline.load_words()) if word in UNKNOWN else []
        assert len(entry["near"]) <= (3 if entry["tier"] in ("unknown", "unplayable") else 0)
        if word in UNKNOWN:
            assert entry["near"][:1] == near[:1]
        assert entry == entries.get(word, entry)
        assert definition == (glosses.line(definitions[word]) if word in entries.keys() & definitions else "")
        tiers.add(entry["tier"])
    assert tiers == {"core", "likely", "review", "refused", "unknown", "unplayable"}


@pytest.mark.needs("node")
def test_words_are_near_in_node_if_they_are_one_edit_away_or_from_six_letters_on_two(site):
    script = 'import { why } from "bee-wordlist/why"; console.log(JSON.stringify(process.argv.slice(1).map(why)))'
    done = run(site, "node", "--input-type=module", "-e", script, "luffz", "luffzz", "luffzzz")
    one, two, three = (entry["near"] for entry in json.loads(done.stdout))
    assert (one[0], two[0], three) == ("luff", "luff", [])


def test_the_command_answers_with_an_exit_code(site, release):
    done = bee(site, "vctaoen")
    assert (done.stdout.split(), done.stderr, done.returncode) == (pipeline.solve("vctaoen"), "", 0)
    done = bee(site, "zxqjkwv")
    assert (done.stdout, len(done.stderr.splitlines()), done.returncode) == ("", 1, 1)
    done = bee(site, "--why", "LUFF", "covenat", "\udcff")
    assert re.match(r"luff: core, p = .*\n  accepted .*\ncovenat: unknown, .*\n  near: covenant, ", done.stdout)
    assert (done.stderr, done.returncode) == ("", 1)
    done = bee(site, "--define", "luff", "zzzz")
    assert re.fullmatch(r"luff: .+\nzzzz: no definition\n", done.stdout)
    assert (done.stderr, done.returncode) == ("", 1)
    assert bee(site, "--why", "luff").returncode == bee(site, "--define", "luff").returncode == 0
    assert bee(site, "--version").stdout == f"{release.version}\n"
    for arguments in ([], ["abc"], ["vctaoen", "x"], ["--why"], ["vctaoen", "--why", "luff"]):
        done = bee(site, *arguments)
        assert (done.returncode, done.stdout, done.stderr[:6]) == (2, "", "usage:")
    source, target = os.pipe()
    os.close(source)
    done = bee(site, "vctaoen", capture_output=False, stdout=target, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, "")
    os.close(target)


@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_damaged_install_says_how_to_repair_it(site, tmp_path, damage):
    (installed,) = (site / "venv/lib").glob("python*/site-packages/bee_wordlist")
    copies = [shutil.copytree(installed, tmp_path / "bee_wordlist")]
    copies.append(shutil.copytree(site / "node_modules/bee-wordlist", tmp_path / "node_modules/bee-wordlist"))
    for path in (copy / "words.jsonl.gz" for copy in copies):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        if damage == "gone":
            path.unlink()
    python = (sys.executable, "-m", "bee_wordlist")
    assert run(tmp_path, *python, "vctaoen").returncode == 0, "solving needs only the list"
    (copies[0] / "wordlist.txt").write_bytes(b"\xff")
    for arguments in (["--why", "luff"], ["--define", "luff"], ["vctaoen"]):
        done = run(tmp_path, *python, *arguments)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
        assert done.stderr.endswith("Install bee-wordlist again.\n")
    if shutil.which("node"):
        code = (
            'import { why } from "bee-wordlist/why"; try { why("luff") } catch (error) { console.log(error.message) }'
        )
        assert run(tmp_path, "node", "--input-type=module", "-e", code).stdout.endswith("Install bee-wordlist again.\n")


def test_the_examples_of_the_readmes_are_right(site):
    shutil.copy(PROJECT / "packages/python/README.md", site / "README.txt")
    assert run(site, "venv/bin/python", "-m", "doctest", "README.txt").stdout == ""
    (code,) = re.findall(r"```js\n(.*?)```", (PROJECT / "packages/npm/README.md").read_text(), re.DOTALL)
    if shutil.which("node"):
        done = run(site, "node", "--input-type=module", "-e", code)
        assert done.stdout.splitlines() == re.findall("// (.*)", code)


def test_the_types_hold_in_a_strict_consumer(site, tmp_path):
    lines = [
        "import bee_wordlist",
        'entry: bee_wordlist.Why = bee_wordlist.why("luff")',
        "first: str | None = entry.record.first_accepted if entry.record else None",
        'points: int = sum(map(bee_wordlist.score, bee_wordlist.solve("vctaoen", words=["cove"])))',
        "bee_wordlist.solve(5)",
    ]
    (tmp_path / "consumer.py").write_text("\n".join(lines))
    options = ["--strict", "--no-incremental", "--python-executable", str(site / "venv/bin/python")]
    done = run(tmp_path, sys.executable, "-m", "mypy", *options, "consumer.py")
    assert re.findall(r":(\d+): error: (.{20})", done.stdout) == [("5", 'Argument 1 to "solve')], done.stdout


def unpack(tarball: Path, folder: Path) -> None:
    """Unpack a tarball with tar, because `tarfile` of early versions of Python 3.11 has no filter."""
    folder.mkdir(exist_ok=True)
    subprocess.run(["tar", "-xzf", str(tarball), "-C", str(folder)], check=True)


def test_the_wheel_has_the_package_and_its_licenses_and_the_sdist_builds_the_same(dist, release, tmp_path):
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = [re.sub("^[^/]*dist-info/", "", name) for name in packed.namelist()]
        (metadata,) = [packed.read(name).decode() for name in packed.namelist() if name.endswith("METADATA")]
        assert not any(b"pipeline" in packed.read(name) for name in packed.namelist() if name.endswith(".py"))
    own = {f"bee_wordlist/{path.name}" for path in (PROJECT / "packages/python/bee_wordlist").glob("*.*")}
    data = {f"bee_wordlist/{name}" for name in ("version.txt", "wordlist.txt", "words.jsonl.gz")}
    assert {*names} == own | data | {"METADATA", "RECORD", "WHEEL", "licenses/LICENSE", "licenses/LICENSES.txt"}
    licenses = " AND ".join(license["name"] for license in release.package["licenses"])
    assert f"License-Expression: {licenses}\n" in metadata
    assert json.loads((PROJECT / "packages/npm/package.json").read_text())["license"] == f"({licenses})"
    assert "Requires-Dist" not in metadata
    unpack(sdist, tmp_path)
    (folder,) = tmp_path.iterdir()
    assert run(folder, sys.executable, "-m", "hatchling", "build", "-t", "wheel").returncode == 0
    assert (folder / "dist" / wheel.name).read_bytes() == wheel.read_bytes()


@pytest.mark.needs("npm")
def test_the_tarball_is_what_npm_pack_packs(dist, tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    (tarball,) = dist.glob("*.tgz")
    unpack(tarball, ours)
    with tarfile.open(tarball) as packed:
        assert {entry.mode for entry in packed} == {0o644}
    assert run(ours / "package", "npm", "pack", "--offline").returncode == 0
    again = ours / "package" / tarball.name
    unpack(again, theirs)
    again.unlink()
    assert snapshot(ours) == snapshot(theirs)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A release of the first words of the real one."""
    folder = first_words(tmp_path / "release")
    rows = reader.rows((folder / "words.csv").read_bytes(), "words.csv")
    (folder / "wordlist.txt").write_text("".join(f"{row['word']}\n" for row in rows if row["tier"] in LISTED))
    reseal(folder)
    return folder


def test_the_same_release_gives_the_same_bytes_under_names_that_sort(small):
    assert build.build(build.read(small)) == build.build(build.read(small))
    versions = ["2025.12.31.3", "2025.12.31.10", "2026.01.05.1", "2026.01.31.1", "2026.10.01.1"]
    npm_versions = ["2025.1231.3", "2025.1231.10", "2026.105.1", "2026.131.1", "2026.1001.1"]
    assert [build.semver(version) for version in versions] == npm_versions


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("words.csv", b"likely", b"core", "words.csv in"),
        ("datapackage.json", b'"version": "20', b'"version": "x', "is not a version of a release"),
        ("wordlist.txt", b"\n", b"\nzzzz\n", "wordlist.txt and words.csv in"),
        ("record.csv", None, None, "has no record.csv, which the packages need"),
        ("glosses.csv", None, None, "glosses.csv is missing from"),
    ],
)
def test_a_damaged_release_makes_no_package(small, tmp_path, capfd, name, old, new, message):
    if old is None:
        (small / name).unlink()
    else:
        (small / name).write_bytes((small / name).read_bytes().replace(old, new, 1))
    if name != "words.csv":
        reseal(small)
    assert command.main(["--release", str(small), "--to", str(tmp_path / "dist")]) == 1
    error = capfd.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "dist").exists()
