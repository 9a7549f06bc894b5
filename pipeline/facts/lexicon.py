"""The lexicon: one row per word, one column per attribute, each named after the list that it comes from.

Sizes are SCOWL's, 10 to 95, or `NO_SIZE`; Zipf frequencies are log10 of the occurrences in a billion words, or 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

import numpy as np
import pandas as pd

from pipeline.facts.endings import NO_SIZE as NO_SIZE
from pipeline.facts.forms import lemmas
from pipeline.facts.lists import DEFAULTS, OWN, attributes
from pipeline.tables import columns, frames

LARGEST = 80
"""The SCOWL size up to which a word that WordNet does not have may be the base of others."""
ABROAD = ("es", "fr", "it", "de", "pt", "nl")
"""Languages in Latin script with a large wordfreq list, from which English borrows the most words."""


def read_frequencies(listed: Iterable[str]) -> pd.DataFrame:
    """Read wordfreq for the words of the lists and all playable words of English texts: columns word, zipf, zipf_abroad
    (the highest of `ABROAD`), language (that one)."""
    import wordfreq

    names = ["en", *sorted(ABROAD, reverse=True)]
    for row, name in enumerate(names):
        bins = wordfreq.get_frequency_list(name, wordlist="large")
        wordfreq.get_frequency_list.cache_clear()  # each list takes as much memory as all tables together
        met, sizes = pd.Series(list(chain(*bins)), dtype="str"), [len(alike) for alike in bins]
        del bins
        if not row:
            words = pd.Series(sorted({*met[columns.is_playable(met)].tolist(), *listed}), dtype="str")
            zipf = np.zeros((len(names), len(words)))
        place = columns.positions(met, words)
        zipf[row, place[place >= 0]] = np.repeat([_zipf(at) for at in range(len(sizes))], sizes)[place >= 0]
    most, languages = zipf[1:].max(axis=0), np.array(names[1:])[zipf[1:].argmax(axis=0)]
    cells = {"word": words, "zipf": zipf[0], "zipf_abroad": most, "language": np.where(most > 0, languages, "")}
    return frames.check(pd.DataFrame(cells), "frequencies")


def _zipf(centibels: int) -> float:
    """Return the Zipf frequency of a bin of wordfreq; the number of a bin is the negative frequency in centibels."""
    from wordfreq import cB_to_freq, freq_to_zipf

    return float(freq_to_zipf(cB_to_freq(-centibels)))


def join_lists(tables: Mapping[str, pd.DataFrame], own: pd.Series | None = None) -> pd.DataFrame:
    """Join the lists, as in `lists.tables`, and `own`, as `own_lists.own_column` makes it, to the lexicon without
    frequencies."""
    own = pd.Series(dtype="str") if own is None else own
    attributes_of = {**attributes(tables), OWN: own}
    words = sorted({word for table in tables.values() for word in table["word"].tolist()}.union(own.index.tolist()))
    frame = pd.DataFrame({"word": words})
    for name, default in DEFAULTS.items():
        frame[name] = columns.look_up(frame["word"], attributes_of[name], default)
    return frame


def with_frequencies(joined: pd.DataFrame, frequencies: pd.DataFrame) -> pd.DataFrame:
    """Add frequencies to the joined lists, and the base of each form for which the lists name none.

    A word with a sense of its own in WordNet is no form of a word of larger lists: *tiger* is not made from *tige*.
    """
    known = frequencies.set_index("word")
    added = {name: columns.look_up(joined["word"], known[name], default) for name, default in _FREQUENCY.items()}
    frame = joined.assign(**added)
    bases = frame[(frame["scowl_size"] <= LARGEST) | (frame["wordnet_senses"] > 0)]
    found = lemmas(frame["word"], bases)
    size = columns.look_up(found, frame.set_index("word")["scowl_size"], 0)
    found = found.mask((size > frame["scowl_size"]) & (frame["wordnet_senses"] > 0), "")
    return frames.check(frame.assign(lemma=frame["lemma"].where(frame["lemma"] != "", found)), "lexicon")


_FREQUENCY = {"zipf": 0.0, "zipf_abroad": 0.0, "language": ""}


def find_unlisted_words(lexicon: pd.DataFrame, frequencies: pd.DataFrame, answered: Iterable[str]) -> pd.DataFrame:
    """Make rows of the lexicon for answers of puzzles that occur in English texts but are in no list."""
    answers = pd.Series(list(answered), dtype="str")
    absent = answers[~columns.is_in(answers, lexicon["word"])]
    rows = frequencies[columns.is_in(frequencies["word"], absent) & (frequencies["zipf"] > 0)]
    defaults = pd.DataFrame(dict(DEFAULTS), index=rows.index)
    return frames.check(pd.concat([rows, defaults], axis=1), "unlisted_words")


def join_vocabulary(parts: Iterable[pd.DataFrame], contract: str = "vocabulary") -> pd.DataFrame:
    """Combine the lexicon and the words that no list has in one table, A to Z, with the columns of a contract."""
    return frames.check(pd.concat(parts, ignore_index=True), contract)


def is_in_a_list(lexicon: pd.DataFrame) -> pd.Series:
    """Return for each row whether any list has the word in any form; a word that only wordfreq has is not listed."""
    return (lexicon[list(DEFAULTS)] != pd.Series(DEFAULTS)).any(axis=1)


def is_common(lexicon: pd.DataFrame) -> pd.Series:
    """Return for each row whether a list has the word as a common word: not only as a name or an abbreviation."""
    common = ["scowl_size", "scowl_british", "scowl_variant", "scowl_special"]
    ours = lexicon["modern"] | (lexicon[OWN] != "")
    return (lexicon[common].min(axis=1) < NO_SIZE) | (lexicon["wordnet_senses"] > 0) | ours
