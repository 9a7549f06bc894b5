"""Looking: what each notebook starts from, tables without offensive words, and a plot that three of them have."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal

import itables
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.ticker import MaxNLocator
from matplotlib_inline.backend_inline import set_matplotlib_formats

from pipeline import run, store
from pipeline.run import Update
from pipeline.store import Workspace
from pipeline.words import OFFENSIVE

ACCEPTED, REFUSED, OTHER = "#b3541e", "#2f6f8f", "#6b8e4e"
"""Colors of all plots, as in the accuracy report. Color-blind readers can distinguish them."""


def load() -> tuple[Workspace, Update]:
    """Return the workspace that BEE_DATA names, or that of the checkout, and what a run makes of it; from now on, show
    frames as tables that sort and search.

    This takes a few seconds and writes nothing but the cache of the lexicon.
    """
    itables.init_notebook_mode(all_interactive=True, connected=False)
    itables.options.classes = "display compact"
    itables.options.style = "table-layout:auto;width:100%"
    itables.options.css = "table.dataTable :is(td, th):not(.dt-type-numeric) { text-align: left; }"
    itables.options.maxBytes = 0
    set_matplotlib_formats("svg")
    plt.rcParams |= {"figure.figsize": (9, 3), "axes.spines.top": False, "axes.spines.right": False}
    workspace = store.find_workspace()
    return workspace, run.update(workspace)


def offensive_words(made: Update) -> set[str]:
    """Return the words that have a grade, however mild."""
    return set(made.flags["word"][made.flags["flag"].isin(OFFENSIVE)])


def public(frame: pd.DataFrame, hidden: Collection[str]) -> pd.DataFrame:
    """Return a table as a public page may show it: without rows that name a hidden word, and with months instead of
    days, so that no page tells the answers of a day."""
    rows = [" ".join(map(str, row)).lower() for row in frame.itertuples(index=False)]
    is_shown = [set(hidden).isdisjoint(re.findall("[a-z]+", row)) for row in rows]
    shown = frame.loc[is_shown].reset_index(drop=True)
    return shown.replace(r"(\d{4}-\d\d)-\d\d", r"\1", regex=True)


def outcomes(trials: pd.DataFrame, period: Literal["Y", "Q"]) -> pd.DataFrame:
    """Count the accepted and the refused trials of each year or quarter."""
    periods = pd.to_datetime(trials["date"]).dt.to_period(period).astype("str")
    names = trials["accepted"].map({True: "accepted", False: "refused"})
    return pd.crosstab(periods, names).reindex(columns=["accepted", "refused"], fill_value=0)


def plot_sides(counts: pd.DataFrame, ylabel: str) -> None:
    """Draw the first column of a table above a line and the second one below it. The index has the periods."""
    above, below = counts
    axes = plt.subplots()[1]
    axes.bar(range(len(counts)), counts[above], color=ACCEPTED, label=above)
    axes.bar(range(len(counts)), -counts[below], color=REFUSED, label=below)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel(ylabel)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    step = 1 + len(counts) // 16
    axes.set_xticks(range(0, len(counts), step), counts.index[::step], rotation=45, ha="right")
    axes.legend(frameon=False)
    plt.show()
