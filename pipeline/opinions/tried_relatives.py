"""Tried relatives: the words whose last trials a reason names, like *lime was accepted*.

Only words whose records count for the p of a word are named. Words of the same root, by `origins`, are its relatives;
any other word that only the spelling links to it is called similar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.opinions.origins import NOBODY, Origins
from pipeline.opinions.relatives import Influence
from pipeline.tables import columns


@dataclass(frozen=True, slots=True)
class Voice:
    """The effects of the records of words (rows `by`) on others (rows `of`), and which of these pairs are relatives."""

    relation: str
    of: columns.Numbers
    by: columns.Numbers
    effect: np.ndarray
    related: columns.Flags


def voices(influences: Sequence[Influence], origins: Origins) -> list[Voice]:
    """Say which pairs of words that influence each other are relatives."""
    found = []
    for influence in influences:
        heard = np.flatnonzero(influence.effect)
        of, by = influence.of[heard], influence.by[heard]
        related = origins.root[of] == origins.root[by]
        found.append(Voice(influence.relation, of, by, influence.effect[heard], related))
    return found


def compounds_alike(origins: Origins, surprise: np.ndarray) -> list[Voice]:
    """Return the compounds with a part of each compound whose records say most for it, and most against it.

    They are relatives if both are surely compounds; `surprise` is as in `relatives.record`.
    """
    compounds = np.flatnonzero(origins.first != NOBODY)
    form = np.concatenate([compounds, compounds])
    part = np.concatenate([origins.first[compounds], origins.second[compounds]])
    found = []
    for side in (1, -1):
        tried = np.flatnonzero(side * surprise[form] > 0)
        weakest_first = tried[np.lexsort((-form[tried], side * surprise[form[tried]]))]
        strongest = np.full(len(surprise), NOBODY)
        strongest[part[weakest_first]] = form[weakest_first]
        other = strongest[part]
        there = (other != NOBODY) & (other != form)
        of, by = form[there], other[there]
        related = origins.surely_compound[of] & origins.surely_compound[by]
        found.append(Voice("compounds alike", of, by, surprise[by], related))
    return found


def named(voices: Sequence[Voice], weights: np.ndarray, words: pd.Series, rows: columns.Numbers) -> pd.DataFrame:
    """Name for each of some rows the words whose records raise and lower its p most: columns accepted, accepted_alike,
    refused, refused_alike, each "" if there is none.

    `weights` has the weight of the relation of each voice. Of equal effects the first word from A to Z is named.
    """
    place = np.full(len(words), NOBODY)
    place[rows] = np.arange(len(rows))
    found = {}
    for name, side in (("accepted", 1), ("refused", -1)):
        for related in (True, False):
            of, by, pull = _pulls(voices, weights, place >= 0, side, related)
            weakest_first = np.lexsort((-by, pull))
            strongest = np.full(len(rows), NOBODY)
            strongest[place[of[weakest_first]]] = by[weakest_first]
            cells = words.array.take(strongest, allow_fill=True, fill_value="")
            found[name if related else f"{name}_alike"] = pd.Series(cells, dtype="str")
    return pd.DataFrame(found)


def _pulls(
    voices: Sequence[Voice], weights: np.ndarray, wanted: columns.Flags, side: int, related: bool
) -> tuple[columns.Numbers, columns.Numbers, np.ndarray]:
    """Return the pairs of words, of relatives or not, that raise (side 1) or lower (-1) p: rows of, rows by, how much.

    A record that counts against its outcome, as with a weight below 0, is not among them.
    """
    of, by, pull = [], [], []
    for voice, weight in zip(voices, weights, strict=True):
        strength = side * weight * voice.effect
        speaks = wanted[voice.of] & (strength > 0) & (side * voice.effect > 0) & (voice.related == related)
        of.append(voice.of[speaks])
        by.append(voice.by[speaks])
        pull.append(strength[speaks])
    return np.concatenate(of), np.concatenate(by), np.concatenate(pull)
