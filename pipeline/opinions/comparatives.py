"""Comparatives: forms in -er and -est that nobody says, although the lists have them (*silentest*, *cheerfuller*)."""

from __future__ import annotations

import pandas as pd

from pipeline.tables import columns

_TAKE_ENDINGS = ("y", "ie", "ow")
"""Ends of longer adjectives that take -er and -est: *happier*, *eerier*, *narrower*."""
_VOWELS = "[aeiouy]+"
"""The vowels of one syllable."""


def unused_comparatives(lexicon: pd.DataFrame) -> pd.Series:
    """Return for each row of the lexicon whether it is a comparative or superlative that was never met in texts, of a
    base of more than one syllable that takes *more* and *most*.

    Un- does not count as a syllable: *unkinder* is said like *kinder*.
    """
    base = lexicon["lemma"]
    compares = lexicon["word"].str.endswith(("er", "est")) & (base != "") & (lexicon["wordnet_senses"] == 0)
    sounded = base.str.removeprefix("un").str.removesuffix("e")
    has_syllables = sounded.str.count(_VOWELS) > 1
    base_part_of_speech = columns.look_up(base, lexicon.set_index("word")["wordnet_pos"], "")
    takes_more = base_part_of_speech.str.contains("a") & ~base.str.endswith(_TAKE_ENDINGS)
    return compares & takes_more & has_syllables & (lexicon["zipf"] == 0)
