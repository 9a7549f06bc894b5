"""Show: tables and plots for the notebooks, as HTML that needs no network and is the same bytes every time.

Tables have a filter and sort by a click on a column; plots are SVG with their title as a label. A word
of the offensive axis is veiled wherever it is shown, unless asked for.
"""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from pipeline import frames
from pipeline.flag import OFFENSIVE
from pipeline.words import BeeError

if TYPE_CHECKING:
    from IPython.display import HTML
    from matplotlib.axes import Axes

ON, OFF, QUIET, OTHER = "#b3541e", "#2f6f8f", "#9a9a9a", "#6b8e4e"
"""Colours of all plots, those of the accuracy report: accepted or on the list, refused or off it, background, more."""

ENOUGH = 6
"""Months that make a curve; with fewer of them a notebook says so instead of drawing."""
LONG = 12
"""Rows from which on a table has a filter."""
WIDE = 30
"""Letters in a cell from which on its column is kept from being squeezed."""

STYLE = """<style>
.bee-table { margin: 1em 0; font-size: .9rem; }
.bee-table > div { max-height: 28em; overflow: auto; border: 1px solid #ddd; }
.bee-table table { margin: 0; border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.bee-table figcaption { text-align: left; font-weight: 600; padding: .3em 0; }
.bee-table th, .bee-table td { text-align: left; padding: .25em .7em; border-bottom: 1px solid #eee;
  vertical-align: top; }
.bee-table td.number, .bee-table th.number { text-align: right; }
.bee-table thead th { position: sticky; top: 0; z-index: 1; background: #f4f1ec; white-space: nowrap; }
.bee-table button { all: unset; cursor: pointer; font-weight: 600; }
.bee-table button:focus-visible { outline: 2px solid; }
.bee-table thead th[aria-sort=ascending]::after { content: " \\25B4"; }
.bee-table thead th[aria-sort=descending]::after { content: " \\25BE"; }
.bee-table input { margin: .3em 0; padding: .25em .5em; width: 16em; max-width: 100%; }
.bee-table dl { margin: .6em 0; display: grid; grid-template-columns: max-content 1fr; gap: .1em .9em; }
.bee-table dt { font-weight: 600; } .bee-table dd { margin: 0; }
.bee-table td.long { min-width: 15em; } .bee-table code { white-space: nowrap; }
.bee-table td:first-child { position: sticky; left: 0; background: #fff; }
@media (max-width: 45rem) { .bee-table table { width: max-content; } .bee-table td { max-width: 16em; } }
.bee-plot { margin: 1em 0; } .bee-plot svg { max-width: 100%; height: auto; }
</style>"""

SCRIPT = """<script>
function beeFilter(box) {
  const wanted = box.value.toLowerCase().split(/\\s+/);
  const rows = box.closest(".bee-table").querySelectorAll("tbody tr");
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !wanted.every(part => text.includes(part));
    shown += !row.hidden;
  }
  box.nextElementSibling.textContent = " " + shown + " of " + rows.length + " rows";
}
function beeSort(button) {
  const head = button.parentNode, at = head.cellIndex, body = head.closest("table").tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = row => row.cells[at].textContent;
  const number = row => parseFloat(text(row).replace(/,/g, "")) || 0;
  const order = head.className === "number"
    ? (a, b) => number(a) - number(b) : (a, b) => text(a).localeCompare(text(b), "en");
  body.append(...[...body.rows].sort((a, b) => up ? order(a, b) : order(b, a)));
}
</script>"""

FILTER = '<label>Filter <input type="search" oninput="beeFilter(this)"><span role="status"></span></label>'
NOTHING = '<tr><td colspan="99">Nothing to show here.</td></tr>'


def start() -> HTML:
    """Return what tables and plots need once a notebook: styles, the filter and the sorting."""
    return _html(STYLE + SCRIPT)


def veil(flags: pd.DataFrame, show_offensive: bool) -> Callable[[str], str]:
    """Return a function that veils the words of the offensive axis (`l···`), or no word when they are asked for."""
    hidden = set() if show_offensive else set(flags["word"][flags["flag"].isin(OFFENSIVE)])
    return lambda word: word[0] + "·" * (len(word) - 1) if word in hidden else word


def table(
    frame: pd.DataFrame, caption: str, columns: Mapping[str, str], formats: Mapping[str, str] | None = None
) -> HTML:
    """Show a table with its caption, a filter when it is long, and a sentence on every column.

    `columns` explains each column of the frame, and its order is theirs; `formats` are format strings by column; a cell
    that starts with `bee ` is a command. Raises BeeError when a column has no explanation, for a figure that nobody
    explains says nothing.
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
    """Return empty axes with title and labels, to be drawn on and handed to `plot`."""
    try:
        import matplotlib
    except ImportError as error:
        raise BeeError("Plots need matplotlib: pip install 'bee-wordlist[curate]'.") from error
    matplotlib.rcParams |= {"svg.hashsalt": "bee", "svg.fonttype": "none", "font.family": "sans-serif"}
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(width, height), layout="constrained").subplots()
    drawn.spines[["top", "right"]].set_visible(False)
    drawn.set_title(title, loc="left", fontsize=11)
    drawn.set_xlabel(x)
    drawn.set_ylabel(y)
    return drawn


def periods(drawn: Axes, names: pd.Series) -> None:
    """Label the x axis, whose positions are 0, 1, 2 …, with at most a dozen of the periods."""
    step = max(1, -(-len(names) // 12))
    drawn.set_xticks(range(0, len(names), step), list(names)[::step], rotation=45, ha="right")


def plot(drawn: Axes, enough: bool = True) -> HTML:
    """Show axes as SVG inside the page, its title for screen readers too; or say that there was not enough to draw."""
    title = html.escape(drawn.get_title(loc="left"))
    if not enough:
        return _html(f"<p><em>{title}: the puzzles on disk are too few for this plot.</em></p>")
    buffer = io.StringIO()
    drawn.figure.savefig(buffer, format="svg", metadata={"Date": None})  # type: ignore[union-attr]
    head, _, rest = buffer.getvalue().partition("<metadata>")
    picture = head[head.index("<svg") :] + rest.partition("</metadata>")[2]
    return _html(f'<figure class="bee-plot" role="img" aria-label="{title}">{picture}</figure>')


def _html(text: str) -> HTML:
    try:
        from IPython.display import HTML
    except ImportError as error:
        raise BeeError("The notebooks need more: pip install 'bee-wordlist[notebooks]'.") from error
    return HTML(text)  # type: ignore[no-untyped-call]
