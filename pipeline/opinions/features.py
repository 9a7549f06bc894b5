"""Features: the entries of the word lists, one row per word; a column is named `group: detail`, or by its group."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.compute as pc

from pipeline.facts.lexicon import NO_SIZE
from pipeline.facts.lists import OWN
from pipeline.facts.own_lists import list_names
from pipeline.opinions.catalog import above_all_a_name
from pipeline.tables.columns import different, look_up, pangrams, text
from pipeline.words import OFFENSIVE

SIZES = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)
BANDS = {
    "never met in texts": 0, "hardly ever met": 1.2, "extremely rare": 1.5, "very rare": 2, "rare": 2.5,
    "uncommon": 3, "fairly common": 3.5, "common": 4, "very common": 4.5, "extremely common": 9,
}  # fmt: skip
"""Names of frequency bands, each with its maximum Zipf value: the values of wordfreq are never published."""

BEGINNINGS = tuple("un re over out non in de dis pre mis up anti bi co under".split())
ENDINGS = tuple(
    "er or ly ness less able ible y ish ful al ic ity ist ism ment tion ing ed like man hood ship est ine oid ia ae a "
    "i o um us ate ide ous ant ent age ee ette let en ward".split()
)


def band_numbers(zipf: pd.Series) -> npt.NDArray[np.int64]:
    """Return the number of the band of each frequency, in the order of `BANDS`."""
    return np.searchsorted(list(BANDS.values()), zipf.to_numpy())


def features(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Compute the attributes of every word of the lexicon."""
    columns = {**_sizes(lexicon), **_frequency(lexicon), **_senses(lexicon), **_shape(lexicon)}
    return pd.DataFrame({name: np.asarray(column, dtype=np.float32) for name, column in columns.items()})


def own(lexicon: pd.DataFrame) -> pd.DataFrame:
    """Mark which lists of the user have each word: one column per list, no columns without lists."""
    listed = list_names(lexicon[OWN])
    has = lexicon[OWN].str.split() if listed else lexicon[OWN]
    columns = {f"own list: {name}": has.map(lambda found, name=name: name in found) for name in listed}
    return pd.DataFrame({name: np.asarray(column, dtype=np.float32) for name, column in columns.items()})


def graded(lexicon: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Mark which words have each offensive grade, as in the table `offensive_words`: one column per grade."""
    grade = look_up(lexicon["word"], grades.set_index("word")["flag"], "")
    return pd.DataFrame({each: np.asarray(grade == each, dtype=np.float32) for each in OFFENSIVE})


def _sizes(lexicon: pd.DataFrame) -> dict[str, object]:
    size, british, variant = (lexicon[f"scowl_{name}"] for name in ("size", "british", "variant"))
    columns: dict[str, object] = {f"size: {step}": size == step for step in (*SIZES, NO_SIZE)}
    columns["British spelling: 60"] = (british < size) & (british <= 60)
    columns["British spelling: 95"] = (british < size) & (british > 60)
    columns |= _steps(variant, "variant spelling", (50, 60, 70, 80, 95))
    columns |= {f"variant spelling: level {level}": lexicon["scowl_variant_level"] == level for level in (1, 2, 3)}
    columns |= _steps(lexicon["scowl_upper"], "also with a capital", (35, 60, 80, 95))
    columns |= _steps(lexicon["scowl_name"], "also a name", (35, 60, 80, 95))
    columns["also a name: above all"] = above_all_a_name(lexicon)
    return columns


def _steps(size: pd.Series, group: str, ends: tuple[int, ...]) -> dict[str, object]:
    starts = (0, *ends[:-1])
    return {f"{group}: {end}": (size > start) & (size <= end) for start, end in zip(starts, ends, strict=True)}


def _frequency(lexicon: pd.DataFrame) -> dict[str, object]:
    band, zipf = band_numbers(lexicon["zipf"]), lexicon["zipf"]
    abroad = lexicon["zipf_abroad"] - zipf
    foreign = lexicon["zipf_abroad"] >= 3
    columns: dict[str, object] = {f"frequency: {name}": band == number for number, name in enumerate(BANDS)}
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
    parts, which = different(text(lexicon["wordnet_pos"]))
    return columns | {f"WordNet: {part}": np.asarray(pc.match_substring(parts, part))[which] for part in "nvar"}


def _shape(lexicon: pd.DataFrame) -> dict[str, object]:
    words, length = text(lexicon["word"]), lexicon["word"].str.len().to_numpy()
    columns: dict[str, object] = {"pangram": pangrams(words), "shape: inflected": lexicon["lemma"] != ""}
    heads, head = different(pc.utf8_slice_codeunits(words, 0, max(map(len, BEGINNINGS))))
    for part in BEGINNINGS:
        columns[f"shape: {part}-"] = np.asarray(pc.starts_with(heads, part))[head] & (length >= len(part) + 3)
    tails, tail = different(pc.utf8_slice_codeunits(words, -max(map(len, ENDINGS))))
    for part in ENDINGS:
        columns[f"shape: -{part}"] = np.asarray(pc.ends_with(tails, part))[tail] & (length >= len(part) + 3)
    return columns
