"""The entry point: `bee`, and `python -m pipeline`.

Exit codes: 0 success; 1 problems were found, nothing was found, or a release was refused; 2 wrong usage;
3 a person is needed after a fetch, or an address cannot be read.
"""

from __future__ import annotations

import io
import os
import shlex
import sys

from pipeline.commands import ERRORS_OF_USERS, app, print_error
from pipeline.commands.settings import Settings


def register(first_argument: str = "") -> None:
    """Register the commands, by importing their modules; the help lists them in this order. For the fastest commands,
    only their own module is imported, because all of them take longer than the command."""
    # isort: off
    match first_argument:
        case "solve":
            from pipeline.commands import solve
        case "why" | "define":
            from pipeline.commands import look_up
        case _:
            from pipeline.commands import solve, puzzles, look_up, export, site, release, verdicts, review  # noqa: F401
            from pipeline.commands import make, status, fetch, measure  # noqa: F401
    # isort: on


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, by default with the arguments of this process, and exit."""
    if sys.stdout is None:
        sys.exit("bee: stdout is closed; redirect it to a file or a pipe.")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # not every terminal has all characters
    # Fitting with one thread is three times as fast, because two wait for each other. It also rounds alike everywhere.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    command_line = sys.argv[1:] if arguments is None else arguments
    register(*command_line[:1])
    settings = Settings(command_line=shlex.join(command_line))
    try:
        app(command_line, "bee", obj=settings)
    except ERRORS_OF_USERS as error:  # from an option before the command, or while the help is written
        sys.exit(print_error(settings, error))
