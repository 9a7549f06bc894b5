"""The catalog of violations: conditions that must not occur.

An `error` stops a publish; a `warning` is listed for a person. Rules of scope `capture` are about files that were read
on this machine. Rules of scope `release` depend only on files in the repository, so every clone gives the same result.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule of the catalog: a condition that must not occur."""

    id: str
    severity: str
    scope: str
    sentence: str


_RULES = {
    "capture": """
unknown-format       warning A file has none of the known formats.
too-large            warning A compressed file unpacks to more than the allowed size.
cut-short            warning A file ends in the middle; the part before is used.
broken-line          warning A line or an object lacks a part of its format.
bad-date             warning A date is not a valid date, or is before the first puzzle.
date-twice           warning One file has two different puzzles for a date.
bad-letters          warning A puzzle does not have seven different letters.
center-outside       warning The center is not one of the seven letters.
no-answers           warning A puzzle has no answers.
bad-word             warning An answer is not a word of four or more letters a to z.
unspellable          warning An answer needs a letter that the puzzle lacks, or lacks the center.
twice                warning An answer is listed twice for one puzzle.
no-pangram           warning No answer uses all seven letters.
count-mismatch       warning The totals printed with a puzzle do not match its answers.
genius-mismatch      warning The printed Genius score does not match the answers.
layout-drift         warning A page of a known site lacks a part that it always had, so its list may be misread; the
                             page is not used.
other-day            warning A page contradicts itself about its date.
center-unknown       warning A page does not name the center, and its answers do not determine it; it is not guessed.
refused-impossible   warning A page lists a word as refused that it accepts, or that its letters cannot spell.
refused-and-accepted warning One source lists a word as refused on a day on which another source lists it as accepted.
day-missing          warning A day between the first and the last is in no capture and not in the record.
source-conflict      warning Two sources differ on a day; the more trusted one is used.
too-many             warning A day has more answers than any puzzle can have.
unreadable           warning A file or folder to import could not be read and was skipped.
day-held             warning A day is very surprising, or sources differ widely; it counts once a second witness or a
                             person confirms it.
word-waits           warning A word of a day does not count yet: sources differ on it, or a single source reports a
                             very unlikely outcome.
correction-stale     error   A correction expects a day that its source no longer has; check the day, and fix or
                             remove the correction.
correction-met       warning A source itself says now what a correction says of it; the correction can go.
admission-stale      error   A day is held although a line admits it: its letters or its number of answers differ.
capture-changed      error   A capture is missing, or does not match the checksum of its receipt.
receipt-missing      error   A capture has no receipt, so its days do not count.
answer-lost          error   An official answer is missing from the trials. This is an error of the program.
list-lacks-pangram   warning The list has no pangram for an official puzzle.
""",
    "release": """
drift                warning The days of a source have had more unexpected words than chance explains, for some time.
                             Look whether the source is still right.
model-outdated       warning The estimates were learned from other word lists or another record; `bee fit` learns anew.
lexicon-changed      error   A file of the lexicon does not match its checksum.
own-list             warning The release is made with a list of the user; do not publish it if the license of that
                             list forbids it.
evidence-impossible  error   A word's record contradicts itself.
not-playable         error   A listed word breaks a rule of the game.
no-because           error   A decision has no reason.
refused-listed       error   A listed word was refused at its last trial, and no person kept it.
accepted-unlisted    error   A word was accepted at its last trial, is not listed, and no person dropped it.
unvouched            warning A single source reports a slur, or a word that is in no list, as accepted.
verdict-broken       error   A verdict is neither keep nor drop, or has a wrong cell, or no reason, name or date.
grade-broken         error   A grade is not in words.GRADES, or has a wrong cell, or a reason without a name.
admission-broken     error   An admission has a wrong cell, or no reason or name. It admits no day.
correction-broken    error   A correction has a wrong cell, or no reason or name, or the corrected day cannot be an
                             official puzzle.
word-unknown         error   A verdict or grade is on a word that no list, puzzle or record knows, and its reason does
                             not end with "(in no list)".
family-split         warning A form is listed and its base is not, or the everyday form of a listed word is not, and
                             neither the record nor a person says so.
gloss-broken         error   A definition has a wrong cell, or more than 12 words, or is an unknown form.
grade-missing       warning A relative of a word is graded as offensive, and the word itself has no grade, not even
                             `none`.
verdict-stale        warning The official trials of a word alone give the same decision as its verdict.
""",
}
"""The rules of each scope: id, severity, and a sentence, which goes on in lines that start with blanks."""


def _rules(scope: str, text: str) -> list[Violation]:
    lines = re.sub("\n +", " ", text).strip().splitlines()
    return [Violation(id, severity, scope, says) for id, severity, says in (line.split(maxsplit=2) for line in lines)]


CATALOG: tuple[Violation, ...] = tuple(rule for scope, text in _RULES.items() for rule in _rules(scope, text))
VIOLATIONS = {violation.id: violation for violation in CATALOG}


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation that was found: the id of its rule, its subject, and the details."""

    rule: str
    subject: str
    detail: str
