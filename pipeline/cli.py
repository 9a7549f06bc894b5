"""The entry point: `bee`, and `python -m pipeline`.

Exit codes: 0 success, 1 findings or a refusal, 2 wrong usage, 3 a source failed.
"""

from __future__ import annotations

import os
import sys

from pipeline import quick

COMMANDS = {
    "solve": "solve",
    "look_up": "define why",
    "export": "export convert site",
    "puzzles": "puzzles",
    "release": "verify changes restore",
    "make": "lexicon merge fit flag diff check publish run",
    "verdicts": "keep drop undo review",
    "measure": "backtest audit",
    "status": "status",
    "fetch": "fetch import lists",
}
"""The modules of `pipeline.commands` with their commands, so that a command imports only its own module."""

INSTALL = "pip install 'bee-wordlist[curate]'"
"""How to install what `pip install bee-wordlist` leaves out."""


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


_OF_A_LIST = "--name --license --column"
FORMER = {
    "--from": ("import", "--source --delay"),
    "--words": ("lists add", _OF_A_LIST),
    "--remove": ("lists remove", ""),
    "--check": ("check --captures", ""),
    **dict.fromkeys(_OF_A_LIST.split(), ("lists add FILE", _OF_A_LIST)),
}
"""Former options of `bee fetch`: the command that each is now, and the other options that it takes."""


def former(arguments: list[str]) -> str:
    """Return what a former spelling of a command is now, with its arguments; "" for any other command.

    >>> former(["fetch", "--from=my days.csv", "--since", "2025-01-01", "--data", "there"])
    "bee import 'my days.csv' --data there"
    >>> former(["fetch", "--license", "MIT"]), former(["bench", "--seconds", "1"])
    ('bee lists add FILE --license MIT', "make bench BENCH='--seconds 1'")
    """
    import shlex

    if arguments[:1] == ["bench"]:
        options = shlex.join(arguments[1:])
        return f"make bench BENCH={shlex.quote(options)}" if options else "make bench"
    given: dict[str, list[str]] = {}
    rest = arguments[:0:-1] if arguments[:1] == ["fetch"] else []
    while rest:
        name, equals, value = rest.pop().partition("=")
        flag = name in ("--check", "--single", "--cross-check", "--quiet") or not name.startswith("--")
        given[name] = [value] if equals else [] if flag or not rest else [rest.pop()]
    option = next((name for name in FORMER if name in given), "")
    now, others = FORMER.get(option, ("", ""))
    kept = [name for name in given if name in (*others.split(), "--data", "--wait", "--quiet", "-q")]
    value_of = [] if option in kept else given.get(option, [])
    return now and shlex.join(
        ["bee", *now.split(), *value_of, *(part for name in kept for part in (name, *given[name]))]
    )


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; an error that the user can fix is printed as one line on stderr."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    given = moved(sys.argv[1:] if arguments is None else arguments)
    if now := former(given):
        print(f"bee: bee {' '.join(given)} is now {now}", file=sys.stderr)
        sys.exit(2)
    simple = quick.options(given)
    sys.exit(_full(given) if simple is None else quick.answer(simple))


def _full(given: list[str]) -> int:
    """Run a command through Typer, and return its exit code."""
    # One thread fits three times as fast as two that wait for each other, and rounds alike on every machine.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from pipeline.commands import app, complain
    from pipeline.words import BeeError

    load(given[0] if given else "")
    try:
        try:
            app(given)
        finally:
            sys.stdout.flush()
    except BeeError as error:
        complain(f"bee: {error}")
        return error.exit_code
    except ModuleNotFoundError as error:
        if (error.name or "pipeline").partition(".")[0] == "pipeline":
            raise
        complain(f"bee: This command needs packages that are not installed ({error.name}): {INSTALL}")
        return 1
    except UnicodeEncodeError:
        complain("bee: An argument or a file name is not text in UTF-8; rename it.")
        return 2
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        complain(f"bee: {error.filename or 'writing'}: {error.strerror or error}.")
        return 1
    return 0


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
