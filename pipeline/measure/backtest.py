"""Backtest: how accurate the list would have been on puzzles that it had not seen.

All opinions are formed again from facts before a cutoff, the list is frozen, and the later puzzles score it. A word
that is in the tables only because of later answers is removed, because it was not known before the cutoff.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline import solver
from pipeline.facts import evidence
from pipeline.facts.lexicon import listed, plain
from pipeline.facts.lists import OWN
from pipeline.facts.own_lists import list_names
from pipeline.measure import score
from pipeline.measure.score import BacktestError, folded, measured, sides
from pipeline.opinions import decide, estimate, flag
from pipeline.opinions.usage import unusual_words
from pipeline.tables import columns, frames
from pipeline.words import LISTED, SAFE, BeeError, count

Tables = Mapping[str, pd.DataFrame]
"""Tables named as in `frames.CONTRACTS`: lexicon, answers, trials, puzzles, and, if people graded words, offensive."""

OURS, SOLVER, DAILY = "this list without guesses", "this list with guesses", "this list with guesses, updated daily"
LAST, EVER, BOUND = "simple rule: the last trial", "simple rule: ever accepted", "upper bound"
SCOWL = {size: f"{LAST}, else SCOWL up to size {size}" for size in (35, 50, 60)}
"""The names of the lists, the same in every table and plot."""
BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Past:
    """The facts known before a cutoff, and the opinions formed from them."""

    cutoff: str
    lexicon: pd.DataFrame
    evidence: pd.DataFrame
    flags: pd.DataFrame
    estimates: pd.DataFrame
    decisions: pd.DataFrame


def past(tables: Tables, cutoff: str) -> Past:
    """Form all opinions from the facts before a cutoff. Verdicts are left out, because they may be later; grades are
    not, because they say nothing about what the editor accepts."""
    answers = tables["answers"][tables["answers"]["date"] < cutoff]
    met = set(answers["word"].tolist())
    lexicon = tables["lexicon"]
    lexicon = lexicon[listed(lexicon) | columns.among(lexicon["word"], met)].reset_index(drop=True)
    considered = met.union(lexicon["word"][plain(lexicon)].tolist())
    trials = tables["trials"][tables["trials"]["date"] < cutoff]
    trials = trials[columns.among(trials["word"], considered)]
    if trials.empty:
        raise BacktestError(f"There are no trials before {cutoff} to learn from.")
    record = evidence.tally(trials, answers)
    flags = flag.flag(lexicon, tables.get("offensive"))
    words = pd.Series(sorted(considered))
    known = estimate.known(lexicon, record, flag.offensive_words(flags))
    estimates = estimate.limited(known, estimate.fit(known), words)
    candidates = pd.DataFrame({"word": words, "known": True})
    decisions = decide.decide(candidates, record, estimates, flags, frames.empty("verdicts"), unusual_words(lexicon))
    return Past(cutoff, lexicon, record, flags, estimates, decisions)


def lists(known: Past, later: pd.DataFrame) -> dict[str, set[str]]:
    """Return the lists to compare: ours with and without guesses, the simple rules, and the upper bound.

    The guesses are those of the solver for every set of letters that has no listed pangram. The upper bound knows, for
    every word that was never tried before, the majority of its later trials.
    """
    record = known.evidence
    last = set(record["word"][record["last_accepted"] > record["last_rejected"]].tolist())
    unseen = later[~columns.among(later["word"], record["word"])].groupby("word")["accepted"].mean()
    untried = known.lexicon[~columns.among(known.lexicon["word"], record["word"])]
    sizes = untried.set_index("word")["scowl_size"]
    ours = set(known.decisions["word"][columns.among(known.decisions["tier"], LISTED)].tolist())
    return {
        SOLVER: ours | solver.guessed_pangrams(ours, _unlisted(known)),
        OURS: ours,
        EVER: set(record["word"][record["accepted"] > 0].tolist()),
        LAST: last,
        **{name: last.union(sizes.index[sizes <= size]) for size, name in SCOWL.items()},
        BOUND: last | set(unseen.index[unseen >= 0.5]),
    }


def _unlisted(known: Past) -> dict[str, float]:
    """Return the pangrams that were never tried, are not listed and may be guessed, with their p."""
    never = known.flags["word"][columns.among(known.flags["flag"], SAFE)]
    fit = known.estimates[~columns.among(known.estimates["word"], never)]
    fit = fit[columns.pangrams(fit["word"])]
    return dict(zip(fit["word"].tolist(), fit["p"].tolist(), strict=True))


def folds(first: str, until: str, months: int) -> Iterator[tuple[str, str]]:
    """Yield (cutoff, end) of folds of several months from a first cutoff; the last one ends before `until`.

    >>> list(folds("2025-01-01", "2025-12-01", 6))
    [('2025-01-01', '2025-07-01'), ('2025-07-01', '2025-12-01')]
    """
    start, end = pd.Timestamp(first), pd.Timestamp(until)
    while start < end:
        after = start + pd.DateOffset(months=months)
        yield str(start.date()), str(min(after, end).date())
        start = after


@dataclass(frozen=True, slots=True)
class Backtest:
    """The results of a walk: `trials` as in `sides` with list and fold; and `unseen`, the date, word, accepted, p and
    flags of words that had no trial before their fold."""

    trials: pd.DataFrame
    unseen: pd.DataFrame


def walk(tables: Tables, spans: Iterable[tuple[str, str]]) -> Backtest:
    """Score the list, simple rules and upper bound on each span (cutoff, end), trained strictly before it."""
    sided, unseen = [], []
    for cutoff, until in spans:
        trials = tables["trials"]
        later = trials[(trials["date"] >= cutoff) & (trials["date"] < until)]
        if later.empty:
            raise BacktestError(f"There are no puzzles from {cutoff} to {until} to score; `bee fetch` brings them.")
        known = past(tables, cutoff)
        later = later.merge(tables["puzzles"][["date", "center"]], on="date")
        named = lists(known, later)
        made = {DAILY: folded(later, named[SOLVER]), **{name: sides(later, named[name]) for name in named}}
        sided += [trials.assign(list=name, fold=cutoff) for name, trials in made.items()]
        unseen.append(_unseen(known, later))
    return Backtest(pd.concat(sided, ignore_index=True), pd.concat(unseen, ignore_index=True))


def _unseen(known: Past, later: pd.DataFrame) -> pd.DataFrame:
    """Return, for each word without an earlier trial, its first later outcome, its p and its flags."""
    first = later.sort_values("date").drop_duplicates("word")
    codes = columns.joined(known.flags[columns.among(known.flags["word"], first["word"])], "flag")
    frame = first.merge(known.estimates[["word", "p"]], on="word", how="inner")
    frame["flags"] = columns.look_up(frame["word"], codes, "")
    return frame[["date", "word", "accepted", "p", "flags"]]


def average_precision(accepted: pd.Series, p: pd.Series) -> float:
    """Average the precision at each accepted word, ordered by falling p, then A to Z.

    >>> average_precision(pd.Series([True, False, True]), pd.Series([0.9, 0.5, 0.4]))
    0.8333333333333333
    """
    order = np.argsort(-p.to_numpy(), kind="stable")
    hits = accepted.to_numpy()[order]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean()) if hits.any() else 0.0


def reliability(unseen: pd.DataFrame) -> pd.DataFrame:
    """Compare p with the outcomes: columns p (the bin, "0.1 to 0.2"), words, mean p, accepted (share)."""
    labels = [f"{low} to {high}" for low, high in itertools.pairwise(BINS)]
    bins = unseen.groupby(pd.cut(unseen["p"], list(BINS), labels=labels, include_lowest=True), observed=True)
    frame = bins.agg(words=("p", "size"), mean_p=("p", "mean"), accepted=("accepted", "mean"))
    return frame.rename_axis("p").reset_index()


def flag_shares(unseen: pd.DataFrame, record: pd.DataFrame, flags: pd.DataFrame) -> pd.DataFrame:
    """Count the words that each flag marks and the share that was refused: columns flag, tried, refused, and unseen,
    refused_unseen for the words of the walk that had no record when they were estimated."""
    tried = record.assign(refused=record["last_accepted"] <= record["last_rejected"])
    marked = flags.merge(tried[["word", "refused"]], on="word").groupby("flag")["refused"].agg(["size", "mean"])
    long = unseen.assign(flag=unseen["flags"].str.split(), refused=~unseen["accepted"]).explode("flag")
    later = long.dropna(subset="flag").groupby("flag")["refused"].agg(["size", "mean"])
    frame = marked.merge(later, on="flag", how="left", suffixes=("_tried", "_unseen")).reset_index()
    frame.columns = pd.Index(["flag", "tried", "refused", "unseen", "refused_unseen"])
    return frame.fillna({"unseen": 0}).sort_values("refused", ascending=False, ignore_index=True)


def scores(sided: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Score every list of a walk, over all its puzzles, or by "month" or a column: columns list, (by), puzzles, …."""
    frame = sided.assign(month=sided["date"].str[:7])
    rows = [
        {"list": name, **({by: value} if by else {}), **measured(group)}
        for name, listed_ in frame.groupby("list", sort=False)
        for value, group in (listed_.groupby(by) if by else [(None, listed_)])
    ]
    return pd.DataFrame(rows)


FIGURES = {"f1": "F1", "exact": "exact lists", "missing": "missing per puzzle", "extra": "extra per puzzle"}
"""The columns of `scores` that readers see under another name."""


def figures(frame: pd.DataFrame) -> pd.DataFrame:
    """Format the figures of `scores`: shares with four digits, the share of exact lists in percent."""
    shown = frame.rename(columns=FIGURES)
    pairs = zip(frame["exact"].tolist(), frame["puzzles"].tolist(), strict=True)
    ends = [score.interval(round(exact * puzzles), puzzles) for exact, puzzles in pairs]
    spans = [f"{low:.1%} to {high:.1%}" for low, high in ends]
    shown.insert(list(shown.columns).index("exact lists") + 1, "95% interval", spans)
    shown["exact lists"] = shown["exact lists"].map("{:.1%}".format)
    for name in ("precision", "recall", "F1"):
        shown[name] = shown[name].map("{:.4f}".format)
    for name in ("missing per puzzle", "extra per puzzle"):
        shown[name] = shown[name].map("{:.2f}".format)
    return shown


def unseen_figures(unseen: pd.DataFrame) -> str:
    """Summarize the quality of p for words that were never tried before."""
    precision = average_precision(unseen["accepted"], unseen["p"])
    brier = float(((unseen["p"] - unseen["accepted"]) ** 2).mean())
    return (
        f"{count(len(unseen), 'word')} possible for the first time, {unseen['accepted'].mean():.1%} accepted: "
        f"average precision {precision:.4f}, Brier score {brier:.4f}."
    )


def worst(sided: pd.DataFrame, count: int) -> pd.DataFrame:
    """List the words that a list gets wrong in the most puzzles: columns word, side, puzzles."""
    counts = {side: sided["word"][sided[side]].value_counts().rename("puzzles") for side in ("missing", "extra")}
    frame = pd.concat(counts, names=["side", "word"]).reset_index()
    frame = frame.sort_values(["puzzles", "word"], ascending=[False, True])
    return frame.groupby("side", sort=False).head(count)[["word", "side", "puzzles"]].reset_index(drop=True)


def halfway(puzzles: pd.DataFrame) -> str:
    """Return the default start of scoring: a year before the last puzzle, or halfway through the puzzles on disk."""
    dates: list[str] = sorted(puzzles["date"].tolist())
    if not dates:
        raise BacktestError("There are no puzzles on disk; `bee fetch` brings them.")
    year = pd.Timestamp(dates[-1]) - pd.DateOffset(years=1)
    return max(str(year.date()), dates[len(dates) // 2])


def marginal(tables: Tables, cutoff: str, until: str = "") -> pd.DataFrame:
    """Measure each list of the user: learn before the cutoff with all lists, and again without this one.

    docs/CURATING.md explains the columns. Raises BeeError if the user has no list.
    """
    lexicon, trials = tables["lexicon"], tables["trials"]
    if not (there := list_names(lexicon[OWN])):
        raise BeeError("There is no list of yours here; `bee lists --help` says how to add one.")
    later = trials[(trials["date"] >= cutoff) & ((trials["date"] < until) | (until == ""))]
    later = later.merge(tables["puzzles"][["date", "center"]], on="date")
    if later.empty:
        raise BacktestError(f"There are no puzzles on disk from {cutoff} on to score.")
    known = past(tables, cutoff)
    listed = lists(known, later)[SOLVER]
    wrong = _inexact(later, listed)
    rows = []
    for name in there:
        own = lexicon[OWN].map(lambda cell, name=name: " ".join(other for other in cell.split() if other != name))
        less = past({**tables, "lexicon": lexicon.assign(**{OWN: own})}, cutoff)
        shorter = lists(less, later)[SOLVER]
        wrong_without = _inexact(later, shorter)
        mine = set(lexicon["word"][lexicon[OWN].str.split().map(lambda cell, name=name: name in cell)])
        whole = listed | (mine - set(known.evidence["word"]))
        rows.append(
            {
                "list": name,
                "words": len(set(known.decisions["word"]) - set(less.decisions["word"])),
                "puzzles": (puzzles := later["date"].nunique()),
                "exact": puzzles - len(wrong),
                "without": puzzles - len(wrong_without),
                "puzzles won": len(wrong_without - wrong),
                "puzzles lost": len(wrong - wrong_without),
                "whole list": puzzles - len(_inexact(later, whole)),
                "added": len(listed - shorter),
                "removed": len(shorter - listed),
            }
        )
    return pd.DataFrame(rows)


def _inexact(later: pd.DataFrame, words: set[str]) -> set[str]:
    """Return the dates on which a list is not exact."""
    sided = sides(later, words)
    return set(sided["date"][sided["missing"] | sided["extra"]])
