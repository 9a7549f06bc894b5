"""Decide: a person's verdict, else the record, else the estimate puts each word in a tier, and says why.

Tiers: `core` (last trial accepted, or a person keeps it), `likely` (never tried, p at or above `LIKELY`), `review`
(never tried and doubtful, or accepted on one source's word only), `refused`. The word list is core and likely.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from pipeline import frames
from pipeline.estimate import DOUBTFUL, LIKELY

TIERS = ("core", "likely", "review", "refused")
LISTED = ("core", "likely")


def decide(
    candidates: pd.DataFrame,
    evidence: pd.DataFrame,
    estimates: pd.DataFrame,
    flags: pd.DataFrame,
    verdicts: pd.DataFrame,
) -> pd.DataFrame:
    """Give every candidate, and every word with a verdict, its tier: columns word, tier, by, because.

    Of all flags only `slur` decides anything, and only on words that were never tried: no list of ours offers a slur
    that the editor never accepted.
    """
    slurs = set(flags["word"][flags["flag"] == "slur"])
    known = set(candidates["word"][candidates["known"]])
    decided: dict[str, tuple[str, str, str]] = {}
    for row in frames.rows(estimates):
        decided[row["word"]] = _by_estimate(row["p"], row["basis"])
        if row["word"] in slurs:
            decided[row["word"]] = ("refused", "estimate", "never tried, and a slur, which is never taken unseen")
    for row in frames.rows(evidence):
        decided[row["word"]] = _by_evidence(row, row["word"] in known)
    for row in frames.rows(verdicts):
        tier = "core" if row["verdict"] == "keep" else "refused"
        decided[row["word"]] = (tier, "verdict", f"{row['verdict']}, says {row['by']} on {row['on']}: {row['reason']}")
    frame = pd.DataFrame(
        [(word, *decision) for word, decision in decided.items()], columns=["word", "tier", "by", "because"]
    )
    return frames.check(frame, "decisions")


def _by_evidence(row: Mapping[str, Any], known: bool) -> tuple[str, str, str]:
    """Let the last trial decide, unless one source alone ever vouched, once, for a word that no list knows."""
    record = f"accepted {row['accepted']} of {row['offered']} times"
    if row["last_accepted"] > row["last_rejected"]:
        if row["accepted"] == 1 and row["vouched"] == 1 and not known:
            return (
                "review",
                "evidence",
                f"{record}, by one source on {row['last_accepted']}, and no list knows it: waits for a second witness",
            )
        return "core", "evidence", f"{record}, last on {row['last_accepted']}"
    return "refused", "evidence", f"{record}, refused at its last trial on {row['last_rejected']}"


def _by_estimate(p: float, basis: str) -> tuple[str, str, str]:
    tier = "likely" if p >= LIKELY else "review" if p >= DOUBTFUL else "refused"
    return tier, "estimate", f"never tried; p = {p:.2f}: {basis}"
