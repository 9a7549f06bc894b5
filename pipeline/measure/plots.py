"""Show: tables and plots for the notebooks, as HTML that needs no network and always has the same bytes.

Tables have a filter, and a click on a column sorts them. Plots are SVG with their title as a label. Offensive words are
hidden unless the user asks for them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from pipeline.measure import drawing
from pipeline.tables import frames
from pipeline.words import OFFENSIVE, BeeError

if TYPE_CHECKING:
    from IPython.display import HTML
    from matplotlib.axes import Axes

ON, OFF, QUIET, OTHER = "#b3541e", "#2f6f8f", "#9a9a9a", "#6b8e4e"
"""Colors of all plots, as in the accuracy report: accepted or on the list, refused or off it, background, other."""

ENOUGH = 6
"""The number of months that a curve needs; with fewer, a notebook prints a message instead."""
LONG = 12
"""The number of rows from which on a table has a filter."""
WIDE = 30
"""The length of a cell from which on its column has a minimum width."""

FILTER = '<label>Filter <input type="search" oninput="beeFilter(this)"><span role="status"></span></label>'
NOTHING = '<tr><td colspan="99">Nothing to show here.</td></tr>'


def start() -> HTML:
    """Return what tables and plots need once per notebook: styles and the scripts for filtering and sorting."""
    here = Path(__file__).parent
    style, script = ((here / f"table.{kind}").read_text("utf-8") for kind in ("css", "js"))
    return _html(f"<style>\n{style}</style><script>\n{script}</script>")


def veil(flags: pd.DataFrame, show_offensive: bool) -> Callable[[str], str]:
    """Return a function that hides offensive words in a text (`l···`), or leaves the text unchanged."""
    hidden = set() if show_offensive else set(flags["word"][flags["flag"].isin(OFFENSIVE)])

    def veiled(word: re.Match[str]) -> str:
        return word[0][0] + "·" * (len(word[0]) - 1) if word[0] in hidden else word[0]

    return lambda text: re.sub("[a-z]+", veiled, text)


def as_table(
    frame: pd.DataFrame, caption: str, columns: Mapping[str, str], formats: Mapping[str, str] | None = None
) -> HTML:
    """Show a table with its caption, a filter if it is long, and a sentence on every column.

    `columns` explains each column of the frame and gives the order. `formats` are format strings by column. A cell that
    starts with `bee ` is a command. Raises BeeError if a column has no explanation.
    """
    if set(columns) != set(frame.columns):
        raise BeeError(f'The table "{caption}" must explain each of its columns: {", ".join(frame.columns)}.')
    kinds = {name: _kind(frame[name]) for name in columns}
    head = "".join(
        f'<th scope="col"{kind}><button onclick="beeSort(this)">{html.escape(name)}</button></th>'
        for name, kind in kinds.items()
    )
    written = {name: (formats or {}).get(name, "{}") for name in columns}
    body = "\n".join(
        f"<tr>{''.join(f'<td{kinds[name]}>{_cell(row[name], written[name])}</td>' for name in columns)}</tr>"
        for row in frames.rows(frame)
    )
    meaning = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in columns.items())
    title = html.escape(caption)
    return _html(
        f'<figure class="bee-table"><figcaption>{title}</figcaption>{FILTER if len(frame) > LONG else ""}'
        f'<div tabindex="0" role="region" aria-label="{title}"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body or NOTHING}</tbody></table></div><dl>{meaning}</dl></figure>"
    )


def _kind(column: pd.Series) -> str:
    if pd.api.types.is_numeric_dtype(column):
        return ' class="number"'
    return ' class="long"' if len(column) and column.str.len().max() > WIDE else ""


def _cell(value: Any, written: str) -> str:
    text = "" if pd.isna(value) else html.escape(written.format(value))
    return f"<code>{text}</code>" if text.startswith("bee ") else text


def axes(title: str, x: str, y: str, width: float = 9, height: float = 3.6) -> Axes:
    """Return empty axes with title and labels, to draw on and pass to `plot`."""
    drawn = drawing.axes(width, height)
    drawn.set_title(title, loc="left", fontsize=11)
    drawn.set_xlabel(x)
    drawn.set_ylabel(y)
    return drawn


def periods(drawn: Axes, names: pd.Series) -> None:
    """Label the x axis, whose positions are 0, 1, 2 …, with at most a dozen of the periods."""
    step = max(1, -(-len(names) // 12))
    drawn.set_xticks(range(0, len(names), step), list(names)[::step], rotation=45, ha="right")


def plot(drawn: Axes, enough: bool = True) -> HTML:
    """Show axes as SVG inside the page, with the title for screen readers, or a message if there is too little data."""
    title = html.escape(drawn.get_title(loc="left"))
    if not enough:
        return _html(f"<p><em>{title}: the puzzles on disk are too few for this plot.</em></p>")
    head, _, rest = drawing.svg(drawn).decode().partition("<metadata>")
    picture = head[head.index("<svg") :] + rest.partition("</metadata>")[2]
    return _html(f'<figure class="bee-plot" role="img" aria-label="{title}">{picture}</figure>')


def together(shown: Iterable[HTML]) -> HTML:
    """Show several tables or plots, one below the other."""
    return _html("\n".join(str(each.data) for each in shown))


def _html(text: str) -> HTML:
    try:
        from IPython.display import HTML
    except ImportError as error:
        raise BeeError("The notebooks need more: pip install 'bee-wordlist[notebooks]'.") from error
    return HTML(text)  # type: ignore[no-untyped-call]
