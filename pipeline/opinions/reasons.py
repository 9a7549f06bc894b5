"""Reasons as whole columns: does for the table `decisions` what `words.Reason` does for one word."""

from __future__ import annotations

from string import Formatter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.tables import columns
from pipeline.words import REASONS


def values(details: pd.Series, kind: str) -> list[pa.Array]:
    """Return the values of reasons of one kind: for each placeholder in its sentence, the text of every row."""
    count = REASONS[kind].count("{")
    parts = pc.split_pattern(columns.as_text(details), "|", max_splits=max(count - 1, 0))
    return [pc.list_element(parts, place) for place in range(count)]


def sentences(decided: pd.DataFrame) -> pd.Series:
    """Return the sentence of each reason, from the columns kind and details."""
    written: list[pa.Array] = []
    rows_written: list[columns.Numbers] = []
    for kind in decided["kind"].unique():
        rows = np.flatnonzero(decided["kind"] == kind)
        of_kind = values(decided["details"].iloc[rows], kind)
        parts: list[pa.Array | str] = []
        for text, place, _, _ in Formatter().parse(REASONS[kind]):
            parts.append(text)
            if place is not None:
                parts.append(of_kind[int(place)])
        parts.append(pa.array([""] * len(rows), pa.large_string()))  # a sentence without values also needs a column
        written.append(columns.join_texts(parts))
        rows_written.append(rows)
    if not written:
        return pd.Series(dtype="str")
    in_order = np.argsort(np.concatenate(rows_written))
    return pd.Series(pa.concat_arrays(written).take(pa.array(in_order)), decided.index, dtype="str")


def as_decided(estimates: pd.DataFrame, decisions: pd.DataFrame) -> pd.DataFrame:
    """Return the table `estimates` with the p and the basis that are in the decisions.

    These can differ from the given estimates, because the decisions also take into account other forms and spellings of
    a word, and the verdicts on them.
    """
    by_estimate = decisions[decisions["kind"] == "estimate"]
    decided_basis = pd.Series(values(by_estimate["details"], "estimate")[1], dtype="str").set_axis(by_estimate["word"])
    p = columns.look_up(estimates["word"], decisions.set_index("word")["p"], np.nan)
    basis = columns.look_up(estimates["word"], decided_basis, "")
    return estimates.assign(p=p.fillna(estimates["p"]), basis=basis.where(basis != "", estimates["basis"]))
