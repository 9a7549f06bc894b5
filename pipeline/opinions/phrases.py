"""Phrases: what a reason may say of a word, each with the condition under which it is true.

A phrase explains why a group of columns raises p (`UP`) or lowers it (`DOWN`). It is said only of words for which
`holds` is true, so that no reason says what is not so, and what reads as a merit is in no list of drawbacks. If no
phrase of a group is true in its direction, the group is left out of the reason.

The conditions read one table, the *facts*: the rows of the lexicon, and what `facts` adds to them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import Formatter

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.lists import OWN
from pipeline.opinions import features
from pipeline.opinions.origins import NOBODY, Origins
from pipeline.tables import columns
from pipeline.words import GAME, UNUSUAL

UP, DOWN = "+", "-"
SMALL = 50
"""The SCOWL size up to which a list is a small dictionary."""
DICTIONARIES = {
    SMALL: "small dictionaries",
    60: "ordinary dictionaries",
    70: "large dictionaries",
    80: "very large dictionaries",
    95: "the largest word lists",
}
"""What the lists of a SCOWL size up to each number are called."""
USUAL = 60
"""The SCOWL size up to which a form is an ordinary word: *forms in SCOWL 60* is a column of the estimate."""
SEEN = 3.0
"""Above this Zipf frequency a word is called common; up to it, one that is merely not unknown is `seen in texts`."""
RARE = 2.0
"""Below this Zipf frequency a word is called rare, as by the flag `rare`: once in ten million words."""

BASE_REFUSED = "- {base} was {outcome}"
"""The reason of a form of a word that was refused or dropped (`bounds.forms`)."""
FORM_ACCEPTED = "+ its form {form} was {outcome}"
"""The reason of a word of which a form was accepted or kept (`bounds.forms`)."""
EVERYDAY_FORM = "+ an everyday form of the {outcome} word {base}"
"""The reason of an everyday form of a word that was accepted or kept (`bounds.forms`)."""
FORM_LIKELIER = "+ its form {word} is likelier"
BASE_LIKELIER = "+ {word} is likelier"
BASE_LESS_LIKELY = "- not likelier than {word}"
EVERYDAY_FORM_OF_LIKELY = "+ an everyday form of {word}"
"""The reasons of untried words that share their p with an untried base or form (`families.bind`)."""
SPELLING_ACCEPTED = "+ other forms of this spelling were accepted or kept"
SPELLING_REFUSED = "- other forms of this spelling were refused or dropped"
"""The reasons of a spelling of which other forms have an outcome, all the same one (`bounds.spellings`)."""
UNUSUAL_WORD = f"- an unusual spelling or a name (listed from p = {UNUSUAL} on)"
"""The reason of a word that would be listed if its spelling were usual, or if it were no name (`decide`)."""
UNSAID = "- never met in texts and said with more or most"
"""The reason of a likely comparative or superlative that waits for a person (`comparatives.unsaid`)."""

Facts = pd.DataFrame
Condition = Callable[[Facts], pd.Series]


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a group of columns can say in one direction: `text` may name {columns} of the facts."""

    group: str
    side: str
    text: str
    holds: Condition

    def of(self, facts: Facts, rows: columns.Numbers) -> list[str]:
        """Write the phrase for the words in some rows, with its sign."""
        text = f"{self.side} {self.text}"
        names = [name for _, name, _, _ in Formatter().parse(text) if name]
        if not names:
            return [text] * len(rows)
        cells = zip(*(facts[name].iloc[rows].tolist() for name in names), strict=True)
        return [text.format(**dict(zip(names, row, strict=True))) for row in cells]


def facts(lexicon: pd.DataFrame, rows: columns.Numbers, origins: Origins, relatives: pd.DataFrame) -> Facts:
    """Collect what phrases can say about the words in some rows of the lexicon.

    `relatives` has a row for each of these words, as `tried_relatives.named` makes it. The result has the columns of
    the lexicon, those of `relatives`, and those of `about` below; "" stands for a word that there is not. A base that
    is too short for the lexicon is known from the lists: *wed* of *wedded*.
    """
    found = lexicon.iloc[rows].reset_index(drop=True)
    names = lexicon["word"].array

    def word(of: columns.Numbers) -> pd.Series:
        return pd.Series(names.take(of[rows], allow_fill=True, fill_value=""), dtype="str")

    base, form = origins.base[rows], origins.form[rows]
    zipf, size = lexicon["zipf"].to_numpy(), lexicon["scowl_size"].to_numpy()
    short_lemma = ((found["lemma"] != "") & (found["lemma"].str.len() < GAME.shortest)).to_numpy(dtype=bool)
    without_sense = (found["wordnet_senses"] == 0).to_numpy()
    bands = np.array(list(features.BANDS), dtype=object)
    about = {
        "base": word(origins.base).mask(short_lemma, found["lemma"]),
        "base_zipf": np.where((base == NOBODY) | short_lemma, np.inf, zipf[base]),
        "is_form": origins.is_form[rows] | short_lemma,
        "certain": np.where(short_lemma, without_sense, origins.certain[rows]),
        "first": word(origins.first),
        "second": word(origins.second),
        "maybe_compound": origins.maybe_compound[rows],
        "surely_compound": origins.surely_compound[rows],
        "form": word(origins.form),
        "form_size": np.where(form == NOBODY, NO_SIZE, size[form]),
        "form_zipf": np.where(form == NOBODY, 0.0, zipf[form]),
        "beginning": _longest(found["word"], features.BEGINNINGS, at_start=True),
        "ending": _longest(found["word"], features.ENDINGS, at_start=False),
        "band": bands[features.band_numbers(found["zipf"])],
        "pangram": columns.pangrams(found["word"]),
    }
    return pd.concat([found, pd.DataFrame(about), relatives.reset_index(drop=True)], axis=1)


def _longest(words: pd.Series, parts: tuple[str, ...], at_start: bool) -> np.ndarray:
    """Return the longest of some beginnings or endings that each word has as in `features`, or ""."""
    cells, length = columns.text(words), words.str.len().to_numpy()
    found = np.full(len(words), "", dtype=object)
    has_part = pc.starts_with if at_start else pc.ends_with
    for part in sorted(parts, key=len):
        found[np.asarray(has_part(cells, pattern=part), dtype=np.bool_) & (length >= len(part) + 3)] = part
    return found


def _in_dictionaries() -> list[Phrase]:
    """What the size of a word in SCOWL says: in the smallest lists that have it, under any spelling."""
    found, last = [], 0
    for size, name in DICTIONARIES.items():
        british = name.replace("dictionaries", "British dictionaries").replace("word lists", "British word lists")
        spelled = {"scowl_size": name, "scowl_variant": f"{name} as a variant", "scowl_british": british}
        for column, where in spelled.items():
            found.append(Phrase("dictionaries", UP, f"in {where}", _between(column, last, size)))
        last = size
    found += [
        Phrase("dictionaries", DOWN, "a British spelling", lambda facts: facts["scowl_british"] < facts["scowl_size"]),
        Phrase("dictionaries", DOWN, "a variant spelling", lambda facts: facts["scowl_variant"] < facts["scowl_size"]),
        Phrase("dictionaries", DOWN, "not in small dictionaries", _between("scowl_size", SMALL, 60)),
        *(
            Phrase("dictionaries", DOWN, f"only in {DICTIONARIES[size]}", _between("scowl_size", after, size))
            for after, size in ((60, 70), (70, 80), (80, 95))
        ),
        Phrase("dictionaries", DOWN, "not in SCOWL as a common word", _only_otherwise_in_scowl),
        Phrase("dictionaries", DOWN, "not in SCOWL", _not_in_scowl),
    ]
    return found


def _between(column: str, above: int, most: int) -> Condition:
    return lambda facts: (facts[column] > above) & (facts[column] <= most)


def _only_otherwise_in_scowl(facts: Facts) -> pd.Series:
    common = facts[["scowl_size", "scowl_british", "scowl_variant"]].min(axis=1) < NO_SIZE
    return ~common & ~_not_in_scowl(facts)


def _not_in_scowl(facts: Facts) -> pd.Series:
    lists = ("size", "british", "variant", "upper", "name", "abbreviation", "special")
    return facts[[f"scowl_{name}" for name in lists]].min(axis=1) == NO_SIZE


def _named(facts: Facts) -> pd.Series:
    return facts["scowl_name"] < NO_SIZE


def _capitalized(facts: Facts) -> pd.Series:
    return (facts["scowl_upper"] < NO_SIZE) | (facts["wordnet_capitalised"] > 0)


def _has_base(form: bool, certain: bool) -> Condition:
    return lambda facts: (facts["base"] != "") & (facts["is_form"] == form) & (facts["certain"] == certain)


def _has_rare_base(form: bool, certain: bool) -> Condition:
    return lambda facts: _has_base(form, certain)(facts) & (facts["base_zipf"] < RARE)


def _only_a_form(facts: Facts) -> pd.Series:
    return _has_base(form=True, certain=True)(facts) & (facts["wordnet_senses"] == 0)


def _is_there(column: str) -> Condition:
    return lambda facts: facts[column] != ""


PHRASES: tuple[Phrase, ...] = (
    *_in_dictionaries(),
    Phrase("frequency", UP, "{band}", lambda facts: facts["zipf"] > SEEN),
    Phrase("frequency", UP, "seen in texts", lambda facts: facts["zipf"] > 0),
    Phrase("frequency", DOWN, "{band}", lambda facts: facts["zipf"] == 0),
    Phrase("frequency", DOWN, "{band} in texts", lambda facts: (facts["zipf"] > 0) & (facts["zipf"] <= SEEN)),
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
    Phrase("name", UP, "not also a name", lambda facts: ~_named(facts) & ~_capitalized(facts)),
    Phrase("name", DOWN, "also a name", _named),
    Phrase("name", DOWN, "also written with a capital", _capitalized),
    Phrase("use abroad", UP, "not more common in other languages", lambda facts: facts["zipf_abroad"] <= facts["zipf"]),
    Phrase("use abroad", DOWN, "more common in other languages", lambda facts: facts["zipf_abroad"] > facts["zipf"]),
    Phrase("grade", DOWN, "offensive ({grade})", _is_there("grade")),
    Phrase("pangram", UP, "a pangram", lambda facts: facts["pangram"]),
    Phrase("pangram", DOWN, "not a pangram", lambda facts: ~facts["pangram"]),
    Phrase("beginning", UP, "begins with {beginning}-", _is_there("beginning")),
    Phrase("beginning", DOWN, "begins with {beginning}-", _is_there("beginning")),
    Phrase("ending", UP, "ends in -{ending}", _is_there("ending")),
    Phrase("ending", DOWN, "ends in -{ending}", _is_there("ending")),
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
    Phrase("forms", UP, "its form {form} is in small dictionaries", _between("form_size", 0, SMALL)),
    Phrase("forms", UP, "its form {form} is in ordinary dictionaries", _between("form_size", SMALL, USUAL)),
    Phrase("forms", UP, "its form {form} is more common", lambda facts: facts["form_zipf"] > facts["zipf"]),
    Phrase(
        "forms", DOWN, "its form {form} is in smaller dictionaries",
        lambda facts: facts["form_size"] < facts["scowl_size"],
    ),
    Phrase("relatives", UP, "{accepted} was accepted", _is_there("accepted")),
    Phrase("relatives", UP, "the similar word {accepted_alike} was accepted", _is_there("accepted_alike")),
    Phrase("relatives", DOWN, "{refused} was refused", _is_there("refused")),
    Phrase("relatives", DOWN, "the similar word {refused_alike} was refused", _is_there("refused_alike")),
    Phrase("own list", UP, "in a list of your own", lambda facts: facts[OWN] != ""),
    Phrase("own list", DOWN, "in a list of your own", lambda facts: facts[OWN] != ""),
    Phrase("own list", DOWN, "in no list of your own", lambda facts: facts[OWN] == ""),
)  # fmt: skip
"""All phrases; of those with the same group and side, the first that holds is said."""


def choose(facts: Facts, group: str, side: str) -> tuple[np.ndarray, list[Phrase]]:
    """Return the phrases of a group for one direction, and the number of the first that holds for each word, or -1."""
    phrases = [phrase for phrase in PHRASES if (phrase.group, phrase.side) == (group, side)]
    chosen = np.full(len(facts), -1)
    for number, phrase in reversed(list(enumerate(phrases))):
        chosen[phrase.holds(facts).to_numpy(dtype=bool)] = number
    return chosen, phrases
