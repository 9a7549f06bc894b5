"""Finds the differences between the lists of two releases, as a table and as a text. Standard library only."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from pipeline import reader
from pipeline.opinions import decide
from pipeline.words import KINDS_BY_TRIAL, LISTED, UNSAFE_FLAGS, count

GONE = "no longer in words.csv, so neither tried nor likely"
"""The reason for a word that the new `words.csv` does not have."""
PLAIN = "listed"
"""The tier of a word in a plain list."""


@dataclass(frozen=True, slots=True)
class Change:
    """A word that was added or removed.

    `before` and `after` are tiers, `listed` in a plain list, or empty if the word has none.
    """

    word: str
    change: str
    before: str
    after: str
    because: str


COLUMNS = tuple(field.name for field in fields(Change))


def compare(old: bytes | list[str], new: bytes | list[str]) -> list[Change]:
    """Return the words that were added and removed between two releases, A to Z. A release is its `words.csv` or a
    plain list of words, which have the tier `listed`. Raises ReleaseError for an invalid table.

    >>> compare(b"word,tier,because\\ncave,core,was\\n", b"word,tier,because\\ncave,refused,late\\ncove,core,seen\\n")
    ... # doctest: +NORMALIZE_WHITESPACE
    [Change(word='cave', change='removed', before='core', after='refused', because='late'),
     Change(word='cove', change='added', before='', after='core', because='seen')]
    """
    rows_before, rows_after = _rows(old), _rows(new)
    unknown_before = {"tier": "", "because": ""}
    unknown_after = {"tier": "", "because": GONE if isinstance(new, bytes) else ""}
    differences = []
    for word, change in differing_words(_listed(rows_before), _listed(rows_after)):
        before, after = rows_before.get(word, unknown_before), rows_after.get(word, unknown_after)
        differences.append(Change(word, change, before["tier"], after["tier"], after["because"]))
    return differences


def _rows(words: bytes | list[str]) -> dict[str, dict[str, str]]:
    if isinstance(words, bytes):
        return {row["word"]: row for row in reader.rows(words, "words.csv")}
    return {word: {"tier": PLAIN, "because": ""} for word in words}


def _listed(rows: Mapping[str, Mapping[str, str]]) -> set[str]:
    return {word for word, row in rows.items() if row["tier"] in (*LISTED, PLAIN)}


def differing_words(old: Iterable[str], new: Iterable[str]) -> list[tuple[str, str]]:
    """Return the words that differ between two lists, as (word, "added" or "removed"), A to Z."""
    before, after = set(old), set(new)
    return [(word, "added" if word in after else "removed") for word in sorted(before ^ after)]


def encode_changes(changes: list[Change]) -> str:
    """Return changes as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(change) for change in changes)
    return text.getvalue()


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause that can add or remove a word, and the kinds of reasons that show it: the kind of the word's reason now,
    or in the last release."""

    name: str
    kinds_now: tuple[str, ...] = ()
    kinds_before: tuple[str, ...] = ()


BY_PUZZLE = "Decided by a puzzle"
CAUSES = (
    Cause("Decided by a person", kinds_now=("verdict",)),
    Cause("A verdict was removed", kinds_before=("verdict",)),
    Cause(BY_PUZZLE, kinds_now=KINDS_BY_TRIAL),
    Cause("A trial does not count any more", kinds_before=KINDS_BY_TRIAL),
    Cause("No longer a common word of any list", kinds_now=("gone",)),
    Cause("Slurs, strong vulgarities and explicit words that were never accepted", kinds_now=UNSAFE_FLAGS),
)
"""The causes in CHANGES.md, in their order. The first one that applies counts."""
OTHERS = "Other words that were never tried, by their estimate"


def cause_of(kind_before: str, kind_now: str) -> str:
    """Return the cause for which a word was added or removed, from the kinds of its reasons before ("" if it had none)
    and now.

    >>> cause_of("", "accepted"), cause_of("verdict", "gone"), cause_of("estimate", "estimate")
    ('Decided by a puzzle', 'A verdict was removed', 'Other words that were never tried, by their estimate')
    """
    for cause in CAUSES:
        if kind_now in cause.kinds_now or kind_before in cause.kinds_before:
            return cause.name
    return OTHERS


def explain_release(before: Mapping[str, Any], package: Mapping[str, Any]) -> str:
    """Return a sentence about what added and removed words, from the descriptions of two releases.

    >>> before = {"covers": {"days": 2794}, "sources": [], "made_with": {}}
    >>> explain_release(before, {**before, "covers": {"days": 2795}})
    'What moved words: 1 new day. Decisions of people and new rules of the program count as well.'
    """
    causes = []
    days = package["covers"]["days"] - before["covers"]["days"]
    if days:
        causes.append(count(abs(days), "new day" if days > 0 else "removed day"))
    if before.get("sources") != package["sources"]:
        causes.append("other word lists")
    if before["made_with"].get("model.csv") != package["made_with"].get("model.csv"):
        causes.append("new weights of the estimates (bee flag --fit)")
    if not causes:
        return "No new days, word lists or weights: decisions of people, or new rules of the program, moved words."
    return f"What moved words: {'; '.join(causes)}. Decisions of people and new rules of the program count as well."


@dataclass(frozen=True, slots=True)
class ReleaseChanges:
    """The content of CHANGES.md: the versions and lists of the last release and the new one, the decisions on the
    changed words now, the kinds of their reasons before, a sentence about what changed the list, or "", and rows of the
    table `without_trial` about the new days."""

    version_before: str
    version: str
    list_before: list[str]
    list_now: list[str]
    decisions: Mapping[str, Mapping[str, Any]]
    kinds_before: Mapping[str, str]
    explanation: str
    without_trial: Sequence[Mapping[str, str]] = ()


def changes_text(changes: ReleaseChanges) -> str:
    """Return CHANGES.md: the words added and removed since the last release, by cause, each with its reason now."""
    title = f"# Changes in {changes.version}"
    if not (changes.list_before and changes.version_before):
        return f"{title}\n\nThe first release: {count(len(changes.list_now), 'word')}.\n"
    differences = differing_words(changes.list_before, changes.list_now)
    added = [word for word, change in differences if change == "added"]
    removed = [word for word, change in differences if change == "removed"]
    lines = [title, ""]
    if changes.explanation:
        lines += [changes.explanation, ""]
    lines.append(f"Since {changes.version_before}: {count(len(added), 'word')} added, {len(removed):,} removed.")
    if added:
        lines += ["", "## Added", *_lines_by_cause(added, changes)]
    if removed:
        lines += ["", "## Removed", *_lines_by_cause(removed, changes)]
    if changes.without_trial:
        lines += [
            "",
            "## Without a trial",
            "",
            "These words have no trial on a new day: the sites differ on them, or one site alone accepts them.",
            "",
        ]
        lines += [f"- `{row['word']}`: {row['because']}" for row in changes.without_trial]
    return "\n".join(lines) + "\n"


def _lines_by_cause(words: list[str], changes: ReleaseChanges) -> list[str]:
    """Return lines with words under the causes of their changes, each with its reason now. Words that a puzzle decided
    stand under its day, the newest first."""
    lines_by_cause: dict[str, list[str]] = {name: [] for name in (*(cause.name for cause in CAUSES), OTHERS)}
    for word in words:
        decision = changes.decisions.get(word, {"kind": "gone", "because": decide.GONE})
        name = cause_of(changes.kinds_before.get(word, ""), decision["kind"])
        lines_by_cause[name].append(f"- `{word}`: {decision['because']}")
    lines = []
    for name, lines_of_cause in lines_by_cause.items():
        if lines_of_cause:
            lines += ["", f"### {name}: {len(lines_of_cause):,}"]
            lines += _lines_by_day(lines_of_cause) if name == BY_PUZZLE else ["", *lines_of_cause]
    return lines


def _lines_by_day(lines: list[str]) -> list[str]:
    """Return lines whose reasons end with a date under headings with these dates, the newest first."""
    by_day: dict[str, list[str]] = {}
    for line in lines:
        by_day.setdefault(line[-len("2026-01-31") :], []).append(line)
    return [line for day in sorted(by_day, reverse=True) for line in ("", f"#### {day}", "", *by_day[day])]
