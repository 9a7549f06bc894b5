"""New days: process them oldest first: score each with what was known before it, then count it or hold it.

A day is *held* if its list is more surprising than nearly all real days (`SURPRISING`, `WRONG`), or if sources differ
on its letters or on many words. If a day has only one live witness, each word with a very unlikely outcome waits
(`UNLIKELY`). A person admits a held day (`bee admit`).
"""

from __future__ import annotations

import hashlib
import math
from bisect import bisect, bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pipeline.facts import evidence, merge
from pipeline.facts.evidence import NONE, Evidence
from pipeline.facts.seal import Waits
from pipeline.intake import track
from pipeline.intake.forecast import Forecast
from pipeline.intake.track import Record, Score, Version
from pipeline.tables import columns, frames

SURPRISING = 20.0
"""A day with at least this many bits of surprise is held; docs/RELIABILITY.md has the distribution on real days."""
WRONG = 9
"""A day with at least this many missing and extra words is held."""
UNLIKELY = 0.01
"""A word whose outcome had a smaller probability than this waits for a second witness."""
TWO = 2
"""The number of witnesses that settle what one of them would not."""
TRACK_FROM = "2023-07-01"
"""The first day of a walk over the whole archive, unless the track record starts elsewhere."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The input of a walk.

    `base` is the record to which the days are added. `final` are the dates with settled lists, and `scored` are the
    dates among them that get a row of the track record. `live` are the names of the sources that are fetched over the
    network, and `rarity` says how rare the words of the trials are. `pending` are the (date, word) that did not count
    when their days were counted, and `corrected` those that a person corrected. A walk from a checkpoint leaves out the
    `closed` days, whose rows of `waiting` are `carried`. With `until`, the record before that date is also made.
    `versions` are the lists of the days on which sources differ.
    """

    base: Evidence
    puzzles: pd.DataFrame
    answers: pd.DataFrame
    conflicts: pd.DataFrame
    trials: pd.DataFrame
    plain: frozenset[str]
    admitted: pd.DataFrame
    final: frozenset[str]
    scored: frozenset[str]
    live: frozenset[str]
    rarity: track.Rarity
    pending: Waits = frozenset()
    corrected: Waits = frozenset()
    closed: frozenset[str] = frozenset()
    carried: pd.DataFrame = field(default_factory=lambda: frames.empty("waiting"))
    until: str = ""
    versions: Mapping[str, list[Version]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Walked:
    """The result of a walk: the evidence of settled days, the evidence with provisional days, and four tables by name.

    `news` has the days in `Facts.scored` and the provisional days, including held days; `track` has the settled days
    that count. `scored` are the days in `Facts.scored`, and `closed` is the evidence before `Facts.until`, if that was
    asked for.
    """

    settled: Evidence
    evidence: Evidence
    track: pd.DataFrame
    news: pd.DataFrame
    waiting: pd.DataFrame
    versions: pd.DataFrame
    scored: frozenset[str]
    closed: Evidence = NONE


@dataclass(slots=True)
class _State:
    """The state of a walk."""

    record: Record
    estimates: Mapping[str, float] | None = None
    month: str = ""
    opened: str = ""
    asked: bool = False
    counted: set[str] = field(default_factory=set)
    digest: Any = field(default_factory=hashlib.sha256)
    rows: list[dict[str, Any]] = field(default_factory=list)
    waiting: list[dict[str, str]] = field(default_factory=list)
    versions: list[dict[str, Any]] = field(default_factory=list)
    without: set[tuple[str, str]] = field(default_factory=set)
    news: list[dict[str, Any]] = field(default_factory=list)

    def waits(self, date: str, subject: str, kind: str, detail: str) -> None:
        self.waiting.append({"date": date, "subject": subject, "kind": kind, "detail": detail})
        self.without |= {(date, subject)} - {(date, "day")}

    def to(self, date: str) -> None:
        """Go to a day. A new month is forecast from what was counted before its first day on disk."""
        if self.month != date[:7]:
            self.month, self.opened = date[:7], self.digest.hexdigest()
            self.asked, self.estimates = False, None


def to_score(new: Collection[str], track: pd.DataFrame, begun: bool, rebuild: bool) -> frozenset[str]:
    """Choose the days that get a row of the track record: the new days, or in a rebuild all days since its first row.

    The first merge gets no rows: it makes the record from which later days are forecast.
    """
    since = min(track["date"], default=TRACK_FROM) if rebuild else ""
    return frozenset(date for date in new if date >= since) if begun or rebuild else frozenset()


def updated(
    table: str, before: pd.DataFrame, new: pd.DataFrame, scored: Collection[str], settled: Evidence
) -> pd.DataFrame:
    """Update the table `track` or `news`: replace the rows of the scored days, and remove those of days that no longer
    count."""
    stay = ~before["date"].isin(scored) & before["date"].isin(settled.covered)
    return frames.check(pd.concat([before[stay], new]), table)


def walk(facts: Facts, forecast: Forecast) -> Walked:
    """Add the days on disk to the base: first the settled ones, then, separately, those that may still change."""
    asked = facts.scored | (set(facts.puzzles["date"].tolist()) - facts.final)
    days = _days(facts)
    state = _begun(facts, days, asked)
    tried = _needed(facts, asked)
    dates, words, accepted = (tried[name].tolist() for name in ("date", "word", "accepted"))
    walked = {date for date in days if date not in facts.base.covered | facts.closed}
    for date in [*sorted(walked & facts.final), *sorted(walked - facts.final)]:
        state.to(date)
        day = days[date]
        rows = slice(bisect_left(dates, date), bisect(dates, date))
        trials = list(zip(words[rows], accepted[rows], strict=True))
        scored = _score(facts, forecast, state, date, trials) if date in asked else None
        held = "" if day.admitted else day.torn or (surprising(scored) if scored else "")
        if held:
            state.waits(date, "day", "held", held)
        elif date not in facts.final:
            state.waits(date, "day", "provisional", "its list may still grow")
        if not held and not day.admitted:
            _sift(facts, state, date, day, scored)
        if held or any(at == date for at, _ in state.without):
            _compare(facts, state, date)
        if scored:
            state.news += _news(state, day.witnesses, scored)
        if held:
            continue
        if scored and date in facts.final:
            about = {"date": date, "source": day.source, "witnesses": day.witnesses}
            state.rows.append(about | track.row(scored))
        if asked:
            known = [(word, yes) for word, yes in trials if (date, word) not in state.without]
            track.fold(state.record, date, known)
            state.digest.update(f"{date} {[word for word, yes in known if yes]}\n".encode())
        state.counted.add(date)
    return _walked(facts, state)


@dataclass(frozen=True, slots=True)
class _Day:
    """A day on disk: the source that is used, how many sources have it at most, why it cannot be used ("" if it can),
    the words on which sources differ, and whether a person admitted this list."""

    source: str
    witnesses: int
    torn: str
    disputed: tuple[str, ...]
    admitted: bool


def _days(facts: Facts) -> dict[str, _Day]:
    """Describe every day on disk, by date."""
    torn, words = merge.torn(facts.conflicts), sorted(merge.disputed(facts.conflicts))
    letters = {row["date"]: (row["letters"], int(row["answers"])) for row in frames.rows(facts.admitted)}
    counts = facts.answers.groupby("date").size().to_dict()
    witnesses = facts.answers.groupby("date")["vouched"].max().to_dict()
    disputed: dict[str, tuple[str, ...]] = {}
    for date, word in words:
        disputed[date] = (*disputed.get(date, ()), word)
    return {
        (date := row["date"]): _Day(
            row["source"],
            witnesses[date],
            torn.get(date, ""),
            disputed.get(date, ()),
            letters.get(date) == (row["center"] + row["outer"], counts[date]),
        )
        for row in frames.rows(facts.puzzles)
    }


def _begun(facts: Facts, days: Mapping[str, _Day], asked: Collection[str]) -> _State:
    """Return the state at the beginning of a walk.

    Words that waited when their day was counted still wait, unless a person admitted the day or corrected the word, or
    the sources on disk have settled it.
    """
    state = _State({})
    if asked:
        state.record = track.remember(facts.base.record)
        state.digest.update(evidence.encode(facts.base))
        rows = facts.trials[columns.among(facts.trials["date"], facts.closed & facts.base.covered)]
        rows = rows[~columns.among(rows["word"], facts.base.record["word"])]  # words that no day had accepted then
        for date, word, yes in zip(rows["date"], rows["word"], rows["accepted"], strict=True):
            if (date, word) not in facts.base.waits:
                track.fold(state.record, date, [(word, yes)])
    for row in frames.rows(facts.carried):
        state.waits(**row)
    for date, word in sorted(facts.pending - state.without):
        day = days.get(date)
        if not day:
            get = f"`bee fetch --since {date} --until {date}` asks for it"
            state.waits(date, word, "surprising", f"it did not count with its day, which is not on disk; {get}")
        elif not day.admitted and (date, word) not in facts.corrected:
            if word in day.disputed:
                state.waits(date, word, "disputed", "sources differ on it")
            elif day.witnesses < TWO and day.source in facts.live:
                state.waits(date, word, "surprising", f"{day.source} is still the only source")
    return state


def _needed(facts: Facts, asked: Collection[str]) -> pd.DataFrame:
    """Choose the trials that a walk uses: all trials of the words that are possible on the days `asked` about, and all
    acceptances, from which the digest is made that names a forecast."""
    if not asked:
        return facts.trials[:0]
    words = facts.trials["word"][columns.among(facts.trials["date"], asked)]
    return facts.trials[facts.trials["accepted"] | columns.among(facts.trials["word"], words)]


def surprising(scored: Score) -> str:
    """Return the reason why a day is held, or ""."""
    if scored.surprise >= SURPRISING or scored.wrong >= WRONG:
        return f"{scored.wrong} missing or extra words, {scored.surprise:.1f} bits of surprise"
    return ""


def _score(facts: Facts, forecast: Forecast, state: _State, date: str, day: list[track.Trial]) -> Score | None:
    """Score a day with the month's forecast; None if too few days are known before it."""
    if not state.asked:
        first, state.asked = f"{state.month}-01", True
        before = {day for day in state.counted & facts.final if day < first}
        if len(facts.base.covered | before) >= track.ENOUGH:
            state.estimates = forecast(first, state.opened, lambda: _counted(facts, state, before))
    if state.estimates is None:
        return None
    return track.score(date, day, state.record, state.estimates, facts.plain, facts.rarity)


def _sift(facts: Facts, state: _State, date: str, day: _Day, scored: Score | None) -> None:
    """Let single words of a day wait: words on which sources differ, and unlikely outcomes from a single live
    source."""
    known = {word for at, word in state.without | facts.corrected if at == date}
    for word in day.disputed:
        if word not in known:
            state.waits(date, word, "disputed", "sources differ on it")
    if scored and day.witnesses < TWO and day.source in facts.live:
        for word, p in sorted(scored.outcomes.items()):
            if p < UNLIKELY and word not in known.union(day.disputed):
                state.waits(date, word, "surprising", f"{day.source} is the only source; its probability was {p:.4f}")


def _compare(facts: Facts, state: _State, date: str) -> None:
    """Compare the versions of a day by what was known before it."""

    def surprise(trials: Sequence[track.Trial]) -> float | None:
        if state.estimates is None:
            return None
        return track.score(date, trials, state.record, state.estimates, facts.plain, facts.rarity).surprise

    found = facts.versions.get(date) or [track.used(date, facts.puzzles, facts.trials)]
    state.versions += track.compared(date, found, state.record, surprise)


def _news(state: _State, witnesses: int, scored: Score) -> list[dict[str, Any]]:
    """Describe the missing and extra words of a day by what was known before it, and why they do not count yet."""
    waits = {row["subject"]: f"{row['kind']}: {row['detail']}" for row in state.waiting if row["date"] == scored.date}
    rows = []
    for at, word in enumerate(scored.otherwise):
        chance, past, missing = scored.outcomes[word], state.record.get(word), at < scored.missing
        rows.append(
            {
                "date": scored.date,
                "word": word,
                "side": "missing" if missing else "extra",
                "p": round(chance if missing else 1 - chance, 4),
                "surprise": round(-math.log2(chance), 2),
                "witnesses": witnesses,
                "before": f"accepted {past.accepted} of {past.offered} times" if past else "never tried",
                "waits": waits.get(word, waits.get("day", "")),
            }
        )
    return rows


def _counted(facts: Facts, state: _State, dates: Collection[str]) -> Evidence:
    """Add days to the base without the words that wait."""
    trials = facts.trials
    held = set(facts.puzzles["date"]) - state.counted - facts.base.covered
    trials = trials[~columns.among(trials["date"], held)]
    return evidence.counted(facts.base, trials, facts.answers, dates, facts.plain, frozenset(state.without))


def _walked(facts: Facts, state: _State) -> Walked:
    settled = _counted(facts, state, state.counted & facts.final)
    every = settled if state.counted <= facts.final else _counted(facts, state, state.counted)
    news = frames.from_rows(state.news, "news")
    vouched = news[["date", "word"]].merge(facts.answers, how="left")["vouched"]  # an extra word is vouched for by none
    news["witnesses"] = vouched.fillna(news["witnesses"]).astype("int64")
    scores, waiting = frames.from_rows(state.rows, "track"), frames.from_rows(state.waiting, "waiting")
    waits = set(waiting["date"][waiting["kind"] != "provisional"]) - {row["date"] for row in state.versions}
    state.estimates = None  # a day that was counted long ago is shown without its surprise
    for date in sorted(waits.intersection(facts.puzzles["date"])):
        _compare(facts, state, date)
    before = {date for date in state.counted & facts.final if date < facts.until}
    closed = _counted(facts, state, before) if facts.until else NONE
    compared = frames.from_rows(state.versions, "versions")
    return Walked(settled, every, scores, news, waiting, compared, facts.scored, closed)
