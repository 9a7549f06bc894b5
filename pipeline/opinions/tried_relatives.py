"""Finds the tried words whose last trials a reason names, as in *lime was accepted*.

A reason names only words whose records change the p of its word. Words with the same root, by `origins`, are called
relatives; words that are linked only by their spelling are called similar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.opinions.origins import NO_ROW, Origins
from pipeline.opinions.relatives import Influence
from pipeline.tables import columns


@dataclass(frozen=True, slots=True)
class TriedPairs:
    """Pairs of a word and a tried word whose record changes the p of the word, in one relation.

    - `word_rows` and `tried_rows` are rows of the lexicon.
    - `effect` is how much the record raises p (below 0: lowers it), before the weight of the relation is applied.
    - `related` is whether the words of a pair are relatives; otherwise they are only similar.
    """

    relation: str
    word_rows: columns.Numbers
    tried_rows: columns.Numbers
    effect: np.ndarray
    related: columns.Flags


def tried_pairs(influences: Sequence[Influence], origins: Origins) -> list[TriedPairs]:
    """Return the pairs of words of which one influences the other, and whether they are relatives."""
    pairs = []
    for influence in influences:
        has_effect = np.flatnonzero(influence.effect)
        word, tried = influence.word_rows[has_effect], influence.relative_rows[has_effect]
        related = origins.root[word] == origins.root[tried]
        pairs.append(TriedPairs(influence.relation, word, tried, influence.effect[has_effect], related))
    return pairs


def compounds_alike(origins: Origins, surprise: np.ndarray) -> list[TriedPairs]:
    """Return pairs of each compound with two compounds that share a part with it: the one whose record raises p most,
    and the one whose record lowers p most.

    Two compounds are relatives if both are certain. `surprise` is the same as in `relatives.relative_features`.
    """
    compounds = np.flatnonzero(origins.first != NO_ROW)
    compound = np.concatenate([compounds, compounds])
    part = np.concatenate([origins.first[compounds], origins.second[compounds]])
    pairs = []
    for sign in (1, -1):
        strength = sign * surprise[compound]
        tried = np.flatnonzero(strength > 0)
        weakest_first = tried[np.lexsort((-compound[tried], strength[tried]))]
        strongest_with_part = np.full(len(surprise), NO_ROW)
        strongest_with_part[part[weakest_first]] = compound[weakest_first]
        strongest = strongest_with_part[part]
        is_pair = (strongest != NO_ROW) & (strongest != compound)
        word_rows, tried_rows = compound[is_pair], strongest[is_pair]
        related = origins.surely_compound[word_rows] & origins.surely_compound[tried_rows]
        pairs.append(TriedPairs("compounds alike", word_rows, tried_rows, surprise[tried_rows], related))
    return pairs


def strongest_relatives(
    pairs: Sequence[TriedPairs], weights: np.ndarray, words: pd.Series, rows: columns.Numbers
) -> pd.DataFrame:
    """Return, for each of some rows, the tried words whose records raise and lower its p most: columns accepted,
    accepted_alike, refused, refused_alike, each "" if there is none.

    `weights` has the weight of the relation of each of the `pairs`; `words` are all words of the lexicon. A record that
    changes p in the direction opposite to its outcome, as with a weight below 0, is not named. If effects are equal,
    the first word from A to Z is named.
    """
    table = _weighted(pairs, weights)
    table = table[np.isin(table["word"], rows)]
    names = {}
    for outcome, sign in (("accepted", 1), ("refused", -1)):
        counts = (sign * table["contribution"] > 0) & (sign * table["effect"] > 0)
        names[outcome] = _strongest(table[counts & table["related"]], words, rows)
        names[f"{outcome}_alike"] = _strongest(table[counts & ~table["related"]], words, rows)
    return pd.DataFrame(names)


def _weighted(pairs: Sequence[TriedPairs], weights: np.ndarray) -> pd.DataFrame:
    """Return the pairs of all relations as one table: columns word and tried (rows of the lexicon), related, effect,
    and contribution (the effect times the weight of the relation)."""
    tables = []
    for of_relation, weight in zip(pairs, weights, strict=True):
        tables.append(
            pd.DataFrame(
                {
                    "word": of_relation.word_rows,
                    "tried": of_relation.tried_rows,
                    "related": of_relation.related,
                    "effect": of_relation.effect,
                    "contribution": weight * of_relation.effect,
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def _strongest(table: pd.DataFrame, words: pd.Series, rows: columns.Numbers) -> pd.Series:
    """Return the tried word that contributes most to the p of the word in each row, or ""."""
    table = table.assign(strength=table["contribution"].abs())
    weakest_first = table.sort_values(["strength", "tried"], ascending=[True, False])
    strongest = weakest_first.drop_duplicates("word", keep="last").set_index("word")["tried"]
    tried_rows = strongest.reindex(rows, fill_value=NO_ROW).to_numpy()
    return pd.Series(words.array.take(tried_rows, allow_fill=True, fill_value=""), dtype="str")
