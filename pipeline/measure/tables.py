"""The long tables of the accuracy report, `docs/ACCURACY-TABLES.md`, and helpers that write tables."""

from __future__ import annotations

import pandas as pd

from pipeline.measure import backtest, score
from pipeline.measure.backtest import Backtest

COLUMNS = {
    "list": "list",
    "puzzles": "puzzles",
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "exact": "exact lists",
    "missing": "missing per puzzle",
    "extra": "extra per puzzle",
}

TEMPLATE = """# The tables behind the accuracy report

Made by `{command}`, together with [ACCURACY.md](ACCURACY.md), which explains the terms.

## All lists

{lists}

- *ours* is the bare list. The *solver* adds a marked guess where no listed word is a pangram.
- *folded daily* means that for a word that was tried since the list was frozen, the last trial decides. Nothing else is
  learned.
- *last verdict* lists the words that their last trial accepted. *last verdict + SCOWL 60* adds the untried words of
  SCOWL up to size 60. *ever accepted* lists the words that any trial accepted.
- The *ceiling* is the upper bound. It knows the outcome of every word that was never tried before.

## Folds

{folds}

## Months

{months}

## Center letters

{centers}

## How well kinds of records predict

For each kind of record, *promised* is the share of trials before {first} that agreed with the trial before them, and
*agreed* is the share from that date on.

{promised}

## What the flags predict

*tried* is the number of words with the flag that were ever tried, and *refused* the share of them that was refused. The
last two columns have the same figures for words that were never tried before their fold. A flag that predicts nothing
has severity *note* and only explains.

{flags}
"""


def tables(found: Backtest, flags: pd.DataFrame, promised: pd.DataFrame, command: str) -> str:
    """Write the long tables from a walk, `backtest.flag_shares` and `constancy.reliability`."""
    ours = found.trials[found.trials["list"] == "ours"]
    shares = flags.assign(refused=flags["refused"].map("{:.0%}".format))
    shares["refused_unseen"] = flags["refused_unseen"].map("{:.0%}".format, na_action="ignore").fillna("")
    shares["unseen"] = flags["unseen"].astype(int)
    parts = {
        by: markdown(figures(backtest.scores(ours, by).drop(columns="list"))) for by in ("fold", "month", "center")
    }
    return TEMPLATE.format(
        command=command,
        lists=markdown(figures(backtest.scores(found.trials))),
        folds=parts["fold"],
        months=parts["month"],
        centers=parts["center"],
        first=min(ours["fold"]),
        promised=markdown(
            promised.assign(**{name: promised[name].map("{:.2%}".format) for name in ("promised", "agreed")})
        ),
        flags=markdown(shares),
    )


def figures(frame: pd.DataFrame) -> pd.DataFrame:
    """Format the figures of `backtest.scores`: shares with four digits, the share of exact lists in percent."""
    shown = frame.rename(columns=COLUMNS)
    pairs = zip(frame["exact"].tolist(), frame["puzzles"].tolist(), strict=True)
    ends = [score.interval(exact, puzzles) for exact, puzzles in pairs]
    shown.insert(
        list(shown.columns).index("exact lists") + 1, "95% interval", [f"{low:.1%} to {high:.1%}" for low, high in ends]
    )
    shown["exact lists"] = shown["exact lists"].map("{:.1%}".format)
    for name in ("precision", "recall", "F1"):
        shown[name] = shown[name].map("{:.4f}".format)
    for name in ("missing per puzzle", "extra per puzzle"):
        shown[name] = shown[name].map("{:.2f}".format)
    return shown


def markdown(frame: pd.DataFrame) -> str:
    """Write a table as Markdown."""
    rows = [list(map(str, frame.columns)), ["---"] * len(frame.columns)]
    rows += [[str(cell) for cell in row] for row in frame.itertuples(index=False)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
