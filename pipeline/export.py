"""Export: the list in the form that another program wants, chosen by tier, length and manners."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

import pandas as pd

from pipeline import frames
from pipeline.decide import TIERS
from pipeline.flag import OFFENSIVE
from pipeline.words import BeeError


class ExportError(BeeError):
    """What is asked for does not exist, or nothing is left of the list."""


def choose(words: pd.DataFrame, tiers: Iterable[str], safe: bool, min_length: int) -> pd.DataFrame:
    """Choose rows of `words.csv` (all cells text): by tier, without words flagged offensive when `safe`, by length."""
    tiers = list(tiers)
    if unknown := [tier for tier in tiers if tier not in TIERS]:
        raise ExportError(f'"{unknown[0]}" is no tier; there are {", ".join(TIERS)}.')
    rude = words["flags"].map(lambda codes: bool(set(codes.split()) & set(OFFENSIVE))).astype(bool)
    chosen = words[words["tier"].isin(tiers) & (words["word"].str.len() >= min_length) & ~(rude & safe)]
    if chosen.empty:
        raise ExportError("No word is left after this choice.")
    return chosen.sort_values("word", ignore_index=True)


def score(row: dict[str, str]) -> int:
    """Rate a word from 0 to 100, as crossword lists do: 100 accepted at its last trial, else p, 0 refused."""
    if row["tier"] == "core":
        return 100
    return round(100 * float(row["p"] or 0))


def _lines(words: Iterable[str]) -> str:
    return "".join(f"{word}\n" for word in words)


FORMATS: dict[str, Callable[[pd.DataFrame], str]] = {
    "txt": lambda chosen: _lines(chosen["word"]),
    "TXT": lambda chosen: _lines(chosen["word"].str.upper()),
    "csv": lambda chosen: frames.csv_bytes(chosen).decode(),
    "json": lambda chosen: json.dumps(chosen["word"].tolist()) + "\n",
    "jsonl": lambda chosen: _lines(json.dumps(row) for row in frames.rows(chosen)),
    "scored": lambda chosen: _lines(f"{row['word'].upper()};{score(row)}" for row in frames.rows(chosen)),
}
"""txt: one word a line; TXT: in upper case; csv and jsonl: with tier, p, record, flags, because; json: one list;
scored: `WORD;SCORE`, 0 to 100."""
