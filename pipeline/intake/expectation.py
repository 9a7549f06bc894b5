"""Expectation: what the last release expects of the next puzzles, which is the p of their words."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from pipeline.facts.lexicon import is_common, is_in_a_list
from pipeline.opinions import constancy, estimate
from pipeline.opinions.model import Model
from pipeline.tables import columns
from pipeline.words import LIKELY, UNSAFE_FLAGS


def expected(
    record: pd.DataFrame,
    dates: Collection[str],
    lexicon: pd.DataFrame,
    offensive_words: pd.DataFrame,
    model: Model | None,
    words: pd.Series,
) -> dict[str, float]:
    """Return the p of those of some `words` that a release knows: by its record, which covers some dates, or else by
    the model.

    A word that is in no list and was never accepted was not known then, so it has none. `offensive_words` is the table
    of that name. Without a model, one is fitted.
    """
    record_of_words = record[columns.is_in(record["word"], words)]
    tried = constancy.estimate(record_of_words, dates, lexicon, offensive_words["word"].tolist())
    untried = estimated(record, lexicon, offensive_words, model, words)
    both = pd.concat([untried, tried], ignore_index=True)
    return dict(zip(both["word"].tolist(), both["p"].tolist(), strict=True))


def estimated(
    record: pd.DataFrame,
    lexicon: pd.DataFrame,
    offensive_words: pd.DataFrame,
    model: Model | None,
    words: pd.Series,
) -> pd.DataFrame:
    """Return the estimates of those of some `words` that are known and have no record, and of their families. Words
    with `UNSAFE_FLAGS` grades stay off the list."""
    accepted_words = record["word"][record["accepted"] > 0]
    is_known = is_in_a_list(lexicon) | columns.is_in(lexicon["word"], accepted_words)
    known_lexicon = lexicon[is_known].reset_index(drop=True)
    common_words = known_lexicon["word"][is_common(known_lexicon)]
    known_offensive = offensive_words[columns.is_in(offensive_words["word"], known_lexicon["word"])]
    known = estimate.estimate_input(known_lexicon, record, known_offensive.reset_index(drop=True))
    known_words = columns.sorted_words([common_words, accepted_words])
    estimates = estimate.estimate_within_limits(known, model or estimate.fit(known), known_words, needed=words)
    unsafe = offensive_words["word"][columns.is_in(offensive_words["flag"], UNSAFE_FLAGS)]
    is_unsafe = columns.is_in(estimates["word"], unsafe)
    return estimates.assign(p=estimates["p"].mask(is_unsafe, estimates["p"].clip(upper=LIKELY - 0.01)))
