"""Logistic regression with a ridge penalty, used for estimates and for the reliability of a record.

The method is Newton's: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 4.4.1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RIDGE = 20.0
"""The ridge penalty on the weights of standardized columns. Values from 5 to 100 give similar results."""
MAX_STEPS, TOLERANCE = 200, 1e-9
"""The maximum number of steps, and the tolerance: the fit ends when no weight changes by more than this. So the digits
that are stored are the same on every machine."""
SAMPLE, ROUGH_TOLERANCE = 8, 0.1
"""One row in `SAMPLE` is enough to find the optimum to within `ROUGH_TOLERANCE`."""
SLOW = 0.3
"""If a step is larger than this share of the previous step, the curvature is computed again."""
NOISE = 1e-6
"""An increase of the loss by at most this much is ignored as a rounding error."""
BLOCK = 4_096
"""The number of rows that are processed at once for the curvature, to limit memory use."""

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
    """Return the probability for a score. A score is the logarithm of the odds."""
    result: Array = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return result


def fit(
    rows: Matrix, outcomes: Flags, start: Array | None = None, ridge: float = RIDGE, offset: Array | None = None
) -> Fit:
    """Return the fit of the probability of an outcome. The ridge penalty applies to standardized columns, but not to
    the constant.

    The fit starts from `start`, the standardized weights of an earlier fit on the first columns, or else from a fit on
    a sample of rows. `offset` is added to the score of each row; it is the contribution of columns with fixed weights.
    """
    target = outcomes.astype(np.float64)
    mean = rows.mean(axis=0, dtype=np.float64)
    design = np.empty((len(rows), rows.shape[1] + 1))
    design[:, 0] = 1
    standardized = np.subtract(rows, mean, out=design[:, 1:])
    deviation = np.sqrt(np.einsum("ij,ij->j", standardized, standardized) / len(rows)) + 1e-3
    standardized /= deviation
    weights = np.zeros(design.shape[1])
    if offset is not None:
        weights = _minimize(design, target, weights, ridge, offset=offset)
    elif start is None:
        weights[0] = np.log(target.mean() / (1 - target.mean()))
        weights = _minimize(design[::SAMPLE], target[::SAMPLE], weights, ridge / SAMPLE, tolerance=ROUGH_TOLERANCE)
        weights = _minimize(design, target, weights, ridge)
    else:
        weights[: len(start)] = start
        weights = _minimize(design, target, weights, ridge)
    unscaled = weights[1:] / deviation
    return Fit(mean, unscaled, float(weights[0] - mean @ unscaled), weights)


def _minimize(
    design: Array,
    target: Array,
    weights: Array,
    ridge: float,
    offset: Array | float = 0.0,
    tolerance: float = TOLERANCE,
) -> Array:
    """Return the weights with the smallest loss, by Newton steps until no weight changes by more than `tolerance`. A
    step that increases the loss is halved.

    To save time, the curvature is computed in single precision, and computed again only when steps stop shrinking fast.
    The gradient is always exact, so the optimum does not depend on the precision of the curvature.
    """
    penalty = np.full(design.shape[1], ridge)
    penalty[0] = 1e-9
    score = design @ weights + offset
    loss = _loss(score, target, weights, penalty)
    inverse_curvature: Array | None = None
    previous_size = 0.0
    for _ in range(MAX_STEPS):
        p = logistic(score)
        if inverse_curvature is None:
            curvature = _curvature(design, np.sqrt(p * (1 - p))) + np.diag(penalty)
            inverse_curvature = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
        step = inverse_curvature @ (design.T @ (target - p) - penalty * weights)
        score_step = design @ step
        fraction = 1.0
        new_loss = _loss(score + score_step, target, weights + step, penalty)
        while new_loss > loss + NOISE:
            fraction /= 2
            new_loss = _loss(score + fraction * score_step, target, weights + fraction * step, penalty)
        weights = weights + fraction * step
        score = score + fraction * score_step
        loss = min(loss, new_loss)
        step_size = float(np.abs(fraction * step).max())
        if step_size < tolerance:
            break
        if step_size > SLOW * previous_size or fraction < 1:
            inverse_curvature = None
        previous_size = step_size
    return weights


def _curvature(design: Array, row_weights: Array) -> Array:
    """Return the sums of the weighted products of all columns, in single precision."""
    total = np.zeros((design.shape[1], design.shape[1]), np.float32)
    for start in range(0, len(design), BLOCK):
        block = slice(start, start + BLOCK)
        weighted = (row_weights[block, None] * design[block]).astype(np.float32)
        total += weighted.T @ weighted
    return total.astype(np.float64)


def _loss(score: Array, target: Array, weights: Array, penalty: Array) -> float:
    """Return the negative log-likelihood of the outcomes plus the penalty of the weights."""
    unlikelihood = float(np.logaddexp(0, score).sum() - target @ score)
    return float(unlikelihood + penalty @ weights**2 / 2)
