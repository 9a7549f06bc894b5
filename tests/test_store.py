import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import filelock
import pandas as pd
import pytest

from pipeline import reader, store
from pipeline.errors import DataError, StoreError
from pipeline.store import Workspace
from pipeline.tables import frames

NULL = frames.from_rows(
    [
        {"date": "2025-01-02", "word": "null", "accepted": True},
        {"date": "2025-01-02", "word": "nan", "accepted": False},
    ],
    "trials",
)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda frame: frame.drop(columns="word"), "no column word"),
        (lambda frame: frame.assign(more=1), "unknown column: more"),
        (lambda frame: frame.assign(word=[None, "null"]), "1 empty cell"),
        (lambda frame: pd.concat([frame, frame]), "repeated key"),
    ],
)
def test_a_table_that_breaks_its_contract_is_refused(change, says):
    with pytest.raises(DataError, match=says):
        frames.check(change(NULL), "trials")


def test_a_write_that_fails_changes_nothing(tmp_path, monkeypatch):
    path = tmp_path / "list.txt"
    store.write_bytes(path, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        store.write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["list.txt"]


@pytest.mark.slow
def test_a_killed_writer_leaves_the_old_file_or_the_new_one(tmp_path):
    path = tmp_path / "list.txt"
    old, new = b"a" * 3_000_000, b"b" * 3_000_000
    store.write_bytes(path, old)
    script = (
        "import sys; from pathlib import Path; from pipeline import store\n"
        "print('ready', flush=True)\n"
        "while True:\n"
        "    for letter in b'ab': store.write_bytes(Path(sys.argv[1]), bytes([letter]) * 3_000_000)\n"
    )
    for wait in (0.05, 0.17):
        writer = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(wait)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert path.read_bytes() in (old, new)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ((), False),
        (("data/raw/lexicon.txt", "data/custom/notes.txt"), False),
        (("data/custom/SHA256SUMS",), False),
        (("data/raw/lexicon/words.txt",), True),
        (("data/raw/captures.db", "data/custom/SHA256SUMS"), True),
    ],
)
def test_a_folder_of_data_is_a_workspace_if_it_has_a_lexicon_or_a_release(tmp_path, monkeypatch, bee, files, found):
    """Somebody else's project may well have a folder data/raw."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(store, "__file__", str(tmp_path / "elsewhere/pipeline/store.py"))  # as if it were no checkout
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    if found:
        assert store.find_workspace(None) == Workspace(Path("data"))
    else:
        told = bee("run")
        assert (told.code, told.out, "bee init" in told.err or "SHA256SUMS" in told.err) == (1, "", True)
        if not files:
            Path("days.txt").write_text("2025-01-01 e acnotv: cove covenant\n")
            assert "There is no workspace here: `bee init` makes one" in bee("import", "days.txt").err


def test_a_folder_that_is_named_and_does_not_exist_is_not_replaced_by_the_release_of_the_program(tmp_path):
    with pytest.raises(StoreError, match="There is no folder"):
        store.find_workspace(tmp_path / "nowhere")


@pytest.fixture
def umask():
    """Sets the umask of this process, and resets it."""
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_permissions_of_the_umask_and_an_old_one_keeps_its_own(tmp_path, umask, mask):
    umask(mask)
    path = tmp_path / "list.txt"
    store.write_bytes(path, b"new")
    assert mode(path) == 0o666 & ~mask
    for kept in (0o600, 0o640, 0o664):
        path.chmod(kept)
        store.write_bytes(path, f"{kept}".encode())
        assert mode(path) == kept
    store.write_together(tmp_path, {"list.txt": b"last", "more.txt": b"more", reader.SUMS: SUMS})
    assert (mode(path), mode(tmp_path / "more.txt")) == (0o664, 0o666 & ~mask)


SUMS = reader.format_checksums({"list.txt": b"last", "more.txt": b"more"})


def test_links_are_followed_and_pipes_are_written_to(tmp_path):
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"old")
    link.symlink_to(target)
    store.write_bytes(link, b"new")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")
    os.mkfifo(pipe)
    read = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    store.write_bytes(pipe, b"flow")
    assert (os.read(read, 10), pipe.is_fifo()) == (b"flow", True)
    os.close(read)


def test_null_is_a_word_in_a_table():
    pd.testing.assert_frame_equal(frames.from_text(frames.read_csv(frames.csv_bytes(NULL), "trials"), "trials"), NULL)


def test_text_that_is_no_number_or_truth_is_refused():
    with pytest.raises(DataError, match="must be True or False"):
        frames.from_text(pd.DataFrame({"date": ["x"], "word": ["y"], "accepted": ["maybe"]}), "trials")
    with pytest.raises(DataError, match="is not int"):
        frames.check(frames.empty("puzzles").astype("object").reindex([0]).fillna("two"), "puzzles")


def test_writing_the_same_bytes_again_touches_nothing_and_a_lock_keeps_other_commands_out(workspace, monkeypatch):
    path = workspace.root / "a/b.txt"
    assert store.write_bytes(path, b"null")
    before = path.stat().st_mtime_ns
    assert not store.write_bytes(path, b"null")
    assert path.stat().st_mtime_ns == before
    monkeypatch.setattr(store, "WAIT", 0.1)
    with (
        filelock.FileLock(workspace.root / ".lock"),
        pytest.raises(StoreError, match="Another bee command is still running"),
        store.locked(workspace),
    ):
        pass


# ---------------------------------------------------------------- folders


def no_entries(_folder: Path) -> set[str]:
    return set()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


OLD = {"a.txt": b"old", "words/ab.txt": b"old"}
NEW = {"a.txt": b"new", "words/cd.txt": b"new"}


MINE = {".git/config": b"mine", "CNAME": b"mine"}


@pytest.fixture
def made(tmp_path) -> Path:
    """A folder that a command wrote, with files of a person."""
    folder = tmp_path / "made"
    store.write_folder(folder, OLD, no_entries, force=False)
    for name in (".git/config", "CNAME"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
    return folder


def test_a_folder_gets_new_files_loses_those_of_the_last_run_and_keeps_those_of_a_person(made, tmp_path):
    (tmp_path / "link").symlink_to(made)
    store.write_folder(tmp_path / "link", NEW, lambda _: {"a.txt", "words"}, force=False)
    assert contents(made) == NEW | MINE
    assert (tmp_path / "link").is_symlink()


def test_files_of_a_person_are_not_written_over_without_force(made):
    for own, new in (({"a.txt", "words"}, {"CNAME": b"new"}), (set(), NEW)):
        with pytest.raises(StoreError, match=r"that this command did not make.*--force"):
            store.write_folder(made, new, lambda _, own=own: own, force=False)
        assert contents(made) == OLD | MINE
    store.write_folder(made, {"CNAME": b"new"}, no_entries, force=True)
    assert (made / "CNAME").read_bytes() == b"new"
