"""Estimates: the probability that the editor accepts a word that was never possible in a puzzle.

The model is a logistic regression, fitted on the last trial of every tried word in two fits. The first uses attributes
of the word and its bases (`features`, `relatives.standing`). The second also uses how much the outcomes of its
relatives differed from the first fit (`relatives.record`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.facts.lexicon import plain
from pipeline.opinions import basis, features, logistic, origins, phrases, relatives, tried_relatives
from pipeline.opinions import model as modeling
from pipeline.opinions.logistic import Array, Matrix
from pipeline.opinions.model import Model
from pipeline.opinions.word_relations import share, word_relations
from pipeline.tables import columns, frames

CHUNK = 20_000
"""The number of rows processed at once for features, so that memory stays small."""


@dataclass(frozen=True, slots=True)
class Known:
    """What estimates are made from: the lexicon, its `links` and `same_stem` from `relatives`, the table `evidence`,
    and the offensive words with their `grades`, as in the table `offensive_words`."""

    lexicon: pd.DataFrame
    links: pd.DataFrame
    same_stem: pd.DataFrame
    evidence: pd.DataFrame
    grades: pd.DataFrame


def known(lexicon: pd.DataFrame, evidence: pd.DataFrame, grades: pd.DataFrame | None = None) -> Known:
    """Link the words of a lexicon; without `grades`, no word counts as offensive."""
    graded = frames.empty("offensive_words") if grades is None else grades
    return Known(lexicon, relatives.links(lexicon), relatives.same_stem(lexicon), evidence, graded)


def fit(known: Known) -> Model:
    """Fit the model to the record; without words on both sides there is nothing to learn from, and it has no rows."""
    outcomes = _outcomes(known)
    yes, told = outcomes == 1, _told(known, outcomes)
    if len(set(yes[told])) < 2:
        return modeling.NONE
    about = _attributes(known)
    own = about.rows(told)
    first = logistic.fit(own, yes[told])
    surprise = np.where(yes, 1.0, 0.0)
    surprise[told] -= logistic.logistic(own.astype(np.float64) @ first.weights + first.constant)
    about = about.with_columns(_grouped("relatives", _record(known, surprise)))
    second = logistic.fit(np.hstack([own, about.last(told)]), yes[told], first.standardized)
    return modeling.made(about.names, first, second)


def fit_added(known: Known, model: Model) -> Model:
    """Fit only the columns of attributes that a model lacks, and leave its other weights as they are, so that only
    the words change that have something in these columns."""
    outcomes, about = _outcomes(known), _attributes(known)
    yes, told = outcomes == 1, _told(known, outcomes)
    added = [at for at, name in enumerate(about.names) if name not in set(model.weights["name"])]
    if model.weights.empty or not added:
        return model
    rows = about.rows(told)
    fits: list[logistic.Fit] = []
    for which in ("attributes", "relatives"):
        if which == "relatives":
            found = modeling.with_columns(model, [about.names[at] for at in added], fits[0], fits[0])
            about = about.with_columns(_grouped("relatives", _record(known, _surprise(known, found, outcomes))))
        weights, constant = model.of(about.names, which)
        told_so_far = about.rows(told).astype(np.float64) @ weights + constant
        fits.append(logistic.fit(rows[:, added], yes[told], offset=told_so_far))
    return modeling.with_columns(model, [about.names[at] for at in added], *fits)


def estimate(known: Known, model: Model, words: pd.Series) -> pd.DataFrame:
    """Estimate p for the `words` without a trial: columns word, p (two decimals), basis, kind (of `words.BY_P`)."""
    lexicon, words = known.lexicon, words[~columns.among(words, known.evidence["word"])]
    wanted = np.flatnonzero(columns.among(lexicon["word"], words))
    if model.weights.empty or not len(wanted):
        unlearned = pd.DataFrame({"word": lexicon["word"].iloc[wanted], "p": 0.3, "basis": "nothing to learn from yet"})
        unlearned["kind"] = "unlearned"
        return frames.check(unlearned, "estimates") if len(wanted) else frames.empty("estimates")
    about, surprise = _attributes(known), _surprise(known, model, _outcomes(known))
    about = about.with_columns(_grouped("relatives", _record(known, surprise)))
    origin = origins.origins(lexicon, known.links)
    tried = _tried_relatives(known, model, surprise, origin, wanted)
    chunks = []
    for at in range(0, len(wanted), CHUNK):
        rows = wanted[at : at + CHUNK]
        facts = phrases.facts(lexicon, rows, origin, tried.iloc[at : at + CHUNK])
        facts["grade"] = columns.look_up(facts["word"], known.grades.set_index("word")["flag"], "")
        chunks.append(_applied(about, model, rows, facts))
    frame = pd.concat(chunks, ignore_index=True)
    return frames.check(frame.assign(p=frame["p"].round(2)), "estimates")


def limited(known: Known, model: Model, words: pd.Series) -> pd.DataFrame:
    """Estimate p like `estimate`, limited by the record of other forms and spellings, and shared by families."""
    relations = word_relations(known.lexicon, known.links)
    return share(estimate(known, model, words), known.evidence, frames.empty("verdicts"), relations)


def _applied(about: _Table, model: Model, rows: columns.Numbers, facts: phrases.Facts) -> pd.DataFrame:
    """Return the p of some rows and its basis: columns word, p, kind, basis; `facts` are about these rows."""
    weights, constant = model.of(about.names, "relatives")
    kinds = basis.grouped(about.names)
    weighted = np.zeros((len(weights), len(kinds)))
    for column, places in enumerate(kinds.values()):
        weighted[places, column] = weights[places]
    described = about.rows(rows).astype(np.float64)
    p = logistic.logistic(described @ weights + constant)
    pulls = (described @ weighted - model.usual(about.names) @ weighted).round(9)
    because = basis.basis(pulls, list(kinds), p, facts)
    return pd.DataFrame({"word": facts["word"].to_numpy(), "p": p, "kind": "estimate", "basis": because})


def _tried_relatives(
    known: Known, model: Model, surprise: Array, origin: origins.Origins, rows: columns.Numbers
) -> pd.DataFrame:
    """Name the tried words whose records raise and lower the p of the words in some rows most."""
    influences = relatives.influences(known.links, known.same_stem, surprise, known.lexicon)
    pairs = tried_relatives.voices(influences, origin)
    pairs += tried_relatives.compounds_alike(origin, surprise)
    weights, _ = model.of([f"relatives: {voice.relation}" for voice in pairs], "relatives")
    return tried_relatives.named(pairs, weights, known.lexicon["word"], rows)


def _surprise(known: Known, model: Model, outcomes: Array) -> Array:
    """Return how much the outcome of each tried word differs from the p that its attributes alone give it."""
    yes, told = outcomes == 1, _told(known, outcomes)
    about, surprise = _attributes(known), np.where(yes, 1.0, 0.0)
    weights, constant = model.of(about.names, "attributes")
    for at in range(0, len(told), CHUNK):
        rows = told[at : at + CHUNK]
        surprise[rows] -= logistic.logistic(about.rows(rows).astype(np.float64) @ weights + constant)
    return surprise


def _outcomes(known: Known) -> Array:
    """Return the outcome of the last trial of each word of the lexicon: 1, 0, or NaN if there was none."""
    evidence = known.evidence
    last = pd.Series((evidence["last_accepted"] > evidence["last_rejected"]).astype(float).tolist(), evidence["word"])
    return columns.look_up(known.lexicon["word"], last, np.nan).to_numpy(dtype=np.float64)


def _told(known: Known, outcomes: Array) -> columns.Numbers:
    """Return the rows of the tried words from which the model learns: those that are common words of a list."""
    return np.flatnonzero(~np.isnan(outcomes) & plain(known.lexicon).to_numpy(dtype=bool))


def _attributes(known: Known) -> _Table:
    own_lists = [marks for marks in (features.own(known.lexicon),) if len(marks.columns)]
    graded = _grouped("grade", features.graded(known.lexicon, known.grades))
    return _Table(known.lexicon, *own_lists, graded, _grouped("base", relatives.standing(known.lexicon, known.links)))


def _record(known: Known, surprise: Array) -> pd.DataFrame:
    return relatives.record(known.links, known.same_stem, surprise, known.lexicon)


def _grouped(group: str, table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns=lambda name: f"{group}: {name}")


class _Table:
    """The features of each word, one row per word of the lexicon; its own attributes are computed on demand."""

    def __init__(self, lexicon: pd.DataFrame, *more: pd.DataFrame):
        self.lexicon, self.more = lexicon, more
        self.names = [*features.features(lexicon.iloc[:1]).columns, *(name for table in more for name in table.columns)]

    def with_columns(self, table: pd.DataFrame) -> _Table:
        """Return the table with additional columns at its end."""
        return _Table(self.lexicon, *self.more, table)

    def rows(self, rows: columns.Numbers) -> Matrix:
        """Return some rows with all their columns."""
        own = features.features(self.lexicon.iloc[rows].reset_index(drop=True)).to_numpy()
        return np.hstack([own, *(table.to_numpy()[rows] for table in self.more)])

    def last(self, rows: columns.Numbers) -> Matrix:
        """Return some rows of the columns that were added last."""
        return np.asarray(self.more[-1].to_numpy()[rows])
