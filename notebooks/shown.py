"""Shown tables: a frame as an HTML table, with the order, the formats and the meaning of its columns from a contract.

`columns.csv` is the contract of each table that a notebook shows: its columns in order, how a number is written, and
what a column means.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd
import plots as show

from pipeline import store
from pipeline.tables import frames
from pipeline.words import OFFENSIVE, BeeError

if TYPE_CHECKING:
    from IPython.display import HTML

HERE = Path(__file__).parent
LONG = 12
"""The number of rows from which on a table has a filter."""
_WIDE = 30
"""The length of a cell from which on its column may wrap, and has a minimum width."""
_FILTER = '<label>Filter <input type="search" oninput="beeFilter(this)"><span role="status"></span></label>'


class Column(NamedTuple):
    """How a column is written, as a format string, and what it means."""

    format: str
    meaning: str


@functools.cache
def contract(table: str) -> dict[str, Column]:
    """Return the columns of a shown table by name, in order; raises BeeError for a table without a contract."""
    rows = frames.rows(frames.read_csv(store.read_bytes(HERE / "columns.csv", "pip install"), "columns.csv"))
    found = {row["column"]: Column(row["format"] or "{}", row["meaning"]) for row in rows if row["table"] == table}
    if not found:
        raise BeeError(f'There is no table "{table}" in notebooks/columns.csv; describe each of its columns there.')
    return found


def fitted(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return the columns of a frame that the contract of a table has, in its order, without those that are empty in
    each row. Raises BeeError if a column is absent."""
    names = list(contract(table))
    if absent := [name for name in names if name not in frame.columns]:
        raise BeeError(f'The table "{table}" has no column {", ".join(absent)}; notebooks/columns.csv says it has.')
    filled = [name for name in names if frame[name].notna().any() and (frame[name] != "").any()]
    return frame[filled].reset_index(drop=True)


def written(value: Any, column: Column) -> str:
    """Write a cell as its column says; a missing value is an empty text."""
    return "" if pd.isna(value) else column.format.format(value)


def as_table(frame: pd.DataFrame, caption: str, table: str, none: str = "none") -> HTML:
    """Show a frame as the table of a contract: caption, a filter if it is long, rows, and what the columns mean.

    Columns that are empty in each row are left out; without rows there is the caption and `none`. A cell that starts
    with `bee ` is a command. Raises BeeError if the frame has not the columns of the contract.
    """
    shown, columns, title = fitted(frame, table), contract(table), html.escape(caption)
    if frame.empty:
        return show.as_html(f'<p class="bee-none"><b>{title}</b>: {none}.</p>')
    kinds = {name: _kind(shown[name]) for name in shown.columns}
    head = "".join(
        f'<th scope="col"{kind}><button onclick="beeSort(this)">{html.escape(name)}</button></th>'
        for name, kind in kinds.items()
    )
    body = "\n".join(
        f"<tr>{''.join(f'<td{kinds[name]}>{_cell(written(row[name], columns[name]))}</td>' for name in kinds)}</tr>"
        for row in frames.rows(shown)
    )
    return show.as_html(
        f'<figure class="bee-table"><figcaption>{title}</figcaption>{_FILTER if len(frame) > LONG else ""}'
        f'<div tabindex="0" role="region" aria-label="{title}"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>{meaning(table, kinds)}</figure>"
    )


def meaning(table: str, names: Any) -> str:
    """Explain columns of a table as HTML that opens on a click."""
    rows = ((name, column.meaning) for name, column in contract(table).items() if name in names)
    told = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in rows)
    return f"<details><summary>What the columns mean</summary><dl>{told}</dl></details>"


def _kind(column: pd.Series) -> str:
    if pd.api.types.is_numeric_dtype(column):
        return ' class="number"'
    return ' class="long"' if column.str.len().max() > _WIDE else ""


def _cell(text: str) -> str:
    return f"<code>{html.escape(text)}</code>" if text.startswith("bee ") else html.escape(text)


def as_text(text: str) -> HTML:
    """Show a text as it is, in a box that scrolls if the text is long."""
    box = f'<div tabindex="0" role="region" aria-label="Text"><pre>{html.escape(text)}</pre></div>'
    return show.as_html(f'<figure class="bee-table">{box}</figure>')


def page_parts() -> HTML:
    """Return what tables and plots need once per notebook: styles and the scripts for filtering and sorting."""
    style, script = (store.read_bytes(HERE / f"table.{kind}", "pip install").decode() for kind in ("css", "js"))
    return show.as_html(f"<style>\n{style}</style><script>\n{script}</script>")


def veil(flags: pd.DataFrame, show_offensive: bool) -> Callable[[str], str]:
    """Return a function that hides offensive words in a text (`l···`), or leaves the text unchanged."""
    hidden = set() if show_offensive else set(flags["word"][flags["flag"].isin(OFFENSIVE)])

    def veiled(word: re.Match[str]) -> str:
        return word[0][0] + "·" * (len(word[0]) - 1) if word[0] in hidden else word[0]

    return lambda text: re.sub("[a-z]+", veiled, text)
