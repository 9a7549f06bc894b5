"""Outside a checkout: `bee init` makes a workspace, `bee why` needs none, releases are read from archives."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest
from conftest import PROJECT, Bee, snapshot

from pipeline import reader

CUSTOM = PROJECT / "data/custom"


def test_a_workspace_is_made_and_holds_what_the_checkout_does(bee: Bee, tmp_path):
    done = bee("init", tmp_path / "work")
    assert done.code == 0
    assert f"`bee run --data {tmp_path / 'work'}` makes the list." in done.err
    made = snapshot(tmp_path / "work")
    assert made.pop(".lock", b"") == b""
    for name, content in made.items():
        assert (PROJECT / "data" / name).read_bytes() == content
    assert {
        "raw/lexicon/SHA256SUMS",
        "raw/sample/two-weeks.csv",
        "custom/words.csv",
        "custom/verdicts.csv",
    } <= made.keys()


def test_what_was_lost_comes_back_and_what_people_wrote_stays(bee, tmp_path):
    work = tmp_path / "work"
    assert bee("init", work).code == 0
    whole = snapshot(work)
    with (work / "custom/verdicts.csv").open("a") as file:
        file.write("luff,drop,a test,ann,2026-01-01\n")
    mine = (work / "custom/verdicts.csv").read_bytes()
    (work / "raw/lexicon/scowl.csv.gz").write_bytes(b"damaged")
    (work / "raw/lexicon/licences/cuss.txt").unlink()
    assert "`bee init --data" in bee("status", "--data", work).out
    assert "2 files written" in bee("init", "--data", work).err
    assert snapshot(work) == whole | {"custom/verdicts.csv": mine}
    (work / "custom/words.csv").unlink()
    (work / "raw/lexicon/licences/.cuss.txt.0011aabb.tmp").write_bytes(b"half")
    assert f"`bee restore --data {work}` brings it back." in bee("init", "--data", work).err
    assert bee("restore", "--data", work).code == 0
    shutil.rmtree(work / "build")
    assert snapshot(work) == whole | {"custom/verdicts.csv": mine}


def test_a_folder_with_other_files_is_left_alone(bee, tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    for folder in (tmp_path, tmp_path / "letter.txt"):
        done = bee("init", folder)
        assert (done.code, "has other files; name a new folder: `bee init work`" in done.err) == (1, True)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_the_lists_of_a_checkout_come_back_from_its_last_commit(tmp_path):
    clone = tmp_path / "clone"
    for name in ("pipeline", "data/raw/lexicon"):
        shutil.copytree(PROJECT / name, clone / name)
    git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "first"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    (clone / "data/raw/lexicon/scowl.csv.gz").write_bytes(b"damaged")
    environment = {**os.environ, "PYTHONPATH": str(clone)}
    run = [sys.executable, "-m", "pipeline", "init"]
    done = subprocess.run(run, cwd=clone, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, "is as in the last commit. `bee restore` brings" in done.stderr) == (0, True), done.stderr
    assert not subprocess.run([*git, "status", "--short", "data"], capture_output=True, check=True).stdout


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A workspace that was never made and a release that came with the program."""
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path / "bare")
    return tmp_path / "bare"


@pytest.mark.parametrize(
    ("word", "tier", "says"),
    [
        ("luff", "core, by evidence", "record     accepted"),
        ("giles", "refused, by verdict", "verdict    verdict drop"),
        ("bollock", "refused, by evidence", "flag       crude"),
        ("covenanto", "unknown, by none", "we do not know this word"),
        ("cab", "unknown, by none", "no word of a puzzle: too short"),
        ("Rome's", "unknown, by none", "no word of a puzzle: apostrophe"),
    ],
)
def test_why_answers_from_the_release_without_a_workspace(bee, nowhere, word, tier, says):
    done = bee("why", word, "--data", nowhere)
    assert done.out.startswith(f"{word.lower()}: {tier}\n")
    assert says in done.out
    assert "Lists and relatives are missing above." in done.err
    assert done.code == int("unknown" in tier and word != "cab"), "cab has a definition"


def test_why_of_the_release_agrees_with_why_of_its_workspace(bee, nowhere, ran):
    rows = list(reader.word_rows((ran / "custom/words.csv").read_bytes()))
    for row in rows[:: len(rows) // 3]:
        told = {}
        for place in (ran, nowhere):
            release = nowhere / "custom"
            if place is nowhere and not release.exists():
                shutil.copytree(ran / "custom", release)
            told[place] = bee("why", row["word"], "--data", place).out.splitlines()
        assert told[nowhere][:2] == told[ran][:2]
        about = ("  record", "  verdict", "  gloss")
        assert [line for line in told[nowhere] if line.startswith(about)] == [
            line for line in told[ran] if line.startswith(about)
        ]


def test_why_explains_an_answer_without_a_workspace(bee, nowhere):
    assert "in cvtaoen: no, refused before: accepted" in bee("why", "canto", "cvtaoen", "--data", nowhere).out
    assert "it breaks a rule: it needs f, l, u" in bee("why", "luff", "vctaoen", "--data", nowhere).out


def packed(folder, ending):
    """The release of the checkout in an archive, as in a wheel or in the tarball of a repository."""
    path = folder / f"release{ending}"
    names = [*reader.digests((CUSTOM / reader.SUMS).read_bytes(), ""), reader.SUMS, "evidence.csv", "track.csv"]
    names += ["model.csv", "glosses.csv", "verdicts.csv", "offensive.csv", "corrections.csv", "admitted.csv"]
    if ending == ".whl":
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.write(CUSTOM / name, f"pipeline/release/{name}")
    else:
        with tarfile.open(path, "w") as archive:
            for name in names:
                archive.add(CUSTOM / name, f"bee-1.0/data/custom/{name}")
    return path


@pytest.mark.parametrize("ending", [".whl", ".tar"])
def test_a_release_is_verified_and_compared_inside_an_archive(bee, tmp_path, ending):
    path = packed(tmp_path, ending)
    done = bee("verify", path)
    assert (done.code, "as published." in done.err) == (0, True), done.err
    assert bee("changes", path, CUSTOM).out == "word,change,before,after,because\n"


def test_an_archive_without_a_release_or_cut_short_is_one_sentence(bee, tmp_path):
    whole = packed(tmp_path, ".tar").read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.tar").write_text("no archive")
    with tarfile.open(tmp_path / "empty.tar", "w"):
        pass
    for name in ("cut.tar", "text.tar", "empty.tar"):
        done = bee("verify", tmp_path / name)
        assert (done.code, done.err.count("\n"), "Traceback" in done.err) == (1, 1, False), done.err


def test_plain_lists_are_compared_with_each_other_and_with_releases(bee, tmp_path):
    (tmp_path / "old.txt").write_text("cove\nluff\n")
    (tmp_path / "new.txt").write_text("cove\noctave\n")
    done = bee("changes", tmp_path / "old.txt", tmp_path / "new.txt")
    assert done.out == "word,change,before,after,because\nluff,removed,listed,,\noctave,added,,listed,\n"
    assert done.err == "1 word added, 1 removed.\n"
    assert bee("changes", CUSTOM / "words.csv", CUSTOM).out == "word,change,before,after,because\n", "not a plain list"
    lines = bee("changes", tmp_path / "old.txt", CUSTOM).out.splitlines()
    assert any(line.startswith("octave,added,,core,") for line in lines)
    assert not any(line.startswith(("cove,", "luff,")) for line in lines)
    (tmp_path / "changes.csv").write_text(done.out)
    applied = bee("changes", "--apply", tmp_path / "changes.csv", tmp_path / "old.txt")
    assert applied.out == "cove\noctave\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("export --max-length abc", '--max-length: "abc" is not a whole number of at least 0. `bee export -h` shows'),
        ("puzzles --limit -3", '--limit: "-3" is not a whole number of at least 0.'),
        ("run --wait x", "--wait: 'x' is not a number."),
        ("sovle vctaoen", "No such command 'sovle'. Did you mean 'solve'? `bee -h` shows"),
        ("export --formt csv", "No such option: --formt"),
        ("run --data nowhere", "--data: There is no folder nowhere."),
        ("keep", "Missing argument 'word'. `bee keep -h` shows"),
    ],
)
def test_wrong_usage_is_one_sentence_that_names_the_help(bee, arguments, says):
    done = bee(*arguments.split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"bee: {says}")


def test_a_file_that_a_release_lacks_is_named(bee, ran):
    (ran / "custom/words.csv").unlink()
    done = bee("export", "--data", ran)
    assert f"The release in {ran}/custom lacks words.csv. Take all files from one release" in done.err


def test_why_answers_in_a_fresh_clone_and_says_what_adds_the_rest(bee, ran):
    shutil.rmtree(ran / "build")
    done = bee("why", "luff", "--data", ran)
    assert done.out.startswith("luff: ")
    assert (
        f"Lists and relatives are missing above. There is no {ran}/build/lexicon.parquet; `bee merge --data" in done.err
    )
    assert bee("run", "--data", ran).code == 0
    assert bee("why", "luff", "--data", ran).err == ""


def test_a_workspace_that_was_made_halfway_is_completed(bee, tmp_path):
    """The checksums come last, so a release that has them is whole."""
    (tmp_path / "raw").mkdir()
    (tmp_path / "custom/wordlist.txt").mkdir(parents=True)  # it cannot be written
    assert bee("init", tmp_path).code == 1
    assert not (tmp_path / "custom" / reader.SUMS).exists()
    (tmp_path / "custom/wordlist.txt").rmdir()
    assert bee("init", tmp_path).code == 0
    assert bee("verify", tmp_path / "custom").code == 0
