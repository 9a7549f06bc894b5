"""Features: what the estimate looks at, one row a word, each column named so that a reader understands it."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from pipeline.lexicon import NO_SIZE
from pipeline.relatives import KINDS
from pipeline.words import mask, pangram

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)
BANDS = {
    "hardly ever met": (0, 1.2),
    "extremely rare": (1.2, 1.5),
    "very rare": (1.5, 2),
    "rare": (2, 2.5),
    "uncommon": (2.5, 3),
    "fairly common": (3, 3.5),
    "common": (3.5, 4),
    "very common": (4, 4.5),
    "extremely common": (4.5, 9),
}
"""Zipf frequencies in words: wordfreq's own figures are share-alike and never published."""

_LABELS = ("archaism", "disparagement", "ethnic_slur", "obscenity", "trope", "plural", "colloquialism", "slang")
_BEGINNINGS = tuple("un re over out non in de dis pre mis up anti bi co under".split())
_ENDINGS = tuple(
    "er or ly ness less able ible y ish ful al ic ity ist ism ment tion ing ed like man hood ship est ine oid ia ae a "
    "i o um us ate ide ous ant ent age ee ette let en ward".split()
)

_GROUPS = (
    ("relatives", r"base of|forms|compounds alike"),
    ("other pangrams", r"pangram.|rival"),
    ("frequency", "|".join(["never met", "frequency", *BANDS])),
    ("abroad", "commoner abroad"),
    ("offensive lists", "cuss|LDNOOBW"),
    ("names", "capital|name|abbreviation"),
    ("spelling", "British|variant"),
    ("list", "SCOWL"),
    ("WordNet", "WordNet|tagged|noun|verb|adjective|adverb"),
)


def group(name: str) -> str:
    """Say which kind of feature a column is, for telling a reader what speaks for a word.

    >>> group("SCOWL 35"), group("very rare"), group("base of inflected accepted"), group("ends in -ly")
    ('list', 'frequency', 'relatives', 'shape')
    """
    return next((kind for kind, pattern in _GROUPS if re.match(f".*(?:{pattern})", name)), "shape")


def features(lexicon: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """Describe every word of the lexicon by its own attributes and by those of what it is derived from."""
    columns = {
        **_sizes(lexicon),
        **_frequency(lexicon),
        **_senses(lexicon),
        **_shape(lexicon),
        **_bases(lexicon, links),
    }
    return pd.DataFrame({name: np.asarray(column, dtype=np.float32) for name, column in columns.items()})


def _sizes(lexicon: pd.DataFrame) -> dict[str, object]:
    size = lexicon["scowl_size"]
    columns: dict[str, object] = {f"SCOWL {step}": size == step for step in SIZES}
    columns["in no SCOWL list"] = size == NO_SIZE
    for name, title in (("british", "British spelling"), ("variant", "variant spelling")):
        columns |= _steps(lexicon[f"scowl_{name}"], title, (60, 80, 95))
    for name, title in (("upper", "capitalised word"), ("name", "name"), ("abbreviation", "abbreviation")):
        columns |= _steps(lexicon[f"scowl_{name}"], title, (35, 60, 80, 95))
    columns["SCOWL special list"] = lexicon["scowl_special"] < NO_SIZE
    for level in (1, 2, 3):
        columns[f"variant of level {level}"] = lexicon["scowl_variant_level"] == level
    return columns


def _steps(size: pd.Series, title: str, ends: tuple[int, ...]) -> dict[str, object]:
    starts = (0, *ends[:-1])
    return {f"{title} (SCOWL {end})": (size > start) & (size <= end) for start, end in zip(starts, ends, strict=True)}


def _frequency(lexicon: pd.DataFrame) -> dict[str, object]:
    zipf, size = lexicon["zipf"], lexicon["scowl_size"]
    abroad = (lexicon["zipf_abroad"] - zipf).where(lexicon["zipf_abroad"] >= 3, -1.0).clip(-1, 3)
    columns: dict[str, object] = {"never met in texts": zipf == 0}
    columns |= {name: (zipf > low) & (zipf <= high) for name, (low, high) in BANDS.items()}
    columns["frequency"] = zipf
    for title, rows in {
        "SCOWL up to 35": size <= 35,
        "SCOWL 40 to 60": size.between(40, 60),
        "SCOWL 70": size == 70,
        "SCOWL 80": size == 80,
        "SCOWL 95 or none": size >= 95,
    }.items():
        columns[f"frequency in {title}"] = (zipf - 2).where(rows, 0.0)
    columns["commoner abroad"] = abroad
    columns |= {f"commoner abroad by {step}": abroad > step for step in (0.5, 1, 2)}
    return columns


def _senses(lexicon: pd.DataFrame) -> dict[str, object]:
    senses, tagged = lexicon["wordnet_senses"], lexicon["wordnet_tagged"]
    columns: dict[str, object] = {
        "not in WordNet": senses == 0,
        "WordNet senses": np.log1p(senses),
        "met in tagged texts": np.log1p(tagged),
        "in WordNet, never tagged": (tagged == 0) & (senses > 0),
        "WordNet has it with a capital": lexicon["wordnet_capitalised"] > 0,
        "WordNet has it with a capital only": (lexicon["wordnet_capitalised"] > 0) & (senses == 0),
        "LDNOOBW": lexicon["ldnoobw"],
    }
    for letter, name in {"n": "noun", "v": "verb", "a": "adjective", "r": "adverb"}.items():
        columns[name] = lexicon["wordnet_pos"].str.contains(letter)
    for label in _LABELS:
        columns[f"WordNet label {label}"] = lexicon["wordnet_labels"].str.contains(label)
    for sureness in (0, 1, 2):
        columns[f"cuss {sureness}"] = lexicon["cuss"] == sureness
    return columns


def _shape(lexicon: pd.DataFrame) -> dict[str, object]:
    word, length = lexicon["word"], lexicon["word"].str.len()
    inflected = lexicon["lemma"] != ""
    columns: dict[str, object] = {f"{count} letters": length == count for count in range(4, 10)}
    columns["10 letters or more"] = length >= 10
    columns["pangram"] = word.map(pangram)
    columns["inflected"] = inflected
    columns["plural in -s"] = word.str.endswith("s") & ~word.str.endswith("ss") & inflected
    columns["has an S"] = word.str.contains("s")
    columns |= {f"begins with {part}-": word.str.startswith(part) & (length >= len(part) + 3) for part in _BEGINNINGS}
    columns |= {f"ends in -{part}": word.str.endswith(part) & (length >= len(part) + 3) for part in _ENDINGS}
    return columns


def _bases(lexicon: pd.DataFrame, links: pd.DataFrame) -> dict[str, object]:
    """Say how common the commonest base of each kind is, and the commonest inflected form."""
    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    columns: dict[str, object] = {}
    for kind in KINDS[:3]:
        pairs = links[links["kind"] == kind]
        form, base = pairs["form"].to_numpy(), pairs["base"].to_numpy()
        smallest, commonest = np.full(len(size), NO_SIZE + 1), np.zeros(len(size))
        np.minimum.at(smallest, form, size[base])
        np.maximum.at(commonest, form, zipf[base])
        has = smallest <= NO_SIZE
        columns[f"base of {kind} in SCOWL 35"] = smallest <= 35
        columns[f"base of {kind} in SCOWL 60"] = (smallest > 35) & (smallest <= 60)
        columns[f"base of {kind} in SCOWL 70"] = smallest == 70
        columns[f"base of {kind} in SCOWL 80 or none"] = has & (smallest >= 80)
        columns[f"base of {kind}: frequency"] = np.where(has, commonest, 0)
        columns[f"base of {kind}: commoner by"] = np.where(has, commonest - zipf, 0).clip(-1, 4)
        if kind == "inflected":
            smallest, commonest = np.full(len(size), NO_SIZE + 1), np.zeros(len(size))
            np.minimum.at(smallest, base, size[form])
            np.maximum.at(commonest, base, zipf[form])
            columns["inflected forms in SCOWL 60"] = smallest <= 60
            columns["inflected forms in a smaller list"] = smallest < size
            columns["inflected forms: commoner by"] = np.maximum(commonest - zipf, 0)
    return columns


def letter_set(words: pd.Series, p: np.ndarray) -> pd.DataFrame:
    """Say what else could be the pangram where a word is one: a puzzle exists only if at least one is accepted.

    `p` are first estimates, 0 for words that are out of the question. For words with other than seven different letters
    all columns are 0; for words with an S too, for a set with an S is hardly ever used, and so says nothing.
    """
    whole = words.map(pangram).to_numpy(dtype=bool) & ~words.str.contains("s").to_numpy(dtype=bool) & (p > 0)
    group = pd.factorize(words.map(mask))[0]
    q = np.where(whole, np.clip(p, 0, 0.999), 0.0)
    none = np.log1p(-q)
    alone = np.exp(np.bincount(group, none)[group] - none)
    frame = pd.DataFrame({"group": group, "q": q})[whole].sort_values("q", ascending=False, kind="stable")
    place = frame.groupby("group").cumcount()
    rank, best = np.zeros(len(words)), np.zeros(len(words))
    rank[frame.index] = place
    first, second = (frame[place == at].set_index("group")["q"] for at in (0, 1))
    rivals = frame["group"].map(first).where(place > 0, frame["group"].map(second)).fillna(0.0)
    best[frame.index] = rivals
    must = q / (1 - (1 - q) * alone + 1e-9)
    must = np.clip(must, 1e-4, 1 - 1e-4)
    columns = {
        "chance that no other pangram is accepted": alone,
        "best rival pangram": best,
        "sum of rival pangrams": np.minimum(np.bincount(group, q)[group] - q, 3),
        "likeliest pangram of its letters": rank == 0,
        "rank among the pangrams of its letters": np.minimum(rank, 4),
        "p given that some pangram is accepted": np.log(must / (1 - must)),
    }
    return pd.DataFrame({name: np.where(whole, column, 0) for name, column in columns.items()}).astype(np.float32)
