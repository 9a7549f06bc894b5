"""The track record: how the list of each release did on the days after it, one row a day, and what a day left open.

A row stays as it was published. Only for `coverage.OPEN_DAYS`, the list of a second site can raise `witnesses` and fill
`differs`: the words on which it differs from what was counted, or its letters if these are others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pandas as pd

from pipeline.facts import record as record_facts
from pipeline.facts.count_days import CountedDays
from pipeline.facts.coverage import first_open
from pipeline.sources import SITE_OF
from pipeline.tables import columns, frames
from pipeline.words import Puzzle, spells


def updated(
    before: pd.DataFrame, new: pd.DataFrame, covered: Collection[str], day_lists: pd.DataFrame, record: pd.DataFrame
) -> pd.DataFrame:
    """Return the track record with the rows of new days. `covered` are the dates of the new record, and `record` has
    the days of the track record `before`."""
    stays = before[columns.is_in(before["date"], covered)]
    rows = frames.rows(stays)
    first = first_open(covered)
    accepted_on = record_facts.accepted_on(record)
    for row in rows:
        if row["date"] >= first and row["witnesses"] == 1 and len(record):
            of_date = day_lists[(day_lists["date"] == row["date"]) & day_lists["settled"]]
            row |= _second_site(row, of_date, set(accepted_on.get(row["date"], ())), record)
    new = new[columns.is_in(new["date"], covered) & ~columns.is_in(new["date"], stays["date"])]
    return frames.from_rows(rows + frames.rows(new), "track")


def recounted(before: pd.DataFrame, days: CountedDays) -> pd.DataFrame:
    """Return the track record after all days were counted from nothing: a day that two sites or a person confirm has
    the words without a trial that it has now, and nothing is open about it."""
    rows = frames.rows(before)
    words_of = days.without_trial.groupby("date")["word"].agg(" ".join).to_dict()
    for row in rows:
        if row["date"] in days.confirmed:
            row |= {"without_trial": words_of.get(row["date"], ""), "differs": ""}
    return frames.from_rows(rows, "track")


def without_trial(new: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return the words without a trial on the days on disk (table `without_trial`), with those of published days."""
    rows = frames.rows(new)
    known = {(row["date"], row["word"]) for row in rows}
    for row in frames.rows(published):
        for word in row["without_trial"].split():
            if (row["date"], word) not in known:
                rows.append({"date": row["date"], "word": word, "because": "it had none when the day was counted"})
    return frames.from_rows(rows, "without_trial")


def _second_site(
    row: Mapping[str, Any], lists: pd.DataFrame, accepted: set[str], record: pd.DataFrame
) -> dict[str, Any]:
    """Return the new cells of a row of one witness: none, or those that follow from the list of another site.
    `accepted` are the words that the record accepted last on that day."""
    own = SITE_OF.get(row["source"], "")
    others = {SITE_OF[each["source"]]: each for each in frames.rows(lists) if SITE_OF.get(each["source"], own) != own}
    for other in others.values():
        letters = Puzzle(other["center"], other["outer"])
        if not all(spells(letters, word) for word in accepted):
            return {"differs": f"letters:{letters.letters}"}
    differing = {word for other in others.values() for word in _differing(row, other, accepted, record)}
    witnesses = max(1, len({own, *others} - {""}))
    return {"witnesses": witnesses, "differs": " ".join(sorted(differing))} if others else {}


def _differing(row: Mapping[str, Any], other: Mapping[str, Any], accepted: set[str], record: pd.DataFrame) -> set[str]:
    """Return the words on which the list of another site differs from what was counted.

    The record says what was counted, so words that were possible again since then are left out: the last trial decides.
    """
    answers = set(other["answers"].split())
    last_trial = record[["last_accepted", "last_refused"]].max(axis=1)
    later = set(record["word"][last_trial > row["date"]])
    return (accepted - answers) | (answers - accepted - later - set(row["without_trial"].split()))
