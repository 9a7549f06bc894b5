"""News: days scored with the list as it stood before them, and how counting them changed the list.

A day is scored as when it was first counted: a word with a record is expected to have the same outcome as its last
trial, and a word without a record has the estimate from the beginning of the month (`opinions.track`). So the counts of
a day equal its row in the track record; here they have their words.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pipeline.facts import evidence as recording
from pipeline.facts.evidence import NONE, Evidence
from pipeline.facts.lexicon import plain
from pipeline.intake import forecast, new_days, track
from pipeline.intake.new_days import Facts, Walked
from pipeline.intake.track import Score
from pipeline.opinions import decide
from pipeline.tables import frames
from pipeline.words import LISTED

TABLES = ("puzzles", "answers", "conflicts", "trials", "offensive", "admitted", "evidence", "base", "waiting")
"""The tables that `news` needs besides lexicon, flags, verdicts and decisions, by name in the registry."""
DAYS = ("date", "source", "witnesses", "answers", "missing", "extra", "expected", "surprise", "held")
WORDS = ("date", "word", "side", "p", "surprise", "witnesses", "before", "waits")


@dataclass(frozen=True, slots=True)
class News:
    """The news: `days`, their missing and extra `words`, and the words that `moved`.

    The columns are `DAYS`, `WORDS`, and word, change (added or removed), because. `expected` is the probability of an
    exact list, `surprise` is in bits, `p` is the predicted probability of the word, and `before` the reason for it.
    `held` and `waits` tell why a day or a word does not count yet. All three tables are empty if too little is known of
    the time before.
    """

    days: pd.DataFrame
    words: pd.DataFrame
    moved: pd.DataFrame


def since(dates: Collection[str], covered_to: str, otherwise: int) -> tuple[list[str], bool]:
    """Return the dates after a given one, and whether there are any; if not, return the last `otherwise` dates.

    >>> since(["2025-01-01", "2025-01-02"], "2025-01-01", 1), since(["2025-01-01", "2025-01-02"], "2025-01-02", 1)
    ((['2025-01-02'], True), (['2025-01-02'], False))
    """
    new = sorted(date for date in dates if date > covered_to)
    return (new, True) if new else (sorted(dates)[-otherwise:], False)


def news(tables: Mapping[str, Any], dates: Collection[str], live: Collection[str]) -> News:
    """Score the days of `dates`, which are on disk, with what was known before the first of them.

    `tables` are those of `TABLES`, and lexicon (with its strangers), verdicts and decisions. `live` are the names of
    the sources that are fetched over the network.
    """
    first = min(dates, default="")
    known = _known_before(tables, dates, f"{first[:7]}-01")
    if known is None or len(known.covered) < track.ENOUGH:
        empty = [pd.DataFrame({name: [] for name in names}) for names in (DAYS, WORDS, ("word", "change", "because"))]
        return News(*empty)
    fitted: dict[str, pd.DataFrame] = {}

    def forecaster(month: str, _: str, record: Any) -> dict[str, float]:
        fitted[month] = forecast.estimated(tables["lexicon"], tables["offensive"], record().record)
        return dict(zip(fitted[month]["word"].tolist(), fitted[month]["p"].tolist(), strict=True))

    facts = _facts(tables, known, dates, live)
    walked = new_days.walk(facts, forecaster)
    scores = [score for score in walked.scores if score.date in dates]
    bases = {month[:7]: dict(zip(frame["word"], frame["basis"], strict=True)) for month, frame in fitted.items()}
    words = [row for score in scores for row in _words(facts, walked, score, bases[score.date[:7]])]
    return News(
        _days(facts, walked, scores),
        pd.DataFrame(words, columns=list(WORDS)),
        _moved(tables, _counted(tables, known, {date for date in tables["evidence"].covered if date < first})),
    )


def _known_before(tables: Mapping[str, Any], dates: Collection[str], month: str) -> Evidence | None:
    """Return the record at the beginning of a month; None if it cannot be restored, because it has counted some of the
    days."""
    before = {date for date in tables["evidence"].covered if date < month}
    if before <= set(tables["puzzles"]["date"]):
        return _counted(tables, NONE, before)
    start: Evidence = tables["base"].kept
    return None if start.covered.intersection(dates) or not start.covered else _counted(tables, start, before)


def _counted(tables: Mapping[str, Any], start: Evidence, dates: Collection[str]) -> Evidence:
    """Add days to a record without the words that wait."""
    trials, waiting = tables["trials"], tables["waiting"]
    waits = pd.MultiIndex.from_arrays([waiting["date"], waiting["subject"]])
    trials = trials[~pd.MultiIndex.from_arrays([trials["date"], trials["word"]]).isin(waits)]
    trials = trials[trials["date"].isin(set(dates) | start.covered)]
    return recording.counted(start, trials, tables["answers"], dates, _plain(tables))


def _plain(tables: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(tables["lexicon"]["word"][plain(tables["lexicon"])].tolist())


def _facts(tables: Mapping[str, Any], known: Evidence, dates: Collection[str], live: Collection[str]) -> Facts:
    """Return the input of the walk: the days on disk from the month of the first of `dates` on."""
    later = {name: tables[name][tables[name]["date"] >= f"{min(dates)[:7]}-01"] for name in ("puzzles", "conflicts")}
    stay = tables["trials"]["date"].isin(set(later["puzzles"]["date"]) | known.covered)
    provisional = set(tables["waiting"]["date"][tables["waiting"]["kind"] == "provisional"])
    final = frozenset(set(tables["puzzles"]["date"]) - provisional)
    return Facts(
        known, later["puzzles"], tables["answers"], later["conflicts"], tables["trials"][stay], _plain(tables),
        tables["admitted"], final, final.intersection(dates), frozenset(live),
    )  # fmt: skip


def _days(facts: Facts, walked: Walked, scores: list[Score]) -> pd.DataFrame:
    sources = facts.puzzles.set_index("date")["source"]
    witnesses = facts.answers.groupby("date")["vouched"].max()
    held = _waiting(walked)
    rows = [
        {**track.row(score), "date": score.date, "source": sources[score.date], "witnesses": witnesses[score.date]}
        | {"held": held.get((score.date, "day"), "")}
        for score in scores
    ]
    return pd.DataFrame(rows, columns=list(DAYS))


def _waiting(walked: Walked) -> dict[tuple[str, str], str]:
    """Return the reasons why days and words do not count yet, by date and subject."""
    return {(row["date"], row["subject"]): f"{row['kind']}: {row['detail']}" for row in frames.rows(walked.waiting)}


def _words(facts: Facts, walked: Walked, score: Score, bases: Mapping[str, str]) -> list[dict[str, Any]]:
    """List the missing and extra words of a day, most surprising first."""
    trials = facts.trials[facts.trials["date"] == score.date]
    accepted = dict(zip(trials["word"].tolist(), trials["accepted"].tolist(), strict=True))
    vouched = facts.answers[facts.answers["date"] == score.date]
    witnesses = dict(zip(vouched["word"].tolist(), vouched["vouched"].tolist(), strict=True))
    waits, rows = _waiting(walked), []
    for word in score.otherwise:
        chance = score.outcomes[word]
        rows.append(
            {
                "date": score.date,
                "word": word,
                "side": "missing" if accepted[word] else "extra",
                "p": round(chance if accepted[word] else 1 - chance, 4),
                "surprise": round(-math.log2(chance), 1),
                "witnesses": witnesses.get(word, max(witnesses.values(), default=0)),
                "before": _before(facts, walked, word, score.date, bases.get(word, "in no list")),
                "waits": waits.get((score.date, word), ""),
            }
        )
    return sorted(rows, key=lambda row: (-row["surprise"], row["word"]))


def _before(facts: Facts, walked: Walked, word: str, date: str, basis: str) -> str:
    """Describe what was known about a word before a day: its record, else the reasons for its estimate."""
    rows = frames.rows(facts.base.record[facts.base.record["word"] == word])
    offered, accepted = (rows[0]["offered"], rows[0]["accepted"]) if rows else (0, 0)
    trials = facts.trials[(facts.trials["word"] == word) & (facts.trials["date"] < date)]
    between = walked.evidence.covered - facts.base.covered - {day for day, at in _waiting(walked) if at == word}
    trials = trials[trials["date"].isin(between)]
    offered, accepted = offered + len(trials), accepted + int(trials["accepted"].sum())
    return f"accepted {accepted} of {offered} times" if offered else f"never tried: {basis}"


def _moved(tables: Mapping[str, Any], known: Evidence) -> pd.DataFrame:
    """Compare the list made from an earlier record with the current list."""
    lexicon = tables["lexicon"]
    estimates = forecast.estimated(lexicon, tables["offensive"], known.record)
    judged = (tables["candidates"], known.record, estimates, tables["flags"], tables["verdicts"], lexicon)
    lists = [set(each["word"][each["tier"].isin(LISTED)]) for each in (decide.decide(*judged), tables["decisions"])]
    because = dict(zip(tables["decisions"]["word"], tables["decisions"]["because"], strict=True))
    rows = [
        (word, "added" if word in lists[1] else "removed", because.get(word, "no list knows it any more"))
        for word in sorted(lists[0] ^ lists[1])
    ]
    return pd.DataFrame(rows, columns=["word", "change", "because"])


def relatives(words: Collection[str], lexicon: pd.DataFrame, links: pd.DataFrame, record: pd.DataFrame) -> pd.Series:
    """Return the tried relatives of words with how often each was accepted, by word: `luffs 3/4, luffed 0/1`.

    `links` are from `opinions.relatives`, by row number of the lexicon. A word without tried relatives has "".
    """
    names = lexicon["word"].to_numpy()
    pairs = pd.DataFrame({"word": names[links["form"]], "other": names[links["base"]]})
    both = pd.concat([pairs, pairs.rename(columns={"word": "other", "other": "word"})])
    both = both[both["word"].isin(set(words))].drop_duplicates().merge(record, left_on="other", right_on="word")
    both = both.sort_values(["word_x", "other"])
    told = both["other"] + " " + both["accepted"].astype(str) + "/" + both["offered"].astype(str)
    said = dict(told.groupby(both["word_x"]).agg(", ".join)) if len(told) else {}
    return pd.Series({word: said.get(word, "") for word in words}, dtype="str")
