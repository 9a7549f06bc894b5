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
"""The maximum number of steps, and the change of weights at which the fit ends: so small that the digits that are
stored are the same on every machine."""
ROUNDING = 1e-6
"""A step that raises the loss (the negative log-likelihood and the penalty) by more than this is halved; less is a
rounding error."""

Matrix = npt.NDArray[np.float32]
Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fit:
    """The result of a fit: the mean and the weight of each column, and the constant."""

    mean: Array
    weights: Array
    constant: float


def logistic(score: Array) -> Array:
    """Return the probability for a score. A score is the logarithm of the odds."""
    result: Array = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return result


def fit(rows: Matrix, outcomes: Flags, ridge: float = RIDGE) -> Fit:
    """Return the fit of the probability of an outcome, which must be true for some rows and false for others.

    The penalty applies to the weights of standardized columns, but not to the constant.
    """
    mean = rows.mean(axis=0, dtype=np.float64)
    deviation = rows.std(axis=0, dtype=np.float64) + 1e-3
    design = np.ones((len(rows), rows.shape[1] + 1))
    design[:, 1:] = rows
    design[:, 1:] -= mean
    design[:, 1:] /= deviation
    penalty = np.append(1e-9, np.full(rows.shape[1], ridge))
    weights = np.zeros(design.shape[1])
    share = outcomes.mean()
    weights[0] = np.log(share / (1 - share))

    def loss(weights: Array) -> float:
        score = design @ weights
        return float(np.logaddexp(0, score).sum() - outcomes @ score + penalty @ weights**2 / 2)

    for _ in range(MAX_STEPS):
        p = logistic(design @ weights)
        curvature = (design * (p * (1 - p))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(curvature, design.T @ (outcomes - p) - penalty * weights)
        while loss(weights + step) > loss(weights) + ROUNDING:
            step /= 2
        weights += step
        if np.abs(step).max() < TOLERANCE:
            break
    unscaled = weights[1:] / deviation
    return Fit(mean, unscaled, float(weights[0] - mean @ unscaled))
