"""Logistic regression with a ridge penalty: the fit of the estimates, and of how constant a record is.

Newton's method: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 4.4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RIDGE = 20.0
"""Ridge penalty on the weights of standardized columns; values from 5 to 100 give similar results."""
ROUNDS, CLOSE = 200, 1e-9
"""The fit ends when no weight changes by more than `CLOSE`, so it is the same on every machine to the digits kept."""
SAMPLE, ROUGH = 8, 0.1
"""A sample of one row in this many is enough to find the approximate optimum, to within `ROUGH`."""
SHRINKS = 0.3
"""If a step is larger than this share of the previous step, the curvature is computed again."""
NOISE = 1e-6
"""A rise of the loss by at most this much is ignored as rounding."""
BLOCK = 4_096
"""The number of rows processed at once for the curvature, so that memory stays small."""

Matrix = npt.NDArray[np.float32]
Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a fit: the mean and weight of each column, the constant, and the weights of standardized columns
    after the constant, from which another fit can start."""

    mean: Array
    weights: Array
    constant: float
    standardized: Array


def logistic(score: Array) -> Array:
    """Return the probability for a score, which is the logarithm of the odds."""
    result: Array = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return result


def fit(rows: Matrix, yes: Flags, start: Array | None = None, ridge: float = RIDGE, offset: Array | None = None) -> Fit:
    """Fit the probability of `yes` with a ridge penalty on standardized columns; the constant is not penalized.

    It starts from the standardized weights of an earlier fit on the first columns, or from a fit on a sample of rows.
    `offset` is added to the score of each row: what columns with fixed weights say of it.
    """
    target = yes.astype(np.float64)
    mean = rows.mean(axis=0, dtype=np.float64)
    known = np.empty((len(rows), rows.shape[1] + 1))
    known[:, 0] = 1
    apart = np.subtract(rows, mean, out=known[:, 1:])
    spread = np.sqrt(np.einsum("ij,ij->j", apart, apart) / len(rows)) + 1e-3
    apart /= spread
    weights = np.zeros(known.shape[1])
    if offset is not None:
        weights = _descend(known, target, weights, ridge, CLOSE, offset)
    elif start is None:
        weights[0] = np.log(target.mean() / (1 - target.mean()))
        weights = _descend(known[::SAMPLE], target[::SAMPLE], weights, ridge / SAMPLE, ROUGH)
        weights = _descend(known, target, weights, ridge, CLOSE)
    else:
        weights[: len(start)] = start
        weights = _descend(known, target, weights, ridge, CLOSE)
    scaled = weights[1:] / spread
    return Fit(mean, scaled, float(weights[0] - mean @ scaled), weights)


def _descend(
    known: Array, target: Array, weights: Array, ridge: float, close: float, offset: Array | float = 0.0
) -> Array:
    """Take Newton steps until no weight changes by more than `close`; a step that increases the loss is halved.

    The curvature is computed in single precision, and again only when steps stop shrinking fast, to save time. The
    gradient is always exact, so the optimum does not depend on it.
    """
    penalty = np.full(known.shape[1], ridge)
    penalty[0] = 1e-9
    score, last = known @ weights + offset, 0.0
    inverse, loss = np.empty(0), float(_loss(score, target) + penalty @ weights**2 / 2)
    for _ in range(ROUNDS):
        p = logistic(score)
        if not len(inverse):
            curvature = _curvature(known, np.sqrt(p * (1 - p))) + np.diag(penalty)
            inverse = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
        step = inverse @ (known.T @ (target - p) - penalty * weights)
        along, share, now = known @ step, 2.0, np.inf
        while now > loss + NOISE:
            share /= 2
            now = float(_loss(score + share * along, target) + penalty @ (weights + share * step) ** 2 / 2)
        weights, score, loss = weights + share * step, score + share * along, min(loss, now)
        size = float(np.abs(share * step).max())
        if size < close:
            break
        if size > SHRINKS * last or share < 1:
            inverse = np.empty(0)
        last = size
    return weights


def _curvature(known: Array, weights: Array) -> Array:
    """Sum the weighted products of all columns, in single precision."""
    total = np.zeros((known.shape[1], known.shape[1]), np.float32)
    for at in range(0, len(known), BLOCK):
        weighted = (weights[at : at + BLOCK, None] * known[at : at + BLOCK]).astype(np.float32)
        total += weighted.T @ weighted
    return total.astype(np.float64)


def _loss(score: Array, target: Array) -> float:
    return float(np.logaddexp(0, score).sum() - target @ score)
