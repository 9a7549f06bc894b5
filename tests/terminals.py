"""A terminal of its own for `bee`: a process that has imported the package already, so that it starts at once."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Mapping
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(
    ["terminals", "pipeline.commands.verdicts", "pipeline.review.queue", "pipeline.run.stages"]
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
