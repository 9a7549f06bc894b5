"""One word: everything known about it, as HTML with plots: its trials by year, its relatives, and p with reasons."""

from __future__ import annotations

import html

import html_tables
import pandas as pd
import plots
from notebook_data import NotebookData

from pipeline.opinions import why
from pipeline.words import LIKELY


def describe(word: str, data: NotebookData) -> str:
    """Describe a word as HTML."""
    trail = why.why(word, data.by_name())
    parts = [
        f"<h2>{html.escape(data.censor(word))}: {trail['tier']}, by {trail['by']}</h2>",
        f"<p>{html.escape(data.censor(trail['because']))}.</p>",
        _trials_html(trail, data),
        _relatives_html(trail, data),
        _estimate_html(trail, data),
        _facts_html(trail, data),
    ]
    return "\n".join(parts)


def _trials_html(trail: why.Trail, data: NotebookData) -> str:
    """Draw the trials on disk, one bar per year: accepted above the line, refused below it."""
    trials = data.trials[data.trials["word"] == trail["word"]]
    if trials.empty:
        return "<p>It was not possible in any puzzle on disk.</p>" if trail["record"] else "<p>It was never tried.</p>"
    years = trials["date"].str[:4]
    all_years = [str(year) for year in range(int(years.min()), int(years.max()) + 1)]
    accepted = years[trials["accepted"]].value_counts().reindex(all_years, fill_value=0)
    refused = years[~trials["accepted"]].value_counts().reindex(all_years, fill_value=0)
    title = f"Trials of {data.censor(trail['word'])} by year: accepted above, refused below"
    axes = plots.new_axes(title, "year", "puzzles", height=2.8)
    plots.bars_around_zero(axes, accepted, refused)
    limit = max(1, int(accepted.max()), int(refused.max())) + 0.5
    axes.set_ylim(-limit, limit)
    return str(plots.as_svg(axes).data)


def _relatives_html(trail: why.Trail, data: NotebookData) -> str:
    """Draw how often each tried relative was accepted."""
    if not trail["relatives"]:
        return "<p>None of its relatives was ever tried.</p>"
    upwards = trail["relatives"][::-1]
    axes = plots.new_axes("Its relatives: share accepted", "accepted, %", "", height=0.9 + 0.32 * len(upwards))
    for place, relative in enumerate(upwards):
        share = 100 * relative["accepted"] / relative["offered"]
        axes.barh(place, share, color=plots.ACCEPTED)
        label = f"{relative['accepted']} of {relative['offered']}"
        axes.text(share + 1, place, label, va="center", fontsize=9)
    names = [f"{data.censor(relative['word'])} ({relative['relation']})" for relative in upwards]
    axes.set_yticks(range(len(upwards)), names)
    plots.percent_axis(axes)
    return str(plots.as_svg(axes).data)


def _estimate_html(trail: why.Trail, data: NotebookData) -> str:
    """Draw p among the p of all words, and name the reasons for it."""
    if trail["p"] is None:
        return "<p>It has no estimate.</p>"
    title = f"p of {data.censor(trail['word'])} among the p of all words"
    axes = plots.new_axes(title, "p", "words", height=2.8)
    axes.hist(data.estimates["p"], bins=50, range=(0, 1), color=plots.NEUTRAL, log=True)
    axes.axvline(LIKELY, color="black", linestyle="--", linewidth=0.8)
    axes.axvline(trail["p"], color=plots.ACCEPTED, linewidth=2.5)
    basis = f"p = {trail['p']:.2f}: {data.censor(trail['basis'])}"
    rule = f"A word that was never tried is on the list if p is at least {LIKELY} (dashed line)."
    return f"{plots.as_svg(axes).data}<p>{html.escape(basis)}. {rule}</p>"


def _facts_html(trail: why.Trail, data: NotebookData) -> str:
    """Put the rest into a table: the record, flags, list entries and the verdict."""
    rows = [("record", name.replace("_", " "), str(value)) for name, value in trail["record"].items()]
    rows += [("flag", flag["flag"], f"{flag['severity']}: {flag['detail']}") for flag in trail["flags"]]
    rows += [("list", name, str(entry)) for name, entry in trail["lists"].items()]
    rows += [("verdict", name, str(value)) for name, value in trail["verdict"].items()]
    table = data.censored(pd.DataFrame(rows, columns=["kind", "what", "says"]), "says")
    return str(html_tables.as_table(table, "Record, flags, word lists and verdict", "facts").data)
