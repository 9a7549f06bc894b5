"""The entry point: `bee`, and `python -m pipeline`.

Exit codes: 0 success, 1 findings or a refusal, 2 wrong usage, 3 a source failed.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
from typing import Any

from pipeline import quick
from pipeline.errors import BeeError

COMMANDS = {
    "solve": "solve",
    "look_up": "define why effect",
    "export": "export convert site",
    "puzzles": "puzzles",
    "release": "verify changes init",
    "restore": "restore",
    "make": "merge fit flag diff check publish run",
    "verdicts": "keep drop grade admit correct undo review",
    "measure": "backtest audit",
    "status": "status",
    "fetch": "fetch import forget lists",
}
"""The modules of `pipeline.commands` with their commands, so that a command imports only its own module."""

AWAY = ("convert", "export", "site", "puzzles", "define", "why", "verify", "changes", "solve", "init")
"""The commands that need no workspace."""


def load(name: str = "") -> None:
    """Import the module of a command, or all of them if there is no such command."""
    import importlib

    modules = [module for module, commands in COMMANDS.items() if name in commands.split()]
    for module in modules or COMMANDS:
        importlib.import_module(f"pipeline.commands.{module}")
    from pipeline.commands import PANELS, app

    order = " ".join(COMMANDS.values()).split()
    app.registered_commands.sort(
        key=lambda command: (
            PANELS.index(str(command.rich_help_panel)),
            order.index(str(command.name or getattr(command.callback, "__name__", ""))),
        )
    )


def moved(arguments: list[str]) -> list[str]:
    """Move `--data` and `--quiet` from before the command to after its name, so that both positions work.

    >>> moved(["--data", "there", "-q", "run", "--fetch"]), moved(["--data=there"])
    (['run', '--data', 'there', '-q', '--fetch'], ['--data=there'])
    """
    at = 0
    while at < len(arguments) and arguments[at].partition("=")[0] in ("--data", "--quiet", "-q"):
        at += 2 if arguments[at] == "--data" else 1
    if not 0 < at < len(arguments) or arguments[at].startswith("-"):
        return arguments
    return [arguments[at], *arguments[:at], *arguments[at + 1 :]]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; an error that the user can fix is printed as one line on stderr."""
    _open_streams()
    for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        if stream is getattr(sys, f"__{name}__") and not stream.isatty():
            pipe = io.BufferedWriter(_Pipe(stream.fileno(), "w", closefd=False))
            setattr(sys, name, io.TextIOWrapper(pipe, stream.encoding, line_buffering=stream.line_buffering))
        if hasattr(stream, "reconfigure"):
            getattr(sys, name).reconfigure(errors="backslashreplace")
    given = moved(sys.argv[1:] if arguments is None else arguments)
    simple = quick.options(given)
    try:
        code = _full(given) if simple is None else quick.answer(simple)
        sys.stdout.flush()
    except OSError as error:
        print(f"bee: {error.filename or 'writing'}: {error.strerror or error}.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left in the buffer cannot be written either
        code = 1
    sys.exit(code)


def _full(given: list[str]) -> int:
    """Run a command through Typer, and return its exit code."""
    # One thread fits three times as fast as two that wait for each other, and rounds alike on every machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from pipeline.commands import UsageError, app, complain, misused

    load(given[0] if given else "")
    try:
        try:
            return int(app(given, "bee", standalone_mode=False) or 0)
        finally:
            sys.stdout.flush()
    except UsageError as error:
        complain(f"bee: {misused(error)}") if given else error.show()
        return 2
    except BeeError as error:
        message = f"bee: {error}"
        if error.can_retry:
            message += f" When that is solved: `bee {shlex.join(given)}`"
        if error.can_force:
            message += f" `bee {shlex.join(given)} --force` goes ahead."
        complain(message)
        return error.exit_code
    except ModuleNotFoundError as error:
        if (error.name or "pipeline").partition(".")[0] == "pipeline":
            raise
        complain(f"bee: {_lacking(given, str(error.name))}")
        return 1
    except UnicodeEncodeError:
        complain("bee: An argument or a file name is not text in UTF-8; rename it.")
        return 2


def _lacking(given: list[str], package: str) -> str:
    """Say what a command lacks: a workspace, else a package, with the command that installs it from where bee is from.

    >>> _lacking(["export"], "pandas").partition(" (")[0]
    'This command needs packages that are not installed'
    """
    import importlib.metadata
    import json

    from pipeline import store

    named = [given[at + 1] for at, word in enumerate(given[:-1]) if word == "--data"]
    if given[0] not in AWAY and "--list" not in given:
        try:
            store.find_workspace((named or [os.environ.get("BEE_DATA", "")])[0])
        except BeeError as error:
            return str(error)
    told = importlib.metadata.distribution("bee-pipeline").read_text("direct_url.json")  # from where: PEP 610
    url = json.loads(told)["url"] if told else "FILE"
    wanted = f"pip install 'bee-pipeline[curate] @ {url}'"
    lost = "" if told else "; FILE is the wheel of the release page"
    return f"This command needs packages that are not installed ({package}): `{wanted}`{lost}"


class _Pipe(io.FileIO):
    """A stream that drops what its reader does not want, so that `bee check | head -1` ends as `bee check` does."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return len(data)


def _open_streams() -> None:
    """Tolerate a closed stdin or stderr, and refuse a closed stdout, because nothing can be written to it."""
    closed = sys.stdout is None
    if not (closed or sys.stderr is None or sys.stdin is None):
        return
    while (spare := os.open(os.devnull, os.O_RDWR)) < 3:
        pass  # so that none of our files gets a descriptor from 0 to 2
    os.close(spare)
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if closed:
        print("bee: stdout is closed; give it a file or a pipe.", file=sys.stderr)
        sys.exit(1)
