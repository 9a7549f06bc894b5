"""The files on disk: one release at any moment, the approved limit on changes, writers that wait, logs that are
repaired."""

import concurrent.futures
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROJECT, SAMPLE, snapshot

from pipeline import reader, store
from pipeline.fetching import receipts
from pipeline.run import registry
from pipeline.store import StoreError, Workspace
from pipeline.tables import cells, frames
from pipeline.words import count

HEAD = "word,verdict,reason,by,on\n"


class Killed(BaseException):
    """Ends a command like kill -9, without any cleanup."""


def two_releases(ran, bee, tmp_path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files of a release and of the next one; the workspace is left with the first."""
    first = snapshot(ran / "custom")
    copied = tmp_path / "next"
    shutil.copytree(ran, copied)
    (copied / "custom/verdicts.csv").write_text(HEAD + "troth,drop,a test,ann,2025-01-01\n")
    assert bee("run", "--data", copied).code == 0
    last = snapshot(copied / "custom")
    names = [*reader.read(copied / "custom").files, reader.SUMS]
    return {name: first[name] for name in names}, {name: last[name] for name in names}


def test_a_reader_gets_the_old_or_the_new_release_at_every_moment_of_a_publish(ran, bee, tmp_path, monkeypatch):
    """Stop a publish before each change that it makes to a folder, and read; then read while it goes on."""
    old, new = two_releases(ran, bee, tmp_path)
    custom, seen = ran / "custom", set()

    def read() -> bool:
        found = dict(reader.read(custom).files)
        assert found in ({**old, reader.SUMS: b""}, {**new, reader.SUMS: b""}) or found in (
            {name: data for name, data in each.items() if name != reader.SUMS} for each in (old, new)
        )
        return found["wordlist.txt"] == new["wordlist.txt"]

    replace, rename, rmdir = Path.replace, Path.rename, Path.rmdir
    for stop in range(30):
        steps = 0
        for name, data in old.items():
            (custom / name).write_bytes(data)
        shutil.rmtree(custom / ".ready", ignore_errors=True)

        def step(stop=stop):
            nonlocal steps
            seen.add(read())
            if steps == stop:
                raise Killed
            steps += 1

        monkeypatch.setattr(Path, "replace", lambda self, to: (step(), replace(self, to))[1])
        monkeypatch.setattr(Path, "rename", lambda self, to: (step(), rename(self, to))[1])
        monkeypatch.setattr(Path, "rmdir", lambda self: (step(), rmdir(self))[1])
        try:
            store.write_together(custom, new)
        except Killed:
            read()
        else:
            break
        finally:
            monkeypatch.undo()
        with store.locked(Workspace(ran)):
            read()
    assert steps > 5
    assert seen == {True, False}
    assert read()


def test_a_reader_never_takes_half_of_one_release_and_half_of_another(ran, bee, tmp_path):
    old, new = two_releases(ran, bee, tmp_path)
    (ran / "custom/wordlist.txt").write_bytes(new["wordlist.txt"])
    assert old["wordlist.txt"] != new["wordlist.txt"]
    with pytest.raises(reader.ReleaseError, match=r"wordlist\.txt"):
        reader.read(ran / "custom", "wordlist.txt")


def test_no_single_file_of_another_release_is_restored_into_a_whole_one(ran, bee, tmp_path):
    two_releases(ran, bee, tmp_path)
    other = tmp_path / "other"
    shutil.copytree(ran / "custom", other)
    drop(ran, ["troth"])
    assert bee("run", "--data", ran).code == 0
    before = snapshot(ran / "custom")
    failed = bee("restore", other, "--only", "words.csv", "--data", ran)
    assert (failed.code, "is from another release" in failed.err) == (1, True)
    assert snapshot(ran / "custom") == before


@pytest.mark.parametrize("damage", [b"", b"x"])
def test_a_damaged_ready_folder_is_a_refusal_and_moves_nothing(ran, bee, damage):
    ready = ran / "custom/.ready"
    ready.mkdir()
    (ready / "wordlist.txt").write_bytes(damage)
    before = snapshot(ran / "custom")
    failed = bee("publish", "--data", ran)
    assert (failed.code, "`bee restore --data" in failed.err) == (1, True)
    assert snapshot(ran / "custom") == before
    assert bee("restore", ran / "../custom", "--data", ran).code == 1, "a folder that is none"
    assert bee("restore", "--data", ran).code == 0
    assert not ready.exists()


def drop(ran: Path, words: list[str]) -> None:
    rows = "".join(f"{word},drop,a test,ann,2025-01-01\n" for word in words)
    (ran / "custom/verdicts.csv").write_text(HEAD + rows)


def test_the_budget_counts_from_the_release_that_a_person_approved_and_not_from_yesterday(ran, bee):
    words = (ran / "custom/wordlist.txt").read_text().split()
    most = int(0.02 * len(words))
    drop(ran, words[: most // 2 + 1])
    assert bee("run", "--data", ran).code == 0
    since = frames.read_csv((ran / "custom/since-approved.csv").read_bytes(), "since")
    assert (len(since), set(since["change"])) == (most // 2 + 1, {"removed"})
    drop(ran, words[:most])
    assert bee("run", "--data", ran).code == 0
    drop(ran, words[: most + 1])
    refused = bee("run", "--data", ran)
    assert (refused.code, "since release 2025.03.05.1, which a person approved" in refused.err) == (1, True)
    assert bee("publish", "--approve", "--data", ran).code == 0
    package = json.loads((ran / "custom/datapackage.json").read_text())
    assert package["approved"] == package["version"]
    assert (ran / "custom/since-approved.csv").read_text() == "word,change\n"
    drop(ran, words[: most + 3])
    assert bee("run", "--data", ran).code == 0
    assert json.loads((ran / "custom/datapackage.json").read_text())["approved"] == package["version"]
    before = snapshot(ran / "custom")
    assert bee("publish", "--data", ran).code == 0
    assert snapshot(ran / "custom") == before


@pytest.mark.slow
def test_two_keeps_at_once_both_succeed_and_without_waiting_one_is_refused(ran):
    def keep(word: str, wait: str) -> int:
        command = ["drop", word, "--force", "--reason", "rare", "--by", "ann", "--wait", wait, "--data", str(ran)]
        return subprocess.run([sys.executable, "-m", "pipeline", *command], capture_output=True, check=False).returncode

    words = ["aabbccd", "aabbcce", "aabbccf", "aabbccg"]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        assert list(pool.map(lambda word: keep(word, "60"), words)) == [0] * 4
    rows = frames.rows(registry.load(Workspace(ran), "verdicts"))
    assert {row["word"] for row in rows} == set(words)
    with store.locked(Workspace(ran)):
        assert keep("aabbddf", "0") == 1


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "1e300", "soon"])
def test_seconds_that_are_none_are_named(bee, ran, seconds):
    for command in (["run", f"--wait={seconds}"], ["fetch", f"--delay={seconds}"]):
        failed = bee(*command, "--data", ran)
        assert (failed.code, "Traceback" in failed.err) == (2, False)
    assert bee("keep", "--help").code == 0


TORN = {
    "a line that breaks off": b"plus,b.txt,u,2025",
    "a block of NUL bytes": bytes(600),
    "NUL bytes and an end of line": bytes(60) + b"\n",
    "half a line with its end": b"plus,b.txt\n",
}


@pytest.mark.parametrize("tail", TORN.values(), ids=TORN)
def test_a_log_that_a_power_cut_tore_heals_with_a_warning(ran, bee, tail):
    path = ran / "raw/table/receipts.csv"
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    assert bee("run", "--data", ran).code == 0
    told = bee("check", "--data", ran).out
    assert ("cut-short            table/receipts.csv" in told) == (cells.healed(whole + tail) != whole + tail)
    done = bee("import", PROJECT / "data/raw/sample/two-weeks.csv", "--data", ran)
    assert f"{path}: incomplete lines ({count(len(tail), 'byte')}) were removed." in done.err
    assert path.read_bytes() == whole
    assert len(receipts.read_log(Workspace(ran).raw / "table/receipts.csv")) == 1


def test_temporary_files_of_a_killed_command_are_swept(ran, bee):
    left = [ran / folder / ".words.csv.abc.tmp" for folder in ("build", "custom")]
    for path in left:
        path.write_text("half")
    assert bee("keep", "aabbccd", "--force", "--reason", "rare", "--by", "ann", "--data", ran).code == 0
    assert not any(path.exists() for path in left)


@pytest.mark.slow
@pytest.mark.parametrize("state", ["[" * 100_000, '{"facts": {"counts": {"puzzles": "many"}}}', '{"facts": 3}', "\0"])
def test_a_broken_state_is_no_crash(ran, bee, state):
    (ran / "build/state.json").write_text(state)
    done = bee("run", "--data", ran)
    assert (done.code, "Traceback" in done.err) == (0, False)


def test_a_column_twice_in_a_file_that_people_write_is_named(ran, bee):
    (ran / "custom/verdicts.csv").write_text("word,verdict,reason,reason,by,on\ntroth,drop,a,b,ann,2025-01-01\n")
    failed = bee("flag", "--data", ran)
    assert (failed.code, "verdicts.csv has the column reason twice" in failed.err) == (1, True)


def test_a_formula_in_a_verdict_is_text_for_a_spreadsheet_and_comes_back_as_it_was(ran, bee):
    for word, reason in (("aabbccd", "=sum"), ("aabbcce", "'=sum"), ("aabbccf", "-minus")):
        assert bee("keep", word, "--force", "--reason", reason, "--by", "@ann", "--data", ran).code == 0
    text = (ran / "custom/verdicts.csv").read_text()
    assert "aabbccd,keep,'=sum (in no list),'@ann," in text
    rows = {row["word"]: row for row in frames.rows(registry.load(Workspace(ran), "verdicts"))}
    reasons = [rows[word]["reason"].removesuffix(" (in no list)") for word in sorted(rows)]
    assert reasons == ["=sum", "'=sum", "-minus"]
    assert rows["aabbccd"]["by"] == "@ann"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(("closed", "code", "says"), [(">&-", 1, "stdout is closed"), ("2>&-", 0, ""), ("<&-", 0, "")])
def test_closed_streams_are_one_clear_line(closed, code, says):
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m pipeline solve vctaoen {closed}'],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr, says in done.stderr) == (code, False, True)
    assert ("covenant" in done.stdout) == (code == 0)


def resealed(folder: Path, name: str, change) -> None:
    """Change a file of a release, and describe and seal it again as a forger would."""
    files = dict(reader.read(folder).files)
    files[name] = change(files[name])
    package = json.loads(files[reader.PACKAGE])
    for resource in package["resources"]:
        data = files[resource["path"]]
        resource |= {"bytes": len(data), "hash": f"sha256:{reader.sha256(data)}"}
    if name != reader.PACKAGE:
        files[reader.PACKAGE] = json.dumps(package).encode()
    for each, data in files.items():
        (folder / each).write_bytes(data)
    (folder / reader.SUMS).write_bytes(reader.sums(files))


FORGED = {
    "a word more on the list": ("wordlist.txt", lambda data: data + b"zzzz\n", "is not the words of words.csv"),
    "a word more in play": ("wordlist-in-play.txt", lambda data: data + b"zzzz\n", "core or likely and in play"),
    "a word with S in play": ("wordlist-in-play.txt", lambda data: data + b"zzzzs\n", "wordlist-in-play.txt in"),
    "another tier": ("words.csv", lambda data: data.replace(b",core,", b",corr,", 1), '"corr" is no tier'),
    "another column": ("flags.csv", lambda data: data.replace(b"flag,", b"flga,", 1), "not those described"),
    "a count": ("datapackage.json", lambda data: data.replace(b'"core": ', b'"core": 1', 1), "counts"),
    "the sums of the track record": (
        "datapackage.json",
        lambda data: data.replace(b'"missing": ', b'"missing": 1', 1),
        "does not have the sums",
    ),
    "the approved list": ("since-approved.csv", lambda data: data + b"zzzz,added\n", "does not fit"),
}


@pytest.mark.parametrize(("name", "change", "says"), FORGED.values(), ids=FORGED)
def test_a_release_that_contradicts_itself_is_not_verified_even_when_it_is_sealed_anew(ran, bee, name, change, says):
    assert bee("verify", ran / "custom").code == 0
    resealed(ran / "custom", name, change)
    failed = bee("verify", ran / "custom")
    assert (failed.code, says in failed.err) == (1, True), failed.err


def test_verify_checks_the_seal_of_the_evidence_and_the_track_record(ran, bee):
    path = ran / "custom/evidence.csv"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"2025-03-05", b"2025-03-04", 1))
    assert "changed or cut short" in bee("verify", ran / "custom").err
    path.write_bytes(whole)
    row = "2024-01-01,nyt,1,40,0,0,1,0.7,0.5\n"
    (ran / "custom/track.csv").write_text((ran / "custom/track.csv").read_text() + row)
    assert "2024-01-01, which evidence.csv does not cover" in bee("verify", ran / "custom").err


@pytest.mark.slow
def test_the_release_of_this_project_is_verified(bee):
    done = bee("verify", PROJECT / "data/custom")
    assert (done.code, "as published" in done.err) == (0, True)


@pytest.mark.slow
def test_a_sample_of_kill_runs_loses_nothing(tmp_path, small_lexicon):
    sys.path.insert(0, str(PROJECT / "tests/faults"))
    from kills import kill_runs

    found = kill_runs(2, tmp_path, small_lexicon, seed=random.Random(2).randrange(9))
    assert (found["lost"], found["first loss"]) == (0, "none")
    assert (found["all swept"], found["evidence is that of a clean workspace"]) == (True, True)


def test_a_lock_that_is_held_is_told(tmp_path):
    workspace = Workspace(tmp_path)
    with (
        store.locked(workspace),
        pytest.raises(StoreError, match="--wait SECONDS waits longer"),
        store.locked(workspace, 0.1),
    ):
        pass


@pytest.mark.slow
def test_a_record_from_elsewhere_keeps_a_day_that_a_correction_takes_out_here(ran, bee):
    """A fresh clone has the record, and its own archive may have a wrong day that the record had from a better one."""
    before = (ran / "custom/evidence.csv").read_bytes()
    date, center, outer = SAMPLE.read_text().splitlines()[1].split(",")[:3]
    shutil.rmtree(ran / "build")
    (ran / "custom/corrections.csv").write_text(
        f"source,date,reported,listed,lacking,reason,by\ntable,{date},{center}{outer},,,a wrong day,ann\n"
    )
    for _ in range(3):
        assert bee("merge", "--data", ran).code == 0
        assert date not in set(registry.load(Workspace(ran), "puzzles")["date"])
        assert (ran / "custom/evidence.csv").read_bytes() == before


@pytest.mark.parametrize("damage", ["lost", "changed"])
def test_with_all_captures_a_rebuild_makes_the_record_and_the_track_record_anew(ran, bee, damage):
    record, track = ran / "custom/evidence.csv", ran / "custom/track.csv"
    before = record.read_bytes()
    if damage == "lost":
        record.unlink()
        track.unlink()
    else:
        track.write_bytes(track.read_bytes() + b"2025-03-05,nyt,1,40,0,0,1,0.7,0.5\n")
    assert bee("run", "--data", ran).code == 1
    assert bee("merge", "--rebuild", "--data", ran).code == 0
    assert record.read_bytes() == before
