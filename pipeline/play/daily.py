"""Our own puzzles: a pool of possible puzzles that were never official, and one of them for each date.

A letter set is in the pool only if no pangram of it was ever accepted, so none was official up to the last day that the
record covers. That one comes as an official puzzle later, with the same center, has a chance of about six in a thousand
a year. Most of what else a puzzle of the pool needs makes it like the official ones: see `fresh` and `BANDS`. That our
puzzles have no S, and not both E and R, is our choice: few words with these letters were ever tried, so the list is
least sure of them. The puzzles of the day that a release published are in its `daily.csv`; `daily` chooses all others.
Standard library only.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pipeline import solver
from pipeline.errors import LettersError, ReleaseError
from pipeline.play import difficulty
from pipeline.reader import Release
from pipeline.words import FAMILY, GAME, SAFE, Puzzle, bingo, in_play, pangram, plural, puzzle, ranks, score

BANDS = {"words": (22, 65), "points": (84, 315), "pangrams": (1, 3), "difficulty": (25.3, 41.6)}
BANDS |= {"four": (19, 60), "ing": (0, 44), "ed": (0, 38)}
"""The middle 90% of the 2,999 official puzzles from 2018-05-09 to 2026-07-24, for each of `measures`."""
VOWELS, MOST_VOWELS = frozenset("aeiou"), 3
"""No official puzzle up to 2026-07-24 had more of the five vowels."""
PANGRAM_P, SELDOM = 0.75, ("rare", "seldom")
"""One pangram must be right in at least three of four cases, and have neither flag."""
FILE, HEADER = "daily.csv", "date,letters"
FIRST = "2026-11-22"
"""The first date in `daily.csv`: the day of the first release that has it."""
AGAIN = 90
"""A letter set returns, with any center, after more than this many days. 99% of the official returns took longer."""

Rows = Mapping[str, Mapping[str, Any]]
"""The rows of `words.csv` by word."""


def pool(listed: Collection[str], hard: Mapping[str, int], rows: Rows) -> dict[str, str]:
    """Return our own puzzles, letters to level: of `fresh` letters, in all `BANDS`, with no answer flagged `SAFE`."""
    index = solver.build_index(listed)
    unsafe = flagged(rows, SAFE)
    found = {}
    for letters in sorted(fresh(listed, rows)):
        for center in letters:
            asked = Puzzle(center, letters.replace(center, ""))
            answers = solver.solve(index, asked)
            if unsafe.isdisjoint(answers) and usual(made := measures(answers, hard)):
                found[asked.letters] = difficulty.level(made["difficulty"])
    return found


def measures(answers: Sequence[str], hard: Mapping[str, int]) -> dict[str, float]:
    """Measure a puzzle by its answers; "four", "ing" and "ed" are percentages: of four letters, in -ing, in -ed."""
    count = len(answers)
    return {
        "words": count,
        "points": sum(map(score, answers)),
        "pangrams": sum(map(pangram, answers)),
        "four": 100 * sum(len(word) == GAME.min_length for word in answers) / count,
        "ing": 100 * sum(word.endswith("ing") for word in answers) / count,
        "ed": 100 * sum(word.endswith("ed") for word in answers) / count,
        "difficulty": difficulty.difficulty(answers, hard),
    }


def usual(made: Mapping[str, float]) -> bool:
    """Return whether each measure of a puzzle is like those of official ones."""
    return all(low <= made[name] <= high for name, (low, high) in BANDS.items())


def fresh(listed: Iterable[str], rows: Rows) -> set[str]:
    """Return the letter sets that were never official, in play (our choice), with at most `MOST_VOWELS`, without an
    offensive pangram, and with a pangram that is likely (`PANGRAM_P`) and not `SELDOM` met."""
    sets = {"".join(sorted(set(words[0]))): words for words in solver.group_by_mask(filter(pangram, listed)).values()}
    rude = flagged(rows, FAMILY)
    good = {word for word, row in rows.items() if float(row["p"]) >= PANGRAM_P} - flagged(rows, SELDOM)
    return {
        letters
        for letters, pangrams in sets.items()
        if len(VOWELS & set(letters)) <= MOST_VOWELS
        and in_play(letters)
        and not any(word in rude or (word in rows and int(rows[word]["accepted"])) for word in pangrams)
        and not good.isdisjoint(pangrams)
    }


def flagged(rows: Rows, flags: Iterable[str]) -> set[str]:
    """Return the words that have one of these flags."""
    return {word for word, row in rows.items() if not set(flags).isdisjoint(row["flags"].split())}


def daily(levels: Mapping[str, str], date: str, days: Mapping[str, str] | None = None) -> str:
    """Return the letters of the puzzle of a date: from the published `days`, else chosen from letters and their levels.

    A third of the days each is easy, medium and hard. The letters have the smallest hash, so that a new release rarely
    changes them, and are not those of one of the last days.

    >>> daily({"vacenot": "medium", "cehimny": "hard"}, "2026-01-01") in ("vacenot", "cehimny")
    True
    >>> daily({"vacenot": "medium"}, "2026-01-01", {"2026-01-01": "ehimnyc"})
    'ehimnyc'
    """
    if days and date in days:
        return days[date]
    recent = {frozenset(letters) for letters in list((days or {}).values())[-AGAIN:]}
    new = [letters for letters in levels if frozenset(letters) not in recent] or list(levels)
    level = difficulty.LEVELS[fnv(date) % len(difficulty.LEVELS)]
    some = [letters for letters in new if levels[letters] == level] or new
    return min(some, key=lambda letters: (fnv(f"{date} {letters}"), letters))


def decode(data: bytes) -> dict[str, str]:
    """Return the published puzzles of the day, date to letters, in `daily.csv`; raise ReleaseError if it is damaged."""
    header, *lines = data.decode("utf-8", "replace").splitlines() or [""]
    rows = [line.partition(",")[::2] for line in lines]
    try:
        if header != HEADER or [date for date, _ in rows] != dates(rows[0][0] if rows else FIRST, len(rows)):
            raise ValueError("it must have one row for each day, without a gap")
        if wrong := [letters for _, letters in rows if puzzle(letters).letters != letters]:
            raise ValueError(f'"{wrong[0]}" does not have the center first and the other letters sorted')
    except (ValueError, LettersError) as error:
        raise ReleaseError(f"{FILE} is damaged: {error}. In a checkout, `git checkout` of it restores it.") from error
    return dict(rows)


def published(release: Release) -> dict[str, str]:
    """Return the puzzles of the day that a whole release published; none if it is older than `daily.csv`."""
    return decode(release.files[FILE]) if FILE in release.files else {}


def dates(first: str, count: int) -> list[str]:
    """Return so many dates from the first one on."""
    start = datetime.date.fromisoformat(first)
    return [(start + datetime.timedelta(at)).isoformat() for at in range(count)]


def fnv(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text, which takes few lines in any language.

    >>> fnv(""), fnv("a")
    (2166136261, 3826002220)
    """
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def similar(answers: Collection[str]) -> int:
    """Count the answers that only add -s, -es or -ing to another answer.

    >>> similar(["cove", "coves", "coving", "canning", "can", "moss"])
    3
    """
    words = set(answers)
    return sum(plural(word, words) or _ing(word, words) for word in words)


def _ing(word: str, words: Collection[str]) -> bool:
    stem = word.removesuffix("ing")
    doubled = stem[-1:] == stem[-2:-1]
    return stem != word and (stem in words or f"{stem}e" in words or (doubled and stem[:-1] in words))


def fits(answers: Collection[str], rude: Collection[str], most_similar: int | None) -> bool:
    """Return whether a puzzle has no offensive answer, and at most this many similar answers."""
    return not set(answers).intersection(rude) and (most_similar is None or similar(answers) <= most_similar)


def described(
    letters: Puzzle, answers: Sequence[str], tiers: Mapping[str, str], hard: Mapping[str, int]
) -> dict[str, Any]:
    """Describe a puzzle as JSON: letters, answers by tier (`listed` without one), pangrams, points, difficulty."""
    by_tier: dict[str, list[str]] = {}
    for word in sorted(answers):
        by_tier.setdefault(tiers.get(word, "listed"), []).append(word)
    points = sum(map(score, answers))
    figure = difficulty.difficulty(answers, hard)
    return {
        "center": letters.center,
        "outer": letters.outer,
        "answers": by_tier,
        "pangrams": sorted(filter(pangram, answers)),
        "words": len(answers),
        "points": points,
        "bingo": bingo(letters, answers),
        "similar": similar(answers),
        "ranks": ranks(points),
        "difficulty": figure,
        "level": difficulty.level(figure),
    }
