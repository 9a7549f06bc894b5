"""Backtest: how good would the list have been on puzzles that it had not seen?

Every opinion is formed again from facts before a cutoff alone, the list is frozen, and the later puzzles score it. A
word that only its later answers brought into the tables is taken out again: before the cutoff nobody knew it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline import decide, estimate, evidence, flag, frames, merge
from pipeline.lexicon import listed, plain
from pipeline.words import BeeError

Tables = Mapping[str, pd.DataFrame]
"""Tables named as in `frames.CONTRACTS`: lexicon, answers, trials, puzzles."""

BINS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class BacktestError(BeeError):
    """The dates leave nothing to learn from, or nothing to score."""


@dataclass(frozen=True, slots=True)
class Past:
    """What was known before a cutoff, and the opinions formed from it."""

    cutoff: str
    lexicon: pd.DataFrame
    evidence: pd.DataFrame
    flags: pd.DataFrame
    estimates: pd.DataFrame
    decisions: pd.DataFrame


def past(tables: Tables, cutoff: str) -> Past:
    """Form every opinion from the facts before a cutoff; verdicts, which may come from later, stay out."""
    answers = tables["answers"][tables["answers"]["date"] < cutoff]
    met = set(answers["word"])
    lexicon = tables["lexicon"]
    lexicon = lexicon[listed(lexicon) | lexicon["word"].isin(met)].reset_index(drop=True)
    considered = set(lexicon["word"][plain(lexicon)]) | met
    trials = tables["trials"]
    trials = trials[(trials["date"] < cutoff) & trials["word"].isin(considered)]
    if trials.empty:
        raise BacktestError(f"There are no trials before {cutoff} to learn from.")
    record = evidence.tally(trials, answers)
    flags = flag.flag(lexicon)
    words = pd.Series(sorted(considered))
    estimates = estimate.estimate(lexicon, record, words)
    candidates = pd.DataFrame({"word": words, "known": True})
    decisions = decide.decide(candidates, record, estimates, flags, frames.empty("verdicts"))
    return Past(cutoff, lexicon, record, flags, estimates, decisions)


def lists(known: Past, later: pd.DataFrame) -> dict[str, set[str]]:
    """Name the lists to compare: ours, the baselines, and the ceiling.

    The ceiling is told, of every word that was never tried before, what most of its later trials say; what it still
    gets wrong are words that changed sides, which no frozen list could know.
    """
    record = known.evidence
    last = set(record["word"][record["last_accepted"] > record["last_rejected"]])
    tried = set(record["word"])
    unseen = later[~later["word"].isin(tried)].groupby("word")["accepted"].mean()
    sizes = known.lexicon[~known.lexicon["word"].isin(tried)]
    return {
        "ours": set(known.decisions["word"][known.decisions["tier"].isin(decide.LISTED)]),
        "ever accepted": set(record["word"][record["accepted"] > 0]),
        "last verdict": last,
        **{
            f"last verdict + SCOWL {size}": last | set(sizes["word"][sizes["scowl_size"] <= size])
            for size in (35, 50, 60)
        },
        "ceiling": last | set(unseen.index[unseen >= 0.5]),
    }


def sides(later: pd.DataFrame, words: set[str]) -> pd.DataFrame:
    """Say of every trial how a list does on it: columns date, center, word, right, missing, extra."""
    on = later["word"].isin(words)
    frame = later[["date", "center", "word"]].copy()
    frame["right"], frame["missing"], frame["extra"] = (
        on & later["accepted"],
        ~on & later["accepted"],
        on & ~later["accepted"],
    )
    return frame


def score(sided: pd.DataFrame) -> dict[str, float]:
    """Measure a list over trials of `sides`: puzzles, precision, recall, f1, exact, missing and extra a puzzle."""
    right, missing, extra = (int(sided[name].sum()) for name in ("right", "missing", "extra"))
    puzzles = sided["date"].nunique()
    wrong = sided["date"][sided["missing"] | sided["extra"]].nunique()
    return {
        "puzzles": puzzles,
        "precision": right / max(1, right + extra),
        "recall": right / max(1, right + missing),
        "f1": 2 * right / max(1, 2 * right + missing + extra),
        "exact": 1 - wrong / max(1, puzzles),
        "missing": missing / max(1, puzzles),
        "extra": extra / max(1, puzzles),
    }


def folds(first: str, until: str, months: int) -> Iterator[tuple[str, str]]:
    """Yield (cutoff, end) of folds of some months from a first cutoff; the last one ends at `until`, not included.

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
    """What a walk found.

    `trials` has columns list, fold, center, date, word, right, missing, extra; `unseen` has date, word, accepted, p,
    flags of the words that had no trial before their fold.
    """

    trials: pd.DataFrame
    unseen: pd.DataFrame


def walk(tables: Tables, spans: Iterable[tuple[str, str]]) -> Backtest:
    """Score the list, baselines and ceiling on each span (cutoff, end), trained strictly before it."""
    sided, unseen = [], []
    for cutoff, until in spans:
        trials = tables["trials"]
        later = trials[(trials["date"] >= cutoff) & (trials["date"] < until)]
        if later.empty:
            raise BacktestError(f"There are no puzzles from {cutoff} to {until} to score; bee fetch brings them in.")
        known = past(tables, cutoff)
        later = later.merge(tables["puzzles"][["date", "center"]], on="date")
        sided += [sides(later, words).assign(list=name, fold=cutoff) for name, words in lists(known, later).items()]
        unseen.append(_unseen(known, later))
    return Backtest(pd.concat(sided, ignore_index=True), pd.concat(unseen, ignore_index=True))


def _unseen(known: Past, later: pd.DataFrame) -> pd.DataFrame:
    """Give, for each word without a trial before, its first later outcome, its p and its flags."""
    first = later.sort_values("date").drop_duplicates("word")
    codes = known.flags.groupby("word")["flag"].agg(" ".join)
    frame = first.merge(known.estimates[["word", "p"]], on="word", how="inner")
    frame["flags"] = frames.look_up(frame["word"], codes, "")
    return frame[["date", "word", "accepted", "p", "flags"]]


def average_precision(accepted: pd.Series, p: pd.Series) -> float:
    """Average the precision at each accepted word, words ordered by falling p and then A to Z as given.

    >>> average_precision(pd.Series([True, False, True]), pd.Series([0.9, 0.5, 0.4]))
    0.8333333333333333
    """
    order = np.argsort(-p.to_numpy(), kind="stable")
    hits = accepted.to_numpy()[order]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean()) if hits.any() else 0.0


def reliability(unseen: pd.DataFrame) -> pd.DataFrame:
    """Compare p with what came: columns p (the bin), words, mean p, accepted (share)."""
    bins = pd.cut(unseen["p"], list(BINS), include_lowest=True)
    frame = unseen.groupby(bins, observed=True).agg(
        words=("p", "size"), mean_p=("p", "mean"), accepted=("accepted", "mean")
    )
    return frame.rename_axis("p").reset_index()


def flag_shares(unseen: pd.DataFrame, record: pd.DataFrame, flags: pd.DataFrame) -> pd.DataFrame:
    """Count what each code marks and the share that was refused: columns flag, tried, refused, unseen, refused_unseen.

    `tried` are all words with a record, `unseen` those of the walk that had none when they were estimated.
    """
    tried = record.assign(refused=record["last_accepted"] <= record["last_rejected"])
    marked = flags.merge(tried[["word", "refused"]], on="word").groupby("flag")["refused"].agg(["size", "mean"])
    long = unseen.assign(flag=unseen["flags"].str.split(), refused=~unseen["accepted"]).explode("flag")
    later = long.dropna(subset="flag").groupby("flag")["refused"].agg(["size", "mean"])
    frame = marked.merge(later, on="flag", how="left", suffixes=("_tried", "_unseen")).reset_index()
    frame.columns = pd.Index(["flag", "tried", "refused", "unseen", "refused_unseen"])
    return frame.fillna({"unseen": 0}).sort_values("refused", ascending=False, ignore_index=True)


def table(sided: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Score every list of a walk, over all its puzzles or by a column: columns list, (by), puzzles, precision, ….

    `by` may be "month" or any column of the walk's trials.
    """
    frame = sided.assign(month=sided["date"].str[:7])
    rows = [
        {"list": name, **({by: value} if by else {}), **score(group)}
        for name, listed_ in frame.groupby("list", sort=False)
        for value, group in (listed_.groupby(by) if by else [(None, listed_)])
    ]
    return pd.DataFrame(rows)


def worst(sided: pd.DataFrame, count: int) -> pd.DataFrame:
    """List the words that one list gets wrong in most puzzles: columns word, side, puzzles."""
    long = [
        sided[sided[side]].groupby("word").size().rename("puzzles").reset_index().assign(side=side)
        for side in ("missing", "extra")
    ]
    frame = pd.concat(long).sort_values(["puzzles", "word"], ascending=[False, True])
    return frame.groupby("side", sort=False).head(count)[["word", "side", "puzzles"]].reset_index(drop=True)


def audit(
    puzzles: pd.DataFrame, answers: pd.DataFrame, words: set[str], since: str = "", until: str = ""
) -> pd.DataFrame:
    """Try any word list on official puzzles, from `since` to before `until`: columns as those of `sides`."""
    chosen = puzzles[(puzzles["date"] >= since) & ((puzzles["date"] < until) | (until == ""))]
    if chosen.empty:
        raise BacktestError(f"There are no puzzles on disk from {since or 'the first'} to {until or 'the last'}.")
    candidates = pd.DataFrame({"word": sorted(words | set(answers["word"]))})
    tried = merge.trials(chosen, answers, candidates)
    return sides(tried.merge(chosen[["date", "center"]], on="date"), words)


def constancy(trials: pd.DataFrame) -> pd.DataFrame:
    """Measure how often the next trial of a word agrees with its last one: columns record, last, trials, agreed.

    `record` says what all trials before were (accepted, refused, mixed), `last` how long ago the last one was.
    """
    frame = trials.sort_values(["word", "date"])
    words = frame.groupby("word")["accepted"]
    before = words.cumcount()
    yes = words.cumsum() - frame["accepted"]
    last = words.shift(1)
    gap = (pd.to_datetime(frame["date"]) - pd.to_datetime(frame.groupby("word")["date"].shift(1))).dt.days / 365.25
    record = pd.Series("mixed", index=frame.index).mask(yes == before, "accepted").mask(yes == 0, "refused")
    age = pd.cut(gap, [-1, 1, 2, 99], labels=["within a year", "1 to 2 years", "over 2 years"])
    table = pd.DataFrame({"record": record, "last": age.astype("str"), "agreed": frame["accepted"] == last})[before > 0]
    counted = table.groupby(["record", "last"])["agreed"].agg(trials="size", agreed="mean")
    return counted.reset_index()
