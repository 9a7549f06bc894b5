"""One word: everything known about it, as HTML with plots: its trials by year, its relatives, and p with reasons."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import plots as show
import shown

from pipeline.opinions import why
from pipeline.words import LIKELY


def story(word: str, tables: Mapping[str, pd.DataFrame], veiled: Callable[[str], str] = str) -> str:
    """Describe a word as HTML from the tables of `why.why` and `trials`; `veiled` hides offensive words."""
    trail = why.why(word, tables)
    trials = tables["trials"][tables["trials"]["word"] == word]
    parts = [
        f"<h2>{html.escape(veiled(word))}: {trail['tier']}, by {trail['by']}</h2>",
        f"<p>{html.escape(veiled(trail['because']))}.</p>",
        _trials(word, trials, trail, veiled),
        _relatives(trail, veiled),
        _estimate(word, tables["estimates"], trail, veiled),
        _facts(trail, veiled),
    ]
    return "\n".join(parts)


def _trials(word: str, trials: pd.DataFrame, trail: why.Trail, veiled: Callable[[str], str]) -> str:
    """Draw the trials on disk, one bar per year: accepted above the line, refused below it."""
    if trials.empty:
        return "<p>It was not possible in any puzzle on disk.</p>" if trail["record"] else "<p>It was never tried.</p>"
    years = trials["date"].str[:4]
    span = [str(year) for year in range(int(years.min()), int(years.max()) + 1)]
    yes = years[trials["accepted"]].value_counts().reindex(span, fill_value=0)
    no = years[~trials["accepted"]].value_counts().reindex(span, fill_value=0)
    drawn = show.axes(f"Trials of {veiled(word)} by year: accepted above, refused below", "year", "puzzles", 9, 2.8)
    drawn.bar(span, yes, color=show.ON)
    drawn.bar(span, -no, color=show.OFF)
    drawn.axhline(0, color="black", linewidth=0.8)
    most = max(1, int(yes.max()), int(no.max()))
    drawn.set_ylim(-most - 0.5, most + 0.5)
    drawn.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    return str(show.plot(drawn).data)


def _relatives(trail: why.Trail, veiled: Callable[[str], str]) -> str:
    """Draw how often each tried relative was accepted."""
    known = trail["relatives"]
    if not known:
        return "<p>None of its relatives was ever tried.</p>"
    drawn = show.axes("Its relatives: share accepted", "accepted, %", "", 9, 0.9 + 0.32 * len(known))
    for at, other in enumerate(reversed(known)):
        share = 100 * other["accepted"] / other["offered"]
        drawn.barh(at, share, color=show.ON)
        drawn.text(share + 1, at, f"{other['accepted']} of {other['offered']}", va="center", fontsize=9)
    names = [f"{veiled(other['word'])} ({other['relation']})" for other in reversed(known)]
    drawn.set_yticks(range(len(known)), names)
    drawn.set_xlim(0, 115)
    drawn.set_xticks(range(0, 101, 20))
    return str(show.plot(drawn).data)


def _estimate(word: str, estimates: pd.DataFrame, trail: why.Trail, veiled: Callable[[str], str]) -> str:
    """Draw p among the p of all words, and name the reasons for it."""
    if trail["p"] is None:
        return "<p>It has no estimate.</p>"
    drawn = show.axes(f"p of {veiled(word)} among the p of all words", "p", "words", 9, 2.8)
    drawn.hist(estimates["p"], bins=50, range=(0, 1), color=show.QUIET, log=True)
    drawn.axvline(LIKELY, color="black", linestyle="--", linewidth=0.8)
    drawn.axvline(trail["p"], color=show.ON, linewidth=2.5)
    basis = f"p = {trail['p']:.2f}: {veiled(trail['basis'])}"
    rule = f"A word that was never tried is on the list if p is at least {LIKELY} (dashed line)."
    return f"{show.plot(drawn).data}<p>{html.escape(basis)}. {rule}</p>"


def _facts(trail: why.Trail, veiled: Callable[[str], str]) -> str:
    """Put the rest into a table: the record, flags, list entries and the verdict."""
    rows: list[tuple[str, str, Any]] = [
        ("record", key.replace("_", " "), cell) for key, cell in trail["record"].items()
    ]
    rows += [("flag", flag["flag"], f"{flag['severity']}: {flag['detail']}") for flag in trail["flags"]]
    rows += [("list", name, entry) for name, entry in trail["lists"].items()]
    rows += [("verdict", name, cell) for name, cell in trail["verdict"].items()]
    table = pd.DataFrame([(*entry, veiled(str(cell))) for *entry, cell in rows], columns=["kind", "what", "says"])
    return str(shown.as_table(table, "Record, flags, word lists and verdict", "facts").data)
