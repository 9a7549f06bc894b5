"""Frozen: the list as it would have been made some months ago, compared with the current one and with what came later.
And the counts and checks of the third notebook."""

from __future__ import annotations

from typing import NamedTuple

import families
import pandas as pd
import plots as show
from IPython.display import HTML
from opening import Opened

from pipeline.measure import backtest, score
from pipeline.words import TIERS

NEEDED = 400
"""The number of older puzzles that a frozen list needs."""
SPANS = ["span", "days", "exact", "low", "high", "expected", "missing", "extra", "f1"]


class Frozen(NamedTuple):
    """The list of a cutoff: what was known then, its words, and the trials since then; `said` says it in words.

    With too few puzzles there is no list: `known` is None.
    """

    cutoff: str
    known: backtest.Snapshot | None
    listed: set[str]
    later: pd.DataFrame
    said: str

    @property
    def none(self) -> str:
        """What stands in place of a table without rows."""
        return "none" if self.known else "not known"


def tiers(book: Opened) -> pd.DataFrame:
    """Count the words by tier and by what decided: columns tier, by, words."""
    frame = book["decisions"].groupby(["tier", "by"]).size().rename("words").reset_index()
    order = {tier: place for place, tier in enumerate(TIERS)}
    return frame.sort_values(["tier", "by"], key=lambda column: column.map(order) if column.name == "tier" else column)


def track(book: Opened) -> pd.DataFrame:
    """Return the accuracy on the last days, each scored before it was counted, by span."""
    return score.summarize_track(book["track"]).reindex(columns=SPANS)


def freeze(book: Opened, months: int) -> Frozen:
    """Make the list from the facts known some months before the newest puzzle, if there are enough older puzzles."""
    puzzles, trials = book["puzzles"], book["trials"]
    after = pd.Timestamp(puzzles["date"].max()) + pd.Timedelta(days=1) - pd.DateOffset(months=months)
    cutoff = str(after.date())
    later = trials[trials["date"] >= cutoff].merge(puzzles[["date", "center"]], on="date")
    if (puzzles["date"] < cutoff).sum() < NEEDED:
        few = f"{len(puzzles)} puzzles on disk are too few to freeze a list {months} months ago."
        return Frozen(cutoff, None, set(), later, few)
    known = backtest.take_snapshot(backtest.BacktestInput(**{name: book[name] for name in backtest.TABLES}), cutoff)
    return Frozen(cutoff, known, known.listed, later, f"Compared with the list as it would have been made on {cutoff}:")


def moved(book: Opened, frozen: Frozen) -> pd.DataFrame:
    """Return the words that were added or removed since a list was frozen: columns word, change, cause, because."""
    frame = book["decisions"]
    frame = frame[frame["word"].isin(frozen.listed ^ book.listed)] if frozen.known else frame.head(0)
    cause = frame["word"].isin(frozen.later["word"]).map({True: "its own trial", False: "the record of others"})
    frame = frame.assign(
        change=frame["word"].isin(book.listed).map({True: "added", False: "removed"}),
        cause=cause.mask(frame["by"] == "verdict", "a person's verdict"),
    )
    return frame[["word", "change", "cause", "because"]].astype("str").map(book.veiled)


def counted(moved: pd.DataFrame) -> pd.DataFrame:
    """Count `moved` words by change and cause."""
    return moved.groupby(["change", "cause"]).size().rename("words").reset_index()


def torn(book: Opened) -> pd.DataFrame:
    """Return the torn families, most often tried forms first: columns base, form, on, base by, form by, form tried,
    and p of the word that was never tried, if one was."""
    frame = families.torn(book["lexicon"], book["decisions"])
    frame = frame.rename(columns={"base_by": "base by", "form_by": "form by"})
    offered, p = book["evidence"].set_index("word")["offered"], untried(book)
    frame["form tried"] = frame["form"].map(offered).fillna(0).astype("int64")
    frame["p"] = frame["form"].map(p).fillna(frame["base"].map(p))
    frame = frame.sort_values(["form tried", "form"], ascending=[False, True])
    return frame.assign(base=frame["base"].map(book.veiled), form=frame["form"].map(book.veiled))


def torn_by_estimate(torn: pd.DataFrame) -> pd.DataFrame:
    """Return the `torn` pairs of which an estimate decided one word; the most certain estimates come first."""
    frame = torn[(torn["form by"] == "estimate") ^ (torn["base by"] == "estimate")]
    return frame.assign(far=(frame["p"] - 0.5).abs()).sort_values(["far", "form"], ascending=[False, True])


def untried(book: Opened) -> pd.Series:
    """Return p of the words that were never tried, by word."""
    estimates = book["estimates"]
    return estimates[~estimates["word"].isin(book["evidence"]["word"])].set_index("word")["p"]


def spellings(pairs: pd.DataFrame) -> pd.DataFrame:
    """Count pairs of variant and usual spelling by what differs; `accepted` is the share of the tried variants."""
    by_trial, by_p = (pairs[pairs["variant_by"] == by] for by in ("evidence", "estimate"))
    counts = {
        "pairs": pairs.groupby("differs").size(),
        "tried": by_trial.groupby("differs").size(),
        "untried on the list": by_p.groupby("differs")["variant_on"].sum(),
    }
    frame = pd.DataFrame(counts).fillna(0).astype("int64")
    frame["accepted"] = by_trial.groupby("differs")["variant_on"].mean()
    return frame.rename_axis("differs").reset_index().sort_values(["pairs", "differs"], ascending=[False, True])


def odd_variants(book: Opened, pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the variants on the list without a trial or without their usual spelling, least accepted kinds first."""
    odd = pairs[pairs["variant_on"] & ((pairs["variant_by"] == "estimate") | ~pairs["usual_on"])].copy()
    odd["p"] = odd["variant"].map(untried(book))
    odd["usual listed"] = odd["usual_on"].map({True: "yes", False: "no"})
    odd["kind accepted"] = odd["differs"].map(spellings(pairs).set_index("differs")["accepted"])
    odd = odd.sort_values(["kind accepted", "p", "variant"], na_position="last")
    return odd.assign(variant=odd["variant"].map(book.veiled), usual=odd["usual"].map(book.veiled))


def calibration(frozen: Frozen) -> tuple[pd.DataFrame, str]:
    """Compare the estimates of a frozen list with later first trials: bins of p, and the accuracy in words."""
    if frozen.known is None:
        return pd.DataFrame(columns=["p", "words", "mean p", "accepted"]), frozen.said
    first = frozen.later.sort_values("date").drop_duplicates("word")[["word", "accepted"]]
    bins = backtest.reliability(frozen.known.estimates.merge(first, on="word")).rename(columns={"mean_p": "mean p"})
    found = score.measure(score.compare(frozen.later, frozen.listed))
    said = f"Frozen on {frozen.cutoff}, {found['puzzles']} puzzles: F1 {found['f1']:.4f}, exact {found['exact']:.1%}."
    return bins.assign(p=bins["p"].astype("str")), said


def reliability(bins: pd.DataFrame) -> HTML:
    """Draw the bins of `calibration`: mean p against the share accepted, with the number of words beside each dot."""
    drawn = show.axes("Estimates and later outcomes", "p, mean of the bin", "share accepted", 5, 5)
    drawn.plot([0, 1], [0, 1], color=show.QUIET, linewidth=1)
    if len(bins):
        drawn.scatter(bins["mean p"], bins["accepted"], s=bins["words"] ** 0.5 * 8, color=show.ON, alpha=0.8)
    for row in bins.to_dict("records"):
        at = (row["mean p"], row["accepted"])
        drawn.annotate(f"{row['words']:,}", at, (9, -4), textcoords="offset points", fontsize=9)
    return show.plot(drawn, len(bins) > 0)
