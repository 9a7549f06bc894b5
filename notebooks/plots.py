"""Plots of the notebooks: axes with title and labels, shown inside the page."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pandas as pd
from IPython.display import HTML

from docs.accuracy import blank_axes, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ACCEPTED, REFUSED, OTHER = "#b3541e", "#2f6f8f", "#6b8e4e"
"""Colors of all plots, as in the accuracy report: accepted, refused, other."""

MIN_PERIODS = 6
"""The number of months, or quarters, that a curve needs; with fewer, a notebook prints a message instead."""


def new_axes(title: str, x_label: str, y_label: str, height: float = 3.6) -> Axes:
    """Return empty axes with title and labels, to draw on and pass to `as_svg`; the height is in inches."""
    axes = blank_axes(9, height)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    return axes


def as_svg(axes: Axes, enough: bool = True, about: str = "") -> HTML:
    """Show axes as SVG inside the page, below a text about them and with the title for screen readers.

    If there is too little data, a message replaces the text and the plot.
    """
    title = html.escape(axes.get_title(loc="left"))
    if not enough:
        return HTML(f"<p><em>{title}: the puzzles on disk are too few for this plot.</em></p>")
    before_metadata, _, rest = svg(axes).decode().partition("<metadata>")
    start = before_metadata[before_metadata.index("<svg") :]
    end = rest.partition("</metadata>")[2]
    text = f"<p>{html.escape(about)}</p>" if about else ""
    return HTML(f'{text}<figure class="bee-plot" role="img" aria-label="{title}">{start}{end}</figure>')


def label_periods(axes: Axes, names: pd.Series | pd.Index) -> None:
    """Label the x axis, whose positions are 0, 1, 2 …, with at most a dozen of the periods."""
    step = max(1, -(-len(names) // 12))
    axes.set_xticks(range(0, len(names), step), list(names)[::step], rotation=45, ha="right")


def new_days(days: pd.DataFrame) -> HTML:
    """Draw the missing and extra words of each day of `news.new_days`, oldest first. A question mark is a day without
    a score."""
    days = days.iloc[::-1].reset_index(drop=True)
    axes = new_axes("Missing and extra words, by day", "", "words", height=2)
    sides = [("missing", 1, ACCEPTED, "not on the list"), ("extra", -1, REFUSED, "refused")]
    for side, sign, color, meaning in sides:
        bars = axes.bar(days.index, sign * days[side], color=color, label=f"{side}: {meaning}")
        axes.bar_label(bars, [f"{number:g}" if number > 0 else "" for number in days[side]])
    unscored = days.index[days["missing"].isna()]
    if len(unscored):
        axes.scatter(unscored, [0.4] * len(unscored), marker="$?$", color=OTHER, label="no score")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.margins(y=0.2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.legend(frameon=False, ncols=3, loc="lower right", bbox_to_anchor=(1, 0.97))
    label_periods(axes, days["date"].str[5:])
    return as_svg(axes)


def answers_by_month(months: pd.DataFrame, about: str) -> HTML:
    """Draw the average number of answers of a puzzle in each month, with a text about it."""
    axes = new_axes("Answers of a puzzle, by month", "month", "answers, mean")
    axes.plot(range(len(months)), months["words"], color=ACCEPTED, linewidth=2)
    axes.set_ylim(0)
    label_periods(axes, months["period"])
    return as_svg(axes, len(months) >= MIN_PERIODS, about)


def debuts(months: pd.DataFrame, about: str) -> HTML:
    """Draw the debuts of each month, and how many of these words had been refused before, with a text about it."""
    axes = new_axes("Debuts among the answers, by month", "month", "share of the answers, %")
    axes.bar(months["period"], months["debuts"], color=OTHER, label="accepted for the first time")
    axes.bar(months["period"], months["turned"], color=ACCEPTED, label="of these, refused before")
    axes.legend(frameon=False)
    label_periods(axes, months["period"])
    return as_svg(axes, len(months) >= MIN_PERIODS, about)


def outcomes(title: str, x_label: str, counts: pd.DataFrame, enough: bool = True, about: str = "") -> HTML:
    """Draw the trials of each period from `history.count_outcomes`: accepted above the line, refused below it; with a
    text about them."""
    axes = new_axes(title, x_label, "trials")
    axes.bar(counts.index, counts[True], color=ACCEPTED, label="accepted")
    axes.bar(counts.index, -counts[False], color=REFUSED, label="refused")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.legend(frameon=False)
    label_periods(axes, counts.index)
    return as_svg(axes, enough, about)
