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

NO_ROW = -1
"""The row of a base, part or form that a word does not have."""
MIN_LATINATE_BASE = 5
"""From this length on a base with one of the endings `_LATINATE` is hardly there by accident; with -ion from 6."""
COMMONER_PLURAL = 0.5
"""A plural that is commoner than its base by this much in Zipf frequency, or more, is a word of its own (*species*)."""
MIN_BASE_ZIPF = 1.0
"""A base that is rarer than this Zipf frequency, and than the word, is no certain base of it."""
_PLAIN_ENDINGS = ("ness", "less", "ly", "able", "like", "hood", "ship", "ful", "ward", "ist", "ism")
_ADJECTIVE_ENDINGS = ("y", "al", "ic", "ish", "ous", "some")
_LATINATE = ("ance", "ence", "ant", "ent", "ment")
_PLAIN_BEGINNINGS = ("un", "non", "over", "out", "under", "mis", "anti", "super", "inter", "fore", "down", "back", "up")


@dataclass(frozen=True, slots=True)
class Origins:
    """What each word of the lexicon comes from, one row per word; rows of other words, or `NO_ROW`.

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


def origins(lexicon: pd.DataFrame, links: pd.DataFrame) -> Origins:
    """Find what each word comes from, in the table `links`."""
    size = len(lexicon)
    pairs = _rate_pairs(links[links["kind"] != "compound"].reset_index(drop=True), lexicon)
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
    surely_compound = maybe_compound & _likely_compound(lexicon, first, second)
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


def _rate_pairs(pairs: pd.DataFrame, lexicon: pd.DataFrame) -> pd.DataFrame:
    """Rate pairs of a word and a base: is the word a form of the base, or else made from it; and is that certain?

    Returns columns form, base, is_lemma (the lists name this base), is_form, certain, size, zipf, base_size, base_zipf.
    """
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    word = _words_at(lexicon["word"], form)
    base_word = _words_at(lexicon["word"], base)
    is_lemma = (_words_at(lexicon["lemma"], form) == base_word).to_numpy(dtype=bool)
    ends_in_er = word.str.endswith("er").to_numpy(dtype=bool)
    ends_in_est = word.str.endswith("est").to_numpy(dtype=bool)
    is_comparative = _is_comparative(lexicon, form, base)
    inflected = (pairs["kind"] == "inflected").to_numpy()
    is_form = inflected & (~ends_in_er | (is_lemma & is_comparative))
    surely_inflected = np.where(ends_in_er | ends_in_est, is_comparative, _surely_inflected(lexicon, form, base))
    surely_form = is_form & is_lemma & surely_inflected

    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    base_is_as_usual = (size[base] <= size[form]) & (zipf[base] >= np.minimum(zipf[form], MIN_BASE_ZIPF))
    prefixed = (pairs["kind"] == "prefixed").to_numpy()
    surely_prefixed = _surely_prefixed(lexicon, pairs, word, base_word)
    surely_suffixed = _surely_suffixed(lexicon, pairs, word, base_word)
    surely_made = np.where(prefixed, surely_prefixed, surely_suffixed) & base_is_as_usual
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


def _is_a(lexicon: pd.DataFrame, part_of_speech: str, rows: columns.Numbers) -> columns.Flags:
    """Return for each of the rows whether its word is, in WordNet, a noun (n), verb (v), adjective (a), adverb (r)."""
    return lexicon["wordnet_pos"].str.contains(part_of_speech, regex=False).to_numpy(dtype=bool)[rows]


def _without_sense(lexicon: pd.DataFrame, rows: columns.Numbers) -> columns.Flags:
    """Return for each of the rows whether WordNet has no sense of its word."""
    return (lexicon["wordnet_senses"] == 0).to_numpy()[rows]


def _is_comparative(lexicon: pd.DataFrame, form: columns.Numbers, base: columns.Numbers) -> columns.Flags:
    """Return whether words in -er and -est are forms of an adjective or adverb: *quicker* is, *porter* is not."""
    superlative = lexicon["word"].str.endswith("est").to_numpy(dtype=bool)[form]
    only_adjective = _is_a(lexicon, "a", form) & ~_is_a(lexicon, "n", form)
    base_is_adjective_or_adverb = _is_a(lexicon, "a", base) | _is_a(lexicon, "r", base)
    return base_is_adjective_or_adverb & (superlative | _without_sense(lexicon, form) | only_adjective)


def _surely_inflected(lexicon: pd.DataFrame, form: columns.Numbers, base: columns.Numbers) -> columns.Flags:
    """Return whether words that do not compare are forms of their lemma and nothing else.

    A word with a sense of its own may be none: *morning* is not a form of *morn*, nor *news* of *new*. Only the lists
    know irregular forms, like *lost*.
    """
    in_s = lexicon["word"].str.endswith("s").to_numpy(dtype=bool)[form]
    in_ed_or_ing = lexicon["word"].str.endswith(("ed", "ing")).to_numpy(dtype=bool)[form]
    base_is_noun, base_is_verb = _is_a(lexicon, "n", base), _is_a(lexicon, "v", base)
    zipf = lexicon["zipf"].to_numpy()
    plural = in_s & (zipf[form] < zipf[base] + COMMONER_PLURAL) & (base_is_noun | base_is_verb)
    irregular = ~in_s & ~in_ed_or_ing
    return _without_sense(lexicon, form) | irregular | (in_ed_or_ing & base_is_verb) | plural


def _surely_suffixed(
    lexicon: pd.DataFrame, pairs: pd.DataFrame, word: pd.Series, base_word: pd.Series
) -> columns.Flags:
    """Return which words are surely made from their base with an ending, by ending and part of speech."""
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    noun, verb, adjective = _is_a(lexicon, "n", form), _is_a(lexicon, "v", form), _is_a(lexicon, "a", form)
    base_is_verb, base_is_adjective = _is_a(lexicon, "v", base), _is_a(lexicon, "a", base)
    zipf = lexicon["zipf"].to_numpy()
    base_length = base_word.str.len().to_numpy()
    long_base = base_length >= MIN_LATINATE_BASE
    longer_base = base_length >= MIN_LATINATE_BASE + 1

    def ends_with(*endings: str) -> columns.Flags:
        return word.str.endswith(endings).to_numpy(dtype=bool)

    noun_only = (noun | _without_sense(lexicon, form)) & ~verb & ~adjective
    doer: columns.Flags = ends_with("er", "or") & base_is_verb & noun_only & (zipf[base] >= zipf[form])
    plain = ends_with(*_PLAIN_ENDINGS) & ~verb
    quality = ends_with(*_ADJECTIVE_ENDINGS) & adjective & ~noun & ~verb
    latinate = ends_with(*_LATINATE) & long_base & base_is_verb
    latinate |= ends_with("ion") & longer_base & base_is_verb
    latinate |= ends_with("ity") & long_base & base_is_adjective
    return doer | plain | quality | latinate


def _surely_prefixed(
    lexicon: pd.DataFrame, pairs: pd.DataFrame, word: pd.Series, base_word: pd.Series
) -> columns.Flags:
    """Return which words are surely made from their base with a beginning."""
    beginning = pd.Series(
        [whole.removesuffix(base) for whole, base in zip(word.tolist(), base_word.tolist(), strict=True)], dtype="str"
    )
    plain = beginning.isin(_PLAIN_BEGINNINGS).to_numpy(dtype=bool)
    again = (beginning == "re").to_numpy(dtype=bool)
    without_sense = _without_sense(lexicon, pairs["form"].to_numpy())
    base_is_verb = _is_a(lexicon, "v", pairs["base"].to_numpy())
    return plain | (again & without_sense & base_is_verb)


def _compound_parts(lexicon: pd.DataFrame, links: pd.DataFrame) -> tuple[columns.Numbers, columns.Numbers]:
    """Return the rows of the first and of the second part of each word; `NO_ROW` twice if it is no compound."""
    pairs = links[links["kind"] == "compound"]
    form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    words_and_parts = list(zip(_words_at(lexicon["word"], form), _words_at(lexicon["word"], base), strict=True))
    begins = np.array([word.startswith(part) for word, part in words_and_parts], dtype=np.bool_)
    ends = np.array([word.endswith(part) for word, part in words_and_parts], dtype=np.bool_)
    first, second = np.full(len(lexicon), NO_ROW), np.full(len(lexicon), NO_ROW)
    first[form[begins]] = base[begins]
    second[form[ends]] = base[ends]
    length = lexicon["word"].str.len().to_numpy()
    whole = (first != NO_ROW) & (second != NO_ROW) & (length[first] + length[second] == length)
    return np.where(whole, first, NO_ROW), np.where(whole, second, NO_ROW)


def _split_in_two_ways(lexicon: pd.DataFrame, first: columns.Numbers, second: columns.Numbers) -> columns.Flags:
    """Return which compounds may also be split one letter sooner or later: *airspace* is not made from *airs*."""
    rows = np.flatnonzero(first != NO_ROW)
    common = set(lexicon["word"][lexicon["scowl_size"] <= PART_SIZE].tolist())
    ambiguous = []
    for one, two in zip(_words_at(lexicon["word"], first[rows]), _words_at(lexicon["word"], second[rows]), strict=True):
        sooner = one[-1] + two in common
        later = one + two[0] in common and two[1:] in common
        ambiguous.append(sooner or later)
    found = np.zeros(len(lexicon), np.bool_)
    found[rows] = ambiguous
    return found


def _likely_compound(lexicon: pd.DataFrame, first: columns.Numbers, second: columns.Numbers) -> columns.Flags:
    """Return which words with two parts are nouns, rarer than each part; others may be split by accident.

    *Restrain* is a verb, *pastoral* an adjective too, and *massacre* commoner than *acre*.
    """
    zipf, all_rows = lexicon["zipf"].to_numpy(), np.arange(len(lexicon))
    rarer = zipf <= np.minimum(zipf[first], zipf[second])
    noun = _is_a(lexicon, "n", all_rows) & ~_is_a(lexicon, "a", all_rows) & ~_is_a(lexicon, "r", all_rows)
    second_is_noun_or_adverb = _is_a(lexicon, "n", second) | _is_a(lexicon, "r", second)
    is_split = first != NO_ROW
    found: columns.Flags = is_split & rarer & (noun | _without_sense(lexicon, all_rows)) & second_is_noun_or_adverb
    return found
