"""The contract of every table: its columns, their types, and its key. Every stage ends by checking its tables.

Types are `str` (never missing; "" means none), `int`, `float` and `bool`. Dates are ISO text, so they sort as dates.
`check` also orders the columns and sorts by key, so the same rows always give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pipeline.errors import DataError
from pipeline.words import count

_DTYPES = {"str": "str", "int": "int64", "float": "float64", "bool": "bool"}
DataError = DataError
"""The error that is raised if a table breaks its contract."""


@dataclass(frozen=True, slots=True)
class Contract:
    """The contract of a table: its columns with their types in order, and the columns of its key."""

    columns: dict[str, str]
    key: tuple[str, ...]


def _contract(line: str) -> Contract:
    """Parse a line of `_COLUMNS`."""
    kinds = {}
    key = []
    for column in line.split():
        name, _, kind = column.rstrip("*").partition(":")
        kinds[name] = kind or "str"
        if column.endswith("*"):
            key.append(name)
    return Contract(kinds, tuple(key))


_COLUMNS = {
    "days": "date* source* center outer answers came_at seen_at settled:bool week_over:bool",
    "puzzles": "date* center outer source witnesses:int",
    "answers": "date* word*",
    "day_decisions": "date* source check reason by",
    "waits": "date* because person:bool",
    "without_trial": "date* word* because",
    "track": "date* source witnesses:int answers:int missing:int extra:int without_trial differs",
    "frequencies": "word* zipf:float zipf_abroad:float language",
    "lexicon": "word* scowl_size:int scowl_british:int scowl_variant:int scowl_variant_level:int scowl_upper:int "
    "scowl_name:int scowl_abbreviation:int scowl_special:int wordnet_pos wordnet_senses:int wordnet_tagged:int "
    "wordnet_capitalised:int wordnet_labels base cuss:int ldnoobw:bool modern:bool own_list:bool zipf:float "
    "zipf_abroad:float language",
    "words_and_bases": "word* base",
    "forms": "word* base* form*",
    "model": "name* attributes:float relatives:float usual:float days:int lists",
    "unsafe_words": "word* flag*",
    "offensive_words": "word* flag detail",
    "links": "form:int* base:int*",
    "sisters": "form:int* other:int* alike:bool",
    "candidates": "word* common:bool",
    "trials": "date* word* accepted:bool",
    "record": "word* offered:int accepted:int first_accepted last_accepted last_refused",
    "flags": "word* flag* severity detail",
    "estimates": "word* p:float kind because",
    "verdicts": "word* verdict reason by on",
    "word_grades": "word* grade",
    "grades": "word* grade reason by",
    "glosses": "word* pos* gloss*",
    "decisions": "word* tier by kind because p:float",
    "diffs": "date* word* side because",
    "violations": "rule* subject* severity detail*",
    "words": "word* tier p offered:int accepted:int flags kind because",
}
"""The columns of each table. `:int`, `:float` or `:bool` is the type of a column that is not text, and `*` marks a
column of the key. docs/tables.csv says what one row of each table is."""
CONTRACTS = {table: _contract(line) for table, line in _COLUMNS.items()}
CONTRACTS["vocabulary"] = CONTRACTS["lexicon"]


def empty(table: str) -> pd.DataFrame:
    """Return a table without rows, with the columns of its contract."""
    kinds = CONTRACTS[table].columns
    return pd.DataFrame({name: pd.Series(dtype=_DTYPES[kind]) for name, kind in kinds.items()})


def check(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return the frame with the columns, types and order of its contract; raise DataError if it breaks it."""
    frame = conform(frame, table)
    key = list(CONTRACTS[table].key)
    if _is_increasing([frame[name] for name in key]):
        return frame.reset_index(drop=True)
    frame = frame.sort_values(key, ignore_index=True)
    if not _is_increasing([frame[name] for name in key]):
        repeated = frame.duplicated(key)
        row = frame.loc[repeated, key].iloc[0].to_dict()
        raise DataError(f"The table {table} has {count(int(repeated.sum()), 'repeated key')}; the first is {row}.")
    return frame


def conform(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return the frame with the columns and types of its contract. Raise DataError for missing or unknown columns,
    empty cells, and cells of another type."""
    contract = CONTRACTS[table]
    if absent := [name for name in contract.columns if name not in frame.columns]:
        raise DataError(f"The table {table} has no column {', '.join(absent)}; it has {', '.join(frame.columns)}.")
    if more := [str(name) for name in frame.columns if name not in contract.columns]:
        raise DataError(f"The table {table} has an unknown column: {', '.join(more)}.")
    frame = frame[list(contract.columns)]
    for name, kind in contract.columns.items():
        if missing := int(frame[name].isna().sum()):
            raise DataError(f"The table {table} has {count(missing, 'empty cell')} in the column {name}.")
        try:
            frame = frame.astype({name: _DTYPES[kind]}) if frame[name].dtype != _DTYPES[kind] else frame
        except (ValueError, TypeError, OverflowError) as error:
            raise DataError(
                f"The table {table} has a cell in the column {name} that is not {kind} ({error})."
            ) from error
    return frame


def _is_increasing(key: Sequence[pd.Series]) -> bool:
    """Return whether each row is greater than the previous one, compared column by column."""
    greater = np.zeros(max(len(key[0]) - 1, 0), dtype=bool)
    same = ~greater
    for column in key:
        before, after = column.array[:-1], column.array[1:]
        greater |= same & np.asarray(after > before, dtype=bool)
        same &= np.asarray(after == before, dtype=bool)
    return bool(greater.all())


def from_rows(records: Iterable[Mapping[str, Any]], table: str) -> pd.DataFrame:
    """Return a checked table with these rows; without rows, the empty table."""
    rows = list(records)
    return check(pd.DataFrame(rows), table) if rows else empty(table)


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as dictionaries from column to cell."""
    names = [str(name) for name in frame.columns]
    columns = [frame[name].tolist() for name in frame]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def from_text(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return a checked table from one whose cells are all text, as in CSV: "True" becomes true, "12" becomes a number
    if the column has numbers, and "null" stays a word."""
    kinds = CONTRACTS[table].columns
    for name in frame.columns:
        if kinds.get(name) == "bool":
            if wrong := set(frame[name]) - {"True", "False"}:
                raise DataError(
                    f'The table {table} has "{wrong.pop()}" in the column {name}, which must be True or False.'
                )
            frame = frame.assign(**{name: frame[name] == "True"})
    return check(frame, table)


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Return a frame as CSV, one line per row."""
    return frame.to_csv(index=False, lineterminator="\n").encode()


def read_csv(data: bytes, path: object) -> pd.DataFrame:
    """Return a CSV file as a frame. Each cell is its text, unchanged: *null* is a word.

    Raises DataError, which names the `path`, if the file is not CSV, or if rows have too many cells.
    """
    try:
        frame = pd.read_csv(io.BytesIO(data), dtype="str", keep_default_na=False, na_filter=False)
    except ValueError as error:
        raise DataError(f"{path} is not a CSV table ({error}).") from error
    if not isinstance(frame.index, pd.RangeIndex):  # pandas takes the first cells of such rows for an index
        raise DataError(f"{path} has rows with more cells than its header.")
    return frame


def json_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as JSON values: text, numbers, true and false, and null for missing values."""
    values = frame.astype(object).where(frame.notna(), None)
    json_types = (bool, int, float, str, type(None))
    rows = []
    for row in values.to_dict("records"):
        rows.append({str(name): cell if isinstance(cell, json_types) else str(cell) for name, cell in row.items()})
    return rows
