"""Finds violations. Each rule is next to the function that finds its violations.

The parameters of such a function are the names of the tables and files that it needs, as in the registry of `run`. It
yields the subject and the details of each violation. To add a rule, add one such function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pipeline.facts import by_hand, lists
from pipeline.facts.coverage import Coverage, checksum_of_words, missing
from pipeline.facts.own_lists import OwnLists
from pipeline.facts.settle import NO_SOURCE
from pipeline.facts.track import first_open
from pipeline.opinions import decide
from pipeline.opinions.model import Model, outdated
from pipeline.tables import columns, frames
from pipeline.violations import Finding, Rule
from pipeline.words import LISTED, REASONS, TIER_OF_VERDICT, rule_broken

Subjects = Iterator[tuple[str, str]]
"""The subject and the details of each violation of a rule."""


@dataclass(frozen=True, slots=True)
class Check:
    """A rule, and the function that finds its violations."""

    rule: Rule
    find: Callable[..., Subjects]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the tables and files that the function needs."""
        return tuple(inspect.signature(self.find).parameters)


CHECKS: list[Check] = []
"""Every check of this module, in the order of the code."""


def check_for(
    rule: str, severity: str, scope: str, sentence: str
) -> Callable[[Callable[..., Subjects]], Callable[..., Subjects]]:
    """Return a decorator that registers a function as the check for a rule."""

    def register(find: Callable[..., Subjects]) -> Callable[..., Subjects]:
        CHECKS.append(Check(Rule(rule, severity, scope, sentence), find))
        return find

    return register


# ---------------------------------------------------------------- days and captures


@check_for(
    "day-missing",
    "warning",
    "capture",
    "A day between the first and the last known day is in no capture and not in the record.",
)
def missing_days(coverage: Coverage, days: pd.DataFrame, day_decisions: pd.DataFrame) -> Subjects:
    """Find the days between known days that are not known."""
    for date in missing_dates(coverage, days, day_decisions):
        yield date, "no capture has this day, and the record does not cover it; `bee fetch` requests it"


def missing_dates(coverage: Coverage, days: pd.DataFrame, day_decisions: pd.DataFrame, until: str = "") -> list[str]:
    """Return the dates between known days (or up to `until`, if that is later) that the record does not cover and that
    are not on disk, without those that no source has, as a person decided."""
    without_source = day_decisions["date"][day_decisions["source"] == NO_SOURCE]
    return sorted(set(missing({*coverage.dates, *days["date"]}, until)).difference(without_source))


@check_for(
    "sites-differ",
    "warning",
    "release",
    "A second site came later and differs from what was counted; a verdict on the word settles it.",
)
def differing_sites(track: pd.DataFrame, coverage: Coverage, record: pd.DataFrame, verdicts: pd.DataFrame) -> Subjects:
    """Find the differences that the track record of the last days has. A word that was tried again is left out, because
    the last trial decides."""
    for row in frames.rows(track[(track["date"] >= first_open(coverage.dates)) & (track["differs"] != "")]):
        date, words = row["date"], row["differs"].split()
        if words[0].startswith("letters:"):
            letters = words[0].removeprefix("letters:")
            yield f"{date} letters", f"a second site has {letters}; if it is right, decide about the words"
            continue
        records = record[columns.is_in(record["word"], words)].set_index("word")
        for word in sorted(set(words) - set(verdicts["word"])):
            last = records.loc[word, ["last_accepted", "last_refused"]].max() if word in records.index else ""
            if last > date:
                continue
            if word in records.index and last < date:
                yield f"{date} {word}", "the sites differ on it, and it has no trial on that day"
            elif last == date == records.loc[word, "last_accepted"]:
                drop = f'`bee drop {word} --only --force --reason "another site lacks it"`'
                yield f"{date} {word}", f"it was counted as accepted, but a second site lacks it; if it should: {drop}"
            else:
                keep = f'`bee keep {word} --only --force --reason "another site has it"`'
                yield f"{date} {word}", f"a second site has it, but it was not counted as accepted; if so: {keep}"


@check_for(
    "day-waits",
    "warning",
    "capture",
    "A day does not count yet: its lists differ, or one site alone has it and it differs from the list.",
)
def waiting_days(waits: pd.DataFrame) -> Subjects:
    """Find the days that wait."""
    for row in frames.rows(waits):
        yield row["date"], row["because"]


@check_for(
    "answer-lost",
    "error",
    "capture",
    "An official answer is missing from the trials. This is a bug in the program.",
)
def lost_answers(trials: pd.DataFrame, answers: pd.DataFrame) -> Subjects:
    """Find the official answers without a trial that accepted them."""
    accepted = trials[trials["accepted"]]
    if len(accepted) == len(answers):
        return
    tried = set(zip(accepted["date"], accepted["word"], strict=True))
    for date, word in zip(answers["date"], answers["word"], strict=True):
        if (date, word) not in tried:
            yield f"{date} {word}", "there is no trial for this answer"


@check_for("list-lacks-pangram", "warning", "capture", "The list has no pangram for an official puzzle.")
def puzzles_without_pangram(puzzles: pd.DataFrame, trials: pd.DataFrame, decisions: pd.DataFrame) -> Subjects:
    """Find the official puzzles for which no listed word uses all letters."""
    listed = _listed_words(decisions)
    pangrams = listed[columns.is_pangram(listed)]
    dates_with_pangram = set(trials["date"][columns.is_in(trials["word"], pangrams)])
    for date in sorted(set(puzzles["date"]) - dates_with_pangram):
        yield date, "no listed word uses all seven letters"


# ---------------------------------------------------------------- the record and what it was made with


@check_for(
    "model-outdated",
    "warning",
    "release",
    "The estimates were fitted with other word lists or another record; `bee flag --fit` fits them again.",
)
def outdated_model(
    model: Model,
    coverage: Coverage,
    lexicon_files: Mapping[str, bytes],
    own_lists: OwnLists,
) -> Subjects:
    """Find out whether the model was fitted with other word lists or another record."""
    explanation = outdated(model, len(coverage.dates), lists.digest(lexicon_files, own_lists))
    if explanation:
        yield "model.csv", explanation


@check_for("lexicon-changed", "error", "release", "A file of the lexicon does not match its checksum.")
def changed_lexicon_files(lexicon_files: Mapping[str, bytes]) -> Subjects:
    """Find the files of the lexicon that do not match their checksums."""
    yield from lists.changed_files(lexicon_files)


@check_for(
    "own-list",
    "warning",
    "release",
    "The release is made with one of your own lists; do not publish it if the license of that list forbids it.",
)
def lists_of_the_user(own_lists: OwnLists) -> Subjects:
    """Find the user's own lists."""
    for path in own_lists:
        yield path, "the release is made with its words, so publish it only if you are allowed to"


@check_for(
    "record-incomplete",
    "warning",
    "release",
    "The word lists have changed since all days were counted, so new words have no trials on days before the change.",
)
def incomplete_record(candidates: pd.DataFrame, coverage: Coverage) -> Subjects:
    """Find out whether the record was counted for the words that the word lists have now."""
    if coverage.dates and coverage.candidates != checksum_of_words(candidates["word"][candidates["common"]].tolist()):
        yield (
            "record.csv",
            "it was counted with other word lists; with all days on disk, `bee merge --rebuild` counts them again",
        )


@check_for("record-impossible", "error", "release", "A word's record contradicts itself.")
def impossible_records(record: pd.DataFrame) -> Subjects:
    """Find the records whose counts and dates contradict each other."""
    accepted = record["accepted"]
    refused = record["offered"] - accepted
    impossible_counts = (accepted < 0) | (refused < 0) | (record["offered"] <= 0)
    accepted_is_dated = (accepted > 0) == (record["last_accepted"] != "")
    refused_is_dated = (refused > 0) == (record["last_refused"] != "")
    for row in frames.rows(record[impossible_counts]):
        yield row["word"], f"accepted {row['accepted']} of {row['offered']} times"
    for word in record["word"][~(accepted_is_dated & refused_is_dated)]:
        yield word, "its counts and its dates contradict each other"
    for word in record["word"][record["first_accepted"] > record["last_accepted"]]:
        yield word, "first accepted after it was last accepted"


# ---------------------------------------------------------------- decisions


@check_for("not-playable", "error", "release", "A listed word breaks a rule of the game.")
def unplayable_words(decisions: pd.DataFrame) -> Subjects:
    """Find the listed words that cannot be an answer of any puzzle."""
    listed = _listed_words(decisions)
    for word in listed[~columns.is_playable(listed)]:
        yield word, str(rule_broken(word))


@check_for("no-because", "error", "release", "A decision has no reason.")
def decisions_without_reason(decisions: pd.DataFrame) -> Subjects:
    """Find the decisions without a reason."""
    for row in frames.rows(decisions[~columns.is_in(decisions["kind"], REASONS)]):
        yield row["word"], f"tier {row['tier']}, by {row['by']}"


@check_for(
    "refused-listed",
    "error",
    "release",
    "A listed word was refused at its last trial, and no person kept it.",
)
def listed_refusals(record: pd.DataFrame, decisions: pd.DataFrame) -> Subjects:
    """Find the listed words that were refused at their last trial."""
    tried = _decided_by_record(record, decisions)
    yield from _words_and_reasons(tried[~tried["accepted_last"] & tried["tier"].isin(LISTED)])


@check_for(
    "accepted-unlisted",
    "error",
    "release",
    "A word was accepted at its last trial, is not listed, and no person dropped it.",
)
def unlisted_answers(record: pd.DataFrame, decisions: pd.DataFrame) -> Subjects:
    """Find the words that were accepted at their last trial and are not listed."""
    tried = _decided_by_record(record, decisions)
    yield from _words_and_reasons(tried[tried["accepted_last"] & ~tried["tier"].isin(LISTED)])


# ---------------------------------------------------------------- what people wrote


@check_for(
    "word-unknown",
    "warning",
    "release",
    "A verdict or grade is on a word that is in no list, puzzle or record, and its reason does "
    'not end with "(in no list)".',
)
def unknown_words(
    verdicts: pd.DataFrame,
    grades: pd.DataFrame,
    candidates: pd.DataFrame,
    words_and_bases: pd.DataFrame,
    record: pd.DataFrame,
) -> Subjects:
    """Find the verdicts and grades on words that are in no list, puzzle or record."""
    confirmed = verdicts["word"][verdicts["reason"].str.endswith(by_hand.IN_NO_LIST)]
    known = pd.concat([candidates["word"], words_and_bases["word"], record["word"], confirmed], ignore_index=True)
    for table, frame in (("verdicts", verdicts), ("grades", grades)):
        is_known = columns.is_in(frame["word"], known) | frame["reason"].str.endswith(by_hand.IN_NO_LIST)
        for word in frame["word"][~is_known]:
            place, undo = by_hand.PATHS[table], by_hand.undo_command(table, word)
            yield word, f"{place}: this word is in no list, puzzle or record; correct it, or remove it with {undo}"


@check_for(
    "verdict-stale",
    "warning",
    "release",
    "A verdict is not needed, because the official trials of the word alone give the same decision, or a puzzle after "
    "the verdict decided otherwise.",
)
def stale_verdicts(verdicts: pd.DataFrame, record: pd.DataFrame) -> Subjects:
    """Find the verdicts that are not needed, because the record of the word gives the same decision, and those that a
    later puzzle contradicts."""
    judged = record[columns.is_in(record["word"], verdicts["word"])]
    decided = decide.by_record(judged)
    tier_by_record = dict(zip(decided["word"], decided["tier"], strict=True))
    last_trials = judged[["last_accepted", "last_refused"]].max(axis=1)
    last_trial_of = dict(zip(judged["word"], last_trials, strict=True))
    for row in frames.rows(verdicts):
        word = row["word"]
        tier = tier_by_record.get(word, "")
        last_trial = last_trial_of.get(word, "")
        undo = by_hand.undo_command("verdicts", word)
        if tier and tier == TIER_OF_VERDICT.get(row["verdict"]):
            yield word, f"by its record it is {tier} without the verdict; {undo} removes the verdict"
        elif tier in ("core", "refused") and last_trial > row["on"]:
            outcome = "accepted" if tier == "core" else "refused"
            yield word, f"the puzzle of {last_trial} {outcome} it after the verdict; {undo} removes the verdict"


# ---------------------------------------------------------------- all rules together


CATALOG: tuple[Rule, ...] = tuple(check.rule for check in CHECKS)
"""All rules, in the order of the code."""
RULES = {rule.id: rule for rule in CATALOG}
INPUTS = tuple(dict.fromkeys(name for check in CHECKS for name in check.inputs))
"""The names of all tables and files that the checks need."""


def check(**tables: Any) -> pd.DataFrame:
    """Return all violations in the tables and files of `INPUTS`, which are given by name."""
    findings: list[Finding] = []
    for each in CHECKS:
        arguments = {name: tables[name] for name in each.inputs}
        findings += [Finding(each.rule.id, subject, detail) for subject, detail in each.find(**arguments)]
    return violations(findings)


def violations(findings: Iterable[Finding]) -> pd.DataFrame:
    """Return the table `violations` with these findings, without duplicates."""
    rows = [
        {
            "rule": finding.rule,
            "subject": finding.subject,
            "severity": RULES[finding.rule].severity,
            "detail": finding.detail,
        }
        for finding in dict.fromkeys(findings)
    ]
    return frames.from_rows(rows, "violations")


def _listed_words(decisions: pd.DataFrame) -> pd.Series:
    return decisions["word"][columns.is_in(decisions["tier"], LISTED)]


def _decided_by_record(record: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Return the decisions on tried words without a verdict, with the outcome of the last trial, `accepted_last`."""
    accepted_last = pd.Series((record["last_accepted"] > record["last_refused"]).to_numpy(), record["word"])
    by_record = columns.is_in(decisions["word"], record["word"]) & (decisions["by"] != "verdict")
    tried = decisions[by_record]
    return tried.assign(accepted_last=columns.look_up(tried["word"], accepted_last, False).astype(bool))


def _words_and_reasons(decisions: pd.DataFrame) -> Subjects:
    yield from zip(decisions["word"], decisions["because"], strict=True)
