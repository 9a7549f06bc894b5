"""Relatives: which words are forms of which, and how the records of relatives change the estimate of a word.

Links come from spelling alone: removing a prefix or a suffix must leave a word of the lexicon. Some links are wrong, so
the model learns the weight of each kind.
"""

from __future__ import annotations

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
"""The maximum surprise of one relation against a common word. Without this limit, 19 words of SCOWL 40 and Zipf 3 were
below .5 (*windows*, *pays*, *nuts*); the accuracy in the backtest is the same with it."""


def links(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Link words to their bases: columns form, base (row numbers of the lexicon), kind.

    A pair has one kind, the first that fits in the order of `KINDS`. A compound has two links, one to each part. The
    rules are those of `facts.endings`, for all words at once.
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


def sisters(lexicon: pd.DataFrame) -> pd.DataFrame:
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
        pairs = linked[linked["kind"] == kind]
        form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
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


def _extremes(of: np.ndarray, by: np.ndarray, size: np.ndarray, zipf: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    least, most = np.full(len(size), NO_SIZE + 1), np.zeros(len(size))
    np.minimum.at(least, of, size[by])
    np.maximum.at(most, of, zipf[by])
    return least, most


def record(linked: pd.DataFrame, sisterly: pd.DataFrame, surprise: np.ndarray, lexicon: pd.DataFrame) -> pd.DataFrame:
    """Sum the surprise in the records of a word's relatives, excluding its own: one row per word, one column per
    relation.

    The surprise of a tried word is its outcome, 1 or 0, minus the p from its attributes alone; for other words it is 0.
    So the refusal of an unlikely word has little effect on its relatives, and the refusal of a common word has a large
    one. For a common word (`COMMON_SIZE`, `COMMON_ZIPF`) its own attributes count more: the effect of the refusal of a
    form (*windowing*) is smaller the rarer the form is, and no relation lowers it by more than `BOUND`.
    """
    size = len(surprise)
    zipf = lexicon["zipf"].to_numpy()
    common = ((lexicon["scowl_size"] <= COMMON_SIZE) & (lexicon["zipf"] >= COMMON_ZIPF)).to_numpy()
    effects: dict[str, np.ndarray] = {}
    relations = {"sister form": (sisterly["form"].to_numpy(), sisterly["base"].to_numpy())}
    for kind in KINDS[:3]:
        pairs = linked[linked["kind"] == kind]
        form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
        relations |= {f"base of {kind} word": (form, base), f"{kind} form": (base, form)}
    for name, (of, by) in relations.items():
        effect = surprise[by]
        if name in ("sister form", "inflected form"):
            rarer = np.maximum(0, zipf[of] - zipf[by])
            effect = np.where(common[of] & (effect < 0), effect / (1 + rarer), effect)
        total = np.bincount(of, effect, minlength=size).clip(-MOST, MOST)
        effects[name] = np.where(common, total.clip(min=-BOUND), total)
    pairs = linked[linked["kind"] == "compound"]
    form, part = pairs["form"].to_numpy(), pairs["base"].to_numpy()
    total = np.bincount(part, surprise[form], minlength=size)
    effects["compound"] = np.bincount(form, minlength=size) > 0
    alike = np.bincount(form, total[part] - surprise[form], minlength=size)
    effects["compounds alike"] = alike.clip(-MOST, MOST)
    return pd.DataFrame({name: np.asarray(column, dtype=np.float32) for name, column in effects.items()})


USUAL = 60
"""The SCOWL size up to which a word is in ordinary dictionaries; links to rarer words are mostly accidental."""

SPELLINGS = (
    ("ise", "ize"),
    ("isi", "izi"),
    ("yse", "yze"),
    ("ysi", "yzi"),
    ("our", "or"),
    ("re", "er"),
    ("ae", "e"),
    ("oe", "e"),
    ("ogue", "og"),
    ("ence", "ense"),
    ("ll", "l"),
    ("ss", "s"),
    ("tt", "t"),
    ("pp", "p"),
    ("gg", "g"),
    ("ie", "y"),
    ("ey", "y"),
    ("oes", "os"),
    ("ck", "c"),
    ("k", "c"),
    ("y", "i"),
)
"""The differences between two spellings of a word, in either direction, most significant pair first."""

ENOUGH_VARIANTS = 3
"""If at least this many variants of a kind were tried and all were refused, untried variants of the kind are
limited."""


def variants(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Pair spellings that SCOWL calls variant or British with a usual American spelling: columns variant, usual,
    differs."""
    elsewhere = lexicon[["scowl_variant", "scowl_british"]].min(axis=1)
    marked = lexicon["word"][(elsewhere < NO_SIZE) & (lexicon["scowl_size"] > USUAL)]
    usual = set(lexicon["word"][lexicon["scowl_size"] <= USUAL].tolist())
    rows = [(word, *found) for word in marked.tolist() if (found := _usual_spelling(word, usual))]
    return pd.DataFrame(rows, columns=["variant", "usual", "differs"], dtype="str")


def variant_bounds(pairs: pd.DataFrame, evidence: pd.DataFrame) -> dict[str, float]:
    """Return the maximum p of untried variants of kinds of which every tried variant was refused.

    After n trials without success the next one succeeds with probability 1 / (n + 2): Laplace's rule of succession.
    """
    tried = columns.among(pairs["variant"], evidence["word"])
    accepted = columns.among(pairs["variant"], evidence["word"][evidence["accepted"] > 0])
    counts = pairs.assign(accepted=accepted)[tried].groupby("differs")["accepted"].agg(["size", "sum"])
    never = counts[(counts["size"] >= ENOUGH_VARIANTS) & (counts["sum"] == 0)]["size"]
    untried = pairs[~tried & columns.among(pairs["differs"], never.index)]
    return {
        variant: 1 / (int(never[kind]) + 2)
        for variant, kind in zip(untried["variant"], untried["differs"], strict=True)
    }


def _usual_spelling(word: str, usual: set[str]) -> tuple[str, str] | None:
    for pair in SPELLINGS:
        for here, there in (pair, pair[::-1]):
            at = word.find(here, 1)
            while at >= 0:
                if (other := word[:at] + there + word[at + len(here) :]) in usual:
                    return other, f"-{here}, -{there}"
                at = word.find(here, at + 1)
    return None
