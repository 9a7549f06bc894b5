"""`bee` on another day: `BEE_CLOCK=2025-03-07T12:00:00+00:00 python tests/faults/clock.py run --fetch`.

The clock starts at that time and runs on. It is set before the program is imported, but after the packages in C that
need the real classes; others check their size. What wordfreq says of the same words is kept in the folder
`BEE_FREQUENCIES`, as reading it takes most of the time of a run in a fresh clone.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

DAY, TIME = datetime.date, datetime.datetime
AHEAD = TIME.fromisoformat(os.environ["BEE_CLOCK"]).timestamp() - time.time() if "BEE_CLOCK" in os.environ else 0.0


class _Date(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, TIME if cls.__name__ == "Time" else DAY)


class Time(TIME, metaclass=_Date):
    """A time that knows another now."""

    __slots__ = ()

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """Return the time that is now."""
        return cls.fromtimestamp(time.time() + AHEAD, tz)


class Date(DAY, metaclass=_Date):
    """A date that knows another today."""

    __slots__ = ()

    @classmethod
    def today(cls) -> Any:
        """Return the date of today."""
        return cls.fromtimestamp(time.time() + AHEAD)


def remembered(read: Callable[[Iterable[str]], Any], folder: Path) -> Callable[[Iterable[str]], Any]:
    """Return a function that reads the frequencies of words once, and then from a folder."""

    def frequencies(listed: Iterable[str]) -> Any:
        words = sorted(set(listed))
        path = folder / f"{hashlib.sha256(' '.join(words).encode()).hexdigest()}.parquet"
        if not path.exists():
            begun = path.with_suffix(f".{os.getpid()}")
            read(words).to_parquet(begun)
            begun.rename(path)
        return pandas.read_parquet(path)

    return frequencies


if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])
    import pandas
    import pyarrow.parquet  # noqa: F401

    datetime.datetime, datetime.date = Time, Date  # type: ignore[misc]
    from pipeline import cli

    if "run" in sys.argv or "merge" in sys.argv:
        from pipeline.facts import lexicon

        lexicon.frequencies = remembered(lexicon.frequencies, Path(os.environ["BEE_FREQUENCIES"]))
    cli.main()
