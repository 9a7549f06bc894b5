"""The files on disk: one release at any moment, the approved limit on changes, writers that wait, and
formulas."""

import contextlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import snapshot

from pipeline import inputs, reader, store
from pipeline.errors import ReleaseError
from pipeline.store import Workspace

HEAD = "word,verdict,reason,by,after\n"


def drop(ran: Path, words: list[str]) -> None:
    rows = "".join(f"{word},drop,a test,ann,2025-03-05\n" for word in words)
    (ran / "custom/verdicts.csv").write_text(HEAD + rows)


class Killed(BaseException):
    """Ends a command like kill -9, without any cleanup."""


@pytest.fixture
def releases(ran, bee, tmp_path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files of the release of the workspace, and those of a next one."""
    copied = Path(shutil.copytree(ran, tmp_path / "next"))
    drop(copied, ["troth"])
    assert bee("--data", copied, "run").code == 0
    names = [*reader.read(copied / "custom").files, reader.SUMS]
    old, new = snapshot(ran / "custom"), snapshot(copied / "custom")
    return {name: old[name] for name in names}, {name: new[name] for name in names}


@pytest.mark.slow
def test_a_reader_gets_the_old_or_the_new_release_at_every_moment_of_a_publish(ran, releases, monkeypatch):
    """Stop a publish before each change that it makes to a folder, and read; then read while it goes on."""
    old, new = releases
    custom, seen = ran / "custom", set()
    whole = [{name: data for name, data in each.items() if name != reader.SUMS} for each in releases]

    def read() -> None:
        found = {name: data for name, data in reader.read(custom).files.items() if name != reader.SUMS}
        assert found in whole
        seen.add(found == whole[1])

    def stopping(method, stop: int):
        def changed(*arguments):
            read()
            steps.append(method)
            if len(steps) > stop:
                raise Killed
            return method(*arguments)

        return changed

    methods = {name: getattr(Path, name) for name in ("replace", "rename", "rmdir")}
    for stop in range(30):
        steps = []
        for name, data in old.items():
            (custom / name).write_bytes(data)
        shutil.rmtree(custom / ".ready", ignore_errors=True)
        with monkeypatch.context() as patch, contextlib.suppress(Killed):
            for name, method in methods.items():
                patch.setattr(Path, name, stopping(method, stop))
            store.write_together(custom, new)
        read()
        with store.locked(Workspace(ran)):
            assert not (custom / ".ready").exists(), "the next command completes what a killed one began"
        read()
        if len(steps) <= stop:
            break
    assert len(steps) > 5
    assert seen == {True, False}
    assert snapshot(custom)["wordlist.txt"] == new["wordlist.txt"]


@pytest.mark.slow
def test_half_of_another_release_is_not_read(ran, releases):
    _, new = releases
    (ran / "custom/wordlist.txt").write_bytes(new["wordlist.txt"])
    with pytest.raises(ReleaseError, match=r"wordlist\.txt"):
        reader.read(ran / "custom", "wordlist.txt")


@pytest.mark.slow
def test_a_damaged_ready_folder_is_a_refusal_and_moves_nothing(ran, bee):
    ready = ran / "custom/.ready"
    ready.mkdir()
    (ready / "wordlist.txt").write_bytes(b"x")
    before = snapshot(ran / "custom")
    failed = bee("--data", ran, "publish")
    assert (failed.code, snapshot(ran / "custom")) == (1, before)
    assert f"Cannot move {ready}" in failed.err
    shutil.rmtree(ready)
    assert bee("--data", ran, "publish").code == 0


@pytest.mark.slow
def test_the_budget_counts_from_the_release_that_a_person_approved_and_not_from_yesterday(ran, bee):
    def told(name: str) -> Any:
        return json.loads((ran / "custom/datapackage.json").read_text())[name]

    words = (ran / "custom/wordlist.txt").read_text().split()
    most = int(0.02 * len(words))
    for number in (most // 2 + 1, most):
        drop(ran, words[:number])
        assert bee("--data", ran, "run").code == 0
        assert told("since_approved") == {"added": [], "removed": sorted(words[:number])}
    drop(ran, words[: most + 1])
    refused = bee("--data", ran, "run")
    assert (refused.code, "compared with release 2025.03.05.1, which a person approved" in refused.err) == (1, True)
    assert bee("--data", ran, "publish", "--force").code == 0
    assert told("approved") == "2025.03.05.1"
    assert bee("--data", ran, "publish", "--approve").code == 0
    approved = told("approved")
    assert approved == told("version") > "2025.03.05.1"
    assert told("since_approved") == {"added": [], "removed": []}
    drop(ran, words[: most + 3])
    assert bee("--data", ran, "run").code == 0
    assert told("approved") == approved


@pytest.mark.slow
def test_two_drops_at_once_both_succeed_and_while_another_command_runs_one_is_refused(ran, bee, monkeypatch):
    def command(word: str) -> list[str]:
        return ["--data", str(ran), "drop", word, "--force", "--reason", "rare", "--by", "ann"]

    words = ("aabbccd", "aabbcce")
    left = [ran / folder / ".words.csv.abc.tmp" for folder in ("build", "custom")]
    for path in left:
        path.write_text("half")
    started = [subprocess.Popen([sys.executable, "-m", "pipeline", *command(word)]) for word in words]
    assert [each.wait() for each in started] == [0, 0]
    assert not any(path.exists() for path in left), "what a killed command left is swept"
    assert set(inputs.read_table_by_people(Workspace(ran), "verdicts")["word"]) == set(words)
    monkeypatch.setattr(store, "WAIT", 0.1)
    with store.locked(Workspace(ran)):
        refused = bee(*command("aabbddf"))
    assert (refused.code, f"still running in {ran}" in refused.err) == (1, True)
