"""New days: takes the settled days on disk that the last release does not cover, oldest first, and decides which of
them count. Each day counts whole or waits whole; `new_record` adds those that count.

A day that several sources have counts as they have it; where they differ, and no majority decides, it waits. While one
source alone has it, it waits until a second source has it or a person decides, if its list is more surprising than
nearly all real days (`SURPRISING`, `WRONG`), repeats a recent puzzle, or had other letters before. It waits a week if
only single words are in doubt. Then it counts, and these words have no trial on it.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pipeline.facts import merge
from pipeline.intake import track
from pipeline.intake.track import Expectation, Outcome, Rarity, Score, WordRecords
from pipeline.tables import columns, frames
from pipeline.words import count

SURPRISING = 20.0
"""From this many bits of surprise on, a day of one source waits; docs/RELIABILITY.md has the effect on real
days."""
WRONG = 9
"""From this many missing and extra words on, a day of one source waits."""
UNLIKELY = 0.01
"""A word of one source is in doubt if its outcome had a smaller probability than this."""
ENOUGH_WITNESSES = 2
"""The number of witnesses that is enough, however surprising a day is."""
REPEATED = datetime.timedelta(days=30)
"""A day of one source waits if all its answers were accepted last on one day that is at most this long ago. In 2,999
days, the shortest time between two puzzles with the same letters and center was 36 days."""
WEEK = datetime.timedelta(days=7)
"""The time for which a day waits if only single words of it are in doubt."""


@dataclass(frozen=True, slots=True)
class NewDays:
    """The days to add, oldest first, and what is needed to judge them.

    `puzzles`, `answers`, `conflicts` and `trials` are tables of all days on disk. `week_over` has the dates of which
    the week is over. `accepted` has the dates of which a person accepted the list. `unwitnessed_sources` are live or
    unknown, so each of them alone is not enough. `slurs` and `unknown_words` are never believed from one source.
    `common_words` are the possible ones of the lists; any other word is known once it was accepted. `days_to_score` are
    compared with `expected`, what the last release expects of their words, and `rarity` says how rare these words are.
    """

    dates: Sequence[str]
    puzzles: pd.DataFrame
    answers: pd.DataFrame
    conflicts: pd.DataFrame
    trials: pd.DataFrame
    week_over: frozenset[str]
    accepted: frozenset[str]
    unwitnessed_sources: frozenset[str]
    slurs: frozenset[str]
    unknown_words: frozenset[str]
    common_words: frozenset[str]
    days_to_score: frozenset[str]
    expected: Mapping[str, Expectation]
    rarity: Rarity


@dataclass(frozen=True, slots=True)
class Judged:
    """The days that count, those that wait (table `waits`), the words in doubt (`doubts`) of both, and the scores: one
    row a day that counts (`track`), and its missing and extra words and those of days that wait (`news`)."""

    counted: frozenset[str]
    waits: pd.DataFrame
    doubts: pd.DataFrame
    track: pd.DataFrame
    news: pd.DataFrame


@dataclass(frozen=True, slots=True)
class _Day:
    """A day on disk.

    `witnesses` is the largest number of sources for one of the answers, and `witnesses_of` the number for each word on
    which sources differ. `unresolved` says why only a person can decide between its sources, or is "".
    `had_other_letters` says that an earlier list of the same source had another puzzle.
    """

    answers: frozenset[str]
    source: str
    witnesses: int
    witnesses_of: Mapping[str, int]
    unresolved: str
    had_other_letters: bool
    disputed_words: frozenset[str]
    is_accepted: bool
    is_unwitnessed: bool

    def is_alone_with(self, word: str = "") -> bool:
        """Return whether one source alone, a live or unknown one, says what this day says (of a word)."""
        return self.is_unwitnessed and self.witnesses_of.get(word, self.witnesses) < ENOUGH_WITNESSES


@dataclass(slots=True)
class _Rows:
    """The rows of the tables of `Judged`."""

    waits: list[dict[str, str]] = field(default_factory=list)
    doubts: list[dict[str, str]] = field(default_factory=list)
    track: list[dict[str, Any]] = field(default_factory=list)
    news: list[dict[str, Any]] = field(default_factory=list)


def judge(days: NewDays, word_records: WordRecords) -> Judged:
    """Decide which days count, oldest first. `word_records` is the record to which they are added; each day that
    counts is added to it, so that it counts for later days."""
    day_of = _new_days_by_date(days)
    rows = _Rows()
    counted = set()
    outcomes_of: dict[str, list[Outcome]] = {date: [] for date in days.dates}
    for row in frames.rows(days.trials[columns.is_in(days.trials["date"], days.dates)]):
        outcomes_of[row["date"]].append(Outcome(row["word"], row["accepted"]))
    for date, of_day in outcomes_of.items():
        day = day_of[date]
        score = None
        if date in days.days_to_score:
            score = track.score(date, of_day, word_records, days.expected, days.common_words, days.rarity)
            rows.news += _news(day, score, word_records)
        because, doubts = _judge_day(days, date, day, score, word_records)
        rows.doubts += [{"date": date, "word": word, "because": why} for word, why in doubts.items()]
        if because:
            until = _end_of_week(date) if doubts else ""
            rows.waits.append({"date": date, "until": until, "because": because})
            continue
        counted.add(date)
        track.add_day(word_records, date, _known_outcomes(days, of_day, doubts, word_records))
        if score:
            of_track = {"date": date, "source": day.source, "witnesses": day.witnesses}
            rows.track.append(of_track | track.counts_of(score))
    return Judged(
        counted=frozenset(counted),
        waits=frames.from_rows(rows.waits, "waits"),
        doubts=frames.from_rows(rows.doubts, "doubts"),
        track=frames.from_rows(rows.track, "track"),
        news=_with_witnesses(frames.from_rows(rows.news, "news"), days.answers),
    )


def _known_outcomes(
    days: NewDays, outcomes: Sequence[Outcome], doubts: Collection[str], word_records: WordRecords
) -> list[Outcome]:
    """Return the outcomes that the record counts: without words in doubt, and without refusals of unknown words."""
    return [
        Outcome(word, accepted)
        for word, accepted in outcomes
        if word not in doubts and (accepted or word in days.common_words or word in word_records)
    ]


def _judge_day(
    days: NewDays, date: str, day: _Day, score: Score | None, word_records: WordRecords
) -> tuple[str, dict[str, str]]:
    """Return why a day waits, or "", and its words in doubt, each with the reason."""
    if day.is_accepted:
        return "", {}
    if day.unresolved:
        return day.unresolved, {}
    if day.is_alone_with() and day.had_other_letters:
        return f"{day.source} alone has it, and it had other letters before", {}
    if day.is_alone_with() and (repeated := _repeated_date(date, day, word_records)):
        return f"{day.source} alone has it, and it repeats the puzzle of {repeated}", {}
    if score and day.is_alone_with() and is_too_surprising(score):
        wrong = count(score.wrong, "missing or extra word")
        return f"{day.source} alone has it, with {wrong} and {score.surprise:.1f} bits of surprise", {}
    doubts = dict.fromkeys(sorted(day.disputed_words), "sources differ on it")
    for word in sorted(day.answers - day.disputed_words):
        record = word_records.get(word)
        if day.is_alone_with(word) and not (record and record.accepted):
            if word in days.slurs:
                doubts[word] = f"{day.source} alone accepts this slur"
            elif word in days.unknown_words:
                doubts[word] = f"{day.source} alone accepts this word, which is in no list"
    if score:
        for word, p in sorted(score.probability_of_outcome.items()):
            if p < UNLIKELY and day.is_alone_with(word):
                doubts.setdefault(word, f"{day.source} alone reports this outcome, which had a probability of {p:.4f}")
    if doubts and date not in days.week_over:
        words = "; ".join(f"{word} ({why})" for word, why in doubts.items())
        return f"words are in doubt until {_end_of_week(date)}: {words}", doubts
    return "", doubts


def _repeated_date(date: str, day: _Day, word_records: WordRecords) -> str:
    """Return the recent date on which all answers of a day were accepted last, or ""."""
    records = [word_records.get(word) for word in day.answers]
    dates = {record.last_trial if record and record.accepted_last else "" for record in records}
    if len(dates) != 1:
        return ""
    (last,) = dates
    return last if last >= str(datetime.date.fromisoformat(date) - REPEATED) else ""


def is_too_surprising(score: Score) -> bool:
    """Return whether a day is more surprising than nearly all real days."""
    return score.surprise >= SURPRISING or score.wrong >= WRONG


def _end_of_week(date: str) -> str:
    return (datetime.date.fromisoformat(date) + WEEK).isoformat()


def _new_days_by_date(days: NewDays) -> dict[str, _Day]:
    """Return the new days by date."""
    unresolved_days = merge.unresolved_days(days.conflicts)
    disputed_words: dict[str, set[str]] = {}
    for date, word in merge.disputed_words(days.conflicts):
        disputed_words.setdefault(date, set()).add(word)
    answers = days.answers[columns.is_in(days.answers["date"], days.dates)]
    answers_of = {str(date): frozenset(words) for date, words in answers.groupby("date")["word"]}
    witnesses = answers.groupby("date")["witnesses"].max().to_dict()
    witnesses_of: dict[str, dict[str, int]] = {}
    for row in frames.rows(days.conflicts):
        witnesses_of.setdefault(row["date"], {})[row["subject"]] = row["witnesses"]
    described = {}
    has_other_letters = days.conflicts["subject"] == "letters"
    changed = days.conflicts[has_other_letters & days.conflicts["source_b"].str.endswith(merge.BEFORE)]
    changed_days = set(zip(changed["date"], changed["source_a"], strict=True))
    for row in frames.rows(days.puzzles[columns.is_in(days.puzzles["date"], days.dates)]):
        date, source = row["date"], row["source"]
        described[date] = _Day(
            answers=answers_of[date],
            source=source,
            witnesses=witnesses[date],
            witnesses_of=witnesses_of.get(date, {}),
            unresolved=unresolved_days.get(date, ""),
            had_other_letters=(date, source) in changed_days,
            disputed_words=frozenset(disputed_words.get(date, ())),
            is_accepted=date in days.accepted,
            is_unwitnessed=source in days.unwitnessed_sources,
        )
    return described


def _news(day: _Day, score: Score, word_records: WordRecords) -> list[dict[str, Any]]:
    """Return rows about the missing and extra words of a day, with what was known before it."""
    rows = []
    for side, words in (("missing", score.missing_words), ("extra", score.extra_words)):
        for word in words:
            p_of_outcome = score.probability_of_outcome[word]
            p = p_of_outcome if side == "missing" else 1 - p_of_outcome
            past = word_records.get(word)
            rows.append(
                {
                    "date": score.date,
                    "word": word,
                    "side": side,
                    "p": round(p, 4),
                    "surprise": round(-math.log2(p_of_outcome), 2),
                    "witnesses": day.witnesses,
                    "before": f"accepted {past.accepted} of {past.offered} times" if past else "never tried",
                }
            )
    return rows


def _with_witnesses(news: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Return the table `news` in which the witnesses of a missing word are the sources that have it."""
    keys = news[["date", "word"]]
    witnesses = keys.merge(answers, how="left")["witnesses"]
    return news.assign(witnesses=witnesses.fillna(news["witnesses"]).astype("int64"))


def latest(table: str, before: pd.DataFrame, now: pd.DataFrame, stay: Collection[str]) -> pd.DataFrame:
    """Return the table `news` or `doubts` with the rows of the days that were judged now, and of the days that stay."""
    stays = columns.is_in(before["date"], stay)
    return frames.check(pd.concat([before[stays], now]), table)
