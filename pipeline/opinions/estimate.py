"""Estimates: how likely the editor accepts a word that was never possible in a puzzle.

A logistic regression, learned from the last trial of every tried word, in three fits that each add what the one before
makes possible: attributes of the word and its bases (`features`, `relatives.standing`); how much its relatives'
verdicts surprised the first fit (`relatives.record`); how likely the other pangrams of its letters are (`alone`).

A word that would be out of the question without the last of these (below `DOUBTFUL`) is never taken because its letters
have no better pangram: it stays below `LIKELY`, in review, where a solver finds it when a puzzle has no other.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from pipeline import features, frames, relatives
from pipeline.lexicon import NO_SIZE, plain

LIKELY = 0.5
"""From this p on a word is more likely right than wrong, so taking it lowers the expected number of errors."""
DOUBTFUL = 0.15
"""Below this p a word is not worth a person's minute: fewer than one in six would be accepted."""
RIDGE = 20.0
"""Penalty on the weights of standardised columns; 5 to 100 differ little."""
ROUNDS, CLOSE = 50, 1e-9
"""The fit ends when no weight moves by more than `CLOSE`, which takes about ten rounds, and so finds the same optimum
everywhere to many more digits than are kept."""
CHUNK = 20_000
"""Rows that are multiplied at once in double precision, so that memory stays small."""


def estimate(lexicon: pd.DataFrame, evidence: pd.DataFrame, words: pd.Series) -> pd.DataFrame:
    """Estimate p for those of `words` that have no trial: columns word, p (0 to 1, two decimals), basis."""
    lexicon = lexicon.reset_index(drop=True)
    common = plain(lexicon).to_numpy(dtype=bool)
    record = evidence.set_index("word")
    verdict = (record["last_accepted"] > record["last_rejected"]).astype(float)
    told = np.asarray(lexicon["word"].map(verdict), dtype=float)
    yes, tried = told == 1, ~np.isnan(told) & common
    wanted = lexicon["word"].isin(set(words) - set(record.index)).to_numpy(dtype=bool)
    if len(set(yes[tried])) < 2 or not wanted.any():
        unlearned = pd.DataFrame({"word": lexicon["word"][wanted], "p": 0.3, "basis": "nothing to learn from yet"})
        return frames.check(unlearned, "estimates") if wanted.any() else frames.empty("estimates")
    linked, sisterly = relatives.links(lexicon), relatives.sisters(lexicon)
    table = pd.concat([features.features(lexicon), _grouped("base", relatives.standing(lexicon, linked))], axis=1)
    first = np.where(common, _fit(table, yes, tried).p(table), 0.0)
    surprise = np.where(tried | yes, yes - first, 0.0)
    kin = relatives.record(linked, sisterly, surprise)
    table = pd.concat([table, _grouped("relatives", kin)], axis=1)
    second = np.where(common, _fit(table, yes, tried).p(table), 0.0)
    table = table.assign(**{"pangram: alone": features.alone(lexicon["word"], second).astype(np.float32)})
    model = _fit(table, yes, tried)
    rows = table[wanted]
    basis = _basis(model.pulls(rows), lexicon[wanted].reset_index(drop=True))
    hopeless = second[wanted] < DOUBTFUL
    p = model.p(rows)
    p = np.where(hopeless, np.minimum(p, LIKELY - 0.01), p).round(2)
    return frames.check(pd.DataFrame({"word": lexicon["word"][wanted].to_numpy(), "p": p, "basis": basis}), "estimates")


def _grouped(group: str, table: pd.DataFrame) -> pd.DataFrame:
    return table.rename(columns=lambda name: f"{group}: {name}")


class _Model:
    """Weights of a logistic regression; `middle` lies halfway between the average accepted and refused word."""

    def __init__(self, constant: float, weights: np.ndarray, middle: np.ndarray):
        self.constant, self.weights, self.middle = constant, weights, middle

    def p(self, table: pd.DataFrame) -> np.ndarray:
        """Return the probability of each row."""
        rows = table.to_numpy()
        parts = [rows[at : at + CHUNK].astype(np.float64) @ self.weights for at in range(0, len(rows), CHUNK)]
        return _logistic(np.concatenate(parts) + self.constant)

    def pulls(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return how much each group of columns speaks for (above 0) or against each row."""
        names = table.columns.str.partition(":").get_level_values(0)
        kinds = list(dict.fromkeys(names))
        member = (names.to_numpy()[:, None] == np.array(kinds)).astype(np.float64)
        weighted = self.weights[:, None] * member
        rows = table.to_numpy()
        parts = [rows[at : at + CHUNK].astype(np.float64) @ weighted for at in range(0, len(rows), CHUNK)]
        return pd.DataFrame((np.concatenate(parts) - self.middle @ weighted).round(9), columns=kinds)


def _logistic(score: np.ndarray) -> np.ndarray:
    result: np.ndarray = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return result


def _fit(table: pd.DataFrame, yes: np.ndarray, tried: np.ndarray) -> _Model:
    """Fit with a ridge penalty by Newton's method; the constant is the first column and is not penalised.

    Iteratively reweighted least squares: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, 4.4.1.
    """
    known, target = table.to_numpy()[tried].astype(np.float64), yes[tried].astype(float)
    mean, spread = known.mean(axis=0), known.std(axis=0) + 1e-3
    rows = np.column_stack([np.ones(len(known)), (known - mean) / spread])
    penalty = np.full(rows.shape[1], RIDGE)
    penalty[0] = 1e-9
    weights = np.zeros(rows.shape[1])
    weights[0] = np.log(target.mean() / (1 - target.mean()))
    for _ in range(ROUNDS):
        p = _logistic(rows @ weights)
        curve = (rows * (p * (1 - p))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, rows.T @ (target - p) - penalty * weights)
        weights += step
        if np.abs(step).max() < CLOSE:
            break
    middle = (known[target == 1].mean(axis=0) + known[target == 0].mean(axis=0)) / 2
    scaled = weights[1:] / spread
    return _Model(float(weights[0] - mean @ scaled), scaled, middle)


def _basis(pulls: pd.DataFrame, lexicon: pd.DataFrame) -> list[str]:
    """Name the three groups of attributes that pull a word's p most, + for and - against."""
    size = lexicon["scowl_size"].map(lambda size: f"SCOWL {size}" if size < NO_SIZE else "in no SCOWL list")
    band = features.bands(lexicon["zipf"])
    titles = {name: [TITLES.get(name, name)] * len(pulls) for name in pulls.columns}
    listed = (lexicon["wordnet_senses"] > 0) | (lexicon["wordnet_capitalised"] > 0)
    net = listed.map({True: "its WordNet entry", False: "not in WordNet"})
    titles |= {"size": list(size), "frequency": list(band), "WordNet": list(net)}
    values, kinds = pulls.to_numpy(), list(pulls.columns)
    order = np.argsort(-np.abs(values), axis=1, kind="stable")[:, :3]
    return [
        ", ".join(f"{'+' if values[row, at] > 0 else '-'} {titles[kinds[at]][row]}" for at in places)
        for row, places in enumerate(order)
    ]


TITLES = {
    "shape": "its beginning and ending",
    "base": "what it is made from",
    "relatives": "the record of its relatives",
    "pangram": "the other pangrams of its letters",
    "use abroad": "its use in other languages",
}
