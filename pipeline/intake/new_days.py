"""New days: adds the days on disk to the record, oldest first. Each is scored with what was known before it, and then
counted or held.

A day is *held* if its list is more surprising than nearly all real days (`SURPRISING`, `WRONG`), or if sources differ
on its letters or on many words. If a day has only one live witness, each word with a very unlikely outcome waits
(`UNLIKELY`). A person admits a held day (`bee admit`).
"""

from __future__ import annotations

import math
from bisect import bisect, bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pipeline import reader
from pipeline.errors import Command
from pipeline.facts import evidence, merge
from pipeline.facts.evidence import NO_EVIDENCE, Evidence
from pipeline.facts.seal import WordsByDate
from pipeline.intake import track
from pipeline.intake.forecast import Forecast
from pipeline.intake.track import Outcome, Rarity, Score, Version, WordRecords
from pipeline.tables import columns, frames

SURPRISING = 20.0
"""A day with at least this many bits of surprise is held; docs/reliability.csv has the distribution on real days."""
WRONG = 9
"""A day with at least this many missing and extra words is held."""
UNLIKELY = 0.01
"""A word whose outcome had a smaller probability than this waits for a second witness."""
ENOUGH_WITNESSES = 2
"""The number of witnesses that is enough to count even an unlikely outcome."""
WHOLE_DAY_SUBJECT = "day"
"""The subject of a row of `waiting` that is about a whole day; no word of a puzzle is that short."""
TRACK_FROM = "2023-07-01"
"""The first day of the track record when the whole archive is counted, unless the track record starts elsewhere."""


@dataclass(frozen=True, slots=True)
class DaysToCount:
    """The days on disk, and what is needed to count them.

    `add_to` is the record to which the days are added. Of the dates in `settled_days`, those in `days_to_score` get a
    row of the track record. `live_sources` are fetched over the network. `common_words` are those of the lexicon, and
    `rarity` says how rare the words of the trials are. `versions` has the lists of the days on which sources differ.

    `words_that_waited` did not count when their days were counted, and a person corrected the `corrected_words`. After
    a checkpoint, the `closed_days` are left out, `waiting_of_closed_days` has their rows of the table `waiting`, and
    `digest_of_closed_days` is the digest of `_Progress` after them. With `close_before`, the record before that date is
    made, too.
    """

    add_to: Evidence
    puzzles: pd.DataFrame
    answers: pd.DataFrame
    conflicts: pd.DataFrame
    trials: pd.DataFrame
    common_words: frozenset[str]
    admitted: pd.DataFrame
    settled_days: frozenset[str]
    days_to_score: frozenset[str]
    live_sources: frozenset[str]
    rarity: Rarity
    words_that_waited: WordsByDate = frozenset()
    corrected_words: WordsByDate = frozenset()
    closed_days: frozenset[str] = frozenset()
    waiting_of_closed_days: pd.DataFrame = field(default_factory=lambda: frames.empty("waiting"))
    digest_of_closed_days: str = ""
    close_before: str = ""
    versions: Mapping[str, list[Version]] = field(default_factory=dict)

    @property
    def days_to_compare(self) -> frozenset[str]:
        """The days that are compared with the forecast: those to score, and those that may still change."""
        return self.days_to_score | (frozenset(self.puzzles["date"]) - self.settled_days)


@dataclass(frozen=True, slots=True)
class CountedDays:
    """The evidence of settled days, the evidence with provisional days, and the tables of these names.

    `news` has the scored days and the provisional days, including held days; `track` has the settled days that count.
    `closed_evidence` is the evidence before `DaysToCount.close_before`, and `closed_digest` its digest.
    """

    settled_evidence: Evidence
    evidence: Evidence
    track: pd.DataFrame
    news: pd.DataFrame
    waiting: pd.DataFrame
    versions: pd.DataFrame
    scored_days: frozenset[str]
    closed_evidence: Evidence
    closed_digest: str


@dataclass(slots=True)
class _Progress:
    """The state of counting.

    `word_records` only starts with the record if some day is compared. `estimates` are those of the month, or None
    before they are needed or if too few days are known. `digest` identifies everything that was counted, whether or not
    counting started from a checkpoint: the record before the days on disk, and then the answers of each day.
    `digest_before_month` and `closed_digest` identify what was counted before the month, and before
    `DaysToCount.close_before`. `not_counted` has the (date, word) pairs that wait.
    """

    word_records: WordRecords = field(default_factory=dict)
    month: str = ""
    estimates: Mapping[str, float] | None = None
    estimates_are_known: bool = False
    digest: str = ""
    digest_before_month: str = ""
    closed_digest: str = ""
    counted_days: set[str] = field(default_factory=set)
    not_counted: set[tuple[str, str]] = field(default_factory=set)
    track_rows: list[dict[str, Any]] = field(default_factory=list)
    waiting_rows: list[dict[str, str]] = field(default_factory=list)
    version_rows: list[dict[str, Any]] = field(default_factory=list)
    news_rows: list[dict[str, Any]] = field(default_factory=list)

    def hold(self, date: str, subject: str, kind: str, detail: str) -> None:
        """Add a row to the table `waiting`, for a word of a day, which then does not count, or for the whole day."""
        self.waiting_rows.append({"date": date, "subject": subject, "kind": kind, "detail": detail})
        if subject != WHOLE_DAY_SUBJECT:
            self.not_counted.add((date, subject))

    def enter_month_of(self, date: str) -> None:
        """Go to the month of a day. A new month is forecast from what was counted before its first day on disk."""
        month = date[:7]
        if self.month != month:
            self.month = month
            self.digest_before_month = self.digest
            self.estimates = None
            self.estimates_are_known = False


def choose_days_to_score(
    new_days: Collection[str], track_so_far: pd.DataFrame, has_record: bool, rebuild: bool
) -> frozenset[str]:
    """Choose the days that get a row of the track record: the new days, or in a rebuild all days since its first row.

    The first merge gets no rows: it makes the record from which later days are forecast.
    """
    if rebuild:
        first_day = min(track_so_far["date"], default=TRACK_FROM)
        return frozenset(date for date in new_days if date >= first_day)
    return frozenset(new_days) if has_record else frozenset()


def with_new_rows(
    table: str, before: pd.DataFrame, new_rows: pd.DataFrame, scored_days: Collection[str], settled: Evidence
) -> pd.DataFrame:
    """Return the table `track` or `news` with the new rows of the scored days, and without the rows of days that do not
    count."""
    stays = ~before["date"].isin(scored_days) & before["date"].isin(settled.covered)
    return frames.check(pd.concat([before[stays], new_rows]), table)


def count_days(days: DaysToCount, forecast: Forecast) -> CountedDays:
    """Add the days on disk to the record: first the settled days, then, separately, days that may still change."""
    days_to_compare = days.days_to_compare
    day_of = _days_on_disk(days)
    progress = _start(days, day_of)
    trials = _needed_trials(days, days_to_compare)
    words_and_outcomes = zip(trials["word"].tolist(), trials["accepted"].tolist(), strict=True)
    outcomes = [Outcome(word, accepted) for word, accepted in words_and_outcomes]
    trial_dates = trials["date"].tolist()
    new_dates = day_of.keys() - days.add_to.covered - days.closed_days
    settled_dates = sorted(new_dates & days.settled_days)
    provisional_dates = sorted(new_dates - days.settled_days)
    for date in settled_dates + provisional_dates:
        progress.enter_month_of(date)
        of_day = outcomes[bisect_left(trial_dates, date) : bisect(trial_dates, date)]
        score = None
        if date in days_to_compare:
            _forecast_month(days, forecast, progress)
            score = _score(days, progress, date, of_day)
        _count_day(days, progress, date, day_of[date], of_day, score)
    return _counted_days(days, progress)


def _count_day(
    days: DaysToCount,
    progress: _Progress,
    date: str,
    day: _Day,
    outcomes: Sequence[Outcome],
    score: Score | None,
) -> None:
    """Count a day or hold it, and add its rows to the tables."""
    is_settled = date in days.settled_days
    held_because = "" if day.admitted else day.unresolved
    if score and not day.admitted and not held_because:
        held_because = why_held(score)
    if held_because:
        progress.hold(date, WHOLE_DAY_SUBJECT, "held", held_because)
    elif not is_settled:
        progress.hold(date, WHOLE_DAY_SUBJECT, "provisional", "its list may still grow")
    if not held_because and not day.admitted:
        _hold_words(days, progress, date, day, score)
    if held_because or any(waiting_date == date for waiting_date, _ in progress.not_counted):
        _compare_versions(days, progress, date)
    if score:
        progress.news_rows += _news_rows(progress, day.witnesses, score)
    if held_because:
        return
    if score and is_settled:
        progress.track_rows.append(
            {"date": date, "source": day.source, "witnesses": day.witnesses, **track.counts_of(score)}
        )
    counted = [outcome for outcome in outcomes if (date, outcome.word) not in progress.not_counted]
    track.add_day(progress.word_records, date, counted)
    accepted = [word for word in day.answers if (date, word) not in progress.not_counted]
    progress.digest = reader.sha256(f"{progress.digest} {date} {accepted}".encode())
    if is_settled and date < days.close_before:
        progress.closed_digest = progress.digest
    progress.counted_days.add(date)


@dataclass(frozen=True, slots=True)
class _Day:
    """A day on disk.

    `source` is the source that is used, and `witnesses` the largest number of sources for one of the answers.
    `witnesses_of` has the number for each word on which sources differ: a source that lacks a word is none for it.
    `unresolved` says why the day cannot be used, or is "". `admitted` says whether a person admitted this list.
    """

    answers: tuple[str, ...]
    source: str
    witnesses: int
    witnesses_of: Mapping[str, int]
    unresolved: str
    disputed_words: tuple[str, ...]
    admitted: bool


def _days_on_disk(days: DaysToCount) -> dict[str, _Day]:
    unresolved_days = merge.unresolved_days(days.conflicts)
    disputed_words: dict[str, list[str]] = {}
    for date, word in sorted(merge.disputed_words(days.conflicts)):
        disputed_words.setdefault(date, []).append(word)
    admitted = {(row["date"], row["letters"], int(row["answers"])) for row in frames.rows(days.admitted)}
    answers: dict[str, list[str]] = {}
    for date, word in zip(days.answers["date"].tolist(), days.answers["word"].tolist(), strict=True):
        answers.setdefault(date, []).append(word)
    witnesses = days.answers.groupby("date")["vouched"].max().to_dict()
    witnesses_of: dict[str, dict[str, int]] = {}
    for row in frames.rows(days.conflicts):
        witnesses_of.setdefault(row["date"], {})[row["subject"]] = row["witnesses"]
    described = {}
    for row in frames.rows(days.puzzles):
        date = row["date"]
        letters = row["center"] + row["outer"]
        described[date] = _Day(
            answers=tuple(answers[date]),
            source=row["source"],
            witnesses=witnesses[date],
            witnesses_of=witnesses_of.get(date, {}),
            unresolved=unresolved_days.get(date, ""),
            disputed_words=tuple(disputed_words.get(date, ())),
            admitted=(date, letters, len(answers[date])) in admitted,
        )
    return described


def _start(days: DaysToCount, day_of: Mapping[str, _Day]) -> _Progress:
    """Return the progress before the first day. The records of words are only needed if a day is compared."""
    digest = days.digest_of_closed_days or reader.sha256(evidence.encode(days.add_to))
    progress = _Progress(digest=digest, closed_digest=digest)
    if days.days_to_compare:
        progress.word_records = track.word_records(days.add_to.record)
        _add_closed_trials(days, progress.word_records)
    for row in frames.rows(days.waiting_of_closed_days):
        progress.hold(**row)
    _hold_words_that_waited(days, day_of, progress)
    return progress


def _add_closed_trials(days: DaysToCount, word_records: WordRecords) -> None:
    """Add the trials of words on closed days that are not in the record, because no day had accepted the words."""
    closed = days.trials[columns.is_in(days.trials["date"], days.closed_days & days.add_to.covered)]
    closed = closed[~columns.is_in(closed["word"], days.add_to.record["word"])]
    for date, word, accepted in zip(closed["date"], closed["word"], closed["accepted"], strict=True):
        if (date, word) not in days.add_to.waiting:
            track.add_day(word_records, date, [Outcome(word, accepted)])


def _hold_words_that_waited(days: DaysToCount, day_of: Mapping[str, _Day], progress: _Progress) -> None:
    """Hold the words that waited when their day was counted, unless a person admitted the day or corrected the word, or
    the sources on disk have settled it."""
    for date, word in sorted(days.words_that_waited - progress.not_counted):
        day = day_of.get(date)
        if not day:
            remedy = f"{Command(f'fetch --since {date} --until {date}')} asks for it"
            detail = f"it was not counted with its day, and the day is not on disk; {remedy}"
            progress.hold(date, word, "surprising", detail)
        elif day.admitted or (date, word) in days.corrected_words:
            continue
        elif word in day.disputed_words:
            progress.hold(date, word, "disputed", "sources differ on it")
        elif _has_one_live_witness(days, day, word):
            progress.hold(date, word, "surprising", f"{day.source} is still the only source")


def _has_one_live_witness(days: DaysToCount, day: _Day, word: str) -> bool:
    """Return whether only one source, a live one, says what the list that is used says of a word."""
    return day.witnesses_of.get(word, day.witnesses) < ENOUGH_WITNESSES and day.source in days.live_sources


def _needed_trials(days: DaysToCount, days_to_compare: Collection[str]) -> pd.DataFrame:
    """Return the trials that counting uses: those of the words that are possible on the days to compare."""
    words = days.trials["word"][columns.is_in(days.trials["date"], days_to_compare)]
    return days.trials[columns.is_in(days.trials["word"], words)]


def why_held(score: Score) -> str:
    """Return the reason why a day is held, or ""."""
    if score.surprise >= SURPRISING or score.wrong >= WRONG:
        return f"{score.wrong} missing or extra words, {score.surprise:.1f} bits of surprise"
    return ""


def _forecast_month(days: DaysToCount, forecast: Forecast, progress: _Progress) -> None:
    """Get the estimates of the month, unless they are known already or too few days were counted before the month."""
    if progress.estimates_are_known:
        return
    progress.estimates_are_known = True
    first_of_month = f"{progress.month}-01"
    counted_before = {day for day in progress.counted_days & days.settled_days if day < first_of_month}
    if len(days.add_to.covered | counted_before) >= track.ENOUGH:
        progress.estimates = forecast(
            first_of_month,
            progress.digest_before_month,
            lambda: _evidence_of(days, progress, counted_before),
        )


def _score(days: DaysToCount, progress: _Progress, date: str, outcomes: Sequence[Outcome]) -> Score | None:
    """Return the score of a list of a day with the forecast of the month, or None without a forecast."""
    if progress.estimates is None:
        return None
    return track.score(date, outcomes, progress.word_records, progress.estimates, days.common_words, days.rarity)


def _hold_words(days: DaysToCount, progress: _Progress, date: str, day: _Day, score: Score | None) -> None:
    """Make single words of a day wait: words on which sources differ, and unlikely outcomes from a single live
    source."""
    decided = {word for word_date, word in progress.not_counted | days.corrected_words if word_date == date}
    for word in day.disputed_words:
        if word not in decided:
            progress.hold(date, word, "disputed", "sources differ on it")
    if not score:
        return
    for word, p in sorted(score.probability_of_outcome.items()):
        is_decided = word in decided or word in day.disputed_words
        if p < UNLIKELY and not is_decided and _has_one_live_witness(days, day, word):
            detail = f"{day.source} is the only source, and the probability of this outcome was {p:.4f}"
            progress.hold(date, word, "surprising", detail)


def _compare_versions(days: DaysToCount, progress: _Progress, date: str) -> None:
    """Add rows that compare the versions of a day, going by what was known before it."""

    def surprise(outcomes: Sequence[Outcome]) -> float | None:
        score = _score(days, progress, date, outcomes)
        return score.surprise if score else None

    versions = days.versions.get(date) or [track.used_version(date, days.puzzles, days.trials)]
    progress.version_rows += track.compared(date, versions, progress.word_records, surprise)


def _news_rows(progress: _Progress, witnesses: int, score: Score) -> list[dict[str, Any]]:
    """Return rows about the missing and extra words of a day: what was known before it, and why they do not count
    yet."""
    waits_because = {
        row["subject"]: f"{row['kind']}: {row['detail']}" for row in progress.waiting_rows if row["date"] == score.date
    }
    rows = []
    for side, words in (("missing", score.missing_words), ("extra", score.extra_words)):
        for word in words:
            p_of_outcome = score.probability_of_outcome[word]
            p = p_of_outcome if side == "missing" else 1 - p_of_outcome
            past = progress.word_records.get(word)
            before = f"accepted {past.accepted} of {past.offered} times" if past else "never tried"
            rows.append(
                {
                    "date": score.date,
                    "word": word,
                    "side": side,
                    "p": round(p, 4),
                    "surprise": round(-math.log2(p_of_outcome), 2),
                    "witnesses": witnesses,
                    "before": before,
                    "waits": waits_because.get(word, waits_because.get(WHOLE_DAY_SUBJECT, "")),
                }
            )
    return rows


def _evidence_of(days: DaysToCount, progress: _Progress, dates: Collection[str]) -> Evidence:
    """Return the record with some of the counted days, without the words that wait."""
    uncounted_days = set(days.puzzles["date"]) - progress.counted_days - days.add_to.covered
    trials = days.trials[~columns.is_in(days.trials["date"], uncounted_days)]
    waiting = frozenset(progress.not_counted)
    return evidence.counted(days.add_to, trials, days.answers, dates, days.common_words, waiting)


def _counted_days(days: DaysToCount, progress: _Progress) -> CountedDays:
    settled_dates = progress.counted_days & days.settled_days
    settled_evidence = _evidence_of(days, progress, settled_dates)
    has_provisional_days = settled_dates != progress.counted_days
    closed_dates = {date for date in settled_dates if date < days.close_before}
    waiting = frames.from_rows(progress.waiting_rows, "waiting")
    _compare_other_waiting_days(days, progress, waiting)
    return CountedDays(
        settled_evidence=settled_evidence,
        evidence=_evidence_of(days, progress, progress.counted_days) if has_provisional_days else settled_evidence,
        track=frames.from_rows(progress.track_rows, "track"),
        news=_news(progress, days.answers),
        waiting=waiting,
        versions=frames.from_rows(progress.version_rows, "versions"),
        scored_days=days.days_to_score,
        closed_evidence=_evidence_of(days, progress, closed_dates) if days.close_before else NO_EVIDENCE,
        closed_digest=progress.closed_digest,
    )


def _compare_other_waiting_days(days: DaysToCount, progress: _Progress, waiting: pd.DataFrame) -> None:
    """Compare the versions of days that were counted long ago and still have words that wait, without surprise."""
    progress.estimates = None
    waiting_dates = set(waiting["date"][waiting["kind"] != "provisional"])
    compared_dates = {row["date"] for row in progress.version_rows}
    for date in sorted((waiting_dates - compared_dates).intersection(days.puzzles["date"])):
        _compare_versions(days, progress, date)


def _news(progress: _Progress, answers: pd.DataFrame) -> pd.DataFrame:
    """Return the table `news`; the witnesses of a missing word are the sources that vouched for it."""
    news = frames.from_rows(progress.news_rows, "news")
    vouched = news[["date", "word"]].merge(answers, how="left")["vouched"]  # no source vouched for an extra word
    return news.assign(witnesses=vouched.fillna(news["witnesses"]).astype("int64"))
