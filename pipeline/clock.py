"""Clock: the only module that reads the time. No step of a run imports it, so no table depends on the time."""

from __future__ import annotations

import datetime


def now() -> datetime.datetime:
    """Return the current time, in UTC."""
    return datetime.datetime.now(datetime.UTC)


def today() -> str:
    """Return today's date in the local time zone, in ISO format."""
    return datetime.date.today().isoformat()


def tomorrow() -> str:
    """Return tomorrow's date, the latest that a puzzle or a decision can have now, because elsewhere it is later."""
    return (datetime.date.today() + datetime.timedelta(days=1)).isoformat()
