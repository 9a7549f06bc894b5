"""Forecasts: the estimates at the beginning of a month, made once and kept for the rest of the month."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import pandas as pd

from pipeline import reader
from pipeline.facts.evidence import Evidence
from pipeline.facts.lexicon import listed, plain
from pipeline.opinions import estimate, flag
from pipeline.opinions import model as modeling
from pipeline.opinions.model import Model
from pipeline.tables import frames
from pipeline.words import LIKELY, NEVER_LISTED

SMALLEST = 0.01
"""Estimates below this are not stored; they count as `1 - track.SUREST`."""

MONTHS = 2
"""The number of forecasts that are kept: those of the months that may still change (`checkpoint.OPEN`)."""

Forecast = Callable[[str, str, Callable[[], Evidence]], Mapping[str, float]]
"""A function that makes the estimates from the first day of a month, a digest of everything counted before, and a
function that returns it."""


def probabilities(
    lexicon: pd.DataFrame, offensive: pd.DataFrame, record: pd.DataFrame, model: Model | None
) -> dict[str, float]:
    """Return the p of every word without a record, from the table of `estimated`, if it is at least `SMALLEST`."""
    found = estimated(lexicon, offensive, record, model)
    return {word: p for word, p in zip(found["word"].tolist(), found["p"].tolist(), strict=True) if p >= SMALLEST}


def estimated(
    lexicon: pd.DataFrame, offensive: pd.DataFrame, record: pd.DataFrame, model: Model | None = None
) -> pd.DataFrame:
    """Estimate every word without a record; `NEVER_LISTED` grades stay off the list. Without a model, one is fitted.

    A word that is in no list and not in the record was not known then and gets no estimate. Columns: word, p, basis,
    kind.
    """
    met = set(record["word"][record["accepted"] > 0])
    known = lexicon[listed(lexicon) | lexicon["word"].isin(met)].reset_index(drop=True)
    words = pd.Series(sorted(set(known["word"][plain(known)]) | met))
    flags = flag.flag(known, offensive)
    about = estimate.estimate_input(known, record, flag.offensive_words(flags))
    estimates = estimate.estimate_within_limits(about, model or estimate.fit(about), words)
    never = flags["word"][flags["flag"].isin(NEVER_LISTED)]
    unlisted = estimates["word"].isin(never)
    return estimates.assign(p=estimates["p"].mask(unlisted, estimates["p"].clip(upper=LIKELY - 0.01)))


def forecaster(
    lexicon: pd.DataFrame,
    offensive: pd.DataFrame,
    kept: pd.DataFrame,
    used: dict[str, Mapping[str, float]],
    model: Model,
) -> Forecast:
    """Return the function that makes forecasts; `kept` are those of the last merge, and the last `MONTHS` new ones stay
    in `used`.

    The `model` is used for months after the record that it was fitted on. For an earlier month, which a rebuild
    counts again, one is fitted on what was known before, so that no day is forecast from itself.
    """
    fitted = max(model.covered, default="9999")

    @functools.cache
    def lists() -> str:
        tables = (lexicon, offensive) if len(lexicon) else ()
        return reader.sha256(b"".join(table.to_parquet(index=False) for table in tables))

    def forecast(month: str, counted: str, record: Callable[[], Evidence]) -> Mapping[str, float]:
        now = model if month > fitted else None
        weights = reader.sha256(modeling.encode(now)) if now else ""
        key = reader.sha256(f"{month} {counted} {lists()} {weights}".encode())
        if key not in used:
            known = kept[kept["key"] == key]
            found = dict(zip(known["word"].tolist(), known["p"].tolist(), strict=True))
            while len(used) >= MONTHS:
                del used[next(iter(used))]
            used[key] = found or probabilities(lexicon, offensive, record().record, now)
        return used[key]

    return forecast


def table(used: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Return forecasts as the table `forecasts`."""
    tables = [pd.DataFrame({"key": key, "word": list(found), "p": list(found.values())}) for key, found in used.items()]
    return frames.check(pd.concat([frames.empty("forecasts"), *tables]), "forecasts")
