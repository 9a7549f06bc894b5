"""Plots of the notebooks: axes with title and labels, shown inside the page."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import pandas as pd
from IPython.display import HTML

from docs.drawing import blank_axes, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ON, OFF, QUIET, OTHER = "#b3541e", "#2f6f8f", "#9a9a9a", "#6b8e4e"
"""Colors of all plots, as in the accuracy report: accepted or on the list, refused or off it, background, other."""

ENOUGH = 6
"""The number of months, or quarters, that a curve needs; with fewer, a notebook prints a message instead."""


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


def by_month(title: str, months: pd.Series, y: str, curves: Mapping[str, pd.Series], top: float | None = None) -> HTML:
    """Draw curves by month, with a legend if there are several. The y axis starts at 0 and ends at `top`, if given."""
    drawn = axes(f"{title}, by month", "month", y)
    for (name, values), color in zip(curves.items(), (ON, OTHER, OFF), strict=False):
        drawn.plot(range(len(months)), values, color=color, linewidth=2, label=name)
    drawn.set_ylim(0, top)
    if len(curves) > 1:
        drawn.legend(frameon=False, ncols=2, loc="upper left")
    periods(drawn, months)
    return plot(drawn, len(months) >= ENOUGH)


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


def answers(measured: pd.DataFrame) -> HTML:
    """Draw how many answers the puzzles have, in bins of one answer, or of five with fewer than 200 puzzles."""
    drawn, width = axes("How many answers a puzzle has", "answers", "share of the puzzles, %"), 1
    if len(measured) < 200:
        width = 5
    shares = 100 * (measured["words"] // width * width).value_counts(normalize=True).sort_index()
    drawn.bar(shares.index, shares, color=ON, width=0.9 * width, align="edge")
    middle = measured["words"].median()
    drawn.axvline(middle, color="black", linestyle="--", linewidth=0.8)
    drawn.set_ylim(0, 1.15 * shares.max())
    drawn.text(middle + 0.5, 1.07 * shares.max(), f"half of the puzzles have {middle:.0f} or fewer")
    return plot(drawn)


def letters(shares: pd.DataFrame) -> HTML:
    """Draw the share of the puzzles that have each letter, as center and as outer letter."""
    drawn = axes("Puzzles with a letter", "letter", "share of the puzzles, %")
    drawn.bar(shares["letter"], 100 * shares["center"], color=ON, label="as center")
    drawn.bar(
        shares["letter"], 100 * shares["outer"], bottom=100 * shares["center"], color=OFF, label="as outer letter"
    )
    drawn.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
    return plot(drawn)


def debuts(months: pd.DataFrame) -> HTML:
    """Draw the debuts of each month, and how many of these words had been refused before."""
    drawn = axes("Debuts among the answers, by month", "month", "share of the answers, %")
    drawn.bar(months["period"], months["debuts"], color=OTHER, label="accepted for the first time")
    drawn.bar(months["period"], months["turned"], color=ON, label="of these, refused before")
    drawn.legend(frameon=False)
    periods(drawn, months["period"])
    return plot(drawn, len(months) >= ENOUGH)


def turns(quarters: pd.DataFrame) -> HTML:
    """Draw the words that changed sides in each quarter: accepted above the line, refused below it."""
    drawn = axes("Words that changed sides, by quarter", "quarter", "words", 9, 4.2)
    drawn.bar(quarters.index, quarters[True], color=ON, label="accepted after a refusal")
    drawn.bar(quarters.index, -quarters[False], color=OFF, label="refused after an acceptance")
    drawn.axhline(0, color="black", linewidth=0.8)
    drawn.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    drawn.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))
    periods(drawn, pd.Series(quarters.index))
    return plot(drawn, len(quarters) >= ENOUGH)


def restless(trials: pd.DataFrame, words: Iterable[str], veiled: Callable[[str], str]) -> HTML:
    """Draw the trials of some words by year: a filled dot accepted the word, a hollow one refused it."""
    names = list(words)[::-1]
    drawn = axes("Trials of the words that changed sides most often", "year", "", 9, 5)
    for place, word in enumerate(names):
        days = trials[trials["word"] == word]
        years = days["date"].str[:4].astype(int) + (days["date"].str[5:7].astype(int) - 0.5) / 12
        drawn.plot([years.min(), years.max()], [place, place], color="#dddddd", linewidth=1, zorder=0)
        for side, color, inside in ((True, ON, ON), (False, OFF, "white")):
            when = years[days["accepted"] == side]
            drawn.scatter(when, [place] * len(when), s=26, edgecolor=color, facecolor=inside)
    drawn.set_yticks(range(len(names)), [veiled(word) for word in names])
    return plot(drawn, trials["date"].str[:7].nunique() >= ENOUGH and bool(names))
