"""The contract of every table: its columns, their kinds, its key. Every stage ends by checking what it made.

Kinds: `str` (never missing; "" says "none"), `int`, `float`, `bool`. Dates are ISO text, so they sort as dates.
`check` also puts columns in order and sorts by key: the same rows always make the same bytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pipeline.words import BeeError

_DTYPES = {"str": "str", "int": "int64", "float": "float64", "bool": "bool"}


class FrameError(BeeError):
    """A table broke its contract: a fault of the stage that made it, or of a file that was edited by hand."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What a table holds: what one row says, its columns with their kinds in order, and the columns of its key."""

    says: str
    columns: dict[str, str]
    key: tuple[str, ...]


def _contract(says: str, key: str, columns: str) -> Contract:
    pairs = (column.partition(":") for column in columns.split())
    return Contract(says, {name: kind or "str" for name, _, kind in pairs}, tuple(key.split()))


CONTRACTS: dict[str, Contract] = {
    "receipts": _contract(
        "these bytes came from there, then",
        "source name",
        "source name url fetched_at status bytes:int sha256",
    ),
    "requests": _contract(
        "a source was asked for this day, then, and this came of it",
        "source date",
        "source date asked_at outcome etag modified",
    ),
    "puzzles": _contract("on this date these letters", "date", "date center outer source"),
    "answers": _contract("this word counted that day", "date word", "date word vouched:int"),
    "conflicts": _contract(
        "two sources differ on this",
        "date subject source_b",
        "date subject source_a source_b detail",
    ),
    "corrections": _contract(
        "a source was wrong that day, and a person says so",
        "source date",
        "source date letters reason",
    ),
    "faults": _contract("this part of a capture was not used", "rule subject detail", "rule subject detail"),
    "lexicon": _contract(
        "what the lists say of a word",
        "word",
        "word scowl_size:int scowl_british:int scowl_variant:int scowl_variant_level:int scowl_upper:int "
        "scowl_name:int scowl_abbreviation:int scowl_special:int wordnet_pos wordnet_senses:int "
        "wordnet_tagged:int wordnet_capitalised:int wordnet_labels lemma cuss:int ldnoobw:bool "
        "zipf:float zipf_abroad:float language",
    ),
    "candidates": _contract("this word is considered", "word", "word mask:int known:bool"),
    "trials": _contract("possible that day; accepted?", "date word", "date word accepted:bool"),
    "evidence": _contract(
        "the record of a word",
        "word",
        "word offered:int accepted:int first_accepted last_accepted last_rejected vouched:int",
    ),
    "flags": _contract("a rule raised its hand", "word flag", "word flag severity detail"),
    "estimates": _contract("how likely the word is accepted", "word", "word p:float basis"),
    "verdicts": _contract("a person decided", "word", "word verdict reason by on"),
    "offensive": _contract("a person graded the word slur, vulgar, sensitive or none", "word", "word grade"),
    "decisions": _contract("what we do and why", "word", "word tier by because"),
    "diffs": _contract(
        "we and the official list part ways",
        "date word",
        "date word side because",
    ),
    "violations": _contract("something that must never be", "rule subject detail", "rule subject severity detail"),
}


def empty(table: str) -> pd.DataFrame:
    """Return a table without rows, its columns as the contract says."""
    columns = CONTRACTS[table].columns
    return pd.DataFrame({name: pd.Series(dtype=_DTYPES[kind]) for name, kind in columns.items()})


def check(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return the frame in the table's own columns, kinds and order; raise FrameError if it breaks the contract."""
    contract = CONTRACTS[table]
    if absent := [name for name in contract.columns if name not in frame.columns]:
        raise FrameError(f"Table {table}: no column {', '.join(absent)}; it has {', '.join(frame.columns)}.")
    if more := [str(name) for name in frame.columns if name not in contract.columns]:
        raise FrameError(f"Table {table}: unknown column {', '.join(more)}.")
    frame = frame[list(contract.columns)]
    for name, kind in contract.columns.items():
        if missing := int(frame[name].isna().sum()):
            raise FrameError(f"Table {table}: column {name} has {missing} empty cells.")
        try:
            frame = frame.astype({name: _DTYPES[kind]})
        except (ValueError, TypeError, OverflowError) as error:
            raise FrameError(f"Table {table}: column {name} is not {kind} throughout ({error}).") from error
    frame = frame.sort_values(list(contract.key), ignore_index=True)
    if (twice := frame.duplicated(list(contract.key))).any():
        row = frame.loc[twice, list(contract.key)].iloc[0].to_dict()
        raise FrameError(f"Table {table}: {int(twice.sum())} rows repeat a key, the first is {row}.")
    return frame


def table(records: Iterable[Mapping[str, Any]], name: str) -> pd.DataFrame:
    """Make a table from rows and check it; no rows make an empty table."""
    listed = list(records)
    return check(pd.DataFrame(listed), name) if listed else empty(name)


def look_up(keys: pd.Series, column: pd.Series, default: Any) -> list[Any]:
    """Return the cell of a column, indexed by key, for each key; the default where there is none."""
    cells = column.to_dict()
    return [cells.get(key, default) for key in keys]


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as plain dictionaries, column to cell."""
    return [{str(name): cell for name, cell in row.items()} for row in frame.to_dict("records")]


def from_text(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Check a table whose cells are all text, as CSV gives them: "True" is true, "12" a number, "null" a word."""
    kinds = CONTRACTS[table].columns
    for name in [name for name in frame.columns if kinds.get(name) == "bool"]:
        if wrong := set(frame[name]) - {"True", "False"}:
            raise FrameError(f'Table {table}: column {name} holds "{wrong.pop()}", which is neither True nor False.')
        frame = frame.assign(**{name: frame[name] == "True"})
    return check(frame, table)


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Write a frame as CSV, one row a line."""
    return frame.to_csv(index=False, lineterminator="\n").encode()


def read_csv(data: bytes, where: object) -> pd.DataFrame:
    """Read CSV as text, every cell as it stands: *null* is a word. A first line that starts with `#` is passed over."""
    try:
        text = data.decode("utf-8-sig")
        body = text.partition("\n")[2] if text.startswith("#") else text
        lines = csv.reader(io.StringIO(body), strict=True)
        header = next(lines, [])
        rows_ = []
        for cells in lines:
            if cells and len(cells) != len(header):
                at = lines.line_num + (body is not text)
                raise FrameError(
                    f"{where}, line {at}: {len(cells)} cells, the header has {len(header)}; put quotes around commas."
                )
            rows_ += [cells] if cells else []
    except (UnicodeDecodeError, csv.Error) as error:
        raise FrameError(f"{where} is no CSV table: {error}") from error
    if not header:
        raise FrameError(f"{where} is empty; the first line must name the columns.")
    return pd.DataFrame(rows_, columns=header, dtype="str")
