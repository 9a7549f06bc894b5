"""One word: everything known about it, as HTML: a plot of its trials by year, and a table of all else."""

from __future__ import annotations

import html

import history
import html_tables
import pandas as pd
import plots
from notebook_data import NotebookData

from pipeline.opinions import why


def describe(word: str, data: NotebookData) -> str:
    """Describe a word as HTML."""
    trail = why.why(word, data.by_name())
    parts = [
        f"<h2>{html.escape(data.censor(word))}: {trail['tier']}, by {trail['by']}</h2>",
        f"<p>{html.escape(data.censor(trail['because']))}.</p>",
        _trials_html(trail, data),
        _facts_html(trail, data),
    ]
    return "\n".join(parts)


def _trials_html(trail: why.Trail, data: NotebookData) -> str:
    """Draw the trials on disk, by year."""
    trials = data.trials[data.trials["word"] == trail["word"]]
    if trials.empty:
        return "<p>It was not possible in any puzzle on disk.</p>" if trail["record"] else "<p>It was never tried.</p>"
    title = f"Trials of {data.censor(trail['word'])} by year"
    return str(plots.outcomes(title, "year", history.count_outcomes(trials, "Y")).data)


def _facts_html(trail: why.Trail, data: NotebookData) -> str:
    """Put the rest into a table: p with its reasons, the record, relatives, flags, list entries and the verdict."""
    rows = []
    if trail["p"] is not None:
        rows.append(("estimate", "p", f"{trail['p']:.2f}, {trail['basis']}"))
    rows += [("record", name.replace("_", " "), str(value)) for name, value in trail["record"].items()]
    for relative in trail["relatives"]:
        says = f"{relative['relation']}, accepted {relative['accepted']} of {relative['offered']} times"
        rows.append(("relative", relative["word"], says))
    rows += [("flag", flag["flag"], f"{flag['severity']}: {flag['detail']}") for flag in trail["flags"]]
    rows += [("list", name, str(entry)) for name, entry in trail["lists"].items()]
    rows += [("verdict", name, str(value)) for name, value in trail["verdict"].items()]
    table = data.censored(pd.DataFrame(rows, columns=["kind", "what", "says"]), "what", "says")
    return str(html_tables.as_table(table, "What is known about it", "facts").data)
