"""Merges the official days of many sources into facts: one puzzle per date, and the trials of every word.

A *trial* records that a word was possible on a date, and whether it was accepted. The index of masks finds all trials
of all candidates in about a second; all other facts about words are sums over this one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from pipeline.facts.day_decisions import SourceDate, SourceDay
from pipeline.facts.lexicon import is_common
from pipeline.sources.day import Day
from pipeline.tables import columns, frames
from pipeline.violations import Finding
from pipeline.words import GAME, count

OPEN_WORDS = 3
"""The maximum number of words on which sources can differ so that the day waits only a week. If they differ on more
words, it waits for another source or a person."""
BEFORE = " before"
"""The end of the name of a source in a conflict with its own earlier list."""
UNTRUSTED = 99
"""The rank of a source that is not in the registry. It comes after all others."""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The tables puzzles, answers and conflicts: one puzzle per date, its answers, and where its sources differ."""

    puzzles: pd.DataFrame
    answers: pd.DataFrame
    conflicts: pd.DataFrame


def reconcile(
    days: Iterable[SourceDay], trust: Mapping[str, int], settled: Collection[SourceDate] = frozenset()
) -> Reconciled:
    """Return one puzzle per date, its answers, and the differences between its sources.

    For each source and date, the last capture is used, because it corrects earlier ones. For each date, only settled
    lists are used if there are any. A list is settled if it was captured when it could no longer grow. Then each
    trusted source has a vote (`trust` has its rank) or, if there is none, each other source. What most of them say is
    used. Without a majority, the conflict stays `open`, and the list is that of the most trusted source (lowest rank).
    Every difference is a row of conflicts; its `subject` is the word, or "letters". The `witnesses` of an answer are
    the sources that have it, and those of a difference the sources that say what the list used says.
    """
    versions_by_date: dict[str, dict[str, Day]] = {}
    changes: dict[str, list[dict[str, Any]]] = {}
    conflicts: list[dict[str, Any]] = []
    for source, day in days:
        versions = versions_by_date.setdefault(day.date, {})
        if source in versions:
            used = _Version(source, day)
            earlier = _Version(f"{source}{BEFORE}", versions[source])
            changes.setdefault(day.date, [])
            changes[day.date] += _differences(used, earlier, frozenset(), outcome=f"{source} is used")
        versions[source] = day
    puzzles = []
    answers = []
    for date, versions in sorted(versions_by_date.items()):
        settled_versions = {source: day for source, day in versions.items() if (source, date) in settled}
        usable_versions = settled_versions or versions
        chosen = _choose(usable_versions, trust)
        center, outer = chosen.day.puzzle
        puzzles.append({"date": date, "center": center, "outer": outer, "source": chosen.source})
        days_with_letters = [day for day in usable_versions.values() if day.puzzle == chosen.day.puzzle]
        witnesses = Counter(word for day in days_with_letters for word in set(day.answers))
        answers += [(date, word, witnesses[word]) for word in chosen.day.answers]
        accepted = set(chosen.day.answers)
        for row in [*changes.get(date, ()), *_conflicts_of_date(chosen, versions, usable_versions)]:
            word = row["subject"]
            in_favor = witnesses[word] if word in accepted else len(days_with_letters) - witnesses[word]
            conflicts.append({**row, "witnesses": in_favor})
    unique_conflicts = {(row["date"], row["subject"], row["source_b"]): row for row in conflicts}
    return Reconciled(
        puzzles=frames.from_rows(puzzles, "puzzles"),
        answers=frames.check(pd.DataFrame(answers, columns=["date", "word", "witnesses"]), "answers"),
        conflicts=frames.from_rows(unique_conflicts.values(), "conflicts"),
    )


@dataclass(frozen=True, slots=True)
class _Version:
    """A day as one source has it."""

    source: str
    day: Day


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The source that is used for a date, the sources that voted, the day that has a majority, and the subjects that
    stay open."""

    source: str
    voters: frozenset[str]
    day: Day
    undecided: frozenset[str]


def _choose(versions: Mapping[str, Day], trust: Mapping[str, int]) -> _Chosen:
    """Return the version to use: what the majority of the voters says or, without a majority, the most trusted one."""
    ranked = sorted(versions, key=lambda source: (trust.get(source, UNTRUSTED), source))
    voters = [source for source in ranked if source in trust] or ranked
    if len({(day.puzzle, day.answers) for day in versions.values()}) == 1:
        return _Chosen(ranked[0], frozenset(voters), versions[ranked[0]], frozenset())
    puzzle_votes = Counter(versions[source].puzzle for source in voters).most_common(2)
    has_majority = len(puzzle_votes) == 1 or puzzle_votes[0][1] > puzzle_votes[1][1]
    puzzle = puzzle_votes[0][0] if has_majority else versions[ranked[0]].puzzle
    source = next(name for name in ranked if versions[name].puzzle == puzzle)
    undecided = set() if has_majority else {"letters"}
    answers = set(versions[source].answers)
    word_voters = [name for name in voters if versions[name].puzzle == puzzle] or [source]
    votes = Counter(word for name in word_voters for word in set(versions[name].answers))
    for word, votes_for in votes.items():
        votes_against = len(word_voters) - votes_for
        if votes_for > votes_against:
            answers.add(word)
        elif votes_for < votes_against:
            answers.discard(word)
        else:
            undecided.add(word)
    return _Chosen(
        source=source,
        voters=frozenset(voters),
        day=replace(versions[source], answers=tuple(sorted(answers))),
        undecided=frozenset(undecided),
    )


def _conflicts_of_date(
    chosen: _Chosen, versions: Mapping[str, Day], usable_versions: Mapping[str, Day]
) -> list[dict[str, Any]]:
    """Return the differences between the source that is used and all others."""
    used = _Version(chosen.source, versions[chosen.source])
    conflicts = []
    for source, day in sorted(versions.items()):
        if source == chosen.source:
            continue
        undecided = chosen.undecided
        if source not in usable_versions:
            outcome = f"the list of {source} is not settled yet and does not count"
            undecided = frozenset()
        elif source in chosen.voters:
            outcome = "more sources agree"
        else:
            outcome = f"{chosen.source} is trusted more"
        conflicts += _differences(used, _Version(source, day), undecided, outcome)
    return conflicts


def _differences(used: _Version, compared: _Version, undecided: frozenset[str], outcome: str) -> list[dict[str, Any]]:
    """Return the differences between the version that is used and another one. `outcome` says, for messages, how
    differences that are not open were decided."""
    sources = {"date": used.day.date, "source_a": used.source, "source_b": compared.source}
    if compared.day.puzzle != used.day.puzzle:
        what_happens = "the day waits" if "letters" in undecided else f"{used.source} is used"
        detail = (
            f"{used.source} has {used.day.puzzle.letters}, but {compared.source} has {compared.day.puzzle.letters}; "
            f"{what_happens}"
        )
        return [{**sources, "subject": "letters", "detail": detail, "open": "letters" in undecided}]
    rows: list[dict[str, Any]] = []
    for has_word, lacks_word in ((used, compared), (compared, used)):
        for word in sorted(set(has_word.day.answers) - set(lacks_word.day.answers)):
            what_happens = "the word is in doubt" if word in undecided else outcome
            detail = f"{has_word.source} has it, but {lacks_word.source} does not; {what_happens}"
            rows.append({**sources, "subject": word, "detail": detail, "open": word in undecided})
    return rows


def day_table(
    days: Iterable[SourceDay],
    settled: Collection[SourceDate],
    week_over: Collection[str],
    accepted: Collection[str],
) -> pd.DataFrame:
    """Return the table `days`: the last list of each source for each date, whether it is settled, whether the week of
    the date is over, and whether a person accepted it."""
    last_list = {(day.date, source): day for source, day in days}
    rows = [
        {
            "date": date,
            "source": source,
            "center": day.puzzle.center,
            "outer": day.puzzle.outer,
            "answers": " ".join(day.answers),
            "settled": (source, date) in settled,
            "week_over": date in week_over,
            "accepted": date in accepted,
        }
        for (date, source), day in last_list.items()
    ]
    return frames.from_rows(rows, "days")


def unresolved_days(conflicts: pd.DataFrame) -> dict[str, str]:
    """Return the dates that wait for a person because sources differ too much, each with the difference as text."""
    is_open = conflicts[conflicts["open"]].drop_duplicates(["date", "subject"])
    is_letters = is_open["subject"] == "letters"
    explanations = {}
    for date, number_of_words in is_open[~is_letters].groupby("date").size().items():
        if number_of_words > OPEN_WORDS:
            difference = f"its sources differ on {count(number_of_words, 'word')}, which is more than {OPEN_WORDS}"
            explanations[str(date)] = difference
    for date in is_open["date"][is_letters]:
        explanations[date] = "its sources differ on the letters"
    return explanations


def disputed_words(conflicts: pd.DataFrame) -> frozenset[tuple[str, str]]:
    """Return (date, word) of the words on which sources differ and no majority decides."""
    words = conflicts[conflicts["open"] & (conflicts["subject"] != "letters")]
    return frozenset(zip(words["date"], words["subject"], strict=True))


def refused_and_accepted(days: Iterable[SourceDay]) -> list[Finding]:
    """Return a finding for each word that one source lists as refused on a day on which another source accepts it."""
    last_versions: dict[str, dict[str, Day]] = {}
    for source, day in days:
        last_versions.setdefault(day.date, {})[source] = day
    findings = []
    for date, versions in sorted(last_versions.items()):
        answers_of = {source: set(day.answers) for source, day in sorted(versions.items())}
        for source in answers_of:
            for word in versions[source].refused:
                accepting = [other for other in answers_of if word in answers_of[other]]
                if accepting:
                    detail = f"{source} lists it as refused, but {', '.join(accepting)} accepted it"
                    findings.append(Finding("refused-and-accepted", f"{date} {word}", detail))
    return findings


def candidates(lexicon: pd.DataFrame, answered: Iterable[str]) -> pd.DataFrame:
    """Return the words to consider: the common words of the lexicon (`common`), and every word that was ever an answer.

    `known` is whether any list has the word itself or a base of which it is an inflected form. An answer that is not
    known is in doubt while one source alone has it.
    """
    common_words = lexicon["word"][is_common(lexicon)]
    other_answers = columns.sorted_words([answered])
    other_answers = other_answers[~columns.is_in(other_answers, common_words)]
    listed = set(lexicon["word"])
    is_known = [word in listed or not listed.isdisjoint(_possible_bases(word)) for word in other_answers]
    words = pd.concat([common_words, other_answers], ignore_index=True)
    common = np.arange(len(words)) < len(common_words)
    known = [True] * len(common_words) + is_known
    return frames.check(pd.DataFrame({"word": words, "common": common, "known": known}), "candidates")


_ENDINGS = {
    "ies": ("y",), "ied": ("y",), "ing": ("e", ""), "est": ("e", ""), "es": ("e", ""), "ed": ("e", ""),
    "er": ("e", ""), "s": ("",),
}  # fmt: skip
"""The endings of inflected forms, each with its possible replacements: the rules of WordNet's morphy(7WN)."""


def _possible_bases(word: str) -> Iterator[str]:
    """Yield the words of which a word that no list has may be a form, by its ending alone.

    >>> list(_possible_bases("jogged"))
    ['jogge', 'jogg', 'jog']
    """
    for ending, replacements in _ENDINGS.items():
        if word.endswith(ending):
            stem = word.removesuffix(ending)
            yield from (stem + replacement for replacement in replacements)
            if stem[-1:] == stem[-2:-1]:
                yield stem[:-1]


def trials(puzzles: pd.DataFrame, answers: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the trials of all candidates: one row for each word that the letters of a puzzle can spell, accepted or
    not.

    A puzzle's letters have 64 subsets that include the center. Each subset is looked up among the masks of the
    candidates, for all puzzles at once. So the time grows with the number of puzzles and trials, but hardly with the
    number of candidates.
    """
    dates, words = puzzles["date"], candidates["word"]
    masks_of_words = pd.DataFrame({"mask": columns.masks(words), "word": np.arange(len(words))})
    possible = _subsets(puzzles).merge(masks_of_words, on="mask")
    # each trial is the number `puzzle * len(words) + word`, so sorting the numbers gives the order of the table
    trial = np.sort(possible["puzzle"] * len(words) + possible["word"])
    puzzle, word = np.divmod(trial, len(words))
    answered_puzzle = columns.positions(answers["date"], dates)
    answered_word = columns.positions(answers["word"], words)
    is_possible = (answered_puzzle >= 0) & (answered_word >= 0)
    accepted_trials = (answered_puzzle * len(words) + answered_word)[is_possible]
    cells = {
        "date": dates.array.take(puzzle),
        "word": words.array.take(word),
        "accepted": np.isin(trial, accepted_trials),
    }
    return frames.check(pd.DataFrame(cells), "trials")


def _subsets(puzzles: pd.DataFrame) -> pd.DataFrame:
    """Return the mask of each subset of a puzzle's letters that includes the center, as a table with the columns puzzle
    (its row) and mask."""
    masks = [columns.masks(puzzles["center"])]
    for place in range(GAME.letter_count - 1):
        letter = columns.masks(puzzles["outer"].str[place])
        masks += [mask | letter for mask in masks]
    puzzle = np.tile(np.arange(len(puzzles)), len(masks))
    return pd.DataFrame({"puzzle": puzzle, "mask": np.concatenate(masks)})
