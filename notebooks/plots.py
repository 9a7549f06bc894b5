"""Plots of the notebooks: axes with title and labels, shown inside the page."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd
from IPython.display import HTML

from docs.drawing import blank_axes, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ON, OFF, QUIET, OTHER = "#b3541e", "#2f6f8f", "#9a9a9a", "#6b8e4e"
"""Colors of all plots, as in the accuracy report: accepted or on the list, refused or off it, background, other."""

ENOUGH = 6
"""The number of months that a curve needs; with fewer, a notebook prints a message instead."""


def axes(title: str, x: str, y: str, width: float = 9, height: float = 3.6) -> Axes:
    """Return empty axes with title and labels, to draw on and pass to `plot`."""
    drawn = blank_axes(width, height)
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
        return as_html(f"<p><em>{title}: the puzzles on disk are too few for this plot.</em></p>")
    head, _, rest = svg(drawn).decode().partition("<metadata>")
    picture = head[head.index("<svg") :] + rest.partition("</metadata>")[2]
    return as_html(f'<figure class="bee-plot" role="img" aria-label="{title}">{picture}</figure>')


def stacked(shown: Iterable[HTML]) -> HTML:
    """Show several tables or plots, one below the other."""
    return as_html("\n".join(str(figure.data) for figure in shown))


def as_html(text: str) -> HTML:
    """Return HTML for a notebook to show."""
    return HTML(text)  # type: ignore[no-untyped-call]
