"""Reasons: says what raises and what lowers the p of a word that was never tried, in at most three facts.

A fact is true by itself: one entry of the word lists, or the record of one word. It is told if its columns move p in
its direction, compared with another word. What else the estimate uses, such as endings, has weight but tells people
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import Formatter

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.own_lists import OWN_LIST
from pipeline.opinions.catalog import above_all_a_name
from pipeline.opinions.relatives import VERBAL
from pipeline.tables import columns
from pipeline.words import LIKELY, times

UP, DOWN = "+", "-"
MAX_FACTS = 3
"""The maximum number of facts of a reason."""
MIN_WEIGHT = 0.5
"""The smallest change of p that is told after the first fact, in the logarithm of the odds: the odds times 1.6. The
value is a choice."""
SIMILAR_WORDS = {UP: "+ similar words speak for it", DOWN: "- similar words speak against it"}
"""What is told of a word on the list if no fact speaks for it, and of one off the list if none speaks against it: then
what is not told decides, such as endings."""
GROUPS = {
    "size": "dictionaries", "British spelling": "dictionaries", "variant spelling": "dictionaries",
    "frequency": "texts", "WordNet": "WordNet", "also with a capital": "name", "also a name": "name",
    "use abroad": "abroad", "grade": "grade", "own list": "own list", "shape: inflected": "form",
    "base": "form", "relatives": "family",
}  # fmt: skip
"""The columns of the estimate that a fact tells about, by their names or the first parts of these, each with the group
of the fact. The columns of a group count together."""
LANGUAGES = {
    "de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch", "pt": "Portuguese",
}  # fmt: skip
RARE_ZIPF = 2.0
"""A base with a lower Zipf frequency is a rare word: less than once in ten million words."""
COMMON_ZIPF = 3.0
"""Above this Zipf frequency, once in a million words, how often a word is in texts is told in its favor."""
OFTEN = {"almost never": 0.0, "very rare": RARE_ZIPF, "rare": COMMON_ZIPF, "fairly common": 4.0, "common": 5.0}
"""How often a word is in texts, each with the maximum Zipf frequency. More common words are very common."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What can be told about a group of columns in one direction, and of which words it is true. `text` can name
    columns of the table `known_about` in braces."""

    group: str
    sign: str
    text: str
    is_true: Callable[[pd.DataFrame], pd.Series]


def _in_sizes(above: int, up_to: int) -> Callable[[pd.DataFrame], pd.Series]:
    """Return the condition that the smallest list of SCOWL that has the word has such a size."""
    return lambda of: (of.scowl_size > above) & (of.scowl_size <= up_to)


FACTS = (
    Fact("dictionaries", UP, "in ordinary dictionaries", _in_sizes(0, 60)),
    Fact("dictionaries", UP, "in large dictionaries", _in_sizes(60, 70)),
    Fact("dictionaries", DOWN, "only in British word lists", lambda of: of.is_british & (of.scowl_size == NO_SIZE)),
    Fact("dictionaries", DOWN, "a variant spelling", lambda of: of.is_variant & (of.scowl_size == NO_SIZE)),
    Fact("dictionaries", DOWN, "usually with a capital", lambda of: of.is_capitalized & (of.scowl_size > 60)),
    Fact("dictionaries", DOWN, "only in large dictionaries", _in_sizes(60, 70)),
    Fact("dictionaries", DOWN, "only in large word lists", _in_sizes(70, 80)),
    Fact("dictionaries", DOWN, "only in the largest word lists", _in_sizes(80, 95)),
    Fact("dictionaries", DOWN, "not in SCOWL's dictionaries", lambda of: of.scowl_size == NO_SIZE),
    Fact("texts", UP, "{often} in texts", lambda of: (of.zipf > COMMON_ZIPF) & ~of.is_capitalized),
    Fact("texts", DOWN, "{often} in texts", lambda of: of.zipf <= COMMON_ZIPF),
    Fact("WordNet", UP, "in WordNet", lambda of: of.wordnet_senses > 0),
    Fact("WordNet", DOWN, "in WordNet only with a capital", lambda of: of.only_capitalized & ~of.has_base),
    Fact("WordNet", DOWN, "not in WordNet", lambda of: of.no_sense & ~of.has_base & (of.wordnet_capitalised == 0)),
    Fact("name", DOWN, "usually with a capital", lambda of: of.is_capitalized & (of.scowl_size <= 60)),
    Fact("name", DOWN, "also a name", lambda of: (of.scowl_name <= 60) & ~of.is_capitalized),
    Fact("name", DOWN, "also with a capital", lambda of: (of.scowl_upper <= 60) & ~of.is_capitalized),
    Fact("abroad", DOWN, "more common in {foreign} than in English", lambda of: of.zipf_abroad > of.zipf),
    Fact("grade", DOWN, "may offend (graded {grade})", lambda of: of.grade != ""),
    Fact("own list", UP, "in a list of your own", lambda of: of[OWN_LIST]),
    Fact("own list", DOWN, "in a list of your own", lambda of: of[OWN_LIST]),
    Fact("form", UP, "a form of {base}", lambda of: of.has_base & of.no_relative & (of.base_zipf >= RARE_ZIPF)),
    Fact("form", DOWN, "a form of the rare word {base}", lambda of: of.has_base & (of.base_zipf < RARE_ZIPF)),
    Fact("family", UP, "{accepted}", lambda of: of.accepted != ""),
    Fact("family", DOWN, "{refused}", lambda of: of.refused != ""),
)
"""All facts. Of those with the same group and sign, the first one that is true is told. In a group, a fact with `DOWN`
takes precedence."""


def known_about(
    lexicon: pd.DataFrame,
    rows: columns.Numbers,
    forms: pd.DataFrame,
    record: pd.DataFrame,
    grades: pd.DataFrame,
) -> pd.DataFrame:
    """Return what facts are about, one row per word in some `rows` of the lexicon: its columns, and base_zipf, grade,
    often (in texts), foreign (the name of the language), accepted and refused (the record of the nearest tried relative
    as a text), each "" if there is none.

    The others are the tables of these names; `grades` is `offensive_words`.
    """
    words = lexicon.iloc[rows].reset_index(drop=True)
    word, base, size = words["word"], words["base"], words["scowl_size"]
    is_capitalized = above_all_a_name(words) & (words[["scowl_upper", "scowl_name"]].min(axis=1) < size)
    is_capitalized &= (words["wordnet_senses"] == 0) | (words["wordnet_capitalised"] > 0)
    relatives = _nearest_tried(word, forms, record)
    accepted = columns.look_up(word, relatives[relatives["is_accepted"]].set_index("word")["text"], "")
    refused = columns.look_up(word, relatives[~relatives["is_accepted"]].set_index("word")["text"], "")
    return words.assign(
        base_zipf=columns.look_up(base, lexicon.set_index("word")["zipf"], np.nan),  # too short for the lexicon
        grade=columns.look_up(word, grades.set_index("word")["flag"], ""),
        often=np.array([*OFTEN, "very common"], dtype=object)[np.searchsorted(list(OFTEN.values()), words["zipf"])],
        foreign=words["language"].map(LANGUAGES).fillna(""),
        has_base=base != "",
        no_sense=words["wordnet_senses"] == 0,
        only_capitalized=(words["wordnet_senses"] == 0) & (words["wordnet_capitalised"] > 0) & ~is_capitalized,
        is_capitalized=is_capitalized,
        is_british=words["scowl_british"] < size,
        is_variant=words["scowl_variant"] < size,
        accepted=accepted,
        refused=refused,
        no_relative=(accepted == "") & (refused == ""),
    )


def _nearest_tried(words: pd.Series, forms: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Return two records for each of some words at most: that of its nearest relative that was accepted at least two of
    three times and the last time, and that of the nearest one that was refused as often: columns word, is_accepted,
    text.

    The base of a word is nearer than its forms, and these are nearer than other forms of its base. Forms in -ed and
    -ing speak only for each other, and so do all other forms. Of equally near ones, the one that was tried most often
    counts.
    """
    pairs = forms.assign(verbal=forms["form"].isin(VERBAL))[["word", "base", "verbal"]].drop_duplicates()
    others = pairs.merge(pairs.rename(columns={"word": "relative"}), on=["base", "verbal"])
    others = others[others["word"] != others["relative"]]
    form, base = pairs["word"], pairs["base"]
    together = [
        pairs.assign(relative=base, near=0, told="its base " + base),
        pairs.assign(word=base, relative=form, near=1, told="its form " + form),
        others.assign(near=2, told="another form, " + others["relative"] + ","),
    ]
    near = pd.concat(together)[["word", "relative", "near", "told"]]
    tried = near.merge(record.rename(columns={"word": "relative"}), on="relative")
    is_accepted = tried["last_accepted"] > tried["last_refused"]
    often = tried["accepted"].where(is_accepted, tried["offered"] - tried["accepted"])
    tried = tried.assign(is_accepted=is_accepted, often=often)[3 * often >= 2 * tried["offered"]]
    tried = tried[columns.is_in(tried["word"], words)]
    nearest_first = tried.sort_values(["near", "offered", "relative"], ascending=[True, False, True])
    nearest = nearest_first.drop_duplicates(["word", "is_accepted"])
    cells = nearest[["told", "is_accepted", "often", "offered"]].itertuples(index=False)
    text = [
        f"{told} was {'accepted' if accepted else 'refused'} {times(often, offered)}"
        for told, accepted, often, offered in cells
    ]
    return nearest.assign(text=pd.Series(text, nearest.index, dtype="str"))[["word", "is_accepted", "text"]]


def group_scores(names: Sequence[str], weights: np.ndarray, features: np.ndarray) -> np.ndarray:
    """Return what each group of `TOLD` adds to the logarithm of the odds of some words: one row per row of `features`,
    whose columns have these `names` and `weights`."""
    in_group = np.array([[group_of(name) == group for group in TOLD] for name in names], dtype=float)
    return np.asarray(features @ (weights[:, None] * in_group))


def because(scores: np.ndarray, usual: np.ndarray, likely: np.ndarray, p: np.ndarray, known: pd.DataFrame) -> list[str]:
    """Return the reason for the p of each word: facts with their signs, separated by semicolons.

    `scores` are the `group_scores` of the words, `usual` and `likely` are those of the mean tried word and of the mean
    likely word, and `known` has the rows of `known_about`. What speaks for a word is compared with the usual word. What
    speaks against it is compared with the likely one if the word is unlikely, so that the reason says what it lacks.
    The fact that speaks most for the place of the word, on the list or off it, comes first, and then those that move
    its p most.
    """
    is_likely = p >= LIKELY
    upward = scores - usual
    downward = scores - np.where(is_likely[:, None], usual, likely)
    moves, texts = np.zeros(scores.shape), np.full(scores.shape, "", dtype=object)
    for fact in sorted(reversed(FACTS), key=lambda fact: fact.sign):  # + before -
        place = TOLD.index(fact.group)
        moved = upward[:, place] if fact.sign == UP else downward[:, place]
        rows = np.flatnonzero((moved * (1 if fact.sign == UP else -1) > 0) & fact.is_true(known).to_numpy(dtype=bool))
        texts[rows, place], moves[rows, place] = _written(fact, known, rows), moved[rows]
    toward_place = np.where(is_likely, 1, -1)[:, None] * moves
    every, first = np.arange(len(p)), toward_place.argmax(axis=1)
    is_supported = toward_place[every, first] > 0
    strength = np.where(np.abs(moves) >= MIN_WEIGHT, np.abs(moves), 0.0)
    strength[every, first] = np.where(is_supported, np.inf, strength[every, first])
    texts[strength == 0] = ""
    order = np.argsort(-strength, axis=1, kind="stable")
    otherwise = np.where(is_likely, SIMILAR_WORDS[UP], SIMILAR_WORDS[DOWN])
    told = np.column_stack([np.where(is_supported, "", otherwise), np.take_along_axis(texts, order, axis=1)])
    return ["; ".join(list(filter(None, facts))[:MAX_FACTS]) for facts in told.tolist()]


TOLD = tuple(dict.fromkeys(fact.group for fact in FACTS))


def group_of(column: str) -> str:
    """Return the group of the facts that tell about a column of the estimate; "" if nothing tells about it.

    >>> [group_of(name) for name in ("size: 35", "base: commoner", "shape: un-")]
    ['dictionaries', 'form', '']
    """
    part = column.partition(": ")[0]
    return GROUPS.get(column, GROUPS.get(part, ""))


def _written(fact: Fact, known: pd.DataFrame, rows: columns.Numbers) -> np.ndarray:
    """Return a fact about the words in some rows, with its sign."""
    texts = np.full(len(rows), f"{fact.sign} ", dtype=object)
    for text, name, _, _ in Formatter().parse(fact.text):
        texts += text
        if name:
            texts += known[name].to_numpy(dtype=object)[rows]
    return texts
