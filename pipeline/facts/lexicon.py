"""The lexicon: one row per word, one column per attribute. A column is named after the list that it comes from.

Sizes are SCOWL's, 10 to 95, or `NO_SIZE`. Zipf frequencies are log10 of the occurrences in a billion words, or 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.facts import lexicon_files
from pipeline.facts.lexicon_files import DEFAULTS, NO_SIZE, Files, attributes
from pipeline.facts.own_lists import OWN_LIST
from pipeline.tables import columns, frames
from pipeline.words import GAME

FOREIGN_LANGUAGES = ("pt", "nl", "it", "fr", "es", "de")
"""The languages in Latin script with a large wordfreq list from which English borrows the most words. If a word is
equally frequent in several languages, the first one counts."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What follows from the word lists alone: the words in them (table `lexicon`), the forms of words, and the
    `frequencies` of other words that occur in English texts."""

    words: pd.DataFrame
    forms: pd.DataFrame
    frequencies: pd.DataFrame


def make_lexicon(files: Files, own_words: Sequence[str]) -> Lexicon:
    """Return the lexicon of the files of `raw/lexicon/` and the words of the user's own lists; raise DataError for
    damaged files."""
    tables, forms, opinions = lexicon_files.tables(files), lexicon_files.forms(files), lexicon_files.opinions(files)
    frequencies = read_frequencies(listed_words(tables, opinions, own_words))
    words = join_lists(tables, opinions, own_words, forms, frequencies)
    is_unlisted = ~columns.is_in(frequencies["word"], words["word"]) & (frequencies["zipf"] > 0)
    return Lexicon(words, frames.check(forms, "forms"), frequencies[is_unlisted].reset_index(drop=True))


def read_frequencies(words_of_lists: Iterable[str]) -> pd.DataFrame:
    """Return the frequencies of the words of the lists and of all playable words of English texts, from wordfreq:
    columns word, zipf, zipf_abroad (the highest frequency in one of `FOREIGN_LANGUAGES`), and language (that
    language)."""
    lists = [_language_frequencies(language) for language in ("en", *FOREIGN_LANGUAGES)]
    english_words = lists[0].index
    words = columns.sorted_words([english_words[columns.is_playable(english_words)], words_of_lists])
    entries = pd.concat(lists)
    list_number = np.repeat(np.arange(len(lists)), [len(frequencies) for frequencies in lists])
    position = columns.positions(entries.index, words)
    is_wanted = position >= 0
    zipf = np.zeros((len(lists), len(words)))
    zipf[list_number[is_wanted], position[is_wanted]] = entries.to_numpy()[is_wanted]
    abroad = zipf[1:]
    highest_abroad = abroad.max(axis=0)
    language_of_highest = np.array(FOREIGN_LANGUAGES)[abroad.argmax(axis=0)]
    cells = {
        "word": words,
        "zipf": zipf[0],
        "zipf_abroad": highest_abroad,
        "language": np.where(highest_abroad > 0, language_of_highest, ""),
    }
    return frames.check(pd.DataFrame(cells), "frequencies")


def _language_frequencies(language: str) -> pd.Series:
    """Return the Zipf frequency by word from wordfreq's large list of a language, for words of the letters a to z only.

    The list consists of bins of words with the same frequency. The number of a bin is the negative frequency in
    centibels.
    """
    import wordfreq  # only a new lexicon needs it, and importing it takes a fifth of a second

    bins = wordfreq.get_frequency_list(language, wordlist="large")
    wordfreq.get_frequency_list.cache_clear()  # a cached list takes as much memory as all tables together
    zipf_of_bin = [wordfreq.freq_to_zipf(wordfreq.cB_to_freq(-number)) for number in range(len(bins))]
    zipf = np.repeat(zipf_of_bin, [len(words) for words in bins])
    words = pa.array(list(chain.from_iterable(bins)), pa.large_string())
    is_spelled = pc.match_substring_regex(words, f"^[a-z]{{{GAME.min_length},{GAME.max_length}}}$")
    return pd.Series(zipf[np.asarray(is_spelled)], index=pd.Index(words.filter(is_spelled), dtype="str"))


def join_lists(
    tables: Mapping[str, pd.DataFrame],
    opinions: pd.Series,
    own_words: Sequence[str],
    forms: pd.DataFrame,
    frequencies: pd.DataFrame,
) -> pd.DataFrame:
    """Return the lexicon, from the `tables` and `opinions` of `lexicon_files`, the words of the user's own lists, the
    table of forms, and the frequencies. The base of a word is that of its first row in the table of forms."""
    words = listed_words(tables, opinions, own_words)
    first = forms.drop_duplicates("word").set_index("word")["base"]
    defaults = {"zipf": 0.0, "zipf_abroad": 0.0, "language": ""}
    joined = pd.DataFrame({"word": words, "base": columns.look_up(words, first, "")})
    joined = joined.join(attributes(words, tables)).assign(**{OWN_LIST: columns.is_in(words, own_words)})
    joined = joined.assign(opinion=columns.look_up(words, opinions, ""))
    found = columns.look_up_rows(words, frequencies.set_index("word"), defaults)
    return frames.check(joined.join(found), "lexicon")


def listed_words(tables: Mapping[str, pd.DataFrame], opinions: pd.Series, own_words: Sequence[str]) -> pd.Series:
    """Return the words of all lists, A to Z."""
    return columns.sorted_words([*(table["word"] for table in tables.values()), opinions.index, own_words])


def add_unlisted_words(lexicon: Lexicon, words: Iterable[str]) -> pd.DataFrame:
    """Return the words of the lexicon, plus other words: answers of puzzles, and words on which people decided."""
    known = columns.sorted_words([words])
    unlisted = known[~columns.is_in(known, lexicon.words["word"])].reset_index(drop=True)
    first = lexicon.forms.drop_duplicates("word").set_index("word")["base"]
    frequencies = lexicon.frequencies.set_index("word")
    found = columns.look_up_rows(unlisted, frequencies, {"zipf": 0.0, "zipf_abroad": 0.0, "language": ""})
    defaults = pd.DataFrame(DEFAULTS, index=unlisted.index)
    rows = found.join(defaults).assign(word=unlisted, base=columns.look_up(unlisted, first, ""))
    return frames.check(pd.concat([lexicon.words, rows], ignore_index=True), "lexicon")


def is_in_a_list(lexicon: pd.DataFrame) -> pd.Series:
    """Return, for each row, whether any list has the word in any form; wordfreq does not count as a list."""
    return (lexicon[list(DEFAULTS)] != pd.Series(DEFAULTS)).any(axis=1)


def is_common(lexicon: pd.DataFrame) -> pd.Series:
    """Return, for each row, whether a list or a reader has the word as a common word, not only as a name or an
    abbreviation."""
    sizes = lexicon[["scowl_size", "scowl_british", "scowl_variant", "scowl_special"]]
    in_scowl = sizes.min(axis=1) < NO_SIZE
    in_wordnet = lexicon["wordnet_senses"] > 0
    return in_scowl | in_wordnet | lexicon["modern"] | lexicon[OWN_LIST] | (lexicon["opinion"] != "")


def has_label(lexicon: pd.DataFrame, label: str) -> pd.Series:
    """Return, for each row, whether WordNet gives the label to at least one sense."""
    return lexicon["wordnet_labels"].str.contains(f"(?:^| ){label}=")


def has_only_label(lexicon: pd.DataFrame, label: str) -> pd.Series:
    """Return, for each row, whether WordNet has a sense and gives the label to every one."""
    labels = lexicon["wordnet_labels"][lexicon["wordnet_labels"] != ""]
    counts = labels.str.extract(rf"(?:^| ){label}=(\d+)", expand=False).dropna().astype(int)
    labeled_senses = counts.reindex(lexicon.index, fill_value=0)
    return (lexicon["wordnet_senses"] > 0) & (labeled_senses >= lexicon["wordnet_senses"])
