"""The JSON of one day at nytimes.com, from the first puzzle on: the final list, in the second form of
`sources.days`."""

from __future__ import annotations

import re

from pipeline.sources import days, nyt_page
from pipeline.sources.source import Live, Source


def url_for(base: str, date: str) -> str:
    """Return the URL of a day."""
    return f"{base}/svc/spelling-bee/v1/{date}.json"


def name_for(date: str) -> str:
    """Return the file name of a day's capture."""
    return f"{date}.json"


def recognises(text: str) -> bool:
    """Return whether this is one JSON object with `print_date` and `center_letter`, and not a collection of them."""
    return (
        text.lstrip()[:1] == "{"
        and all(re.search(rf'"{name}"\s*:', text[:20_000]) for name in ("print_date", "center_letter"))
        and not nyt_page.recognises(text)
    )


SOURCE = Source(
    name="nyt",
    format="JSON of one day with print_date",
    about="nytimes.com; facts about puzzles, its terms of service hold; never committed here",
    recognises=recognises,
    parse=days.parse,
    live=Live("BEE_NYT_URL", "https://www.nytimes.com", url_for, name_for),
)
