"""Finds words that need a p above `LIKELY` to be listed, because people rarely use them.

They are unusual spellings (British ones, and variants that are less common than another spelling), words that are
mostly names, the forms of all these, and comparatives that the lists have but nobody says (*silentest*, *cheerfuller*).
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions.catalog import above_all_a_name
from pipeline.tables import columns, frames

MIN_VARIANT_LEVEL = 2
"""The level of SCOWL's variants from which a spelling can be unusual. A variant of level 1 is as usual as another
spelling, one of level 3 is hardly used, and level 2 can mean either. So the frequencies of the spellings decide."""
_ENDINGS_OF_PLURALS = ("s", "i", "ae", "a", "men", "im", "eaux")
_ADJECTIVES_WITH_ENDINGS = ("y", "ie", "ow")
"""The endings of longer adjectives that take -er and -est: *happier*, *eerier*, *narrower*."""
_SYLLABLE = "[aeiouy]+"


def unusual_words(lexicon: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the table `unusual_words`: columns word, kind, base. `pairs` are the spellings of `bounds.variants`.

    The kind is `unusual`; or `form`, for a form of the unusual word `base` that has no sense of its own; or `unsaid`,
    for a comparative or superlative that nobody says.
    """
    unusual = _is_unusual(lexicon, pairs)
    has_unusual_base = columns.is_in(lexicon["lemma"], lexicon["word"][unusual])
    is_form = has_unusual_base & (lexicon["wordnet_senses"] == 0) & ~unusual
    parts = [
        lexicon[["word"]][unusual].assign(kind="unusual", base=""),
        lexicon[["word", "lemma"]][is_form].rename(columns={"lemma": "base"}).assign(kind="form"),
        lexicon[["word"]][_is_unsaid(lexicon)].assign(kind="unsaid", base=""),
    ]
    return frames.check(pd.concat(parts, ignore_index=True), "unusual_words")


def _is_unusual(lexicon: pd.DataFrame, pairs: pd.DataFrame) -> pd.Series:
    """Return which words are British, less common than another spelling, or mostly a name."""
    is_british = lexicon["scowl_british"] < lexicon["scowl_size"]
    is_name = above_all_a_name(lexicon) & (lexicon["lemma"] == "")
    return is_british | is_name | _is_less_common(lexicon, pairs)


def _is_less_common(lexicon: pd.DataFrame, pairs: pd.DataFrame) -> pd.Series:
    """Return which variants are less common than another spelling, or than another form of the same kind."""
    is_variant = (lexicon["scowl_size"] == NO_SIZE) & (lexicon["scowl_variant_level"] >= MIN_VARIANT_LEVEL)
    zipf_of = lexicon.set_index("word")["zipf"]
    usual_spelling_of = pairs.set_index("variant")["usual"]
    usual_spelling = columns.look_up(lexicon["word"], usual_spelling_of, "")
    zipf_of_usual = columns.look_up(usual_spelling, zipf_of, 0.0)
    kind = np.select(
        [lexicon["word"].str.endswith("ing"), lexicon["word"].str.endswith(_ENDINGS_OF_PLURALS)],
        ["participle", "plural"],
        "past",
    )
    of_same_kind = lexicon["zipf"].groupby([lexicon["lemma"], kind])
    most_of_same_kind = of_same_kind.transform("max").where(lexicon["lemma"] != "", 0.0)
    return is_variant & (np.maximum(zipf_of_usual, most_of_same_kind) > lexicon["zipf"])


def _is_unsaid(lexicon: pd.DataFrame) -> pd.Series:
    """Return which words are comparatives or superlatives that never occur in texts and whose base has more than one
    syllable and takes *more* and *most*.

    Un- does not count as a syllable, because *unkinder* is formed like *kinder*.
    """
    base = lexicon["lemma"]
    compares = lexicon["word"].str.endswith(("er", "est")) & (base != "")
    candidates = lexicon[compares & (lexicon["wordnet_senses"] == 0) & (lexicon["zipf"] == 0)]
    base = candidates["lemma"]
    spoken = base.str.replace("^un", "", regex=True).str.replace("e$", "", regex=True)
    is_long = spoken.str.count(_SYLLABLE) > 1
    part_of_speech = columns.look_up(base, lexicon.set_index("word")["wordnet_pos"], "")
    takes_more = part_of_speech.str.contains("a") & ~base.str.endswith(_ADJECTIVES_WITH_ENDINGS)
    return (is_long & takes_more).reindex(lexicon.index, fill_value=False)
