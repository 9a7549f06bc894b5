"""Effect: computes in memory what a verdict would change: the words of the list, and how many more days are exact."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pipeline import run
from pipeline.errors import BeeError
from pipeline.facts import by_hand
from pipeline.facts.coverage import Coverage
from pipeline.review.queue import add_doubt, add_gain, frequency_text
from pipeline.review.why import row_of
from pipeline.run import Update
from pipeline.tables import columns, frames
from pipeline.words import LIKELY, LISTED, count, rule_broken, why_unplayable

MAX_WORDS = 10
"""The maximum number of words that a sentence names."""


@dataclass(frozen=True, slots=True)
class LastYear:
    """The puzzles on disk of the last covered year: how many there are, and how many made a word possible, accepted it
    and refused it."""

    puzzles: int
    possible: int
    accepted: int
    refused: int


@dataclass(frozen=True, slots=True)
class Effect:
    """What a verdict on a word would change.

    `tier` (unknown for a word in no list) and `because` describe the word without the verdict. `current_verdict` and
    `record` are rows of tables, or empty. `added` and `removed` are words of the list. `outcomes` has a sign for each
    puzzle on disk that made the word possible, oldest first: + if it accepted the word, and - if not. We expect
    `puzzles_per_year` puzzles a year that make the word possible. A correct decision makes `days_per_year` more days a
    year exactly right.
    """

    word: str
    verdict: str
    tier: str
    because: str
    tier_after: str
    current_verdict: Mapping[str, Any]
    added: list[str]
    removed: list[str]
    record: Mapping[str, Any]
    outcomes: str
    last_year: LastYear
    p: float | None
    puzzles_per_year: float
    days_per_year: float

    @property
    def changes_list(self) -> bool:
        """Whether the verdict adds or removes words of the list."""
        return bool(self.added or self.removed)

    def sentences(self) -> list[str]:
        """Return the effect in words."""
        sentences = [*self._sentences_on_list(), *self._sentences_on_puzzles(), *self._sentences_on_estimate()]
        if self.current_verdict:
            decision = by_hand.describe(self.current_verdict).rstrip(".")
            undo = f"`bee undo {self.word} --kind verdict`"
            sentences.insert(0, f"A person has already decided on it: {decision}. {undo} undoes that.")
        return sentences

    def _sentences_on_list(self) -> list[str]:
        sentences = []
        for words, verb in ((self.added, "gain"), (self.removed, "lose")):
            if words:
                more = f" and {len(words) - MAX_WORDS} more" if len(words) > MAX_WORDS else ""
                names = ", ".join(words[:MAX_WORDS])
                sentences.append(f"The list would {verb} {count(len(words), 'word')}: {names}{more}.")
        if self.changes_list:
            return sentences
        place = "on" if self.tier in LISTED else "off"
        reason = "" if self.current_verdict else f" ({self.because.rstrip('.')})"
        sentences.append(f"The list would not change: {self.word} is already {place} it{reason}.")
        is_off_the_list_either_way = (self.tier, self.tier_after) == ("unknown", "refused")
        if self.tier != self.tier_after and not is_off_the_list_either_way:
            sentences.append(f"Only its tier would change, from {self.tier} to {self.tier_after}.")
        return sentences

    def _sentences_on_puzzles(self) -> list[str]:
        sentences = []
        if self.record:
            last = f", last on {self.record['last_accepted']}" if self.record["accepted"] else ""
            sentences.append(f"Puzzles accepted it {self.record['accepted']} of {self.record['offered']} times{last}.")
        year = self.last_year
        if year.puzzles:
            times_text = "in none"
            if year.possible:
                outcomes = f"{year.accepted} accepted it, {year.refused} refused it"
                times_text = f"{count(year.possible, 'time')}: {outcomes}"
            sentences.append(f"In the {year.puzzles} puzzles of the last year on disk, it was possible {times_text}.")
        sentences.append(f"We expect it to be possible in {frequency_text(self.puzzles_per_year / 365, 'puzzle')}.")
        return sentences

    def _sentences_on_estimate(self) -> list[str]:
        if self.p is None:
            return ["We cannot estimate whether a puzzle would accept it, because it is in none of our word lists."]
        percent = f"{self.p:.0%}"
        if self.p < 0.01:
            percent = "less than 1%"
        elif self.p > 0.99:
            percent = "more than 99%"
        sentences = [f"We think that a puzzle would accept it with a probability of {percent}."]
        if self.changes_list:
            gain = frequency_text(self.days_per_year / 365, "more day")
            sentences.append(f"The right decision would make {gain} exactly right.")
            if (self.p >= LIKELY) != (self.tier_after in LISTED):
                sentences.append("This verdict contradicts that estimate, so it needs a good reason.")
        return sentences


def effect(word: str, verdict: str, made: Update) -> Effect:
    """Return what a verdict on a word would change; nothing is written."""
    if rule := rule_broken(word):
        raise BeeError(f'"{word}" cannot be an answer of a puzzle: {why_unplayable(word) or rule}.')
    verdicts, before = made.verdicts, made.decisions
    row = {"word": word, "verdict": verdict, "reason": "", "by": "", "after": max(made.coverage.dates, default="")}
    others = verdicts[verdicts["word"] != word]
    new_verdicts = pd.concat([others, frames.from_rows([row], "verdicts")], ignore_index=True)
    after = run.decide_words(made, made.flags, made.estimates, new_verdicts)
    listed_before = set(before["word"][before["tier"].isin(LISTED)])
    listed_after = set(after["word"][after["tier"].isin(LISTED)])
    changed_words = listed_before ^ listed_after
    gains = _gains([word, *sorted(changed_words - {word})], made)
    outcomes = _outcomes(word, made)
    tier, because = _current_state(word, before)
    return Effect(
        word=word,
        verdict=verdict,
        tier=tier,
        because=because,
        tier_after=row_of(after, word)["tier"],
        current_verdict=row_of(verdicts, word),
        added=sorted(listed_after - listed_before),
        removed=sorted(listed_before - listed_after),
        record=row_of(made.record, word),
        outcomes="".join("+" if accepted else "-" for accepted in outcomes.values()),
        last_year=_last_year(outcomes, made.puzzles, made.coverage),
        p=_p_of(made).get(word),
        puzzles_per_year=round(365 * float(gains["chance"].iloc[0]), 3),
        days_per_year=round(365 * float(gains["gain"].sum()), 3) if changed_words else 0.0,
    )


def _current_state(word: str, decisions: pd.DataFrame) -> tuple[str, str]:
    """Return the tier of a word, and the reason for it as a sentence."""
    decision = row_of(decisions, word)
    if not decision:
        return "unknown", "no list that we use has it as a common word"
    return decision["tier"], decision["because"]


def _p_of(made: Update) -> pd.Series:
    """Return the p of each word with an estimate, shared by families and indexed by word."""
    has_estimate = columns.is_in(made.decisions["word"], made.estimates["word"])
    return made.decisions[has_estimate].set_index("word")["p"]


def _gains(words: list[str], made: Update) -> pd.DataFrame:
    """Return the chance and the gain of words, computed as for the queue of `bee review`."""
    frame = pd.DataFrame({"word": words}, dtype="str")
    decisions = made.decisions.set_index("word")
    for name in ("tier", "by"):
        frame[name] = columns.look_up(frame["word"], decisions[name], "")
    frame["p"] = columns.look_up(frame["word"], _p_of(made), np.nan)
    return add_gain(add_doubt(frame), made.record, made.coverage.dates)


def _outcomes(word: str, made: Update) -> dict[str, bool]:
    """Return the dates of the puzzles on disk on which a word had a trial, and whether each accepted it."""
    puzzles, answers, without_trial = made.puzzles, made.answers, made.without_trial
    letters = set(word)
    accepted_on = set(answers["date"][answers["word"] == word])
    not_tried_on = set(without_trial["date"][without_trial["word"] == word])
    rows = zip(puzzles["date"].tolist(), puzzles["center"].tolist(), puzzles["outer"].tolist(), strict=True)
    dates = [date for date, center, outer in rows if center in letters and letters <= {center, *outer}]
    return {date: date in accepted_on for date in sorted(dates) if date not in not_tried_on}


def _last_year(outcomes: Mapping[str, bool], puzzles: pd.DataFrame, coverage: Coverage) -> LastYear:
    """Count the puzzles on disk of the year up to the last known day, and the outcomes of a word among them."""
    last = max([*coverage.dates, *puzzles["date"]], default="2000-01-01")
    first = (datetime.date.fromisoformat(last) - datetime.timedelta(days=364)).isoformat()
    recent = [accepted for date, accepted in outcomes.items() if first <= date <= last]
    return LastYear(
        puzzles=int(puzzles["date"].between(first, last).sum()),
        possible=len(recent),
        accepted=recent.count(True),
        refused=recent.count(False),
    )
