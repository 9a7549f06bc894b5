"""Verdicts: writes the decisions of people about words and days to their files, and undoes them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pandas as pd

from pipeline import clock, inputs, run, store
from pipeline.errors import BeeError, DecisionError
from pipeline.facts import by_hand, decision_files
from pipeline.facts.decision_files import Row
from pipeline.facts.lexicon import Lexicon, is_common
from pipeline.opinions import families
from pipeline.review.why import row_of
from pipeline.store import WAIT, Workspace
from pipeline.tables import columns, frames
from pipeline.words import (
    DOUBTFUL,
    FILTERS,
    KINDS_BY_P,
    KINDS_BY_TRIAL,
    LIKELY,
    LISTED,
    TIER_OF_VERDICT,
    UNSAFE_FLAGS,
    decided_by,
    mask,
    pangram,
)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about words without a run: the lexicon, from the last release the words that puzzles tried and the
    decisions on the words of `words.csv`, and the answers of the days on disk."""

    lexicon: Lexicon
    tried: pd.Series
    decisions: pd.DataFrame
    answers: pd.Series

    def is_common(self, word: str) -> bool:
        """Return whether a list has a word as a common word."""
        return bool(is_common(self.lexicon.words[self.lexicon.words["word"] == word]).any())

    def has(self, word: str) -> bool:
        """Return whether a word is in a list or in the published record.

        Puzzles on disk do not count, because another workspace may not have them.
        """
        return any((words == word).any() for words in (self.lexicon.words["word"], self.tried))


def known(workspace: Workspace) -> Known:
    """Read what is known about words."""
    inputs.require_folder(workspace)
    lexicon = run.read_lexicon(workspace, inputs.read_word_lists(workspace))
    release = inputs.read_release(workspace)
    answers = run.days(workspace).answers["word"]
    if release is None:
        return Known(lexicon, pd.Series(dtype="str"), frames.empty("decisions"), answers)
    words = frames.from_text(frames.read_csv(release.files["words.csv"], "words.csv"), "words")
    by = words["kind"].map(decided_by).astype("str")
    decisions = words.assign(by=by, p=words["p"].astype(float))[list(frames.CONTRACTS["decisions"].columns)]
    return Known(lexicon, inputs.published(release).record["word"], decisions, answers)


def _require_meant(word: str, verdict: str, known: Known) -> None:
    """Raise DecisionError for a verdict that is probably a mistake.

    That is a verdict on a word that is in no list and has no record, or dropping a word that puzzles accept.
    """
    decision = row_of(known.decisions, word)
    if not known.has(word):
        problem = "it is in no list and has no record"
    elif not decision and not known.is_common(word):
        problem = "no list has it as a common word, and it has no record"
    elif verdict == "drop" and not decision and (known.answers == word).any():
        problem = "a puzzle on disk accepted it"
    elif verdict == "drop" and decision.get("kind") == "accepted":
        problem = f"it was {decision['because']}"
    else:
        return
    raise DecisionError(f"{word}: {problem}. Nothing was written.", can_force=True)


def objections(word: str, verdict: str, known: Known) -> str:
    """Return sentences against a verdict: on the record, on a low or high p, and on a pangram that the list loses. An
    untried word that `words.csv` does not have is unlikely."""
    decisions = known.decisions
    decision = row_of(decisions, word)
    if decision and (decision["tier"], decision["by"]) == (TIER_OF_VERDICT[verdict], "record"):
        return f"Its record already makes it {decision['tier']}, so the verdict changes nothing for now."
    if not decision:
        if verdict == "drop" or decisions.empty or not known.is_common(word):
            return ""
        return f"No puzzle has tried it, and its p is below {DOUBTFUL}, or its grade keeps it off the list."
    if (decision["tier"] in LISTED) == (verdict == "keep"):
        return ""
    sentences = []
    if decision["kind"] in KINDS_BY_TRIAL:
        outcome = EXTRA if decision["kind"] == "refused" else MISSING
        sentences = [f"It was {decision['because']}.", outcome]
    elif decision["kind"] in KINDS_BY_P:
        p = f"{min(decision['p'], 0.99):.0%}"
        sentences = [f"No puzzle has tried it; we think that a puzzle would accept it with a probability of {p}."]
        if verdict == "drop":
            sentences.append(MISSING)
        elif decision["p"] < LIKELY:
            sentences.append(EXTRA)
    if verdict == "drop" and pangram(word):
        listed = decisions["word"][decisions["tier"].isin(LISTED)]
        other_pangrams = sorted(other for other in listed if other != word and mask(other) == mask(word))
        letters = "".join(sorted(set(word)))
        consequence = "the list has no other pangram of these letters, so a solver must guess"
        if other_pangrams:
            consequence = f"the list still has {', '.join(other_pangrams)}"
        sentences.append(f"It is a pangram of {letters}: {consequence}.")
    return " ".join(sentences)


EXTRA, MISSING = "Keeping it will probably add an extra word.", "Dropping it will probably leave an answer missing."


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


def row(word: str, verdict: str, reason: str, by: str) -> Row:
    """Return a verdict with today's date."""
    decided = {"word": word.strip().lower(), "verdict": verdict, "reason": reason.strip()}
    return {**decided, "by": by, "on": clock.today()}


def write(
    workspace: Workspace, rows: list[Row], table: str = "verdicts", before_writing: Callable[[], object] | None = None
) -> None:
    """Add lines to the file of a table, all or none. The caller must hold the lock of the workspace.

    `before_writing` is called if nothing is wrong. Raises BeeError for an invalid line, and for a verdict or grade on
    an unknown word (see `Known.has`).
    """
    data = decision_files.add(table, _data(workspace, table), rows)
    words = [row["word"] for row in rows if "word" in row and not row["reason"].endswith(by_hand.IN_NO_LIST)]
    known_words = known(workspace) if words else None
    for word in words:
        if known_words and not known_words.has(word):
            raise DecisionError(f"{word}: it is in no list and has no record. Nothing was written.")
    if before_writing:
        before_writing()
    store.write_bytes(workspace.root / by_hand.PATHS[table], data)


def _data(workspace: Workspace, table: str) -> bytes:
    """Return the file of a table, or no bytes if there is none; raises BeeError if it is lost or damaged."""
    inputs.require_folder(workspace)
    inputs.read_decisions(workspace, table)
    return store.read_if_exists(workspace.root / by_hand.PATHS[table])


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
            data, removed = decision_files.without(table, _data(workspace, table), subject)
            if removed:
                found[table] = (data, removed)
        if not found:
            files = " and ".join(by_hand.PATHS[by_hand.TABLE_OF_KIND[name]] for name in kinds)
            what = "decision" if kinds == ["day"] else " or ".join(kinds)
            raise DecisionError(f"There is no {what} about {subject} in {files}.")
        if len(found) > 1:
            ways = " or ".join(by_hand.undo_command(table, subject) for table in found)
            raise DecisionError(f"{subject} has a verdict and a grade; choose: {ways}.")
        [(table, (data, removed))] = found.items()
        store.write_bytes(workspace.root / by_hand.PATHS[table], data)
    return removed


def family(workspace: Workspace, word: str, known: Known) -> list[str]:
    """Return the other words that a verdict on a word also covers: the bases and forms of its family that a list has as
    common words, and that neither a puzzle nor a person decided."""
    decided = pd.concat([known.tried, known.answers, inputs.read_decisions(workspace, "verdicts")["word"]])
    words = known.lexicon.words
    common = words["word"][is_common(words)]
    return families.undecided(word, known.lexicon.forms, common[~columns.is_in(common, decided)])


def decide(
    workspace: Workspace,
    verdict: Row,
    known: Known,
    force: bool = False,
    wait: float = WAIT,
    tell: Callable[[str], object] | None = None,
    family: Iterable[str] = (),
) -> str:
    """Write a verdict on a word and on the words of its `family`, and return its `objections`.

    `tell` is called with the objections before anything is written. `force` is required for an unknown word, and for
    dropping a word that puzzles accept. Raises BeeError if the verdict cannot be written.
    """
    with store.locked(workspace, wait):
        word = verdict["word"]
        data = _with_verdicts(workspace, [verdict, *({**verdict, "word": other} for other in family)], known)
        if not force:
            _require_meant(word, verdict["verdict"], known)
        message = objections(word, verdict["verdict"], known)
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
            with store.locked(workspace, wait):
                data = _with_verdicts(workspace, [verdict], known)
                _require_meant(verdict["word"], verdict["verdict"], known)
                _save(workspace, data)
        except DecisionError as error:
            refusal = str(error)
            if error.can_force:
                reason, by = shlex.quote(verdict["reason"]), shlex.quote(verdict["by"])
                forced = f"bee {verdict['verdict']} {verdict['word']} --reason {reason} --by {by} --force"
                refusal += f" `{forced}` goes ahead."
        refusals.append(refusal)
    return refusals


def _with_verdicts(workspace: Workspace, rows: list[Row], known: Known) -> bytes:
    """Return the file of verdicts with the rows added. The reason of a word that is neither in a list nor
    in the published record says so."""
    for row in rows:
        if not known.has(row["word"]):
            row["reason"] = row["reason"].removesuffix(by_hand.IN_NO_LIST) + by_hand.IN_NO_LIST
    return decision_files.add("verdicts", _data(workspace, "verdicts"), rows)


def _save(workspace: Workspace, data: bytes) -> None:
    """Write the file of verdicts."""
    store.write_bytes(workspace.root / by_hand.PATHS["verdicts"], data)


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
