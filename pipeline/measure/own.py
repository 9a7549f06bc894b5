"""The value of each list of the user: the same backtest with and without it, on puzzles that neither had seen."""

from __future__ import annotations

import pandas as pd

from pipeline.facts.lists import OWN
from pipeline.facts.own_lists import names
from pipeline.measure import backtest
from pipeline.measure.backtest import BacktestError, Past, Tables
from pipeline.measure.score import sides
from pipeline.words import BeeError


def halfway(puzzles: pd.DataFrame) -> str:
    """Return the default start of scoring: a year before the last puzzle, or halfway through the puzzles on disk."""
    dates: list[str] = sorted(puzzles["date"].tolist())
    if not dates:
        raise BacktestError("There are no puzzles on disk; bee fetch imports them.")
    year = pd.Timestamp(dates[-1]) - pd.DateOffset(years=1)
    return max(str(year.date()), dates[len(dates) // 2])


def marginal(tables: Tables, cutoff: str, until: str = "") -> pd.DataFrame:
    """Measure each list of the user: learn before the cutoff with all lists, and again without this one.

    Columns: list, words (that only it has), puzzles, exact (with all lists), without (exact lists without it), gained
    and lost (puzzles that become exact, or stop being exact, with it), whole (exact lists if all its untried words were
    listed, whatever their p), came and went (words that it adds to the list, and removes from it). Raises BeeError if
    the user has no list.
    """
    lexicon, trials = tables["lexicon"], tables["trials"]
    if not (there := names(lexicon[OWN])):
        raise BeeError("There is no list of yours here; bee fetch --words FILE --name NAME and bee run bring one in.")
    later = trials[(trials["date"] >= cutoff) & ((trials["date"] < until) | (until == ""))]
    later = later.merge(tables["puzzles"][["date", "center"]], on="date")
    if later.empty:
        raise BacktestError(f"There are no puzzles on disk from {cutoff} on to score.")
    known = backtest.past(tables, cutoff)
    listed = _list(known, later)
    wrong = _wrong(later, listed)
    rows = []
    for name in there:
        own = lexicon[OWN].map(lambda cell, name=name: " ".join(each for each in cell.split() if each != name))
        less = backtest.past({**tables, "lexicon": lexicon.assign(**{OWN: own})}, cutoff)
        shorter = _list(less, later)
        wrong_without = _wrong(later, shorter)
        mine = set(lexicon["word"][lexicon[OWN].str.split().map(lambda cell, name=name: name in cell)])
        whole = listed | (mine - set(known.evidence["word"]))
        rows.append(
            {
                "list": name,
                "words": len(set(known.decisions["word"]) - set(less.decisions["word"])),
                "puzzles": (puzzles := later["date"].nunique()),
                "exact": puzzles - len(wrong),
                "without": puzzles - len(wrong_without),
                "gained": len(wrong_without - wrong),
                "lost": len(wrong - wrong_without),
                "whole": puzzles - len(_wrong(later, whole)),
                "came": len(listed - shorter),
                "went": len(shorter - listed),
            }
        )
    return pd.DataFrame(rows)


def _list(known: Past, later: pd.DataFrame) -> set[str]:
    return backtest.lists(known, later)["solver"]


def _wrong(later: pd.DataFrame, words: set[str]) -> set[str]:
    """Return the dates on which a list is not exact."""
    sided = sides(later, words)
    return set(sided["date"][sided["missing"] | sided["extra"]])
