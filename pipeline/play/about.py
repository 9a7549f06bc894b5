"""About one word: what a release knows of it, whether it is an answer of a puzzle, and all that as text.

`explain` makes an explanation of a release alone; `opinions.why` makes it of a workspace, with lists and relatives.
Standard library only.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass

from pipeline import reader
from pipeline.words import KINDS_BY_TRIAL, LISTED, WORD_COLUMNS, Explanation, Puzzle, Reason, rule_broken, spells

FILES = ("words.csv", "flags.csv")
"""The files of a release that `explain` reads."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """Whether a word is an answer of a puzzle, and the rule or decision that says so. `letters` are those of the
    puzzle as they were typed."""

    answer: bool
    answer_because: str
    letters: str


def explain(word: str, release: reader.Release, evidence: bytes) -> Explanation:
    """Collect what a release knows of a word; `evidence` is `evidence.csv` beside it, or nothing."""
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
        because=row["because"] or why_unknown(word),
        listed=row["tier"] in LISTED,
        pending="",
        lists={},
        record=_record(word, evidence),
        flags=_flags(word, row["flags"].split(), release.files["flags.csv"]),
        relatives=[],
        p=reason.p if reason and has_estimate else None,
        basis=", ".join(reason.phrases) if reason and has_estimate else "",
        verdict=dict(zip(VERDICT_COLUMNS, reason.values, strict=True)) if reason and has_verdict else {},
    )


VERDICT_COLUMNS = ("verdict", "by", "on", "reason")
"""The columns of a verdict in the order of the values of its reason."""


def _decided_by(row: Mapping[str, str]) -> str:
    """Return what decides the tier in a row of `words.csv`."""
    if row["kind"] == "verdict":
        return "verdict"
    if row["kind"] in KINDS_BY_TRIAL:
        return "evidence"
    return "estimate" if row["tier"] else "none"


def _record(word: str, evidence: bytes) -> dict[str, str | int]:
    """Return the record of a word in `evidence.csv`; nothing if it was never tried."""
    rows = _rows_of(word, evidence)
    if not rows:
        return {}
    record: dict[str, str | int] = {name: cell for name, cell in rows[0].items() if name not in ("word", "vouched")}
    return record | {name: int(rows[0][name]) for name in ("offered", "accepted")}


def _flags(word: str, names: list[str], table: bytes) -> list[dict[str, str]]:
    """Return the flags of a word by name, with the severity and the detail that `flags.csv` has."""
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


def why_unknown(word: str) -> str:
    """Say why a word has no tier.

    >>> why_unknown("cab"), why_unknown("covenanto").partition(":")[0]
    ('no word of a puzzle: too short', 'we do not know this word')
    """
    if rule := rule_broken(word):
        return f"no word of a puzzle: {rule}"
    return "we do not know this word: no puzzle accepted it, and no list makes it likely"


def judge(explanation: Explanation, puzzle: Puzzle, letters: str) -> Judgment:
    """Return whether a word is an answer of a puzzle, whose letters were typed as `letters`."""
    rule = _rule_of_puzzle_broken(explanation.word, puzzle)
    if rule:
        return Judgment(False, f"it breaks a rule: {rule}", letters)
    if explanation.listed:
        return Judgment(True, explanation.because, letters)
    judgments = {"evidence": "refused before", "estimate": "not likely enough", "verdict": "dropped by a person"}
    because = f"{judgments.get(explanation.by, 'unknown')}: {explanation.because}"
    if explanation.flags:
        because += f"; flagged {', '.join(flag['flag'] for flag in explanation.flags)}"
    return Judgment(False, because, letters)


def _rule_of_puzzle_broken(word: str, puzzle: Puzzle) -> str:
    """Name the rule that keeps a word from being an answer, or "" if it breaks none."""
    if rule := rule_broken(word):
        return rule
    if spells(puzzle, word):
        return ""
    other_letters = sorted(set(word) - set(puzzle.letters))
    return f"it needs {', '.join(other_letters)}" if other_letters else f"it lacks the center letter {puzzle.center}"


def as_text(explanation: Explanation, judgment: Judgment | None = None) -> str:
    """Write an explanation for reading, with the judgment if a puzzle was named."""
    lines = [f"{explanation.word}: {explanation.tier}, by {explanation.by}", f"  because    {explanation.because}"]
    if explanation.pending:
        lines.append(f"  not yet    {explanation.pending}")
    if judgment:
        lines.append(f"  in {judgment.letters}: {'yes' if judgment.answer else 'no'}, {judgment.answer_because}")
    record = explanation.record
    if record:
        dates = f"first {record['first_accepted'] or 'never'}, last {record['last_accepted'] or 'never'}"
        refused = f"last refused {record['last_rejected'] or 'never'}"
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
