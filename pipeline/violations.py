"""The catalog of violations: conditions that must not occur.

An `error` stops a publish; a `warning` is listed for a person. Rules of scope `capture` are about files that were read
on this machine. Rules of scope `release` depend only on files in the repository, so every clone gives the same result.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule of the catalog: a condition that must not occur."""

    id: str
    severity: str
    scope: str
    sentence: str


CATALOGUE: tuple[Violation, ...] = (
    Violation("unknown-format", "warning", "capture", "A file has none of the known formats."),
    Violation("too-large", "warning", "capture", "A compressed file unpacks to more than the allowed size."),
    Violation("cut-short", "warning", "capture", "A file ends in the middle; the part before is used."),
    Violation("broken-line", "warning", "capture", "A line or an object lacks a part of its format."),
    Violation("bad-date", "warning", "capture", "A date is not a valid date, or is before the first puzzle."),
    Violation("date-twice", "warning", "capture", "One file has two different puzzles for a date."),
    Violation("bad-letters", "warning", "capture", "A puzzle does not have seven different letters."),
    Violation("center-outside", "warning", "capture", "The center is not one of the seven letters."),
    Violation("no-answers", "warning", "capture", "A puzzle has no answers."),
    Violation("bad-word", "warning", "capture", "An answer is not a word of four or more letters a to z."),
    Violation(
        "unspellable", "warning", "capture", "An answer needs a letter that the puzzle lacks, or lacks the center."
    ),
    Violation("twice", "warning", "capture", "An answer is listed twice for one puzzle."),
    Violation("no-pangram", "warning", "capture", "No answer uses all seven letters."),
    Violation("count-mismatch", "warning", "capture", "The totals printed with a puzzle do not match its answers."),
    Violation("genius-mismatch", "warning", "capture", "The printed Genius score does not match the answers."),
    Violation(
        "layout-drift",
        "warning",
        "capture",
        "A page of a known site lacks a part that it always had, so its list may be misread; the page is not used.",
    ),
    Violation("other-day", "warning", "capture", "A page contradicts itself about its date."),
    Violation(
        "center-unknown",
        "warning",
        "capture",
        "A page does not name the center, and its answers do not determine it; it is not guessed.",
    ),
    Violation(
        "refused-impossible",
        "warning",
        "capture",
        "A page lists a word as refused that it accepts, or that its letters cannot spell.",
    ),
    Violation(
        "refused-and-accepted",
        "warning",
        "capture",
        "One source lists a word as refused on a day on which another source lists it as accepted.",
    ),
    Violation(
        "day-missing",
        "warning",
        "capture",
        "A day between the first and the last is in no capture and not in the evidence.",
    ),
    Violation("source-conflict", "warning", "capture", "Two sources differ on a day; the more trusted one is used."),
    Violation("too-many", "warning", "capture", "A day has more answers than any puzzle can have."),
    Violation("unreadable", "warning", "capture", "A file or folder to import could not be read and was skipped."),
    Violation(
        "day-held",
        "warning",
        "capture",
        "A day is very surprising, or sources differ widely; it counts once a second witness or a person confirms it.",
    ),
    Violation(
        "word-waits",
        "warning",
        "capture",
        "A word of a day does not count yet: sources differ on it, or a single source reports a very unlikely outcome.",
    ),
    Violation(
        "drift",
        "warning",
        "release",
        "The days of a source are more surprising than the forecast allows, for longer than chance explains.",
    ),
    Violation(
        "correction-stale",
        "error",
        "capture",
        "A correction expects a day that its source no longer has; check the day, and fix or remove the correction.",
    ),
    Violation(
        "correction-broken",
        "error",
        "capture",
        "A correction has a wrong cell, or no reason or name, or the corrected day cannot be an official puzzle.",
    ),
    Violation(
        "capture-changed", "error", "capture", "A capture is missing, or does not match the checksum of its receipt."
    ),
    Violation("answer-lost", "error", "capture", "An official answer has no trial, so a join lost it."),
    Violation("list-lacks-pangram", "warning", "capture", "The list has no pangram for an official puzzle."),
    Violation(
        "model-outdated", "warning", "release", "The weights of the estimates are of other lists or another record."
    ),
    Violation("lexicon-changed", "error", "release", "A file of the lexicon does not match its checksum."),
    Violation(
        "own-list",
        "warning",
        "release",
        "The release is made with a list of the user; do not publish it if the license of that list forbids it.",
    ),
    Violation("evidence-impossible", "error", "release", "A word's record contradicts itself."),
    Violation("not-playable", "error", "release", "A listed word breaks a rule of the game."),
    Violation("no-because", "error", "release", "A decision has no reason."),
    Violation(
        "refused-listed", "error", "release", "A listed word was refused at its last trial, and no person kept it."
    ),
    Violation(
        "accepted-unlisted",
        "error",
        "release",
        "A word was accepted at its last trial, is not listed, and no person dropped it.",
    ),
    Violation(
        "unvouched", "warning", "release", "A single source reports a slur, or a word that is in no list, as accepted."
    ),
    Violation(
        "verdict-broken", "error", "release", "A verdict is neither keep nor drop, or lacks its reason, by or on."
    ),
    Violation("grade-broken", "error", "release", "The grade of a word is not in words.GRADES."),
    Violation(
        "verdict-stale",
        "warning",
        "release",
        "The word of a verdict is not a candidate, or its official trials alone give the same decision.",
    ),
)
VIOLATIONS = {violation.id: violation for violation in CATALOGUE}


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation that was found: the id of its rule, its subject, and the details."""

    rule: str
    subject: str
    detail: str
