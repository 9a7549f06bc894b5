"""Whole columns: functions that work on many cells or words at once, without a loop over rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.words import GAME, RARE_LETTERS, mask

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def positions(keys: Iterable[str], words: Iterable[str]) -> Numbers:
    """Return the position of each key in a list of distinct words; -1 for a key that is not in it.

    >>> positions(["cove", "null"], ["cave", "cove"]).tolist()
    [1, -1]
    """
    cells = as_text(keys)
    known = as_text(words)
    if len(cells) * MIN_WORDS_PER_KEY_TO_FILTER >= len(known):
        return _index(cells, known)
    distinct_keys, number_of_key = distinct(cells)
    found = _index(known, distinct_keys)
    position = np.full(len(distinct_keys), -1)
    position[found[found >= 0]] = np.flatnonzero(found >= 0)
    return position[number_of_key]


def _index(keys: pa.Array, words: pa.Array) -> Numbers:
    """Return the position of each key in a list of words, all of which are indexed."""
    return np.asarray(pc.fill_null(pc.index_in(keys, value_set=words), -1), dtype=np.int64)


def is_in(keys: Iterable[str], words: Iterable[str]) -> Flags:
    """Return for each key whether it is one of the words."""
    cells = as_text(keys)
    known = as_text(words)
    if len(cells) * MIN_WORDS_PER_KEY_TO_FILTER < len(known):
        known = known.filter(pc.is_in(known, value_set=cells))
    return np.asarray(pc.is_in(cells, value_set=known), dtype=np.bool_)


MIN_WORDS_PER_KEY_TO_FILTER = 3
"""With more than this many words per key, it is faster to look the words up among the keys first than to index all of
them (measured)."""


def distinct(cells: pa.Array) -> tuple[pa.Array, Numbers]:
    """Return the distinct cells, and for each cell its position among them, so that a rule can check each one once.

    >>> distinct(as_text(["vn", "n", "vn"]))[1].tolist()
    [0, 1, 0]
    """
    encoded = cells.dictionary_encode()
    return encoded.dictionary, np.asarray(encoded.indices, dtype=np.int64)


def look_up(keys: pd.Series, column: pd.Series, default: Any) -> pd.Series:
    """Return, for each key, its cell in a column that is indexed by word; the default for a key that is missing."""
    taken = column.array.take(positions(keys, column.index), allow_fill=True, fill_value=default)
    return pd.Series(taken, index=keys.index)


def look_up_rows(keys: pd.Series, table: pd.DataFrame, defaults: Mapping[str, object]) -> pd.DataFrame:
    """Return, for each key, its row in a table that is indexed by word. `defaults` has, for each column, the cell of
    keys that are missing."""
    rows = positions(keys, table.index)
    cells = {}
    for name, default in defaults.items():
        cells[name] = table[name].array.take(rows, allow_fill=True, fill_value=default)
    return pd.DataFrame(cells, index=keys.index)


def single_precision(features: Mapping[str, npt.ArrayLike]) -> pd.DataFrame:
    """Return a table of these columns as numbers in single precision."""
    cells = [np.asarray(column, dtype=np.float32) for column in features.values()]
    return pd.DataFrame(np.array(cells).T, columns=list(features))


def sorted_words(parts: Iterable[Iterable[str]]) -> pd.Series:
    """Return the distinct words of several lists, A to Z.

    >>> sorted_words([["null", "cove"], ["cove"]]).tolist()
    ['cove', 'null']
    """
    words = pc.unique(pa.concat_arrays([as_text(part) for part in parts]))
    return pd.Series(words.take(pc.sort_indices(words)), dtype="str")


def texts(numbers: npt.ArrayLike, names: Iterable[str]) -> pd.api.extensions.ExtensionArray:
    """Return, for each number, the name with this position.

    >>> list(texts([1, 0], ["cave", "cove"]))
    ['cove', 'cave']
    """
    return pd.array(list(names), dtype="str").take(np.asarray(numbers, dtype=np.int64))


def join_by_word(frame: pd.DataFrame, column: str) -> pd.Series:
    """Return, indexed by word, the cells of a text column that belong to each word, joined with blanks."""
    cells: dict[str, str] = {}
    distinct_cells, cell_positions = distinct(as_text(frame[column]))
    values = distinct_cells.to_pylist()
    for word, position in zip(frame["word"].tolist(), cell_positions.tolist(), strict=True):
        cell = values[position]
        cells[word] = f"{cells[word]} {cell}" if word in cells else cell
    return pd.Series(cells, dtype="str")


def masks(words: Iterable[str]) -> Numbers:
    """Return the letter mask of each word, 0 for text that is not ASCII; letters after the 19th are ignored.

    >>> masks(["abba", "cab", "caf\u00e9"]).tolist()
    [3, 7, 0]
    """
    cells = as_text(words)
    cells = pc.if_else(pc.string_is_ascii(cells), cells, "")
    table = np.array(cells.to_pylist(), dtype=f"S{GAME.max_length}")
    bits = np.zeros(len(table), np.int64)
    for letters in table.view(np.uint8).reshape(-1, GAME.max_length).T:
        bits |= _BITS[letters]
    return bits


_BITS = np.where((np.arange(256) >= 97) & (np.arange(256) < 123), np.int64(1) << (np.arange(256) - 97).clip(0, 25), 0)


def in_play(words: Iterable[str]) -> Flags:
    """Return for each word whether it has no letters that puzzles rarely have together: see `words.in_play`.

    >>> in_play(pd.Series(["octave", "octaves", "overact"])).tolist()
    [True, False, False]
    """
    letters = masks(words)
    rare = [mask("".join(group)) for group in RARE_LETTERS]
    return np.asarray(np.all([letters & group != group for group in rare], axis=0))


def is_pangram(words: Iterable[str]) -> Flags:
    """Return for each word whether it uses seven different letters."""
    return np.asarray(np.bitwise_count(masks(words)) == GAME.letter_count)


def is_playable(words: Iterable[str]) -> Flags:
    """Return `words.playable` of each word."""
    cells = as_text(words)
    pattern = f"^[a-z]{{{GAME.min_length},{GAME.max_length}}}$"
    are_playable = np.array(pc.match_substring_regex(cells, pattern), dtype=np.bool_)
    matching = cells.filter(pa.array(are_playable))
    are_playable[are_playable] = np.bitwise_count(masks(matching)) <= GAME.letter_count
    return are_playable


def as_text(cells: Iterable[str]) -> pa.Array:
    """Return cells as one Arrow array of text."""
    if isinstance(cells, pa.Array):
        return cells
    is_whole = isinstance(cells, pd.Series | pd.Index | pd.api.extensions.ExtensionArray | list)
    array = pa.array(cells if is_whole else list(cells))
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    return array.cast(pa.large_string())
