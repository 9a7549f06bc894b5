"""A sitting of `bee review` on a real terminal: keys, reasons, what is pasted, undo, and the last screen."""

import csv
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pexpect
import pytest
from conftest import PROJECT, reseal
from once import succeed

from pipeline import inputs, run
from pipeline.review import queue as queueing
from pipeline.review import verdicts
from pipeline.store import Workspace
from pipeline.tables import frames

pytestmark = pytest.mark.slow
KEYS = "q quit"
"""The end of the line of keys."""


class Terminal:
    """`bee review` on a pseudo-terminal."""

    def __init__(self, data: Path, *arguments: str) -> None:
        command = ["-m", "pipeline", "review", "--data", str(data), "--by", "ann", *arguments]
        terminal = {"cwd": str(data.parent), "env": {**os.environ, "TERM": "xterm"}, "dimensions": (24, 160)}
        self.child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60, **terminal)
        self.child.delaybeforesend = None
        self.typed = 0

    def until(self, *texts: str) -> str:
        """Read until one of the texts has come."""
        self.child.expect_exact(list(texts))
        return self.child.before + self.child.after

    def screen(self, *ends: str) -> str:
        """Read until a key is awaited: what was typed before is dropped. One of the `ends` comes instead of a key."""
        shown = self.until(KEYS, *ends)
        while KEYS in shown and termios.tcgetattr(self.child.child_fd)[3] & termios.ICANON:
            time.sleep(0.005)
        return shown

    def type(self, text: str) -> None:
        """Type a text, or press keys."""
        self.child.send(text)
        self.typed += len(text)

    def press(self, keys: str) -> str:
        """Press keys; return the next screen."""
        self.type(keys)
        return self.screen()

    def decide(self, key: str, reason: str) -> str:
        """Keep or drop with a reason, or with the number of one; return the next screen, or the end."""
        self.type(key)
        self.until("Reason: ")
        self.type(f"{reason}\r")
        return self.screen("dropped, ")

    def close(self) -> tuple[int | None, str]:
        """Return the exit code, and what came last."""
        rest = self.child.read()
        self.child.close()
        return self.child.exitstatus, rest


@pytest.fixture
def words(ran_once) -> dict[str, list[str]]:
    """The first word of each question, in order, with all words of the question."""
    queue = queueing.words_to_ask(run.update(Workspace(ran_once)))
    return {rows["word"].iloc[0]: rows["word"].tolist() for _, rows in queue.groupby("family", sort=False)}


def written(ran: Path) -> list[tuple[str, str, str]]:
    found = inputs.read_decisions(Workspace(ran), "verdicts")
    return [(row["word"], row["verdict"], row["reason"]) for row in frames.rows(found)]


def test_keys_typed_while_it_loads_decide_nothing_and_a_signal_gives_the_terminal_back(ran):
    screen = Terminal(ran, "--limit", "4")
    before = termios.tcgetattr(screen.child.child_fd)
    screen.type("kd\nk")
    shown = screen.screen()
    assert shown.index("Loading") < shown.index("1 of 4")
    screen.child.kill(signal.SIGTERM)
    screen.child.expect(pexpect.EOF)
    assert termios.tcgetattr(screen.child.child_fd)[3] & termios.ICANON == before[3] & termios.ICANON
    assert screen.close()[0] == 128 + signal.SIGTERM
    assert written(ran) == []


def test_a_screen_has_the_definition_first_then_trials_and_the_effect_and_a_verdict_needs_a_reason(ran, words):
    first, second, third, *_ = words
    screen = Terminal(ran, "--limit", "4")
    shown = screen.screen()  # it does not wait for the effect
    assert shown.index(f"\n{first}") < shown.index("  stands  ")
    shown = screen.press("\r")
    order = [
        "1 of 4: ",
        f"\n{first}",
        "  trials  ",
        "  stands  ",
        f" {first}\r\n    The list would ",
        "k keep   d drop",
    ]
    assert sorted(order, key=shown.index) == order
    assert "1 of 4" in screen.press("\x1b[A"), "an unknown key does nothing"

    screen.type("k")
    offered = screen.until("Reason: ")
    assert re.findall(r"^  (\d)  ", offered, re.MULTILINE) == ["1", "2", "3"]
    screen.type("\r")
    assert "Nothing was written." in screen.screen()
    assert written(ran) == []

    assert f"\n{second}" in screen.decide("k", "quite common")
    assert {*written(ran)} == {(word, "keep", "quite common") for word in words[first]}
    screen.type("k")
    assert "1  quite common (as before)" in screen.until("Reason: ")
    screen.type("1\r")
    assert f"\n{third}" in screen.screen()
    screen.decide("d", "2")
    both = {(word, "keep", "quite common") for word in words[first] + words[second]}
    assert {*written(ran)} == both | {(word, "drop", "a name, without another common sense") for word in words[third]}

    assert "Undone: drop" in screen.press("u")
    assert {*written(ran)} == both
    assert "4 of 4" in screen.press("s")
    assert "Undone: the skip." in screen.press("u")
    assert verdicts.skipped(Workspace(ran)) == set()
    assert f"Undone: keep {second}" in screen.press("\x7f")
    assert f"Undone: keep {first}" in screen.press("\x1b[D")
    assert "nothing to undo in this session" in screen.press("u")
    assert written(ran) == []
    screen.type("q")
    assert "0 kept, 0 dropped, 4 left." in screen.until("left.")
    assert screen.close()[0] == 0


@pytest.mark.parametrize("pasted", ["keep it, a common word\rd", "\x1b[200~k\x1b[201~"])
def test_what_is_pasted_where_a_key_is_expected_does_nothing(ran, pasted):
    screen = Terminal(ran, "--limit", "2")
    screen.screen()
    shown = screen.press(pasted)
    assert "1 of 2" in shown
    assert "Several characters arrived at once" in shown
    screen.type("q")
    assert "0 kept, 0 dropped, 2 left." in screen.until("left.")
    assert (screen.close()[0], written(ran)) == (0, [])


def test_skipped_words_stay_away_until_asked_for_and_those_that_others_skip_meanwhile_are_kept(ran, words):
    first, second, *_ = words
    verdicts.skip(Workspace(ran), add=[first, "earlier"])
    screen = Terminal(ran, "--again", "--limit", "3")
    assert f"\n{first}" in screen.screen()
    verdicts.skip(Workspace(ran), add=["meanwhile"])
    screen.press("s")
    assert "3 of 3" in screen.press(" ")
    assert verdicts.skipped(Workspace(ran)) >= {first, second, "earlier", "meanwhile"}
    assert "2 of 3" in screen.press("u")
    assert "1 of 3" in screen.press("u")
    screen.type("q")
    screen.until("left.")
    assert screen.close()[0] == 0
    assert verdicts.skipped(Workspace(ran)) == {first, "earlier", "meanwhile"}


def sit(data: Path, count: int) -> tuple[str, list[str], int]:
    """Decide on so many questions as each screen suggests, with the first reason that is offered, and skip what the
    record answers; return the last screen, the words decided on, and the number of keys and characters."""
    screen = Terminal(data, "--limit", str(10 * count))
    screen.screen()
    shown, words = screen.press("\r"), []
    while len(words) < count:
        verdict, word = re.findall(r"^  (keep|drop) (\w+)\r?$", shown, re.MULTILINE)[-1]
        if re.search(r"(missing|extra) on ", shown):
            shown = screen.press("s")
        else:
            shown = screen.decide(verdict[0], "1")
            words.append(word)
    screen.type("q")
    end = screen.until("applies them.")
    code, rest = screen.close()
    assert code == 0
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", end + rest).replace("\r\n", "\n"), words, screen.typed


def changes(data: Path, words: list[str]) -> list[str]:
    """The lines of CHANGES.md about the words."""
    lines = (data / "custom/CHANGES.md").read_text().splitlines()
    return [line for line in lines if line.startswith(tuple(f"- `{word}`" for word in words))]


def test_a_sitting_ends_with_its_verdicts_and_the_commands_of_one_commit(ran, bee):
    def git(*arguments: str) -> str:
        return subprocess.run(["git", "-C", ran, *arguments], check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("config", "user.name", "ann")
    git("config", "user.email", "ann@example.org")
    end, words, _ = sit(ran, 3)
    told = re.findall(r"^(?:keep|drop)  (\w+)  \w", end, re.MULTILINE)
    assert (set(words) <= set(told), len(told)) == (True, len(written(ran)))
    kept, dropped = ([word for word, given, _ in written(ran) if given == verdict] for verdict in ("keep", "drop"))
    assert f"{len(kept)} kept, {len(dropped)} dropped, " in end
    assert bee("run", "--quiet", "--data", ran).code == 0
    assert len(changes(ran, words)) == 3
    (commit,) = re.findall(r"To commit all of them at once: `([^`]+)`", end)
    subprocess.run(commit, shell=True, check=True, cwd=ran.parent, stdout=subprocess.DEVNULL)
    assert all(word in git("log", "-1", "--format=%s") for word in words)
    assert list(csv.DictReader(io.StringIO(git("show", "HEAD:custom/verdicts.csv"))))


@pytest.mark.faults
def test_the_figures_of_a_sitting_of_20_verdicts_with_the_archive(shared, tmp_path):
    """They are in docs/CURATING.md."""
    data = tmp_path / "data"
    for name in ("raw/lexicon", "custom"):
        shutil.copytree(PROJECT / "data" / name, data / name)
    succeed("import", shared / "archive/nyt_puzzles_plus.txt", "--as", "plus", "--data", data)
    succeed("run", "--data", data)
    began = time.monotonic()
    _, words, typed = sit(data, 20)
    seconds = time.monotonic() - began
    succeed("run", "--quiet", "--data", data)
    print(f"{len(words)} verdicts in {seconds:.1f} seconds with {typed} keys and characters.")
    print(*changes(data, words), sep="\n")
    assert len(changes(data, words)) >= 20


def test_a_verdict_that_the_record_gives_anyway_is_not_asked_for_a_reason(ran):
    day = {"date": "2025-03-05", "source": "nyt", "witnesses": 1, "answers": 30, "missing": 0, "extra": 0}
    answers = run.days(Workspace(ran)).answers
    word = answers["word"][answers["date"] == "2025-03-05"].iloc[0]
    track = frames.from_rows([{**day, "without_trial": "", "differs": word}], "track")
    (ran / "custom/track.csv").write_bytes(frames.csv_bytes(track))
    reseal(ran / "custom")
    screen = Terminal(ran, "--limit", "1")
    assert "1 of 1: 2025-03-05: the list of a second site differs on it" in screen.screen()
    assert "The record alone says keep" in screen.press("k")
    screen.type("s")
    assert "0 kept, 0 dropped, none left." in screen.until("none left.")
    assert screen.close()[0] == 0
