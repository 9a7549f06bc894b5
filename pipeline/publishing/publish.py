"""Publish: make the next release, or refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from pipeline import reader
from pipeline.publishing import release
from pipeline.publishing.release import Refusal, approved_list
from pipeline.tables import columns

MOVED = 0.02
"""The share of the list that may change since the last approved release. One day changes about two words; larger
changes, such as a new lexicon, need a person's approval."""


class Next(NamedTuple):
    """A release that may be published: its files, name to bytes, and the numbers of words, additions and removals."""

    files: dict[str, bytes]
    words: int
    added: int
    removed: int


def publish(
    tables: Mapping[str, pd.DataFrame],
    covered: Iterable[str],
    sources: pd.DataFrame,
    licences: Mapping[str, str],
    last: reader.Release | None,
    force: bool = False,
    approve: bool = False,
) -> Next:
    """Make the next release from tables by name, the dates covered and the last release; see `release.make`.

    Raises Refusal unless forced. `approve` means that a person reviewed the changes; later changes are then counted
    from this release on. A release with the same content as the last one keeps its version and its CHANGES.md.
    """
    before = last.package if last else {}
    old = last.files["wordlist.txt"].decode().split() if last else []
    new = release.wordlist(tables["decisions"])
    approved = approved_list(last)
    if not force:
        refuse(new if approve else approved, new, tables["violations"], str(before.get("approved", "")))
    afresh = approve or not last
    files = release.make(tables, covered, sources, licences, before, [] if afresh else moved(approved, new), afresh)
    version = reader.Release(files).version
    if last and last.version == version:
        files["CHANGES.md"] = last.files["CHANGES.md"]
    else:
        differ = set(old) ^ set(new)
        told = tables["decisions"][columns.among(tables["decisions"]["word"], differ)]
        because = dict(zip(told["word"].tolist(), told["because"].tolist(), strict=True))
        was = _reasons(last.files.get("words.csv", b""), differ) if last else {}
        files["CHANGES.md"] = changes(old, new, version, last.version if last else "", because, was).encode()
    sealed = {**files, reader.SUMS: reader.sums(files)}
    return Next(sealed, len(new), len(set(new) - set(old)), len(set(old) - set(new)))


def _reasons(table: bytes, words: Iterable[str]) -> dict[str, str]:
    """Read from `words.csv` of a release why words were where they were."""
    return columns.cells_of(table, words, "because") if table else {}


def moved(old: Iterable[str], new: Iterable[str]) -> list[tuple[str, str]]:
    """List the words that differ between two lists: (word, "added" or "removed"), A to Z."""
    before, after = set(old), set(new)
    return [(word, "added" if word in after else "removed") for word in sorted(before ^ after)]


def refuse(old: list[str], new: list[str], violations: pd.DataFrame, approved: str = "") -> None:
    """Raise Refusal if there are errors, or if the list changed too much since `old`, the approved list."""
    errors = violations[violations["severity"] == "error"]
    if len(errors):
        first = errors.iloc[0]
        raise Refusal(
            f"Not published: {len(errors)} violations of severity error, the first {first['rule']} on "
            f'"{first["subject"]}" ({first["detail"]}). bee check lists them.'
        )
    if not new:
        raise Refusal("Not published: the list would be empty.")
    count = len(moved(old, new))
    if old and count > MOVED * len(old):
        raise Refusal(
            f"Not published: {count} words would be added or removed since release {approved or 'before'}, which a "
            f"person approved, more than {MOVED:.0%} of the {len(old)} on its list. Look at them with bee diff and in "
            f"{release.SINCE}; bee publish --approve goes ahead and counts from there."
        )


def group(was: str, because: str) -> str:
    """Name the rule that added or removed a word, by its reasons in the last release ("" for none) and now.

    >>> group("", "accepted 2 of 2 times, last on 2025-12-31"), group("keep, says ann on 2025-01-01: so", GONE)
    ('Decided by a puzzle', 'A verdict was removed')
    """
    return next((name for name, moved in GROUPS.items() if moved(was, because)), OTHERS)


GONE = "no list has it as a common word, and no puzzle accepted it"
"""The reason for a word that is no candidate any more. Lists may still have it as a name or an abbreviation."""
VERDICT = ("keep, says", "drop, says")
GROUPS: dict[str, Callable[[str, str], bool]] = {
    "Decided by a person": lambda _, because: because.startswith(VERDICT),
    "A verdict was removed": lambda was, _: was.startswith(VERDICT),
    "Decided by a puzzle": lambda _, because: because.startswith("accepted "),
    "A trial does not count any more": lambda was, _: was.startswith("accepted "),
    "No longer a common word of any list": lambda _, because: because == GONE,
    "Slurs and strong vulgarities that were never accepted": lambda _, because: because.startswith(
        "never accepted, and"
    ),
    "Kinds of spelling of which every tried one was refused": lambda _, because: "spellings of its kind" in because,
    "Listed with a base or form that is likely": lambda _, because: because.startswith("never tried, listed with"),
}
"""The rules that add or remove words, each with its test of the reasons in the last release and now. The first match
names the group in CHANGES.md."""
OTHERS = "Other words that were never tried, by their estimate"


def changes(
    old: list[str],
    new: list[str],
    version: str,
    before: str,
    because: Mapping[str, str],
    was: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Write CHANGES.md: the words added and removed since the last release, each with its reason; `was` has the old."""
    added, removed = sorted(set(new) - set(old)), sorted(set(old) - set(new))
    if not (old and before):
        return f"# Changes in {version}\n\nThe first release: {len(new)} words.\n"
    lines = [f"# Changes in {version}", "", f"Since {before}: {len(added)} words added, {len(removed)} removed."]
    for title, listed in (("Added", added), ("Removed", removed)):
        reasons = {word: because.get(word, GONE) for word in listed}
        groups = {word: group(was.get(word, ""), reason) for word, reason in reasons.items()}
        lines += ["", f"## {title}"] if listed else []
        for name in (*GROUPS, OTHERS):
            if alike := [word for word in listed if groups[word] == name]:
                lines += ["", f"### {name}: {len(alike)}", ""]
                lines += [f"- `{word}`: {reasons[word]}" for word in alike]
    return "\n".join(lines) + "\n"


def read_changes(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """Read CHANGES.md back: the words added and the words removed, each with its reason.

    >>> read_changes(changes(["cave", "cove"], ["cove", "octave"], "2", "1", {"octave": "accepted"}))
    ({'octave': 'accepted'}, {'cave': 'no list has it as a common word, and no puzzle accepted it'})
    """
    sides: dict[str, dict[str, str]] = {"Added": {}, "Removed": {}}
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        for line in rest.splitlines():
            if line.startswith("- `"):
                word, _, reason = line[3:].partition("`: ")
                sides[title][word] = reason
    return sides["Added"], sides["Removed"]
