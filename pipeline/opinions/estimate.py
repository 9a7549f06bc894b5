"""Estimates the probability that the editor accepts a word that was never possible in a puzzle.

The model is a logistic regression on the last trial of every tried word, in two fits. The first fit uses attributes of
the word and its bases (`word_features`, `base_features`). The second fit also uses how much the outcomes of its
relatives differed from the first fit (`relative_features`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import is_common
from pipeline.opinions import families, logistic, model, reasons, relatives
from pipeline.opinions.features import grade_features, own_list_features, word_features
from pipeline.opinions.logistic import Array, Matrix
from pipeline.opinions.model import Model
from pipeline.tables import columns, frames
from pipeline.words import LIKELY, UNSAFE_FLAGS

CHUNK = 10_000
"""The number of rows that are processed at once for features, to limit memory use."""


@dataclass(frozen=True, slots=True)
class EstimateInput:
    """The tables from which estimates are made: the lexicon, the forms of its words, its `links` and `sisters` (from
    `relatives`), the table `record`, and the `grades` of offensive words (as in the table `offensive_words`)."""

    lexicon: pd.DataFrame
    forms: pd.DataFrame
    links: pd.DataFrame
    sisters: pd.DataFrame
    record: pd.DataFrame
    grades: pd.DataFrame


def estimate_input(
    lexicon: pd.DataFrame, forms: pd.DataFrame, record: pd.DataFrame, grades: pd.DataFrame | None = None
) -> EstimateInput:
    """Return the input for a lexicon, with the relatives of its words. Without `grades`, no word counts as
    offensive."""
    return EstimateInput(
        lexicon=lexicon,
        forms=forms,
        links=relatives.links(lexicon, forms),
        sisters=relatives.sisters(lexicon, forms),
        record=record,
        grades=frames.empty("offensive_words") if grades is None else grades,
    )


def fit(data: EstimateInput) -> Model:
    """Return the model fitted to the record. It has no rows if no word was accepted or no word was refused, because
    then there is nothing to learn from."""
    outcomes = _last_outcomes(data)
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
    return model.from_fits(features.names, first, second)


def estimate(data: EstimateInput, fitted: Model, words: pd.Series, explained: bool = True) -> pd.DataFrame:
    """Return the estimates for those of the `words` that have no trial: columns word, p (two decimals), kind
    (one of `words.KINDS_BY_P`), because (as in `reasons`; empty unless they are `explained`).

    Raises DataError if the weights are not those of the features."""
    lexicon = data.lexicon
    untried = words[~columns.is_in(words, data.record["word"])]
    rows = np.flatnonzero(columns.is_in(lexicon["word"], untried))
    if not len(rows):
        return frames.empty("estimates")
    if fitted.weights.empty:
        unlearned = pd.DataFrame({"word": lexicon["word"].iloc[rows], "p": 0.3, "kind": "unlearned"})
        return frames.check(unlearned.assign(because="nothing to learn from yet"), "estimates")
    p, scores, usual = _p_and_scores(data, fitted, rows)
    because = _reasons(data, rows, p, scores, usual) if explained else [""] * len(rows)
    words_of_rows = lexicon["word"].iloc[rows]
    estimates = pd.DataFrame({"word": words_of_rows, "p": p, "kind": "estimate", "because": because})
    return frames.check(estimates, "estimates")


def _p_and_scores(data: EstimateInput, fitted: Model, rows: columns.Numbers) -> tuple[Array, Array, Array]:
    """Return p and the `reasons.group_scores` of the words in some rows of the lexicon, and the scores of the mean
    tried word."""
    attributes = _attributes(data)
    surprise = _surprise(data, attributes, fitted, _last_outcomes(data))
    features = _with_relatives(attributes, data, surprise)
    fitted.require_names(features.names)
    weights, constant = fitted.weights_of(features.names, "relatives")
    p, scores = np.empty(len(rows)), np.empty((len(rows), len(reasons.TOLD)))
    for start in range(0, len(rows), CHUNK):
        chunk = slice(start, start + CHUNK)
        table = features.take(rows[chunk]).astype(np.float64)
        p[chunk] = logistic.logistic(table @ weights + constant)
        scores[chunk] = reasons.group_scores(features.names, weights, table)
    usual = reasons.group_scores(features.names, weights, fitted.means_of(features.names))
    return p.round(2), scores, usual


def _reasons(data: EstimateInput, rows: columns.Numbers, p: Array, scores: Array, usual: Array) -> list[str]:
    """Return the reason for the p of each word in some rows of the lexicon; see `_p_and_scores`."""
    known = reasons.known_about(data.lexicon, rows, data.forms, data.record, data.grades)
    likely = scores[p >= LIKELY].mean(axis=0).round(1) if (p >= LIKELY).any() else usual
    because = []
    for start in range(0, len(rows), CHUNK):
        chunk = slice(start, start + CHUNK)
        because += reasons.because(scores[chunk], usual, likely, p[chunk], known.iloc[chunk])
    return because


def estimate_within_limits(data: EstimateInput, fitted: Model, words: pd.Series) -> pd.DataFrame:
    """Return the estimates of words without a reason, shared by families."""
    estimates = estimate(data, fitted, words, explained=False)
    unsafe = data.grades[columns.is_in(data.grades["flag"], UNSAFE_FLAGS)]
    return families.share(estimates, data.record, frames.empty("verdicts"), data.forms, data.lexicon, unsafe)


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


def _last_outcomes(data: EstimateInput) -> Array:
    """Return the outcome of the last trial of each word of the lexicon: 1, 0, or NaN if it has no trial."""
    accepted_last = data.record["last_accepted"] > data.record["last_refused"]
    outcome = pd.Series(accepted_last.astype(float).tolist(), index=data.record["word"])
    return columns.look_up(data.lexicon["word"], outcome, np.nan).to_numpy(dtype=np.float64)


def _training_rows(data: EstimateInput, outcomes: Array) -> columns.Numbers:
    """Return the rows of the tried words from which the model learns: those that a list has as common words."""
    return np.flatnonzero(~np.isnan(outcomes) & is_common(data.lexicon).to_numpy(dtype=bool))


def _attributes(data: EstimateInput) -> FeatureTable:
    """Return the features of the first fit, which do not depend on the record."""
    grades = _in_group("grade", grade_features(data.lexicon, data.grades))
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
