"""Constancy: how likely the next trial of a tried word has the same outcome as its last one, by the kind of its record.

The last trial decides; this gives its reliability. The shares were measured over all official puzzles up to 2025, and
`bee backtest` measures them again on the puzzles on disk. They are constants here, because a clone without an archive
has the record of each word but not the order of its trials.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from pipeline.tables import frames

AGES = {"within a year": 365, "1 to 2 years ago": 730, "over 2 years ago": 99_999}
"""Ages of a last trial, each with its maximum in days."""

AGREED: dict[tuple[str, str, str], float] = {
    ("accepted", "pure", "within a year"): 0.9987,
    ("accepted", "pure", "1 to 2 years ago"): 0.9872,
    ("accepted", "pure", "over 2 years ago"): 0.9756,
    ("accepted", "mixed", "within a year"): 0.9941,
    ("accepted", "mixed", "1 to 2 years ago"): 0.9436,
    ("accepted", "mixed", "over 2 years ago"): 0.9200,
    ("refused", "pure", "within a year"): 0.9994,
    ("refused", "pure", "1 to 2 years ago"): 0.9971,
    ("refused", "pure", "over 2 years ago"): 0.9946,
    ("refused", "mixed", "within a year"): 0.9895,
    ("refused", "mixed", "1 to 2 years ago"): 0.9139,
    ("refused", "mixed", "over 2 years ago"): 0.8714,
}
"""The share of trials that agreed with the previous one: by its outcome, by whether all trials up to it had the same
outcome (pure) or not (mixed), and by its age."""


def agreed(accepted: bool, pure: bool, days: int) -> float:
    """Return how often the next trial agreed with a last one of this outcome, record and age in days.

    >>> agreed(True, True, 365), agreed(True, True, 366), agreed(False, False, 731)
    (0.9987, 0.9872, 0.8714)
    """
    age = next(name for name, most in AGES.items() if days <= most)
    return AGREED["accepted" if accepted else "refused", "pure" if pure else "mixed", age]


def estimate(record: pd.DataFrame, covered: Collection[str]) -> pd.DataFrame:
    """Return for each tried word the probability that its next trial accepts it: columns word, p (two decimals), basis.

    `record` is the table `evidence`; the age of a trial is counted up to the last of the dates `covered`.
    """
    if record.empty:
        return frames.empty("estimates")
    yes = record["last_accepted"] > record["last_rejected"]
    last = record["last_accepted"].where(yes, record["last_rejected"])
    days = (pd.Timestamp(max(covered, default=max(last))) - pd.to_datetime(last)).dt.days
    kinds = pd.DataFrame(
        {
            "side": yes.map({True: "accepted", False: "refused"}),
            "record": _purity(record["accepted"], record["offered"]),
            "age": _ages(days),
        }
    )
    agreed = pd.MultiIndex.from_frame(kinds).map(AGREED).to_numpy(dtype=np.float64)
    frame = pd.DataFrame({"word": record["word"], "p": np.where(yes, agreed, 1 - agreed).round(2)})
    frame["kind"] = "record"
    frame["basis"] = "record " + kinds["record"] + ", last " + kinds["side"] + " " + kinds["age"]
    return frames.check(frame, "estimates")


def _ages(days: pd.Series) -> pd.Series:
    """Return the name of an age in days.

    >>> _ages(pd.Series([0, 365, 366, 730, 731])).tolist()[1:]
    ['within a year', '1 to 2 years ago', '1 to 2 years ago', 'over 2 years ago']
    """
    names = np.array(list(AGES))
    return pd.Series(names[np.searchsorted(list(AGES.values()), days.to_numpy())], days.index, dtype="str")


def _purity(accepted: pd.Series, offered: pd.Series) -> pd.Series:
    return ((accepted == 0) | (accepted == offered)).map({True: "pure", False: "mixed"})


def pairs(trials: pd.DataFrame) -> pd.DataFrame:
    """Pair each trial of a word with the previous one: columns date, side, record, age (of the record), agreed."""
    frame = trials.sort_values(["word", "date"], ignore_index=True)
    words = frame.groupby("word")["accepted"]
    before = words.cumcount()
    frame = frame.assign(last=words.shift(1), before=before, yes=words.cumsum() - frame["accepted"])
    frame["days"] = (pd.to_datetime(frame["date"]) - pd.to_datetime(frame.groupby("word")["date"].shift(1))).dt.days
    frame = frame[before > 0]
    table = pd.DataFrame({"date": frame["date"], "side": frame["last"].map({True: "accepted", False: "refused"})})
    table["record"] = _purity(frame["yes"], frame["before"])
    table["age"] = _ages(frame["days"])
    table["agreed"] = frame["accepted"] == frame["last"]
    return table


def measure(paired: pd.DataFrame) -> pd.DataFrame:
    """Measure how often a trial agrees with the previous one: columns side, record, age, trials, agreed (share).

    `paired` are rows of `pairs`. The rows of the result are the kinds of `AGREED` in its order, if there are such
    trials.
    """
    counted = paired.groupby(["side", "record", "age"])["agreed"].agg(trials="size", agreed="mean").reset_index()
    places = {kind: at for at, kind in enumerate(AGREED)}
    kinds = counted[["side", "record", "age"]].itertuples(index=False, name=None)
    return counted.iloc[np.argsort([places[kind] for kind in kinds])].reset_index(drop=True)


def reliability(trials: pd.DataFrame, cutoff: str) -> pd.DataFrame:
    """Compare the share of each kind before a cutoff with the share from then on.

    Columns side, record, age, trials (later ones), promised, agreed. A kind that does not occur on both sides is left
    out.
    """
    paired = pairs(trials)
    early = paired["date"] < cutoff
    before, after = measure(paired[early]), measure(paired[~early])
    promised = before.rename(columns={"agreed": "promised"}).drop(columns="trials")
    return after.merge(promised, on=["side", "record", "age"])[
        ["side", "record", "age", "trials", "promised", "agreed"]
    ]
