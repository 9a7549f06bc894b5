"""Decisions of people about days: applies the rows of `days.csv` to the lists that sources have.

A row names a list by its date, its source, its letters (center first) and its number of answers; an empty number stands
for any. Without a source, the row is about the list of every source that fits. What it decides:

* `accept`: the list is right, so the day does not wait, and no list of the date that differs is used.
* `fix`: the list is right without the words in `removed` and with those in `added`.
* `reject`: the list is wrong and not used. A row without letters says that the source has no list of the date that can
  be used or, without a source, that no source has one. It is no longer asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import DecisionError
from pipeline.sources.day import Day, InvalidDayError, official_day
from pipeline.tables import frames
from pipeline.violations import Finding
from pipeline.words import Puzzle, count, puzzle

SourceDay = tuple[str, Day]
"""The list of a day, with the name of its source."""
SourceDate = tuple[str, str]
"""The name of a source, and a date."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The lists that can be used, the dates of which a person accepted or fixed the list, and the faults of the
    rows."""

    days: list[SourceDay]
    accepted: frozenset[str]
    faults: list[Finding]


def decide_days(days: Sequence[SourceDay], decisions: pd.DataFrame) -> Decided:
    """Apply decisions (table `day_decisions`) to lists, which are in order, oldest first.

    A decision is about the last list of a source and date, and replaces the earlier ones. Faults are `day-stale` for a
    row whose date (and source) is on disk, but only with other lists, and `day-broken` for a row that cannot be
    applied. Such rows change nothing.
    """
    lists_of_date: dict[str, dict[str, Day]] = {date: {} for date in decisions["date"]}
    for source, day in days:
        if day.date in lists_of_date:
            lists_of_date[day.date][source] = day
    faults: list[Finding] = []
    accepted = set()
    changed: dict[SourceDate, Day | None] = {}
    for date, rows in decisions.groupby("date"):
        lists = lists_of_date[str(date)]
        outcomes, faults_of_date = _outcomes(lists, frames.rows(rows))
        faults += faults_of_date
        right = {_content(day) for day in outcomes.values() if day}
        if right:
            accepted.add(str(date))
        for source, day in lists.items():
            outcome = outcomes.get(source, day)
            is_used = outcome and (not right or _content(outcome) in right)
            if outcome is not day or not is_used:
                changed[source, str(date)] = outcome if is_used else None
    days_left = [(source, day) for source, day in days if (source, day.date) not in changed]
    days_left += [(source, day) for (source, _), day in changed.items() if day]
    return Decided(days_left, frozenset(accepted), faults)


def _outcomes(
    lists: Mapping[str, Day], rows: Iterable[Mapping[str, str]]
) -> tuple[dict[str, Day | None], list[Finding]]:
    """Return what the decisions about a date make of its last lists, by source, and the faults of the decisions.

    The outcome is the list that is right, or None for a list that is wrong. Decisions that contradict each other have
    no outcome.
    """
    faults: list[Finding] = []
    outcomes_of: dict[str, dict[str, Day | None]] = {}
    for row in rows:
        subject = subject_of(row)
        named = [source for source in lists if row["source"] in ("", source)]
        fitting = [source for source in named if fits(row, lists[source])]
        try:
            is_wrong = row["decision"] == "reject"
            outcomes_of[subject] = {source: None if is_wrong else _changed(lists[source], row) for source in fitting}
        except InvalidDayError as error:
            faults.append(Finding("day-broken", subject, str(error)))
            continue
        if named and not fitting:
            now = "; ".join(f"{source} has {_describe(lists[source])}" for source in sorted(named))
            faults.append(Finding("day-stale", subject, f"It was about {_expected(row)}; now {now}."))
    pairs = [(source, day and _content(day)) for outcome in outcomes_of.values() for source, day in outcome.items()]
    right = {content for _, content in pairs if content}
    if len(set(pairs)) > len(dict(pairs)) or len(right) > 1:
        detail = "It contradicts another decision about this day, so neither is applied."
        faults += [Finding("day-broken", subject, detail) for subject, outcome in outcomes_of.items() if outcome]
        return {}, faults
    return {source: day for outcome in outcomes_of.values() for source, day in outcome.items()}, faults


def _changed(day: Day, row: Mapping[str, str]) -> Day:
    """Return a list with the words of a row added and removed; raise InvalidDayError if it is then no official list."""
    words = set(day.answers).difference(row["removed"].split()).union(row["added"].split())
    return official_day(day.date, day.puzzle.center, day.puzzle.outer, words, day.refused)


def _content(day: Day) -> tuple[Puzzle, tuple[str, ...]]:
    return day.puzzle, day.answers


def subject_of(row: Mapping[str, str]) -> str:
    """Return the subject of a finding about a row: its date first, then its source and letters if it has them."""
    return " ".join(filter(None, (row["date"], row["source"], row["letters"])))


def fits(row: Mapping[str, str], day: Day) -> bool:
    """Return whether a list is the one of a row: it has its letters and its number of answers or, for a fix, those that
    it has after the fix."""
    if not row["letters"] or day.puzzle != puzzle(row["letters"]):
        return False
    if row["answers"] in ("", str(len(day.answers))):
        return True
    added, removed = set(row["added"].split()), set(row["removed"].split())
    is_fixed = added.issubset(day.answers) and removed.isdisjoint(day.answers)
    return is_fixed and len(day.answers) == int(row["answers"]) + len(added) - len(removed)


def _describe(day: Day) -> str:
    return f"{day.puzzle.letters} with {count(len(day.answers), 'answer')}"


def _expected(row: Mapping[str, str]) -> str:
    """Return the list of a row, as text for a message."""
    if not row["letters"]:
        return "no list"
    return f"{row['letters']} with {count(int(row['answers']), 'answer')}" if row["answers"] else row["letters"]


def row_about(
    lists: Mapping[str, Day], date: str, decision: str, source: str, added: Iterable[str], removed: Iterable[str]
) -> dict[str, str]:
    """Return the row, without reason and name, that decides on the lists of a date, which are given by source.

    The row has the letters and the number of answers of the list. Raises DecisionError if it is open which list is
    meant, if there is none to accept or fix, or if a fix changes nothing.
    """
    named = {name: day for name, day in lists.items() if source in ("", name)}
    letters = answers = ""
    if named:
        (name, day), *others = named.items()
        if others and (decision != "accept" or len(set(map(_content, named.values()))) > 1):
            raise DecisionError(f"{', '.join(sorted(named))} have {date}; say with --source whose list you mean.")
        for word in sorted({*added}.intersection(day.answers) | {*removed}.difference(day.answers)):
            has = "already has" if word in day.answers else "does not have"
            raise DecisionError(f"The list of {name} {has} {word}. Nothing was written.")
        letters, answers = day.puzzle.letters, str(len(day.answers))
        source = source if decision == "accept" else name
    elif decision != "reject":
        raise DecisionError(f"There is no list of {' '.join(filter(None, (source, date)))} on disk.")
    return {
        "date": date,
        "source": source,
        "letters": letters,
        "answers": answers,
        "decision": decision,
        "added": " ".join(sorted(added)),
        "removed": " ".join(sorted(removed)),
    }


def _rejections(decisions: pd.DataFrame) -> pd.DataFrame:
    return decisions[decisions["decision"] == "reject"]


def rejected_lists(decisions: pd.DataFrame) -> frozenset[SourceDate]:
    """Return (source, date) of the lists that people rejected, whatever letters they had."""
    rows = _rejections(decisions)
    rows = rows[rows["source"] != ""]
    return frozenset(zip(rows["source"], rows["date"], strict=True))


def not_asked(decisions: pd.DataFrame) -> frozenset[SourceDate]:
    """Return (source, date) of the lists that are no longer asked for; the source is "" if no source has the day."""
    rows = _rejections(decisions)
    rows = rows[rows["letters"] == ""]
    return frozenset(zip(rows["source"], rows["date"], strict=True))
