"""Changes: the differences between the lists of two releases, as a table and as a text. Standard library only."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pipeline import reader
from pipeline.errors import DataError
from pipeline.words import KINDS_BY_TRIAL, LISTED, NEVER_LISTED, Reason, count

GONE = "no longer in words.csv, so neither tried nor likely"
"""The reason for a word that the new `words.csv` does not have."""


class Change(NamedTuple):
    """A word that was added or removed.

    `before` and `after` are tiers, `listed` in a plain list, or empty if the word has none.
    """

    word: str
    change: str
    before: str
    after: str
    because: str


def changes(old: bytes | list[str], new: bytes | list[str]) -> list[Change]:
    """Compare two releases by their `words.csv`, or plain lists of words, whose tier is `listed`; return the added and
    removed words, A to Z; may raise ReleaseError.

    >>> changes(b"word,tier,because\\ncave,core,was\\n", b"word,tier,because\\ncave,refused,late\\ncove,core,seen\\n")
    ... # doctest: +NORMALIZE_WHITESPACE
    [Change(word='cave', change='removed', before='core', after='refused', because='late'),
     Change(word='cove', change='added', before='', after='core', because='seen')]
    """
    before, after = map(_rows, (old, new))
    listed = [{word for word, row in rows.items() if row["tier"] in (*LISTED, PLAIN)} for rows in (before, after)]
    return [
        Change(
            word,
            "added" if word in listed[1] else "removed",
            before[word]["tier"] if word in before else "",
            after[word]["tier"] if word in after else "",
            after[word]["because"] if word in after else GONE if isinstance(new, bytes) else "",
        )
        for word in sorted(listed[0] ^ listed[1])
    ]


PLAIN = "listed"
"""The tier of a word of a plain list."""


def _rows(words: bytes | list[str]) -> dict[str, dict[str, str]]:
    if isinstance(words, bytes):
        return {row["word"]: row for row in reader.word_rows(words, columns=("word", "tier", "because"))}
    return {word: {"tier": PLAIN, "because": ""} for word in words}


def encode(found: list[Change]) -> str:
    """Write changes as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([Change._fields, *found])
    return text.getvalue()


def decode(text: str) -> list[Change]:
    """Read what `encode` writes; raises DataError."""
    header, *rows = csv.reader(io.StringIO(text)) if text.strip() else [[]]
    if tuple(header) != Change._fields or any(len(row) != len(Change._fields) for row in rows):
        raise DataError(f"This is not a table of changes; its columns are {', '.join(Change._fields)}.")
    if wrong := [row for row in rows if row[1] not in ("added", "removed")]:
        raise DataError(f'"{wrong[0][1]}", the change of {wrong[0][0]}, is neither added nor removed.')
    return [Change(*row) for row in rows]


def applied(words: list[str], found: list[Change]) -> list[str]:
    """Update a list, A to Z. Raises DataError if a word to add is present, or a word to remove is not."""
    listed = set(words)
    for change in found:
        if (change.word in listed) == (change.change == "added"):
            state = "is there already" if change.change == "added" else "is not there"
            raise DataError(f"The changes do not fit this list: {change.word} {state}.")
        listed ^= {change.word}
    return sorted(listed)


def moved(old: Iterable[str], new: Iterable[str]) -> list[tuple[str, str]]:
    """List the words that differ between two lists: (word, "added" or "removed"), A to Z."""
    before, after = set(old), set(new)
    return [(word, "added" if word in after else "removed") for word in sorted(before ^ after)]


def group(was: str, kind: str) -> str:
    """Name the rule that added or removed a word, by the kinds of its reasons before ("" for none) and now.

    >>> group("", "accepted"), group("verdict", "gone"), group("estimate", "estimate")
    ('Decided by a puzzle', 'A verdict was removed', 'Other words that were never tried, by their estimate')
    """
    return next((name for name, (side, kinds) in GROUPS.items() if (was, kind)[side] in kinds), OTHERS)


_BEFORE, _NOW = 0, 1
GROUPS: dict[str, tuple[int, tuple[str, ...]]] = {
    "Decided by a person": (_NOW, ("verdict",)),
    "A verdict was removed": (_BEFORE, ("verdict",)),
    "Decided by a puzzle": (_NOW, KINDS_BY_TRIAL),
    "A trial does not count any more": (_BEFORE, KINDS_BY_TRIAL),
    "No longer a common word of any list": (_NOW, ("gone",)),
    "Slurs and strong vulgarities that were never accepted": (_NOW, NEVER_LISTED),
    "Kinds of spelling of which every tried one was refused": (_NOW, ("spelling",)),
}
"""The groups in CHANGES.md, each with the kinds of reasons, before or now, that show it; the first match counts."""
OTHERS = "Other words that were never tried, by their estimate"


def causes(before: Mapping[str, Any], package: Mapping[str, Any]) -> str:
    """Say in one sentence what moved words, from two descriptions of releases.

    >>> before = {"covers": {"days": 2794}, "sources": [], "made_with": {}}
    >>> causes(before, {**before, "covers": {"days": 2795}})
    'What moved words: 1 new day. Decisions of people and new rules of the program count as well.'
    """
    days = package["covers"]["days"] - before["covers"]["days"]
    found = [count(abs(days), "new day" if days > 0 else "removed day")] if days else []
    found += ["other word lists"] if before.get("sources") != package["sources"] else []
    was, now = (each.get("made_with", {}).get("model.csv") or each.get("model", {}) for each in (before, package))
    if was.get("hash") != now.get("hash"):
        found.append("new weights of the estimates (bee fit)")
    if not found:
        return "No new days, word lists or weights: decisions of people, or new rules of the program, moved words."
    return f"What moved words: {'; '.join(found)}. Decisions of people and new rules of the program count as well."


def as_text(
    old: list[str],
    new: list[str],
    version: str,
    before: str,
    reasons: Mapping[str, Reason],
    was: Mapping[str, str],
    why: str,
) -> str:
    """Write CHANGES.md: the words added and removed since the last release, in groups, each with its reason now.

    `was` has the kinds of the reasons before, and `why` says what moved words.
    """
    if not (old and before):
        return f"# Changes in {version}\n\nThe first release: {count(len(new), 'word')}.\n"
    sides = {side: [word for word, change in moved(old, new) if change == side] for side in ("added", "removed")}
    lines = [f"# Changes in {version}", "", *([why, ""] if why else [])]
    lines.append(f"Since {before}: {count(len(sides['added']), 'word')} added, {len(sides['removed'])} removed.")
    for side, words in sides.items():
        reason = {word: reasons.get(word, Reason("gone", ())) for word in words}
        groups = {word: group(was.get(word, ""), now.kind) for word, now in reason.items()}
        lines += ["", f"## {side.capitalize()}"] if words else []
        for name in (*GROUPS, OTHERS):
            if alike := [word for word in words if groups[word] == name]:
                lines += ["", f"### {name}: {len(alike)}", ""]
                lines += [f"- `{word}`: {reason[word].sentence}" for word in alike]
    return "\n".join(lines) + "\n"
