"""Clock: the only place that asks this machine for the time. No stage may import it, so no table depends on it."""

from __future__ import annotations

import datetime


def now() -> datetime.datetime:
    """Return the time, in UTC."""
    return datetime.datetime.now(datetime.UTC)


def today() -> str:
    """Return the date of today here, in ISO format."""
    return datetime.date.today().isoformat()


def tomorrow() -> str:
    """Return the date of tomorrow: the last that a puzzle or a decision can have by now, as it is later elsewhere."""
    return (datetime.date.today() + datetime.timedelta(days=1)).isoformat()
