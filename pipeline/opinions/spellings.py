"""Spellings: which words are unusual, so that more p is asked of them: British spellings, variants of which another
spelling is more common, and names with little other sense."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions.bounds import variants
from pipeline.opinions.catalog import above_all_a_name
from pipeline.tables import columns

MIN_VARIANT_LEVEL = 2
"""The level of SCOWL's variants from which a spelling can be unusual. Level 1 is as usual as another, level 3 is hardly
used, and level 2 means seldom used or equal; so the frequencies of the spellings decide."""
_PLURAL_ENDINGS = ("s", "i", "ae", "a", "men", "im", "eaux")


def unusual(lexicon: pd.DataFrame, below_limit: Collection[str]) -> pd.Series:
    """Return for each row of the lexicon whether the word is unusual, or a form of an unusual word that is not listed.

    `below_limit` are the words whose p is too low for an unusual word.
    """
    british = lexicon["scowl_british"] < lexicon["scowl_size"]
    name = above_all_a_name(lexicon) & (lexicon["lemma"] == "")
    is_unusual = british | name | _less_common(lexicon)
    not_listed = lexicon["word"][is_unusual & columns.among(lexicon["word"], below_limit)]
    is_form = columns.among(lexicon["lemma"], not_listed) & (lexicon["wordnet_senses"] == 0)
    return is_unusual | is_form


def _less_common(lexicon: pd.DataFrame) -> pd.Series:
    """Return which variants are less common than another spelling, or than another form of the same kind."""
    word, lemma, zipf = lexicon["word"], lexicon["lemma"], lexicon["zipf"]
    variant = (lexicon["scowl_size"] == NO_SIZE) & (lexicon["scowl_variant_level"] >= MIN_VARIANT_LEVEL)
    usual_spelling = columns.look_up(word, variants(lexicon).set_index("variant")["usual"], "")
    usual_zipf = columns.look_up(usual_spelling, lexicon.set_index("word")["zipf"], 0.0)
    kind = np.select([word.str.endswith("ing"), word.str.endswith(_PLURAL_ENDINGS)], ["participle", "plural"], "past")
    highest_zipf_of_forms = zipf.groupby([lemma, kind]).transform("max").where(lemma != "", 0.0)
    return variant & (np.maximum(usual_zipf, highest_zipf_of_forms) > zipf)
