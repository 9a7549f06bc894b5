"""Explains one word: what a release says about it, and whether it is an answer of a puzzle.

`explain` uses only a release; `opinions.why` makes the explanation from a workspace, with lists and relatives. Standard
library only.
"""

from __future__ import annotations

import csv
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline import reader
from pipeline.words import KINDS_BY_TRIAL, LISTED, WORD_COLUMNS, Explanation, Puzzle, Reason, spells, why_unplayable

FILES = ("words.csv", "flags.csv", "record.csv")
"""The files of a release that `explain` reads."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """Whether a word is an answer of a puzzle, and the rule or decision behind this. `letters` are the letters of the
    puzzle as the user typed them."""

    answer: bool
    answer_because: str
    letters: str


UNPLAYABLE = "unplayable"
"""The tier of a word that no puzzle can have."""


def explain_unplayable(word: str) -> Explanation:
    """Return why no puzzle can have a word."""
    return Explanation(word, tier=UNPLAYABLE, by="none", because=why_unplayable(word))


def explain(word: str, release: reader.Release) -> Explanation:
    """Return what a release says about a word; it must have the `FILES`."""
    table = release.files["words.csv"]
    rows = list(reader.word_rows(reader.only_words(table, [word])))
    row = rows[0] if rows else dict.fromkeys(WORD_COLUMNS, "")
    reason = Reason.decode(row["kind"], row["details"]) if row["kind"] else None
    has_estimate = reason is not None and reason.kind == "estimate"
    has_verdict = reason is not None and reason.kind == "verdict"
    return Explanation(
        word=word,
        tier=row["tier"] or "unknown",
        by=_decided_by(row),
        because=row["because"] or WHY_UNKNOWN,
        listed=row["tier"] in LISTED,
        pending="",
        lists={},
        record=_record(word, release.files["record.csv"]),
        flags=_flags(word, row["flags"].split(), release.files["flags.csv"]),
        relatives=[],
        p=reason.p if reason and has_estimate else None,
        basis=", ".join(reason.phrases) if reason and has_estimate else "",
        verdict=dict(zip(VERDICT_COLUMNS, reason.values, strict=True)) if reason and has_verdict else {},
    )


VERDICT_COLUMNS = ("verdict", "by", "on", "reason")
"""The columns of a verdict, in the order of the values of its reason."""


def _decided_by(row: Mapping[str, str]) -> str:
    """Return what decides the tier in a row of `words.csv`."""
    if row["kind"] == "verdict":
        return "verdict"
    if row["kind"] in KINDS_BY_TRIAL:
        return "record"
    return "estimate" if row["tier"] else "none"


def _record(word: str, table: bytes) -> dict[str, str | int]:
    """Return the record of a word in `record.csv`; {} if it was never tried."""
    rows = _rows_of(word, table)
    if not rows:
        return {}
    record: dict[str, str | int] = {name: cell for name, cell in rows[0].items() if name not in ("word", "witnesses")}
    return record | {name: int(rows[0][name]) for name in ("offered", "accepted")}


def _flags(word: str, names: list[str], table: bytes) -> list[dict[str, str]]:
    """Return the flags of a word, with the severity and the detail of each from `flags.csv`."""
    details = {row["flag"]: row for row in _rows_of(word, table)}
    flags = []
    for name in names:
        row = details.get(name, {})
        flags.append({"flag": name, "severity": row.get("severity", ""), "detail": row.get("detail", "")})
    return flags


def _rows_of(word: str, table: bytes) -> list[dict[str, str]]:
    """Return the rows of a word in a table that is sorted by words."""
    lines = reader.only_words(table, [word]).decode("utf-8-sig").splitlines()
    return list(csv.DictReader(lines))


WHY_UNKNOWN = "we do not know this word: no puzzle has accepted it, and no word list makes it likely"
"""Why a word has no tier."""
CLOSE = 0.8
"""Words of the list are near a word from this ratio of `difflib` on: *covenat* is near *covenant* and *convent*."""


def is_unknown(explanation: Explanation) -> bool:
    """Return whether a word has no tier, is in no list, and has no verdict."""
    return explanation.tier == "unknown" and not (explanation.lists or explanation.verdict)


def near_misses(word: str, listed: Sequence[str]) -> list[str]:
    """Return up to three words of the list that resemble a word, the most similar one first.

    >>> near_misses("covenat", ["covenant", "convent", "octave"])
    ['covenant', 'convent']
    """
    return difflib.get_close_matches(word, listed, cutoff=CLOSE)


def judge(explanation: Explanation, puzzle: Puzzle, letters: str) -> Judgment:
    """Return whether a word is an answer of a puzzle. `letters` are the letters as the user typed them."""
    rule = _rule_of_puzzle_broken(explanation.word, puzzle)
    if rule:
        return Judgment(False, f"it breaks a rule: {rule}", letters)
    if explanation.listed:
        return Judgment(True, explanation.because, letters)
    judgments = {"record": "refused before", "estimate": "not likely enough", "verdict": "dropped by a person"}
    because = f"{judgments.get(explanation.by, 'unknown')}: {explanation.because}"
    if explanation.flags:
        because += f"; flagged {', '.join(flag['flag'] for flag in explanation.flags)}"
    return Judgment(False, because, letters)


def _rule_of_puzzle_broken(word: str, puzzle: Puzzle) -> str:
    """Return the rule that keeps a word from being an answer, or "" if it breaks no rule."""
    if reason := why_unplayable(word):
        return reason
    if spells(puzzle, word):
        return ""
    other_letters = sorted(set(word) - set(puzzle.letters))
    if other_letters:
        return f"it has letters that the puzzle lacks: {', '.join(other_letters)}"
    return f"it lacks the center letter {puzzle.center}"


def as_text(explanation: Explanation, judgment: Judgment | None = None) -> str:
    """Return an explanation as text, with the judgment if there is one."""
    puzzle_lines = []
    if judgment:
        answer = "an answer" if judgment.answer else "not an answer"
        puzzle_lines.append(f"  puzzle     {judgment.letters}: {answer}, {judgment.answer_because}")
    if explanation.tier == UNPLAYABLE:
        return "\n".join([f"{explanation.word} cannot be played: {explanation.because}", *puzzle_lines])
    lines = [f"{explanation.word}: {explanation.tier}, by {explanation.by}", f"  because    {explanation.because}"]
    if explanation.near:
        lines.append(f"  near       {', '.join(explanation.near)}")
    if explanation.pending:
        lines.append(f"  not yet    {explanation.pending}")
    lines += puzzle_lines
    record = explanation.record
    if record:
        dates = f"first {record['first_accepted'] or 'never'}, last {record['last_accepted'] or 'never'}"
        refused = f"last refused {record['last_refused'] or 'never'}"
        lines.append(f"  record     accepted {record['accepted']} of {record['offered']}: {dates}, {refused}")
    else:
        lines.append("  record     never tried")
    for other in explanation.relatives:
        tried = f"accepted {other['accepted']} of {other['offered']}"
        lines.append(f"  relative   {other['word']} ({other['relation']}): {tried}")
    if explanation.p is not None:
        lines.append(f"  estimate   p = {explanation.p:.2f}: {explanation.basis}")
    for flag in explanation.flags:
        detail = f" ({flag['severity']}): {flag['detail']}" if flag["severity"] else ""
        lines.append(f"  flag       {flag['flag']}{detail}")
    lines += [f"  list       {name}: {entry}" for name, entry in explanation.lists.items()]
    if explanation.verdict:
        lines.append(f"  verdict    {', '.join(f'{name} {cell}' for name, cell in explanation.verdict.items())}")
    return "\n".join(lines)
