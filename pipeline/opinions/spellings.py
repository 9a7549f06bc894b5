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

RARE = 2
"""The level of SCOWL's variants from which a spelling can be unusual. Level 1 is as usual as another, level 3 is hardly
used, and level 2 means seldom used or equal; so the frequencies of the spellings decide."""
_ENDINGS_OF_PLURALS = ("s", "i", "ae", "a", "men", "im", "eaux")


def unusual(lexicon: pd.DataFrame, held: Collection[str]) -> pd.Series:
    """Return for each row of the lexicon whether the word is unusual, or a form of an unusual word that is `held`."""
    british = lexicon["scowl_british"] < lexicon["scowl_size"]
    name = above_all_a_name(lexicon) & (lexicon["lemma"] == "")
    found = british | name | _less_common(lexicon)
    of_a_held_word = columns.among(lexicon["lemma"], lexicon["word"][found & columns.among(lexicon["word"], held)])
    return found | (of_a_held_word & (lexicon["wordnet_senses"] == 0))


def _less_common(lexicon: pd.DataFrame) -> pd.Series:
    """Return which variants are less common than another spelling, or than another form of the same kind."""
    variant = (lexicon["scowl_size"] == NO_SIZE) & (lexicon["scowl_variant_level"] >= RARE)
    zipf = lexicon.set_index("word")["zipf"]
    usual = variants(lexicon).set_index("variant")["usual"]
    other = columns.look_up(columns.look_up(lexicon["word"], usual, ""), zipf, 0.0)
    kind = np.select(
        [lexicon["word"].str.endswith("ing"), lexicon["word"].str.endswith(_ENDINGS_OF_PLURALS)],
        ["participle", "plural"],
        "past",
    )
    most = lexicon["zipf"].groupby([lexicon["lemma"], kind]).transform("max").where(lexicon["lemma"] != "", 0.0)
    return variant & (np.maximum(other, most) > lexicon["zipf"])
