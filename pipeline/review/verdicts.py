"""Verdicts: writes the decisions of people about words and days to their files, and undoes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pandas as pd

from pipeline import inputs, run, store
from pipeline.errors import BeeError, DecisionError
from pipeline.facts import by_hand
from pipeline.facts.by_hand import Row
from pipeline.facts.lexicon import Lexicon, is_common
from pipeline.review.why import row_of
from pipeline.store import WAIT, Workspace
from pipeline.tables import frames
from pipeline.words import (
    FILTERS,
    LISTED,
    UNSAFE_FLAGS,
    decided_by,
)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about words without a run: the lexicon, from the last release the words that puzzles tried, the
    decisions on the words of `words.csv` and the last day that it covers, and the answers of the days on disk."""

    lexicon: Lexicon
    tried: pd.Series
    decisions: pd.DataFrame
    last_day: str
    answers: pd.Series

    def is_common(self, word: str) -> bool:
        """Return whether a list has a word as a common word."""
        return bool(is_common(self.lexicon.words[self.lexicon.words["word"] == word]).any())

    def has_trial(self, word: str) -> bool:
        """Return whether a puzzle of the release or on disk tried a word; on disk, only answers count."""
        return any((words == word).any() for words in (self.tried, self.answers))


def known(workspace: Workspace) -> Known:
    """Read what is known about words."""
    inputs.require_folder(workspace)
    lexicon = run.read_lexicon(workspace, inputs.read_word_lists(workspace))
    release = inputs.read_release(workspace)
    answers = run.days(workspace).answers["word"]
    if release is None:
        return Known(lexicon, pd.Series(dtype="str"), frames.empty("decisions"), "", answers)
    words = frames.from_text(frames.read_csv(release.files["words.csv"], "words.csv"), "words")
    by = words["kind"].map(decided_by).astype("str")
    decisions = words.assign(by=by, p=words["p"].astype(float))[list(frames.CONTRACTS["decisions"].columns)]
    published = inputs.published(release)
    return Known(lexicon, published.record["word"], decisions, max(published.coverage.dates, default=""), answers)


def _require_known(word: str, known: Known) -> None:
    """Raise DecisionError for a verdict on a word that no list has as a common word and that no puzzle tried, which is
    probably a mistake."""
    if row_of(known.decisions, word) or known.is_common(word) or known.has_trial(word):
        return
    raise DecisionError(
        f"{word}: no list has it, and no puzzle has tried it. Nothing was written; the option --force takes any word."
    )


def require_in_a_list(word: str, known: Known) -> None:
    """Raise DecisionError for a word that is in no list, not even as a name, and that no puzzle tried."""
    if not ((known.lexicon.words["word"] == word).any() or known.has_trial(word)):
        raise DecisionError(f"{word}: it is in no list. Nothing was written.")


def standing(word: str, known: Known) -> str:
    """Return a sentence on where a word stands so far; "" if the release does not have it."""
    decision = row_of(known.decisions, word)
    return f"So far {word} is {decision['tier']}: {decision['because'].rstrip('.')}." if decision else ""


def consequences_of_grade(word: str, grade: str, decisions: pd.DataFrame, offensive_words: pd.DataFrame) -> str:
    """Return a message on what a grade changes: the list, and the exports that leave out offensive words."""
    decision = row_of(decisions, word)
    parts = []
    for grade_so_far in offensive_words["flag"][offensive_words["word"] == word]:
        parts.append(f"Its grade so far is {grade_so_far}. ")
    is_listed_by_estimate = bool(decision) and decision["tier"] in LISTED and decision["by"] == "estimate"
    is_unsafe = grade in UNSAFE_FLAGS
    if is_unsafe and is_listed_by_estimate:
        parts.append("No puzzle has accepted it, so this grade takes it off the list. ")
    exports = [f"`bee export --{name}`" for name, grades in FILTERS.items() if grade in grades]
    if exports:
        parts.append(f"{' and '.join(exports)} will leave it out. ")
    effect = " and leave the list if no puzzle has accepted them" if is_unsafe else ""
    return "".join([*parts, f"Its forms get the same grade{effect}, unless they have a grade of their own."])


def decider(workspace: Workspace, by: str = "") -> str:
    """Return the name of the person who decides: `by`, or else the user of git or of the system.

    Raises BeeError if there is none.
    """
    name = by.strip() or store.user_name(workspace.root)
    if not name:
        raise BeeError("Who decides? Give your name with --by.")
    return name


def row(word: str, verdict: str, reason: str, by: str, known: Known) -> Row:
    """Return a verdict that holds until a puzzle after the last day that the release covers says otherwise."""
    decided = {"word": word.strip().lower(), "verdict": verdict, "reason": reason.strip()}
    return {**decided, "by": by, "after": known.last_day}


def write(
    workspace: Workspace, rows: list[Row], table: str, before_writing: Callable[[], object] | None = None
) -> None:
    """Add lines to the file of a table, all or none. The caller must hold the lock of the workspace.

    `before_writing` is called if nothing is wrong. Raises BeeError for an invalid line.
    """
    data = by_hand.add(table, _data(workspace, table), rows)
    if before_writing:
        before_writing()
    store.write_bytes(workspace.root / by_hand.FILES[table].path, data)


def _data(workspace: Workspace, table: str) -> bytes:
    """Return the file of a table, or no bytes if there is none; raises BeeError if it is lost or damaged."""
    inputs.require_folder(workspace)
    inputs.read_decisions(workspace, table)
    return store.read_if_exists(workspace.root / by_hand.FILES[table].path)


def undo(workspace: Workspace, subject: str, kind: str = "", wait: float = WAIT) -> list[Row]:
    """Remove the decision on a word, or those about a date, and return them; raises DecisionError if there is none.

    A word can have a verdict and a grade; then `kind` says which one is meant.
    """
    subject = subject.strip().lower()
    kinds = [kind] if kind else ["day"] if subject[:1].isdigit() else ["verdict", "grade"]
    with store.locked(workspace, wait):
        found = {}
        for name in kinds:
            table = by_hand.TABLE_OF_KIND[name]
            data, removed = by_hand.remove(table, _data(workspace, table), subject)
            if removed:
                found[table] = (data, removed)
        if not found:
            files = " and ".join(by_hand.FILES[by_hand.TABLE_OF_KIND[name]].path for name in kinds)
            what = "decision" if kinds == ["day"] else " or ".join(kinds)
            raise DecisionError(f"There is no {what} about {subject} in {files}.")
        if len(found) > 1:
            ways = " or ".join(by_hand.undo_command(table, subject) for table in found)
            raise DecisionError(f"{subject} has a verdict and a grade; choose: {ways}.")
        [(table, (data, removed))] = found.items()
        store.write_bytes(workspace.root / by_hand.FILES[table].path, data)
    return removed


def decide(
    workspace: Workspace,
    verdict: Row,
    known: Known,
    force: bool = False,
    wait: float = WAIT,
    tell: Callable[[str], object] | None = None,
) -> str:
    """Write a verdict on a word, and return its `standing`.

    `tell` is called with it before anything is written. `force` is required for a word of no list. Raises
    BeeError if the verdict cannot be written.
    """
    with store.locked(workspace, wait):
        data = by_hand.add("verdicts", _data(workspace, "verdicts"), [verdict])
        if not force:
            _require_known(verdict["word"], known)
        message = standing(verdict["word"], known)
        if tell:
            tell(message)
        _save(workspace, data)
    return message


def decide_each(workspace: Workspace, verdicts: Iterable[Row], known: Known, wait: float = WAIT) -> list[str]:
    """Write several verdicts, and return for each verdict the reason why it was refused, or ""."""
    refusals = []
    for verdict in verdicts:
        refusal = ""
        try:
            decide(workspace, verdict, known, wait=wait)
        except DecisionError as error:
            refusal = str(error)
        refusals.append(refusal)
    return refusals


def _save(workspace: Workspace, data: bytes) -> None:
    """Write the file of verdicts."""
    store.write_bytes(workspace.root / by_hand.FILES["verdicts"].path, data)


SKIPPED = "custom/skipped.txt"
"""The words that a person skipped, one per line."""


def skipped(workspace: Workspace) -> set[str]:
    """Return the words that a person skipped; `bee review --again` shows them anyway."""
    return set(store.read_if_exists(workspace.root / SKIPPED).decode("utf-8", "replace").split())


def skip(workspace: Workspace, add: Iterable[str] = (), drop: Iterable[str] = (), wait: float = WAIT) -> set[str]:
    """Add words to the skipped words and remove others; return the words that were added or removed."""
    with store.locked(workspace, wait):
        before = skipped(workspace)
        after = (before | set(add)) - set(drop)
        store.write_bytes(workspace.root / SKIPPED, "".join(f"{word}\n" for word in sorted(after)).encode())
    return before ^ after
