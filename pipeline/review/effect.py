"""Effect: what a verdict would change, computed in memory: the words of the list, and how many more days are exact."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

import pandas as pd

from pipeline.errors import BeeError
from pipeline.facts import decision_files
from pipeline.facts.evidence import Evidence
from pipeline.opinions import families, reasons
from pipeline.opinions.why import row_of
from pipeline.review import queue as queueing
from pipeline.run.stages import BY_NAME
from pipeline.tables import columns, frames
from pipeline.words import LIKELY, LISTED, Reason, count, rule_broken

_DECIDE = BY_NAME["decisions"]
READS = (*_DECIDE.reads, "puzzles", "answers")
"""The tables that `effect` needs, by their names in the registry."""
SHOWN = 10
"""The maximum number of words that a sentence names."""


def ready(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Add to the tables of `READS` what is the same for every word, so that each of many effects takes less time."""
    before = _DECIDE.work(**_DECIDE.arguments(tables))["decisions"]
    return {**tables, "before": before, "told": reasons.as_decided(tables["estimates"], before)}


def effect(word: str, verdict: str, tables: Mapping[str, Any], only: bool = True) -> dict[str, Any]:
    """Return what a verdict on a word would change; nothing is written. `tables` are those of `READS` or of `ready`.

    Unless it is `only` on the word, the verdict is on its `families.undecided`, too.

    Keys: word, verdict; tier (unknown for a word in no list) and because, now; tier_after; `decided`, its verdict so
    far; added and removed, words of the list; record; `trials`, each puzzle on disk that made it
    possible, oldest first, + if it accepted the word; `year`, the same for the last year; p; `puzzles` a year
    that make it possible; `days` a year that a correct decision makes exactly right; `says`, all that in sentences.
    """
    if rule := rule_broken(word):
        raise BeeError(f'"{word}" cannot be a word of a puzzle: {rule}.')
    tables = tables if "before" in tables else ready(tables)
    given, before, estimates = tables["verdicts"], tables["before"], tables["told"]
    words = [word, *([] if only else families.undecided(word, tables["word_forms"], before))]
    new = frames.from_rows(
        [{"word": each, "verdict": verdict, "reason": "", "by": "", "on": ""} for each in words], "verdicts"
    )
    verdicts = pd.concat([given[~given["word"].isin(words)], new], ignore_index=True)
    after = _DECIDE.work(**_DECIDE.arguments({**tables, "verdicts": verdicts}))["decisions"]
    old, now = ({*each["word"][each["tier"].isin(LISTED)].tolist()} for each in (before, after))
    rated = _rated([word, *sorted((old ^ now) - {word})], before, estimates, tables["evidence"])
    trials = _trials(word, tables)
    found = {
        **{"word": word, "verdict": verdict},
        **_current_state(word, before),
        "tier_after": row_of(after, word)["tier"],
        "decided": row_of(given, word),
        "added": sorted(now - old),
        "removed": sorted(old - now),
        "record": row_of(tables["evidence"].record, word),
        "trials": "".join("+" if accepted else "-" for _, accepted in trials),
        "year": _year(trials, tables),
        "p": row_of(estimates, word).get("p"),
        "puzzles": round(365 * float(rated["chance"].iloc[0]), 3),
        "days": round(365 * float(rated["gain"].sum()), 3) if old != now else 0.0,
    }
    return {**found, "says": list(_sentences(found))}


def _current_state(word: str, decisions: pd.DataFrame) -> dict[str, str]:
    """Return the tier of a word and the sentence of its reason."""
    decision = row_of(decisions, word)
    if not decision:
        return {"tier": "unknown", "because": "no list that we use has it as a common word"}
    return {"tier": decision["tier"], "because": Reason.decode(decision["kind"], decision["details"]).sentence}


def _rated(words: list[str], before: pd.DataFrame, estimates: pd.DataFrame, evidence: Evidence) -> pd.DataFrame:
    """Return the chance and the gain of words as the queue of `bee review` has them."""
    frame, known = pd.DataFrame({"word": words}, dtype="str"), before.set_index("word")
    frame = frame.assign(**{name: columns.look_up(frame["word"], known[name], "") for name in ("tier", "by")})
    return queueing.gains(queueing.doubts(frame, estimates), evidence.record, evidence.covered)


def _trials(word: str, tables: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return the dates of the puzzles on disk that made a word possible, and whether each accepted it."""
    puzzles, answers = tables["puzzles"], tables["answers"]
    letters = set(word)
    sets = zip(puzzles["date"].tolist(), puzzles["center"].tolist(), puzzles["outer"].tolist(), strict=True)
    possible = sorted(date for date, center, outer in sets if center in letters and letters <= {center, *outer})
    yes = {*answers["date"][answers["word"] == word]}
    return [(date, date in yes) for date in possible]


def _year(trials: list[tuple[str, bool]], tables: Mapping[str, Any]) -> dict[str, int]:
    """Count the puzzles of the last covered year that are on disk, and the trials of a word among them."""
    dates = tables["puzzles"]["date"]
    last = max([*tables["evidence"].covered, *dates], default="2000-01-01")
    first = (datetime.date.fromisoformat(last) - datetime.timedelta(days=364)).isoformat()
    recent = [accepted for date, accepted in trials if first <= date <= last]
    counts = {"possible": len(recent), "accepted": sum(recent), "refused": len(recent) - sum(recent)}
    return {"puzzles": int(dates.between(first, last).sum()), **counts}


def _sentences(found: Mapping[str, Any]) -> Any:
    """Write the sentences about an effect."""
    word, tiers, p, year = found["word"], (found["tier"], found["tier_after"]), found["p"], found["year"]
    if row := found["decided"]:
        told = decision_files.describe(row).rstrip(".")
        yield f"A person decided on it already: {told}. `bee undo {word} --kind verdict` takes that back."
    for side, what in (("added", "gain"), ("removed", "lose")):
        if words := found[side]:
            more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
            yield f"The list would {what} {count(len(words), 'word')}: {', '.join(words[:SHOWN])}{more}."
    if not (found["added"] or found["removed"]):
        place = "on" if found["tier"] in LISTED else "not on"
        why = f" ({found['because'].rstrip('.')})" if not found["decided"] else ""
        yield f"The list would stay as it is: {word} is {place} it already{why}."
        if tiers[0] != tiers[1] and tiers != ("unknown", "refused"):
            yield f"Only its tier would change, from {tiers[0]} to {tiers[1]}."
    if record := found["record"]:
        last = f", last on {record['last_accepted']}" if record["accepted"] else ""
        yield f"Puzzles accepted it {record['accepted']} of {record['offered']} times{last}."
    if year["puzzles"]:
        counts = f"{year['accepted']} accepted it, {year['refused']} refused it"
        on_disk = f"In the {year['puzzles']} puzzles of the last year on disk, it was possible"
        yield f"{on_disk} {count(year['possible'], 'time')}: {counts}." if year["possible"] else f"{on_disk} in none."
    yield f"We expect its letters in {queueing.often(found['puzzles'] / 365, 'puzzle')}."
    if p is None:
        yield "We have no estimate of whether it would be accepted, because our word lists do not have it."
        return
    chance = f"{p:.0%}" if 0.01 <= p <= 0.99 else "less than 1%" if p < 0.01 else "more than 99%"
    yield f"We think that a puzzle would accept it with a probability of {chance}."
    if found["added"] or found["removed"]:
        yield f"Deciding correctly would make {queueing.often(found['days'] / 365, 'more day')} exactly right."
        if (p >= LIKELY) != (tiers[1] in LISTED):
            yield "This verdict is against that estimate, so its reason must be a good one."
