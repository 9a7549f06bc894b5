"""The bulk text archive of the nytbee project on GitHub (jonb108/nytbee, `cgi-bin/nyt_puzzles_plus.txt`).

Each day is one line with all totals, so each line is self-checking: `20180510 cfimnor i 36 172 2 1 1 1 1 confirm
coniform | cirri coffin …`: date, the seven letters sorted, center, number of words, maximum score, pangrams, perfect
pangrams, bingo, two Genius marks, the pangrams, `|`, all words. Its data are from nytbee.com up to January 2019 and
from the game page at 03:00 New York time after that.
"""

from __future__ import annotations

import re

from pipeline.sources.day import Collector, Day, InvalidDayError, ParseResult, Source, numbered_lines, official_day
from pipeline.sources.nytbee import OWNER
from pipeline.words import pangram, perfect_pangram, score

_LINE = re.compile(r"(\d{8}) (\S+) (\S+) (\d{1,6}) (\d{1,6}) (\d{1,6}) (\d{1,6}) \d+ \d+ \d+ ([^|]*)\|(.*)")


def recognizes(text: str) -> bool:
    """Return whether one of the first lines has this form."""
    first_lines = text[:20_000].splitlines()[:20]
    return any(re.match(r"\d{8} [a-z]+ \S+ \d+ \d+ ", line) for line in first_lines)


def parse(text: str, name: str) -> ParseResult:
    """Return the days of the archive, each checked against its printed totals, and the faults."""
    collector = Collector(name)
    for line in numbered_lines(text):
        try:
            collector.add_day(_day(line.text), line.number)
        except InvalidDayError as error:
            rule = error.rule if line.complete else "cut-short"
            collector.add_fault(rule, str(error), line.number)
    return collector.parsed()


def _day(line: str) -> Day:
    """Return the day of a line; raise InvalidDayError for an invalid day, and if its printed totals do not match."""
    match = _LINE.fullmatch(line)
    if not match:
        raise InvalidDayError(
            "broken-line", f"The line does not have ten fields, pangrams, `|` and words: {line[:60]!r}."
        )
    date, letters, center, *printed_totals, printed_pangrams, words = match.groups()
    if center not in letters or len(center) != 1:
        raise InvalidDayError("center-outside", f"{date}: the center {center} is not among the letters {letters}.")
    day = official_day(date, center, letters.replace(center, "", 1), words.split())
    pangrams = [word for word in day.answers if pangram(word)]
    points = sum(map(score, day.answers))
    perfect_pangrams = sum(map(perfect_pangram, pangrams))
    totals = [len(day.answers), points, len(pangrams), perfect_pangrams]
    if totals != list(map(int, printed_totals)) or pangrams != sorted(printed_pangrams.split()):
        raise InvalidDayError(
            "count-mismatch",
            f"{date}: words/score/pangrams/perfect are {'/'.join(map(str, totals))} {' '.join(pangrams)}, "
            f"but the line says {'/'.join(printed_totals)} {printed_pangrams.strip()}.",
        )
    return day


SOURCE = Source(
    name="plus",
    format="lines `20180510 cfimnor i 36 172 2 1 1 1 1 confirm | words`",
    about="github.com/jonb108/nytbee; facts about puzzles; no license is stated; never committed here",
    recognizes=recognizes,
    parse=parse,
    owner=OWNER,
)
