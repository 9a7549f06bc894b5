"""Estimates: how likely the editor accepts a word that was never possible in a puzzle.

A logistic regression on what the lists say of a word (`features`), on the record of its relatives (`relatives`) and,
for a pangram, on what else its letters spell. It is trained on the last trial of every tried word. A first fit gives
the estimates from which the letter-set features follow; those of tried words are cross-fitted, so that no word's own
record leaks into what it is learned from.

A word that would be out of the question on its own (below `DOUBTFUL`) is never taken because its letters have no better
pangram: it stays below `LIKELY`, in review, where a solver finds it when a puzzle has no other.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline import features, frames, relatives
from pipeline.lexicon import plain
from pipeline.words import mask

LIKELY = 0.5
"""From this p on a word is more likely right than wrong, so taking it lowers the expected number of errors. The
measured optimum lies between 0.42 and 0.56 and is flat."""
DOUBTFUL = 0.15
"""Below this p a word is not worth a person's minute: fewer than one in six would be accepted."""
STRENGTH = 0.05
"""The ridge penalty is half the squared weights (of scaled columns) over this; 0.01 to 0.3 differ little."""
PARTS = 4
"""Number of parts of the cross-fit; words with the same letters are always in one part."""
CHUNK = 20_000


def estimate(lexicon: pd.DataFrame, evidence: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    """Estimate p for those of `words` that have no trial: columns word, p (0 to 1, two decimals), basis."""
    common = plain(lexicon).to_numpy(dtype=bool)
    said = evidence.set_index("word")
    accepted = pd.Series(said["last_accepted"] > said["last_rejected"])
    yes = np.array(frames.look_up(lexicon["word"], accepted.astype(float), 0.0))
    no = np.array(frames.look_up(lexicon["word"], (~accepted).astype(float), 0.0)) * common
    tried = (yes + no > 0) & common
    wanted = lexicon["word"].isin(set(words) - set(evidence["word"])).to_numpy(dtype=bool)
    if not wanted.any():
        return frames.empty("estimates")
    if min(yes[tried].sum(), no[tried].sum()) == 0:
        return _unlearned(lexicon["word"][wanted])
    links = relatives.links(lexicon)
    related = relatives.record(links, relatives.stems(lexicon), yes, no)
    table = pd.concat([features.features(lexicon, links), related], axis=1)
    scale = _Scale(table.to_numpy()[tried])
    weights = logistic(scale(table.to_numpy()[tried]), yes[tried])
    first = _cross_fitted(scale, table.to_numpy(), weights, yes, tried, common, lexicon["word"])
    table = pd.concat([table, features.letter_set(lexicon["word"], first)], axis=1)
    scale = _Scale(table.to_numpy()[tried])
    weights = logistic(
        scale(table.to_numpy()[tried]), yes[tried], np.pad(weights, (0, table.shape[1] + 1 - len(weights)))
    )
    rows = np.flatnonzero(wanted)
    p = _p(scale, table.to_numpy()[rows], weights)
    p = np.where(first[rows] < DOUBTFUL, np.minimum(p, LIKELY - 0.01), p).round(2)
    basis = _basis(scale, table.to_numpy()[rows], weights, list(table.columns))
    return frames.check(pd.DataFrame({"word": lexicon["word"].to_numpy()[rows], "p": p, "basis": basis}), "estimates")


def _unlearned(words: pd.Series) -> pd.DataFrame:
    """Without both accepted and refused words there is nothing to learn; every word is as doubtful as the next."""
    return frames.check(pd.DataFrame({"word": words, "p": 0.3, "basis": "nothing to learn from yet"}), "estimates")


def logistic(known: np.ndarray, accepted: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Fit a logistic regression with a ridge penalty; return its constant and one weight a column.

    Newton's method (iteratively reweighted least squares: Hastie, Tibshirani and Friedman, The Elements of Statistical
    Learning, 4.4.1), halving a step that does not lower the loss, until the steps vanish: so every machine finds the
    same optimum to many more digits than are kept. `start` saves steps when the optimum is nearly known.
    """
    table = np.column_stack([np.ones(len(known)), known])
    penalty = np.full(table.shape[1], 1 / STRENGTH)
    penalty[0] = 1e-9
    weights = np.zeros(table.shape[1]) if start is None else start.astype(np.float64)

    def loss(weights: np.ndarray) -> float:
        score = table @ weights
        return float((np.logaddexp(0, score) - accepted * score).sum() + 0.5 * (penalty * weights**2).sum())

    now = loss(weights)
    for _ in range(50):
        p = _sigmoid(table @ weights)
        slope = table.T @ (p - accepted) + penalty * weights
        curve = (table * (p * (1 - p))[:, None]).T @ table + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        while (after := loss(weights - step)) > now + 1e-9 and np.abs(step).max() > 1e-9:
            step = step / 2
        weights, now = weights - step, after
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _sigmoid(score: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * score)))


class _Scale:
    """Bring columns to mean 0 and spread 1, as they are among the words that a model learns from."""

    def __init__(self, known: np.ndarray):
        self.mean = known.mean(axis=0, dtype=np.float64)
        self.spread = known.std(axis=0, dtype=np.float64) + 1e-3

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        return np.asarray((rows - self.mean) / self.spread)


def _p(scale: _Scale, table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the probability of each row; in parts, so that memory stays small."""
    parts = [weights[0] + scale(table[at : at + CHUNK]) @ weights[1:] for at in range(0, len(table), CHUNK)]
    return _sigmoid(np.concatenate(parts))


def _cross_fitted(
    scale: _Scale,
    table: np.ndarray,
    weights: np.ndarray,
    yes: np.ndarray,
    tried: np.ndarray,
    common: np.ndarray,
    words: pd.Series,
) -> np.ndarray:
    """Estimate all common words, the tried ones by models that did not see them; 0 for the others."""
    p = np.where(common, _p(scale, table, weights), 0.0)
    part = pd.factorize(words.map(mask))[0] % PARTS
    for number in range(PARTS):
        held, seen = tried & (part == number), tried & (part != number)
        if held.any() and len(set(yes[seen])) == 2:
            p[held] = _p(scale, table[held], logistic(scale(table[seen]), yes[seen], weights))
    return p


def _basis(scale: _Scale, table: np.ndarray, weights: np.ndarray, names: list[str]) -> list[str]:
    """Name the three kinds of feature that speak most for (+) or against (-) each row, by their strongest member."""
    groups = np.array([features.group(name) for name in names])
    kinds = sorted(set(groups))
    members = [np.flatnonzero(groups == kind) for kind in kinds]
    plain_names = np.array([not name.startswith("frequency") for name in names])
    chosen: list[str] = []
    for at in range(0, len(table), CHUNK):
        rows = table[at : at + CHUNK]
        pull = (np.where(rows != 0, scale(rows), 0.0) * weights[1:]).round(9)
        total = np.column_stack([pull[:, columns].sum(axis=1) for columns in members])
        speaks = np.where(plain_names & (rows != 0), pull, 0.0)
        strongest = np.column_stack(
            [
                columns[(speaks[:, columns] * np.sign(total[:, [place]])).argmax(axis=1)]
                for place, columns in enumerate(members)
            ]
        )
        order = np.argsort(-np.abs(total), axis=1, kind="stable")[:, :3]
        for number, kinds_ in enumerate(order):
            signed = [
                f"{'+' if total[number, kind] > 0 else '-'} {names[strongest[number, kind]]}"
                for kind in kinds_
                if total[number, kind]
            ]
            chosen.append(", ".join(signed) or "nothing known")
    return chosen
