"""Relatives: the forms and bases of a word, and how their records change its estimate.

Which word is a form of which base is in the table `forms`; a base that is too short for a puzzle links its forms, too.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.tables import columns

MAX_SURPRISE = 2.0
"""The limit of the summed surprise of relatives, in both directions."""


VERBAL = ("past form", "present participle")
"""The forms in -ed and -ing."""


def links(lexicon: pd.DataFrame, forms: pd.DataFrame) -> pd.DataFrame:
    """Return the forms and bases of `forms` that are both in the lexicon, by the numbers of their rows: columns form,
    base."""
    rows = _rows_of_forms(lexicon, forms)
    base = columns.positions(rows["base"], lexicon["word"])
    found = pd.DataFrame({"form": rows["form"], "base": base})[base >= 0]
    return found.drop_duplicates()


def sisters(lexicon: pd.DataFrame, forms: pd.DataFrame) -> pd.DataFrame:
    """Return pairs of forms of the same base, by the numbers of their rows in the lexicon: columns form, other, alike
    (both are forms in -ed and -ing, or neither is). Each pair is there in both orders."""
    rows = _rows_of_forms(lexicon, forms).assign(verbal=forms["form"].isin(VERBAL))
    pairs = rows.merge(rows.rename(columns={"form": "other"}), on="base", suffixes=("", "_of_other"))
    pairs = pairs.assign(alike=pairs["verbal"] == pairs["verbal_of_other"])[["form", "other", "alike"]]
    return pairs[pairs["form"] != pairs["other"]].drop_duplicates(["form", "other"])


def _rows_of_forms(lexicon: pd.DataFrame, forms: pd.DataFrame) -> pd.DataFrame:
    """Return each form that is in the lexicon, as the number of its row, with its base as text: columns form, base."""
    row = columns.positions(forms["word"], lexicon["word"])
    return pd.DataFrame({"form": row, "base": forms["base"]})[row >= 0]


def base_features(lexicon: pd.DataFrame, links: pd.DataFrame) -> pd.DataFrame:
    """Return, for each word of the lexicon, how common its most common base is, and whether one of its forms is more
    common than the word."""
    size, zipf = lexicon["scowl_size"].to_numpy(), lexicon["zipf"].to_numpy()
    form, base = links["form"].to_numpy(), links["base"].to_numpy()
    base_size, base_zipf = _most_common_linked(form, base, size, zipf)
    form_size, form_zipf = _most_common_linked(base, form, size, zipf)
    has_base = base_size <= NO_SIZE
    return columns.single_precision(
        {
            "from SCOWL 35": base_size <= 35,
            "from SCOWL 60": (base_size > 35) & (base_size <= 60),
            "from SCOWL 70": base_size == 70,
            "from a rarer word": has_base & (base_size >= 80),
            "how common": np.where(has_base, base_zipf, 0),
            "commoner": np.where(has_base, base_zipf - zipf, 0).clip(-1, 4),
            "forms in SCOWL 60": form_size <= 60,
            "forms in a smaller list": form_size < size,
            "commoner forms": np.maximum(form_zipf - zipf, 0),
        }
    )


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


def relative_features(links: pd.DataFrame, sisters: pd.DataFrame, surprise: np.ndarray) -> pd.DataFrame:
    """Return the sum of the surprise in the records of each word's relatives, without its own record: one row per word,
    one column per relation.

    The surprise of a tried word is its outcome, 1 or 0, minus the p from its attributes alone; for other words it is 0.
    The refusal of a sister that is not alike does not count: *limed* says nothing about *limes*.
    """
    form, base = links["form"].to_numpy(), links["base"].to_numpy()
    relations = {
        "base": (form, base),
        "form": (base, form),
        "sister": (sisters["form"].to_numpy(), sisters["other"].to_numpy()),
    }
    features: dict[str, np.ndarray] = {}
    for name, (words, relatives) in relations.items():
        effect = surprise[relatives]
        if name == "sister":
            effect = np.where(sisters["alike"], effect, np.maximum(effect, 0))
        features[name] = np.bincount(words, effect, minlength=len(surprise)).clip(-MAX_SURPRISE, MAX_SURPRISE)
    return columns.single_precision(features)
