"""Commands that only read: they work without a lock and where nothing can be written, and change nothing."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import PROJECT

from pipeline import store
from pipeline.store import Workspace

READING = ("merge", "flag", "check", "diff", "why covenant", "status", "audit words.txt", "verify", "define luff")


def everything(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with its time and content."""
    return {
        path.relative_to(root).as_posix(): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in (root, *root.rglob("*"))
    }


def decide(data: Path) -> None:
    """Drop a word after the last run."""
    verdicts = data / "custom/verdicts.csv"
    verdicts.write_text("word,verdict,reason,by,after\ncovenant,drop,for the test,ann,2025-01-01\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", READING)
def test_a_command_that_reads_changes_nothing_and_works_while_another_one_writes(
    bee, ran, tmp_path, monkeypatch, command
):
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("covenant\n")
    decide(ran)
    with store.locked(Workspace(ran)):
        before = everything(ran)
        done = bee("--data", ran, *command.split())
        assert everything(ran) == before
    assert done.code in (0, 1), done.err


@pytest.fixture
def locked_away(ran: Path) -> Iterator[Path]:
    """A workspace in which nothing can be written, with a decision that is not applied."""
    decide(ran)
    (ran / ".lock").unlink(missing_ok=True)
    every = [ran, *ran.rglob("*")]
    for path in every:
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield ran
    for path in every:
        path.chmod(0o755 if path.is_dir() else 0o644)


def obedient() -> list[str]:
    """What to put before a command so that permissions hold for the superuser as well."""
    if os.geteuid():
        return []
    tool = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    if not shutil.which("setpriv") or subprocess.run([*tool, "true"], check=False, capture_output=True).returncode:
        pytest.skip("without setpriv the superuser may write everywhere")
    return tool


@pytest.mark.slow
def test_commands_that_read_work_in_a_folder_that_cannot_be_written_and_need_no_file_for_a_lock(locked_away, tmp_path):
    """One process runs them all, as only a new process can do without the rights of the superuser."""
    (tmp_path / "words.txt").write_text("covenant\n")
    (tmp_path / "all.py").write_text(
        "import sys\n"
        "from pipeline import cli\n"
        "for command in sys.argv[2:]:\n"
        "    try:\n"
        "        cli.main(['--data', sys.argv[1], *command.split()])\n"
        "    except SystemExit as stop:\n"
        "        print(f'{command} ended with', stop.code or 0)\n"
    )
    before = everything(locked_away)
    run = [*obedient(), sys.executable, "all.py", str(locked_away), *READING]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert re.findall(r"^(.*) ended with [01]$", done.stdout, re.MULTILINE) == list(READING), done.stderr
    assert everything(locked_away) == before
