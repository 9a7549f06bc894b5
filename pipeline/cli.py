"""The entry point: `bee`, and `python -m pipeline`.

Exit codes: 0 well, 1 findings or a refusal, 2 usage, 3 a source is in trouble.
"""

from __future__ import annotations

import importlib
import io
import sys

from pipeline.commands import app, say
from pipeline.words import BeeError

COMMANDS = {
    "solve": "solve",
    "export": "export",
    "explore": "bench puzzles",
    "site": "site",
    "make": "lexicon merge flag diff check publish run",
    "curate": "why keep drop backtest audit",
    "review": "review",
    "fetch": "fetch",
}
"""The modules of `pipeline.commands`, each with its commands, so that a command waits for no other's import."""


def load(name: str = "") -> None:
    """Import the module of a command, or all of them when it is none."""
    modules = [module for module, commands in COMMANDS.items() if name in commands.split()]
    for module in modules or COMMANDS:
        importlib.import_module(f"pipeline.commands.{module}")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a mistake that a user can mend is one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    given = sys.argv[1:] if arguments is None else arguments
    load(given[0] if given else "")
    try:
        app(given)
    except BeeError as error:
        say(f"bee: {error}")
        sys.exit(error.exit_code)
    except UnicodeEncodeError:
        say("bee: An argument or a file name is not text in UTF-8; rename it.")
        sys.exit(2)
    except OSError as error:
        say(f"bee: {error.filename or 'writing'}: {error.strerror or error}.")
        sys.exit(1)
