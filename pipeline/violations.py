"""Violations: conditions that must not occur, and the rules that name them.

An `error` stops a publish; a `warning` is for a person to review. Rules of scope `capture` are about files that were
read on this computer. Rules of scope `release` depend only on files in the repository, so every clone gives the same
result.

`publishing/check.py` has all rules, each with the function that checks it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the catalog: id, severity (`error` or `warning`), scope, and a sentence that describes it."""

    id: str
    severity: str
    scope: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation that was found: the id of its rule, its subject, and the details."""

    rule: str
    subject: str
    detail: str
