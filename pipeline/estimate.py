"""Estimates: how likely the editor accepts a word that was never possible in a puzzle.

A table that anyone can check: words are put in cells by SCOWL size, frequency and whether they look foreign or like a
name, and a word's p is the share of the tried words of its cell whose last trial was accepted. A cell with few tried
words leans on its neighbours of the same size.
"""

from __future__ import annotations

import pandas as pd

from pipeline import frames
from pipeline.lexicon import NO_SIZE

LIKELY = 0.5
"""From this p on a word is more likely right than wrong, so taking it lowers the expected number of errors."""
DOUBTFUL = 0.15
"""Below this p a word is not worth a person's minute: fewer than one in six would be accepted."""
PRIOR = 10
"""How many words of the same size and suspicion a cell is mixed with, so that small cells do not shout."""

ZIPF_BANDS = (-1.0, 0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 9.9)
BAND_NAMES = (
    "never met in texts",
    "hardly ever met",
    "extremely rare",
    "very rare",
    "rare",
    "uncommon",
    "fairly common",
    "common",
)
"""wordfreq's own figures are share-alike, so what is published says the band in words."""
SUSPECT = ("foreign", "proper", "abbreviation")


def estimate(lexicon: pd.DataFrame, flags: pd.DataFrame, evidence: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    """Estimate p for those of `words` that have no trial: columns word, p (0 to 1, two decimals), basis."""
    suspect = set(flags["word"][flags["flag"].isin(SUSPECT)])
    cells = pd.DataFrame({"word": lexicon["word"], "size": lexicon["scowl_size"]})
    cells["band"] = pd.cut(lexicon["zipf"], list(ZIPF_BANDS), labels=False).astype(int)
    cells["suspect"] = cells["word"].isin(suspect)
    tried = cells.merge(evidence, on="word")
    tried["yes"] = tried["last_accepted"] > tried["last_rejected"]
    wide, narrow = ["size", "suspect"], ["size", "suspect", "band"]
    by_size = tried.groupby(wide)["yes"].mean().rename("share").reset_index()
    by_cell = tried.groupby(narrow)["yes"].agg(yes="sum", tried="size").reset_index()
    frame = cells[cells["word"].isin(set(words) - set(evidence["word"]))]
    frame = frame.merge(by_size, on=wide, how="left").merge(by_cell, on=narrow, how="left")
    frame = frame.fillna({"share": 0.0, "yes": 0, "tried": 0})
    frame["p"] = ((frame["yes"] + PRIOR * frame["share"]) / (frame["tried"] + PRIOR)).round(2)
    frame["basis"] = [_basis(row) for row in frames.rows(frame)]
    return frames.check(frame[["word", "p", "basis"]], "estimates")


def _basis(row: dict[str, object]) -> str:
    size = "in no SCOWL list" if row["size"] == NO_SIZE else f"SCOWL {row['size']}"
    looks = ", looks foreign or like a name" if row["suspect"] else ""
    return f"{size}, {BAND_NAMES[int(str(row['band']))]}{looks}"
