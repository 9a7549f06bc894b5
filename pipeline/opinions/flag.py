"""Flags: rules that mark words. A `strong` flag predicts refusal, a `fair` flag suggests it, and a `note` only
explains. Flags do not decide about tried words; the record does."""

from __future__ import annotations

import pandas as pd

from pipeline.facts.lexicon import is_common
from pipeline.opinions.catalog import FLAGS, Flag
from pipeline.tables import frames
from pipeline.words import OFFENSIVE


def flag(lexicon: pd.DataFrame, offensive_words: pd.DataFrame) -> pd.DataFrame:
    """Return the flags of every common word of the lexicon and of the offensive words: columns word, flag, severity,
    detail. A word has at most one offensive flag, which is its grade."""
    is_word = is_common(lexicon) | (lexicon["zipf"] > 0)
    tables = [_marked(lexicon, is_word, rule) for rule in FLAGS if rule.id not in OFFENSIVE]
    severity = {rule.id: rule.severity for rule in FLAGS}
    tables.append(offensive_words.assign(severity=offensive_words["flag"].map(severity)))
    return frames.check(pd.concat(tables), "flags")


def _marked(lexicon: pd.DataFrame, is_word: pd.Series, rule: Flag) -> pd.DataFrame:
    """Return the words that a flag marks: columns word, flag, severity, detail."""
    marked = lexicon[is_word & rule.marks(lexicon)] if rule.marks else lexicon[:0]
    return pd.DataFrame(
        {"word": marked["word"], "flag": rule.id, "severity": rule.severity, "detail": rule.detail(marked)}
    )
