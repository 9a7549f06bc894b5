"""One word: everything known about it, as HTML: a plot of its trials by year, and a table of all else."""

from __future__ import annotations

import html

import history
import html_tables
import pandas as pd
import plots
from notebook_data import NotebookData

from pipeline.opinions import why
from pipeline.words import Explanation


def describe(word: str, data: NotebookData) -> str:
    """Describe a word as HTML."""
    explanation = why.explain(word, data)
    parts = [
        f"<h2>{html.escape(data.censor(word))}: {explanation.tier}, by {explanation.by}</h2>",
        f"<p>{html.escape(data.censor(explanation.because))}.</p>",
        _trials_html(explanation, data),
        _facts_html(explanation, data),
    ]
    return "\n".join(parts)


def _trials_html(explanation: Explanation, data: NotebookData) -> str:
    """Draw the trials on disk, by year."""
    trials = data.trials[data.trials["word"] == explanation.word]
    if trials.empty:
        return f"<p>It was {'not possible in any puzzle on disk' if explanation.record else 'never tried'}.</p>"
    title = f"Trials of {data.censor(explanation.word)} by year"
    return str(plots.outcomes(title, "year", history.count_outcomes(trials, "Y")).data)


def _facts_html(explanation: Explanation, data: NotebookData) -> str:
    """Put the rest into a table: p with its reasons, the record, relatives, flags, list entries and the verdict."""
    rows = []
    if explanation.p is not None:
        rows.append(("estimate", "p", f"{explanation.p:.2f}, {explanation.basis}"))
    rows += [("record", name.replace("_", " "), str(value)) for name, value in explanation.record.items()]
    for relative in explanation.relatives:
        says = f"{relative['relation']}, accepted {relative['accepted']} of {relative['offered']} times"
        rows.append(("relative", relative["word"], says))
    rows += [("flag", flag["flag"], f"{flag['severity']}: {flag['detail']}") for flag in explanation.flags]
    rows += [("list", name, str(entry)) for name, entry in explanation.lists.items()]
    rows += [("verdict", name, str(value)) for name, value in explanation.verdict.items()]
    table = data.censored(pd.DataFrame(rows, columns=["kind", "what", "says"]), "what", "says")
    return str(html_tables.as_table(table, "What is known about it", "facts").data)
