"""`bee` on another day: `BEE_CLOCK=2025-03-07T12:00:00+00:00 python tests/faults/clock.py run --fetch`.

The clock starts at that time and runs on. It is set before the program is imported, but after the packages in C that
need the real classes; others check their size. What wordfreq says of the same words is kept in the folder
`BEE_FREQUENCIES`, as reading it takes most of the time of a run in a fresh clone.
"""

from __future__ import annotations

import datetime
import os
import sys
import time
from pathlib import Path
from typing import Any

DAY, TIME = datetime.date, datetime.datetime
AHEAD = TIME.fromisoformat(os.environ["BEE_CLOCK"]).timestamp() - time.time() if "BEE_CLOCK" in os.environ else 0.0


class _Date(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, TIME if cls.__name__ == "Time" else DAY)


class Time(TIME, metaclass=_Date):
    """A time class with another current time."""

    __slots__ = ()

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Return the time that is now."""
        return cls.fromtimestamp(time.time() + AHEAD, tz)


class Date(DAY, metaclass=_Date):
    """A date class with another current day."""

    __slots__ = ()

    @classmethod
    def today(cls) -> Any:
        """Return the date of today."""
        return cls.fromtimestamp(time.time() + AHEAD)


if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401

    datetime.datetime, datetime.date = Time, Date  # type: ignore[misc]
    from pipeline import cli

    if "run" in sys.argv:
        from frequencies import remembered

        from pipeline.facts import lexicon

        lexicon.read_frequencies = remembered(lexicon.read_frequencies, Path(os.environ["BEE_FREQUENCIES"]))
    cli.main()
