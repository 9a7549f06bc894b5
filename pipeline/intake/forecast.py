"""Forecasts: the estimates at the beginning of a month, made once and kept for the rest of the month."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pandas as pd

from pipeline import reader
from pipeline.facts.evidence import Evidence
from pipeline.facts.lexicon import is_common, is_in_a_list
from pipeline.opinions import estimate, flag
from pipeline.opinions.model import Model, encode
from pipeline.tables import frames
from pipeline.words import LIKELY, UNSAFE_FLAGS

SMALLEST = 0.01
"""Estimates below this are not stored; they count as `1 - track.SUREST`."""

MONTHS = 2
"""The number of forecasts that are kept: those of the months that may still change (`checkpoint.OPEN`)."""

Forecast = Callable[[str, str, Callable[[], Evidence]], Mapping[str, float]]
"""A function that returns the p of words. Its parameters are the first day of a month, a digest of everything that was
counted before it, and a function that returns that evidence."""


def probabilities(
    lexicon: pd.DataFrame, grades: pd.DataFrame, record: pd.DataFrame, model: Model | None
) -> dict[str, float]:
    """Return the p of every word without a record, from the table of `estimated`, if it is at least `SMALLEST`."""
    estimates = estimated(lexicon, grades, record, model)
    stored = estimates[estimates["p"] >= SMALLEST]
    return dict(zip(stored["word"].tolist(), stored["p"].tolist(), strict=True))


def estimated(
    lexicon: pd.DataFrame, grades: pd.DataFrame, record: pd.DataFrame, model: Model | None = None
) -> pd.DataFrame:
    """Return the estimates of all words without a record; words with `UNSAFE_FLAGS` grades stay off the list.

    Without a model, one is fitted. A word that is in no list and was never accepted was not known then, so it gets no
    estimate. Columns: word, p, basis, kind.
    """
    accepted_words = set(record["word"][record["accepted"] > 0])
    known_lexicon = lexicon[is_in_a_list(lexicon) | lexicon["word"].isin(accepted_words)].reset_index(drop=True)
    common_words = set(known_lexicon["word"][is_common(known_lexicon)].tolist())
    offensive_words = flag.offensive_words(known_lexicon, grades)
    known = estimate.estimate_input(known_lexicon, record, offensive_words)
    words = pd.Series(sorted(common_words | accepted_words))
    estimates = estimate.estimate_within_limits(known, model or estimate.fit(known), words)
    unsafe = estimates["word"].isin(offensive_words["word"][offensive_words["flag"].isin(UNSAFE_FLAGS)])
    below_the_list = estimates["p"].clip(upper=LIKELY - 0.01)
    return estimates.assign(p=estimates["p"].mask(unsafe, below_the_list))


@dataclass
class Forecasts:
    """The forecasts of months: those that the last merge stored, and new ones.

    The model is used for months after the record that it was fitted on. For an earlier month, which a rebuild counts
    again, a model is fitted on what was known before that month, so that no day is forecast from itself.

    `grades` are those that people gave, and `stored` is the table `forecasts` of the last merge.
    """

    lexicon: pd.DataFrame
    grades: pd.DataFrame
    stored: pd.DataFrame
    model: Model
    used: dict[str, Mapping[str, float]] = field(default_factory=dict)

    def probabilities(self, first_of_month: str, digest: str, evidence: Callable[[], Evidence]) -> Mapping[str, float]:
        """Return the p of words at the beginning of a month; see `Forecast`."""
        fitted_until = max(self.model.covered, default="9999")
        model = self.model if first_of_month > fitted_until else None
        weights_digest = reader.sha256(encode(model)) if model else ""
        key = reader.sha256(f"{first_of_month} {digest} {self._lists_digest} {weights_digest}".encode())
        if key not in self.used:
            if len(self.used) == MONTHS:
                oldest = next(iter(self.used))
                del self.used[oldest]
            of_month = self.stored[self.stored["key"] == key]
            if len(of_month):
                self.used[key] = dict(zip(of_month["word"].tolist(), of_month["p"].tolist(), strict=True))
            else:
                self.used[key] = probabilities(self.lexicon, self.grades, evidence().record, model)
        return self.used[key]

    @functools.cached_property
    def _lists_digest(self) -> str:
        """A digest of the lists and grades, without other words, so that a new word does not change a forecast."""
        words_of_lists = self.lexicon[is_in_a_list(self.lexicon)]
        return reader.sha256(words_of_lists.to_parquet(index=False) + self.grades.to_parquet(index=False))

    def table(self) -> pd.DataFrame:
        """Return the table `forecasts`: the last `MONTHS` that were used, or else those that were stored."""
        if not self.used:
            return self.stored
        months = [
            pd.DataFrame({"key": key, "word": list(forecast), "p": list(forecast.values())})
            for key, forecast in self.used.items()
        ]
        return frames.check(pd.concat([frames.empty("forecasts"), *months]), "forecasts")
