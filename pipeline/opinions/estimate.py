"""Estimates: the probability that the editor accepts a word that was never possible in a puzzle.

The model is a logistic regression, trained on the last trial of every tried word in two fits. The first uses attributes
of the word and its bases (`features`, `relatives.standing`). The second also uses how much the outcomes of its
relatives differed from the first fit (`relatives.record`).

An estimate describes the word, not a puzzle: a word gets no credit because its letters have no better pangram. The
guess for a puzzle without a listed pangram is made by the solver: `solver.candidates`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from pipeline.facts.lexicon import NO_SIZE, plain
from pipeline.opinions import features, relatives
from pipeline.tables import columns, frames

RIDGE = 20.0
"""Ridge penalty on the weights of standardized columns; values from 5 to 100 give similar results."""
ROUNDS, CLOSE = 200, 1e-9
"""The fit ends when no weight changes by more than `CLOSE`. The result is then the same on every machine to many more
digits than are kept."""
SAMPLE, ROUGH = 8, 0.1
"""A sample of one row in this many is enough to find the approximate optimum, to within `ROUGH`."""
SHRINKS = 0.3
"""If a step is larger than this share of the previous step, the curvature is computed again."""
NOISE = 1e-6
"""A rise of the loss by at most this much is ignored as rounding: the loss is a sum over tens of thousands of words."""
CHUNK, BLOCK = 20_000, 4_096
"""The number of rows processed at once for features, and for the curvature, so that memory stays small."""

Matrix = npt.NDArray[np.float32]
Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]


def estimate(
    lexicon: pd.DataFrame, links: pd.DataFrame, sisters: pd.DataFrame, evidence: pd.DataFrame, words: pd.Series
) -> pd.DataFrame:
    """Estimate p for the `words` without a trial: columns word, p (0 to 1, two decimals), basis, kind
    (one of `words.BY_P`).

    `links` and `sisters` are from `relatives`, by row number of the lexicon.
    """
    common = plain(lexicon).to_numpy(dtype=bool)
    outcomes = _verdicts(lexicon, evidence)
    yes, tried = outcomes == 1, ~np.isnan(outcomes) & common
    words = words[~columns.among(words, evidence["word"])]
    wanted = np.flatnonzero(columns.among(lexicon["word"], words))
    if len(set(yes[tried])) < 2 or not len(wanted):
        unlearned = pd.DataFrame({"word": lexicon["word"].iloc[wanted], "p": 0.3, "basis": "nothing to learn from yet"})
        unlearned["kind"] = "unlearned"
        return frames.check(unlearned, "estimates") if len(wanted) else frames.empty("estimates")
    told_rows = np.flatnonzero(tried)
    own_lists = [marks for marks in (features.own(lexicon),) if len(marks.columns)]
    about = _Table(lexicon, *own_lists, _grouped("base", relatives.standing(lexicon, links)))
    own = about.rows(told_rows)
    first = _fit(own, yes[told_rows])
    surprise = np.where(yes, 1.0, 0.0)
    surprise[told_rows] -= first.p(own)
    about = about.with_columns(_grouped("relatives", relatives.record(links, sisters, surprise, lexicon)))
    model = _fit(np.hstack([own, about.last(told_rows)]), yes[told_rows], first.weights)
    del own
    p, pulls = np.empty(len(wanted)), np.empty((len(wanted), len(about.kinds)))
    for at in range(0, len(wanted), CHUNK):
        described = about.rows(wanted[at : at + CHUNK])
        p[at : at + CHUNK] = model.p(described)
        pulls[at : at + CHUNK] = model.pulls(described, about.kinds)
    basis = _basis(pulls, about.kinds, lexicon.iloc[wanted])
    frame = pd.DataFrame({"word": lexicon["word"].iloc[wanted].to_numpy(), "p": p, "basis": basis})
    bounds = relatives.variant_bounds(relatives.variants(lexicon), evidence)
    most = np.array([bounds.get(word, 1.0) for word in frame["word"].tolist()])
    free = frame["p"] <= most
    frame["kind"] = np.where(free, "estimate", "spelling")
    frame["basis"] = frame["basis"].where(free, "- spellings of its kind, all refused")
    frame["p"] = frame["p"].clip(upper=pd.Series(most)).round(2)
    return frames.check(frame, "estimates")


def _verdicts(lexicon: pd.DataFrame, evidence: pd.DataFrame) -> Array:
    """Return the outcome of the last trial of each word of the lexicon: 1, 0, or NaN if there was none."""
    last = pd.Series((evidence["last_accepted"] > evidence["last_rejected"]).astype(float).tolist(), evidence["word"])
    return columns.look_up(lexicon["word"], last, np.nan).to_numpy(dtype=np.float64)


def _grouped(group: str, table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns=lambda name: f"{group}: {name}")


class _Table:
    """The features of each word, one row per word of the lexicon; its own attributes are computed on demand."""

    def __init__(self, lexicon: pd.DataFrame, *more: pd.DataFrame):
        self.lexicon, self.more = lexicon, more
        names = [*features.features(lexicon.iloc[:1]).columns, *(name for table in more for name in table.columns)]
        groups = [name.partition(":")[0] for name in names]
        self.kinds = {kind: [at for at, group in enumerate(groups) if group == kind] for kind in dict.fromkeys(groups)}
        """The positions of the columns of each group."""

    def with_columns(self, table: pd.DataFrame) -> _Table:
        """Return the table with additional columns at its end."""
        return _Table(self.lexicon, *self.more, table)

    def rows(self, rows: Rows) -> Matrix:
        """Return some rows with all their columns."""
        own = features.features(self.lexicon.iloc[rows].reset_index(drop=True)).to_numpy()
        return np.hstack([own, *(table.to_numpy()[rows] for table in self.more)])

    def last(self, rows: Rows) -> Matrix:
        """Return some rows of the columns that were added last."""
        return np.asarray(self.more[-1].to_numpy()[rows])


class _Model:
    """Weights of a logistic regression: for the standardized columns, and for the original columns.

    `middle` is halfway between the average accepted and the average refused word.
    """

    def __init__(self, weights: Array, mean: Array, spread: Array, middle: Array):
        self.weights, self.scaled, self.middle = weights, weights[1:] / spread, middle
        self.constant = float(weights[0] - mean @ self.scaled)

    def p(self, rows: Matrix) -> Array:
        """Return the probability of each row."""
        score = np.empty(len(rows))
        for at in range(0, len(rows), CHUNK):
            score[at : at + CHUNK] = rows[at : at + CHUNK].astype(np.float64) @ self.scaled
        return _logistic(score + self.constant)

    def pulls(self, rows: Matrix, kinds: Mapping[str, list[int]]) -> Array:
        """Return how much each group of columns raises (above 0) or lowers the probability of each row."""
        member = np.zeros((len(self.scaled), len(kinds)))
        for column, places in enumerate(kinds.values()):
            member[places, column] = 1
        weighted = self.scaled[:, None] * member
        return np.asarray((rows.astype(np.float64) @ weighted - self.middle @ weighted).round(9))


def _logistic(score: np.ndarray) -> np.ndarray:
    result: np.ndarray = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return result


def _fit(rows: Matrix, yes: Flags, start: Array | None = None) -> _Model:
    """Fit with a ridge penalty on standardized columns; the constant is the first weight and is not penalized.

    Newton's method for logistic regression: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning,
    4.4.1. It starts from the weights of an earlier fit on the first columns, or from a fit on a sample of the rows.
    """
    target = yes.astype(np.float64)
    mean = rows.mean(axis=0, dtype=np.float64)
    known = np.empty((len(rows), rows.shape[1] + 1))
    known[:, 0] = 1
    apart = np.subtract(rows, mean, out=known[:, 1:])
    spread = np.sqrt(np.einsum("ij,ij->j", apart, apart) / len(rows)) + 1e-3
    middle = mean + (target @ apart / target.sum() + (1 - target) @ apart / (1 - target).sum()) / 2
    apart /= spread
    weights = np.zeros(known.shape[1])
    if start is None:
        weights[0] = np.log(target.mean() / (1 - target.mean()))
        weights = _descend(known[::SAMPLE], target[::SAMPLE], weights, RIDGE / SAMPLE, ROUGH)
    else:
        weights[: len(start)] = start
    weights = _descend(known, target, weights, RIDGE, CLOSE)
    return _Model(weights, mean, spread, middle)


def _descend(known: Array, target: Array, weights: Array, ridge: float, close: float) -> Array:
    """Take Newton steps until no weight changes by more than `close`.

    The curvature, which is the most expensive part, is computed in single precision, and again only when steps stop
    shrinking fast. The gradient is always exact, so the optimum does not depend on either. A step that increases the
    loss is halved.
    """
    penalty = np.full(known.shape[1], ridge)
    penalty[0] = 1e-9
    score, last = known @ weights, 0.0
    inverse, loss = np.empty(0), _loss(score, target) + penalty @ weights**2 / 2
    for _ in range(ROUNDS):
        p = _logistic(score)
        if not len(inverse):
            curvature = _curvature(known, np.sqrt(p * (1 - p))) + np.diag(penalty)
            inverse = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
        step = inverse @ (known.T @ (target - p) - penalty * weights)
        along, share = known @ step, 1.0
        while (
            now := _loss(score + share * along, target) + penalty @ (weights + share * step) ** 2 / 2
        ) > loss + NOISE:
            share /= 2
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


def _basis(pulls: Array, kinds: Iterable[str], lexicon: pd.DataFrame) -> pd.Series:
    """Name the three groups of attributes that change a word's p most, + for up and - for down."""
    names = list(kinds)
    sizes, bands = sorted({*features.SIZES, NO_SIZE}), list(features.BANDS)
    of_size = [f"SCOWL {size}" if size < NO_SIZE else "in no SCOWL list" for size in sizes]
    listed = (lexicon["wordnet_senses"] > 0) | (lexicon["wordnet_capitalised"] > 0)
    named = {
        "size": (of_size, np.searchsorted(sizes, lexicon["scowl_size"].to_numpy())),
        "frequency": (bands, features.band_numbers(lexicon["zipf"])),
        "WordNet": (["not in WordNet", "its WordNet entry"], listed.to_numpy().astype(np.int64)),
    }
    titles: list[str] = []
    codes, rows = np.zeros(pulls.shape, np.int64), np.arange(len(pulls))[:, None]
    for column, name in enumerate(names):
        variants, which = named.get(name, ([TITLES.get(name, name)], 0))
        codes[:, column] = len(titles) + which
        titles += variants
    order, left = np.empty((len(pulls), 3), np.int64), np.abs(pulls)
    for place in range(3):
        order[:, place] = left.argmax(axis=1)
        np.put_along_axis(left, order[:, [place]], -1, axis=1)
    coded = 2 * codes[rows, order] + (pulls[rows, order] > 0)
    _, first, which = np.unique(coded @ (2 * len(titles)) ** np.arange(3), return_index=True, return_inverse=True)
    groups = coded[first].tolist()
    phrases = [", ".join(f"{'+' if code % 2 else '-'} {titles[code // 2]}" for code in row) for row in groups]
    return pd.Series(phrases, dtype="str").take(which).reset_index(drop=True)


TITLES = {
    "shape": "its beginning and ending",
    "base": "what it is made from",
    "relatives": "the record of its relatives",
    "pangram": "its seven letters",
    "use abroad": "its use in other languages",
}
