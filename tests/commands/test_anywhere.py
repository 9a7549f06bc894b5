"""Outside a checkout: `bee init` makes a workspace, `bee why` needs none, releases are read from archives."""

import io
import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import PROJECT, Result, reseal, snapshot
from sampling import sampled

from pipeline import reader, store


@pytest.mark.slow
def test_a_workspace_is_made_and_what_was_lost_comes_back_and_what_people_wrote_stays(bee, tmp_path):
    work = tmp_path / "work"
    done = bee("init", work)
    assert (done.code, f"`bee --data {work} run` makes the list." in done.err) == (0, True)
    whole = snapshot(work)
    assert whole.pop(".lock", b"") == b""
    assert all((PROJECT / "data" / name).read_bytes() == whole[name] for name in whole)
    needed = {"raw/lexicon/SHA256SUMS", "raw/sample/two-weeks.csv", "custom/words.csv", "custom/verdicts.csv"}
    assert needed <= whole.keys()

    with (work / "custom/verdicts.csv").open("a") as file:
        file.write("luff,drop,a test,ann,2026-01-01\n")
    mine = {"custom/verdicts.csv": (work / "custom/verdicts.csv").read_bytes()}
    (work / "raw/lexicon/scowl.csv.gz").write_bytes(b"damaged")
    (work / "raw/lexicon/licences/cuss.txt").unlink()
    assert "2 files written" in bee("--data", work, "init").err
    assert {**snapshot(work), ".lock": b""} == {**whole, ".lock": b""} | mine
    (work / "custom/wordlist.txt").unlink()
    (work / "raw/lexicon/licences/.cuss.txt.0011aabb.tmp").write_bytes(b"half")
    missing = bee("--data", work, "export")
    assert f"The release in {work}/custom lacks wordlist.txt. Take all files from one release" in missing.err
    assert bee("--data", work, "init").code == 0
    assert {**snapshot(work), ".lock": b""} == {**whole, ".lock": b""} | mine


READING = ("export", "solve vctaoen --json", "why cove --json", "puzzles --limit 1", "site -o page", "--version")
"""Commands that read a release and need no workspace."""


@pytest.mark.slow
@pytest.mark.parametrize("command", sampled(READING, ["export", "why cove --json", "--version"]))
def test_every_command_uses_the_workspace_of_one_rule(bee, other, tmp_path, monkeypatch, command):
    """--data, else BEE_DATA, else ./data if it is a workspace, else the release that came with the program."""
    elsewhere, inside = tmp_path / "elsewhere", tmp_path / "inside"
    (elsewhere / "data").mkdir(parents=True)
    inside.mkdir()
    shutil.copytree(other, inside / "data")
    newer = Path(shutil.copytree(other, tmp_path / "newer"))
    description = (newer / "custom/datapackage.json").read_text()
    (newer / "custom/datapackage.json").write_text(description.replace("2020.01.02.3", "2020.01.02.4"))
    reseal(newer / "custom")
    monkeypatch.setattr(store, "__file__", str(tmp_path / "nowhere/pipeline/store.py"))  # as if it were no checkout

    def used(*options: object) -> str:
        done = bee(*options, *command.split())
        return re.search(r"\d{4}\.\d\d\.\d\d\.\d+", done.err + done.out)[0]

    monkeypatch.chdir(elsewhere)
    assert used() == reader.read(reader.RELEASE).version
    monkeypatch.chdir(inside)
    assert used() == "2020.01.02.3"
    monkeypatch.setenv("BEE_DATA", str(newer))
    assert used() == "2020.01.02.4"
    assert used("--data", inside / "data") == "2020.01.02.3"


@pytest.mark.slow
def test_a_release_that_is_not_whole_is_not_replaced_by_that_of_the_program(bee, other, monkeypatch):
    monkeypatch.chdir(other.parent)
    for name in ("wordlist.txt", "SHA256SUMS"):
        (other / "custom" / name).unlink()
        assert bee("solve", "vctaoen").code == 1
    shutil.rmtree(other / "custom")
    assert "octave" in bee("solve", "vctaoen").out


@pytest.mark.slow
def test_the_lock_of_another_command_is_no_other_file(bee, tmp_path):
    assert bee("--data", tmp_path, "run").code == 1
    assert (tmp_path / ".lock").exists()
    assert bee("--data", tmp_path, "init").code == 0


def test_a_folder_with_other_files_is_left_alone(bee, tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    for path, problem in ((tmp_path, "has other files"), (tmp_path / "letter.txt", "is a file")):
        done = bee("init", path)
        assert (done.code, f"{path} {problem}; name a new folder: `bee init work`" in done.err) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A workspace that was never made and a release that came with the program."""
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path / "bare")
    return tmp_path / "bare"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "tier", "says"),
    [
        ("luff", "core, by record", "record     accepted"),
        ("giles", "refused, by verdict", "verdict    verdict drop"),
        ("covenanto", "unknown, by none", "near       covenant"),
        ("canto cvtaoen", "refused, by", "cvtaoen: not an answer, accepted"),
    ],
)
def test_why_answers_from_the_release_without_a_workspace(bee, nowhere, word, tier, says):
    done = bee("--data", nowhere, "why", *word.split())
    name = word.lower().split()[0]
    assert done.out.startswith(f"{name}: {tier}")
    assert says in done.out
    assert done.err == ""
    assert done.code == int("unknown" in tier)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("cab", "cab cannot be played: too short: an answer has at least 4 letters"),
        ("café", "café cannot be played: é is no letter of the game; try cafe"),
        ("cove\u200b", "U+200B (zero width space) is no letter of the game; try cove"),
        ("ＣＯＶＥ", "U+FF43 (fullwidth latin small letter c) is no letter of the game; try cove"),
        ("c\u043eve", "U+043E (cyrillic small letter o) is no letter of the game"),
        ("background", "10 different letters: a puzzle has 7"),
        ("octavq", ""),
        ("a" * 19, ""),
        ("a" * 20, "too long: no answer has more than 19 letters"),
        ("ice cream", "a space is no letter of the game"),
        ("straße", "try strasse"),
    ],
)
def test_a_word_that_cannot_be_played_is_a_state_of_its_own(bee, nowhere, word, says):
    done = bee("--data", nowhere, "why", word)
    assert done.code == 1
    assert (" cannot be played: " in done.out.splitlines()[0]) == bool(says)
    assert says in done.out
    told = json.loads(bee("--data", nowhere, "why", word, "vctaoen", "--json").out)
    assert (told["tier"], told["answer"]) == ("unplayable" if says else "unknown", False)


@pytest.mark.slow
def test_why_and_define_read_words_from_stdin(bee, ran_once, monkeypatch):
    def piped(text: bytes, *command: str) -> Result:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", errors="strict"))
        return bee("--data", ran_once, *command)

    for text, words, code in (
        (b"agog\n\nAfro \nagog # twice\n", ["agog", "afro"], 0),
        (b"zzyzzy\nagog\n", ["zzyzzy", "agog"], 1),
        (b"caf\xe9\nagog\n", ["caf\ufffd", "agog"], 1),
    ):
        told = piped(text, "why", "-", "--json")
        assert (told.code, [row["word"] for row in json.loads(told.out)["rows"]]) == (code, words)
        defined = piped(text, "define", "-").out
        assert [re.split("[,:\n]", line)[0] for line in re.findall(r"^\S.*", defined, re.MULTILINE)] == words
    assert "There is no word on stdin." in piped(b"\n", "why", "-").err


@pytest.mark.slow
def test_plain_lists_are_compared_with_each_other_and_with_releases(bee, ran_once, tmp_path):
    custom = ran_once / "custom"
    header = "word,change,before,after,because\n"
    (tmp_path / "old.txt").write_text("cove\ntroth\n")
    (tmp_path / "new.txt").write_text("cove\noctave\n")
    done = bee("changes", tmp_path / "old.txt", tmp_path / "new.txt")
    assert done.out == f"{header}octave,added,,listed,\ntroth,removed,listed,,\n"
    assert done.err == "1 word added, 1 removed.\n"
    assert bee("changes", custom / "words.csv", custom).out == header, "its listed words"
    assert "\nabate,added,,core," in bee("changes", tmp_path / "old.txt", custom).out
