"""Corrections: what a person wrote about wrong days, applied to every source that has the wrong day.

A row of `corrections.csv` describes the wrong day: its date, its letters (`reported`, center first), the words that it
wrongly lists (`listed`) and those that it wrongly lacks (`lacking`), separated by blanks. A row without words means
that the whole day is wrong; without letters, too, it means everything that this source says of the day. `source` is
the source of the wrong day. It does not limit the correction, because the same
wrong day may be imported under another name; it only selects the source that is watched for a change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import pandas as pd

from pipeline.facts import by_hand
from pipeline.facts.by_hand import ByHandError
from pipeline.sources import TRUST_RANK
from pipeline.sources.day import Day, InvalidDayError, official_day
from pipeline.tables import frames
from pipeline.violations import Finding
from pipeline.words import Puzzle, puzzle

Named = tuple[str, Day]
"""A day with the name of its source."""
NamedDate = tuple[str, str]
"""A date with the name of a source."""


class Corrected(NamedTuple):
    """The corrected days, and one finding for each fault in the corrections."""

    days: list[Named]
    faults: list[Finding]


def corrected(days: Sequence[Named], corrections: pd.DataFrame) -> Corrected:
    """Correct (source, day) pairs, oldest first; leave out days that are wrong as a whole.

    `correction-stale`: the last day of the named source (or of all sources, if none is named) no longer matches the
    correction, so a person has to review it. `correction-met`: that day is now as the correction wants it. A correction
    of a date that its source does not have yet waits.
    `correction-broken`: a cell of the correction is wrong, or the corrected day cannot be an official puzzle. The day
    is not changed.
    """
    known = {*TRUST_RANK, *(source for source, _ in days)}
    latest = {(source, day.date): day for source, day in days}
    faults: list[Finding] = []
    for row in frames.rows(corrections):
        try:
            if wrong := by_hand.wrong("corrections", row):
                raise ByHandError(f"{wrong}.")
            if row["source"] and row["source"] not in known:
                raise ByHandError(f'"{row["source"]}" is not a source; the sources are {", ".join(sorted(known))}.')
            if not row["reported"]:
                days = [(source, day) for source, day in days if (source, day.date) != (row["source"], row["date"])]
                continue
            letters = puzzle(row["reported"]).letters
            theirs = latest.get((row["source"], row["date"]))
            applied = [
                (source, _apply(held, letters, row, theirs if source != row["source"] else None))
                for source, held in days
            ]
            days = [(source, made) for source, made in applied if made is not None]
        except (InvalidDayError, ByHandError) as error:
            faults.append(_fault("correction-broken", row, str(error)))
            continue
        faults += _outdated(row, letters, latest)
    return Corrected(list(days), faults)


def _outdated(row: Mapping[str, str], letters: str, latest: Mapping[NamedDate, Day]) -> list[Finding]:
    """Return the fault of a correction whose source has changed the day since: it came true, or it is stale."""
    same_date = {source: day for (source, date), day in latest.items() if date == row["date"]}
    watched = {source: day for source, day in same_date.items() if row["source"] in ("", source)}
    if not watched or any(_says(day, letters, row) for day in watched.values()):
        return []
    now = "; ".join(f"{source} has {day.puzzle.letters}" for source, day in sorted(watched.items()))
    others = {day.puzzle for source, day in same_date.items() if source not in watched}
    if all(_came_true(day, letters, row, others) for day in watched.values()):
        return [_fault("correction-met", row, f"The correction expects {_expected(row)}; {now}, as it should be.")]
    turned = {day.puzzle.letters for day in watched.values() if set(day.puzzle.letters) == set(letters)}
    hint = " These are the same letters: write the center first." if turned - {letters} else ""
    return [_fault("correction-stale", row, f"The correction expects {_expected(row)}; {now}.{hint}")]


def _came_true(day: Day, letters: str, row: Mapping[str, str], others: AbstractSet[Puzzle]) -> bool:
    """Return whether a source now has the day as a correction wants it; a rejected day, as another source has it."""
    listed, lacking = set(row["listed"].split()), set(row["lacking"].split())
    if not listed and not lacking:
        return day.puzzle in others
    return day.puzzle.letters == letters and not listed & set(day.answers) and lacking <= set(day.answers)


def rejected(corrections: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return (source, date) of the days that are wrong as a whole; the source is the one in the correction."""
    whole = corrections[(corrections["listed"] == "") & (corrections["lacking"] == "")]
    return frozenset(zip(whole["source"], whole["date"], strict=True))


def given_up(corrections: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return (source, date) of the days of which nothing that the source says is right, so that it is not asked."""
    whole = corrections[(corrections["reported"] == "") & (corrections["source"] != "")]
    return frozenset(zip(whole["source"], whole["date"], strict=True))


def left_out(corrections: pd.DataFrame) -> set[str]:
    """Return the dates on which a day of some source is wrong as a whole."""
    return {date for _, date in rejected(corrections)}


def named(corrections: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return (date, word) of the words that a person corrected."""
    return frozenset(
        (row["date"], word) for row in frames.rows(corrections) for word in f"{row['listed']} {row['lacking']}".split()
    )


def _says(held: Day, letters: str, row: Mapping[str, str]) -> bool:
    """Return whether a day is as the correction expects."""
    answers = set(held.answers)
    listed, lacking = set(row["listed"].split()), set(row["lacking"].split())
    return held.puzzle.letters == letters and listed <= answers and not lacking & answers


def _apply(held: Day, letters: str, row: Mapping[str, str], theirs: Day | None) -> Day | None:
    """Return the corrected day, or None if it is wrong as a whole; raise InvalidDayError if the result is not a puzzle.

    `theirs` is the day of the source in the correction if `held` is of another source. If both have these letters and
    different answers, a rejection of the whole day is only about theirs.
    """
    if held.date != row["date"] or held.puzzle.letters != letters:
        return held
    listed, lacking = set(row["listed"].split()), set(row["lacking"].split())
    if not listed and not lacking:
        return held if theirs and theirs.puzzle.letters == letters and theirs.answers != held.answers else None
    answers = (set(held.answers) - listed) | lacking
    return official_day(held.date, held.puzzle.center, held.puzzle.outer, answers, held.refused)


def _expected(row: Mapping[str, str]) -> str:
    wrong = [f"with {row['listed']}"] * bool(row["listed"]) + [f"without {row['lacking']}"] * bool(row["lacking"])
    return " ".join([row["reported"], *wrong])


def _fault(rule: str, row: Mapping[str, str], detail: str) -> Finding:
    return Finding(rule, f"{row['source']} {row['date']} {row['reported']}".strip(), detail)
