"""The catalog of flags: what each flag marks, with names and descriptions for people and for the page.

To add a flag, add one entry here. Its functions get a frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray

from pipeline.facts.lexicon import has_only_label
from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.tables import columns

ORDINARY_SIZE = 60
"""The largest size of SCOWL whose words ordinary dictionaries have. Of 10 larger forms in -s of accepted bases, 3 were
accepted."""
LARGE_SIZE = 70
"""The size from which a SCOWL list is large: the first size that ordinary dictionaries do not cover."""
RARE_ZIPF = 2.0
"""The Zipf frequency below which a word is rare: once in ten million words."""
SELDOM_ZIPF = 1.5
"""The Zipf frequency below which a word of a smaller list is seldom seen: three times in a hundred million words. Of
the official puzzles, 92% have a more common pangram."""
UNCOMMON_ZIPF = 3.0
"""The flag `technical` marks only words below this Zipf frequency; the flag `foreign` marks only words that have at
least this frequency in another language."""
FOREIGN_BY = 1.0
"""How much more common a word must be in another language to look foreign, in Zipf frequency: ten times."""

TECHNICAL_ENDINGS = tuple("ase emia idae itis lysis oid oma osis pathy plasia ploid tomy uria ylene".split())


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag: its id, severity (strong, fair or note), name, a sentence, which words it marks, and the detail for each
    word.

    `marks` gets the whole table `lexicon`, and `detail` the rows that are marked. An offensive flag has neither; see
    `facts.grades`. No code depends on the severity.
    """

    id: str
    severity: str
    name: str
    sentence: str
    marks: Callable[[pd.DataFrame], pd.Series] | None = None
    detail: Callable[[pd.DataFrame], pd.Series | ExtensionArray | str] = lambda _: ""


def _fixed_detail(text: str) -> Callable[[pd.DataFrame], str]:
    """Return a function that gives every marked word the same detail."""
    return lambda _: text


def _detail_from(prefix: str, column: str) -> Callable[[pd.DataFrame], pd.Series]:
    """Return a function that gives each marked word a cell of its row, after a prefix, as its detail."""
    return lambda frame: prefix + frame[column].astype(str)


def above_all_a_name(frame: Any) -> Any:
    """Return which words of a lexicon, as a table or as its columns, are mostly names: SCOWL has the capitalized word
    in a list that is not larger, and WordNet has at most one sense without a capital, or not more than with one."""
    name_size, size = _name_size(frame), frame["scowl_size"]
    few_senses = frame["wordnet_senses"] <= np.maximum(frame["wordnet_capitalised"], 1)
    return (name_size < NO_SIZE) & (name_size <= size) & (size < NO_SIZE) & few_senses


def _name_size(frame: Any) -> Any:
    """Return the smallest SCOWL size that has the word with a capital or as a name."""
    return np.minimum(frame["scowl_upper"], frame["scowl_name"])


def _proper(frame: pd.DataFrame) -> pd.Series:
    """Return which words the lists have as a name and rarely as a common word."""
    without_sense = frame["wordnet_senses"] == 0
    only_scowl_name: pd.Series = (frame["scowl_size"] > 80) & (_name_size(frame) < NO_SIZE)
    only_wordnet_name = (frame["scowl_size"] >= LARGE_SIZE) & (frame["wordnet_capitalised"] > 0)
    above_all: pd.Series = above_all_a_name(frame) & (frame["base"] == "")
    return (without_sense & (only_scowl_name | only_wordnet_name)) | above_all


def _technical(frame: pd.DataFrame) -> pd.Series:
    """Return which words have a scientific ending and are not common."""
    ending = frame["word"].str.endswith(TECHNICAL_ENDINGS)
    return ending & (frame["zipf"] < UNCOMMON_ZIPF) & (frame["scowl_size"] >= 60)


def _foreign(frame: pd.DataFrame) -> pd.Series:
    """Return which words are much more common in another language."""
    more_abroad = frame["zipf_abroad"] - frame["zipf"] >= FOREIGN_BY
    return more_abroad & (frame["scowl_size"] >= 50) & (frame["zipf_abroad"] >= UNCOMMON_ZIPF)


def _american_lists(frame: pd.DataFrame) -> ExtensionArray:
    """Return the detail of each word: whether the largest SCOWL list has it in American spelling."""
    return columns.texts(frame["scowl_size"] < NO_SIZE, ["in no SCOWL list in American spelling", "SCOWL 95 only"])


def _frequency(frame: pd.DataFrame) -> ExtensionArray:
    """Return the detail of each rare word: whether texts have it."""
    return columns.texts(frame["zipf"] > 0, ["not met at all", "less than one in ten million"])


def _without_sense(frame: pd.DataFrame) -> pd.Series:
    """Return which words only large lists have and have no sense in WordNet."""
    return (frame["scowl_size"] >= LARGE_SIZE) & (frame["wordnet_senses"] == 0)


FLAGS: tuple[Flag, ...] = (
    Flag(
        "unlisted", "strong", "in no usual word list",
        "No SCOWL list up to size 80 has the word in American spelling.",
        lambda frame: frame["scowl_size"] > 80, _american_lists,
    ),
    Flag(
        "large-list", "strong", "only in large lists",
        "Only SCOWL sizes 70 and 80 have the word; most dictionaries do not have these words.",
        lambda frame: frame["scowl_size"].between(LARGE_SIZE, 80), _detail_from("SCOWL ", "scowl_size"),
    ),
    Flag(
        "rare", "strong", "rare in texts",
        "The word occurs less than once in ten million words of text, and only large lists have it.",
        lambda frame: (frame["zipf"] < RARE_ZIPF) & (frame["scowl_size"] >= LARGE_SIZE),
        _frequency,
    ),
    Flag(
        "seldom", "note", "rare in texts",
        "Ordinary dictionaries have the word, but it occurs less than three times in a hundred million words of text.",
        lambda frame: (frame["zipf"] < SELDOM_ZIPF) & (frame["scowl_size"] < LARGE_SIZE),
        _fixed_detail("less than three in a hundred million"),
    ),
    Flag(
        "archaic", "note", "archaic", "WordNet labels every sense of the word as archaic.",
        lambda frame: has_only_label(frame, "archaism"), _detail_from("WordNet: ", "wordnet_labels"),
    ),
    Flag(
        "technical", "fair", "technical", "The word has a scientific ending and is not common.",
        _technical, _fixed_detail("scientific ending"),
    ),
    Flag(
        "foreign", "fair", "foreign",
        "The word is at least ten times as common in a language that English borrows from.",
        _foreign, lambda frame: "much commoner in " + frame["language"] + " than in English",
    ),
    Flag(
        "proper", "strong", "listed as a name",
        "The lists have the word as a capitalized name and rarely as a common word.",
        _proper, _fixed_detail("known above all with a capital"),
    ),
    Flag(
        "abbreviation", "strong", "listed as an abbreviation",
        "SCOWL has the word as an abbreviation and not as a usual word.",
        lambda frame: (frame["scowl_abbreviation"] < NO_SIZE) & _without_sense(frame),
        _detail_from("SCOWL abbreviations ", "scowl_abbreviation"),
    ),
    Flag(
        "variant", "note", "listed as a variant", "SCOWL has the word only as a variant of another spelling.",
        lambda frame: (
            (frame["scowl_variant"] < NO_SIZE) & (frame[["scowl_size", "scowl_british"]].min(axis=1) == NO_SIZE)
        ),
        _detail_from("SCOWL variant level ", "scowl_variant_level"),
    ),
    Flag(
        "derived", "fair", "derived form only", "Only large lists have the word, and only as a form of another word.",
        lambda frame: (frame["base"] != "") & _without_sense(frame), _detail_from("form of ", "base"),
    ),
    Flag(
        "british", "fair", "listed as British",
        "SCOWL has the word only as a British, Canadian or Australian spelling.",
        lambda frame: (frame["scowl_british"] < NO_SIZE) & (frame["scowl_size"] == NO_SIZE),
        _detail_from("SCOWL British ", "scowl_british"),
    ),
    Flag(
        "slur", "strong", "slur",
        "A person graded the word as a slur, or WordNet labels one of its senses as an ethnic slur.",
    ),
    Flag(
        "vulgar", "fair", "strong vulgarity",
        "A person graded the word as a strong vulgarity, WordNet labels one of its senses as obscene, or two lists of "
        "offensive words agree.",
    ),
    Flag(
        "explicit", "note", "explicit sexual term",
        "A person graded the word as an explicit term for a sexual act or organ.",
    ),
    Flag("crude", "note", "mild vulgarity", "A person graded the word as a mild vulgarity."),
    Flag(
        "sensitive", "note", "sensitive",
        "A person graded the word as the name of a drug or as a demeaning term, or WordNet labels every sense as "
        "disparaging.",
    ),
)  # fmt: skip
"""All flags. The offensive flags are ordered from most to least serious."""
