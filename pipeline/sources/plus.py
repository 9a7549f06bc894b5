"""The bulk text archive of the nytbee project on GitHub (jonb108/nytbee, `cgi-bin/nyt_puzzles_plus.txt`).

Each day is one line with all totals, so each line is self-checking: `20180510 cfimnor i 36 172 2 1 1 1 1 confirm
coniform | cirri coffin …`: date, the seven letters sorted, center, number of words, maximum score, pangrams, perfect
pangrams, bingo, two Genius marks, the pangrams, `|`, all words. Its data are from nytbee.com up to January 2019 and
from the game page at 03:00 New York time after that.
"""

from __future__ import annotations

import re

from pipeline.sources.day import BrokenDay, Collector, Day, Parsed, Source, day, lines
from pipeline.words import pangram, perfect_pangram, score

_LINE = re.compile(r"(\d{8}) (\S+) (\S+) (\d{1,6}) (\d{1,6}) (\d{1,6}) (\d{1,6}) \d+ \d+ \d+ ([^|]*)\|(.*)")


def recognises(text: str) -> bool:
    """Return whether one of the first lines has this form."""
    return any(re.match(r"\d{8} [a-z]+ \S+ \d+ \d+ ", line) for line in text[:20_000].splitlines()[:20])


def parse(text: str, name: str) -> Parsed:
    """Read the archive, and check each line against its printed totals."""
    gathered = Collector(name)
    for number, line, whole in lines(text):
        try:
            gathered.add(_day(line), number)
        except BrokenDay as broken:
            gathered.fault(broken.rule if whole else "cut-short", str(broken), number)
    return gathered.parsed()


def _day(line: str) -> Day:
    match = _LINE.fullmatch(line)
    if not match:
        raise BrokenDay("broken-line", f"Not the ten fields, pangrams, `|` and words: {line[:60]!r}.")
    date, letters, center, *counts, pangrams, words = match.groups()
    if center not in letters or len(center) != 1:
        raise BrokenDay("center-outside", f"{date}: the center {center} is not among the letters {letters}.")
    made = day(date, center, letters.replace(center, "", 1), words.split())
    found = [word for word in made.answers if pangram(word)]
    totals = [len(made.answers), sum(map(score, made.answers)), len(found), sum(map(perfect_pangram, found))]
    if totals != [int(count) for count in counts] or sorted(pangrams.split()) != found:
        printed = f"{'/'.join(counts)} {pangrams.strip()}"
        raise BrokenDay(
            "count-mismatch",
            f"{date}: words/score/pangrams/perfect are {'/'.join(map(str, totals))} {' '.join(found)}, "
            f"the line says {printed}.",
        )
    return made


SOURCE = Source(
    name="plus",
    format="lines `20180510 cfimnor i 36 172 2 1 1 1 1 confirm | words`",
    about="github.com/jonb108/nytbee; facts about puzzles, no licence named; never committed here",
    recognises=recognises,
    parse=parse,
)
