"""About one word: what a release knows of it, whether it is an answer of a puzzle, and all that as text.

A *trail* is a dictionary: word, tier, by (evidence, estimate, verdict, none), because, listed, pending, lists, record,
flags, relatives, p, basis, verdict. `about` makes it of a release alone; `opinions.why` has it from a workspace, with
lists and relatives. Standard library only.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import Any

from pipeline import reader
from pipeline.words import KINDS_BY_TRIAL, LISTED, WORD_COLUMNS, Puzzle, Reason, rule_broken, spells

Trail = dict[str, Any]
FILES = ("words.csv", "flags.csv")
"""The files of a release that `about` reads."""


def about(word: str, release: reader.Release, evidence: bytes) -> Trail:
    """Collect what a release knows of a word; `evidence` is `evidence.csv` beside it, or nothing."""
    row: Mapping[str, str] = dict.fromkeys(WORD_COLUMNS, "")
    for found in reader.word_rows(release.files["words.csv"], accepts_line=lambda line: line.startswith(f"{word},")):
        row = found
    kind = row["kind"]
    by = kind if kind == "verdict" else "evidence" if kind in KINDS_BY_TRIAL else "estimate" if row["tier"] else "none"
    record = {name: cell for name, cell in _row(evidence, word).items() if name not in ("word", "vouched")}
    told = {flag["flag"]: flag for flag in _rows(release.files["flags.csv"], word) if flag.pop("word")}
    flags = [told.get(name, {"flag": name, "severity": "", "detail": ""}) for name in row["flags"].split()]
    p, basis, verdict = None, "", {}
    if kind == "estimate":
        reason = Reason.decode(kind, row["details"])
        p, basis = reason.p, ", ".join(reason.phrases)
    elif kind == "verdict":
        reason = Reason.decode(kind, row["details"])
        verdict = dict(zip(("verdict", "by", "on", "reason"), reason.values, strict=True))
    return {
        "word": word,
        "tier": row["tier"] or "unknown",
        "by": by,
        "because": row["because"] or unknown(word),
        "listed": row["tier"] in LISTED,
        "pending": "",
        "lists": {},
        "record": {name: int(cell) if name in ("offered", "accepted") else cell for name, cell in record.items()},
        "flags": flags,
        "relatives": [],
        "p": p,
        "basis": basis,
        "verdict": verdict,
    }


def _rows(table: bytes, word: str) -> list[dict[str, str]]:
    """Return the rows of a table of words with this word; comments before its header are left out."""
    lines = [line for line in table.decode("utf-8-sig").splitlines() if not line.startswith("#")]
    return list(csv.DictReader([*lines[:1], *(line for line in lines[1:] if line.startswith(f"{word},"))]))


def _row(table: bytes, word: str) -> dict[str, str]:
    return next(iter(_rows(table, word)), {})


def unknown(word: str) -> str:
    """Say why a word has no tier.

    >>> unknown("cab"), unknown("covenanto").partition(":")[0]
    ('no word of a puzzle: too short', 'we do not know this word')
    """
    if rule := rule_broken(word):
        return f"no word of a puzzle: {rule}"
    return "we do not know this word: no puzzle accepted it, and no list makes it likely"


def answer(trail: Mapping[str, Any], asked: Puzzle) -> tuple[bool, str]:
    """Return whether a word is an answer of a puzzle, and the rule or judgment that decides."""
    word = trail["word"]
    if rule := rule_broken(word):
        return False, f"it breaks a rule: {rule}"
    if not spells(asked, word):
        foreign = sorted(set(word) - set(asked.letters))
        lacks = f"it needs {', '.join(foreign)}" if foreign else f"it lacks the center letter {asked.center}"
        return False, f"it breaks a rule: {lacks}"
    if trail["listed"]:
        return True, trail["because"]
    reasons = {"evidence": "refused before", "estimate": "not likely enough", "verdict": "dropped by a person"}
    named = reasons.get(trail["by"], "unknown")
    flagged = ", ".join(flag["flag"] for flag in trail["flags"])
    return False, f"{named}: {trail['because']}" + (f"; flagged {flagged}" if flagged else "")


def text(trail: Trail) -> str:
    """Write the result for reading."""
    lines = [f"{trail['word']}: {trail['tier']}, by {trail['by']}", f"  because    {trail['because']}"]
    if trail["pending"]:
        lines.append(f"  not yet    {trail['pending']}")
    if "answer" in trail:
        lines.append(f"  in {trail['letters']}: {'yes' if trail['answer'] else 'no'}, {trail['answer_because']}")
    record = trail["record"]
    if record:
        dates = f"first {record['first_accepted'] or 'never'}, last {record['last_accepted'] or 'never'}"
        refused = f"last refused {record['last_rejected'] or 'never'}"
        lines.append(f"  record     accepted {record['accepted']} of {record['offered']}: {dates}, {refused}")
    else:
        lines.append("  record     never tried")
    for other in trail["relatives"]:
        lines.append(
            f"  relative   {other['word']} ({other['relation']}): accepted {other['accepted']} of {other['offered']}"
        )
    if trail["p"] is not None:
        lines.append(f"  estimate   p = {trail['p']:.2f}: {trail['basis']}")
    for flag in trail["flags"]:
        lines.append(
            f"  flag       {flag['flag']}" + f" ({flag['severity']}): {flag['detail']}" * bool(flag["severity"])
        )
    lines += [f"  list       {name}: {entry}" for name, entry in trail["lists"].items()]
    if trail["verdict"]:
        lines.append(f"  verdict    {', '.join(f'{name} {cell}' for name, cell in trail['verdict'].items())}")
    return "\n".join(lines)
