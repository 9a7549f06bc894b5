"""HTML tables: a frame as a table that can be sorted and searched, with columns described in `columns.csv`.

For each table that a notebook shows, `columns.csv` has its columns in order, how a cell is written, and what a column
means. The library itables makes the tables. It needs no network.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import itables
import pandas as pd
from IPython.display import HTML, display

from pipeline import store
from pipeline.errors import BeeError
from pipeline.tables import frames

FOLDER = Path(__file__).parent
LONG_TABLE = 12
"""A table with more rows has a search box."""
LONG_CELL = 30
"""A column with a longer cell may wrap, and has a minimum width."""
STYLE = """
.bee-table { --dt-html-background: var(--jp-layout-color0, var(--back)); font-size: .85rem; }
.bee-table figcaption { font-weight: 600; }
.bee-table div.dt-container div.dt-layout-row { margin: .2em 0; }
.bee-table div.dt-layout-table div.dt-layout-cell { max-height: 21em; overflow: auto; }
.bee-table table.dataTable tr { background: none; }
.bee-table table.dataTable :is(td, th) { vertical-align: top; white-space: nowrap; }
.bee-table table.dataTable :is(td, th):not(.dt-type-numeric) { text-align: left; }
.bee-table table.dataTable td.long { min-width: 11em; white-space: normal; }
.bee-table td.command, .bee-table pre { font-family: monospace; font-size: .8rem; }
.bee-table th, .bee-table td:first-child { position: sticky; background: var(--dt-html-background); }
.bee-table th { top: 0; z-index: 2; } .bee-table td:first-child { left: 0; z-index: 1; }
.bee-table sup { display: none; }
.bee-table pre { max-height: 28em; overflow: auto; white-space: pre-wrap; }
.bee-table dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em .9em; }
.bee-table dt { font-weight: 600; } .bee-table dd { margin: 0; }
.bee-plot svg { max-width: 100%; height: auto; background: #fff; filter: var(--plot-filter); }
[data-jp-theme-light="false"] { --plot-filter: invert(.9) hue-rotate(180deg); }
.bee-verdict small { opacity: .75; line-height: 1.3; display: block; white-space: normal; }
"""
"""What the library leaves open. It hides the mark that the library puts on a table where no script runs."""


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
    """Show a frame as a table of `columns.csv`: caption, a search box if it is long, rows, and what the columns mean.

    Columns that are empty in each row are left out. A column `command` looks like code. A notebook shows each table of
    `columns.csv` at most once.
    """
    title = html.escape(caption)
    selected = select_columns(frame, table)
    if frame.empty:
        return HTML(f'<p class="bee-none"><b>{title}</b>: none.</p>')
    columns = columns_of(table)
    names = [name for name in columns if name in selected]
    is_long = len(frame) > LONG_TABLE
    written = pd.DataFrame({name: selected[name].map(columns[name].written) for name in names}, dtype="str")
    grid = itables.to_html_datatable(
        written,
        table_id=f"bee-{table}",
        columnDefs=[_column_options(place, selected[name]) for place, name in enumerate(names)],
        classes="compact row-border",
        style="width:100%",
        layout={
            "topStart": "search" if is_long else None,
            "topEnd": "info" if is_long else None,
            "bottomStart": None,
            "bottomEnd": None,
        },
        language={"info": "_TOTAL_ rows", "infoFiltered": "of _MAX_", "infoEmpty": "0 rows"},
        autoWidth=False,
        paging=False,
        maxBytes=0,
        text_in_header_can_be_selected=False,
        display_logo_when_loading=False,
        connected=False,
    )
    meanings = explain_columns(table, names)
    return HTML(f'<figure class="bee-table"><figcaption>{title}</figcaption>{grid}{meanings}</figure>')


def _column_options(place: int, column: pd.Series) -> dict[str, Any]:
    """Return how the library sorts and shows the column at a place: numbers are on the right, long text may wrap."""
    if pd.api.types.is_numeric_dtype(column):
        return {"targets": place, "type": "num-fmt"}
    options = {"targets": place, "type": "string"}
    if column.name == "command":
        options["className"] = "command"
    elif column.str.len().max() > LONG_CELL:
        options["className"] = "long"
    return options


def explain_columns(table: str, names: Collection[str]) -> str:
    """Explain some columns of a table as HTML that opens on a click."""
    entries = [
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(column.meaning)}</dd>"
        for name, column in columns_of(table).items()
        if name in names
    ]
    return f"<details><summary>What the columns mean</summary><dl>{''.join(entries)}</dl></details>"


def as_text(text: str) -> HTML:
    """Show a text as it is, in a box that scrolls if the text is long."""
    return HTML(f'<div class="bee-table"><pre tabindex="0">{html.escape(text)}</pre></div>')


def with_code(message: str) -> str:
    """Write a message as HTML, with its commands as code.

    >>> with_code("`bee run` makes it.")
    '<code>bee run</code> makes it.'
    """
    return re.sub("`([^`]*)`", r"<code>\1</code>", html.escape(message))


def load_library() -> None:
    """Put into the output what all tables and plots of a notebook need: the library and some styles."""
    itables.init_notebook_mode(all_interactive=False, connected=False)
    display(HTML(f"<style>{STYLE}</style>"))
