"""Explains one word: what a release says about it, and whether it is an answer of a puzzle. Standard library only."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.words import (
    DATES_OF_RECORD,
    LISTED,
    WORD_COLUMNS,
    Puzzle,
    decided_by,
    spells,
    verdict_sentence,
    why_unplayable,
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known about a word, with the fields of `bee why --json`.

    `tier` can also be "unplayable", or "unknown" for a word without a tier, and then `near` has words of the list that
    resemble it. `by` is what decides the tier: record, estimate, verdict or none. `pending` describes a verdict that
    the tier does not reflect yet. `record` and `verdict` are what tables say about the word, {} if they say nothing.
    `relatives` are the rows of its bases and forms in `words.csv`: word, tier and because.
    """

    word: str
    tier: str
    by: str
    because: str
    listed: bool = False
    pending: str = ""
    p: float | None = None
    flags: Sequence[str] = ()
    record: Mapping[str, Any] = field(default_factory=dict)
    verdict: Mapping[str, Any] = field(default_factory=dict)
    near: Sequence[str] = ()
    relatives: Sequence[Mapping[str, str]] = ()


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


def explain(word: str, row: Mapping[str, str], family: Sequence[Mapping[str, str]] = ()) -> Explanation:
    """Return what a release says about a word, from its row in `words.csv`, {} if it has none, and from those of its
    bases and forms."""
    row = row or dict.fromkeys(WORD_COLUMNS, "")
    return Explanation(
        word=word,
        tier=row["tier"] or "unknown",
        by=decided_by(row["kind"]) if row["tier"] else "none",
        because=row["because"] or WHY_UNKNOWN,
        listed=row["tier"] in LISTED,
        p=float(row["p"]) if row["p"] else None,
        flags=row["flags"].split(),
        record=record_of(row),
        relatives=[{name: each[name] for name in ("word", "tier", "because")} for each in family],
    )


def with_verdict(explanation: Explanation, verdict: Mapping[str, str]) -> Explanation:
    """Return an explanation with the verdict on its word, {} if there is none, and whether it waits to be applied. A
    verdict that ended with a later trial does not."""
    pending = ""
    last_trial = max((explanation.record.get(name, "") for name in DATES_OF_TRIALS), default="")
    if verdict and last_trial <= verdict["after"] and explanation.because != verdict_sentence(verdict):
        pending = f'the verdict "{verdict["verdict"]}"; `bee run` applies it'
    if not verdict and explanation.by == "verdict":
        pending = "the verdict was removed; `bee run` applies this"
    return replace(explanation, pending=pending, verdict={name: verdict[name] for name in verdict if name != "word"})


DATES_OF_TRIALS = ("last_accepted", "last_refused")


def record_of(row: Mapping[str, str]) -> dict[str, str | int]:
    """Return the record in a row of `words.csv`, with numbers for the counts; {} if no puzzle tried the word."""
    if not int(row["offered"] or 0):
        return {}
    dates = {name: row[name] for name in DATES_OF_RECORD}
    return {"offered": int(row["offered"]), "accepted": int(row["accepted"]), **dates}


WHY_UNKNOWN = "no puzzle has accepted it, and no ordinary dictionary has it"
"""Why a word has no tier."""
CLOSE = 0.8
"""Words of the list are near a word from this ratio of `difflib` on: *covenat* is near *covenant* and *convent*."""


def is_unknown(explanation: Explanation) -> bool:
    """Return whether a word has no tier and no verdict."""
    return explanation.tier == "unknown" and not explanation.verdict


OTHER_SPELLINGS = (
    ("re", "er"), ("our", "or"), ("ise", "ize"), ("isa", "iza"), ("isi", "izi"), ("yse", "yze"), ("ae", "e"),
    ("oe", "e"), ("ogue", "og"), ("ence", "ense"), ("ll", "l"),
)  # fmt: skip
"""Differences between British and American spellings."""


def near_misses(word: str, listed: Sequence[str]) -> list[str]:
    """Return the words of the list that are another spelling of a word or, if there are none, up to three that resemble
    it, the most similar one first.

    >>> near_misses("covenat", ["covenant", "convent", "octave"])
    ['covenant', 'convent']
    >>> near_misses("fibre", ["fiber", "fire"])
    ['fiber']
    """
    spellings = {american.join(word.rsplit(british, 1)) for british, american in OTHER_SPELLINGS}
    if found := sorted((spellings - {word}).intersection(listed)):
        return found
    return difflib.get_close_matches(word, listed, cutoff=CLOSE)


def check_answer(explanation: Explanation, puzzle: Puzzle, letters: str) -> Judgment:
    """Return whether a word is an answer of a puzzle. `letters` are the letters as the user typed them."""
    rule = _rule_of_puzzle_broken(explanation.word, puzzle)
    if rule:
        return Judgment(False, f"it breaks a rule: {rule}", letters)
    if explanation.listed:
        return Judgment(True, explanation.because, letters)
    return Judgment(False, explanation.because, letters)


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
    if explanation.p is not None:
        lines.append(f"  p          {explanation.p:.2f}, its chance to be accepted the next time")
    record = explanation.record
    if record:
        dates = f"first {record['first_accepted'] or 'never'}, last {record['last_accepted'] or 'never'}"
        refused = f"last refused {record['last_refused'] or 'never'}"
        lines.append(f"  record     accepted {record['accepted']} of {record['offered']}: {dates}, {refused}")
    if explanation.flags:
        lines.append(f"  flags      {', '.join(explanation.flags)}")
    lines += [f"  relative   {row['word']}: {row['tier']}, {row['because']}" for row in explanation.relatives]
    if explanation.verdict:
        lines.append(f"  verdict    {', '.join(f'{name} {cell}' for name, cell in explanation.verdict.items())}")
    return "\n".join(lines)
