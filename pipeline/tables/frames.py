"""The contract of every table: what one row is, its columns, their types, and its key. A run checks all its tables.

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
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.errors import DataError
from pipeline.tables import columns
from pipeline.words import count

_DTYPES = {"str": "str", "int": "int64", "float": "float64", "bool": "bool"}


@dataclass(frozen=True, slots=True)
class Contract:
    """The contract of a table: what one row is, its columns with their types in order, and the columns of its key."""

    row: str
    columns: dict[str, str]
    key: tuple[str, ...]


def _contract(row: str, line: str) -> Contract:
    """Parse the columns of a table in `_TABLES`."""
    kinds = {}
    key = []
    for column in line.split():
        name, _, kind = column.rstrip("*").partition(":")
        kinds[name] = kind or "str"
        if column.endswith("*"):
            key.append(name)
    return Contract(row, kinds, tuple(key))


_TABLES = {
    "day_lists": (
        "the last list of a source for a day, and whether it can still change",
        "date* source* center outer answers came_at seen_at settled:bool week_over:bool",
    ),
    "puzzles": (
        "the letters of a day that counts, and where its list is from",
        "date* center outer source witnesses:int",
    ),
    "answers": ("a word that was accepted on a day that counts", "date* word*"),
    "trials": ("a word that was possible on a day that counts, accepted or not", "date* word* accepted:bool"),
    "waits": ("a day that does not count yet, and why", "date* because person:bool"),
    "without_trial": ("a word that has no trial on a day that counts, and why", "date* word* because"),
    "track": (
        "how the list did on a day before that day was counted, and what the day left open",
        "date* source witnesses:int answers:int missing:int extra:int without_trial differs",
    ),
    "lexicon": (
        "a word with its entries in word lists",
        "word* scowl_size:int scowl_british:int scowl_variant:int scowl_variant_level:int scowl_upper:int "
        "scowl_name:int scowl_abbreviation:int scowl_special:int wordnet_pos wordnet_senses:int wordnet_tagged:int "
        "wordnet_capitalised:int wordnet_labels base cuss:int ldnoobw:bool modern:bool opinion own_list:bool "
        "zipf:float zipf_abroad:float language",
    ),
    "readers": ("a word that readers judged", "word* opinion reading"),
    "frequencies": ("how often a word occurs in texts", "word* zipf:float zipf_abroad:float language"),
    "forms": ("a word as a form of a base, such as its plural", "word* base* form*"),
    "record": (
        "the trials of a word, counted",
        "word* offered:int accepted:int first_accepted last_accepted last_refused",
    ),
    "offensive_words": ("a word with an offensive flag, and its origin", "word* flag detail"),
    "flags": ("a rule that matches a word", "word* flag* severity detail"),
    "estimates": ("p of a word: by itself and, after `families.share`, with its family", "word* p:float kind"),
    "decisions": ("the tier of a word, with its reason", "word* tier by kind because p:float"),
    "day_diffs": ("a word on which the list and the official answers of a day differ", "date* word* side because"),
    "violations": ("a problem that a check found", "rule* subject* severity detail*"),
    "model": (
        "the weight of a feature in the estimate",
        "name* attributes:float relatives:float days:int lists",
    ),
    "verdicts": ("a decision of a person on a word, and the last day that they knew", "word* verdict reason by after"),
    "grades": ("an offensive grade that a person gave to a word", "word* grade reason by"),
    "named_days": (
        "the list of a day that a person named, or that no source has the day",
        "date* source check reason by",
    ),
    "glosses": ("a sense of a word", "word* pos* gloss*"),
    "words": (
        "a word in the table of a release",
        "word* tier p offered:int accepted:int first_accepted last_accepted last_refused flags kind because",
    ),
}
"""What one row of each table is, and its columns. `:int`, `:float` or `:bool` is the type of a column that is not
text, and `*` marks a column of the key."""
CONTRACTS = {table: _contract(*described) for table, described in _TABLES.items()}


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
    cells = pa.table({name: columns.as_text(frame[name]) for name in key})
    order = pc.sort_indices(cells, sort_keys=[(name, "ascending") for name in key])
    frame = frame.take(np.asarray(order)).reset_index(drop=True)
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
    cells = [frame[name].tolist() for name in frame]
    return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]


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


def read_csv(data: bytes, path: object, only: Iterable[str] | None = None) -> pd.DataFrame:
    """Return a CSV file as a frame, or `only` some of its columns. Each cell is its text, unchanged: *null* is a word.

    Raises DataError, which names the `path`, if the file is not CSV, or if rows have too many cells.
    """
    try:
        columns = None if only is None else list(only)
        frame = pd.read_csv(io.BytesIO(data), dtype="str", keep_default_na=False, na_filter=False, usecols=columns)
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
