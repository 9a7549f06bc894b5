"""Decisions of people about days: applies the rows of `days.csv` to the lists that sources have.

A row names a list by its date, its source, its letters (center first) and its number of answers; an empty number stands
for any. Without a source, the row is about the list of every source that fits. What it decides:

* `accept`: the list is right. No other list of the date is used, and the day does not wait.
* `fix`: the words in `removed` are taken out of the list, and those in `added` are put in.
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
from pipeline.words import count, puzzle

SourceDay = tuple[str, Day]
"""The list of a day, with the name of its source."""
SourceDate = tuple[str, str]
"""The name of a source, and a date."""
ORDER = ("reject", "accept", "fix")
"""The decisions in the order in which they are applied."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The lists that can be used, the lists that a person accepted or fixed (`decision_of`), and the faults of the
    rows."""

    days: list[SourceDay]
    decision_of: Mapping[SourceDate, str]
    faults: list[Finding]


def decide_days(days: Sequence[SourceDay], decisions: pd.DataFrame) -> Decided:
    """Apply decisions (table `day_decisions`) to lists, which are in order, oldest first.

    A decision is about the last list of a source and date, and replaces the earlier ones. Faults are `day-stale` for a
    row whose date (and source) is on disk, but only with other lists, and `day-broken` for a row that cannot be
    applied. Such rows change nothing.
    """
    known_sources = {*TRUST_RANK, *(source for source, _ in days)}
    last = {(source, day.date): day for source, day in days}
    on_disk = dict(last)
    decision_of: dict[SourceDate, str] = {}
    faults = []
    decided_dates = set(decisions["date"])
    for row in sorted(frames.rows(decisions), key=lambda row: ORDER.index(row["decision"])):
        subject = f"{row['date']} {row['source']} {row['letters']}"
        named = [key for key in on_disk if key[1] == row["date"] and row["source"] in ("", key[0])]
        fitting = [key for key in named if fits(row, on_disk[key])]
        try:
            _require_meant(row, decisions, known_sources)
            if fitting:
                decision_of |= _decide(row, fitting, last)
        except (InvalidDayError, DecisionError) as error:
            faults.append(Finding("day-broken", subject, str(error)))
            continue
        if named and not fitting:
            now = "; ".join(f"{source} has {_describe(on_disk[source, date])}" for source, date in sorted(named))
            faults.append(Finding("day-stale", subject, f"It was about {_expected(row)}; now {now}."))
    unchanged = [
        (source, day)
        for source, day in days
        if day.date not in decided_dates or last.get((source, day.date)) is on_disk[source, day.date]
    ]
    changed = [(key[0], day) for key, day in last.items() if day is not on_disk[key]]
    return Decided(unchanged + changed, decision_of, faults)


def fits(row: Mapping[str, str], day: Day) -> bool:
    """Return whether a list is the one of a row: it has its letters and its number of answers, or its source has made
    the fix of the row itself."""
    if not row["letters"] or day.puzzle != puzzle(row["letters"]):
        return False
    answers = set(day.answers)
    is_fixed = answers.issuperset(row["added"].split()) and answers.isdisjoint(row["removed"].split())
    return row["answers"] in ("", str(len(answers))) or (row["decision"] == "fix" and is_fixed)


def _require_meant(row: Mapping[str, str], decisions: pd.DataFrame, known_sources: Collection[str]) -> None:
    """Raise DecisionError for an unknown source, and for one of several rows that accept a list of the same date."""
    source, date = row["source"], row["date"]
    if source and source not in known_sources:
        raise DecisionError(f'"{source}" is not a source; the sources are {", ".join(sorted(known_sources))}.')
    accepts = (decisions["decision"] == "accept") & (decisions["date"] == date)
    if row["decision"] == "accept" and accepts.sum() > 1:
        raise DecisionError(f"{count(int(accepts.sum()), 'row')} accept a list of {date}; only one list can be right.")


def _decide(
    row: Mapping[str, str], fitting: Iterable[SourceDate], last: dict[SourceDate, Day]
) -> dict[SourceDate, str]:
    """Change the last lists as a row says. Return the lists that it accepts or fixes, each with the decision."""
    date, decision = row["date"], row["decision"]
    left = [key for key in fitting if key in last]
    if decision == "reject":
        for key in left:
            del last[key]
        return {}
    if decision == "accept":
        for key in [key for key in last if key[1] == date and key not in left]:
            del last[key]
    else:
        for key in left:
            day = last[key]
            words = set(day.answers).difference(row["removed"].split()).union(row["added"].split())
            last[key] = official_day(date, day.puzzle.center, day.puzzle.outer, words, day.refused)
    return dict.fromkeys(left, decision)


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
