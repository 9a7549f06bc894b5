"""Check: find violations, which are things that must never be, by the rules of the catalogue.

`error` stops a publish, `warning` is listed for a person. Rules of scope `capture` speak of what was read on this
machine; rules of scope `release` depend only on what the repository holds, so they travel with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from pipeline import frames
from pipeline.decide import LISTED
from pipeline.flag import OFFENSIVE
from pipeline.rules import CATALOGUE, RULES, Rule
from pipeline.words import pangram, rule_broken

__all__ = ["CATALOGUE", "RULES", "Rule", "check_captures", "check_release", "found", "join", "table"]

GRADES = (*OFFENSIVE, "none")

Finding = tuple[str, str, str]
"""Rule id, subject, detail."""


def check_captures(
    faults: pd.DataFrame,
    conflicts: pd.DataFrame,
    puzzles: pd.DataFrame,
    answers: pd.DataFrame,
    trials: pd.DataFrame,
    decisions: pd.DataFrame,
) -> pd.DataFrame:
    """Find violations of scope capture; `faults` (rule, subject, detail) are those met while reading."""

    def findings() -> Iterator[Finding]:
        for row in frames.rows(faults):
            yield row["rule"], row["subject"], row["detail"]
        for row in frames.rows(conflicts):
            yield "source-conflict", f"{row['date']} {row['subject']}", row["detail"]
        tried = set(zip(trials["date"], trials["word"], strict=True))
        for date, word in zip(answers["date"], answers["word"], strict=True):
            if (date, word) not in tried:
                yield "answer-lost", f"{date} {word}", "no trial for this answer"
        listed = set(decisions["word"][decisions["tier"].isin(LISTED)])
        possible = trials[trials["word"].isin(listed) & trials["word"].map(pangram).astype(bool)]
        for date in sorted(set(puzzles["date"]) - set(possible["date"])):
            yield "list-lacks-pangram", date, "no listed word uses all seven letters"

    return table(findings())


def check_release(
    evidence: pd.DataFrame,
    decisions: pd.DataFrame,
    verdicts: pd.DataFrame,
    grades: pd.DataFrame,
    undecided: pd.DataFrame,
) -> pd.DataFrame:
    """Find violations of scope release; `undecided` are the decisions as they would be without any verdict."""

    def findings() -> Iterator[Finding]:
        yield from _of_evidence(evidence)
        yield from _of_decisions(evidence, decisions)
        yield from _of_verdicts(verdicts, undecided)
        for row in frames.rows(grades[~grades["grade"].isin(GRADES)]):
            yield "grade-broken", row["word"], f"grade {row['grade']!r}"

    return table(findings())


def _of_evidence(evidence: pd.DataFrame) -> Iterator[Finding]:
    frame = evidence.assign(refused=evidence["offered"] - evidence["accepted"])
    for row in frames.rows(frame[_suspicious(frame)]):
        accepted, refused = row["accepted"], row["refused"]
        if accepted < 0 or refused < 0 or row["offered"] <= 0:
            yield "evidence-impossible", row["word"], f"accepted {accepted} of {row['offered']} times"
        elif bool(accepted) != bool(row["last_accepted"]) or bool(refused) != bool(row["last_rejected"]):
            yield "evidence-impossible", row["word"], "its counts and its dates contradict each other"
        else:
            yield "evidence-impossible", row["word"], "first accepted after it was last accepted"


def _suspicious(frame: pd.DataFrame) -> pd.Series:
    counts = (frame["accepted"] < 0) | (frame["refused"] < 0) | (frame["offered"] <= 0)
    accepted = (frame["accepted"] > 0) != (frame["last_accepted"] != "")
    refused = (frame["refused"] > 0) != (frame["last_rejected"] != "")
    return counts | accepted | refused | (frame["first_accepted"] > frame["last_accepted"])


def _of_decisions(evidence: pd.DataFrame, decisions: pd.DataFrame) -> Iterator[Finding]:
    for row in frames.rows(decisions[decisions["because"].str.strip() == ""]):
        yield "no-because", row["word"], f"tier {row['tier']}, by {row['by']}"
    for word in decisions["word"][decisions["tier"].isin(LISTED)]:
        if broken := rule_broken(word):
            yield "not-playable", word, broken
    tried = decisions[decisions["by"] != "verdict"].merge(evidence, on="word")
    tried["said"] = tried["last_accepted"] > tried["last_rejected"]
    for row in frames.rows(tried[tried["said"] != tried["tier"].isin(LISTED)]):
        word, because, accepted = row["word"], row["because"], row["said"]
        if not accepted:
            yield "refused-listed", word, because
        elif row["tier"] == "review":
            yield "unvouched", word, because
        else:
            yield "accepted-unlisted", word, because


def _of_verdicts(verdicts: pd.DataFrame, undecided: pd.DataFrame) -> Iterator[Finding]:
    tiers = undecided.set_index("word")["tier"].to_dict()
    for row in frames.rows(verdicts):
        word = row["word"]
        if row["verdict"] not in ("keep", "drop") or not all(row[name].strip() for name in ("reason", "by", "on")):
            said = ", ".join(f"{name} {row[name]!r}" for name in ("verdict", "reason", "by", "on"))
            yield "verdict-broken", word, said
        elif word not in tiers:
            yield "verdict-stale", word, "no list and no puzzle knows this word"
        elif (tiers[word] in LISTED) == (row["verdict"] == "keep"):
            yield "verdict-stale", word, f"it would be {tiers[word]} without the verdict"


def table(findings: Iterable[Finding]) -> pd.DataFrame:
    """Make violations from findings, each once."""
    rows = [
        {"rule": rule, "subject": subject, "severity": RULES[rule].severity, "detail": detail}
        for rule, subject, detail in dict.fromkeys(findings)
    ]
    return frames.table(rows, "violations")


def found(rule: str, findings: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """Make violations of one rule from (subject, detail) pairs."""
    return table((rule, subject, detail) for subject, detail in findings)


def join(*tables: pd.DataFrame) -> pd.DataFrame:
    """Put tables of violations together."""
    return frames.table((row for table in tables for row in frames.rows(table)), "violations")
