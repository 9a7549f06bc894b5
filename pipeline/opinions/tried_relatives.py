"""Tried relatives: the words whose last trials a reason names, like *lime was accepted*.

Only words whose records count for the p of a word are named. Words of the same root, by `origins`, are its relatives;
any other word that only the spelling links to it is called similar.
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
    - `effect` is above 0 if the record raises p, before it is multiplied by the weight of the relation.
    - `related` says which pairs are relatives; the other ones are only similar.
    """

    relation: str
    word_rows: columns.Numbers
    tried_rows: columns.Numbers
    effect: np.ndarray
    related: columns.Flags


def tried_pairs(influences: Sequence[Influence], origins: Origins) -> list[TriedPairs]:
    """Return the pairs of words of which one influences the other, and which of them are relatives."""
    pairs = []
    for influence in influences:
        has_effect = np.flatnonzero(influence.effect)
        word, tried = influence.word_rows[has_effect], influence.relative_rows[has_effect]
        related = origins.root[word] == origins.root[tried]
        pairs.append(TriedPairs(influence.relation, word, tried, influence.effect[has_effect], related))
    return pairs


def compounds_alike(origins: Origins, surprise: np.ndarray) -> list[TriedPairs]:
    """Pair each compound with the two compounds that share a part with it and whose records say most for the part, and
    most against it.

    They are relatives if both are surely compounds; `surprise` is as in `relatives.relative_features`.
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
    """Return for each of some rows the tried words whose records raise and lower its p most: columns accepted,
    accepted_alike, refused, refused_alike, each "" if there is none.

    `weights` has the weight of the relation of each of the `pairs`; `words` are all words of the lexicon. A record that
    counts against its outcome, as with a weight below 0, is not named. Of equal effects the first word from A to Z is.
    """
    table = _weighted(pairs, weights)
    table = table[np.isin(table["word"], rows)]
    names = {}
    for outcome, sign in (("accepted", 1), ("refused", -1)):
        counts = (sign * table["pull"] > 0) & (sign * table["effect"] > 0)
        names[outcome] = _strongest(table[counts & table["related"]], words, rows)
        names[f"{outcome}_alike"] = _strongest(table[counts & ~table["related"]], words, rows)
    return pd.DataFrame(names)


def _weighted(pairs: Sequence[TriedPairs], weights: np.ndarray) -> pd.DataFrame:
    """Return pairs of all relations as one table: columns word, tried (rows), related, effect, pull (weighted)."""
    tables = []
    for relation, weight in zip(pairs, weights, strict=True):
        table = pd.DataFrame({"word": relation.word_rows, "tried": relation.tried_rows, "related": relation.related})
        tables.append(table.assign(effect=relation.effect, pull=weight * relation.effect))
    return pd.concat(tables, ignore_index=True)


def _strongest(table: pd.DataFrame, words: pd.Series, rows: columns.Numbers) -> pd.Series:
    """Return the tried word with the largest pull on the word in each row, or ""."""
    weakest_first = table.assign(strength=table["pull"].abs()).sort_values(
        ["strength", "tried"], ascending=[True, False]
    )
    strongest = weakest_first.drop_duplicates("word", keep="last").set_index("word")["tried"]
    tried_rows = strongest.reindex(rows, fill_value=NO_ROW).to_numpy()
    return pd.Series(words.array.take(tried_rows, allow_fill=True, fill_value=""), dtype="str")
