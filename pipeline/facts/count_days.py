"""Decides which days count, and which of their words have no trial.

A settled day counts if two sites have it with the same letters; words on which they differ, at most `FEW`, have no
trial on it. A day of one site is compared with the list of the last release: it counts at once if at most one word
differs, and after a week if two or three do. Untrusted lists count by the same numbers, but only while no site has the
day. A list that a person named in `days.csv` counts. All other days wait.

Four words decide, because two words that a source swaps make four that differ. Of 1,120 real days, 11 differed from the
list in four or more.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

import pandas as pd

from pipeline import reader
from pipeline.facts.by_hand import NO_SOURCE
from pipeline.sources import ONE_DAY, SITE_OF
from pipeline.tables import columns, frames
from pipeline.words import Puzzle, count, mask, spells

FEW = 3
"""The maximum number of words that can differ so that a day of two sites counts, or that of one site after a week."""
ENOUGH = 100
"""The number of days that a release must cover before a day of one site is compared with its list."""
WEEK = datetime.timedelta(days=7)
"""The time for which a day of one site waits if two or three words differ from the list."""
MAX_WORDS = 10
"""The maximum number of words that a sentence names."""


@dataclass(frozen=True, slots=True)
class PriorKnowledge:
    """What is known without the new days."""

    covered: frozenset[str]  # the dates that the last release covers
    accepted_on: Mapping[str, Collection[str]]  # the words whose last trial accepted them, by its date
    listed: pd.Series  # the words on the list of the last release
    accepted: frozenset[str]  # the words that puzzles accepted
    in_lists: pd.Series  # the words of the word lists
    slurs: frozenset[str]


@dataclass(frozen=True, slots=True)
class CountedDays:
    """The days on disk that are settled, as tables by their names in `frames`."""

    puzzles: pd.DataFrame  # the days that count
    answers: pd.DataFrame
    waits: pd.DataFrame  # the days that wait
    without_trial: pd.DataFrame
    track: pd.DataFrame  # how the list of the last release did on the new days
    confirmed: frozenset[str]  # the dates that two sites or a person confirm


TABLES = ("puzzles", "waits", "without_trial", "track")
"""The tables of `CountedDays` that are made row by row; only `answers` has many rows."""


def count_days(
    day_lists: pd.DataFrame, named_days: pd.DataFrame, prior: PriorKnowledge, from_nothing: bool
) -> CountedDays:
    """Decide which days count, from the tables of these names.

    A day counts whole or waits whole; one that is not settled yet does neither. Neither its neighbors nor the order of
    the lists matters. A day that the last release covers is not compared with its list. It stays counted, unless all
    days are counted `from_nothing`.
    """
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    answers_of_day = {}
    confirmed = set()
    list_before = _ListBefore(prior)
    row_about = {row["date"]: row for row in frames.rows(named_days)}
    rows = sorted(frames.rows(day_lists), key=itemgetter("date", "source"))
    for date, rows_of_date in itertools.groupby(rows, key=itemgetter("date")):
        of_date = [_list(row) for row in rows_of_date]
        try:
            if date in prior.covered and not from_nothing:
                day = _covered_day(of_date, prior.accepted_on.get(date, ()), row_about.get(date))
            else:
                day = _new_day(date, of_date, row_about.get(date), list_before)
        except DayWaits as wait:
            tables["waits"].append({"date": date, "because": str(wait), "person": wait.person})
            continue
        if day:
            _add(tables, date, day)
            answers_of_day[date] = sorted(day.answers)
            if day.witnesses > 1 or date in row_about:
                confirmed.add(date)
    made = {name: frames.from_rows(rows, name) for name, rows in tables.items()}
    return CountedDays(**made, answers=_answers(answers_of_day), confirmed=frozenset(confirmed))


class DayWaits(Exception):
    """A day does not count yet: why, and what ends that. `person` says whether a person or another site must act."""

    def __init__(self, because: str, person: bool = True) -> None:
        super().__init__(because)
        self.person = person


class _List(NamedTuple):
    """The last list of a source for a date, and when it came. `week_over` says that a second site had a week to
    contradict it."""

    source: str
    puzzle: Puzzle
    answers: frozenset[str]
    came_at: str
    settled: bool
    week_over: bool

    @property
    def site(self) -> str:
        """The site that it is from, or "" for an untrusted list."""
        return SITE_OF.get(self.source, "")

    @property
    def owner(self) -> str:
        """The site that it is from, or the source of an untrusted list."""
        return self.site or self.source


class _Day(NamedTuple):
    """A day that counts: its letters and answers, the source and the number of its witnesses, the words without a
    trial, each with the reason, and the words that the list before lacked and those that it had too many, if it was
    compared."""

    puzzle: Puzzle
    answers: frozenset[str]
    source: str
    witnesses: int
    without_trial: Mapping[str, str]
    compared: tuple[frozenset[str], frozenset[str]] | None


class _ListBefore:
    """The list of the last release, with which new days are compared."""

    def __init__(self, prior: PriorKnowledge) -> None:
        self.prior = prior
        self.masks = columns.masks(prior.listed)

    def is_compared(self, date: str) -> bool:
        """Return whether a day is compared: it is new, and the release covers enough days."""
        return date not in self.prior.covered and len(self.prior.covered) >= ENOUGH

    def differences(self, puzzle: Puzzle, answers: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """Return the answers that are not on the list, and the words on the list that are no answers."""
        has_only_letters = (self.masks & ~mask(puzzle.letters)) == 0
        is_possible = has_only_letters & ((self.masks & mask(puzzle.center)) != 0)
        possible = frozenset(self.prior.listed[is_possible])
        return answers - possible, possible - answers

    def why_without_trial(self, answers: frozenset[str]) -> dict[str, str]:
        """Return the answers that one site alone cannot bring in, each with the reason."""
        words = pd.Series(sorted(answers - self.prior.accepted), dtype="str")
        in_no_list = words[~columns.is_in(words, self.prior.in_lists)]
        reasons = dict.fromkeys(in_no_list, "this word, which is in no list")
        return reasons | {word: "this slur" for word in words if word in self.prior.slurs}


def _list(row: Mapping[str, Any]) -> _List:
    letters, answers = Puzzle(row["center"], row["outer"]), frozenset(row["answers"].split())
    return _List(row["source"], letters, answers, row["came_at"], row["settled"], row["week_over"])


def checksum(puzzle: Puzzle, answers: frozenset[str]) -> str:
    """Return what `days.csv` has as the `check` of a list: twelve digits of a SHA-256 over letters and sorted answers.

    >>> checksum(Puzzle("v", "acenot"), frozenset({"cove", "cave"}))
    '203c27cea4e0'
    """
    return reader.sha256(" ".join([puzzle.letters, *sorted(answers)]).encode())[:12]


def _new_day(date: str, lists: Sequence[_List], row: Mapping[str, str] | None, before: _ListBefore) -> _Day | None:
    """Return a day that the release does not cover if it counts, or None if it is not settled yet; raise DayWaits if it
    waits."""
    if row:
        return _named_day(date, lists, row, before)
    settled = [each for each in lists if each.settled]
    sites = sorted({each.site for each in settled if each.site}, reverse=True)
    site_may_have_it = any(each.site for each in lists)  # but it is not settled there
    if not sites and (site_may_have_it or not settled):
        return None
    of_sites = [_list_of_site(date, [each for each in settled if each.site == site]) for site in sites]
    used, *others = of_sites or sorted(settled)
    answers, disputed = used.answers, frozenset[str]()
    for other in others:
        _require_alike(date, used, other)
        disputed |= used.answers ^ other.answers
        answers &= other.answers
    if len(disputed) > FEW:
        raise DayWaits(f"its lists differ on {_words(disputed)}; {_which_is_right(date, lists)}")
    without_trial = dict.fromkeys(disputed, _differ_on_it(sites))
    compared = before.differences(used.puzzle, answers | disputed) if before.is_compared(date) else None
    if compared and len(sites) < 2:
        _require_expected(date, used, compared[0] | compared[1], lists)
        reasons = before.why_without_trial(answers)
        without_trial |= {word: f"{used.owner} alone accepts {reason}" for word, reason in reasons.items()}
    return _Day(used.puzzle, answers - without_trial.keys(), used.source, max(len(sites), 1), without_trial, compared)


def _covered_day(lists: Sequence[_List], accepted: Collection[str], row: Mapping[str, str] | None) -> _Day | None:
    """Return a day that the record has, as its lists on disk show it, or None if they are other lists: `accepted` are
    words that the record accepted on that day. The list that a person named is right; otherwise, words on which the
    lists differ are left out."""
    for named in lists:
        if row and checksum(named.puzzle, named.answers) == row["check"]:
            return _Day(named.puzzle, named.answers, named.source, 1, {}, None)
    fitting = [each for each in lists if each.settled and all(spells(each.puzzle, word) for word in accepted)]
    usable = [each for each in fitting if each.site] or fitting
    if not usable:
        return None
    used = max(usable, key=_exactness)
    alike = [each for each in usable if each.puzzle == used.puzzle]
    sites = sorted({each.site for each in alike}, reverse=True)
    of_sites = [max((each for each in alike if each.site == site), key=_exactness) for site in sites]
    shared = frozenset.intersection(*(each.answers for each in of_sites))
    disputed = frozenset.union(*(each.answers for each in of_sites)) - shared
    reasons = dict.fromkeys(disputed, _differ_on_it(sites))
    return _Day(used.puzzle, shared, used.source, len(sites), reasons, None)


def _exactness(each: _List) -> tuple[bool, str, str]:
    """Return a key by which the best list of a site is the last: a page of one day rather than a collection of days,
    then what came later."""
    return each.source in ONE_DAY, each.came_at, each.source


def _differ_on_it(sites: Sequence[str]) -> str:
    return f"{' and '.join(filter(None, sites)) or 'lists of no site'} differ on it"


def _named_day(date: str, lists: Sequence[_List], row: Mapping[str, str], before: _ListBefore) -> _Day:
    """Return the day with the list that a person named, whatever source has it now; raise DayWaits if none has it."""
    source = row["source"]
    if source == NO_SOURCE:
        owners = " and ".join(sorted({each.owner for each in lists}))
        raise DayWaits(f"days.csv says that no source has it, but {owners} has; {_undo(date)}")
    for used in lists:
        if checksum(used.puzzle, used.answers) == row["check"]:
            content = (used.puzzle, used.answers)
            agreeing = {each.site for each in lists if each.site and (each.puzzle, each.answers) == content}
            compared = before.differences(*content) if before.is_compared(date) else None
            return _Day(*content, used.source, max(len(agreeing), 1), {}, compared)
    if source in [each.source for each in lists]:
        raise DayWaits(f"{source} has another list now than days.csv says; {_undo(date)}")
    raise DayWaits(f"days.csv names the list of {source}, which is not on this computer; {_undo(date)}", person=False)


def _list_of_site(date: str, lists: Sequence[_List]) -> _List:
    """Return the best list of a site; raise DayWaits if its lists differ too much."""
    used = max(lists, key=_exactness)
    for other in lists:
        _require_alike(date, used, other)
        if len(used.answers ^ other.answers) > FEW:
            words = _words(used.answers ^ other.answers)
            raise DayWaits(f"{used.source} and {other.source} differ on {words}; {_which_is_right(date, lists)}")
    return used


def _require_alike(date: str, used: _List, other: _List) -> None:
    """Raise DayWaits if two lists have different letters."""
    if other.puzzle != used.puzzle:
        raise DayWaits(
            f"{used.source} has the letters {used.puzzle.letters}, but {other.source} has {other.puzzle.letters}; "
            f"{_which_is_right(date, [used, other])}"
        )


def _require_expected(date: str, used: _List, differing: frozenset[str], lists: Sequence[_List]) -> None:
    """Raise DayWaits if the day of one site differs too much from the list of the last release."""
    if len(differing) <= 1 or (len(differing) <= FEW and used.week_over):
        return
    who = f"{used.site} alone has it" if used.site else "no site has it"
    problem = f"{who}, and it differs from the list on {_words(differing)}"
    if len(differing) <= FEW:
        until = datetime.date.fromisoformat(date) + WEEK
        raise DayWaits(f"{problem}; it counts after {until}, or when another site has it", person=False)
    raise DayWaits(f"{problem}; it counts when another site has it, or {_which_is_right(date, lists)}")


def _words(words: frozenset[str]) -> str:
    more = f" and {len(words) - MAX_WORDS} more" if len(words) > MAX_WORDS else ""
    return f"{count(len(words), 'word')} ({', '.join(sorted(words)[:MAX_WORDS])}{more})"


def _which_is_right(date: str, lists: Sequence[_List]) -> str:
    commands = [f'`bee day {date} --source {each.source} --reason "checked by hand"`' for each in lists]
    return f"say whose list is right: {' or '.join(sorted(commands))}"


def _undo(date: str) -> str:
    return f"`bee undo {date}` removes that line"


def _answers(answers_of_day: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Return the table `answers`."""
    dates = [date for date, words in answers_of_day.items() for _ in words]
    words = list(itertools.chain.from_iterable(answers_of_day.values()))
    return frames.check(pd.DataFrame({"date": dates, "word": words}), "answers")


def _add(tables: Mapping[str, list[dict[str, Any]]], date: str, day: _Day) -> None:
    """Add the rows of a day that counts, except its answers."""
    letters = {"date": date, "center": day.puzzle.center, "outer": day.puzzle.outer}
    tables["puzzles"].append({**letters, "source": day.source, "witnesses": day.witnesses})
    tables["without_trial"] += [{"date": date, "word": word, "because": why} for word, why in day.without_trial.items()]
    if day.compared:
        missing, extra = (words - day.without_trial.keys() for words in day.compared)
        tables["track"].append(
            {
                "date": date,
                "source": day.source,
                "witnesses": day.witnesses,
                "answers": len(day.answers),
                "missing": len(missing),
                "extra": len(extra),
                "without_trial": " ".join(sorted(day.without_trial)),
                "differs": "",
            }
        )
