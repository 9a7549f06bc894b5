"""Frozen list: the list as it would have been made some months ago, compared with the current one and with the trials
since then. And how many words are on the current list, and how accurate it was."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import plots
from IPython.display import HTML
from notebook_data import NotebookData

from pipeline.measure import backtest, score
from pipeline.words import TIERS

MIN_PUZZLES = 400
"""The number of older puzzles that a frozen list needs."""
ACCURACY_COLUMNS = ["span", "days", "exact", "low", "high", "expected", "missing", "extra", "f1"]


@dataclass(frozen=True, slots=True)
class FrozenList:
    """The list of a cutoff: what was known before it, the words on the list, the trials since then, and a summary.

    With too few puzzles there is no list: `past` is None.
    """

    cutoff: str
    past: backtest.Snapshot | None
    listed: set[str]
    later_trials: pd.DataFrame
    summary: str

    @property
    def empty_text(self) -> str:
        """Return what stands in place of a table without rows."""
        return "none" if self.past else "not known"


def count_tiers(data: NotebookData) -> pd.DataFrame:
    """Count the words by tier and by what decided: columns tier, by, words."""
    tiers = data.decisions["tier"].astype(pd.CategoricalDtype(list(TIERS)))
    frame = data.decisions.groupby([tiers, "by"], observed=True).size().reset_index(name="words")
    return frame.astype({"tier": "str"})


def recent_accuracy(data: NotebookData) -> pd.DataFrame:
    """Return the accuracy on the last days, each scored before it was counted, by span."""
    return score.summarize_track(data.track).reindex(columns=ACCURACY_COLUMNS)


def freeze(data: NotebookData, months: int) -> FrozenList:
    """Make the list from the facts known some months before the newest puzzle, if there are enough older puzzles."""
    day_after = pd.Timestamp(data.puzzles["date"].max()) + pd.Timedelta(days=1)
    cutoff = str((day_after - pd.DateOffset(months=months)).date())
    if (data.puzzles["date"] < cutoff).sum() >= MIN_PUZZLES:
        return freeze_at(data, cutoff)
    summary = f"{len(data.puzzles)} puzzles on disk are too few to freeze a list {months} months ago."
    return FrozenList(cutoff, past=None, listed=set(), later_trials=_trials_since(data, cutoff), summary=summary)


def freeze_at(data: NotebookData, cutoff: str) -> FrozenList:
    """Make the list from the facts known before a date; raises BacktestError if there are none."""
    past = backtest.take_snapshot(_backtest_input(data), cutoff)
    listed = past.listed
    summary = f"Compared with the list as it would have been made on {cutoff}:"
    return FrozenList(cutoff, past, listed, _trials_since(data, cutoff), summary)


def _backtest_input(data: NotebookData) -> backtest.BacktestInput:
    return backtest.BacktestInput(data.lexicon, data.puzzles, data.answers, data.trials, data.offensive)


def _trials_since(data: NotebookData, cutoff: str) -> pd.DataFrame:
    """Return the trials from a date on, with the center of their puzzle."""
    return data.trials[data.trials["date"] >= cutoff].merge(data.puzzles[["date", "center"]], on="date")


def changes_since(data: NotebookData, frozen_list: FrozenList) -> pd.DataFrame:
    """Return the words that were added or removed since a list was frozen: columns word, change, cause, because."""
    changed = frozen_list.listed ^ data.listed if frozen_list.past else set()
    frame = data.decisions[data.decisions["word"].isin(changed)]
    change = frame["word"].isin(data.listed).map({True: "added", False: "removed"})
    tried = frame["word"].isin(frozen_list.later_trials["word"])
    cause = tried.map({True: "its own trial", False: "the record of others"})
    cause = cause.mask(frame["by"] == "verdict", "a person's verdict")
    frame = frame.assign(change=change, cause=cause)
    return data.censored(frame[["word", "change", "cause", "because"]].astype("str"), "word", "because")


def calibration(frozen_list: FrozenList) -> tuple[pd.DataFrame, str]:
    """Compare the estimates of a frozen list with later first trials: bins of p, and the accuracy in words."""
    if frozen_list.past is None:
        return pd.DataFrame(columns=["p", "words", "mean p", "accepted"]), frozen_list.summary
    first_trials = frozen_list.later_trials.sort_values("date").drop_duplicates("word")[["word", "accepted"]]
    unseen = frozen_list.past.estimates.merge(first_trials, on="word")
    bins = backtest.reliability(unseen).rename(columns={"mean_p": "mean p"}).astype({"p": "str"})
    accuracy = score.measure(score.compare(frozen_list.later_trials, frozen_list.listed))
    scores = f"F1 {accuracy['f1']:.4f}, exact {accuracy['exact']:.1%}"
    return bins, f"Frozen on {frozen_list.cutoff}, {accuracy['puzzles']} puzzles: {scores}."


def draw_calibration(bins: pd.DataFrame) -> HTML:
    """Draw the bins of `calibration`: mean p against the share accepted, with the number of words beside each dot."""
    axes = plots.new_axes("Estimates and later outcomes", "p, mean of the bin", "share accepted", width=5, height=5)
    axes.plot([0, 1], [0, 1], color=plots.NEUTRAL, linewidth=1)
    if len(bins):
        axes.scatter(bins["mean p"], bins["accepted"], s=bins["words"] ** 0.5 * 8, color=plots.ACCEPTED, alpha=0.8)
    for row in bins.to_dict("records"):
        dot = (row["mean p"], row["accepted"])
        axes.annotate(f"{row['words']:,}", dot, (9, -4), textcoords="offset points", fontsize=9)
    return plots.as_svg(axes, len(bins) > 0)
