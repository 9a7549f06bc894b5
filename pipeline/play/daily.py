"""Our own puzzles: a pool of possible puzzles that were never official, and one of them for each date.

A letter set is in the pool only if none of its pangrams was ever accepted. So no puzzle of the pool was official up to
the last day that the record covers. The chance that one of them later becomes official, with the same center, is about
six in a thousand a year. Most other conditions make the puzzles of the pool like official ones: see `new_letter_sets`
and `BANDS`. Our puzzles never have S, or both E and R. This is our choice: few words with these letters were ever
tried, so the list is least sure of them. The `daily.csv` of a release has the puzzles of the day that were published;
`letters_of_day` chooses all others. Standard library only.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pipeline import solver
from pipeline.errors import LettersError, ReleaseError
from pipeline.play import difficulty
from pipeline.reader import Release
from pipeline.words import (
    GAME,
    NOT_FOR_FAMILIES,
    UNSAFE_FLAGS,
    Puzzle,
    in_play,
    pangram,
    puzzle,
    score,
)

BANDS = {
    "words": (22, 65),
    "points": (84, 315),
    "pangrams": (1, 3),
    "difficulty": (25.3, 41.6),
    "four": (19, 60),
    "ing": (0, 44),
    "ed": (0, 38),
}
"""The range of the middle 90% of the 2,999 official puzzles from 2018-05-09 to 2026-07-24, for each figure of
`measure`."""
VOWELS = frozenset("aeiou")
MAX_VOWELS = 3
"""The maximum number of vowels. No official puzzle up to 2026-07-24 had more."""
MIN_PANGRAM_P = 0.75
"""The minimum p of at least one pangram of a puzzle."""
UNCOMMON_FLAGS = ("rare", "seldom")
"""The flags that a pangram with at least `MIN_PANGRAM_P` must not have."""
FILE, HEADER = "daily.csv", "date,letters"
FIRST_DAY = "2026-10-01"
"""The first date in `daily.csv`: some weeks before `FIRST_RELEASED`, so that a new player finds earlier puzzles."""
FIRST_RELEASED = "2026-11-22"
"""The day of the first release that had puzzles of the day."""
DAYS_BETWEEN = 90
"""A letter set, with any center, comes again only after more than this many days. For 99% of the official sets that
came again, it took longer."""

Rows = Mapping[str, Mapping[str, Any]]
"""The rows of `words.csv`, by word."""


def pool(listed: Collection[str], hardness: Mapping[str, int], rows: Rows) -> dict[str, str]:
    """Return our own puzzles, from letters to level: those of `new_letter_sets` that are in all `BANDS` and have no
    unsafe answer."""
    index = solver.build_index(listed)
    offensive_words = words_with_flags(rows, UNSAFE_FLAGS)
    levels = {}
    for letters in sorted(new_letter_sets(listed, rows)):
        for center in letters:
            own_puzzle = Puzzle(center, letters.replace(center, ""))
            answers = solver.solve(index, own_puzzle)
            if offensive_words.isdisjoint(answers):
                figures = measure(answers, hardness)
                if is_like_official_ones(figures):
                    levels[own_puzzle.letters] = difficulty.level(figures["difficulty"])
    return levels


def measure(answers: Sequence[str], hardness: Mapping[str, int]) -> dict[str, float]:
    """Return the figures of a puzzle from its answers. "four", "ing" and "ed" are percentages of the answers: those
    with four letters, in -ing, and in -ed."""
    count = len(answers)
    return {
        "words": count,
        "points": sum(map(score, answers)),
        "pangrams": sum(map(pangram, answers)),
        "four": 100 * sum(len(word) == GAME.min_length for word in answers) / count,
        "ing": 100 * sum(word.endswith("ing") for word in answers) / count,
        "ed": 100 * sum(word.endswith("ed") for word in answers) / count,
        "difficulty": difficulty.difficulty(answers, hardness),
    }


def is_like_official_ones(figures: Mapping[str, float]) -> bool:
    """Return whether each figure of a puzzle is in its band of `BANDS`."""
    return all(low <= figures[name] <= high for name, (low, high) in BANDS.items())


def new_letter_sets(listed: Iterable[str], rows: Rows) -> set[str]:
    """Return the letter sets that were never official, are in play (this is our choice), have at most `MAX_VOWELS`
    vowels and no offensive pangram, and have a likely pangram (`MIN_PANGRAM_P`) that is not uncommon
    (`UNCOMMON_FLAGS`)."""
    offensive_words = words_with_flags(rows, NOT_FOR_FAMILIES)
    accepted_words = {word for word, row in rows.items() if int(row["accepted"])}
    likely_words = {word for word, row in rows.items() if float(row["p"]) >= MIN_PANGRAM_P}
    likely_words = likely_words - words_with_flags(rows, UNCOMMON_FLAGS)
    letter_sets = set()
    for pangrams in solver.group_by_mask(filter(pangram, listed)).values():
        letters = "".join(sorted(set(pangrams[0])))
        is_new = accepted_words.isdisjoint(pangrams)
        is_good = offensive_words.isdisjoint(pangrams) and not likely_words.isdisjoint(pangrams)
        if is_new and is_good and in_play(letters) and len(VOWELS & set(letters)) <= MAX_VOWELS:
            letter_sets.add(letters)
    return letter_sets


def words_with_flags(rows: Rows, flags: Iterable[str]) -> set[str]:
    """Return the words that have one of these flags."""
    return {word for word, row in rows.items() if not set(flags).isdisjoint(row["flags"].split())}


def letters_of_day(levels: Mapping[str, str], date: str, published: Mapping[str, str] | None = None) -> str:
    """Return the letters of the puzzle of a date: the published letters, or else letters that are chosen from `levels`.

    A third of the days is easy, a third medium, and a third hard. The letters with the smallest hash are chosen, so
    that a new release rarely changes them; letters that are published for a day at most `DAYS_BETWEEN` days away are
    left out.

    >>> letters_of_day({"vacenot": "medium", "cehimny": "hard"}, "2026-01-01") in ("vacenot", "cehimny")
    True
    >>> letters_of_day({"vacenot": "medium"}, "2026-01-01", {"2026-01-01": "ehimnyc"})
    'ehimnyc'
    """
    published = published or {}
    if date in published:
        return published[date]
    near_sets = {frozenset(letters) for day, letters in published.items() if days_apart(day, date) <= DAYS_BETWEEN}
    others = [letters for letters in levels if frozenset(letters) not in near_sets] or list(levels)
    level = difficulty.LEVELS[fnv(date) % len(difficulty.LEVELS)]
    of_level = [letters for letters in others if levels[letters] == level] or others
    return min(of_level, key=lambda letters: (fnv(f"{date} {letters}"), letters))


def decode(data: bytes) -> dict[str, str]:
    """Return the published puzzles of the day in `daily.csv`, from date to letters; raise ReleaseError if it is
    damaged."""
    header, *lines = data.decode("utf-8", "replace").splitlines() or [""]
    letters_by_date = {}
    for line in lines:
        date, _, letters = line.partition(",")
        letters_by_date[date] = letters
    first_day = next(iter(letters_by_date), FIRST_DAY)
    try:
        if header != HEADER or list(letters_by_date) != dates(first_day, len(lines)):
            raise ValueError("it must have one row for each day, without a gap")
        for letters in letters_by_date.values():
            if puzzle(letters).letters != letters:
                raise ValueError(f'"{letters}" must be the center letter followed by the other letters in order')
    except (ValueError, LettersError) as error:
        raise ReleaseError(f"{FILE} is damaged: {error}.") from error
    return letters_by_date


def published(release: Release) -> dict[str, str]:
    """Return the puzzles of the day that a release published; none if the release has no `daily.csv`."""
    return decode(release.files[FILE]) if FILE in release.files else {}


def dates(first: str, count: int) -> list[str]:
    """Return this number of consecutive dates, starting with `first`."""
    start = datetime.date.fromisoformat(first)
    return [(start + datetime.timedelta(days)).isoformat() for days in range(count)]


def days_apart(date: str, other: str) -> int:
    """Return the number of days between two dates.

    >>> days_apart("2026-11-22", "2026-10-01")
    52
    """
    return abs(datetime.date.fromisoformat(date) - datetime.date.fromisoformat(other)).days


def fnv(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text. It needs few lines in any language.

    >>> fnv(""), fnv("a")
    (2166136261, 3826002220)
    """
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value
