"""Constancy: how likely the next trial of a tried word has the same outcome as its last one, from its record.

The last trial decides; this gives its reliability, by two logistic regressions, one for words whose last trial accepted
them and one for refused words. The weights were fitted on all official puzzles up to 2026-07-24, and `bee backtest`
compares them with the puzzles on disk. They are constants, because a clone without an archive lacks the trials.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE
from pipeline.opinions import logistic
from pipeline.tables import columns, frames
from pipeline.words import GAME

COLUMNS = ("mixed", "age", "trials", "zipf", "size", "years")
"""What the weights of `STAYS` belong to, after the constant: whether trials differed; the logarithms of the days since
the last one and of their number; the Zipf frequency and SCOWL size of the word; the years since the first puzzle."""
STAYS: dict[bool, tuple[float, ...]] = {
    True: (10.589, -0.6265, -1.2289, 0.4823, 0.6742, -0.033, 0.2957),
    False: (3.2188, -1.9898, -0.6496, 0.8395, -0.3946, 0.0666, 0.1085),
}
"""The constant and the weights by the outcome of the last trial: accepted or refused."""
SURE = 7.0
"""The constant if there is no disagreement to learn from: 99.9%."""
COMMON = 2.5
"""From this Zipf frequency on a word counts as common in tables."""
FEW = {"1 trial": 1, "2 to 4 trials": 4, "5 or more trials": 99_999}
"""Numbers of trials in tables, each with its maximum."""
AGES = {"within a year": 365, "1 to 2 years ago": 730, "over 2 years ago": 99_999}
"""Ages of a last trial, each with its maximum in days."""
UNKNOWN = (0.0, float(NO_SIZE))
"""Zipf frequency and SCOWL size of a word that is in no list."""

GRADED = 3
"""How many times as fast a single acceptance of an offensive word ages: of 58 such words the next trial refused 3, and
the log loss falls from 0.26 to 0.22, on all puzzles up to 2026-07-24."""

Weights = Mapping[bool, tuple[float, ...]]


def agreed(accepted: Any, cells: Mapping[str, Any], weights: Weights = STAYS) -> Any:
    """Return the probability that the next trial agrees with a last one of this outcome; numbers or whole columns.

    `cells` are named as in `COLUMNS`, without logarithms.

    >>> rare = {"mixed": 0, "age": 800, "trials": 1, "zipf": 0.0, "size": 80, "years": 8.0}
    >>> bool(agreed(True, rare) < agreed(True, {**rare, "trials": 5}))
    True
    """
    found = [np.log1p(cells[name]) if name in ("age", "trials") else cells[name] for name in COLUMNS]
    yes, no = (
        weights[side][0] + sum(weight * cell for weight, cell in zip(weights[side][1:], found, strict=True))
        for side in (True, False)
    )
    return 1 / (1 + np.exp(-np.where(accepted, yes, no)))


def years(dates: Any) -> Any:
    """Return the years from the first puzzle to a date or to a column of dates."""
    return (pd.to_datetime(dates) - pd.Timestamp(GAME.first_day)) / pd.Timedelta(days=365.25)


def rarity(lexicon: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    """Return the Zipf frequency and the SCOWL size of words: columns zipf, size, in their order."""
    found = {"zipf": ("zipf", UNKNOWN[0]), "size": ("scowl_size", UNKNOWN[1])}
    known = lexicon.set_index("word")
    return pd.DataFrame(
        {name: columns.look_up(words, known[column], other).astype(float) for name, (column, other) in found.items()}
    )


def rarities(lexicon: pd.DataFrame, words: pd.Series) -> dict[str, tuple[float, float]]:
    """Return the `rarity` of words by word."""
    some = words.drop_duplicates().reset_index(drop=True)
    found = rarity(lexicon, some)
    return dict(zip(some.tolist(), zip(found["zipf"].tolist(), found["size"].tolist(), strict=True), strict=True))


def estimate(
    record: pd.DataFrame, covered: Collection[str], lexicon: pd.DataFrame, graded: Collection[str] = ()
) -> pd.DataFrame:
    """Return for each word of the table `evidence` the probability that its next trial, after the last of the dates
    `covered`, accepts it: columns word, p (two decimals), kind, basis. `graded` are the offensive words."""
    if record.empty:
        return frames.empty("estimates")
    yes = record["last_accepted"] > record["last_rejected"]
    last = record["last_accepted"].where(yes, record["last_rejected"])
    today = pd.Timestamp(max(covered, default=max(last)))
    days = (today - pd.to_datetime(last)).dt.days
    ages_faster = yes & (record["offered"] == 1) & columns.among(record["word"], graded)
    mixed = (record["accepted"] > 0) & (record["accepted"] < record["offered"])
    cells = {
        "mixed": mixed,
        "age": days.where(~ages_faster, GRADED * days),
        "trials": record["offered"],
        "years": years(today),
    }
    agree = agreed(yes, {**cells, **rarity(lexicon, record["word"])})
    frame = pd.DataFrame({"word": record["word"], "p": np.where(yes, agree, 1 - agree).round(2)})
    frame["kind"] = "record"
    side, one = yes.map({True: "accepted ", False: "refused "}), mixed.map({True: "", False: "always "})
    frame["basis"] = one + side + _named(days, AGES) + ", of " + record["offered"].astype("str") + " trials"
    return frames.check(frame, "estimates")


def _named(numbers: pd.Series, most: Mapping[str, int]) -> pd.Series:
    """Return the name of each number.

    >>> _named(pd.Series([0, 365, 366, 730, 731]), AGES).tolist()[1:]
    ['within a year', '1 to 2 years ago', '1 to 2 years ago', 'over 2 years ago']
    """
    names = np.array(list(most))
    return pd.Series(names[np.searchsorted(list(most.values()), numbers.to_numpy())], numbers.index, dtype="str")


def pairs(trials: pd.DataFrame, lexicon: pd.DataFrame) -> pd.DataFrame:
    """Pair each trial of a word with the previous one: columns date, last, agreed and `COLUMNS`."""
    frame = trials.sort_values(["word", "date"], ignore_index=True)
    words = frame.groupby("word")["accepted"]
    before = words.cumcount()
    yes = words.cumsum() - frame["accepted"]
    date = pd.to_datetime(frame["date"])
    frame = frame.assign(last=words.shift(1), trials=before, mixed=(yes > 0) & (yes < before))
    frame["age"], frame["years"] = (date - date.groupby(frame["word"]).shift(1)).dt.days, years(date)
    frame = frame[before > 0].reset_index(drop=True)
    frame = pd.concat([frame, rarity(lexicon, frame["word"])], axis=1).assign(last=frame["last"].astype(bool))
    return frame.assign(agreed=frame["accepted"] == frame["last"])[["date", "last", "agreed", *COLUMNS]]


def fit(paired: pd.DataFrame) -> dict[bool, tuple[float, ...]]:
    """Fit the weights to rows of `pairs`."""
    found = {}
    for side in (True, False):
        frame = paired[paired["last"] == side]
        if frame["agreed"].nunique() < 2:
            found[side] = (SURE, *[0.0] * len(COLUMNS))
            continue
        frame = frame.assign(age=np.log1p(frame["age"]), trials=np.log1p(frame["trials"]))
        made = logistic.fit(frame[list(COLUMNS)].to_numpy(np.float32), frame["agreed"].to_numpy(), ridge=1.0)
        found[side] = tuple(round(float(weight), 4) for weight in (made.constant, *made.weights))
    return found


def measure(paired: pd.DataFrame, weights: Weights = STAYS) -> pd.DataFrame:
    """Compare p with the outcomes in rows of `pairs`, by kinds of records: columns last, record, words, trials,
    promised, agreed (shares)."""
    kinds = {
        "last": paired["last"].map({True: "accepted", False: "refused"}),
        "record": _named(paired["trials"], FEW),
        "words": (paired["zipf"] >= COMMON).map({True: "common", False: "rare"}),
    }
    frame = pd.DataFrame({**kinds, "agreed": paired["agreed"]})
    frame["promised"] = agreed(paired["last"], {name: paired[name] for name in COLUMNS}, weights)
    groups = frame.groupby(list(kinds))
    return groups.agg(trials=("agreed", "size"), promised=("promised", "mean"), agreed=("agreed", "mean")).reset_index()


def reliability(paired: pd.DataFrame, cutoff: str) -> pd.DataFrame:
    """Compare what weights fitted before a cutoff promise with the outcomes from then on: columns as in `measure`."""
    early = paired["date"] < cutoff
    return measure(paired[~early], fit(paired[early]))
