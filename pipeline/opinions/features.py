"""Features: what the lists say of a word, one row a word; a column is named `group: detail`, or just by its group."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.lexicon import NO_SIZE
from pipeline.words import mask, pangram

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)
BANDS = {
    "never met in texts": 0,
    "hardly ever met": 1.2,
    "extremely rare": 1.5,
    "very rare": 2,
    "rare": 2.5,
    "uncommon": 3,
    "fairly common": 3.5,
    "common": 4,
    "very common": 4.5,
    "extremely common": 9,
}
"""Frequencies in words, each with the highest Zipf that it holds: wordfreq's own figures are never published."""

_BEGINNINGS = tuple("un re over out non in de dis pre mis up anti bi co under".split())
_ENDINGS = tuple(
    "er or ly ness less able ible y ish ful al ic ity ist ism ment tion ing ed like man hood ship est ine oid ia ae a "
    "i o um us ate ide ous ant ent age ee ette let en ward".split()
)


def bands(zipf: pd.Series) -> pd.Series:
    """Name the band of each frequency."""
    return pd.cut(zipf, [-1.0, *BANDS.values()], labels=list(BANDS)).astype("str")


def features(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Describe every word of the lexicon by its own attributes."""
    columns = {**_sizes(lexicon), **_frequency(lexicon), **_senses(lexicon), **_shape(lexicon)}
    return pd.DataFrame({name: np.asarray(column, dtype=np.float32) for name, column in columns.items()})


def _sizes(lexicon: pd.DataFrame) -> dict[str, object]:
    size, british, variant = (lexicon[f"scowl_{name}"] for name in ("size", "british", "variant"))
    columns: dict[str, object] = {f"size: {step}": size == step for step in (*SIZES, NO_SIZE)}
    columns["British spelling: 60"] = (british < size) & (british <= 60)
    columns["British spelling: 95"] = (british < size) & (british > 60)
    columns |= _steps(variant, "variant spelling", (50, 60, 70, 80, 95))
    columns |= {f"variant spelling: level {level}": lexicon["scowl_variant_level"] == level for level in (1, 2, 3)}
    columns |= _steps(lexicon["scowl_upper"], "also with a capital", (35, 60, 80, 95))
    columns |= _steps(lexicon["scowl_name"], "also a name", (35, 60, 80, 95))
    return columns


def _steps(size: pd.Series, group: str, ends: tuple[int, ...]) -> dict[str, object]:
    starts = (0, *ends[:-1])
    return {f"{group}: {end}": (size > start) & (size <= end) for start, end in zip(starts, ends, strict=True)}


def _frequency(lexicon: pd.DataFrame) -> dict[str, object]:
    band, zipf = bands(lexicon["zipf"]), lexicon["zipf"]
    abroad = lexicon["zipf_abroad"] - zipf
    foreign = lexicon["zipf_abroad"] >= 3
    columns: dict[str, object] = {f"frequency: {name}": band == name for name in BANDS}
    columns["frequency: Zipf"] = zipf
    columns["use abroad: more"] = abroad.clip(-1, 3).where(lexicon["zipf_abroad"] > 2, 0)
    columns |= {f"use abroad: by {step}": foreign & (abroad > step) for step in (0.5, 1, 2)}
    return columns


def _senses(lexicon: pd.DataFrame) -> dict[str, object]:
    senses, tagged, capital = (lexicon[f"wordnet_{name}"] for name in ("senses", "tagged", "capitalised"))
    columns: dict[str, object] = {
        "WordNet: none": senses == 0,
        "WordNet: senses": np.log1p(senses),
        "WordNet: tagged": np.log1p(tagged),
        "WordNet: never tagged": (tagged == 0) & (senses > 0),
        "WordNet: also with a capital": capital > 0,
        "WordNet: only with a capital": (capital > 0) & (senses == 0),
    }
    return columns | {f"WordNet: {part}": lexicon["wordnet_pos"].str.contains(part) for part in "nvar"}


def _shape(lexicon: pd.DataFrame) -> dict[str, object]:
    word, length = lexicon["word"], lexicon["word"].str.len()
    columns: dict[str, object] = {"pangram": word.map(pangram), "shape: inflected": lexicon["lemma"] != ""}
    for part in _BEGINNINGS:
        columns[f"shape: {part}-"] = word.str.startswith(part) & (length >= len(part) + 3)
    for part in _ENDINGS:
        columns[f"shape: -{part}"] = word.str.endswith(part) & (length >= len(part) + 3)
    return columns


def alone(words: pd.Series, p: np.ndarray) -> np.ndarray:
    """Give, for a pangram, the chance that no other pangram of its letters is accepted; 0 for other words.

    A puzzle needs a pangram: the less likely the others are, the surer this one is whenever its letters come up. `p`
    are first estimates, 0 for words that are out of the question. Words with an S get 0 too: sets with an S are hardly
    ever used, so that being alone in one says nothing.
    """
    whole = words.map(pangram).to_numpy(dtype=bool) & ~words.str.contains("s").to_numpy(dtype=bool) & (p > 0)
    group = pd.factorize(words.map(mask))[0]
    refused = np.log1p(-np.where(whole, np.clip(p, 0, 0.999), 0.0))
    others: np.ndarray = np.exp(np.bincount(group, refused)[group] - refused)
    return np.where(whole, others, 0.0)
