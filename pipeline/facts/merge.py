"""Merge: makes facts from the official days of many sources: one puzzle per date, and the trials of every word.

A *trial* records that a word was possible on a date, and whether it was accepted. The mask index finds all trials of
all candidates in about a second; everything else is a group-by of this one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np
import pandas as pd

from pipeline.facts.forms import all_bases
from pipeline.facts.lexicon import plain
from pipeline.sources.day import Day
from pipeline.tables import columns, frames
from pipeline.tables.columns import Numbers
from pipeline.violations import Finding
from pipeline.words import GAME, count

OPEN_WORDS = 3
"""The maximum number of words of a day that wait because sources differ on them; a day with more is held as a whole."""

Settled = Collection[tuple[str, str]]
"""(source, date) of the lists that were captured after they could no longer grow."""


def reconcile(
    days: Iterable[tuple[str, Day]], trust: Mapping[str, int], settled: Settled | None = None
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Choose one puzzle per date from (source, day) pairs; return puzzles, answers and conflicts.

    For each source and date the last capture is used, because it corrects earlier ones. For each date only settled
    lists are used, if there are any (without `settled` all are settled). If two trusted sources agree against fewer
    others, they win. Otherwise the most trusted source (lowest rank) is used and the conflict stays `open`. Every
    difference is a row of conflicts: `subject` is the word, or "letters". `vouched` counts the sources of an answer.
    """
    by_date: dict[str, dict[str, Day]] = {}
    conflicts: list[dict[str, object]] = []
    answers: dict[str, list[str | int]] = {"date": [], "word": [], "vouched": []}
    for source, day in days:
        before = by_date.setdefault(day.date, {}).get(source)
        if before is not None:
            conflicts += _differences(source, day, f"{source} before", before, frozenset(), f"{source} is used")
        by_date[day.date][source] = day
    puzzles = []
    for date, versions in sorted(by_date.items()):
        final = {name: day for name, day in versions.items() if settled is None or (name, date) in settled} or versions
        chosen = _choose(final, trust)
        alike = (set(day.answers) for day in versions.values() if day.puzzle == chosen.day.puzzle)
        vouched = Counter(chain.from_iterable(alike))
        center, outer = chosen.day.puzzle
        puzzles.append({"date": date, "center": center, "outer": outer, "source": chosen.source})
        for other, day in sorted(versions.items()):
            if other != chosen.source:
                outcome = "two agree" if other in trust else f"{chosen.source} is trusted more"
                outcome = outcome if other in final else f"the list of {other} is not settled and does not count"
                undecided = chosen.undecided if other in final else frozenset()
                conflicts += _differences(chosen.source, versions[chosen.source], other, day, undecided, outcome)
        answers["date"] += [date] * len(chosen.day.answers)
        answers["word"] += chosen.day.answers
        answers["vouched"] += [vouched[word] for word in chosen.day.answers]
    unique = {(row["date"], row["subject"], row["source_b"]): row for row in conflicts}
    return (
        frames.from_rows(puzzles, "puzzles"),
        frames.check(pd.DataFrame(answers), "answers") if puzzles else frames.empty("answers"),
        frames.from_rows(unique.values(), "conflicts"),
    )


class _Chosen(NamedTuple):
    """The source that is used for a date, the day as the sources together have it, and the words that stay open."""

    source: str
    day: Day
    undecided: frozenset[str]


def _choose(versions: Mapping[str, Day], trust: Mapping[str, int]) -> _Chosen:
    """Choose the day: two trusted sources outvote fewer others; otherwise the most trusted source is used."""
    ranked = sorted(versions, key=lambda name: (trust.get(name, 99), name))
    voters = [name for name in ranked if name in trust] or ranked[:1]
    letters = Counter(versions[name].puzzle for name in voters).most_common(2)
    won = len(letters) == 1 or letters[0][1] > letters[1][1]
    agreed = letters[0][0] if won else versions[ranked[0]].puzzle
    source = next(name for name in ranked if versions[name].puzzle == agreed)
    undecided = {"letters"} if len(letters) > 1 and not won else set()
    voters = [name for name in voters if versions[name].puzzle == agreed] or [source]
    answers = set(versions[source].answers)
    named = Counter(word for name in voters for word in set(versions[name].answers))
    for word, yes in named.items():
        no = len(voters) - yes
        if no and yes != no:
            answers = answers | {word} if yes > no else answers - {word}
        elif no:
            undecided.add(word)
    return _Chosen(source, replace(versions[source], answers=tuple(sorted(answers))), frozenset(undecided))


def _differences(
    used: str, chosen: Day, other: str, day: Day, undecided: frozenset[str], outcome: str
) -> list[dict[str, object]]:
    """Return the differences between a source's day and the one that is used, and the outcome if it is not open."""
    row = {"date": day.date, "source_a": used, "source_b": other}
    if day.puzzle != chosen.puzzle:
        letters = f"{used} has {chosen.puzzle.letters}, {other} has {day.puzzle.letters}; {used} is used"
        return [{**row, "subject": "letters", "detail": letters, "open": "letters" in undecided}]
    pairs = [(word, used, other) for word in sorted(set(chosen.answers) - set(day.answers))]
    pairs += [(word, other, used) for word in sorted(set(day.answers) - set(chosen.answers))]
    return [
        {
            **row,
            "subject": word,
            "detail": f"{has} has it, {lacks} does not; {'the word waits' if word in undecided else outcome}",
            "open": word in undecided,
        }
        for word, has, lacks in pairs
    ]


def reported(days: Iterable[tuple[str, Day]], conflicts: pd.DataFrame) -> pd.DataFrame:
    """Return the last version of each source, of the dates on which a difference is open."""
    dates = set(conflicts["date"][conflicts["open"]])
    latest = {(day.date, source): day for source, day in days if day.date in dates}
    rows = [
        {"date": date, "source": source, "center": day.puzzle.center, "outer": day.puzzle.outer}
        | {"answers": " ".join(day.answers)}
        for (date, source), day in latest.items()
    ]
    return frames.from_rows(rows, "reported")


def torn(conflicts: pd.DataFrame) -> dict[str, str]:
    """Return the dates on which sources differ too much to be used, each with the difference."""
    undecided = conflicts[conflicts["open"]].drop_duplicates(["date", "subject"])
    words = undecided[undecided["subject"] != "letters"].groupby("date").size()
    many = {
        str(date): f"sources differ on {count(number, 'word')}, more than {OPEN_WORDS}"
        for date, number in words.items()
        if number > OPEN_WORDS
    }
    return many | {
        date: "sources differ on the letters" for date in undecided["date"][undecided["subject"] == "letters"]
    }


def disputed(conflicts: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return (date, word) of the words that wait because sources differ on them."""
    undecided = conflicts[conflicts["open"] & (conflicts["subject"] != "letters")]
    return frozenset(zip(undecided["date"], undecided["subject"], strict=True))


def refused_and_accepted(days: Iterable[tuple[str, Day]]) -> list[Finding]:
    """Report words that one source lists as refused on a day on which another source accepted them."""
    latest = {(day.date, source): day for source, day in days}
    refusing = {date for (date, _), day in latest.items() if day.refused}
    accepted: dict[tuple[str, str], list[str]] = {}
    for (date, source), day in sorted(latest.items()):
        for word in day.answers if date in refusing else ():
            accepted.setdefault((date, word), []).append(source)
    return [
        Finding(
            "refused-and-accepted",
            f"{date} {word}",
            f"{source} lists it as refused, {', '.join(accepted[date, word])} accepted it",
        )
        for (date, source), day in sorted(latest.items())
        for word in day.refused
        if (date, word) in accepted
    ]


def candidates(lexicon: pd.DataFrame, met: Iterable[str]) -> pd.DataFrame:
    """Return the words to consider: the lexicon's common words, and every word that was ever an answer.

    `known` is whether any list has the word, or the base of which it is an inflected form. An answer that is not known
    waits for a second source.
    """
    common = lexicon["word"][plain(lexicon)]
    more = pd.Series(sorted(set(met)), dtype="str")
    more = more[~columns.among(more, common)]
    known = columns.among(more, lexicon["word"])
    strange = np.flatnonzero(~known)
    found = all_bases(columns.text(more.iloc[strange]))
    known[strange[found.rows[columns.among(found.text, lexicon["word"])]]] = True
    words = pd.concat([common, more], ignore_index=True)
    known = np.concatenate([np.ones(len(common), np.bool_), known])
    return frames.check(pd.DataFrame({"word": words, "mask": columns.masks(words), "known": known}), "candidates")


def trials(puzzles: pd.DataFrame, answers: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Try every candidate in every puzzle: one row for each word that the letters can spell, accepted or not.

    A puzzle's letters have 64 subsets with the center. Each is looked up in the sorted masks of the candidates, for all
    puzzles at once, so the time grows with the puzzles and trials, but hardly with the candidates.
    """
    if puzzles.empty or candidates.empty:
        return frames.empty("trials")
    dates, words = puzzles["date"], candidates["word"]
    spelled = columns.masks(words)
    order = np.argsort(spelled, kind="stable")
    ordered = spelled[order]
    puzzle, first, last = _looked_up(puzzles, ordered)
    counts = last - first
    rows = np.repeat(np.arange(len(puzzles)), np.bincount(puzzle, counts, len(puzzles)).astype(np.int64))
    by_puzzle = np.argsort(puzzle, kind="stable")
    first, counts = first[by_puzzle], counts[by_puzzle]
    starts = np.cumsum(counts) - counts
    places = order[np.repeat(first - starts, counts) + np.arange(counts.sum())]
    keys = np.sort(rows * len(words) + places)
    rows, places = keys // len(words), keys % len(words)
    day, word = columns.places(answers["date"], dates), columns.places(answers["word"], words)
    accepted = np.isin(keys, (day * len(words) + word)[(day >= 0) & (word >= 0)])
    made = {"date": dates.array.take(rows), "word": words.array.take(places), "accepted": accepted}
    return frames.check(pd.DataFrame(made), "trials")


def _looked_up(puzzles: pd.DataFrame, ordered: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Find each puzzle's subsets in sorted masks: the row of the puzzle, and the start and end of its matches."""
    center = columns.masks(puzzles["center"])
    outer = np.stack([columns.masks(puzzles["outer"].str[at]) for at in range(GAME.letters - 1)], axis=1)
    found = []
    for chosen in range(1 << outer.shape[1]):
        places = [place for place in range(outer.shape[1]) if chosen >> place & 1]
        subset = center | outer[:, places].sum(axis=1)
        first, last = np.searchsorted(ordered, subset), np.searchsorted(ordered, subset, side="right")
        hit = np.flatnonzero(last > first)
        found.append((hit, first[hit], last[hit]))
    hits, firsts, lasts = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return hits, firsts, lasts
