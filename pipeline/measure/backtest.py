"""Backtest: measures how accurate the list would have been on puzzles that it had not seen.

All opinions are computed again from facts before a cutoff, the list is frozen, and the later puzzles score it. A word
that is in the tables only because of later answers is removed, because it was not known before the cutoff.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pandas as pd

from pipeline import solver
from pipeline.errors import BeeError
from pipeline.facts import grades
from pipeline.facts import record as records
from pipeline.facts.lexicon import is_common, is_in_a_list
from pipeline.measure import score
from pipeline.opinions import decide, estimate_untried, flag
from pipeline.tables import columns, frames
from pipeline.words import LISTED, UNSAFE_FLAGS, count

OURS, WITH_GUESSES = "this list without guesses", "this list with guesses"
DAILY = "this list with guesses, updated daily"
LAST_TRIAL, EVER_ACCEPTED = "simple rule: the last trial", "simple rule: ever accepted"
UPPER_BOUND = "upper bound"
SCOWL = {size: f"{LAST_TRIAL}, else SCOWL up to size {size}" for size in (35, 50, 60)}
"""The names of the lists, the same in every table and plot."""
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class BacktestInput:
    """The tables that a backtest learns from and scores with, by their names in `frames`."""

    lexicon: pd.DataFrame
    forms: pd.DataFrame
    puzzles: pd.DataFrame
    answers: pd.DataFrame
    trials: pd.DataFrame
    grades: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The facts that were known before a cutoff, and the opinions that follow from them."""

    lexicon: pd.DataFrame
    record: pd.DataFrame
    flags: pd.DataFrame
    estimates: pd.DataFrame
    decisions: pd.DataFrame

    @property
    def listed(self) -> set[str]:
        """The words of the list, without guesses."""
        return set(self.decisions["word"][columns.is_in(self.decisions["tier"], LISTED)])


def take_snapshot(data: BacktestInput, cutoff: str) -> Snapshot:
    """Return all opinions that follow from the facts before a cutoff. Verdicts and the opinions of readers are left
    out, because they may be later. Grades are included, because they do not depend on what the editor accepts."""
    answers = data.answers[data.answers["date"] < cutoff]
    accepted = set(answers["word"])
    lexicon = data.lexicon.assign(opinion="")
    was_known = is_in_a_list(lexicon) | columns.is_in(lexicon["word"], accepted)
    lexicon = lexicon[was_known].reset_index(drop=True)
    candidates = accepted | set(lexicon["word"][is_common(lexicon)])
    trials = data.trials[data.trials["date"] < cutoff]
    trials = trials[columns.is_in(trials["word"], candidates)]
    if trials.empty:
        raise BeeError(f"There are no trials before {cutoff} to learn from.")
    record = records.tally(trials)
    offensive_words = grades.offensive_words(lexicon, data.forms, data.grades)
    flags = flag.flag(lexicon, offensive_words)
    words = pd.Series(sorted(candidates))
    estimate_input = estimate_untried.estimate_input(lexicon, data.forms, record, offensive_words)
    estimates = estimate_untried.estimate_and_share(estimate_input, estimate_untried.fit(estimate_input), words)
    decisions = decide.decide(record, estimates, offensive_words, frames.empty("verdicts"), lexicon)
    return Snapshot(lexicon, record, flags, estimates, decisions)


def trials_since(data: BacktestInput, cutoff: str, until: str = "") -> pd.DataFrame:
    """Return the trials from a cutoff to before `until`, or to the last trial: columns date, word, accepted, center."""
    trials = data.trials[data.trials["date"] >= cutoff]
    if until:
        trials = trials[trials["date"] < until]
    return trials.merge(data.puzzles[["date", "center"]], on="date")


def lists(snapshot: Snapshot, later: pd.DataFrame) -> dict[str, set[str]]:
    """Return the lists to compare: ours with and without guesses, the simple rules, and the upper bound.

    The guesses are those of the solver for every letter set that has no listed pangram. The upper bound knows the
    majority of the `later` trials of every word that was not tried before the cutoff.
    """
    record = snapshot.record
    accepted_last = set(record["word"][record["last_accepted"] > record["last_refused"]])
    untried = snapshot.lexicon[~columns.is_in(snapshot.lexicon["word"], record["word"])]
    share_accepted = later[~columns.is_in(later["word"], record["word"])].groupby("word")["accepted"].mean()
    by_rule = {
        WITH_GUESSES: _with_guesses(snapshot),
        OURS: snapshot.listed,
        EVER_ACCEPTED: set(record["word"][record["accepted"] > 0]),
        LAST_TRIAL: accepted_last,
    }
    for size, name in SCOWL.items():
        by_rule[name] = accepted_last | set(untried["word"][untried["scowl_size"] <= size])
    by_rule[UPPER_BOUND] = accepted_last | set(share_accepted.index[share_accepted >= 0.5])
    return by_rule


def _with_guesses(snapshot: Snapshot) -> set[str]:
    """Return our list with the guesses of the solver: pangrams that were never tried and are not offensive."""
    offensive = snapshot.flags["word"][columns.is_in(snapshot.flags["flag"], UNSAFE_FLAGS)]
    estimates = snapshot.estimates[~columns.is_in(snapshot.estimates["word"], offensive)]
    pangrams = estimates[columns.is_pangram(estimates["word"])]
    p = dict(zip(pangrams["word"].tolist(), pangrams["p"].tolist(), strict=True))
    return snapshot.listed | solver.guessed_pangrams(snapshot.listed, p)


def folds(first: str, until: str, months: int) -> Iterator[tuple[str, str]]:
    """Yield (cutoff, end) of folds of several months, beginning with a first cutoff. The last fold ends at `until`.

    >>> list(folds("2025-01-01", "2025-12-01", 6))
    [('2025-01-01', '2025-07-01'), ('2025-07-01', '2025-12-01')]
    """
    start, end = pd.Timestamp(first), pd.Timestamp(until)
    while start < end:
        next_start = start + pd.DateOffset(months=months)
        yield str(start.date()), str(min(next_start, end).date())
        start = next_start


@dataclass(frozen=True, slots=True)
class Backtest:
    """The results of a backtest. `trials` has the columns of `score.compare`, and list and fold. `unseen` has the date,
    word, accepted, p and flags of words that had no trial before their fold."""

    trials: pd.DataFrame
    unseen: pd.DataFrame


def run(data: BacktestInput, spans: Iterable[tuple[str, str]]) -> Backtest:
    """Return the results of the list, the simple rules and the upper bound on each span (cutoff, end). They use only
    facts from before the span."""
    compared, unseen = [], []
    for cutoff, until in spans:
        later = trials_since(data, cutoff, until)
        if later.empty:
            dates = data.trials["date"]
            span = f"the puzzles on disk are from {dates.min()} to {dates.max()}" if len(dates) else "none is on disk"
            raise BeeError(f"There are no puzzles from {cutoff} to {until} to score; {span}.")
        snapshot = take_snapshot(data, cutoff)
        words_by_list = lists(snapshot, later)
        daily = score.compare_daily(later, words_by_list[WITH_GUESSES])
        compared.append(daily.assign(list=DAILY, fold=cutoff))
        for name, words in words_by_list.items():
            compared.append(score.compare(later, words).assign(list=name, fold=cutoff))
        unseen.append(_unseen(snapshot, later))
    return Backtest(pd.concat(compared, ignore_index=True), pd.concat(unseen, ignore_index=True))


def _unseen(snapshot: Snapshot, later: pd.DataFrame) -> pd.DataFrame:
    """Return the first later outcome, the p and the flags of each word without an earlier trial."""
    first_trials = later.sort_values("date").drop_duplicates("word")
    flags = columns.join_by_word(snapshot.flags[columns.is_in(snapshot.flags["word"], first_trials["word"])], "flag")
    frame = first_trials.merge(snapshot.estimates[["word", "p"]], on="word", how="inner")
    frame["flags"] = columns.look_up(frame["word"], flags, "")
    return frame[["date", "word", "accepted", "p", "flags"]]


def average_precision(accepted: pd.Series, p: pd.Series) -> float:
    """Return the mean of the precision at each accepted word, with words in order of falling p, then A to Z.

    >>> average_precision(pd.Series([True, False, True]), pd.Series([0.9, 0.5, 0.4]))
    0.8333333333333333
    """
    ranked = accepted[p.sort_values(ascending=False, kind="stable").index]
    precision = ranked.expanding().mean()
    return float(precision[ranked].mean()) if ranked.any() else 0.0


def reliability(unseen: pd.DataFrame) -> pd.DataFrame:
    """Return a comparison of p with the outcomes: columns p (the bin, "0.1 to 0.2"), words, mean_p, accepted
    (share)."""
    labels = [f"{low} to {high}" for low, high in itertools.pairwise(BINS)]
    bins = unseen.groupby(pd.cut(unseen["p"], list(BINS), labels=labels, include_lowest=True), observed=True)
    frame = bins.agg(words=("p", "size"), mean_p=("p", "mean"), accepted=("accepted", "mean"))
    return frame.rename_axis("p").reset_index()


def flag_shares(unseen: pd.DataFrame, record: pd.DataFrame, flags: pd.DataFrame) -> pd.DataFrame:
    """Return the number of tried words that each flag marks and the share that was refused: columns flag, tried,
    refused; and unseen, refused_unseen for the words of the backtest that had no record when they were estimated."""
    outcomes = record.assign(refused=record["last_accepted"] <= record["last_refused"])[["word", "refused"]]
    marked = flags.merge(outcomes, on="word")
    marked_unseen = unseen.assign(flag=unseen["flags"].str.split(), refused=~unseen["accepted"]).explode("flag")
    shares = marked.groupby("flag")["refused"].agg(tried="size", refused="mean")
    shares_unseen = marked_unseen.groupby("flag")["refused"].agg(unseen="size", refused_unseen="mean")
    frame: pd.DataFrame = shares.join(shares_unseen).reset_index().fillna({"unseen": 0})
    return frame.sort_values("refused", ascending=False, ignore_index=True)


def scores(compared: pd.DataFrame, by: str = "list") -> pd.DataFrame:
    """Return the scores of every list of a backtest, for each value of the column `by`, which can also be "month":
    columns list, the column `by`, puzzles, and the other figures of `score.measure`."""
    frame = compared.assign(month=compared["date"].str[:7])
    rows: list[dict[str, object]] = []
    for name, of_list in frame.groupby("list", sort=False):
        for value, group in of_list.groupby(by):
            rows.append({"list": name, by: value, **score.measure(group)})
    return pd.DataFrame(rows)


FIGURES = {"f1": "F1", "exact": "exact lists", "missing": "missing per puzzle", "extra": "extra per puzzle"}
"""The columns of `scores` that have another name for readers."""


def format_scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the figures of `scores` as text: shares with four digits, and the share of exact lists in percent."""
    intervals = []
    for exact, puzzles in zip(frame["exact"].tolist(), frame["puzzles"].tolist(), strict=True):
        low, high = score.interval(round(exact * puzzles), puzzles)
        intervals.append(f"{low:.1%} to {high:.1%}")
    shown = frame.rename(columns=FIGURES)
    shown.insert(shown.columns.tolist().index("exact lists") + 1, "95% interval", intervals)
    shown["exact lists"] = shown["exact lists"].map("{:.1%}".format)
    for name in ("precision", "recall", "F1"):
        shown[name] = shown[name].map("{:.4f}".format)
    for name in ("missing per puzzle", "extra per puzzle"):
        shown[name] = shown[name].map("{:.2f}".format)
    return shown


def summarize_unseen(unseen: pd.DataFrame) -> str:
    """Return a sentence about the quality of p for words that were not tried before."""
    precision = average_precision(unseen["accepted"], unseen["p"])
    brier = float(((unseen["p"] - unseen["accepted"]) ** 2).mean())
    return (
        f"{count(len(unseen), 'word')} possible for the first time, of which {unseen['accepted'].mean():.1%} were "
        f"accepted; average precision {precision:.4f}, Brier score {brier:.4f}."
    )


def worst_words(compared: pd.DataFrame, number: int) -> pd.DataFrame:
    """Return the words that a list gets wrong in the most puzzles, up to `number` on each side: columns word, side,
    puzzles."""
    counts = {side: compared["word"][compared[side]].value_counts().rename("puzzles") for side in ("missing", "extra")}
    frame = pd.concat(counts, names=["side", "word"]).reset_index()
    frame = frame.sort_values(["puzzles", "word"], ascending=[False, True])
    return frame.groupby("side", sort=False).head(number)[["word", "side", "puzzles"]].reset_index(drop=True)
