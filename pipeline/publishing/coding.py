"""The encoding of the page's data: word lists, records and reasons as short text for scripts. The functions are pure.

Words are front-coded. A letter `A` to `S` gives the number of letters that a word shares with the previous word (0 to
18). Then come the other letters, the number of its tier (nothing for core), p in percent if there is one, and a `!` for
each filter that leaves the word out, counted from the strictest. A record is five numbers in base 36, separated by
dots: offered, accepted, and the days from `since` to the first and last acceptance and to the last refusal. Each
different reason is stored once, the most frequent one first. The page decodes all of this in `bee.js`.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from pipeline.opinions.catalog import FLAGS
from pipeline.words import FILTERS, TIERS

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
DATES = ("first_accepted", "last_accepted", "last_refused")

Row = Mapping[str, Any]


def front_coded(rows: Iterable[Row], chances: bool = True) -> str:
    """Return sorted words with their tiers, p (only of words that were never tried, and only with `chances`) and
    filters as one text.

    >>> rude = {"word": "abed", "tier": "likely", "p": "0.97", "offered": "0", "flags": "rare crude"}
    >>> front_coded([{"word": "abbey", "tier": "core", "p": "1.00", "offered": "9", "flags": ""}, rude])
    'AabbeyCed197!'
    """
    tokens, before = [], ""
    for row in rows:
        word = row["word"]
        pairs = zip(before, word, strict=False)
        shared = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        percent = str(round(100 * float(row["p"]))) if chances and not int(row["offered"]) else ""
        tier = "" if row["tier"] == TIERS[0] and not percent else str(TIERS.index(row["tier"]))
        hides = "!" * sum(not flags.isdisjoint(row["flags"].split()) for flags in map(set, FILTERS.values()))
        tokens.append(f"{chr(65 + shared)}{word[shared:]}{tier}{percent}{hides}")
        before = word
    return "".join(tokens)


def chances(rows: Iterable[Row]) -> str:
    """Return p of the likely words, in percent, as one text with two base-36 digits each.

    >>> chances([{"tier": "likely", "p": "0.97"}, {"tier": "core", "p": "1.00"}, {"tier": "likely", "p": "1.00"}])
    '2p2s'
    """
    return "".join(base36(round(100 * float(row["p"]))).rjust(2, "0") for row in rows if row["tier"] == "likely")


def base36(number: int) -> str:
    """Return an integer in base 36, as JavaScript's parseInt(text, 36) reads it.

    >>> base36(0), base36(35), base36(261)
    ('0', 'z', '79')
    """
    digits = DIGITS[number % 36]
    while number := number // 36:
        digits = DIGITS[number % 36] + digits
    return digits


def reasons(rows: Sequence[Row], record: Sequence[Row]) -> dict[str, Any]:
    """Return the flags, record and reason of each word, with what is needed to decode them."""
    records = {row["word"]: row for row in record}
    dates = [row[name] for row in record for name in DATES if row[name]]
    since = min(dates, default="2000-01-01")
    codes = {rule.id: chr(65 + at) for at, rule in enumerate(FLAGS)}
    coded = []
    for row in rows:
        known = records.get(row["word"])
        coded.append("".join(codes[flag] for flag in row["flags"].split()) + (_record(known, since) if known else ""))
    because = [row["because"] for row in rows]
    number_of = {reason: number for number, (reason, _) in enumerate(Counter(because).most_common())}
    return {
        "since": since,
        "reasons": list(number_of),
        "because": [number_of[reason] for reason in because],
        "rows": " ".join(coded),
    }


def _record(known: Row, since: str) -> str:
    """Return a record as five numbers in one text."""
    start = datetime.date.fromisoformat(since)
    days = [(datetime.date.fromisoformat(known[name]) - start).days if known[name] else None for name in DATES]
    numbers = [known["offered"], known["accepted"], *days]
    return ".".join("" if number is None else base36(number) for number in numbers)
