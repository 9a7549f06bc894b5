"""Every example in the help of a command runs."""

import io
import re
import shlex
import shutil

import pytest
from conftest import PROJECT, SAMPLE

from docs.reference import examples
from pipeline.cli import COMMANDS

EXAMPLES = [example for name in COMMANDS for example in examples(name)]
NEEDS_MORE = re.compile(
    "bee (fetch|import --forget|day|run --fetch|review --(limit|import)|changes old|audit$)|.*(cutoff|walk) "
)
"""These need a site, a day that waits, an answer, an older release, or more days. Other tests run them."""
LONG = re.compile("bee (run --rebuild|site|puzzles|define --coverage)")


@pytest.mark.slow
@pytest.mark.parametrize(
    "example",
    [
        pytest.param(each, marks=[pytest.mark.faults] if LONG.match(each) else [])
        for each in EXAMPLES
        if not NEEDS_MORE.match(each)
    ],
)
def test_every_example_of_the_help_runs(example, ran, bee, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("USER", "ann")
    shutil.copy(PROJECT / "data/custom/wordlist.txt", tmp_path / "words.txt")
    (tmp_path / "table.csv").write_text("term,rank\ncove,1\noctave,2\n")
    shutil.copy(SAMPLE, tmp_path / "days.csv")
    command, _, stdin = example.partition(" > ")[0].partition(" < ")
    if stdin:
        whole_lines = (tmp_path / stdin).read_bytes()[:1000].rpartition(b"\n")[0]
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(whole_lines)))
    name, *arguments = shlex.split(command)[1:]
    needs_the_whole_list = name in ("daily", "puzzles", "solve", "convert") or stdin
    data = PROJECT / "data" if needs_the_whole_list else ran
    force = ["--force"] if name in ("keep", "drop") else []  # the small lexicon does not have the word
    if name == "undo":
        bee("--data", data, "keep", arguments[0], "--reason", "to be taken back", "--force")
    done = bee("--data", data, name, *arguments, *force)
    assert done.code in ((0, 1) if name in ("status", "check") else (0,)), done.err
