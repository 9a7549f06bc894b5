"""The JSON of one day at nytimes.com, from the first puzzle on: the final list, in `sources.days`' second shape."""

from __future__ import annotations

import re

from pipeline.capture import FIRST_DAY
from pipeline.sources import days

NAME = "nyt"
FORMAT = "JSON of one day with print_date"
ABOUT = "nytimes.com; facts about puzzles, its terms of service hold; never committed here"

SETTING, BASE = "BEE_NYT_URL", "https://www.nytimes.com"
FIRST = FIRST_DAY
NEVER: frozenset[str] = frozenset()
REACH: int | None = None


def url_for(base: str, date: str) -> str:
    """Return the URL of a day."""
    return f"{base}/svc/spelling-bee/v1/{date}.json"


def name_for(date: str) -> str:
    """Return the file name of a day's capture."""
    return f"{date}.json"


def recognises(text: str) -> bool:
    """Say whether this is one JSON object with `print_date` and `center_letter`."""
    return text.lstrip()[:1] == "{" and all(
        re.search(rf'"{name}"\s*:', text[:20_000]) for name in ("print_date", "center_letter")
    )


parse = days.parse
