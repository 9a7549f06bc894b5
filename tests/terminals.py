"""A terminal of its own for `bee`: a process that has imported the package already, so that it starts at once."""

from __future__ import annotations

import codecs
import contextlib
import multiprocessing
import os
import pty
import select
import sys
import termios
import time
from collections.abc import Mapping
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(
    ["terminals", "pipeline.commands.verdicts", "pipeline.commands.sitting", "pipeline.review.queue"]
)


def started(terminal: str, folder: str, variables: Mapping[str, str], *arguments: str) -> BaseProcess:
    """Start `bee` with arguments in a new session on a terminal, named by its device, and wait until it is open."""
    opened = SERVER.Event()
    process = SERVER.Process(target=_run, args=(terminal, opened, folder, dict(variables), arguments), daemon=True)
    process.start()
    assert opened.wait(60)
    return process


def _run(terminal: str, opened: Event, folder: str, variables: dict[str, str], arguments: tuple[str, ...]) -> None:
    os.setsid()
    device = os.open(terminal, os.O_RDWR)
    for standard in range(3):
        os.dup2(device, standard)
    opened.set()
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    from pipeline import cli

    cli.main(list(arguments))


class Terminal:
    """`bee review` on a pseudo-terminal."""

    def __init__(self, folder: str, *arguments: object) -> None:
        self.ours, theirs = pty.openpty()
        variables = {**os.environ, "TERM": "xterm", "COLUMNS": "160"}
        self.process = started(os.ttyname(theirs), folder, variables, "review", *map(str, arguments))
        os.close(theirs)
        self.decoder = codecs.getincrementaldecoder("utf-8")()  # a read may end within a character
        self.typed = 0
        self.end = ""

    def until(self, *wanted: str) -> str:
        """Read until one of the texts has come."""
        seen, deadline = "", time.monotonic() + 60
        while time.monotonic() < deadline and not any(text in seen for text in wanted):
            if select.select([self.ours], [], [], 1)[0]:
                try:
                    seen += self.decoder.decode(os.read(self.ours, 65536))
                except OSError:
                    break
        assert any(text in seen for text in wanted), seen
        return seen

    def screen(self, *ends: str) -> str:
        """Read until a key is awaited: what was typed before is dropped. One of the `ends` comes instead of a key."""
        shown = self.until(KEYS, *ends)
        while KEYS in shown and termios.tcgetattr(self.ours)[3] & termios.ICANON:
            select.select([], [], [], 0.01)
        return shown

    def type(self, text: str) -> None:
        """Type a text, or press keys."""
        os.write(self.ours, text.encode())
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

    def __del__(self) -> None:
        self.process.kill()
        self.process.join()

    def close(self) -> int | None:
        """Read what is left into `end`; return the exit code."""
        with contextlib.suppress(OSError):
            while data := os.read(self.ours, 65536):
                self.end += self.decoder.decode(data)
        os.close(self.ours)
        self.process.join(30)
        return self.process.exitcode


KEYS = "q quit"
"""The end of the line of keys."""
