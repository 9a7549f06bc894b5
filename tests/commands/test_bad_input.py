"""Wrong usage and odd input: each gets one sentence, without a traceback, ends soon, and changes nothing."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import PROJECT, Result, snapshot

from pipeline.fetching import captures
from pipeline.store import Workspace


@pytest.fixture(scope="module")
def unchanged(ran_once, tmp_path_factory) -> Iterator[Path]:
    """A workspace that ran, for commands that must change nothing in it."""
    folder = Path(shutil.copytree(ran_once, tmp_path_factory.mktemp("unchanged") / "data"))
    before = snapshot(folder)
    yield folder
    assert snapshot(folder) == before


@pytest.fixture
def run_here(bee, tmp_path, monkeypatch, unchanged) -> Callable[[str], Result]:
    """Run a line in a folder with a few files, with the workspace that must not change."""
    (tmp_path / "empty/raw").mkdir(parents=True)
    (tmp_path / "bare/custom").mkdir(parents=True)
    (tmp_path / "words.txt").write_text("cove\n")
    (tmp_path / "packed").write_bytes(b"\xff\0cove")
    (tmp_path / "sheet.csv").write_text("word,reason\ncove,a\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("BEE_DATA", str(unchanged))
    for source in ("NYT", "NYTBEE"):
        monkeypatch.setenv(f"BEE_{source}_URL", "http://127.0.0.1:9")
    return lambda line: bee(*shlex.split(line))


WRONG_USAGE = [
    ("solve --found -", "give the letters"),
    ("solve vctaoen --show all", "'all' is not one of"),
    ("solve vctaoen --date 2025-02-22", "Give either letters or --date"),
    ("solve --date 'last week'", "is not a date"),
    ("solve --date 1999-12-31", "1999-12-31 is not a date from 2000 to 2099"),
    ("solve --date 2100-01-01", "2100-01-01 is not a date from 2000 to 2099"),
    ("backtest --walk 6", "number of months"),
    ("import", "Name files to import, or what to --forget, or use --again."),
    ("import --again --forget a", "Name files to import"),
    ("day 2025-02-20 --reason odd", "Missing option '--source'"),
    ("fetch --from ''", "--from"),
    ("fetch --delay=nan", "--delay"),
    ("check --only nonsense", '"nonsense" is not a rule'),
    ("why ''", "Name a word."),
    ("import ''", "Name files to import"),
    ("--data nowhere run", "Directory 'nowhere' does not exist."),
    ("--data words.txt status", "Directory 'words.txt' is a file."),
    ("keep troth", "Say why with --reason, or use --dry-run."),
    ("sovle vctaoen", "No such command 'sovle'. Did you mean 'solve'?"),
]
WRONG_INPUT = [
    ("solve vctaoen --found nowhere.txt", "Cannot read nowhere.txt"),
    ("solve vctaoen --found packed", "packed is not a text file; --found"),
    ("puzzles --own --list words.txt", "0 own puzzles from 1 word."),
    ("--data empty run", "There is no folder empty/custom; `bee init` makes it"),
    ("--data bare review", "There is no release in bare/custom yet; `bee run` makes it."),
    ("keep a7 --dry-run", '"a7" cannot be an answer of a puzzle'),
    ("keep gorafin --dry-run", "gorafin: no list has it"),
    ("undo 2025-02-20", "There is no decision about 2025-02-20"),
    ("review --import nowhere.csv --by ann", "There is no nowhere.csv"),
    ("review --import packed --by ann", "packed is no CSV in UTF-8"),
    ("backtest --cutoff 2018-01-01", "no trials before"),
    ("backtest --cutoff 2030-01-01", "no puzzles from 2030-01-01"),
    ("diff --date 2000-01-01", "There is no settled list of 2000-01-01 on disk"),
    ("diff --date 2099-12-31", "There is no settled list of 2099-12-31 on disk"),
    ("solve --date today", "There is no settled list of "),
    ("solve --date yesterday", "There is no settled list of "),
    ("import nowhere.txt", "There is no"),
    ("import words.txt", "unknown-format"),
    ("import empty", "contains no files"),
    ("review --import sheet.csv --by ann", "sheet.csv must have one column verdict"),
    ("review --export .", "Cannot write .: it is a folder"),
]


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [*((line, 2, says) for line, says in WRONG_USAGE), *((line, 1, says) for line, says in WRONG_INPUT)],
)
def test_wrong_usage_and_wrong_input_are_one_sentence_and_change_nothing(run_here, line, code, says):
    told = run_here(line)
    assert (told.code, says in " ".join(told.err.split()), "Traceback" in told.err) == (code, True, False), told.err
    assert told.out == ""
    assert code == 1 or told.err.startswith(("bee: ", "Usage: "))


def test_several_files_are_imported_at_once_and_each_is_told(bee, data, tmp_path):
    (tmp_path / "a.txt").write_text("2025-01-01 e acnotv: cove covenant tote\n")
    (tmp_path / "b.txt").write_text("2025-01-02 e acnotv: cove covenant love\n")
    told = bee("--data", data, "import", tmp_path / "b.txt", tmp_path / "a.txt", "--source", "mine")
    assert told.code == 1
    assert [line for line in told.err.splitlines() if " in 1 file" in line] == [
        f"{tmp_path}/b.txt: 0 days in 1 file, 0 new captures, 1 fault.",
        f"{tmp_path}/a.txt: 1 day of mine in 1 file, 1 new capture, 0 faults.",
    ]
    assert captures.numbers(Workspace(data)) == {"mine": 1}
    assert bee("--data", data, "import", tmp_path / "a.txt", tmp_path / "a.txt").code == 0


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(("closed", "code", "says"), [(">&-", 1, "stdout is closed"), ("2>&-", 0, ""), ("<&-", 0, "")])
@pytest.mark.slow
def test_closed_streams_are_one_clear_line(closed, code, says):
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m pipeline solve vctaoen {closed}'],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr, says in done.stderr) == (code, False, True)
    assert ("covenant" in done.stdout) == (code == 0)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "streams"), [("solve vctaoen", 1), ("export", 1), ("check", 2)])
def test_a_reader_that_goes_away_ends_a_command_quietly(ran_once, command, streams):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *command.split()],
        stdout=writing, stderr=writing if streams == 2 else subprocess.PIPE, text=True, check=False,
        env={**os.environ, "BEE_DATA": "" if "solve" in command else str(ran_once)},
    )  # fmt: skip
    os.close(writing)
    assert done.returncode in (0, 1), done.stderr
    assert not done.stderr or not ("Traceback" in done.stderr or "roken" in done.stderr)


@pytest.mark.slow
def test_a_verdict_is_written_when_nobody_reads_the_messages(ran):
    reading, writing = os.pipe()
    os.close(reading)
    command = "keep thorn --reason 'a plant has it' --by ann --force"
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *shlex.split(command)],
        stdout=writing, stderr=writing, check=False, env={**os.environ, "BEE_DATA": str(ran)},
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == 0
    assert "thorn,keep,a plant has it,ann," in (ran / "custom/verdicts.csv").read_text()
