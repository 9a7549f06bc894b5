"""Merge: official days from many sources become facts, one puzzle a date, and every word's trials.

A *trial* is "on that date this word was possible; was it accepted?". The mask index makes every candidate in every
puzzle ever a matter of a second, and all that follows is a group-by of the one table that this makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from pipeline import frames, solver
from pipeline.capture import Day
from pipeline.lexicon import bases
from pipeline.words import Puzzle, mask


def reconcile(
    days: Iterable[tuple[str, Day]], trust: Mapping[str, int]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Choose one puzzle a date from (source, day) pairs; return puzzles, answers and conflicts.

    The most trusted source (lowest rank) of a date is used, and of one source its last day given, for a later capture
    corrects an earlier one. Every difference becomes a row of conflicts: `subject` is the word, or "letters". `vouched`
    counts the sources that name an answer that day.
    """
    by_date: dict[str, dict[str, Day]] = {}
    conflicts: list[dict[str, str]] = []
    for source, day in days:
        before = by_date.setdefault(day.date, {}).get(source)
        if before is not None:
            conflicts += _differences(source, day, f"{source} before", before)
        by_date[day.date][source] = day
    puzzles, answers = [], []
    for date, versions in sorted(by_date.items()):
        (source, chosen), *others = sorted(versions.items(), key=lambda pair: (trust.get(pair[0], 99), pair[0]))
        puzzles.append({"date": date, "center": chosen.puzzle.center, "outer": chosen.puzzle.outer, "source": source})
        for other, day in others:
            conflicts += _differences(source, chosen, other, day)
        same = [day for day in versions.values() if day.puzzle == chosen.puzzle]
        answers += [
            {"date": date, "word": word, "vouched": sum(word in day.answers for day in same)} for word in chosen.answers
        ]
    unique = {(row["date"], row["subject"], row["source_b"]): row for row in conflicts}
    return (
        frames.table(puzzles, "puzzles"),
        frames.table(answers, "answers"),
        frames.table(unique.values(), "conflicts"),
    )


def _differences(used: str, chosen: Day, other: str, day: Day) -> list[dict[str, str]]:
    """List where a source's day differs from the one that is used."""
    row = {"date": day.date, "source_a": used, "source_b": other}
    if day.puzzle != chosen.puzzle:
        letters = f"{used} has {chosen.puzzle.letters}, {other} has {day.puzzle.letters}; {used} is used"
        return [{**row, "subject": "letters", "detail": letters}]
    only_used = [
        {**row, "subject": word, "detail": f"{used} has it, {other} has not; {used} is used"}
        for word in sorted(set(chosen.answers) - set(day.answers))
    ]
    only_other = [
        {**row, "subject": word, "detail": f"{other} has it, {used} has not; {used} is used"}
        for word in sorted(set(day.answers) - set(chosen.answers))
    ]
    return only_used + only_other


def refused_and_accepted(days: Iterable[tuple[str, Day]]) -> list[dict[str, str]]:
    """Report words that one source lists as refused on a day when another source accepted them."""
    latest = {(day.date, source): day for source, day in days}
    accepted: dict[tuple[str, str], list[str]] = {}
    for (date, source), day in sorted(latest.items()):
        for word in day.answers:
            accepted.setdefault((date, word), []).append(source)
    return [
        {
            "rule": "refused-and-accepted",
            "subject": f"{date} {word}",
            "detail": f"{source} lists it as refused, {', '.join(accepted[date, word])} accepted it",
        }
        for (date, source), day in sorted(latest.items())
        for word in day.refused
        if (date, word) in accepted
    ]


def corrected(
    days: Sequence[tuple[str, Day]], corrections: pd.DataFrame
) -> tuple[list[tuple[str, Day]], list[dict[str, str]]]:
    """Leave out the days that a person has marked as wrong; report corrections whose day now says something else.

    A correction names source, date and the wrong letters, center first. One whose source has that date with other
    letters is stale: the source mended it. One whose source is not on disk at that date waits.
    """
    wrong = {(row["source"], row["date"]): row["letters"] for row in frames.rows(corrections)}
    kept = [(source, day) for source, day in days if wrong.get((source, day.date)) != day.puzzle.letters]
    stale = [
        {
            "rule": "correction-stale",
            "subject": f"{source} {day.date}",
            "detail": f"The correction says {wrong[source, day.date]}, the source {day.puzzle.letters}.",
        }
        for source, day in kept
        if (source, day.date) in wrong
    ]
    return kept, stale


def candidates(lexicon: pd.DataFrame, plain: pd.Series, answers: Iterable[str]) -> pd.DataFrame:
    """List the words to consider: the lexicon's common words, and every word that was ever an answer.

    `known` says whether any list has the word in any way, or what it is an inflected form of; an answer that is not
    known waits for a second witness.
    """
    words = sorted(set(lexicon["word"][plain]) | set(answers))
    known = set(lexicon["word"])
    return frames.check(
        pd.DataFrame(
            {
                "word": words,
                "mask": [mask(word) for word in words],
                "known": [word in known or any(base in known for base in bases(word)) for word in words],
            }
        ),
        "candidates",
    )


def trials(puzzles: pd.DataFrame, answers: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Try every candidate in every puzzle: one row for each that its letters spell, accepted or not."""
    groups = solver.index(candidates["word"])
    accepted = answers.groupby("date")["word"].agg(set).to_dict()
    dates: list[str] = []
    words: list[str] = []
    verdicts: list[bool] = []
    for row in frames.rows(puzzles):
        possible = solver.solve(groups, Puzzle(row["center"], row["outer"]))
        dates += [row["date"]] * len(possible)
        words += possible
        verdicts += [word in accepted[row["date"]] for word in possible]
    frame = pd.DataFrame({"date": dates, "word": words, "accepted": verdicts})
    return frames.check(frame, "trials") if len(frame) else frames.empty("trials")
