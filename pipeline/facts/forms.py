"""Inflected forms: the possible base forms of all words of a list at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.facts import endings
from pipeline.tables import columns
from pipeline.words import GAME


@dataclass(frozen=True, slots=True)
class PossibleBases:
    """Possible bases of the words of a list: the row of each word in the list, and the text of its possible base.

    A word can have any number of possible bases, or none. The text of a possible base need not be a word.
    """

    rows: columns.Numbers
    text: pa.Array

    def where(self, chosen: columns.Flags) -> PossibleBases:
        """Return only the chosen bases."""
        return PossibleBases(self.rows[chosen], self.text.filter(pa.array(chosen)))

    def with_ending(self, ending: str) -> PossibleBases:
        """Return the bases with an ending added to each."""
        return PossibleBases(self.rows, pc.binary_join_element_wise(self.text, _scalar(ending), _scalar("")))

    def undoubled(self) -> PossibleBases:
        """Return the bases that end with a double letter, with that letter made single: *jogg* becomes *jog*."""
        last_letter = pc.utf8_slice_codeunits(self.text, -1)
        letter_before = pc.utf8_slice_codeunits(self.text, -2, -1)
        doubled = self.where(_flags(pc.equal(last_letter, letter_before)))
        return PossibleBases(doubled.rows, pc.utf8_slice_codeunits(doubled.text, 0, -1))

    def with_min_length(self, letters: int) -> PossibleBases:
        """Return the bases with at least this many letters."""
        return self.where(_flags(pc.greater_equal(pc.utf8_length(self.text), letters)))


def _scalar(text: str) -> pa.Scalar:
    return pa.scalar(text, pa.large_string())


def _flags(cells: pa.Array) -> columns.Flags:
    return np.asarray(cells, dtype=np.bool_)


def remove_ending(words: pa.Array, ending: str) -> PossibleBases:
    """Return the words that have an ending, without it; leave out the other words."""
    has_ending = pc.ends_with(words, pattern=ending)
    stems = pc.utf8_slice_codeunits(words.filter(has_ending), 0, -len(ending))
    return PossibleBases(np.flatnonzero(has_ending), stems)


def merge_bases(parts: Sequence[PossibleBases]) -> PossibleBases:
    """Return several parts as one, sorted by the row of the word; the bases of one word stay in the given order."""
    rows = np.concatenate([part.rows for part in parts])
    text = pa.concat_arrays([part.text for part in parts])
    order = np.argsort(rows, kind="stable")
    return PossibleBases(rows[order], text.take(pa.array(order)))


def all_bases(words: pa.Array) -> PossibleBases:
    """Return the `endings.bases` of each word, in their order, in whole columns, which is six times as fast as one by
    one (measured)."""
    bases = []
    for ending, replacements in endings.REPLACEMENTS.items():
        stems = remove_ending(words, ending)
        if ending == "s":
            stems = stems.where(~_ends_with_s(stems.text))
        for replacement in replacements:
            bases.append(stems.with_ending(replacement))
            if not replacement and ending != "s":
                undoubled = stems.with_min_length(3).undoubled()
                bases.append(undoubled.where(~_ends_with_s(undoubled.text)))
    return merge_bases(bases)


def _ends_with_s(cells: pa.Array) -> columns.Flags:
    return _flags(pc.ends_with(cells, pattern="s"))


_HISSING = "(s|x|z|ch|sh|o)$"
"""The ends of words that take -es rather than -s."""


def lemmas(words: pd.Series, known: pd.DataFrame) -> pd.Series:
    """Return the base of each word, or "" if it has none. Among the possible bases that are known words of playable
    length, the base is the one with the smallest SCOWL size; if several have that size, it is the most common one.

    `known` has the columns word, scowl_size and zipf.

    >>> known = pd.DataFrame({"word": ["barb", "barbe", "pita"], "scowl_size": [50, 95, 60], "zipf": [3.1, 1.5, 2.7]})
    >>> lemmas(pd.Series(["pita", "pitas", "barber"]), known).tolist()
    ['', 'pita', 'barb']
    """
    possible = all_bases(columns.as_text(words)).with_min_length(GAME.min_length)
    words_of_bases = columns.as_text(words).take(pa.array(possible.rows))
    is_base_with_es = _flags(pc.equal(possible.with_ending("es").text, words_of_bases))
    takes_es = _flags(pc.match_substring_regex(possible.text, _HISSING))
    possible = possible.where(~is_base_with_es | takes_es)
    place = columns.positions(possible.text, known["word"])
    bases = pd.DataFrame({"row": possible.rows, "place": place})[place >= 0]
    ranked = bases.join(known[["scowl_size", "zipf"]].reset_index(drop=True), on="place")
    ranked = ranked.sort_values(["row", "scowl_size", "zipf"], ascending=[True, True, False], kind="stable")
    best = ranked.drop_duplicates("row").set_index("row")["place"]
    lemma = pd.Series(known["word"].array.take(best.to_numpy()), index=best.index, dtype="str")
    return lemma.reindex(range(len(words)), fill_value="")
