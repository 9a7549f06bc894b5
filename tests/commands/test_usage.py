"""Wrong usage and odd input: each gets one sentence, without a traceback, ends soon, and changes nothing."""

import csv
import datetime
import io
import os
import resource
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import PROJECT, SAMPLE, Result, snapshot

from pipeline.facts import word_files
from pipeline.fetching import captures
from pipeline.store import Workspace
from pipeline.words import puzzle_day


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
    (tmp_path / "words.txt").write_text("cove\n")
    (tmp_path / "packed").write_bytes(b"\xff\0cove")
    (tmp_path / "sheet.csv").write_text("word,reason\ncove,a\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("BEE_DATA", str(unchanged))
    for source in ("NYT", "NYTBEE"):
        monkeypatch.setenv(f"BEE_{source}_URL", "http://127.0.0.1:9")
    return lambda line: bee(*shlex.split(line))


def one_sentence(told, code: int, says: str) -> None:
    assert (told.code, says in " ".join(told.err.split()), "Traceback" in told.err) == (code, True, False), told.err


NOW = datetime.datetime.now(datetime.UTC)
COMMANDS = ("run", "solve vctaoen", "export", "site", "puzzles", "define luff", "status")
WRONG_USAGE = [
    ("solve abcdef", '"abcdef" has 6'),
    ("solve abcdefgh", '"abcdefgh" has 8'),
    ("solve abcdefa", '"a" is in "abcdefa" twice'),
    ("solve abcdef7", '"7" is not a letter'),
    ("solve vctaoen --min-length 0", "--min-length"),
    ("solve vctaoen --colour", "--colour"),
    ("solve --found -", "give the letters"),
    ("solve vctaoen --show all", "'all' is not one of"),
    ("solve vctaoen --date 2025-02-22", "Give either letters or --date"),
    ("solve --date 'last week'", "is not a date"),
    ("solve --date tomorrow", "is not a date"),
    ("solve vctaoen --found= --ranks", "'--found': The value is empty"),
    ("--data '' solve vctaoen", "'--data' (env var: 'BEE_DATA'): The value is empty"),
    ("review --import sheet.csv --export queue.csv", "cannot be combined with --export."),
    ("define '' luff", "'words': The value is empty"),
    ("solve ''", "'letters': The value is empty"),
    ("solve vctaoen --list words.txt --maybe", "--maybe"),
    ("solve vctaoen --hints --define", "--define"),
    ("solve vctaoen --ranks --define", "--define"),
    ("solve vctaoen --show letters --define", "--define"),
    ("puzzles --limit -3", "'--limit': -3 is not in the range x>=0."),
    ("daily 9999-12-31", "9999-12-31 is not a date from 2000 to 2099"),
    ("solve --date 1999-12-31", "1999-12-31 is not a date from 2000 to 2099"),
    ("solve --date 2100-01-01", "2100-01-01 is not a date from 2000 to 2099"),
    ("fetch --since 0001-01-01 --until 9999-12-31", "0001-01-01 is not a date from 2000 to 2099"),
    ("diff --date 9999-12-31", "9999-12-31 is not a date from 2000 to 2099"),
    ("backtest --walk 1m --cutoff 0001-01-01", "0001-01-01 is not a date from 2000 to 2099"),
    ("backtest --cutoff soon", "is not a date"),
    ("backtest --walk 6", "number of months"),
    ("audit words.txt --since 9999-12-31", "9999-12-31 is not a date from 2000 to 2099"),
    ("audit --live --since 2025-01-01", "--since"),
    ("audit --live --column w", "--column works only with the FILE"),
    ("export --min-length abc", "Try 'bee export -h' for help. Error: Invalid value for '--min-length': 'abc'"),
    ("export --formt csv", "No such option: --formt"),
    ("export --safe --family", "--safe"),
    ("export --family --safe", "--safe"),
    ("export --release data/custom --data .", "--data"),
    ("site --release data/custom --data .", "--data"),
    ("convert words.txt --format scored", "needs data that only a release has"),
    ("convert words.txt --format sqlite", "needs data that only a release has"),
    ("define ''", "is empty"),
    ("why ''", "is empty"),
    ("import ''", "is empty"),
    ("import", "Name files to import, or what to --forget."),
    ("import a.txt --forget a", "Name files to import, or what to --forget."),
    ("import --as '' days.csv", "is empty"),
    ("import words.txt --delay 2", "--delay works only with URLs"),
    ("import words.txt --since 2025-01-01", "No such option"),
    ("fetch --since ''", "is empty"),
    ("fetch --until=", "is empty"),
    ("fetch --source ''", "is empty"),
    ("fetch --from ''", "--from"),
    ("fetch --delay=nan", "--delay"),
    ("run --data ''", "is empty"),
    *((f"{command} --data nowhere", "There is no folder nowhere.") for command in COMMANDS),
    ("run --wait x", "'x' is not a valid float."),
    ("run --wait=-1", "--wait"),
    ("run --wait=1e300", "--wait"),
    ("run --delay 2", "--delay works only with --fetch"),
    ("check --only nonsense", '"nonsense" is not a rule'),
    ("check --list --only day-waits", "cannot be combined with --"),
    ("check --list --captures", "cannot be combined with --"),
    ("check --list --json", "cannot be combined with --"),
    ("keep troth", "Say why with --reason, or use --dry-run."),
    ("keep", "Missing argument 'word'."),
    ("sovle vctaoen", "No such command 'sovle'. Did you mean 'solve'?"),
]
WRONG_INPUT = [
    ("solve vctaoen --found nowhere.txt", "Cannot read nowhere.txt"),
    ("solve vctaoen --found packed", "packed is not a text file; --found"),
    ("solve vctaoen --list nowhere.txt", "nowhere.txt"),
    ("puzzles --own --list words.txt", "0 own puzzles from 1 word."),
    ("run --data empty", "There is no empty/raw/lexicon; `bee init` makes it."),
    ("audit words.txt --since 2030-01-01", "2030-01-01"),
    ("backtest --cutoff 2018-01-01", "no trials before"),
    ("backtest --cutoff 2030-01-01", "no puzzles from 2030-01-01"),
    ("diff --date 2000-01-01", "There is no list of 2000-01-01 on disk"),
    ("diff --date 2099-12-31", "There is no list of 2099-12-31 on disk"),
    ("solve --date today", f"There is no puzzle for {puzzle_day(NOW)} on disk"),
    ("solve --date yesterday", f"There is no puzzle for {puzzle_day(NOW, 1)} on disk"),
    ("import nowhere.txt", "There is no"),
    ("import words.txt", "unknown-format"),
    ("import packed", "unknown-format"),
    ("import empty", "contains no files"),
    ("review --import sheet.csv --by ann", "exactly one column verdict"),
    ("undo troth", "There is no verdict or grade about troth"),
]


CASES = [(line, 2, says) for line, says in WRONG_USAGE] + [(line, 1, says) for line, says in WRONG_INPUT]


@pytest.mark.parametrize(("line", "code", "says"), CASES)
def test_wrong_usage_and_wrong_input_are_one_sentence_and_change_nothing(run_here, line, code, says):
    told = run_here(line)
    one_sentence(told, code, says)
    assert told.out == ""
    assert code == 1 or told.err.startswith(("bee: ", "Usage: "))


@pytest.mark.slow
def test_a_workspace_of_the_environment_must_be_there_but_forbids_neither_another_release_nor_an_import(
    bee, data, ran_once, monkeypatch
):
    monkeypatch.setenv("BEE_DATA", "none")
    for command in COMMANDS:
        one_sentence(bee(*command.split()), 2, "There is no folder none.")
    monkeypatch.setenv("BEE_DATA", "/")
    monkeypatch.setenv("BEE_DELAY", "3")
    assert bee("export", "--release", ran_once / "custom").code == 0
    assert bee("import", SAMPLE, "--data", data).code == 0


def test_several_files_are_imported_at_once_and_each_is_told(bee, data, tmp_path):
    (tmp_path / "a.txt").write_text("2025-01-01 e acnotv: cove covenant tote\n")
    (tmp_path / "b.txt").write_text("2025-01-02 e acnotv: cove covenant love\n")
    told = bee("import", tmp_path / "b.txt", tmp_path / "a.txt", "--source", "mine", "--data", data)
    assert told.code == 1
    assert [line for line in told.err.splitlines() if " in 1 file" in line] == [
        f"{tmp_path}/b.txt: 0 days in 1 file, 0 new captures, 1 fault.",
        f"{tmp_path}/a.txt: 1 day in 1 file, 1 new capture, 0 faults.",
    ]
    assert captures.numbers(Workspace(data)) == {"mine": 1}
    assert bee("import", tmp_path / "a.txt", tmp_path / "a.txt", "--data", data).code == 0


@pytest.mark.slow
def test_a_check_of_captures_shows_one_rule_and_json_too(bee, data, tmp_path):
    for day in ("01", "04"):
        (tmp_path / f"{day}.txt").write_text(f"2025-01-{day} e acnotv: cove covenant tote\n")
        bee("import", tmp_path / f"{day}.txt", "--data", data)
    told = bee("check", "--captures", "--data", data)
    assert (told.code, len(told.out.splitlines())) == (1, 2)
    assert bee("check", "--captures", "--only", "source-conflict", "--data", data).code == 0
    assert '"subject": "2025-01-02"' in bee("check", "--captures", "--json", "--data", data).out
    assert not (data / "build/violations.parquet").exists()


def test_a_file_with_days_of_another_age_names_them(bee, data, tmp_path):
    file = tmp_path / "days.txt"
    file.write_text("".join(f"{date} e acnotv: cove covenant tote\n" for date in ("9999-12-31", "0001-01-01")))
    told = bee("import", file, "--data", data)
    one_sentence(told, 1, "9999-12-31 is later than tomorrow; the clock of this computer says")
    assert "0001-01-01 is before the first puzzle" in told.err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_a_device_and_standard_input_without_end_are_read_up_to_a_limit(bee, monkeypatch):
    monkeypatch.setattr(word_files, "MAX_BYTES", 1_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    one_sentence(bee("convert", "/dev/zero"), 1, "is larger than 1 MB")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"cove\n" * 300_000)))
    one_sentence(bee("convert"), 1, "is larger than 1 MB")


def test_a_pipe_that_ends_is_a_list_and_no_file_of_answers(bee, data, tmp_path):
    os.mkfifo(tmp_path / "words")
    threading.Thread(target=(tmp_path / "words").write_bytes, args=(b"cove\noctave\n",), daemon=True).start()
    told = bee("convert", tmp_path / "words")
    assert (told.code, told.out.split()) == (0, ["cove", "octave"])
    one_sentence(bee("import", tmp_path / "words", "--data", data), 1, "is a pipe or a device")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "folder/days")
    one_sentence(bee("import", tmp_path / "folder", "--data", data), 1, "contains no files")


@pytest.mark.slow
def test_a_cell_that_is_too_long_names_file_and_line(bee, ran):
    csv.field_size_limit(131_072)  # what Python starts with; a library of another test may have raised it
    path = ran / "custom/verdicts.csv"
    head = (PROJECT / "data/custom/verdicts.csv").read_text().partition("\n")[0]
    path.write_text(f"{head}\n{'x' * 131_073}{',' * head.count(',')}\n")
    for command in (("run",), ("undo", "cove")):
        told = bee(*command, "--data", ran)
        one_sentence(told, 1, "verdicts.csv is not a CSV table; line 2 must be corrected: field larger than")


def test_control_characters_of_a_file_name_are_printed_escaped(bee, data, tmp_path):
    file = tmp_path / "\x1b[31mred\a.txt"
    file.write_text("nothing\n")
    told = bee("import", file, "--data", data)
    one_sentence(told, 1, r"\x1b[31mred\x07.txt")
    assert not {"\x1b", "\a"} & set(told.err)


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
@pytest.mark.parametrize("streams", [1, 2])
@pytest.mark.parametrize("command", ["solve vctaoen", "export", "check"])
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
    command = "keep thorn --reason 'a plant has it' --by ann --only --force"
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *shlex.split(command)],
        stdout=writing, stderr=writing, check=False, env={**os.environ, "BEE_DATA": str(ran)},
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == 0
    assert "thorn,keep,a plant has it,ann," in (ran / "custom/verdicts.csv").read_text()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_that_cannot_be_written_is_one_sentence(option):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", option], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert "No space left on device" in done.stderr


def test_a_workspace_with_a_name_that_no_file_can_have_is_one_sentence(bee):
    one_sentence(bee("status", "--data", "x" * 300), 1, "File name too long")


def test_the_version_of_a_damaged_release_is_one_sentence(bee, tmp_path, monkeypatch):
    shutil.copytree(PROJECT / "data/custom", tmp_path / "custom")
    (tmp_path / "custom/datapackage.json").write_text("{}")
    monkeypatch.setenv("BEE_DATA", str(tmp_path))
    one_sentence(bee("--version"), 1, "datapackage.json")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["solve", "solve vctaoen --found -", "convert", "review"])
def test_input_that_is_closed_has_nothing_to_read(command):
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", *command.split()],
        capture_output=True, text=True, check=False, preexec_fn=lambda: os.close(0),
    )  # fmt: skip
    assert done.returncode in (0, 1, 2)
    assert "Traceback" not in done.stderr
