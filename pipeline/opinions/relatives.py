"""Relatives: which words are forms of which, and how the records of relatives change the estimate of a word.

Links come from spelling alone: removing a prefix or a suffix must leave a word of the lexicon. Some links are wrong, so
the model learns the weight of each kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.facts.endings import KINDS, PART_SIZE, PREFIXES, SUFFIXES
from pipeline.facts.forms import Parts, all_bases, merged_parts, without
from pipeline.facts.lexicon import NO_SIZE
from pipeline.tables import columns
from pipeline.words import GAME

MOST = 2.0
"""The surprise of relatives is capped at this value in both directions."""
COMMON_SIZE, COMMON_ZIPF = 50, 3.0
"""A word is common up to this SCOWL size, and from this Zipf frequency on (once in a million words)."""
BOUND = 0.5
"""The maximum surprise of one relation against a common word; without it, *windows*, *pays* and *nuts* are below .5."""


def links(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Link words to their bases: columns form, base (row numbers of the lexicon), kind.

    A pair has the first of `KINDS` that fits; a compound has two links. `facts.endings.pairs` has the same rules.
    """
    words = columns.text(lexicon["word"])
    lemmas = Parts(np.arange(len(words)), columns.text(lexicon["lemma"]))
    parts = columns.text(lexicon["word"][lexicon["scowl_size"] <= PART_SIZE])
    found = []
    for kind, bases in enumerate((merged_parts([all_bases(words), lemmas]), *_derived(words), _compound(words, parts))):
        bases = bases.longer(GAME.shortest)
        base = columns.places(bases.text, words)
        fits = (base >= 0) & (base != bases.rows)
        found.append((bases.rows[fits] * len(words) + base[fits]) * len(KINDS) + kind)
    pairs = np.unique(np.concatenate(found))
    first = np.flatnonzero(np.diff(pairs // len(KINDS), prepend=-1))
    pair, kinds = np.divmod(pairs[first], len(KINDS))
    return pd.DataFrame({"form": pair // len(words), "base": pair % len(words), "kind": np.array(KINDS)[kinds]})


def near(word: str, words: pd.Series) -> pd.Series:
    """Choose the words that can be linked to a word, by prefix or suffix, including the word itself.

    >>> near("bakery", pd.Series(["bake", "baker", "cove", "ery", "unbakery"])).tolist()
    ['bake', 'baker', 'ery', 'unbakery']
    """
    tails = columns.among(words, [word[at:] for at in range(1, len(word))])
    return words[words.str.startswith(word[:3]) | words.str.endswith(word) | tails]


def _derived(words: pa.Array) -> tuple[Parts, Parts]:
    """Remove suffixes, and prefixes."""
    suffixed, prefixed = [], []
    for suffix, instead in SUFFIXES.items():
        stems = without(words, suffix).longer(3)
        suffixed += [stems.plus(ending) for ending in instead]
        suffixed += [stems.single()] if "" in instead else []
    for prefix in sorted(PREFIXES):
        has = pc.starts_with(words, pattern=prefix)
        prefixed.append(Parts(np.flatnonzero(has), pc.utf8_slice_codeunits(words.filter(has), len(prefix))))
    return merged_parts(suffixed), merged_parts(prefixed)


def _compound(words: pa.Array, parts: pa.Array) -> Parts:
    """Split words into two common words, at the first position where that is possible."""
    found, left = [], Parts(np.arange(len(words)), words)
    for cut in range(GAME.shortest, GAME.longest - GAME.shortest + 1):
        left = left.longer(cut + GAME.shortest)
        first, second = pc.utf8_slice_codeunits(left.text, 0, cut), pc.utf8_slice_codeunits(left.text, cut)
        both = columns.among(first, parts)
        both[both] = columns.among(second.filter(pa.array(both)), parts)
        found += [Parts(left.rows, first).where(both), Parts(left.rows, second).where(both)]
        left = left.where(~both)
    return merged_parts(found)


def same_stem(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Pair words that may be forms of the same stem, even if the stem is too short to be listed: columns form, base."""
    words = columns.text(lexicon["word"])
    lemmas = Parts(np.arange(len(words)), columns.text(lexicon["lemma"]))
    stems = merged_parts([all_bases(words), lemmas]).longer(GAME.shortest - 1)
    frame = pd.DataFrame({"form": stems.rows, "stem": pd.factorize(pd.Series(stems.text))[0]}).drop_duplicates()
    frame = frame[frame.duplicated("stem", keep=False)]
    pairs = frame.merge(frame.rename(columns={"form": "base"}), on="stem")[["form", "base"]]
    return pairs[pairs["form"] != pairs["base"]].drop_duplicates(ignore_index=True)


def standing(lexicon: pd.DataFrame, linked: pd.DataFrame) -> pd.DataFrame:
    """Return how common the most common base of each kind is, and whether a form of the word is more common than it."""
    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    attributes: dict[str, np.ndarray] = {}
    for kind in KINDS[:3]:
        form, base = _pairs(linked, kind)
        least, most = _extremes(form, base, size, zipf)
        has = least <= NO_SIZE
        attributes[f"{kind} from SCOWL 35"] = least <= 35
        attributes[f"{kind} from SCOWL 60"] = (least > 35) & (least <= 60)
        attributes[f"{kind} from SCOWL 70"] = least == 70
        attributes[f"{kind} from a rarer word"] = has & (least >= 80)
        attributes[f"how common the {kind} base is"] = np.where(has, most, 0)
        attributes[f"commoner {kind} base"] = np.where(has, most - zipf, 0).clip(-1, 4)
        if kind == "inflected":
            least, most = _extremes(base, form, size, zipf)
            attributes["forms in SCOWL 60"] = least <= 60
            attributes["forms in a smaller list"] = least < size
            attributes["commoner forms"] = np.maximum(most - zipf, 0)
    return pd.DataFrame({name: np.asarray(column, dtype=np.float32) for name, column in attributes.items()})


def _pairs(linked: pd.DataFrame, kind: str) -> tuple[np.ndarray, np.ndarray]:
    pairs = linked[linked["kind"] == kind]
    return pairs["form"].to_numpy(), pairs["base"].to_numpy()


def _extremes(of: np.ndarray, by: np.ndarray, size: np.ndarray, zipf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    least, most = np.full(len(size), NO_SIZE + 1), np.zeros(len(size))
    np.minimum.at(least, of, size[by])
    np.maximum.at(most, of, zipf[by])
    return least, most


@dataclass(frozen=True, slots=True)
class Influence:
    """The effects of the records of words (rows `by`) on other words (rows `of`) in one relation."""

    relation: str
    of: columns.Numbers
    by: columns.Numbers
    effect: np.ndarray


def influences(
    linked: pd.DataFrame, same_stem: pd.DataFrame, surprise: np.ndarray, lexicon: pd.DataFrame
) -> list[Influence]:
    """Return what the records of words say about their bases, forms and sister forms; `surprise` is as in `record`."""
    zipf = lexicon["zipf"].to_numpy()
    common = _common(lexicon)
    deaf, loud = (ends(lexicon["word"]).to_numpy(dtype=bool) for ends in (ends_quietly, ends_verbally))
    found = []
    relations = {"sister form": (same_stem["form"].to_numpy(), same_stem["base"].to_numpy())}
    for kind in KINDS[:3]:
        form, base = _pairs(linked, kind)
        relations |= {f"base of {kind} word": (form, base), f"{kind} form": (base, form)}
    for name, (of, by) in relations.items():
        effect = surprise[by]
        if name == "sister form":
            effect = np.where(deaf[of] & loud[by], np.maximum(effect, 0), effect)
        if name in ("sister form", "inflected form"):
            rarer = np.maximum(0, zipf[of] - zipf[by])
            effect = np.where(common[of] & (effect < 0), effect / (1 + rarer), effect)
        found.append(Influence(name, of, by, effect))
    return found


def record(linked: pd.DataFrame, same_stem: pd.DataFrame, surprise: np.ndarray, lexicon: pd.DataFrame) -> pd.DataFrame:
    """Sum the surprise in the records of a word's relatives, excluding its own: one row per word, one column per
    relation.

    The surprise of a tried word is its outcome, 1 or 0, minus the p from its attributes alone; for other words it is 0.
    For a common word (`COMMON_SIZE`, `COMMON_ZIPF`) its own attributes count more: the refusal of a form has the less
    effect the rarer it is, and no relation lowers it by more than `BOUND`. Forms in -s, -er and -est ignore what forms
    in -ed and -ing were refused for: *limed* says nothing about *limes*.
    """
    size, common = len(surprise), _common(lexicon)
    effects: dict[str, np.ndarray] = {}
    for influence in influences(linked, same_stem, surprise, lexicon):
        total = np.bincount(influence.of, influence.effect, minlength=size).clip(-MOST, MOST)
        effects[influence.relation] = np.where(common, total.clip(min=-BOUND), total)
    form, part = _pairs(linked, "compound")
    total = np.bincount(part, surprise[form], minlength=size)
    effects["compound"] = np.bincount(form, minlength=size) > 0
    alike = np.bincount(form, total[part] - surprise[form], minlength=size)
    effects["compounds alike"] = alike.clip(-MOST, MOST)
    return pd.DataFrame({name: np.asarray(column, dtype=np.float32) for name, column in effects.items()})


def _common(lexicon: pd.DataFrame) -> columns.Flags:
    return ((lexicon["scowl_size"] <= COMMON_SIZE) & (lexicon["zipf"] >= COMMON_ZIPF)).to_numpy()


def ends_quietly(words: pd.Series) -> pd.Series:
    """Return which words may be forms in -s, -er or -est, which say nothing about a verb."""
    return words.str.endswith(("s", "er", "est")) & ~words.str.endswith("ss")


def ends_verbally(words: pd.Series) -> pd.Series:
    """Return which words may be forms in -ed or -ing."""
    return words.str.endswith(("ed", "ing"))


def family(lexicon: pd.DataFrame, linked: pd.DataFrame) -> pd.DataFrame:
    """Choose the right base of each word that has one, of its links: columns form, base (row numbers of the lexicon),
    kind. It is the lemma of an inflected form, else the base with the smallest SCOWL size, then the commonest."""
    words, lemma = columns.text(lexicon["word"]), columns.text(lexicon["lemma"])
    rank = pd.DataFrame({"size": lexicon["scowl_size"].to_numpy(), "zipf": -lexicon["zipf"].to_numpy()})
    pairs = linked.join(rank, on="base")
    right = pairs["base"].to_numpy() == columns.places(lemma, words)[pairs["form"]]
    inflected = (lexicon["lemma"] != "").to_numpy()[pairs["form"]]
    pairs = pairs[np.where(inflected, right, pairs["kind"] != "compound")]
    return pairs.sort_values(["form", "size", "zipf"]).drop_duplicates("form")[["form", "base", "kind"]]


def roots(lexicon: pd.DataFrame, linked: pd.DataFrame) -> dict[str, str]:
    """Return the word of which each word is a form or derivation, following up to eight right bases."""
    right = family(lexicon, linked)
    up = root_rows(right["form"].to_numpy(), right["base"].to_numpy(), len(lexicon))
    words = lexicon["word"].to_numpy()
    moved = np.flatnonzero(up != np.arange(len(up)))
    return dict(zip(words[moved].tolist(), words[up[moved]].tolist(), strict=True))


def root_rows(form: columns.Numbers, base: columns.Numbers, size: int) -> columns.Numbers:
    """Return for each of `size` rows the row that it leads to, following up to eight bases; a form has one base."""
    up = np.arange(size)
    up[form] = base
    for _ in range(3):
        up = up[up]
    return up
