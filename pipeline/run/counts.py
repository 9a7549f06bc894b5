"""Counts: the numbers that each stage reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.run.runner import Counts
from pipeline.words import TIERS


def sizes(*names: str) -> Callable[[Mapping[str, Any]], Counts]:
    """Count the rows of tables."""
    return lambda made: {name: len(made[name]) for name in names}


def merged(made: Mapping[str, Any]) -> Counts:
    """Count the days that were read and are covered, and the resulting rows."""
    told = sizes("puzzles", "candidates", "trials")(made)
    return {"puzzles": told.pop("puzzles"), "covered": len(made["settled"].covered), **told}


def decided(made: Mapping[str, Any]) -> Counts:
    """Count the words of each tier."""
    tiers = made["decisions"]["tier"].value_counts()
    return {tier: int(tiers.get(tier, 0)) for tier in TIERS}


def compared(made: Mapping[str, Any]) -> Counts:
    """Count the diffs of each side."""
    sides = made["diffs"]["side"].value_counts()
    return {side: int(sides.get(side, 0)) for side in ("missing", "extra")}


def checked(made: Mapping[str, Any]) -> Counts:
    """Count the violations."""
    severities = made["violations"]["severity"].value_counts()
    return {f"{name}s": int(severities.get(name, 0)) for name in ("error", "warning")}


def published(made: Mapping[str, Any]) -> Counts:
    """Count the words of the release, and the additions and removals."""
    cut = made["release"]
    return {"words": cut.words, "added": cut.added, "removed": cut.removed}
