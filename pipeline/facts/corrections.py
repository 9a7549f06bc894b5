"""Corrections that a person wrote for wrong days. Each one is applied to every source that has the wrong day.

A row of `corrections.csv` describes the wrong day: its date, its letters (`reported`, center first), the words that it
wrongly lists (`listed`) and those that it wrongly lacks (`lacking`), separated by blanks. A row without words means
that the whole day is wrong. A row without words and letters means that everything that this source says of the day is
wrong. `source` is the source of the wrong day. It does not limit the correction to that source, because the same wrong
day may be imported under another name; it only determines which source is watched for a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import DecisionError
from pipeline.facts import by_hand
from pipeline.sources import TRUST_RANK
from pipeline.sources.day import Day, InvalidDayError, official_day
from pipeline.tables import frames
from pipeline.violations import Finding
from pipeline.words import Puzzle, puzzle

SourceDay = tuple[str, Day]
"""A day with the name of its source."""
SourceDate = tuple[str, str]
"""A date with the name of a source."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected days, and one finding for each fault in the corrections."""

    days: list[SourceDay]
    faults: list[Finding]


@dataclass(frozen=True, slots=True)
class _Correction:
    """A valid row of `corrections.csv`. `reported` has the letters as they are written, or "" if there are none."""

    source: str
    date: str
    reported: str
    listed: tuple[str, ...]
    lacking: tuple[str, ...]

    @property
    def wrong_puzzle(self) -> Puzzle:
        """The puzzle of the wrong day."""
        return puzzle(self.reported)

    @property
    def rejects_day(self) -> bool:
        """Whether the whole day is wrong."""
        return not self.listed and not self.lacking

    def describes(self, day: Day) -> bool:
        """Return whether a day is the wrong day that the correction describes."""
        answers = set(day.answers)
        has_words = answers.issuperset(self.listed) and answers.isdisjoint(self.lacking)
        return day.puzzle == self.wrong_puzzle and has_words

    def expectation(self) -> str:
        """Return the letters and words of the wrong day, as text for a message."""
        parts = [self.reported]
        if self.listed:
            parts.append(f"with {' '.join(self.listed)}")
        if self.lacking:
            parts.append(f"without {' '.join(self.lacking)}")
        return " ".join(parts)


def apply_corrections(days: Sequence[SourceDay], corrections: pd.DataFrame) -> Corrected:
    """Return (source, day) pairs with corrections applied, without days that are wrong as a whole, and the faults of
    the corrections. The pairs are in order, oldest first.

    `correction-stale`: the latest version of the day in the named source (or in all sources, if none is named) is not
    the wrong day of the correction, so a person has to review it. `correction-met`: that version already has what the
    correction changes. `correction-broken`: a cell of the correction is invalid, or the corrected day cannot be an
    official puzzle; the day is not changed. A correction of a date that its source does not have yet has no effect and
    no fault.
    """
    known_sources = set(TRUST_RANK) | {source for source, _ in days}
    latest = {(source, day.date): day for source, day in days}
    corrected = list(days)
    faults: list[Finding] = []
    for row in frames.rows(corrections):
        subject = f"{row['source']} {row['date']} {row['reported']}".strip()
        try:
            correction = _correction(row, known_sources)
            if correction.reported:
                corrected = _apply(correction, corrected, latest)
            else:
                source_date = (correction.source, correction.date)
                corrected = [(source, day) for source, day in corrected if (source, day.date) != source_date]
        except (InvalidDayError, DecisionError) as error:
            faults.append(Finding("correction-broken", subject, str(error)))
            continue
        if correction.reported:
            faults += _outdated(correction, subject, latest)
    return Corrected(corrected, faults)


def _correction(row: Mapping[str, str], known_sources: Iterable[str]) -> _Correction:
    """Return the correction in a row; raise DecisionError for an invalid cell or an unknown source."""
    problem = by_hand.problem_with("corrections", row)
    if problem:
        raise DecisionError(f"{problem}.")
    source = row["source"]
    if source and source not in known_sources:
        raise DecisionError(f'"{source}" is not a source; the sources are {", ".join(sorted(known_sources))}.')
    listed, lacking = tuple(row["listed"].split()), tuple(row["lacking"].split())
    return _Correction(source, row["date"], row["reported"], listed, lacking)


def _apply(correction: _Correction, days: Iterable[SourceDay], latest: Mapping[SourceDate, Day]) -> list[SourceDay]:
    """Return the days with a correction applied, without those that are wrong as a whole. Raise InvalidDayError if a
    corrected day cannot be an official puzzle. `latest` has the latest days before any correction."""
    corrected = []
    for source, day in days:
        if day.date != correction.date or day.puzzle != correction.wrong_puzzle:
            corrected.append((source, day))
        elif not correction.rejects_day:
            answers = set(day.answers).difference(correction.listed).union(correction.lacking)
            new_day = official_day(day.date, day.puzzle.center, day.puzzle.outer, answers, day.refused)
            corrected.append((source, new_day))
        elif source != correction.source and _is_another_list(day, latest.get((correction.source, correction.date))):
            corrected.append((source, day))
    return corrected


def _is_another_list(day: Day, rejected: Day | None) -> bool:
    """Return whether a day has the letters of a rejected day but other answers, so that the rejection does not apply to
    it."""
    return rejected is not None and rejected.puzzle == day.puzzle and rejected.answers != day.answers


def _outdated(correction: _Correction, subject: str, latest: Mapping[SourceDate, Day]) -> list[Finding]:
    """Return the fault of a correction whose source has changed the day: the correction is met, or it is stale."""
    same_date = {source: day for (source, date), day in latest.items() if date == correction.date}
    watched = {source: day for source, day in same_date.items() if correction.source in ("", source)}
    if not watched or any(correction.describes(day) for day in watched.values()):
        return []
    now = "; ".join(f"{source} has {day.puzzle.letters}" for source, day in sorted(watched.items()))
    detail = f"The correction was made for {correction.expectation()}; now {now}"
    other_puzzles = {day.puzzle for source, day in same_date.items() if source not in watched}
    if all(_came_true(correction, day, other_puzzles) for day in watched.values()):
        return [Finding("correction-met", subject, f"{detail}, which agrees with the correction.")]
    return [Finding("correction-stale", subject, f"{detail}.")]


def _came_true(correction: _Correction, day: Day, other_puzzles: Iterable[Puzzle]) -> bool:
    """Return whether a source now has what a correction changes or, for a rejected day, the puzzle of another
    source."""
    if correction.rejects_day:
        return day.puzzle in other_puzzles
    answers = set(day.answers)
    has_words = answers.isdisjoint(correction.listed) and answers.issuperset(correction.lacking)
    return day.puzzle == correction.wrong_puzzle and has_words


def rejected_days(corrections: pd.DataFrame) -> frozenset[SourceDate]:
    """Return (source, date) of the days that corrections reject as a whole; the source is the one in the correction."""
    rows = corrections[(corrections["listed"] == "") & (corrections["lacking"] == "")]
    return frozenset(zip(rows["source"], rows["date"], strict=True))


def unusable_days(corrections: pd.DataFrame) -> frozenset[SourceDate]:
    """Return (source, date) of the days for which everything that the source says is wrong. They are not requested from
    that source."""
    rows = corrections[(corrections["reported"] == "") & (corrections["source"] != "")]
    return frozenset(zip(rows["source"], rows["date"], strict=True))


def corrected_words(corrections: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return (date, word) of the words that a person corrected."""
    words = set()
    for row in frames.rows(corrections):
        for word in f"{row['listed']} {row['lacking']}".split():
            words.add((row["date"], word))
    return frozenset(words)
