"""Violations: conditions that must not occur, and the rules that name them.

An `error` stops a publish; a `warning` is for a person to review. Rules of scope `capture` are about files that were
read on this computer. Rules of scope `release` depend only on files in the repository, so every clone gives the same
result.

This module has the rules that are checked while captures are read and merged. `publishing/check.py` has all others,
each with the function that checks it, and the catalog of all rules.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the catalog: id, severity (`error` or `warning`), scope, and a sentence that describes it."""

    id: str
    severity: str
    scope: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation that was found: the id of its rule, its subject, and the details."""

    rule: str
    subject: str
    detail: str


def _warning(rule: str, sentence: str) -> Rule:
    return Rule(rule, "warning", "capture", sentence)


def _error(rule: str, sentence: str) -> Rule:
    return Rule(rule, "error", "capture", sentence)


READING_RULES: tuple[Rule, ...] = (
    _warning("unknown-format", "A file is not in any of the known formats."),
    _warning("too-large", "A compressed file unpacks to more than the allowed size."),
    _warning("cut-short", "A file is cut short; at most its complete part is used."),
    _warning("broken-line", "A line or an object lacks a required part, or has one twice."),
    _warning("bad-date", "A date is not a valid date, or is before the first puzzle."),
    _warning("date-twice", "One file has two different puzzles for a date."),
    _warning("bad-letters", "A puzzle does not have seven different letters."),
    _warning("center-outside", "The center is not one of the seven letters."),
    _warning("no-answers", "A puzzle has no answers."),
    _warning("bad-word", "An answer is not a word of four or more letters a to z."),
    _warning("unspellable", "An answer needs a letter that the puzzle lacks, or lacks the center."),
    _warning("twice", "An answer is listed twice for one puzzle."),
    _warning("no-pangram", "No answer uses all seven letters."),
    _warning("count-mismatch", "The totals printed with a puzzle do not match its answers."),
    _warning("genius-mismatch", "The printed Genius score does not match the answers."),
    _warning(
        "layout-drift",
        "A page of a known site lacks a part that its pages always had. Its list could be misread, so it is not used.",
    ),
    _warning("other-day", "A page contradicts itself about its date."),
    _warning(
        "center-unknown",
        "A page does not name the center, and its answers do not determine it. The program does not guess it.",
    ),
    _warning(
        "refused-impossible",
        "A page lists a word as refused although it also accepts the word, or its letters cannot spell the word.",
    ),
    _warning(
        "refused-and-accepted",
        "One source lists a word as refused on a day on which another source lists it as accepted.",
    ),
    _warning("too-many", "A day has more answers than any puzzle can have."),
    _warning("unreadable", "A file or folder to import could not be read and was skipped."),
    _error(
        "day-broken",
        "A decision about a day contradicts another one, or makes a day that cannot be an official puzzle.",
    ),
    _error(
        "day-stale",
        "The list of a decision about a day has other letters or another number of answers now, so the decision is not "
        "applied. Look at the day again, and remove the decision.",
    ),
)
"""The rules that are checked while captures are read and merged, and decisions are applied."""
READING_RULE_BY_ID = {rule.id: rule for rule in READING_RULES}
