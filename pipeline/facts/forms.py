"""Inflected forms: the possible base forms of all words of a list at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.facts.endings import ENDINGS
from pipeline.tables import columns
from pipeline.words import GAME


class Parts(NamedTuple):
    """Parts of words: the row of each part's word, and the part."""

    rows: columns.Numbers
    text: pa.Array

    def where(self, chosen: columns.Flags) -> Parts:
        """Keep only the chosen parts."""
        return Parts(self.rows[chosen], self.text.filter(pa.array(chosen)))

    def plus(self, ending: str) -> Parts:
        """Add an ending to each part."""
        if not ending:
            return self
        cells = (self.text, *(pa.scalar(cell, pa.large_string()) for cell in (ending, "")))
        return Parts(self.rows, pc.binary_join_element_wise(*cells))

    def single(self) -> Parts:
        """Keep the parts that end with a double letter, and make it single."""
        last, before = pc.utf8_slice_codeunits(self.text, -1), pc.utf8_slice_codeunits(self.text, -2, -1)
        kept = self.where(np.asarray(pc.equal(last, before), dtype=np.bool_))
        return Parts(kept.rows, pc.utf8_slice_codeunits(kept.text, 0, -1))

    def longer(self, least: int) -> Parts:
        """Keep the parts with at least this many letters."""
        return self.where(np.asarray(pc.greater_equal(pc.utf8_length(self.text), least), dtype=np.bool_))


def without(words: pa.Array, ending: str) -> Parts:
    """Remove an ending from all words that have it; leave out the others."""
    has = pc.ends_with(words, pattern=ending)
    return Parts(np.flatnonzero(has), pc.utf8_slice_codeunits(words.filter(has), 0, -len(ending)))


def merged_parts(parts: Iterable[Parts]) -> Parts:
    """Combine parts, sorted by word; the parts of one word stay in the given order."""
    rows, text = zip(*parts, strict=True)
    order = np.argsort(np.concatenate(rows), kind="stable")
    return Parts(np.concatenate(rows)[order], pa.concat_arrays(text).take(pa.array(order)))


def all_bases(words: pa.Array) -> Parts:
    """Return the same as `endings.bases` for each word, in the same order."""
    found = []
    for ending, instead in ENDINGS:
        stems = without(words, ending)
        if ending == "s":
            stems = stems.where(~np.asarray(pc.ends_with(stems.text, pattern="s"), dtype=np.bool_))
        found.append(stems.plus(instead))
        if not instead and ending != "s":
            doubled = stems.longer(3)
            found.append(doubled.where(~np.asarray(pc.ends_with(doubled.text, pattern="s"), dtype=np.bool_)).single())
    return merged_parts(found)


_HISSING = "(s|x|z|ch|sh|o)$"
"""The ends of words that take -es, not -s."""


def lemmas(words: pd.Series, known: pd.DataFrame) -> pd.Series:
    """Return the right base of each word, or "": of its possible bases that are known words of playable length, the one
    with the smallest SCOWL size, then the commonest.

    `known` has columns word, scowl_size, zipf.

    >>> known = pd.DataFrame({"word": ["barb", "barbe", "pita"], "scowl_size": [50, 95, 60], "zipf": [3.1, 1.5, 2.7]})
    >>> lemmas(pd.Series(["pita", "pitas", "barber"]), known).tolist()
    ['', 'pita', 'barb']
    """
    found = all_bases(columns.text(words)).longer(GAME.shortest)
    text = columns.text(words).take(pa.array(found.rows))
    added = np.asarray(pc.equal(found.plus("es").text, text))
    found = found.where(~added | np.asarray(pc.match_substring_regex(found.text, _HISSING)))
    place = columns.places(found.text, known["word"])
    bases = pd.DataFrame({"row": found.rows, "place": place})[place >= 0]
    ranked = bases.join(known[["scowl_size", "zipf"]].reset_index(drop=True), on="place")
    ranked = ranked.sort_values(["row", "scowl_size", "zipf"], ascending=[True, True, False], kind="stable")
    best = ranked.drop_duplicates("row").set_index("row")["place"]
    right = pd.Series(known["word"].array.take(best.to_numpy()), index=best.index, dtype="str")
    return right.reindex(range(len(words)), fill_value="")
