"""Estimates the probability that the editor accepts a word that was never possible in a puzzle.

The model is a logistic regression on the last trial of every tried word, in two fits. The first fit uses attributes of
the word and its bases (`word_features`, `base_features`). The second fit also uses how much the outcomes of its
relatives differed from the first fit (`relative_features`). The score of a word with letters that puzzles rarely have
together moves toward that of tried words that are as common. For a word that readers judged, a third fit, to the tried
ones of these words, weighs its score against their opinion (`opinion_features`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import is_common
from pipeline.opinions import families, logistic, model, relatives
from pipeline.opinions.features import (
    SCORE,
    UNLISTED,
    band_numbers,
    grade_features,
    opinion_features,
    own_list_features,
    word_features,
)
from pipeline.opinions.logistic import Array, Fit, Matrix
from pipeline.opinions.model import Model
from pipeline.tables import columns, frames

CHUNK = 10_000
"""The number of rows that are processed at once for features, to limit memory use."""
CAUTION = 0.3
"""How far the score of a word out of play moves toward that of tried words. For 11 kinds of tried words, such as those
in -ing, each estimated from the others, the log loss is .281 with it and .285 without it (docs/ACCURACY.md)."""


@dataclass(frozen=True, slots=True)
class EstimateInput:
    """The tables from which estimates are made: the lexicon, the forms of its words, its `links` and `sisters` (from
    `relatives`), and the tables `record` and `offensive_words`."""

    lexicon: pd.DataFrame
    forms: pd.DataFrame
    links: pd.DataFrame
    sisters: pd.DataFrame
    record: pd.DataFrame
    offensive_words: pd.DataFrame


def estimate_input(
    lexicon: pd.DataFrame, forms: pd.DataFrame, record: pd.DataFrame, offensive_words: pd.DataFrame | None = None
) -> EstimateInput:
    """Return the input for a lexicon, with the relatives of its words. Without `offensive_words`, no word counts as
    offensive."""
    return EstimateInput(
        lexicon=lexicon,
        forms=forms,
        links=relatives.links(lexicon, forms),
        sisters=relatives.sisters(lexicon, forms),
        record=record,
        offensive_words=frames.empty("offensive_words") if offensive_words is None else offensive_words,
    )


def fit(data: EstimateInput) -> Model:
    """Return the model fitted to the record. It has no rows if no word was accepted or no word was refused, because
    then there is nothing to learn from."""
    outcomes = last_outcomes(data)
    rows = _training_rows(data, outcomes)
    accepted = outcomes[rows] == 1
    if accepted.all() or not accepted.any():
        return model.EMPTY
    features = _attributes(data)
    attributes = features.take(rows)
    first = logistic.fit(attributes, accepted)
    surprise = np.where(outcomes == 1, 1.0, 0.0)
    surprise[rows] -= logistic.logistic(attributes.astype(np.float64) @ first.weights + first.constant)
    features = _with_relatives(features, data, surprise)
    second = logistic.fit(features.take(rows), accepted)
    return model.from_fits(features.names, first, second, _fit_opinions(data, features, second, outcomes))


def _fit_opinions(data: EstimateInput, features: FeatureTable, fit: Fit, outcomes: Array) -> pd.Series:
    """Return the weights of `opinion_features`, fitted to the tried words that readers judged, with the constant in
    those of the opinions. If there is nothing to learn from, opinions change nothing."""
    rows = np.flatnonzero((data.lexicon["opinion"] != "").to_numpy(dtype=bool) & ~np.isnan(outcomes))
    scores = features.take(rows).astype(np.float64) @ fit.weights + fit.constant
    table = opinion_features(data.lexicon.iloc[rows], scores)
    accepted = outcomes[rows] == 1
    if accepted.all() or not accepted.any():
        return pd.Series(0.0, table.columns).where(table.columns != SCORE, 1.0)
    fitted = logistic.fit(table.to_numpy(), accepted, ridge=1.0)
    names = table.columns
    return pd.Series(fitted.weights + np.where(names.isin([SCORE, UNLISTED]), 0.0, fitted.constant), names)


def estimate(data: EstimateInput, fitted: Model, words: pd.Series) -> pd.DataFrame:
    """Return the table `estimates` for those of the `words` that have no trial, with p to two decimals.

    Raises DataError if the weights are not those of the features."""
    lexicon = data.lexicon
    untried = words[~columns.is_in(words, data.record["word"])]
    rows = np.flatnonzero(columns.is_in(lexicon["word"], untried))
    if not len(rows):
        return frames.empty("estimates")
    if fitted.weights.empty:
        unlearned = pd.DataFrame({"word": lexicon["word"].iloc[rows], "p": 0.3, "kind": "unlearned"})
        return frames.check(unlearned, "estimates")
    p = _p(data, fitted, rows).round(2)
    return frames.check(pd.DataFrame({"word": lexicon["word"].iloc[rows], "p": p, "kind": "estimate"}), "estimates")


def _p(data: EstimateInput, fitted: Model, rows: columns.Numbers) -> Array:
    """Return p of the words in some rows of the lexicon."""
    attributes = _attributes(data)
    outcomes = last_outcomes(data)
    surprise = _surprise(data, attributes, fitted, outcomes)
    features = _with_relatives(attributes, data, surprise)
    fitted.require_names([*features.names, *opinion_features(data.lexicon[:0], []).columns])
    chunks = [rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK)]
    scores = np.concatenate([_scores(features, chunk, fitted, "relatives") for chunk in chunks])
    is_rare = ~columns.in_play(data.lexicon["word"].iloc[rows])
    scores[is_rare] += CAUTION * (scores_by_rarity(data.lexicon, outcomes)[rows] - scores)[is_rare]
    judged = np.flatnonzero(data.lexicon["opinion"].iloc[rows] != "")
    opinions = opinion_features(data.lexicon.iloc[rows[judged]], scores[judged])
    weights, _ = fitted.weights_of(opinions.columns.tolist(), "relatives")
    scores[judged] = opinions.to_numpy(dtype=np.float64) @ weights
    return logistic.logistic(scores)


def estimate_and_share(data: EstimateInput, fitted: Model, words: pd.Series) -> pd.DataFrame:
    """Return the estimates of words, shared by families."""
    estimates = estimate(data, fitted, words)
    return families.share(estimates, data.record, frames.empty("verdicts"), data.forms, data.lexicon)


def _surprise(data: EstimateInput, attributes: FeatureTable, fitted: Model, outcomes: Array) -> Array:
    """Return by how much the outcome of each tried word differs from the p that its attributes alone give it."""
    rows = _training_rows(data, outcomes)
    surprise = np.where(outcomes == 1, 1.0, 0.0)
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        surprise[chunk] -= logistic.logistic(_scores(attributes, chunk, fitted, "attributes"))
    return surprise


def _scores(features: FeatureTable, rows: columns.Numbers, fitted: Model, which: str) -> Array:
    """Return the score of some rows with the weights of the first fit (`attributes`) or the second (`relatives`)."""
    weights, constant = fitted.weights_of(features.names, which)
    return np.asarray(features.take(rows).astype(np.float64) @ weights + constant)


def scores_by_rarity(lexicon: pd.DataFrame, outcomes: Array) -> Array:
    """Return the score of each word of the lexicon as a word of its SCOWL size (in either spelling) and frequency band,
    as if half a word more than the tried ones was accepted, and half a word more was refused. `outcomes` are those of
    `last_outcomes`."""
    size = lexicon[["scowl_size", "scowl_british"]].min(axis=1).to_numpy()
    of_kind = pd.Series(outcomes).groupby([size, band_numbers(lexicon["zipf"].to_numpy())])
    accepted, tried = of_kind.transform("sum"), of_kind.transform("count")
    return np.asarray(np.log((accepted + 0.5) / (tried - accepted + 0.5)), dtype=np.float64)


def last_outcomes(data: EstimateInput) -> Array:
    """Return the outcome of the last trial of each word of the lexicon: 1, 0, or NaN if it has no trial."""
    accepted_last = data.record["last_accepted"] > data.record["last_refused"]
    outcome = pd.Series(accepted_last.astype(float).tolist(), index=data.record["word"])
    return columns.look_up(data.lexicon["word"], outcome, np.nan).to_numpy(dtype=np.float64)


def _training_rows(data: EstimateInput, outcomes: Array) -> columns.Numbers:
    """Return the rows of the tried words from which the model learns: those that a list has as common words, whatever
    readers think of them."""
    is_in_list = is_common(data.lexicon.assign(opinion=""))
    return np.flatnonzero(~np.isnan(outcomes) & is_in_list.to_numpy(dtype=bool))


def _attributes(data: EstimateInput) -> FeatureTable:
    """Return the features of the first fit, which do not depend on the record."""
    grades = _in_group("grade", grade_features(data.lexicon, data.offensive_words))
    bases = _in_group("base", relatives.base_features(data.lexicon, data.links))
    own_lists = own_list_features(data.lexicon)
    if own_lists.empty:
        return FeatureTable(data.lexicon, [grades, bases])
    return FeatureTable(data.lexicon, [own_lists, grades, bases])


def _with_relatives(features: FeatureTable, data: EstimateInput, surprise: Array) -> FeatureTable:
    """Return the features of the first fit with those of the second: what the records of its relatives say about each
    word."""
    by_relation = relatives.relative_features(data.links, data.sisters, surprise)
    return FeatureTable(data.lexicon, [*features.tables, _in_group("relatives", by_relation)])


def _in_group(group: str, features: pd.DataFrame) -> pd.DataFrame:
    """Return features with the name of a group in front of their names."""
    return features.rename(columns=lambda name: f"{group}: {name}")


class FeatureTable:
    """The features of each word, one row per word of the lexicon.

    To save memory, a word's own attributes are computed only when its row is requested. The features in `tables` are
    computed in advance.
    """

    def __init__(self, lexicon: pd.DataFrame, tables: list[pd.DataFrame]):
        self.lexicon = lexicon
        self.tables = tables
        self.names = word_features(lexicon.iloc[:1]).columns.tolist()
        for table in tables:
            self.names += table.columns.tolist()

    def take(self, rows: columns.Numbers) -> Matrix:
        """Return the features in some rows, all columns."""
        attributes = word_features(self.lexicon.iloc[rows].reset_index(drop=True)).to_numpy()
        return np.hstack([attributes, *(table.to_numpy()[rows] for table in self.tables)])
