"""The contract of every table: its columns, their types, its key. Every stage ends by checking its tables.

Types: `str` (never missing; "" means none), `int`, `float`, `bool`. Dates are ISO text, so they sort as dates. `check`
also orders the columns and sorts by key: the same rows always give the same bytes.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pipeline.tables import cells
from pipeline.violations import VIOLATIONS, Finding
from pipeline.words import COUNT, WORDS, count

_DTYPES = {"str": "str", "int": "int64", "float": "float64", "bool": "bool"}


LONG = 65_536
"""For shorter tables the speed of reading does not matter."""

FrameError = cells.TableError
"""A table broke its contract."""


@dataclasses.dataclass(frozen=True, slots=True)
class Contract:
    """The contract of a table: what one row means, its columns with their types in order, and the columns of its
    key."""

    says: str
    columns: dict[str, str]
    key: tuple[str, ...]


def _contract(says: str, key: str, columns: str) -> Contract:
    pairs = (column.partition(":") for column in columns.split())
    return Contract(says, {name: kind or "str" for name, _, kind in pairs}, tuple(key.split()))


CONTRACTS: dict[str, Contract] = {
    "receipts": _contract(
        "the origin and time of a capture",
        "source name",
        "source name url fetched_at status bytes:int sha256",
    ),
    "list_receipts": _contract(
        "the origin of a file of a user's list", "list file", "list file url fetched_at bytes:int sha256 license column"
    ),
    "requests": _contract(
        "a request for a day, and its result", "source date", "source date asked_at outcome etag modified"
    ),
    "puzzles": _contract("the letters of a day", "date", "date center outer source"),
    "answers": _contract("a word that was accepted on a day", "date word", "date word vouched:int"),
    "parsed": _contract("a day in a capture", "sha256 date", "sha256 date center outer answers refused"),
    "conflicts": _contract(
        "two sources differ on a day or a word",
        "date subject source_b",
        "date subject source_a source_b detail open:bool",
    ),
    "corrections": _contract(
        "a person's correction of a wrong day",
        "date reported",
        "source date reported listed lacking reason by",
    ),
    "admitted": _contract("a person admitted a day with this list", "date", "date letters answers by reason"),
    "reported": _contract(
        "the list of a source, of a day on which sources differ", "date source", "date source center outer answers"
    ),
    "versions": _contract(
        "the list of a source, of a day that is held or of whose words some wait; `words` are those that another list "
        "with these letters lacks, `surprise` is in bits, or empty without a forecast",
        "date source",
        "date source letters answers:int met:int surprise words",
    ),
    "waiting": _contract("a day, or a word of it, does not count yet", "date subject", "date subject kind detail"),
    "track": _contract(
        "the score of the list on a day, before that day was counted",
        "date",
        "date source witnesses:int answers:int missing:int extra:int exact:int expected:float surprise:float",
    ),
    "forecasts": _contract("p of a word without a record at the beginning of a month", "key word", "key word p:float"),
    "faults": _contract("a part of a capture that was not used", "rule subject detail", "rule subject detail"),
    "frequencies": _contract(
        "how often a word occurs in texts, in English and in the foreign language that uses it most",
        "word",
        "word zipf:float zipf_abroad:float language",
    ),
    "lexicon": _contract(
        "the entries of a word in the word lists",
        "word",
        "word scowl_size:int scowl_british:int scowl_variant:int scowl_variant_level:int scowl_upper:int "
        "scowl_name:int scowl_abbreviation:int scowl_special:int wordnet_pos wordnet_senses:int "
        "wordnet_tagged:int wordnet_capitalised:int wordnet_labels lemma cuss:int ldnoobw:bool "
        "own zipf:float zipf_abroad:float language",
    ),
    "lemmas": _contract(
        "the base of a word, how usual its spelling is, and whether it is a name",
        "word",
        "word scowl_size:int scowl_british:int scowl_variant_level:int scowl_upper:int scowl_name:int "
        "wordnet_senses:int wordnet_capitalised:int lemma zipf:float",
    ),
    "spellings": _contract(
        "an unusual spelling, the word of whose usual spelling it is a form, and the difference",
        "variant",
        "variant root differs",
    ),
    "chances": _contract("the probability of a word, without its basis", "word", "word p:float"),
    "model": _contract(
        "the weight of a column of the estimate, without and with the record of relatives",
        "name",
        "name attributes:float relatives:float usual:float",
    ),
    "rude": _contract("a word is not listed unless it was accepted", "word flag", "word flag"),
    "links": _contract("a form is derived from a base", "form base", "form:int base:int kind"),
    "sisters": _contract("two words may be forms of one stem", "form base", "form:int base:int"),
    "candidates": _contract("a word is considered", "word", "word mask:int known:bool"),
    "trials": _contract(
        "a word was possible on a day, and was accepted or not", "date word", "date word accepted:bool"
    ),
    "evidence": _contract(
        "the record of a word",
        "word",
        "word offered:int accepted:int first_accepted last_accepted last_rejected vouched:int",
    ),
    "flags": _contract("a rule matches a word", "word flag", "word flag severity detail"),
    "estimates": _contract(
        "the probability that a word is accepted the next time it is possible", "word", "word p:float basis kind"
    ),
    "verdicts": _contract("a person decided on a word", "word", "word verdict reason by on"),
    "offensive": _contract("a person graded how offensive a word is", "word", "word grade"),
    "grades": _contract("a grade with its reason", "word", "word grade reason by"),
    "decisions": _contract(
        "the tier of a word, with the reason as a sentence and as data", "word", "word tier by because kind details"
    ),
    "diffs": _contract("the list and the official answers differ", "date word", "date word side because"),
    "violations": _contract("a condition that must not occur", "rule subject detail", "rule subject severity detail"),
    "words": _contract(
        "words.csv of a release: a word, its tier and the reason",
        "word",
        " ".join(f"{name}:int" if cells == COUNT else name for name, cells in WORDS.items()),
    ),
    "release_flags": _contract(
        "flags.csv of a release: a rule matches a word", "word flag", "word flag severity detail"
    ),
    "dates": _contract("a date of the captures, and whether its list is final", "date", "date final:bool"),
    "news": _contract(
        "a word was missing from the list, or extra on it, on a day, before that day was counted",
        "date word",
        "date word side p:float surprise:float witnesses:int before waits",
    ),
}
CONTRACTS["strangers"] = dataclasses.replace(CONTRACTS["lexicon"], says="the frequencies of a word that is in no list")


def empty(table: str) -> pd.DataFrame:
    """Return a table without rows, with the columns of its contract."""
    kinds = CONTRACTS[table].columns
    return pd.DataFrame({name: pd.Series(dtype=_DTYPES[kind]) for name, kind in kinds.items()})


def check(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return the frame with the columns, types and order of its contract; raise FrameError if it breaks the
    contract."""
    frame, key = conform(frame, table), CONTRACTS[table].key
    if _increasing([frame[name] for name in key]):
        return frame.reset_index(drop=True)
    frame = frame.sort_values(list(key), ignore_index=True)
    if not _increasing([frame[name] for name in key]):
        twice = frame.duplicated(list(key))
        row = frame.loc[twice, list(key)].iloc[0].to_dict()
        raise FrameError(f"Table {table}: {count(int(twice.sum()), 'repeated key')}, the first is {row}.")
    return frame


def conform(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return the frame with the columns and types of its contract; raise FrameError for other columns or empty
    cells."""
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
            frame = frame.astype({name: _DTYPES[kind]}) if frame[name].dtype != _DTYPES[kind] else frame
        except (ValueError, TypeError, OverflowError) as error:
            raise FrameError(f"Table {table}: column {name} is not {kind} throughout ({error}).") from error
    return frame


def _increasing(key: Sequence[pd.Series]) -> bool:
    """Return whether each row is greater than the previous one, compared column by column."""
    greater = np.zeros(max(len(key[0]) - 1, 0), dtype=bool)
    same = ~greater
    for column in key:
        before, after = column.array[:-1], column.array[1:]
        greater |= same & np.asarray(after > before, dtype=bool)
        same &= np.asarray(after == before, dtype=bool)
    return bool(greater.all())


def from_rows(records: Iterable[Mapping[str, Any]], table: str) -> pd.DataFrame:
    """Make a table from rows and check it; no rows make an empty table."""
    listed = list(records)
    return check(pd.DataFrame(listed), table) if listed else empty(table)


def from_findings(findings: Iterable[Finding], table: str = "violations") -> pd.DataFrame:
    """Make the table `violations`, or `faults`, from findings, without duplicates."""
    rows_ = [
        {"rule": finding.rule, "subject": finding.subject, "detail": finding.detail}
        for finding in dict.fromkeys(findings)
    ]
    if table == "violations":
        rows_ = [row | {"severity": VIOLATIONS[row["rule"]].severity} for row in rows_]
    return from_rows(rows_, table)


def rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as plain dictionaries, column to cell."""
    names = [str(name) for name in frame.columns]
    return [
        dict(zip(names, cells, strict=True)) for cells in zip(*(frame[name].tolist() for name in frame), strict=True)
    ]


def from_text(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Check a table whose cells are all text, as in CSV: "True" is true, "12" a number, "null" a word."""
    kinds = CONTRACTS[table].columns
    for name in [name for name in frame.columns if kinds.get(name) == "bool"]:
        if wrong := set(frame[name]) - {"True", "False"}:
            raise FrameError(f'Table {table}: column {name} holds "{wrong.pop()}", which is neither True nor False.')
        frame = frame.assign(**{name: frame[name] == "True"})
    return check(frame, table)


def read_log(data: bytes, where: object, table: str) -> pd.DataFrame:
    """Read a table to which lines are appended: the last row of a key counts; an incomplete last line is ignored."""
    whole = cells.healed(data)
    if not whole:
        return empty(table)
    frame = read_csv(whole, where)
    if set(frame.columns) != set(CONTRACTS[table].columns):
        raise FrameError(f"{where} does not have the columns {', '.join(CONTRACTS[table].columns)}; restore the file.")
    return from_text(frame.drop_duplicates(list(CONTRACTS[table].key), keep="last"), table)


def csv_bytes(frame: pd.DataFrame) -> bytes:
    """Write a frame as CSV, one line per row."""
    from pipeline.tables import columns

    quick = columns.csv_bytes(frame)
    return quick if quick is not None else frame.to_csv(index=False, lineterminator="\n").encode()


def read_csv(data: bytes, where: object) -> pd.DataFrame:
    """Read CSV like `cells.table`, all cells text."""
    with contextlib.suppress(ImportError, UnicodeDecodeError):  # Arrow, which an export can do without, is much faster
        from pipeline.tables import columns

        text = data.decode("utf-8-sig")
        body = text.partition("\n")[2] if text.startswith("#") else text
        if len(body) >= LONG and (quick := columns.read_csv(body)) is not None:
            return quick
    header, found = cells.table(data, where)
    return pd.DataFrame(found, columns=header, dtype="str")


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as JSON values: text, numbers, true and false, and null for missing values."""
    values = frame.astype(object).where(frame.notna(), None)
    known = (bool, int, float, str, type(None))
    return [
        {str(name): cell if isinstance(cell, known) else str(cell) for name, cell in row.items()}
        for row in values.to_dict("records")
    ]
