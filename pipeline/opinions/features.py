"""Features: the entries of the word lists as numbers, one row per word. A column is named `group: detail`, or only by
its group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from pipeline.facts.lexicon import is_common
from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.facts.own_lists import OWN_LIST
from pipeline.opinions.catalog import above_all_a_name
from pipeline.opinions.model import OWN_LISTS
from pipeline.tables.columns import Flags, as_text, is_pangram, look_up, single_precision
from pipeline.words import OFFENSIVE, OPINIONS

Features = dict[str, npt.ArrayLike]
"""Features of words by name. Each is a column with one cell per word."""
Numbers = Mapping[str, npt.NDArray[Any]]
"""The columns of the lexicon with numbers, by name. As arrays, a few words are compared much faster than as a frame."""

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)
BANDS = {
    "never met in texts": 0, "hardly ever met": 1.2, "extremely rare": 1.5, "very rare": 2, "rare": 2.5,
    "uncommon": 3, "fairly common": 3.5, "common": 4, "very common": 4.5, "extremely common": 9,
}  # fmt: skip
"""The names of frequency bands, each with its maximum Zipf value. The values of wordfreq themselves are not
published."""

MIN_REST = 3
"""A word has a beginning or ending only if it has at least this many other letters."""
BEGINNINGS = tuple("un re over out non in de dis pre mis up anti bi co under".split())
ENDINGS = tuple(
    "er or ly ness less able ible y ish ful al ic ity ist ism ment tion ing ed like man hood ship est ine oid ia ae a "
    "i o um us ate ide ous ant ent age ee ette let en ward".split()
)


def band_numbers(zipf: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the number of the band of each frequency, in the order of `BANDS`."""
    return np.searchsorted(list(BANDS.values()), zipf)


def word_features(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return the attributes of every word of the lexicon."""
    numbers = {str(name): column.to_numpy() for name, column in lexicon.select_dtypes("number").items()}
    return single_precision(
        _size_features(numbers)
        | _frequency_features(numbers)
        | _sense_features(numbers)
        | _part_of_speech_features(lexicon)
        | _shape_features(lexicon)
    )


def own_list_features(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return whether an own list of the user has each word: one column, and no columns if there are no own lists."""
    if not lexicon[OWN_LIST].any():
        return pd.DataFrame()
    return single_precision({OWN_LISTS: lexicon[OWN_LIST]})


SCORE = "readers: score"
"""The feature of a judged word that has its score without the opinion of readers."""
UNLISTED = "readers: in no list"
"""The feature of a judged word that says whether no word list has it, or only ours of modern words."""


def opinion_features(lexicon: pd.DataFrame, scores: npt.ArrayLike) -> pd.DataFrame:
    """Return the features of words that readers judged: their scores without that, the opinion, and whether no word
    list has them."""
    opinions: Features = {f"readers: {opinion}": lexicon["opinion"] == opinion for opinion in OPINIONS}
    is_unlisted = ~is_common(lexicon.assign(opinion="", modern=False))
    return single_precision({SCORE: scores, **opinions, UNLISTED: is_unlisted})


def grade_features(lexicon: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Return which words have each offensive grade in the table `offensive_words`: one column per grade."""
    grade_of_word = look_up(lexicon["word"], grades.set_index("word")["flag"], "")
    return single_precision({grade: grade_of_word == grade for grade in OFFENSIVE})


def _size_features(lexicon: Numbers) -> Features:
    """Return which lists of SCOWL each word is in."""
    size, british, variant = lexicon["scowl_size"], lexicon["scowl_british"], lexicon["scowl_variant"]
    features: Features = {f"size: {step}": size == step for step in (*SIZES, NO_SIZE)}
    features["British spelling: 60"] = (british < size) & (british <= 60)
    features["British spelling: 95"] = (british < size) & (british > 60)
    features |= _size_steps(variant, "variant spelling", (50, 60, 70, 80, 95))
    for level in (1, 2, 3):
        features[f"variant spelling: level {level}"] = lexicon["scowl_variant_level"] == level
    features |= _size_steps(lexicon["scowl_upper"], "also with a capital", (35, 60, 80, 95))
    features |= _size_steps(lexicon["scowl_name"], "also a name", (35, 60, 80, 95))
    features["also a name: above all"] = above_all_a_name(lexicon)
    return features


def _size_steps(size: npt.NDArray[Any], group: str, steps: tuple[int, ...]) -> Features:
    """Return, for each step, whether a size is above the previous step and at most this one."""
    return {f"{group}: {step}": (size > previous) & (size <= step) for previous, step in pairwise((0, *steps))}


def _frequency_features(lexicon: Numbers) -> Features:
    """Return how frequent each word is in English, and how much more frequent it is in another language."""
    band, zipf, zipf_abroad = band_numbers(lexicon["zipf"]), lexicon["zipf"], lexicon["zipf_abroad"]
    more_abroad = zipf_abroad - zipf
    features: Features = {f"frequency: {name}": band == number for number, name in enumerate(BANDS)}
    features["frequency: Zipf"] = zipf
    features["use abroad: more"] = np.where(zipf_abroad > 2, more_abroad.clip(-1, 3), 0)
    for step in (0.5, 1, 2):
        features[f"use abroad: by {step}"] = (zipf_abroad >= 3) & (more_abroad > step)
    return features


def _sense_features(lexicon: Numbers) -> Features:
    """Return what WordNet says about the senses of each word."""
    senses, tagged = lexicon["wordnet_senses"], lexicon["wordnet_tagged"]
    capitalized = lexicon["wordnet_capitalised"]
    return {
        "WordNet: none": senses == 0,
        "WordNet: senses": np.log1p(senses),
        "WordNet: tagged": np.log1p(tagged),
        "WordNet: never tagged": (tagged == 0) & (senses > 0),
        "WordNet: also with a capital": capitalized > 0,
        "WordNet: only with a capital": (capitalized > 0) & (senses == 0),
    }


def _part_of_speech_features(lexicon: pd.DataFrame) -> Features:
    """Return which parts of speech each word has in WordNet."""
    cells = as_text(lexicon["wordnet_pos"])
    return {f"WordNet: {part_of_speech}": pc.match_substring(cells, part_of_speech) for part_of_speech in "nvar"}


def _shape_features(lexicon: pd.DataFrame) -> Features:
    """Return the features of each word that follow from its spelling."""
    words = lexicon["word"]
    features: Features = {"pangram": is_pangram(words), "shape: inflected": lexicon["base"] != ""}
    for beginning, has_beginning in affix_flags(words, BEGINNINGS, at_start=True).items():
        features[f"shape: {beginning}-"] = has_beginning
    for ending, has_ending in affix_flags(words, ENDINGS, at_start=False).items():
        features[f"shape: -{ending}"] = has_ending
    return features


def affix_flags(words: pd.Series, affixes: Iterable[str], at_start: bool) -> dict[str, Flags]:
    """Return, for each beginning or ending, which words have it and at least `MIN_REST` other letters.

    >>> affix_flags(pd.Series(["unread", "undo"]), ["un"], at_start=True)["un"].tolist()
    [True, False]
    """
    cells = as_text(words)
    length = np.asarray(pc.utf8_length(cells))
    has_affix = pc.starts_with if at_start else pc.ends_with
    found = {}
    for affix in affixes:
        is_long_enough = length >= len(affix) + MIN_REST
        found[affix] = np.asarray(has_affix(cells, pattern=affix), dtype=np.bool_) & is_long_enough
    return found
