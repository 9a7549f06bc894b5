"""Relatives: which words are linked as forms and bases, and how the records of relatives change the estimate of a word.

Links come from spelling alone: removing a prefix or a suffix must leave a word of the lexicon. Some links are wrong, so
the model learns a weight for each kind of link.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.facts.forms import PossibleBases, all_bases, merge_bases, remove_ending
from pipeline.facts.lexicon import NO_SIZE
from pipeline.tables import columns
from pipeline.words import GAME

KINDS = ("inflected", "suffixed", "prefixed", "compound")
"""The kinds of links between a form and its base. If several apply, the first one counts."""
PART_SIZE = 50
"""The SCOWL size up to which a word is common enough to be part of a compound."""
PREFIXES = frozenset(
    "a anti back be bi co de dis down en fore im in inter il mid mis non off on out over pre re sub super tri un under "
    "up".split()
)
SUFFIXES: dict[str, tuple[str, ...]] = {
    "er": ("", "e"), "or": ("", "e"), "ly": ("", "le"), "ily": ("y",), "ally": ("",), "ness": ("",), "iness": ("y",),
    "less": ("",), "able": ("", "e"), "ible": ("", "e"), "y": ("", "e"), "ish": ("", "e"), "ful": ("",),
    "al": ("", "e"), "ial": ("",), "ic": ("", "e", "y"), "ical": ("",), "ity": ("", "e"), "ility": ("le",),
    "ist": ("", "e"), "ism": ("", "e"), "ment": ("",), "ion": ("", "e"), "ation": ("", "e"), "ition": ("e",),
    "like": ("",), "man": ("",), "hood": ("",), "ship": ("",), "ward": ("",), "ee": ("", "e"), "ette": ("",),
    "let": ("",), "en": ("",), "age": ("",), "ant": ("",), "ent": ("",), "ance": ("",), "ence": ("",), "ate": ("",),
    "ative": ("ate",), "ive": ("", "e"), "ous": ("",), "an": ("",), "a": ("um",), "ae": ("a",), "i": ("us", "o"),
    "ia": ("ium",), "o": ("",), "ling": ("",), "some": ("",), "ery": ("",), "ry": ("",), "th": ("",),
}  # fmt: skip
"""Suffixes, each with its possible replacements in the base."""

MAX_SURPRISE = 2.0
"""The limit of the summed surprise of relatives, in both directions."""
COMMON_SIZE, COMMON_ZIPF = 50, 3.0
"""A word is common if it has at most this SCOWL size and at least this Zipf frequency (once in a million words)."""
MAX_AGAINST_COMMON = 0.5
"""The maximum surprise of one relation against a common word. Without this limit, *windows*, *pays* and *nuts* would
have a p below 0.5."""
NOT_COMPOUND = KINDS[:3]


def link_words(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return the links between words and their bases: columns form, base (row numbers of the lexicon), kind.

    A pair has the first of `KINDS` that applies; a compound has two links.
    """
    words = columns.as_text(lexicon["word"])
    parts = columns.as_text(lexicon["word"][lexicon["scowl_size"] <= PART_SIZE])
    bases_by_kind = {
        "inflected": _inflected_bases(lexicon),
        "suffixed": _without_suffixes(words),
        "prefixed": _without_prefixes(words),
        "compound": _compound_parts(words, parts),
    }
    tables = []
    for kind in KINDS:
        bases = bases_by_kind[kind].with_min_length(GAME.min_length)
        base = columns.positions(bases.text, words)
        is_link = base >= 0
        tables.append(pd.DataFrame({"form": bases.rows[is_link], "base": base[is_link], "kind": kind}))
    links = pd.concat(tables).drop_duplicates(["form", "base"])
    return links.sort_values(["form", "base"], ignore_index=True)


def possible_relatives(word: str, words: pd.Series) -> pd.Series:
    """Return the words that can be linked to a word by prefix or suffix, including the word itself.

    >>> possible_relatives("bakery", pd.Series(["bake", "baker", "cove", "ery", "unbakery"])).tolist()
    ['bake', 'baker', 'ery', 'unbakery']
    """
    tails = [word[start:] for start in range(1, len(word))]
    return words[words.str.startswith(word[:3]) | words.str.endswith(word) | columns.is_in(words, tails)]


def _inflected_bases(lexicon: pd.DataFrame) -> PossibleBases:
    """Return the words of which each word may be an inflected form, by its spelling or its lemma."""
    lemmas = PossibleBases(np.arange(len(lexicon)), columns.as_text(lexicon["lemma"]))
    return merge_bases([all_bases(columns.as_text(lexicon["word"])), lemmas])


def _without_suffixes(words: pa.Array) -> PossibleBases:
    """Return words with one of the `SUFFIXES` replaced by each possible replacement."""
    bases = []
    for suffix, replacements in SUFFIXES.items():
        stems = remove_ending(words, suffix).with_min_length(3)
        bases += [stems.with_ending(replacement) for replacement in replacements]
        if "" in replacements:
            bases.append(stems.undoubled())
    return merge_bases(bases)


def _without_prefixes(words: pa.Array) -> PossibleBases:
    """Return words without one of the `PREFIXES`."""
    bases = []
    for prefix in sorted(PREFIXES):
        has_prefix = pc.starts_with(words, pattern=prefix)
        rest = pc.utf8_slice_codeunits(words.filter(has_prefix), len(prefix))
        bases.append(PossibleBases(np.flatnonzero(has_prefix), rest))
    return merge_bases(bases)


def _compound_parts(words: pa.Array, parts: pa.Array) -> PossibleBases:
    """Return the parts of words that consist of two common words, split at the first position where this is
    possible."""
    bases = []
    unsplit = PossibleBases(np.arange(len(words)), words)
    for cut in range(GAME.min_length, GAME.max_length - GAME.min_length + 1):
        unsplit = unsplit.with_min_length(cut + GAME.min_length)
        first = pc.utf8_slice_codeunits(unsplit.text, 0, cut)
        second = pc.utf8_slice_codeunits(unsplit.text, cut)
        is_compound = columns.is_in(first, parts) & columns.is_in(second, parts)
        bases.append(PossibleBases(unsplit.rows, first).where(is_compound))
        bases.append(PossibleBases(unsplit.rows, second).where(is_compound))
        unsplit = unsplit.where(~is_compound)
    return merge_bases(bases)


def same_stem_pairs(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return pairs of words that may be forms of the same stem, even if the stem is too short to be listed: columns
    form, base."""
    stems = _inflected_bases(lexicon).with_min_length(GAME.min_length - 1)
    stem_number = pd.factorize(pd.Series(stems.text))[0]
    forms = pd.DataFrame({"form": stems.rows, "stem": stem_number}).drop_duplicates()
    forms = forms[forms.duplicated("stem", keep=False)]
    pairs = forms.merge(forms.rename(columns={"form": "base"}), on="stem")[["form", "base"]]
    return pairs[pairs["form"] != pairs["base"]].drop_duplicates(ignore_index=True)


def base_features(lexicon: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """Return, for each word of the lexicon, how common its most common base of each kind is, and whether one of its
    forms is more common than the word."""
    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    features: dict[str, np.ndarray] = {}
    for kind in NOT_COMPOUND:
        form, base = _linked_rows(links, kind)
        base_size, base_zipf = _most_common_linked(form, base, size, zipf)
        has_base = base_size <= NO_SIZE
        features[f"{kind} from SCOWL 35"] = base_size <= 35
        features[f"{kind} from SCOWL 60"] = (base_size > 35) & (base_size <= 60)
        features[f"{kind} from SCOWL 70"] = base_size == 70
        features[f"{kind} from a rarer word"] = has_base & (base_size >= 80)
        features[f"how common the {kind} base is"] = np.where(has_base, base_zipf, 0)
        features[f"commoner {kind} base"] = np.where(has_base, base_zipf - zipf, 0).clip(-1, 4)
        if kind == "inflected":
            form_size, form_zipf = _most_common_linked(base, form, size, zipf)
            features["forms in SCOWL 60"] = form_size <= 60
            features["forms in a smaller list"] = form_size < size
            features["commoner forms"] = np.maximum(form_zipf - zipf, 0)
    return columns.single_precision(features)


def _linked_rows(links: pd.DataFrame, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of the forms and of the bases of all links of a kind."""
    links_of_kind = links[links["kind"] == kind]
    return links_of_kind["form"].to_numpy(), links_of_kind["base"].to_numpy()


def _most_common_linked(
    rows: np.ndarray, linked_rows: np.ndarray, size: np.ndarray, zipf: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest SCOWL size and the highest Zipf frequency of the words that are linked to each word.

    Without links, the size is `NO_SIZE + 1` and the frequency is 0.
    """
    smallest_size = np.full(len(size), NO_SIZE + 1)
    highest_zipf = np.zeros(len(size))
    np.minimum.at(smallest_size, rows, size[linked_rows])
    np.maximum.at(highest_zipf, rows, zipf[linked_rows])
    return smallest_size, highest_zipf


@dataclass(frozen=True, slots=True)
class Influence:
    """The effects of the records of relatives on words, in one relation: pairs of rows of the lexicon, each with its
    effect, which is above 0 if the relative raises the p of the word."""

    relation: str
    word_rows: columns.Numbers
    relative_rows: columns.Numbers
    effect: np.ndarray


def influences(
    links: pd.DataFrame, same_stem: pd.DataFrame, surprise: np.ndarray, lexicon: pd.DataFrame
) -> list[Influence]:
    """Return the effects of the records of words on their bases, forms and sister forms.

    `surprise` is the same as in `relative_features`.
    """
    words, zipf = lexicon["word"], lexicon["zipf"].to_numpy()
    common = _common(lexicon)
    in_s_er_est = (words.str.endswith(("s", "er", "est")) & ~words.str.endswith("ss")).to_numpy(dtype=bool)
    in_ed_ing = words.str.endswith(("ed", "ing")).to_numpy(dtype=bool)
    relations = {"sister form": (same_stem["form"].to_numpy(), same_stem["base"].to_numpy())}
    for kind in NOT_COMPOUND:
        form, base = _linked_rows(links, kind)
        relations[f"base of {kind} word"] = (form, base)
        relations[f"{kind} form"] = (base, form)
    results = []
    for relation, (word, relative) in relations.items():
        effect = surprise[relative]
        if relation == "sister form":
            ignores_refusals = in_s_er_est[word] & in_ed_ing[relative]
            effect = np.where(ignores_refusals, np.maximum(effect, 0), effect)
        if relation in ("sister form", "inflected form"):
            rarer_by = np.maximum(0, zipf[word] - zipf[relative])
            effect = np.where(common[word] & (effect < 0), effect / (1 + rarer_by), effect)
        results.append(Influence(relation, word, relative, effect))
    return results


def relative_features(
    links: pd.DataFrame, same_stem: pd.DataFrame, surprise: np.ndarray, lexicon: pd.DataFrame
) -> pd.DataFrame:
    """Return the sum of the surprise in the records of each word's relatives, without its own record: one row per word,
    one column per relation.

    The surprise of a tried word is its outcome, 1 or 0, minus the p from its attributes alone; for other words it is 0.
    For a common word (`COMMON_SIZE`, `COMMON_ZIPF`), its own attributes count more: the rarer a refused form is, the
    less effect it has, and no relation lowers the sum by more than `MAX_AGAINST_COMMON`. The refusal of forms in -ed
    and -ing does not affect forms in -s, -er and -est: *limed* says nothing about *limes*.
    """
    size, common = len(surprise), _common(lexicon)
    features: dict[str, np.ndarray] = {}
    for influence in influences(links, same_stem, surprise, lexicon):
        total = np.bincount(influence.word_rows, influence.effect, minlength=size).clip(-MAX_SURPRISE, MAX_SURPRISE)
        features[influence.relation] = np.where(common, total.clip(min=-MAX_AGAINST_COMMON), total)
    compound, part = _linked_rows(links, "compound")
    surprise_of_part = np.bincount(part, surprise[compound], minlength=size)
    features["compound"] = np.bincount(compound, minlength=size) > 0
    others_with_part = surprise_of_part[part] - surprise[compound]
    total = np.bincount(compound, others_with_part, minlength=size)
    features["compounds alike"] = total.clip(-MAX_SURPRISE, MAX_SURPRISE)
    return columns.single_precision(features)


def _common(lexicon: pd.DataFrame) -> columns.Flags:
    """Return which words of the lexicon are common."""
    return ((lexicon["scowl_size"] <= COMMON_SIZE) & (lexicon["zipf"] >= COMMON_ZIPF)).to_numpy()


def right_bases(lexicon: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """Return the right base of each word that has links: columns form, base (row numbers of the lexicon), kind.

    It is the lemma of an inflected form, or else the base with the smallest SCOWL size; if several have that size, it
    is the most common one.
    """
    lemma_row = columns.positions(lexicon["lemma"], lexicon["word"])
    rank = pd.DataFrame({"size": lexicon["scowl_size"].to_numpy(), "zipf": -lexicon["zipf"].to_numpy()})
    pairs = links.join(rank, on="base")
    form = pairs["form"].to_numpy()
    is_lemma = pairs["base"].to_numpy() == lemma_row[form]
    has_lemma = (lexicon["lemma"] != "").to_numpy()[form]
    pairs = pairs[np.where(has_lemma, is_lemma, pairs["kind"] != "compound")]
    return pairs.sort_values(["form", "size", "zipf"]).drop_duplicates("form")[["form", "base", "kind"]]


def roots(lexicon: pd.DataFrame, links: pd.DataFrame) -> dict[str, str]:
    """Return the word of which each word is a form or derivation, following up to eight right bases."""
    pairs = right_bases(lexicon, links)
    root = root_rows(pairs["form"].to_numpy(), pairs["base"].to_numpy(), len(lexicon))
    words = lexicon["word"].to_numpy()
    has_root = np.flatnonzero(root != np.arange(len(root)))
    return dict(zip(words[has_root].tolist(), words[root[has_root]].tolist(), strict=True))


def root_rows(form: columns.Numbers, base: columns.Numbers, size: int) -> columns.Numbers:
    """Return, for each of `size` rows, the row that is reached by following up to eight bases. A form has one base."""
    root = np.arange(size)
    root[form] = base
    for _ in range(3):
        root = root[root]
    return root
