"""One word: everything known about it, as HTML: a plot of its trials by year, and a table of all else."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import history
import html_tables
import pandas as pd
import plots
from notebook_data import NotebookData

from pipeline.review import why


def describe(word: str, data: NotebookData) -> str:
    """Describe a word as HTML."""
    details = why.details(word, data)
    record = why.row_of(data.record, word)
    parts = [
        f"<h2>{html.escape(data.censor(word))}: {details.get('tier', 'unknown')}</h2>",
        f"<p>{html.escape(data.censor(details.get('because', 'No list has it as a common word')))}.</p>",
        _trials_html(word, bool(record), data),
        _facts_html(word, record, details, data),
    ]
    return "\n".join(parts)


def _trials_html(word: str, is_tried: bool, data: NotebookData) -> str:
    """Draw the trials on disk, by year."""
    trials = data.trials[data.trials["word"] == word]
    if trials.empty:
        return f"<p>It was {'not possible in any puzzle on disk' if is_tried else 'never tried'}.</p>"
    title = f"Trials of {data.censor(word)} by year"
    return str(plots.outcomes(title, "year", history.count_outcomes(trials, "Y")).data)


def _facts_html(word: str, record: Mapping[str, Any], details: Mapping[str, Any], data: NotebookData) -> str:
    """Put the rest into a table: p, the record, relatives, flags, list entries and the verdict."""
    rows = [("estimate", "p", f"{details['p']:.2f}")] if "p" in details else []
    rows += [("record", name.replace("_", " "), str(value)) for name, value in record.items()]
    for relative in details["relatives"]:
        says = f"{relative['relation']}, accepted {relative['accepted']} of {relative['offered']} times"
        rows.append(("relative", relative["word"], says))
    flags = data.flags[data.flags["word"] == word]
    rows += [("flag", flag["flag"], f"{flag['severity']}: {flag['detail']}") for flag in flags.to_dict("records")]
    rows += [("list", name, str(entry)) for name, entry in details["lists"].items()]
    rows += [("verdict", name, str(value)) for name, value in why.row_of(data.verdicts, word).items()]
    table = data.censored(pd.DataFrame(rows, columns=["kind", "what", "says"]), "what", "says")
    return str(html_tables.as_table(table, "What is known about it", "facts").data)
