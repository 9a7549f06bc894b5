"""The entry point: `bee`, and `python -m pipeline`.

Exit codes: 0 well, 1 findings or a refusal, 2 usage, 3 a source is in trouble.
"""

from __future__ import annotations

import io
import sys

from pipeline.commands import app, curate, fetch, make, say, solve
from pipeline.words import BeeError

__all__ = ["app", "curate", "fetch", "main", "make", "solve"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a mistake that a user can mend is one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(arguments)
    except BeeError as error:
        say(f"bee: {error}")
        sys.exit(error.exit_code)
    except UnicodeEncodeError:
        say("bee: An argument or a file name is not text in UTF-8; rename it.")
        sys.exit(2)
    except OSError as error:
        say(f"bee: {error.filename or 'writing'}: {error.strerror or error}.")
        sys.exit(1)
