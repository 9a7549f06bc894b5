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

MAX_BASE_SIZE = 80
"""The SCOWL size up to which a word that WordNet does not have may be the base of others."""
FOREIGN_LANGUAGES = ("es", "fr", "it", "de", "pt", "nl")
"""Languages in Latin script with a large wordfreq list, from which English borrows the most words."""


def read_frequencies(words_of_lists: Iterable[str]) -> pd.DataFrame:
    """Read wordfreq for the words of the lists and all playable words of English texts: columns word, zipf, zipf_abroad
    (the highest of `FOREIGN_LANGUAGES`), language (that one)."""
    english = _read_wordfreq("en")
    playable_words = english.index[columns.is_playable(english.index)]
    words = pd.Series(sorted({*playable_words, *words_of_lists}), dtype="str")
    zipf_abroad = np.zeros(len(words))
    language = np.full(len(words), "", dtype=object)
    for name in sorted(FOREIGN_LANGUAGES, reverse=True):
        zipf = columns.look_up(words, _read_wordfreq(name), 0.0).to_numpy()
        is_highest = zipf > zipf_abroad
        zipf_abroad[is_highest] = zipf[is_highest]
        language[is_highest] = name
    cells = {
        "word": words,
        "zipf": columns.look_up(words, english, 0.0),
        "zipf_abroad": zipf_abroad,
        "language": language,
    }
    return frames.check(pd.DataFrame(cells), "frequencies")


def _read_wordfreq(language: str) -> pd.Series:
    """Return the Zipf frequency of each word that wordfreq has for a language; the index is the word.

    wordfreq has its words in bins, and the number of a bin is the negative frequency in centibels.
    """
    import wordfreq

    bins = wordfreq.get_frequency_list(language, wordlist="large")
    wordfreq.get_frequency_list.cache_clear()  # each list takes as much memory as all tables together
    zipf_of_bins = [wordfreq.freq_to_zipf(wordfreq.cB_to_freq(-number)) for number in range(len(bins))]
    zipf = np.repeat(zipf_of_bins, [len(words) for words in bins])
    return pd.Series(zipf, index=list(chain(*bins)))


def join_lists(tables: Mapping[str, pd.DataFrame], own: pd.Series | None = None) -> pd.DataFrame:
    """Join the lists, as in `lists.tables`, and `own`, as `own_lists.own_column` makes it, to the lexicon without
    frequencies."""
    own = pd.Series(dtype="str") if own is None else own
    attributes_of = {**attributes(tables), OWN: own}
    words = set(own.index)
    for table in tables.values():
        words.update(table["word"])
    frame = pd.DataFrame({"word": sorted(words)})
    for name, default in DEFAULTS.items():
        frame[name] = columns.look_up(frame["word"], attributes_of[name], default)
    return frame


def add_frequencies(joined: pd.DataFrame, frequencies: pd.DataFrame) -> pd.DataFrame:
    """Add frequencies to the joined lists, and the base of each form for which the lists name none.

    A word with a sense of its own in WordNet is no form of a word of larger lists: *tiger* is not made from *tige*.
    """
    by_word = frequencies.set_index("word")
    frame = joined.copy()
    for name, default in (("zipf", 0.0), ("zipf_abroad", 0.0), ("language", "")):
        frame[name] = columns.look_up(frame["word"], by_word[name], default)
    possible_bases = frame[(frame["scowl_size"] <= MAX_BASE_SIZE) | (frame["wordnet_senses"] > 0)]
    bases = lemmas(frame["word"], possible_bases)
    size_of_base = columns.look_up(bases, frame.set_index("word")["scowl_size"], 0)
    has_rarer_base = (size_of_base > frame["scowl_size"]) & (frame["wordnet_senses"] > 0)
    bases = bases.mask(has_rarer_base, "")
    frame["lemma"] = frame["lemma"].where(frame["lemma"] != "", bases)
    return frames.check(frame, "lexicon")


def find_unlisted_words(lexicon: pd.DataFrame, frequencies: pd.DataFrame, answered: Iterable[str]) -> pd.DataFrame:
    """Return rows of the lexicon for answers of puzzles that occur in English texts but are in no list."""
    answers = pd.Series(list(answered), dtype="str")
    absent = answers[~columns.is_in(answers, lexicon["word"])]
    rows = frequencies[columns.is_in(frequencies["word"], absent) & (frequencies["zipf"] > 0)]
    defaults = pd.DataFrame(dict(DEFAULTS), index=rows.index)
    return frames.check(pd.concat([rows, defaults], axis=1), "unlisted_words")


def join_vocabulary(parts: Iterable[pd.DataFrame], contract: str = "vocabulary") -> pd.DataFrame:
    """Combine the lexicon and the words that no list has in one table, A to Z, with the columns of a contract."""
    return frames.check(pd.concat(parts, ignore_index=True), contract)


def is_in_a_list(lexicon: pd.DataFrame) -> pd.Series:
    """Return for each row whether any list has the word in any form; wordfreq does not count as a list."""
    return (lexicon[list(DEFAULTS)] != pd.Series(DEFAULTS)).any(axis=1)


def is_common(lexicon: pd.DataFrame) -> pd.Series:
    """Return for each row whether a list has the word as a common word: not only as a name or an abbreviation."""
    sizes = lexicon[["scowl_size", "scowl_british", "scowl_variant", "scowl_special"]]
    in_scowl = sizes.min(axis=1) < NO_SIZE
    in_wordnet = lexicon["wordnet_senses"] > 0
    in_list_of_user = lexicon[OWN] != ""
    return in_scowl | in_wordnet | lexicon["modern"] | in_list_of_user
