"""Plots of the notebooks: axes with title and labels, shown inside the page."""

from __future__ import annotations

import html
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

import pandas as pd
from IPython.display import HTML

from docs.drawing import blank_axes, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ACCEPTED, REFUSED, NEUTRAL, OTHER = "#b3541e", "#2f6f8f", "#9a9a9a", "#6b8e4e"
"""Colors of all plots, as in the accuracy report: accepted or on the list, refused or off it, background, other."""

MIN_PERIODS = 6
"""The number of months, or quarters, that a curve needs; with fewer, a notebook prints a message instead."""
FEW_PUZZLES = 200
"""With fewer puzzles, five numbers of answers share a bin, because the shares of single numbers would be noise."""


def new_axes(title: str, x_label: str, y_label: str, width: float = 9, height: float = 3.6) -> Axes:
    """Return empty axes with title and labels, to draw on and pass to `as_svg`."""
    axes = blank_axes(width, height)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    return axes


def as_svg(axes: Axes, enough: bool = True) -> HTML:
    """Show axes as SVG inside the page, with the title for screen readers, or a message if there is too little data."""
    title = html.escape(axes.get_title(loc="left"))
    if not enough:
        return HTML(f"<p><em>{title}: the puzzles on disk are too few for this plot.</em></p>")
    before_metadata, _, rest = svg(axes).decode().partition("<metadata>")
    start = before_metadata[before_metadata.index("<svg") :]
    end = rest.partition("</metadata>")[2]
    return HTML(f'<figure class="bee-plot" role="img" aria-label="{title}">{start}{end}</figure>')


def label_periods(axes: Axes, names: pd.Series) -> None:
    """Label the x axis, whose positions are 0, 1, 2 …, with at most a dozen of the periods."""
    step = max(1, -(-len(names) // 12))
    axes.set_xticks(range(0, len(names), step), list(names)[::step], rotation=45, ha="right")


def percent_axis(axes: Axes) -> None:
    """Make the x axis one of percentages, with room for a label behind the longest bar."""
    axes.set_xlim(0, 115)
    axes.set_xticks(range(0, 101, 20))


def legend_above(axes: Axes) -> None:
    """Add a legend in two columns above the right end of the plot."""
    axes.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1))


def monthly_curves(
    title: str, months: pd.Series, y_label: str, curves: Mapping[str, pd.Series], top: float | None = None
) -> HTML:
    """Draw curves by month, with a legend if there are several. The y axis starts at 0 and ends at `top`, if given."""
    axes = new_axes(f"{title}, by month", "month", y_label)
    for (name, values), color in zip(curves.items(), (ACCEPTED, OTHER, REFUSED), strict=False):
        axes.plot(range(len(months)), values, color=color, linewidth=2, label=name)
    axes.set_ylim(0, top)
    if len(curves) > 1:
        axes.legend(frameon=False, ncols=2, loc="upper left")
    label_periods(axes, months)
    return as_svg(axes, len(months) >= MIN_PERIODS)


def answer_counts(puzzle_figures: pd.DataFrame) -> HTML:
    """Draw how many answers the puzzles have, in bins of one answer, or of five with fewer than `FEW_PUZZLES`."""
    axes = new_axes("How many answers a puzzle has", "answers", "share of the puzzles, %")
    counts = puzzle_figures["words"]
    width = 5 if len(counts) < FEW_PUZZLES else 1
    shares = 100 * (counts // width * width).value_counts(normalize=True).sort_index()
    axes.bar(shares.index, shares, color=ACCEPTED, width=0.9 * width, align="edge")
    median = counts.median()
    axes.axvline(median, color="black", linestyle="--", linewidth=0.8)
    axes.set_ylim(0, 1.15 * shares.max())
    axes.text(median + 0.5, 1.07 * shares.max(), f"half of the puzzles have {median:.0f} or fewer")
    return as_svg(axes)


def letter_shares(shares: pd.DataFrame) -> HTML:
    """Draw the share of the puzzles that have each letter, as center and as outer letter."""
    axes = new_axes("Puzzles with a letter", "letter", "share of the puzzles, %")
    center, outer = 100 * shares["center"], 100 * shares["outer"]
    axes.bar(shares["letter"], center, color=ACCEPTED, label="as center")
    axes.bar(shares["letter"], outer, bottom=center, color=REFUSED, label="as outer letter")
    legend_above(axes)
    return as_svg(axes)


def debuts(months: pd.DataFrame) -> HTML:
    """Draw the debuts of each month, and how many of these words had been refused before."""
    axes = new_axes("Debuts among the answers, by month", "month", "share of the answers, %")
    axes.bar(months["period"], months["debuts"], color=OTHER, label="accepted for the first time")
    axes.bar(months["period"], months["turned"], color=ACCEPTED, label="of these, refused before")
    axes.legend(frameon=False)
    label_periods(axes, months["period"])
    return as_svg(axes, len(months) >= MIN_PERIODS)


def turns(quarters: pd.DataFrame) -> HTML:
    """Draw the words that changed sides in each quarter: accepted above the line, refused below it."""
    axes = new_axes("Words that changed sides, by quarter", "quarter", "words", height=4.2)
    bars_around_zero(
        axes,
        accepted=quarters[True],
        refused=quarters[False],
        accepted_label="accepted after a refusal",
        refused_label="refused after an acceptance",
    )
    legend_above(axes)
    label_periods(axes, pd.Series(quarters.index))
    return as_svg(axes, len(quarters) >= MIN_PERIODS)


def bars_around_zero(
    axes: Axes, accepted: pd.Series, refused: pd.Series, accepted_label: str = "", refused_label: str = ""
) -> None:
    """Draw a bar above the line for each number in `accepted`, and one below it for each number in `refused`."""
    axes.bar(accepted.index, accepted, color=ACCEPTED, label=accepted_label)
    axes.bar(refused.index, -refused, color=REFUSED, label=refused_label)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")


def trials_by_year(trials: pd.DataFrame, words: Collection[str], censor: Callable[[str], str]) -> HTML:
    """Draw the trials of some words by year: a filled dot accepted the word, a hollow one refused it."""
    axes = new_axes("Trials of the words that changed sides most often", "year", "", height=5)
    upwards = list(words)[::-1]
    for height, word in enumerate(upwards):
        of_word = trials[trials["word"] == word]
        dates = of_word["date"]
        years = dates.str[:4].astype(int) + (dates.str[5:7].astype(int) - 0.5) / 12
        axes.plot([years.min(), years.max()], [height, height], color="#dddddd", linewidth=1, zorder=0)
        accepted, refused = years[of_word["accepted"]], years[~of_word["accepted"]]
        axes.scatter(accepted, [height] * len(accepted), s=26, edgecolor=ACCEPTED, facecolor=ACCEPTED)
        axes.scatter(refused, [height] * len(refused), s=26, edgecolor=REFUSED, facecolor="white")
    axes.set_yticks(range(len(upwards)), [censor(word) for word in upwards])
    months = trials["date"].str[:7].nunique()
    return as_svg(axes, months >= MIN_PERIODS and len(upwards) > 0)
