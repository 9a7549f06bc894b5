"""Decisions of people about days: applies the rows of `days.csv` to the lists that sources have.

A row names a list by its date, its source, its letters (center first) and its number of answers; an empty number stands
for any. Without a source, the row is about the list of every source that fits. What it decides:

* `accept`: the list is right, so the day does not wait, and no list of the date that differs is used.
* `fix`: the list is right without the words in `removed` and with those in `added`.
* `reject`: the list is wrong and not used. A row without letters says that the source has no list of the date that can
  be used or, without a source, that no source has one. It is no longer asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from pipeline.errors import DecisionError
from pipeline.sources import TRUST_RANK
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
    sources = {*TRUST_RANK, *(source for source, _ in days)}
    lists_of_date: dict[str, dict[str, Day]] = {date: {} for date in decisions["date"]}
    for source, day in days:
        if day.date in lists_of_date:
            lists_of_date[day.date][source] = day
    faults: list[Finding] = []
    accepted = set()
    decided: dict[SourceDate, Day | None] = {}
    for date, rows in decisions.groupby("date"):
        lists = lists_of_date[str(date)]
        left = _decide_day(lists, frames.rows(rows), sources, faults)
        if left.is_accepted:
            accepted.add(str(date))
        for source, day in lists.items():
            if left.lists.get(source) is not day:
                decided[source, str(date)] = left.lists.get(source)
    unchanged = [(source, day) for source, day in days if (source, day.date) not in decided]
    changed = [(source, day) for (source, _), day in decided.items() if day]
    return Decided(unchanged + changed, frozenset(accepted), faults)


@dataclass(frozen=True, slots=True)
class _DecidedDay:
    """The lists of a date that can be used, by source, and whether a person accepted or fixed one."""

    lists: Mapping[str, Day]
    is_accepted: bool


def _decide_day(
    lists: Mapping[str, Day], rows: Iterable[Mapping[str, str]], sources: Collection[str], faults: list[Finding]
) -> _DecidedDay:
    """Apply the decisions about a date to its last lists, given by source, and add the faults of the decisions."""
    rejected: set[str] = set()
    right: dict[str, dict[str, Day]] = {}
    for row in rows:
        subject = subject_of(row)
        named = [source for source in lists if row["source"] in ("", source)]
        fitting = [source for source in named if fits(row, lists[source])]
        try:
            if row["source"] and row["source"] not in sources:
                names = ", ".join(sorted(sources))
                raise DecisionError(f'"{row["source"]}" is not a source; the sources are {names}.')
            if row["decision"] == "reject":
                rejected.update(fitting)
            elif fitting:
                right[subject] = {source: _changed(lists[source], row) for source in fitting}
        except (InvalidDayError, DecisionError) as error:
            faults.append(Finding("day-broken", subject, str(error)))
            continue
        if named and not fitting:
            now = "; ".join(f"{source} has {_describe(lists[source])}" for source in sorted(named))
            faults.append(Finding("day-stale", subject, f"It was about {_expected(row)}; now {now}."))
    right_lists = {source: day for of_row in right.values() for source, day in of_row.items() if source not in rejected}
    if len(set(map(_content, right_lists.values()))) > 1:
        detail = "Different lists of this day are accepted, but only one can be right; name its source."
        faults += [Finding("day-broken", subject, detail) for subject in right]
        right_lists = {}
    left = {source: day for source, day in lists.items() if source not in rejected} | right_lists
    if right_lists:
        (content,) = set(map(_content, right_lists.values()))
        left = {source: day for source, day in left.items() if _content(day) == content}
    return _DecidedDay(left, bool(right_lists))


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
    """Return whether a list is the one of a row: it has its letters and its number of answers, or its source has made
    the fix of the row itself."""
    if not row["letters"] or day.puzzle != puzzle(row["letters"]):
        return False
    answers = set(day.answers)
    is_fixed = answers.issuperset(row["added"].split()) and answers.isdisjoint(row["removed"].split())
    return row["answers"] in ("", str(len(answers))) or (row["decision"] == "fix" and is_fixed)


def _describe(day: Day) -> str:
    return f"{day.puzzle.letters} with {count(len(day.answers), 'word')}"


def _expected(row: Mapping[str, str]) -> str:
    """Return the list of a row, as text for a message."""
    if not row["letters"]:
        return "no list"
    return f"{row['letters']} with {row['answers']} words" if row["answers"] else row["letters"]


def row_about(
    lists: Mapping[str, Day], date: str, decision: str, source: str, added: Iterable[str], removed: Iterable[str]
) -> dict[str, str]:
    """Return the row, without reason and name, that decides on the lists of a date, which are given by source.

    The row has the letters and the number of answers of the list. Raises DecisionError if it is open which list is
    meant, or if there is none to accept or fix.
    """
    named = {name: day for name, day in lists.items() if source in ("", name)}
    different = {(day.puzzle.letters, day.answers) for day in named.values()}
    if len(different) > 1 or (len(named) > 1 and decision != "accept"):
        raise DecisionError(f"{' and '.join(sorted(named))} have {date}; say with --source whose list you mean.")
    if not named and decision != "reject":
        raise DecisionError(f"There is no list of {' '.join(filter(None, (source, date)))} on disk.")
    letters = answers = ""
    for name, day in named.items():
        letters, answers = day.puzzle.letters, str(len(day.answers))
        if decision != "accept":
            source = name
    return {
        "date": date,
        "source": source,
        "letters": letters,
        "answers": answers,
        "decision": decision,
        "added": " ".join(sorted(added)),
        "removed": " ".join(sorted(removed)),
    }


def rejected_lists(decisions: pd.DataFrame) -> frozenset[SourceDate]:
    """Return (source, date) of the rejected lists."""
    rows = decisions[(decisions["decision"] == "reject") & (decisions["source"] != "")]
    return frozenset(zip(rows["source"], rows["date"], strict=True))


def not_asked(decisions: pd.DataFrame) -> frozenset[SourceDate]:
    """Return (source, date) of the lists that are no longer asked for; the source is "" if no source has the day."""
    rows = decisions[(decisions["decision"] == "reject") & (decisions["letters"] == "")]
    return frozenset(zip(rows["source"], rows["date"], strict=True))
