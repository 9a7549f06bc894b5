"""Finds violations: what a person should look at before or after a release, each by a rule of the catalog.

An `error` stops a publish; a `warning` is for a person to review. Rules of scope `capture` are about files that were
read on this computer. Rules of scope `release` depend only on files in the repository, so every clone gives the same
result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from pipeline.facts import by_hand
from pipeline.facts.by_hand import NO_SOURCE
from pipeline.facts.coverage import Coverage, checksum_of_words, first_open, gaps
from pipeline.facts.lexicon_files import changed_files, digest
from pipeline.facts.own_lists import OwnLists
from pipeline.opinions import decide
from pipeline.opinions.model import Model, outdated
from pipeline.tables import columns, frames
from pipeline.words import LISTED

Subjects = Iterator[tuple[str, str]]
"""The subject and the details of each violation of a rule."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the catalog: id, severity (`error` or `warning`), scope, and a sentence that describes it."""

    id: str
    severity: str
    scope: str
    sentence: str


CATALOG = (
    Rule(
        "day-missing",
        "warning",
        "capture",
        "A day between the first and the last known day is in no capture and not in the record.",
    ),
    Rule(
        "day-waits",
        "warning",
        "capture",
        "A day does not count yet: its lists differ, or one site alone has it and it differs from the list.",
    ),
    Rule("list-lacks-pangram", "warning", "capture", "The list has no pangram for an official puzzle."),
    Rule(
        "sites-differ",
        "warning",
        "release",
        "A second site came later and differs from what was counted; a verdict on the word settles it.",
    ),
    Rule(
        "record-incomplete",
        "warning",
        "release",
        "The word lists have changed since all days were counted, so new words have no trials on days before that.",
    ),
    Rule(
        "model-outdated",
        "warning",
        "release",
        "The estimates were fitted with other word lists or another record; `bee flag --fit` fits them again.",
    ),
    Rule("lexicon-changed", "error", "release", "A file of the lexicon does not match its checksum."),
    Rule(
        "own-list",
        "warning",
        "release",
        "The release is made with one of your own lists; do not publish it if the license of that list forbids it.",
    ),
    Rule(
        "verdict-ended",
        "warning",
        "release",
        "A verdict decides nothing any more, because a puzzle tried the word after it. Nobody has to act.",
    ),
)
"""All rules, in the order of the code."""
RULES = {rule.id: rule for rule in CATALOG}


def check(
    coverage: Coverage,
    day_lists: pd.DataFrame,
    named_days: pd.DataFrame,
    waits: pd.DataFrame,
    track: pd.DataFrame,
    record: pd.DataFrame,
    puzzles: pd.DataFrame,
    trials: pd.DataFrame,
    candidates: pd.DataFrame,
    decisions: pd.DataFrame,
    verdicts: pd.DataFrame,
    model: Model,
    lexicon_files: Mapping[str, bytes],
    own: OwnLists,
) -> pd.DataFrame:
    """Return the table `violations`, from the tables of these names, the weights, the files of the lexicon and the
    user's own lists."""
    found: dict[str, Subjects] = {
        "day-missing": missing_days(coverage, day_lists, named_days),
        "day-waits": waiting_days(waits),
        "list-lacks-pangram": puzzles_without_pangram(puzzles, trials, decisions),
        "sites-differ": differing_sites(track, coverage, record, verdicts),
        "record-incomplete": incomplete_record(candidates, coverage),
        "model-outdated": outdated_model(model, coverage, lexicon_files, own),
        "lexicon-changed": changed_files(lexicon_files),
        "own-list": lists_of_the_user(own),
        "verdict-ended": ended_verdicts(verdicts, record),
    }
    return violations(found)


def violations(found: Mapping[str, Iterable[tuple[str, str]]]) -> pd.DataFrame:
    """Return the table `violations`, from the subjects and details that were found for each rule."""
    rows = [
        {"rule": rule, "subject": subject, "severity": RULES[rule].severity, "detail": detail}
        for rule, subjects in found.items()
        for subject, detail in dict.fromkeys(subjects)
    ]
    return frames.from_rows(rows, "violations")


# ---------------------------------------------------------------- days and captures


def missing_days(coverage: Coverage, day_lists: pd.DataFrame, named_days: pd.DataFrame) -> Subjects:
    """Find the days between known days that are not known."""
    for date in missing_dates(coverage, day_lists, named_days):
        yield date, "no capture has this day, and the record does not cover it; `bee fetch` requests it"


def missing_dates(coverage: Coverage, day_lists: pd.DataFrame, named_days: pd.DataFrame, until: str = "") -> list[str]:
    """Return the dates between known days (or up to `until`, if that is later) that the record does not cover and that
    are not on disk, without those that no source has, as a person decided."""
    without_source = named_days["date"][named_days["source"] == NO_SOURCE]
    return sorted(set(gaps({*coverage.dates, *day_lists["date"]}, until)).difference(without_source))


def differing_sites(track: pd.DataFrame, coverage: Coverage, record: pd.DataFrame, verdicts: pd.DataFrame) -> Subjects:
    """Find the differences that the track record of the last days has. A word that was tried again is left out, because
    the last trial decides, and so is one with a verdict that holds."""
    decided = set(decide.that_hold(verdicts, record)["word"])
    for row in frames.rows(track[(track["date"] >= first_open(coverage.dates)) & (track["differs"] != "")]):
        date, words = row["date"], row["differs"].split()
        if words[0].startswith("letters:"):
            letters = words[0].removeprefix("letters:")
            yield f"{date} letters", f"a second site has {letters}; if it is right, decide about the words"
            continue
        records = record[columns.is_in(record["word"], words)].set_index("word")
        for word in sorted(set(words) - decided):
            last = records.loc[word, ["last_accepted", "last_refused"]].max() if word in records.index else ""
            if last > date:
                continue
            if word in records.index and last < date:
                yield f"{date} {word}", "the sites differ on it, and it has no trial on that day"
            elif last == date == records.loc[word, "last_accepted"]:
                drop = f'`bee drop {word} --reason "another site lacks it"`'
                yield f"{date} {word}", f"it was counted as accepted, but a second site lacks it; if it should: {drop}"
            else:
                keep = f'`bee keep {word} --reason "another site has it"`'
                yield f"{date} {word}", f"a second site has it, but it was not counted as accepted; if so: {keep}"


def waiting_days(waits: pd.DataFrame) -> Subjects:
    """Find the days that wait."""
    for row in frames.rows(waits):
        yield row["date"], row["because"]


def puzzles_without_pangram(puzzles: pd.DataFrame, trials: pd.DataFrame, decisions: pd.DataFrame) -> Subjects:
    """Find the official puzzles for which no listed word uses all letters."""
    listed = _listed_words(decisions)
    pangrams = listed[columns.is_pangram(listed)]
    dates_with_pangram = set(trials["date"][columns.is_in(trials["word"], pangrams)])
    for date in sorted(set(puzzles["date"]) - dates_with_pangram):
        yield date, "no listed word uses all seven letters"


# ---------------------------------------------------------------- the record and what it was made with


def outdated_model(model: Model, coverage: Coverage, lexicon_files: Mapping[str, bytes], own: OwnLists) -> Subjects:
    """Find out whether the model was fitted with other word lists or another record."""
    explanation = outdated(model, len(coverage.dates), digest(lexicon_files, own))
    if explanation:
        yield "model.csv", explanation


def lists_of_the_user(own: OwnLists) -> Subjects:
    """Find the user's own lists."""
    for path in own:
        yield path, "the release is made with its words, so publish it only if you are allowed to"


def incomplete_record(candidates: pd.DataFrame, coverage: Coverage) -> Subjects:
    """Find out whether the record was counted for the words that the word lists have now."""
    if coverage.dates and coverage.candidates_checksum != checksum_of_words(
        candidates["word"][candidates["common"]].tolist()
    ):
        yield (
            "the record",
            "it was counted with other word lists; with all days on disk, `bee run --rebuild` counts them again",
        )


# ---------------------------------------------------------------- what people wrote


def ended_verdicts(verdicts: pd.DataFrame, record: pd.DataFrame) -> Subjects:
    """Find the verdicts that do not hold any more."""
    ended = verdicts[~columns.is_in(verdicts["word"], decide.that_hold(verdicts, record)["word"])]
    last_trial = record.set_index("word")[["last_accepted", "last_refused"]].max(axis=1)
    for word in ended["word"]:
        undo = by_hand.undo_command("verdicts", word)
        yield word, f"the puzzle of {last_trial[word]} decided; {undo} removes the verdict"


def _listed_words(decisions: pd.DataFrame) -> pd.Series:
    return decisions["word"][columns.is_in(decisions["tier"], LISTED)]
