"""The catalogue of violations: things that must never be.

`error` stops a publish, `warning` is listed for a person. Rules of scope `capture` speak of what was read on this
machine; rules of scope `release` depend only on what the repository holds, so they travel with it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the catalogue."""

    id: str
    severity: str
    scope: str
    name: str
    sentence: str


CATALOGUE: tuple[Rule, ...] = (
    Rule(
        "unknown-format", "warning", "capture", "unknown format", "A file is in none of the formats that can be read."
    ),
    Rule("too-large", "warning", "capture", "too large", "A compressed file unpacks to more than any archive holds."),
    Rule("cut-short", "warning", "capture", "cut short", "A file ends in the middle; what came before is used."),
    Rule("broken-line", "warning", "capture", "broken line", "A line or an object lacks a part of its format."),
    Rule("bad-date", "warning", "capture", "bad date", "A date is none, or is before the first puzzle."),
    Rule("date-twice", "warning", "capture", "date twice", "One file has two different puzzles for a date."),
    Rule("bad-letters", "warning", "capture", "bad letters", "A puzzle does not have seven different letters."),
    Rule("center-outside", "warning", "capture", "center outside", "The center is not one of the seven letters."),
    Rule("no-answers", "warning", "capture", "no answers", "A puzzle has no answers."),
    Rule("bad-word", "warning", "capture", "bad word", "An answer is no word of four or more letters a to z."),
    Rule(
        "unspellable",
        "warning",
        "capture",
        "unspellable",
        "An answer needs a letter that the puzzle lacks, or lacks the center.",
    ),
    Rule("twice", "warning", "capture", "listed twice", "An answer is listed twice for one puzzle."),
    Rule("no-pangram", "warning", "capture", "no pangram", "No answer uses all seven letters."),
    Rule(
        "count-mismatch",
        "warning",
        "capture",
        "count mismatch",
        "The totals printed beside a puzzle are not those of its answers.",
    ),
    Rule(
        "genius-mismatch",
        "warning",
        "capture",
        "Genius mismatch",
        "The printed Genius score is not that of the answers.",
    ),
    Rule(
        "layout-drift",
        "warning",
        "capture",
        "layout drift",
        "A page of a known site lacks a part that it always had; a program that reads on would read the wrong list.",
    ),
    Rule("other-day", "warning", "capture", "other day", "A page contradicts itself about its date."),
    Rule(
        "center-unknown",
        "warning",
        "capture",
        "center unknown",
        "A page does not name the center, and its answers leave more than one letter; none is guessed.",
    ),
    Rule(
        "refused-impossible",
        "warning",
        "capture",
        "impossible refusal",
        "A page lists a word as refused that it accepts, or that its letters cannot spell.",
    ),
    Rule(
        "refused-and-accepted",
        "warning",
        "capture",
        "refused and accepted",
        "One source lists a word as refused on a day when another one accepted it.",
    ),
    Rule(
        "day-missing",
        "warning",
        "capture",
        "day missing",
        "No capture and no evidence has a day between the first and the last.",
    ),
    Rule(
        "source-conflict",
        "warning",
        "capture",
        "sources differ",
        "Two sources differ on a day; the more trusted one is used.",
    ),
    Rule(
        "correction-stale",
        "warning",
        "capture",
        "correction is stale",
        "A correction names letters that its source no longer has.",
    ),
    Rule(
        "capture-changed",
        "error",
        "capture",
        "capture changed",
        "The bytes of a capture are not those of its receipt, or are gone.",
    ),
    Rule("answer-lost", "error", "capture", "answer lost", "An official answer has no trial, so a join lost it."),
    Rule(
        "list-lacks-pangram",
        "warning",
        "capture",
        "list lacks the pangram",
        "The list has no pangram for an official puzzle.",
    ),
    Rule(
        "lexicon-changed", "error", "release", "lexicon changed", "A file of the lexicon is not what its checksum says."
    ),
    Rule("evidence-impossible", "error", "release", "impossible record", "A word's record contradicts itself."),
    Rule("not-playable", "error", "release", "not playable", "A listed word breaks a rule of the game."),
    Rule("no-because", "error", "release", "no reason", "A decision does not say why."),
    Rule(
        "refused-listed",
        "error",
        "release",
        "refused but listed",
        "A listed word was refused at its last trial, and nobody kept it.",
    ),
    Rule(
        "accepted-unlisted",
        "error",
        "release",
        "accepted but not listed",
        "A word was accepted at its last trial, is not listed, and nobody dropped it.",
    ),
    Rule(
        "unvouched",
        "warning",
        "release",
        "waits for a witness",
        "One source alone accepted a word, once, and no list knows it.",
    ),
    Rule(
        "verdict-broken",
        "error",
        "release",
        "broken verdict",
        "A verdict is neither keep nor drop, or lacks its reason, by or on.",
    ),
    Rule("grade-broken", "error", "release", "broken grade", "A word's grade is not slur, vulgar, sensitive or none."),
    Rule(
        "verdict-stale",
        "warning",
        "release",
        "stale verdict",
        "A verdict is on a word that is no candidate, or says what would be decided anyway.",
    ),
)
RULES = {rule.id: rule for rule in CATALOGUE}
