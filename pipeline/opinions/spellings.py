"""Spellings: variant and British spellings with their usual American spelling, and kinds that are never accepted."""

from __future__ import annotations

import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.tables import columns

USUAL = 60
"""The SCOWL size up to which a word is in ordinary dictionaries; links to rarer words are mostly accidental."""

SPELLINGS = (
    ("ise", "ize"),
    ("isi", "izi"),
    ("yse", "yze"),
    ("ysi", "yzi"),
    ("our", "or"),
    ("re", "er"),
    ("ae", "e"),
    ("oe", "e"),
    ("ogue", "og"),
    ("ence", "ense"),
    ("ll", "l"),
    ("ss", "s"),
    ("tt", "t"),
    ("pp", "p"),
    ("gg", "g"),
    ("ie", "y"),
    ("ey", "y"),
    ("oes", "os"),
    ("ck", "c"),
    ("k", "c"),
    ("y", "i"),
)
"""The differences between two spellings of a word, in either direction, most significant pair first."""

ENOUGH = 3
"""If at least this many variants of a kind were tried and all were refused, untried variants of the kind are
limited."""


def variants(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Pair spellings that SCOWL calls variant or British with a usual American spelling: columns variant, usual,
    differs."""
    elsewhere = lexicon[["scowl_variant", "scowl_british"]].min(axis=1)
    marked = lexicon["word"][(elsewhere < NO_SIZE) & (lexicon["scowl_size"] > USUAL)]
    usual = set(lexicon["word"][lexicon["scowl_size"] <= USUAL].tolist())
    rows = [(word, *found) for word in marked.tolist() if (found := _usual_spelling(word, usual))]
    return pd.DataFrame(rows, columns=["variant", "usual", "differs"], dtype="str")


def most(pairs: pd.DataFrame, evidence: pd.DataFrame) -> dict[str, float]:
    """Return the maximum p of untried variants of kinds of which every tried variant was refused.

    After n trials without success the next one succeeds with probability 1 / (n + 2): Laplace's rule of succession.
    """
    tried = columns.among(pairs["variant"], evidence["word"])
    accepted = columns.among(pairs["variant"], evidence["word"][evidence["accepted"] > 0])
    counts = pairs.assign(accepted=accepted)[tried].groupby("differs")["accepted"].agg(["size", "sum"])
    never = counts[(counts["size"] >= ENOUGH) & (counts["sum"] == 0)]["size"]
    untried = pairs[~tried & columns.among(pairs["differs"], never.index)]
    return {
        variant: 1 / (int(never[kind]) + 2)
        for variant, kind in zip(untried["variant"], untried["differs"], strict=True)
    }


def _usual_spelling(word: str, usual: set[str]) -> tuple[str, str] | None:
    for pair in SPELLINGS:
        for here, there in (pair, pair[::-1]):
            at = word.find(here, 1)
            while at >= 0:
                if (other := word[:at] + there + word[at + len(here) :]) in usual:
                    return other, f"-{here}, -{there}"
                at = word.find(here, at + 1)
    return None
