"""Phrases: what a reason can say about a word, each with the condition under which it is true.

A phrase explains why a group of columns raises p (`UP`) or lowers it (`DOWN`). It is used only for words for which
`applies` is true, so that a reason never says anything false and never gives an advantage as a drawback. If no phrase
of a group is true in its direction, the group is left out of the reason.

The conditions use the *facts*: columns of the lexicon, and what `facts` adds to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import Formatter

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.own_lists import OWN_LIST
from pipeline.opinions import features
from pipeline.opinions.origins import NO_ROW, Origins
from pipeline.tables import columns
from pipeline.words import GAME, UNUSUAL

UP, DOWN = "+", "-"
SMALL_SIZE = 50
"""The SCOWL size up to which a list is a small dictionary."""
DICTIONARIES = {
    SMALL_SIZE: "small dictionaries",
    60: "ordinary dictionaries",
    70: "large dictionaries",
    80: "very large dictionaries",
    95: "the largest word lists",
}
"""The name of the lists up to each SCOWL size."""
ORDINARY_SIZE = 60
"""The SCOWL size up to which a form is an ordinary word, as in *forms in SCOWL 60*, a column of the estimate."""
COMMON_ZIPF = 3.0
"""The Zipf frequency above which the band of a word (`BANDS`) can raise p, and up to which it can lower p."""
RARE_ZIPF = 2.0
"""The Zipf frequency below which a word is called rare, as by the flag `rare`: once in ten million words."""

BASE_REFUSED = "- {giver} was {outcome}"
"""The reason for a form of a word that was refused or dropped (`families`)."""
FORM_ACCEPTED = "+ its form {giver} was {outcome}"
"""The reason for a word that has an accepted or kept form (`families`)."""
EVERYDAY_FORM = "+ an everyday form of the {outcome} word {giver}"
"""The reason for an everyday form of a word that was accepted or kept (`families`)."""
FORM_LIKELIER = "+ its form {giver} is likelier"
BASE_LIKELIER = "+ {giver} is likelier"
BASE_LESS_LIKELY = "- not likelier than {giver}"
EVERYDAY_FORM_OF_LIKELY = "+ an everyday form of {giver}"
"""The reasons for untried words that share their p with an untried base or form (`families`)."""
SPELLING_ACCEPTED = "+ other forms of this spelling were accepted or kept"
SPELLING_REFUSED = "- other forms of this spelling were refused or dropped"
KIND_REFUSED = "- spellings of its kind, all refused"
"""The reasons for a spelling: other forms of it, or all spellings of its kind, had the same outcome (`families`)."""
UNUSUAL_WORD = f"- an unusual spelling or a name (listed from p = {UNUSUAL} on)"
"""The reason for a word that would be listed if its spelling were usual or if it were not a name (`decide`)."""
UNUSED_COMPARATIVE = "- never met in texts and said with more or most"
"""The reason for a likely comparative or superlative that waits for a person (`families.unusual_words`)."""

Facts = Mapping[str, np.ndarray]
"""What phrases can say about some words, by name. Each fact has one cell per word: a number, a text ("" if there is
none), or whether something is true."""
Condition = Callable[[Facts], columns.Flags]


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a group of columns can say in one direction. `text` can contain facts as placeholders in braces."""

    group: str
    sign: str
    text: str
    applies: Condition

    def write(self, facts: Facts, rows: columns.Numbers) -> np.ndarray:
        """Return the phrase for the words in some rows, with its sign."""
        texts = np.full(len(rows), f"{self.sign} ", dtype=object)
        for part, name, _, _ in Formatter().parse(self.text):
            texts += part
            if name:
                texts += facts[name][rows]
        return texts


def facts(
    lexicon: pd.DataFrame, rows: columns.Numbers, origins: Origins, grades: pd.Series, relatives: pd.DataFrame
) -> Facts:
    """Return what phrases can say about the words in some rows of the lexicon.

    `grades` are the offensive grades, indexed by word. `relatives` has a row for each of these words, from
    `tried_relatives.strongest_relatives`. The result has the `LEXICON_NUMBERS`, the columns of `relatives`, and what is
    added below; a missing word is "". A base that is too short for the lexicon comes from the lists: *wed* of *wedded*.
    """
    words = lexicon["word"]
    chosen_words = words.iloc[rows]
    lemma = _texts_at(lexicon["lemma"], rows)
    base, form = origins.base[rows], origins.form[rows]
    zipf, size = lexicon["zipf"].to_numpy(), lexicon["scowl_size"].to_numpy()
    senses = lexicon["wordnet_senses"].to_numpy()[rows]
    lemma_length = lexicon["lemma"].iloc[rows].str.len().to_numpy()
    short_lemma = (lemma_length > 0) & (lemma_length < GAME.min_length)
    bands = np.array(list(features.BANDS), dtype=object)
    found = {name: lexicon[name].to_numpy()[rows] for name in LEXICON_NUMBERS}
    found |= {str(name): relatives[name].to_numpy(dtype=object) for name in relatives}
    return found | {
        OWN_LIST: lexicon[OWN_LIST].to_numpy()[rows],
        "grade": np.asarray(columns.look_up(chosen_words, grades, ""), dtype=object),
        "base": np.where(short_lemma, lemma, _texts_at(words, base)),
        "base_zipf": np.where((base == NO_ROW) | short_lemma, np.inf, zipf[base]),
        "is_form": origins.is_form[rows] | short_lemma,
        "certain": np.where(short_lemma, senses == 0, origins.certain[rows]),
        "first": _texts_at(words, origins.first[rows]),
        "second": _texts_at(words, origins.second[rows]),
        "maybe_compound": origins.maybe_compound[rows],
        "surely_compound": origins.surely_compound[rows],
        "form": _texts_at(words, form),
        "form_size": np.where(form == NO_ROW, NO_SIZE, size[form]),
        "form_zipf": np.where(form == NO_ROW, 0.0, zipf[form]),
        "beginning": _longest(chosen_words, features.BEGINNINGS, at_start=True),
        "ending": _longest(chosen_words, features.ENDINGS, at_start=False),
        "band": bands[features.band_numbers(lexicon["zipf"].iloc[rows])],
        "pangram": columns.is_pangram(chosen_words),
    }


LEXICON_NUMBERS = (
    "scowl_size", "scowl_british", "scowl_variant", "scowl_upper", "scowl_name", "scowl_abbreviation", "scowl_special",
    "wordnet_senses", "wordnet_tagged", "wordnet_capitalised", "zipf", "zipf_abroad",
)  # fmt: skip
"""The columns of numbers of the lexicon that are facts."""


def _texts_at(texts: pd.Series, rows: columns.Numbers) -> np.ndarray:
    """Return the texts in some rows; "" for `NO_ROW`."""
    taken = texts.array.take(rows, allow_fill=True, fill_value="")
    return np.asarray(taken, dtype=object)


def _longest(words: pd.Series, affixes: tuple[str, ...], at_start: bool) -> np.ndarray:
    """Return the longest of some beginnings or endings that each word has, by the rule of `features`, or ""."""
    longest = np.full(len(words), "", dtype=object)
    shortest_first = sorted(affixes, key=len)
    for affix, has_affix in features.affix_flags(words, shortest_first, at_start).items():
        longest[has_affix] = affix
    return longest


def _dictionary_phrases() -> list[Phrase]:
    """Return the phrases about the SCOWL sizes of a word: the smallest lists that have it, in each kind of spelling."""
    phrases, smaller_size = [], 0
    for size, name in DICTIONARIES.items():
        british = name.replace("dictionaries", "British dictionaries").replace("word lists", "British word lists")
        for column, place in (
            ("scowl_size", name),
            ("scowl_variant", f"{name} as a variant"),
            ("scowl_british", british),
        ):
            phrases.append(Phrase("dictionaries", UP, f"in {place}", _between(column, smaller_size, size)))
        smaller_size = size
    phrases += [
        Phrase("dictionaries", DOWN, "a British spelling", lambda facts: facts["scowl_british"] < facts["scowl_size"]),
        Phrase("dictionaries", DOWN, "a variant spelling", lambda facts: facts["scowl_variant"] < facts["scowl_size"]),
        Phrase("dictionaries", DOWN, "not in small dictionaries", _between("scowl_size", SMALL_SIZE, ORDINARY_SIZE)),
    ]
    for smaller_size, size in ((60, 70), (70, 80), (80, 95)):
        only = f"only in {DICTIONARIES[size]}"
        phrases.append(Phrase("dictionaries", DOWN, only, _between("scowl_size", smaller_size, size)))
    phrases += [
        Phrase("dictionaries", DOWN, "not in SCOWL as a common word", _only_otherwise_in_scowl),
        Phrase("dictionaries", DOWN, "not in SCOWL", _not_in_scowl),
    ]
    return phrases


def _between(column: str, above: int, up_to: int) -> Condition:
    """Return the condition that a number is above one limit and at most the other."""
    return lambda facts: (facts[column] > above) & (facts[column] <= up_to)


def _not_empty(column: str) -> Condition:
    """Return the condition that a cell is not ""."""
    return lambda facts: facts[column] != ""


def _only_otherwise_in_scowl(facts: Facts) -> columns.Flags:
    """Return which words SCOWL has only with a capital, as a name, an abbreviation or a special word."""
    return ~_in_a_list(facts, "size", "british", "variant") & ~_not_in_scowl(facts)


def _not_in_scowl(facts: Facts) -> columns.Flags:
    """Return which words are in no list of SCOWL."""
    return ~_in_a_list(facts, "size", "british", "variant", "upper", "name", "abbreviation", "special")


def _in_a_list(facts: Facts, *lists: str) -> columns.Flags:
    """Return which words are in at least one of some lists of SCOWL."""
    sizes = np.stack([facts[f"scowl_{name}"] for name in lists])
    return np.asarray(sizes.min(axis=0) < NO_SIZE)


def _is_name(facts: Facts) -> columns.Flags:
    """Return which words SCOWL also has as a name."""
    return np.asarray(facts["scowl_name"] < NO_SIZE)


def _capitalized(facts: Facts) -> columns.Flags:
    """Return which words SCOWL or WordNet also has with a capital."""
    return np.asarray((facts["scowl_upper"] < NO_SIZE) | (facts["wordnet_capitalised"] > 0))


def _has_base(form: bool, certain: bool) -> Condition:
    """Return the condition that a word is a form of its base (or, without `form`, made from it), and that this is
    certain (or, without `certain`, not certain)."""
    return lambda facts: (facts["base"] != "") & (facts["is_form"] == form) & (facts["certain"] == certain)


def _has_rare_base(form: bool, certain: bool) -> Condition:
    """Return the condition `_has_base` for a base that is rare."""
    return lambda facts: _has_base(form, certain)(facts) & (facts["base_zipf"] < RARE_ZIPF)


def _only_a_form(facts: Facts) -> columns.Flags:
    """Return which words are certainly forms of their base, without a sense of their own."""
    return np.asarray(_has_base(form=True, certain=True)(facts) & (facts["wordnet_senses"] == 0))


PHRASES: tuple[Phrase, ...] = (
    *_dictionary_phrases(),
    Phrase("frequency", UP, "{band}", lambda facts: facts["zipf"] > COMMON_ZIPF),
    Phrase("frequency", UP, "seen in texts", lambda facts: facts["zipf"] > 0),
    Phrase("frequency", DOWN, "{band}", lambda facts: facts["zipf"] == 0),
    Phrase("frequency", DOWN, "{band} in texts", lambda facts: (facts["zipf"] > 0) & (facts["zipf"] <= COMMON_ZIPF)),
    Phrase("WordNet", UP, "in WordNet", lambda facts: facts["wordnet_senses"] > 0),
    Phrase(
        "WordNet", DOWN, "in WordNet only with a capital",
        lambda facts: (facts["wordnet_senses"] == 0) & (facts["wordnet_capitalised"] > 0),
    ),
    Phrase("WordNet", DOWN, "not in WordNet", lambda facts: facts["wordnet_senses"] == 0),
    Phrase(
        "WordNet", DOWN, "never used in WordNet's sample texts",
        lambda facts: (facts["wordnet_senses"] > 0) & (facts["wordnet_tagged"] == 0),
    ),
    Phrase("name", UP, "not also a name", lambda facts: ~_is_name(facts) & ~_capitalized(facts)),
    Phrase("name", DOWN, "also a name", _is_name),
    Phrase("name", DOWN, "also written with a capital", _capitalized),
    Phrase("use abroad", UP, "not more common in other languages", lambda facts: facts["zipf_abroad"] <= facts["zipf"]),
    Phrase("use abroad", DOWN, "more common in other languages", lambda facts: facts["zipf_abroad"] > facts["zipf"]),
    Phrase("grade", DOWN, "offensive ({grade})", _not_empty("grade")),
    Phrase("pangram", UP, "a pangram", lambda facts: facts["pangram"]),
    Phrase("pangram", DOWN, "not a pangram", lambda facts: ~facts["pangram"]),
    Phrase("beginning", UP, "begins with {beginning}-", _not_empty("beginning")),
    Phrase("beginning", DOWN, "begins with {beginning}-", _not_empty("beginning")),
    Phrase("ending", UP, "ends in -{ending}", _not_empty("ending")),
    Phrase("ending", DOWN, "ends in -{ending}", _not_empty("ending")),
    Phrase("base", UP, "a form of {base}", _has_base(form=True, certain=True)),
    Phrase("base", UP, "made from {base}", _has_base(form=False, certain=True)),
    Phrase("base", UP, "looks like a form of {base}", _has_base(form=True, certain=False)),
    Phrase("base", UP, "looks made from {base}", _has_base(form=False, certain=False)),
    Phrase("base", DOWN, "a form of the rare word {base}", _has_rare_base(form=True, certain=True)),
    Phrase("base", DOWN, "only a form of {base}", _only_a_form),
    Phrase("base", DOWN, "made from the rare word {base}", _has_rare_base(form=False, certain=True)),
    Phrase("base", DOWN, "looks like a form of the rare word {base}", _has_rare_base(form=True, certain=False)),
    Phrase("base", DOWN, "looks made from the rare word {base}", _has_rare_base(form=False, certain=False)),
    Phrase("compound", UP, "made from {first} and {second}", lambda facts: facts["surely_compound"]),
    Phrase("compound", UP, "looks made from {first} and {second}", lambda facts: facts["maybe_compound"]),
    Phrase("forms", UP, "its form {form} is in small dictionaries", _between("form_size", 0, SMALL_SIZE)),
    Phrase(
        "forms", UP, "its form {form} is in ordinary dictionaries", _between("form_size", SMALL_SIZE, ORDINARY_SIZE)
    ),
    Phrase("forms", UP, "its form {form} is more common", lambda facts: facts["form_zipf"] > facts["zipf"]),
    Phrase(
        "forms", DOWN, "its form {form} is in smaller dictionaries",
        lambda facts: facts["form_size"] < facts["scowl_size"],
    ),
    Phrase("relatives", UP, "{accepted} was accepted", _not_empty("accepted")),
    Phrase("relatives", UP, "the similar word {accepted_alike} was accepted", _not_empty("accepted_alike")),
    Phrase("relatives", DOWN, "{refused} was refused", _not_empty("refused")),
    Phrase("relatives", DOWN, "the similar word {refused_alike} was refused", _not_empty("refused_alike")),
    Phrase("own list", UP, "in a list of your own", lambda facts: facts[OWN_LIST]),
    Phrase("own list", DOWN, "in a list of your own", lambda facts: facts[OWN_LIST]),
)  # fmt: skip
"""All phrases. Among those with the same group and sign, the first one that applies is used."""


def choose(facts: Facts, group: str, sign: str) -> tuple[np.ndarray, list[Phrase]]:
    """Return, for each word, the position of the first phrase of a group that applies, or -1; and the phrases of the
    group.

    `sign` is the direction of the phrases.
    """
    phrases = [phrase for phrase in PHRASES if phrase.group == group and phrase.sign == sign]
    first_true = np.full(len(facts["pangram"]), -1)
    for number, phrase in reversed(list(enumerate(phrases))):
        first_true[phrase.applies(facts)] = number
    return first_true, phrases
