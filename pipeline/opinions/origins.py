"""Origins: the word that a word is a form of or made from, for the text of its reason. They explain p and never change
it.

Links come from spelling alone: *mission* looks like *miss* with -ion. So a link counts as certain only if the lists
support it: the ending or beginning is of a common kind, the base has the right part of speech, and the lists that have
the base are not larger than those that have the word. For any other link, a reason says only what the word looks like.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.opinions.relatives import PART_SIZE, root_rows
from pipeline.tables import columns

NO_ROW = -1
"""The row number that stands for a base, part or form that a word does not have."""
MIN_LATINATE_BASE = 5
"""From this length on, a base with one of the endings `_LATINATE` is hardly an accident; with -ion, from 6."""
ZIPF_OF_COMMONER_PLURAL = 0.5
"""A plural whose Zipf frequency exceeds that of its base by at least this much is a word of its own (*species*)."""
MIN_BASE_ZIPF = 1.0
"""A base with a lower Zipf frequency than this, and than the word, is not a certain base of the word."""
_PLAIN_ENDINGS = ("ness", "less", "ly", "able", "like", "hood", "ship", "ful", "ward", "ist", "ism")
_ADJECTIVE_ENDINGS = ("y", "al", "ic", "ish", "ous", "some")
_LATINATE = ("ance", "ence", "ant", "ent", "ment")
_PLAIN_BEGINNINGS = ("un", "non", "over", "out", "under", "mis", "anti", "super", "inter", "fore", "down", "back", "up")


@dataclass(frozen=True, slots=True)
class Origins:
    """What each word of the lexicon comes from, one row per word. Other words are given by their row, or `NO_ROW`.

    - `base` is the word of which it is a form (`is_form`) or from which it is made; `certain` says whether this is
      sure.
    - `first` and `second` are its two parts; `maybe_compound` and `surely_compound` say whether it is made from them.
    - `form` is the most common of its certain forms.
    - `root` is equal for words that are certainly relatives.
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


@dataclass(frozen=True, slots=True)
class _Senses:
    """Which words of the lexicon have a sense in WordNet as a noun, a verb, an adjective or an adverb, or no sense."""

    noun: columns.Flags
    verb: columns.Flags
    adjective: columns.Flags
    adverb: columns.Flags
    none: columns.Flags


def _senses(lexicon: pd.DataFrame) -> _Senses:
    """Return the parts of speech of all words."""

    def has(letter: str) -> columns.Flags:
        return lexicon["wordnet_pos"].str.contains(letter, regex=False).to_numpy(dtype=bool)

    without_sense = (lexicon["wordnet_senses"] == 0).to_numpy()
    return _Senses(noun=has("n"), verb=has("v"), adjective=has("a"), adverb=has("r"), none=without_sense)


def origins(lexicon: pd.DataFrame, links: pd.DataFrame) -> Origins:
    """Return what each word comes from, based on the table `links`."""
    size = len(lexicon)
    senses = _senses(lexicon)
    pairs = _rate_pairs(links[links["kind"] != "compound"].reset_index(drop=True), lexicon, senses)
    best_first = ["form", "is_lemma", "certain", "base_size", "base_zipf"]
    ranked = pairs.sort_values(best_first, ascending=[True, False, False, True, False], kind="stable")
    best = ranked.drop_duplicates("form").set_index("form")
    base = np.full(size, NO_ROW)
    is_form = np.zeros(size, np.bool_)
    certain = np.zeros(size, np.bool_)
    base[best.index] = best["base"]
    is_form[best.index] = best["is_form"]
    certain[best.index] = best["certain"]
    has_lemma = np.zeros(size, np.bool_)
    has_lemma[pairs["form"][pairs["is_lemma"]]] = True

    first, second = _compound_parts(lexicon, links)
    is_split = first != NO_ROW
    maybe_compound = is_split & ~certain & ~has_lemma & ~_split_in_two_ways(lexicon, first, second)
    surely_compound = maybe_compound & _likely_compound(lexicon, senses, first, second)
    same_first_part = first == first[base]
    surely_compound |= certain & is_form & is_split & same_first_part & surely_compound[base]

    certain_forms = pairs[pairs["is_form"] & pairs["certain"] & pairs["is_lemma"]]
    most_usual_last = certain_forms.sort_values(["size", "zipf"], ascending=[False, True], kind="stable")
    form = np.full(size, NO_ROW)
    form[most_usual_last["base"]] = most_usual_last["form"]
    has_certain_base = np.flatnonzero(certain)
    return Origins(
        base=base,
        is_form=is_form,
        certain=certain,
        first=first,
        second=second,
        maybe_compound=maybe_compound,
        surely_compound=surely_compound,
        form=form,
        root=root_rows(has_certain_base, base[has_certain_base], size),
    )


def _rate_pairs(pairs: pd.DataFrame, lexicon: pd.DataFrame, senses: _Senses) -> pd.DataFrame:
    """Return, for pairs of a word and a base, whether the word is a form of the base or made from it, and whether this
    is certain.

    The columns are form, base, is_lemma (the lists name this base), is_form, certain, size, zipf, base_size, base_zipf.
    """
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    word = _words_at(lexicon["word"], form)
    base_word = _words_at(lexicon["word"], base)
    is_lemma = (_words_at(lexicon["lemma"], form) == base_word).to_numpy(dtype=bool)
    ends_in_er = word.str.endswith("er").to_numpy(dtype=bool)
    ends_in_est = word.str.endswith("est").to_numpy(dtype=bool)
    is_comparative = _is_comparative(senses, ends_in_est, form, base)
    inflected = (pairs["kind"] == "inflected").to_numpy()
    is_form = inflected & (~ends_in_er | (is_lemma & is_comparative))
    surely_inflected = np.where(
        ends_in_er | ends_in_est, is_comparative, _surely_inflected(lexicon, senses, word, form, base)
    )
    surely_form = is_form & is_lemma & surely_inflected

    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    base_is_as_usual = (size[base] <= size[form]) & (zipf[base] >= np.minimum(zipf[form], MIN_BASE_ZIPF))
    prefixed = (pairs["kind"] == "prefixed").to_numpy()
    surely_made = _surely_suffixed(lexicon, senses, pairs, word, base_word)
    surely_made[prefixed] = _surely_prefixed(senses, pairs[prefixed], word[prefixed], base_word[prefixed])
    surely_made &= base_is_as_usual
    return pd.DataFrame(
        {
            "form": form,
            "base": base,
            "is_lemma": is_lemma,
            "is_form": is_form,
            "certain": np.where(is_form, surely_form, surely_made),
            "size": size[form],
            "zipf": zipf[form],
            "base_size": size[base],
            "base_zipf": zipf[base],
        }
    )


def _words_at(words: pd.Series, rows: columns.Numbers) -> pd.Series:
    """Return the words in some rows, numbered from 0."""
    return words.iloc[rows].reset_index(drop=True)


def _is_comparative(
    senses: _Senses, is_superlative: columns.Flags, form: columns.Numbers, base: columns.Numbers
) -> columns.Flags:
    """Return which words in -er and -est are forms of an adjective or adverb: *quicker* is one, *porter* is not."""
    only_adjective = senses.adjective[form] & ~senses.noun[form]
    base_is_adjective_or_adverb = senses.adjective[base] | senses.adverb[base]
    return base_is_adjective_or_adverb & (is_superlative | senses.none[form] | only_adjective)


def _surely_inflected(
    lexicon: pd.DataFrame, senses: _Senses, word: pd.Series, form: columns.Numbers, base: columns.Numbers
) -> columns.Flags:
    """Return which words, other than comparatives and superlatives, are only forms of their lemma.

    A word with a sense of its own may not be a form: *morning* is not a form of *morn*, and *news* is not a form of
    *new*. Irregular forms, like *lost*, are known only from the lists.
    """
    in_s = word.str.endswith("s").to_numpy(dtype=bool)
    in_ed_or_ing = word.str.endswith(("ed", "ing")).to_numpy(dtype=bool)
    base_is_noun, base_is_verb = senses.noun[base], senses.verb[base]
    zipf = lexicon["zipf"].to_numpy()
    plural = in_s & (zipf[form] < zipf[base] + ZIPF_OF_COMMONER_PLURAL) & (base_is_noun | base_is_verb)
    irregular = ~in_s & ~in_ed_or_ing
    return senses.none[form] | irregular | (in_ed_or_ing & base_is_verb) | plural


def _surely_suffixed(
    lexicon: pd.DataFrame, senses: _Senses, pairs: pd.DataFrame, word: pd.Series, base_word: pd.Series
) -> columns.Flags:
    """Return which words are certainly made from their base with an ending, judged by ending and part of speech."""
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    noun, verb, adjective = senses.noun[form], senses.verb[form], senses.adjective[form]
    base_is_verb, base_is_adjective = senses.verb[base], senses.adjective[base]
    zipf = lexicon["zipf"].to_numpy()
    base_length = base_word.str.len().to_numpy()
    long_base = base_length >= MIN_LATINATE_BASE
    longer_base = base_length >= MIN_LATINATE_BASE + 1

    def ends_with(*endings: str) -> columns.Flags:
        return word.str.endswith(endings).to_numpy(dtype=bool)

    noun_only = (noun | senses.none[form]) & ~verb & ~adjective
    doer: columns.Flags = ends_with("er", "or") & base_is_verb & noun_only & (zipf[base] >= zipf[form])
    plain = ends_with(*_PLAIN_ENDINGS) & ~verb
    quality = ends_with(*_ADJECTIVE_ENDINGS) & adjective & ~noun & ~verb
    latinate = ends_with(*_LATINATE) & long_base & base_is_verb
    latinate |= ends_with("ion") & longer_base & base_is_verb
    latinate |= ends_with("ity") & long_base & base_is_adjective
    surely_suffixed: columns.Flags = doer | plain | quality | latinate
    return surely_suffixed


def _surely_prefixed(senses: _Senses, pairs: pd.DataFrame, word: pd.Series, base_word: pd.Series) -> columns.Flags:
    """Return which words are certainly made from their base with a beginning."""
    beginning = pd.Series(
        [whole.removesuffix(base) for whole, base in zip(word.tolist(), base_word.tolist(), strict=True)], dtype="str"
    )
    plain = beginning.isin(_PLAIN_BEGINNINGS).to_numpy(dtype=bool)
    again = (beginning == "re").to_numpy(dtype=bool)
    without_sense = senses.none[pairs["form"].to_numpy()]
    base_is_verb = senses.verb[pairs["base"].to_numpy()]
    surely_prefixed: columns.Flags = plain | (again & without_sense & base_is_verb)
    return surely_prefixed


def _compound_parts(lexicon: pd.DataFrame, links: pd.DataFrame) -> tuple[columns.Numbers, columns.Numbers]:
    """Return the rows of the first and of the second part of each word; both are `NO_ROW` if it is not a compound."""
    pairs = links[links["kind"] == "compound"]
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    words = lexicon["word"].array
    words_and_parts = list(zip(words.take(form).tolist(), words.take(base).tolist(), strict=True))
    begins = np.array([word.startswith(part) for word, part in words_and_parts], dtype=np.bool_)
    ends = np.array([word.endswith(part) for word, part in words_and_parts], dtype=np.bool_)
    first, second = np.full(len(lexicon), NO_ROW), np.full(len(lexicon), NO_ROW)
    first[form[begins]] = base[begins]
    second[form[ends]] = base[ends]
    length = lexicon["word"].str.len().to_numpy()
    whole = (first != NO_ROW) & (second != NO_ROW) & (length[first] + length[second] == length)
    return np.where(whole, first, NO_ROW), np.where(whole, second, NO_ROW)


def _split_in_two_ways(lexicon: pd.DataFrame, first: columns.Numbers, second: columns.Numbers) -> columns.Flags:
    """Return which compounds can also be split one letter earlier or later: *airspace* is not made from *airs*."""
    rows = np.flatnonzero(first != NO_ROW)
    common = set(lexicon["word"][lexicon["scowl_size"] <= PART_SIZE].tolist())
    ambiguous = []
    words = lexicon["word"].array
    for one, two in zip(words.take(first[rows]).tolist(), words.take(second[rows]).tolist(), strict=True):
        sooner = one[-1] + two in common
        later = one + two[0] in common and two[1:] in common
        ambiguous.append(sooner or later)
    split_in_two_ways = np.zeros(len(lexicon), np.bool_)
    split_in_two_ways[rows] = ambiguous
    return split_in_two_ways


def _likely_compound(
    lexicon: pd.DataFrame, senses: _Senses, first: columns.Numbers, second: columns.Numbers
) -> columns.Flags:
    """Return which words with two parts are nouns and rarer than each part. Other words may only look like compounds.

    *Restrain* is a verb, *pastoral* is also an adjective, and *massacre* is more common than *acre*.
    """
    zipf = lexicon["zipf"].to_numpy()
    rarer = zipf <= np.minimum(zipf[first], zipf[second])
    only_noun = senses.noun & ~senses.adjective & ~senses.adverb
    second_is_noun_or_adverb = senses.noun[second] | senses.adverb[second]
    is_split = first != NO_ROW
    likely: columns.Flags = is_split & rarer & (only_noun | senses.none) & second_is_noun_or_adverb
    return likely
