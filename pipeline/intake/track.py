"""Track: scores a day with what was known before it; one row per day, counts only.

A word with a record is expected to have the same outcome as its last trial (`constancy.agreement`, as in the published
p). A word without a record has the tier and the p of the last release. So no score uses the record of its own day.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from pipeline import reader
from pipeline.errors import ReleaseError
from pipeline.opinions import constancy
from pipeline.tables import frames
from pipeline.words import GAME, LISTED, P_OF_DROPPED

SUREST = 0.995
"""The maximum certainty of an estimate. A word that was not expected has the remaining probability."""
CERTAIN = 0.999
"""The maximum certainty of an outcome when its surprise is measured, so that two reversals of old records do not
make a day wait: 2025-02-04 accepted *alfa* and *luff*, which had been refused 63 and 50 times."""
FIRST = datetime.date.fromisoformat(GAME.first_day)
ENOUGH = 100
"""The number of days that a record must cover before days are scored with it."""

P_OF_UNPUBLISHED = 0.02
"""The p of a common word that the last release leaves out: its p was below `DOUBTFUL`, or it is a slur, vulgar or
explicit, or it is new in the word lists. Of 3,372 words with a p below `DOUBTFUL` in puzzles from 2023-07-01 to
2026-07-24, the first trial accepted 76."""

ALLOWED, DRIFT = 3.0, 40.0
"""Drift is reported when the surprise of a source's days above `ALLOWED` bits per day adds up to `DRIFT` bits. This
never happened in 1,120 real days, where the highest sum was 29. A source that swaps one or two words per day is
detected in about a week."""


class Outcome(NamedTuple):
    """A word that was possible on a day, and whether it was accepted."""

    word: str
    accepted: bool


class Expectation(NamedTuple):
    """What a release expects of a word without a record: its p, and whether it is on the list."""

    p: float
    listed: bool


def expectations(words_csv: bytes, words: Iterable[str]) -> dict[str, Expectation]:
    """Return what a release expects of those of some words that are in its file words.csv. A word that a person dropped
    has a p of at most `P_OF_DROPPED`. Raises ReleaseError if the file is damaged."""
    expected = {}
    wanted = set(words)
    for row in reader.rows(words_csv, "words.csv", reader.any_of(wanted)):
        if row["word"] not in wanted:
            continue
        try:
            p, listed = float(row["p"]), row["tier"] in LISTED
        except ValueError as error:
            raise ReleaseError(f"words.csv is damaged ({error}). Take all files from one release.") from error
        is_dropped = row["kind"] == "verdict" and not listed
        expected[row["word"]] = Expectation(min(p, P_OF_DROPPED) if is_dropped else p, listed)
    return expected


@dataclass(slots=True)
class WordRecord:
    """The record of one word: the numbers of trials and of acceptances, and the date and outcome of the last trial."""

    offered: int
    accepted: int
    last_trial: str
    accepted_last: bool


WordRecords = dict[str, WordRecord]
"""The record of each tried word."""


def word_records(record: pd.DataFrame) -> WordRecords:
    """Convert the table `record` into records to which days are added one by one."""
    records = {}
    for row in frames.rows(record):
        last_trial = max(row["last_accepted"], row["last_refused"])
        accepted_last = row["last_accepted"] > row["last_refused"]
        records[row["word"]] = WordRecord(row["offered"], row["accepted"], last_trial, accepted_last)
    return records


def add_day(records: WordRecords, date: str, outcomes: Iterable[Outcome]) -> None:
    """Add the outcomes of one day to the records."""
    for word, accepted in outcomes:
        record = records.setdefault(word, WordRecord(0, 0, "", False))
        record.offered += 1
        record.accepted += accepted
        if date >= record.last_trial:
            record.last_trial = date
            record.accepted_last = accepted


Rarity = Mapping[str, tuple[float, float]]
"""The Zipf frequency and the SCOWL size of words, as in `constancy.rarity`."""


def probability(
    record: WordRecord | None,
    estimate: float,
    date: str,
    rarity: tuple[float, float] = constancy.RARITY_OF_UNKNOWN_WORD,
) -> float:
    """Return the probability that a word is accepted on a date, from its record or, without one, from its estimate.

    >>> record = WordRecord(1, 1, "2020-01-01", True)
    >>> round(probability(record, 0.5, "2025-02-01", (2.0, 70)), 2), probability(None, 1.0, "2025-02-01")
    (0.94, 0.995)
    """
    if record is None:
        return min(max(estimate, 1 - SUREST), SUREST)
    today = datetime.date.fromisoformat(date)
    cells = {
        "mixed": record.accepted not in (0, record.offered),
        "age": abs((today - datetime.date.fromisoformat(record.last_trial)).days),
        "trials": record.offered,
        "zipf": rarity[0],
        "size": rarity[1],
        "years": (today - FIRST).days / 365.25,
    }
    agrees_with_last = float(constancy.agreement(record.accepted_last, cells))
    return agrees_with_last if record.accepted_last else 1 - agrees_with_last


@dataclass(frozen=True, slots=True)
class Score:
    """The result of the list on a day: its wrong words, the probability of an exact list, the surprise in bits, and the
    probability that each word had for its outcome."""

    date: str
    answers: int
    missing_words: tuple[str, ...]
    extra_words: tuple[str, ...]
    expected: float
    surprise: float
    probability_of_outcome: Mapping[str, float]

    @property
    def wrong(self) -> int:
        """The number of missing and extra words."""
        return len(self.missing_words) + len(self.extra_words)


def score(
    date: str,
    outcomes: Iterable[Outcome],
    word_records: WordRecords,
    expected: Mapping[str, Expectation],
    common_words: Collection[str],
    rarity: Rarity,
) -> Score:
    """Return the score of a day, going by what was known before it: the records of words, what the last release
    `expected` of other words, and the common words of the lexicon.

    Any other word is known only once it was accepted, so its earlier trials do not count. `surprise` is the information
    content of the outcomes in bits, minus the value that is expected.
    """
    probability_of_outcome: dict[str, float] = {}
    answers = 0
    missing_words: list[str] = []
    extra_words: list[str] = []
    bits = 0.0
    p_exact = 1.0
    for word, accepted in sorted(outcomes):
        record = word_records.get(word)
        was_accepted = record is not None and record.accepted > 0
        if not accepted and not was_accepted and word not in common_words:
            continue
        expectation = expected.get(word) or Expectation(P_OF_UNPUBLISHED if word in common_words else 0.0, listed=False)
        p = probability(record, expectation.p, date, rarity.get(word, constancy.RARITY_OF_UNKNOWN_WORD))
        listed = record.accepted_last if record else expectation.listed
        p_exact *= p if listed else 1 - p
        p = min(max(p, 1 - CERTAIN), CERTAIN)
        probability_of_outcome[word] = p if accepted else 1 - p
        answers += accepted
        if accepted and not listed:
            missing_words.append(word)
        if listed and not accepted:
            extra_words.append(word)
        bits += -math.log2(probability_of_outcome[word]) + p * math.log2(p) + (1 - p) * math.log2(1 - p)
    return Score(
        date=date,
        answers=answers,
        missing_words=tuple(missing_words),
        extra_words=tuple(extra_words),
        expected=round(p_exact, 4),
        surprise=round(bits, 2),
        probability_of_outcome=probability_of_outcome,
    )


def counts_of(score: Score) -> dict[str, int | float]:
    """Return the numbers in a row of the track record."""
    return {
        "exact": int(not score.wrong),
        "answers": score.answers,
        "missing": len(score.missing_words),
        "extra": len(score.extra_words),
        "expected": score.expected,
        "surprise": score.surprise,
    }


def drift(track: pd.DataFrame) -> list[tuple[str, str]]:
    """Find drift by a running sum (CUSUM) for each source and for all days: (source or "all sources", description).

    The sum never falls below 0, so good days do not offset later bad ones. After an alarm it starts again.
    """
    found = []
    for source, days in [("all sources", track), *track.groupby("source")]:
        total, since = 0.0, ""
        for date, surprise in zip(days["date"], days["surprise"], strict=True):
            if not total:
                since = date
            total = max(0.0, total + surprise - ALLOWED)
            if total >= DRIFT:
                found.append((str(source), f"{since} to {date}: {total:.0f} bits more than expected"))
                total = 0.0
    return found
