"""HTML tables: a frame as a table whose columns are described in `columns.csv`.

For each table that a notebook shows, `columns.csv` has its columns in order, how a cell is written, and what a column
means.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from IPython.display import HTML

from pipeline import store
from pipeline.errors import BeeError
from pipeline.tables import frames

FOLDER = Path(__file__).parent
LONG_TABLE = 12
"""A table with more rows has a filter."""
LONG_CELL = 30
"""A column with a longer cell may wrap, and has a minimum width."""
FILTER = '<label>Filter <input type="search" oninput="beeFilter(this)"><span role="status"></span></label>'


@dataclass(frozen=True, slots=True)
class Column:
    """How a cell of a column is written, as a format string, and what the column means."""

    format: str
    meaning: str

    def written(self, cell: Any) -> str:
        """Write a cell; a missing value is an empty text."""
        return "" if pd.isna(cell) else self.format.format(cell)


@functools.cache
def columns_of(table: str) -> dict[str, Column]:
    """Return the columns of a table of `columns.csv` by name, in order; raises BeeError if there is no such table."""
    data = store.read_bytes(FOLDER / "columns.csv", "pip install")
    rows = frames.rows(frames.read_csv(data, "columns.csv"))
    columns = {row["column"]: Column(row["format"] or "{}", row["meaning"]) for row in rows if row["table"] == table}
    if not columns:
        raise BeeError(f'There is no table "{table}" in notebooks/columns.csv; describe each of its columns there.')
    return columns


def select_columns(frame: pd.DataFrame, table: str) -> pd.DataFrame:
    """Return the columns that `columns.csv` has for a table, in its order, without those that are empty in each row."""
    selected = frame[list(columns_of(table))]
    filled = (selected.notna() & (selected != "")).any()
    return selected.loc[:, filled].reset_index(drop=True)


def as_table(frame: pd.DataFrame, caption: str, table: str) -> HTML:
    """Show a frame as a table of `columns.csv`: caption, a filter if it is long, rows, and what the columns mean.

    Columns that are empty in each row are left out. A cell that starts with `bee ` is a command.
    """
    title = html.escape(caption)
    selected = select_columns(frame, table)
    if frame.empty:
        return HTML(f'<p class="bee-none"><b>{title}</b>: none.</p>')
    columns = columns_of(table)
    classes = {name: _class_attribute(selected[name]) for name in selected.columns}
    head = "".join(
        f'<th scope="col"{classes[name]}><button onclick="beeSort(this)">{html.escape(name)}</button></th>'
        for name in classes
    )
    lines = []
    for row in frames.rows(selected):
        cells = [f"<td{classes[name]}>{_cell(columns[name].written(row[name]))}</td>" for name in classes]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    body = "\n".join(lines)
    search = FILTER if len(frame) > LONG_TABLE else ""
    return HTML(
        f'<figure class="bee-table"><figcaption>{title}</figcaption>{search}'
        f'<div tabindex="0" role="region" aria-label="{title}"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>{explain_columns(table, classes)}</figure>"
    )


def explain_columns(table: str, names: Collection[str]) -> str:
    """Explain some columns of a table as HTML that opens on a click."""
    entries = [
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(column.meaning)}</dd>"
        for name, column in columns_of(table).items()
        if name in names
    ]
    return f"<details><summary>What the columns mean</summary><dl>{''.join(entries)}</dl></details>"


def _class_attribute(column: pd.Series) -> str:
    """Return the HTML attribute for the cells of a column: right-aligned numbers, or long text that may wrap."""
    if pd.api.types.is_numeric_dtype(column):
        return ' class="number"'
    return ' class="long"' if column.str.len().max() > LONG_CELL else ""


def _cell(text: str) -> str:
    return f"<code>{html.escape(text)}</code>" if text.startswith("bee ") else html.escape(text)


def as_text(text: str) -> HTML:
    """Show a text as it is, in a box that scrolls if the text is long."""
    box = f'<div tabindex="0" role="region" aria-label="Text"><pre>{html.escape(text)}</pre></div>'
    return HTML(f'<figure class="bee-table">{box}</figure>')


def with_code(message: str) -> str:
    """Write a message as HTML, with its commands as code.

    >>> with_code("`bee run` makes it.")
    '<code>bee run</code> makes it.'
    """
    return re.sub("`([^`]*)`", r"<code>\1</code>", html.escape(message))


def styles_and_scripts() -> HTML:
    """Return what tables and plots need once per notebook: styles, and the scripts for filtering and sorting."""
    style = store.read_bytes(FOLDER / "table.css", "pip install").decode()
    script = store.read_bytes(FOLDER / "table.js", "pip install").decode()
    return HTML(f"<style>\n{style}</style><script>\n{script}</script>")
