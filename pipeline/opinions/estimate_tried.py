"""Estimates p of a word that was tried, from how likely its next trial has the same outcome as its last one.

The last trial decides whether a word is listed; the probability says how reliable that is. It comes from two logistic
regressions, one for words that their last trial accepted and one for words that it refused. The weights are fitted on
all official puzzles up to 2026-07-24, and `bee backtest` compares them with the puzzles on disk. They are constants,
because a clone without an archive lacks the trials.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pipeline.facts.lexicon_files import NO_SIZE
from pipeline.opinions import logistic
from pipeline.tables import columns, frames
from pipeline.words import GAME

COLUMNS = ("mixed", "age", "trials", "zipf", "size", "years")
"""What the probability depends on: whether the outcomes of trials differed, the days since the last trial, the number
of trials, the Zipf frequency and the SCOWL size of the word, and the years since the first puzzle."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of a regression: the constant, and one for each of `COLUMNS`. Those of `age` and `trials` apply to
    the logarithms of these columns."""

    constant: float
    mixed: float = 0.0
    age: float = 0.0
    trials: float = 0.0
    zipf: float = 0.0
    size: float = 0.0
    years: float = 0.0


WeightsByOutcome = Mapping[bool, Weights]
"""The weights for words whose last trial accepted them (True) or refused them (False)."""
WEIGHTS: WeightsByOutcome = {
    True: Weights(constant=10.589, mixed=-0.6265, age=-1.2289, trials=0.4823, zipf=0.6742, size=-0.033, years=0.2957),
    False: Weights(constant=3.2188, mixed=-1.9898, age=-0.6496, trials=0.8395, zipf=-0.3946, size=0.0666, years=0.1085),
}
SURE = 7.0
"""The constant that is used if no trials disagree, so that there is nothing to learn from; it means 99.9%."""
COMMON = 2.5
"""From this Zipf frequency on, a word counts as common in tables."""
TRIAL_BANDS = {"1 trial": 1, "2 to 4 trials": 4, "5 or more trials": 99_999}
"""The bands of numbers of trials in tables, each with its maximum."""
RARITY_OF_UNKNOWN_WORD = (0.0, float(NO_SIZE))
"""The Zipf frequency and the SCOWL size of a word that is in no list."""

OFFENSIVE_AGING = 3
"""How many times as fast the acceptance of an offensive word with a single trial ages. The next trial refused 3 of 58
such words, and the log loss falls from 0.26 to 0.22, on all puzzles up to 2026-07-24."""


def agreement(accepted: Any, attributes: Mapping[str, Any], weights: WeightsByOutcome = WEIGHTS) -> Any:
    """Return the probability that the next trial agrees with a last trial of this outcome, for one word or for columns.

    `attributes` have the names in `COLUMNS`; they are not logarithms.

    >>> rare = {"mixed": 0, "age": 800, "trials": 1, "zipf": 0.0, "size": 80, "years": 8.0}
    >>> bool(agreement(True, rare) < agreement(True, {**rare, "trials": 5}))
    True
    """
    cells = {**attributes, "age": np.log1p(attributes["age"]), "trials": np.log1p(attributes["trials"])}
    score = np.where(accepted, _score(cells, weights[True]), _score(cells, weights[False]))
    return 1 / (1 + np.exp(-score))


def _score(cells: Mapping[str, Any], weights: Weights) -> Any:
    """Return the logarithm of the odds."""
    return weights.constant + sum(getattr(weights, name) * cells[name] for name in COLUMNS)


def years(dates: Any) -> Any:
    """Return the years from the first puzzle to a date, or to each date of a column."""
    return (pd.to_datetime(dates) - pd.Timestamp(GAME.first_day)) / pd.Timedelta(days=365.25)


def rarity(lexicon: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    """Return the Zipf frequency and the SCOWL size of words, in their order: columns zipf, size."""
    unknown_zipf, unknown_size = RARITY_OF_UNKNOWN_WORD
    defaults = {"zipf": unknown_zipf, "scowl_size": unknown_size}
    found = columns.look_up_rows(words, lexicon.set_index("word"), defaults)
    return found.rename(columns={"scowl_size": "size"}).astype(float)


def estimate(
    record: pd.DataFrame, covered: Collection[str], lexicon: pd.DataFrame, offensive: Collection[str] = ()
) -> pd.DataFrame:
    """Return, for each word of the table `record`, the probability that its next trial, after the last of the dates
    `covered`, accepts it: columns of the table `estimates`. `offensive` are the offensive words."""
    if record.empty:
        return frames.empty("estimates")
    words, trials, accepted_trials = record["word"], record["offered"], record["accepted"]
    accepted = record["last_accepted"] > record["last_refused"]
    last_date = record["last_accepted"].where(accepted, record["last_refused"])
    today = pd.Timestamp(max(covered, default=max(last_date)))
    days = (today - pd.to_datetime(last_date)).dt.days
    ages_faster = accepted & (trials == 1) & columns.is_in(words, offensive)
    mixed = (accepted_trials > 0) & (accepted_trials < trials)
    attributes = {
        "mixed": mixed,
        "age": days.where(~ages_faster, OFFENSIVE_AGING * days),
        "trials": trials,
        "years": years(today),
    }
    agrees = agreement(accepted, {**attributes, **rarity(lexicon, words)})
    p = np.where(accepted, agrees, 1 - agrees).round(2)
    return frames.check(pd.DataFrame({"word": words, "p": p, "kind": "record"}), "estimates")


def _band_names(numbers: pd.Series, maximum: Mapping[str, int]) -> pd.Series:
    """Return the name of the band of each number; `maximum` has the maximum of each band.

    >>> _band_names(pd.Series([1, 2, 4, 5]), TRIAL_BANDS).tolist()[1:]
    ['2 to 4 trials', '2 to 4 trials', '5 or more trials']
    """
    names = np.array(list(maximum))
    bands = np.searchsorted(list(maximum.values()), numbers.to_numpy())
    return pd.Series(names[bands], numbers.index, dtype="str")


def successive_trials(trials: pd.DataFrame, lexicon: pd.DataFrame) -> pd.DataFrame:
    """Return each trial of a word with the previous one: columns date, last (the previous outcome), agreed and
    `COLUMNS`.

    The first trial of a word has no row.
    """
    frame = trials.sort_values(["word", "date"], ignore_index=True)
    outcomes = frame.groupby("word")["accepted"]
    trials_before = outcomes.cumcount()
    accepted_before = outcomes.cumsum() - frame["accepted"]
    date = pd.to_datetime(frame["date"])
    frame = frame.assign(
        last=outcomes.shift(1),
        mixed=(accepted_before > 0) & (accepted_before < trials_before),
        age=(date - date.groupby(frame["word"]).shift(1)).dt.days,
        trials=trials_before,
        years=years(date),
    )
    frame = frame[trials_before > 0].reset_index(drop=True)
    frame["last"] = frame["last"].astype(bool)
    frame["agreed"] = frame["accepted"] == frame["last"]
    frame = pd.concat([frame, rarity(lexicon, frame["word"])], axis=1)
    return frame[["date", "last", "agreed", *COLUMNS]]


def fit(pairs: pd.DataFrame) -> dict[bool, Weights]:
    """Return the weights fitted to rows of `successive_trials`."""
    return {accepted: _fit_outcome(pairs[pairs["last"] == accepted]) for accepted in (True, False)}


def _fit_outcome(pairs: pd.DataFrame) -> Weights:
    """Return the weights fitted to pairs of trials in which the first trials had the same outcome."""
    if pairs["agreed"].nunique() < 2:
        return Weights(SURE)
    cells = pairs.assign(age=np.log1p(pairs["age"]), trials=np.log1p(pairs["trials"]))[list(COLUMNS)]
    fitted = logistic.fit(cells.to_numpy(np.float32), pairs["agreed"].to_numpy(), ridge=1.0)
    weights = {name: round(float(weight), 4) for name, weight in zip(COLUMNS, fitted.weights, strict=True)}
    return Weights(round(fitted.constant, 4), **weights)


def measure(pairs: pd.DataFrame, weights: WeightsByOutcome = WEIGHTS) -> pd.DataFrame:
    """Return a comparison of p with the outcomes in rows of `successive_trials`, by kind of record: columns last,
    record, words, trials, promised, agreed (both are shares)."""
    table = pd.DataFrame(
        {
            "last": pairs["last"].map({True: "accepted", False: "refused"}),
            "record": _band_names(pairs["trials"], TRIAL_BANDS),
            "words": (pairs["zipf"] >= COMMON).map({True: "common", False: "rare"}),
            "agreed": pairs["agreed"],
            "promised": agreement(pairs["last"], {name: pairs[name] for name in COLUMNS}, weights),
        }
    )
    groups = table.groupby(["last", "record", "words"])
    return groups.agg(trials=("agreed", "size"), promised=("promised", "mean"), agreed=("agreed", "mean")).reset_index()


def reliability(pairs: pd.DataFrame, cutoff: str) -> pd.DataFrame:
    """Return a comparison, as in `measure`, of weights fitted before a cutoff with the outcomes from the cutoff on."""
    early = pairs["date"] < cutoff
    return measure(pairs[~early], fit(pairs[early]))
