"""Origins: what a word is a form of or made from, as its reason says it. They explain p and never change it.

Links come from spelling alone: *mission* looks like *miss* with -ion. So a link counts as certain only if the lists
bear it out: a common kind of ending or beginning, a base of the right part of speech, and no larger list for the base
than for the word. Of any other link a reason says no more than what the word looks like.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.facts.endings import PART_SIZE
from pipeline.opinions.relatives import root_rows
from pipeline.tables import columns

NOBODY = -1
"""The row of a base, part or form that a word does not have."""
LONG = 5
"""From this length on a base with one of the endings `_LATINATE` is hardly there by accident; with -ion from 6."""
ABOUT = 0.5
"""A plural that is commoner than its base by this much in Zipf frequency, or more, is a word of its own (*species*)."""
KNOWN = 1.0
"""A base that is rarer than this Zipf frequency, and than the word, is no certain base of it."""
_PLAIN_ENDINGS = ("ness", "less", "ly", "able", "like", "hood", "ship", "ful", "ward", "ist", "ism")
_OF_ADJECTIVES = ("y", "al", "ic", "ish", "ous", "some")
_LATINATE = ("ance", "ence", "ant", "ent", "ment")
_PLAIN_BEGINNINGS = ("un", "non", "over", "out", "under", "mis", "anti", "super", "inter", "fore", "down", "back", "up")


@dataclass(frozen=True, slots=True)
class Origins:
    """What each word of the lexicon comes from, one row per word; rows of other words, or `NOBODY`.

    - `base` is the word of which it is a form (`is_form`) or from which it is made, `certain` or not.
    - `first` and `second` are its two parts; `maybe_compound` and `surely_compound` say whether it is made from them.
    - `form` is the most usual of its certain forms.
    - `root` is the same for words that are certainly relatives.
    """

    base: columns.Numbers
    is_form: columns.Flags
    certain: columns.Flags
    first: columns.Numbers
    second: columns.Numbers
    maybe_compound: columns.Flags
    surely_compound: columns.Flags
    form: columns.Numbers
    root: columns.Numbers


def origins(lexicon: pd.DataFrame, linked: pd.DataFrame) -> Origins:
    """Find what each word comes from, in the table `links`."""
    size = len(lexicon)
    derived = linked[linked["kind"] != "compound"]
    pairs = _judged(derived.reset_index(drop=True), lexicon)
    best = ["form", "is_lemma", "certain", "base_size", "base_zipf"]
    ranked = pairs.sort_values(best, ascending=[True, False, False, True, False], kind="stable")
    right = ranked.drop_duplicates("form")
    base, is_form, certain = np.full(size, NOBODY), np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    rows = right["form"].to_numpy()
    base[rows], is_form[rows], certain[rows] = right["base"], right["is_form"], right["certain"]
    first, second = _compounds(lexicon, linked)
    has_lemma = np.zeros(size, np.bool_)
    has_lemma[pairs["form"][pairs["is_lemma"]]] = True
    otherwise_made = certain | has_lemma
    maybe_compound = (first != NOBODY) & ~otherwise_made & ~_split_in_two_ways(lexicon, first, second)
    surely_compound = maybe_compound & _likely_compound(lexicon, first, second)
    surely_compound |= certain & is_form & (first != NOBODY) & (first == first[base]) & surely_compound[base]
    form = np.full(size, NOBODY)
    forms = pairs[pairs["is_form"] & pairs["certain"] & pairs["is_lemma"]]
    forms = forms.sort_values(["size", "zipf"], ascending=[False, True], kind="stable")
    form[forms["base"]] = forms["form"]
    sure = np.flatnonzero(certain)
    root = root_rows(sure, base[sure], size)
    return Origins(base, is_form, certain, first, second, maybe_compound, surely_compound, form, root)


def _judged(pairs: pd.DataFrame, lexicon: pd.DataFrame) -> pd.DataFrame:
    """Judge pairs of a word and a base: is the word a form of the base, or else made from it; and is that certain?"""
    words, lemmas = lexicon["word"].array, lexicon["lemma"].array
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    word = pd.Series(words.take(form), dtype="str")
    stem = pd.Series(words.take(base), dtype="str")
    is_lemma = np.asarray(pd.Series(lemmas.take(form), dtype="str") == stem, dtype=np.bool_)
    inflected = (pairs["kind"] == "inflected").to_numpy()
    prefixed = (pairs["kind"] == "prefixed").to_numpy()
    ends_in_er = word.str.endswith("er").to_numpy(dtype=bool)
    compares = _compares(lexicon, form, base)
    is_form = inflected & (~ends_in_er | (is_lemma & compares))
    ends_like_a_comparison = ends_in_er | word.str.endswith("est").to_numpy(dtype=bool)
    a_form = is_form & is_lemma & np.where(ends_like_a_comparison, compares, _has_form(lexicon, form, base))
    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    base_is_as_usual = (size[base] <= size[form]) & (zipf[base] >= np.minimum(zipf[form], KNOWN))
    with_beginning = _surely_prefixed(lexicon, pairs, word, stem)
    made = np.where(prefixed, with_beginning, _surely_suffixed(lexicon, pairs, word, stem))
    return pd.DataFrame(
        {
            "form": form,
            "base": base,
            "is_lemma": is_lemma,
            "is_form": is_form,
            "certain": np.where(is_form, a_form, made & base_is_as_usual),
            "size": size[form],
            "zipf": zipf[form],
            "base_size": size[base],
            "base_zipf": zipf[base],
        }
    )


def _is_a(lexicon: pd.DataFrame, part: str, rows: columns.Numbers) -> columns.Flags:
    """Return for each of the rows whether its word is, in WordNet, a noun (n), verb (v), adjective (a), adverb (r)."""
    found: columns.Flags = lexicon["wordnet_pos"].str.contains(part, regex=False).to_numpy(dtype=bool)[rows]
    return found


def _compares(lexicon: pd.DataFrame, form: columns.Numbers, base: columns.Numbers) -> columns.Flags:
    """Return whether words in -er and -est are forms of an adjective or adverb: *quicker* is, *porter* is not."""
    superlative = lexicon["word"].str.endswith("est").to_numpy(dtype=bool)[form]
    without_sense = (lexicon["wordnet_senses"] == 0).to_numpy()[form]
    only_adjective = _is_a(lexicon, "a", form) & ~_is_a(lexicon, "n", form)
    of_an_adjective = _is_a(lexicon, "a", base) | _is_a(lexicon, "r", base)
    return of_an_adjective & (superlative | without_sense | only_adjective)


def _has_form(lexicon: pd.DataFrame, form: columns.Numbers, base: columns.Numbers) -> columns.Flags:
    """Return whether other words are forms of their lemma and nothing else.

    A word with a sense of its own may be none: *morning* is not a form of *morn*, nor *news* of *new*. Only the lists
    know irregular forms, like *lost*.
    """
    word = lexicon["word"]
    in_s, in_ed = (word.str.endswith(ends).to_numpy(dtype=bool)[form] for ends in ("s", ("ed", "ing")))
    without_sense = (lexicon["wordnet_senses"] == 0).to_numpy()[form]
    of_a_noun, of_a_verb = _is_a(lexicon, "n", base), _is_a(lexicon, "v", base)
    zipf = lexicon["zipf"].to_numpy()
    plural = in_s & (zipf[form] < zipf[base] + ABOUT) & (of_a_noun | of_a_verb)
    irregular = ~in_s & ~in_ed
    return without_sense | irregular | (in_ed & of_a_verb) | plural


def _surely_suffixed(lexicon: pd.DataFrame, pairs: pd.DataFrame, word: pd.Series, base: pd.Series) -> columns.Flags:
    """Return which words are surely made from their base with an ending, by ending and part of speech."""
    form, stem = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    noun, verb, adjective = (_is_a(lexicon, part, form) for part in "nva")
    of_a_verb, of_an_adjective = _is_a(lexicon, "v", stem), _is_a(lexicon, "a", stem)
    without_sense = (lexicon["wordnet_senses"] == 0).to_numpy()[form]
    zipf = lexicon["zipf"].to_numpy()
    long, longer = (base.str.len().to_numpy() >= length for length in (LONG, LONG + 1))

    def ends(*endings: str) -> columns.Flags:
        found: columns.Flags = word.str.endswith(endings).to_numpy(dtype=bool)
        return found

    doer = ends("er", "or") & of_a_verb & (noun | without_sense) & ~verb & ~adjective & (zipf[stem] >= zipf[form])
    plain = ends(*_PLAIN_ENDINGS) & ~verb
    quality = ends(*_OF_ADJECTIVES) & adjective & ~noun & ~verb
    latinate = (ends(*_LATINATE) & long & of_a_verb) | (ends("ion") & longer & of_a_verb)
    return np.asarray(doer | plain | quality | latinate | (ends("ity") & long & of_an_adjective))


def _surely_prefixed(lexicon: pd.DataFrame, pairs: pd.DataFrame, word: pd.Series, base: pd.Series) -> columns.Flags:
    """Return which words are surely made from their base with a beginning."""
    beginning = [whole[: len(whole) - len(rest)] for whole, rest in zip(word.tolist(), base.tolist(), strict=True)]
    again = np.array([part == "re" for part in beginning], dtype=np.bool_)
    plain = np.array([part in _PLAIN_BEGINNINGS for part in beginning], dtype=np.bool_)
    without_sense = (lexicon["wordnet_senses"] == 0).to_numpy()[pairs["form"].to_numpy()]
    return np.asarray(plain | (again & without_sense & _is_a(lexicon, "v", pairs["base"].to_numpy())))


def _compounds(lexicon: pd.DataFrame, linked: pd.DataFrame) -> tuple[columns.Numbers, columns.Numbers]:
    """Return the two parts of each compound."""
    first, second = np.full(len(lexicon), NOBODY), np.full(len(lexicon), NOBODY)
    pairs = linked[linked["kind"] == "compound"]
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    both_words = list(zip(lexicon["word"].array.take(form), lexicon["word"].array.take(base), strict=True))
    begins = np.array([whole.startswith(part) for whole, part in both_words], dtype=np.bool_)
    ends = np.array([whole.endswith(part) for whole, part in both_words], dtype=np.bool_)
    first[form[begins]], second[form[ends]] = base[begins], base[ends]
    length = lexicon["word"].str.len().to_numpy()
    whole = (first != NOBODY) & (second != NOBODY) & (length[first] + length[second] == length)
    first[~whole], second[~whole] = NOBODY, NOBODY
    return first, second


def _split_in_two_ways(lexicon: pd.DataFrame, first: columns.Numbers, second: columns.Numbers) -> columns.Flags:
    """Return which compounds may also be split one letter sooner or later: *airspace* is not made from *airs*."""
    found = np.zeros(len(lexicon), np.bool_)
    rows = np.flatnonzero(first != NOBODY)
    words = lexicon["word"].array
    common = set(lexicon["word"][lexicon["scowl_size"] <= PART_SIZE].tolist())
    parts = zip(words.take(first[rows]), words.take(second[rows]), strict=True)
    found[rows] = [
        one[-1] + other in common or (one + other[0] in common and other[1:] in common) for one, other in parts
    ]
    return found


def _likely_compound(lexicon: pd.DataFrame, first: columns.Numbers, second: columns.Numbers) -> columns.Flags:
    """Return which words with two parts are nouns, rarer than each part; others may be split by accident.

    *Restrain* is a verb, *pastoral* an adjective too, and *massacre* commoner than *acre*.
    """
    zipf, every = lexicon["zipf"].to_numpy(), np.arange(len(lexicon))
    rarer = zipf <= np.minimum(zipf[first], zipf[second])
    noun = _is_a(lexicon, "n", every) & ~_is_a(lexicon, "a", every) & ~_is_a(lexicon, "r", every)
    noun_part = _is_a(lexicon, "n", second) | _is_a(lexicon, "r", second)
    without_sense = (lexicon["wordnet_senses"] == 0).to_numpy()
    return np.asarray((first != NOBODY) & rarer & (noun | without_sense) & noun_part)
