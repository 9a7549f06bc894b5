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
from conftest import PROJECT, first_words, reseal

import pipeline
from packages import __main__ as command
from packages import build
from pipeline import reader
from pipeline.errors import LettersError
from pipeline.play import glosses, puzzles
from pipeline.words import DATES_OF_RECORD, LISTED, NOT_FOR_FAMILIES, UNSAFE_FLAGS, puzzle, score, why_unplayable

WRONG_LETTERS = ["", "abc", "vctaoens", "aabcdef", "vctaoe1"]
OWN = ["cove", "Cove", "covét", "octave", "cave", "canto", "cov", "", "v" * 19, "v" * 20]
"""A user's own list, which may contain anything; four of its words are answers."""

PYTHON = """
import json, sys, bee_wordlist as bee
from dataclasses import asdict
given = json.load(sys.stdin)
def wrong(letters):
    try: bee.solve(letters)
    except ValueError as error: return str(error)
def why(word):
    entry = bee.why(word)
    return entry and {**asdict(entry), "listed": entry.listed}
print(json.dumps({"version": bee.VERSION, "words": bee.words(), "safe": bee.words(safe=True),
    "family": bee.words(family=True), "solved": [bee.solve(letters) for letters in given["letters"]],
    "own": bee.solve(" V ctaoen", given["own"]), "points": [bee.score(word) for word in given["words"]],
    "define": [bee.define(word) for word in given["words"]], "why": [why(word) for word in given["words"]],
    "wrong": [wrong(letters) for letters in given["wrong"]]}))
"""
NODE = """
import { family, safe, score, solve, version, words } from "bee-wordlist";
import { define, why } from "bee-wordlist/why";
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0));
const wrong = (letters) => { try { solve(letters) } catch (error) { return error.message } };
console.log(JSON.stringify({ version, words, safe, family, solved: given.letters.map((letters) => solve(letters)),
    own: solve(" V ctaoen", given.own), points: given.words.map(score), define: given.words.map(define),
    why: given.words.map(why).map((entry) => ({ ...entry, ...entry.record })), wrong: given.wrong.map(wrong) }));
"""


def run(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, **{"cwd": folder, "capture_output": True, "text": True, "check": False, **options})


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
def rows(release: reader.Release) -> list[dict[str, str]]:
    return reader.rows(release.files["words.csv"], "words.csv")


@pytest.fixture(scope="module")
def given(rows: list[dict[str, str]]) -> dict[str, list[str]]:
    """Letters of 40 random puzzles and of two with S, or E and R; words of all tiers, and two without an entry."""
    possible = puzzles.possible(pipeline.load_words())
    chosen = random.Random(23).sample(range(len(possible)), 40)
    letters = (possible["center"].iloc[chosen] + possible["outer"].iloc[chosen]).tolist()
    words = [*(row["word"] for row in rows[::800]), rows[-1]["word"], "null", "zzzz", ""]
    return {"letters": ["creatid", "snortig", *letters], "words": words, "own": OWN, "wrong": WRONG_LETTERS}


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
    assert answers["words"] == release.files["wordlist.txt"].decode().split()
    listed = [row for row in rows if row["tier"] in LISTED]
    for name, flags in (("safe", UNSAFE_FLAGS), ("family", NOT_FOR_FAMILIES)):
        assert answers[name] == [row["word"] for row in listed if not {*flags} & {*row["flags"].split()}]


def test_they_solve_and_score_as_the_pipeline_does(answers, given):
    assert answers["solved"] == [pipeline.solve(letters) for letters in given["letters"]]
    assert answers["own"] == ["v" * 19, "octave", "cave", "cove"]
    assert answers["points"] == [score(word) for word in given["words"]]
    for letters, says in zip(WRONG_LETTERS, answers["wrong"], strict=True):
        with pytest.raises(LettersError, match=f"^{re.escape(says)}$"):
            puzzle(letters)


def test_they_say_why_and_define_as_the_release_does(answers, given, rows):
    definitions = glosses.load(PROJECT / "data/custom", {*given["words"]})
    by_word = {row["word"]: row for row in rows}
    tiers = set()
    for word, entry, definition in zip(given["words"], answers["why"], answers["define"], strict=True):
        assert definition == (glosses.line(definitions[word]) if word in definitions else "")
        if word not in by_word:
            assert entry is None or entry["tier"] in ("unknown", "unplayable")
            continue
        row = by_word[word]
        assert entry["p"] == float(row["p"])
        assert [entry[name] for name in ("word", "tier", "because")] == [word, row["tier"], row["because"]]
        assert (entry["flags"], entry["listed"]) == (row["flags"].split(), row["tier"] in LISTED)
        assert [entry.get(name, 0) for name in ("offered", "accepted")] == [int(row["offered"]), int(row["accepted"])]
        assert [entry.get(name) for name in DATES_OF_RECORD] == [row[name] or None for name in DATES_OF_RECORD]
        tiers.add(entry["tier"])
    assert tiers == {"core", "likely", "review", "refused"}


NODE_ONLY = """
import * as bee from "bee-wordlist";
import { entries, why } from "bee-wordlist/why";
const { core, likely, review, tiers } = bee;
console.log(JSON.stringify({ core, likely, review, tiers, pangrams: ["covenant", "cove"].map(bee.isPangram),
    near: ["luffz", "luffzz", "luffzzz", "luff"].map((word) => why(word).near), entries: [...entries()],
    unplayable: JSON.parse(process.argv[1]).map((word) => why(word).because) }));
"""
UNPLAYABLE = ["", "cab", "background", "cocoon" * 3 + "co", "café"]


@pytest.mark.needs("node")
def test_the_npm_package_also_has_tiers_all_entries_near_words_and_rules(site, rows):
    done = run(site, "node", "--input-type=module", "-e", NODE_ONLY, json.dumps(UNPLAYABLE))
    result = json.loads(done.stdout)
    assert result["tiers"] == ["core", "likely", "review", "refused"]
    for tier in ("core", "likely", "review"):
        assert result[tier] == [row["word"] for row in rows if row["tier"] == tier]
    entries = [(entry["word"], entry["tier"], entry["p"]) for entry in result["entries"]]
    assert entries == [(row["word"], row["tier"], float(row["p"])) for row in rows]
    assert result["pangrams"] == [True, False]
    one, two, *others = result["near"]
    assert (one[0], two[0], others) == ("luff", "luff", [[], []]), "two edits away from six letters on, else one"
    assert result["unplayable"] == [why_unplayable(word) for word in UNPLAYABLE]


@pytest.mark.parametrize(
    ("arguments", "code", "out", "error"),
    [
        (["VCTAOEN"], 0, "covenant\nnonevent\n", ""),
        (["zxqjkwv"], 1, "", "The list has no words for these letters."),
        (["abc"], 2, "", '"abc" has 3'),
        (["--why", "LUFF", "zz\udcff"], 1, "luff: core, p = 1.00, accepted ", "zz\\udcff: no puzzle has accepted it"),
    ],
)
def test_the_command_answers_with_an_exit_code(site, arguments, code, out, error):
    done = run(site, "venv/bin/python", "-m", "bee_wordlist", *arguments)
    assert (done.returncode, done.stdout[: len(out)], len(done.stderr.splitlines())) == (code, out, bool(error))
    assert error in done.stderr


def test_the_examples_of_the_readmes_are_right(site):
    shutil.copy(PROJECT / "packages/python/README.md", site / "README.txt")
    assert run(site, "venv/bin/python", "-m", "doctest", "README.txt").stdout == ""
    (code,) = re.findall(r"```js\n(.*?)```", (PROJECT / "packages/npm/README.md").read_text(), re.DOTALL)
    if shutil.which("node"):
        done = run(site, "node", "--input-type=module", "-e", code)
        assert done.stdout.splitlines() == re.findall("// (.*)", code)


def test_the_wheel_has_the_package_its_types_and_its_licenses(dist, release):
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = [re.sub("^[^/]*dist-info/", "", name) for name in packed.namelist()]
        (metadata,) = [packed.read(name).decode() for name in packed.namelist() if name.endswith("METADATA")]
    files = "__init__.py __main__.py py.typed version.txt wordlist.txt words.jsonl.gz".split()
    about = {"licenses/LICENSE", "licenses/LICENSES.txt", "METADATA", "RECORD", "WHEEL"}
    assert {*names} == {f"bee_wordlist/{name}" for name in files} | about
    expression = " AND ".join(license["name"] for license in release.package["licenses"])
    assert f"License-Expression: {expression}\n" in metadata
    assert json.loads((PROJECT / "packages/npm/package.json").read_text())["license"] == f"({expression})"
    assert "Requires-Dist" not in metadata


def packed(tarball: Path) -> dict[str, tuple[int, bytes]]:
    """The files of a tarball with their modes and bytes."""
    with tarfile.open(tarball) as files:
        return {entry.name: (entry.mode, files.extractfile(entry).read()) for entry in files}


@pytest.mark.needs("npm")
def test_the_tarball_is_what_npm_pack_packs(dist, site, tmp_path):
    (tarball,) = dist.glob("*.tgz")
    done = run(site / "node_modules/bee-wordlist", "npm", "pack", "--offline", "--pack-destination", str(tmp_path))
    assert done.returncode == 0
    assert packed(tarball) == packed(tmp_path / tarball.name)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A release of the first words of the real one."""
    folder = first_words(tmp_path / "release")
    rows = reader.rows((folder / "words.csv").read_bytes(), "words.csv")
    (folder / "wordlist.txt").write_text("".join(f"{row['word']}\n" for row in rows if row["tier"] in LISTED))
    reseal(folder)
    return folder


def test_the_same_release_gives_the_same_bytes(small):
    assert build.build(build.read(small)) == build.build(build.read(small))


def test_a_damaged_release_makes_no_package(small, tmp_path, capfd):
    (small / "words.csv").write_bytes((small / "words.csv").read_bytes().replace(b"likely", b"core", 1))
    assert command.main(["--release", str(small), "--to", str(tmp_path / "dist")]) == 1
    (error,) = capfd.readouterr().err.splitlines()
    assert "words.csv in" in error
    assert not (tmp_path / "dist").exists()
