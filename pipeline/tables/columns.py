"""Whole columns: functions that work on many cells or words at once, without a loop over rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from pipeline.words import GAME

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def places(keys: Iterable[str], words: Iterable[str]) -> Numbers:
    """Return the position of each key in a list of distinct words; -1 for a key that is not in it.

    >>> places(["cove", "null"], ["cave", "cove"]).tolist()
    [1, -1]
    """
    return np.asarray(pc.fill_null(pc.index_in(text(keys), value_set=text(words)), -1), dtype=np.int64)


def among(keys: Iterable[str], words: Iterable[str]) -> Flags:
    """Return for each key whether it is one of some words."""
    cells, known = text(keys), text(words)
    if len(cells) * FEW < len(known):
        known = known.filter(pc.is_in(known, value_set=cells))
    return np.asarray(pc.is_in(cells, value_set=known), dtype=np.bool_)


FEW = 8
"""So many times more words than keys, looking the words up first takes less time than indexing them all (measured)."""


def different(cells: pa.Array) -> tuple[pa.Array, Numbers]:
    """Return the different cells, and which of them each cell is, so that a rule looks at each of them once.

    >>> different(text(["vn", "n", "vn"]))[1].tolist()
    [0, 1, 0]
    """
    coded = cells.dictionary_encode()
    return coded.dictionary, np.asarray(coded.indices, dtype=np.int64)


def look_up(keys: pd.Series, column: pd.Series, default: Any) -> pd.Series:
    """Return the cell of a column, indexed by word, for each key, or the default if there is none."""
    found = column.array.take(places(keys, column.index), allow_fill=True, fill_value=default)
    return pd.Series(found, index=keys.index)


def look_up_rows(keys: pd.Series, table: pd.DataFrame, defaults: Mapping[str, object]) -> pd.DataFrame:
    """Return the row of a table, indexed by word, for each key; `defaults` has the cells of keys that it does not have,
    by column."""
    place = places(keys, table.index)
    found = {
        name: table[name].array.take(place, allow_fill=True, fill_value=default) for name, default in defaults.items()
    }
    return pd.DataFrame(found, index=keys.index)


def sorted_words(parts: Iterable[Iterable[str]]) -> pd.Series:
    """Return the different words of some lists, A to Z.

    >>> sorted_words([["null", "cove"], ["cove"]]).tolist()
    ['cove', 'null']
    """
    words = pc.unique(pa.concat_arrays([text(part) for part in parts]))
    return pd.Series(words.take(pc.sort_indices(words)), dtype="str")


def joined(frame: pd.DataFrame, column: str) -> pd.Series:
    """Join the cells of a text column that belong to one word, separated by blanks; the index is the word."""
    cells: dict[str, str] = {}
    named, which = different(text(frame[column]))
    names = named.to_pylist()
    for word, cell in zip(frame["word"].tolist(), (names[at] for at in which.tolist()), strict=True):
        cells[word] = f"{cells[word]} {cell}" if word in cells else cell
    return pd.Series(cells, dtype="str")


def source(data: bytes) -> pa.BufferReader:
    """Return bytes as a file in Arrow's own memory, to read a table from.

    Arrow's threads may keep parts of a file for a moment after the table is read. If Python owns this memory and exits
    in that moment, the process aborts: this happened in about one command in fifty, after its work was done.
    """
    sink = pa.BufferOutputStream()
    sink.write(data)
    return pa.BufferReader(sink.getvalue())


def read_csv(body: str) -> pd.DataFrame | None:
    """Read CSV without quotes, all cells as text; None if there are quotes or a broken line."""
    header = body.partition("\n")[0].split(",")
    if any(mark in body for mark in '"\r\0') or len(set(header)) < len(header):
        return None
    as_text = pa_csv.ConvertOptions(column_types=dict.fromkeys(header, pa.large_string()))
    try:
        table = pa_csv.read_csv(source(body.encode()), None, pa_csv.ParseOptions(quote_char=False), as_text)
    except pa.ArrowInvalid:
        return None
    return table.to_pandas().astype("str") if table.column_names == header else None


def masks(words: Iterable[str]) -> Numbers:
    """Return the letter mask of each word, 0 for text that is not ASCII; letters after the 19th are ignored.

    >>> masks(["abba", "cab", "caf\u00e9"]).tolist()
    [3, 7, 0]
    """
    cells = text(words)
    cells = pc.if_else(pc.string_is_ascii(cells), cells, "")
    table = np.array(cells.to_pylist(), dtype=f"S{GAME.longest}")
    bits = np.zeros(len(table), np.int64)
    for letters in table.view(np.uint8).reshape(-1, GAME.longest).T:
        bits |= _BITS[letters]
    return bits


_BITS = np.where((np.arange(256) >= 97) & (np.arange(256) < 123), np.int64(1) << (np.arange(256) - 97).clip(0, 25), 0)


def pangrams(words: Iterable[str]) -> Flags:
    """Return for each word whether it uses seven different letters."""
    return np.asarray(np.bitwise_count(masks(words)) == GAME.letters)


def playable(words: Iterable[str]) -> Flags:
    """Return `words.playable` of each word."""
    cells = text(words)
    spelled = np.asarray(pc.match_substring_regex(cells, f"^[a-z]{{{GAME.shortest},{GAME.longest}}}$"), dtype=np.bool_)
    found = np.zeros(len(cells), np.bool_)
    found[spelled] = np.bitwise_count(masks(cells.filter(pa.array(spelled)))) <= GAME.letters
    return found


def text(cells: Iterable[str]) -> pa.Array:
    """Return cells as one Arrow array of text."""
    if isinstance(cells, pa.Array):
        return cells
    listed = cells if isinstance(cells, pd.Series | pd.Index | list) else list(cells)
    return _whole(pa.array(listed)).cast(pa.large_string())


def _whole(cells: pa.Array | pa.ChunkedArray) -> pa.Array:
    return cells.combine_chunks() if isinstance(cells, pa.ChunkedArray) else cells
