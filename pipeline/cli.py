"""The entry point: `bee`, and `python -m pipeline`.

Exit codes: 0 well, 1 findings or a refusal, 2 usage, 3 a source is in trouble.
"""

from __future__ import annotations

import sys

from pipeline.commands import app, curate, fetch, make, say, solve
from pipeline.words import BeeError

__all__ = ["app", "curate", "fetch", "main", "make", "solve"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; a mistake that a user can mend is one line on stderr."""
    try:
        app(arguments)
    except BeeError as error:
        say(f"bee: {error}")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        say("bee: stopped; nothing is half-written.")
        sys.exit(130)
