"""The model: the weights of the estimate, as `custom/model.csv` keeps them, fitted when a person asks.

So a new day moves only the words that it tried and their relatives. The first line has a checksum, the dates of the
record and a checksum of the word lists that the model was fitted on:

    # sha256 5d41… fitted on 2018-05-09..2026-07-24 with lists 9a0b…
    name,attributes,relatives,usual
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from pipeline import reader
from pipeline.errors import Command, DataError, Message
from pipeline.facts.seal import dates, ranges
from pipeline.opinions.logistic import Array, Fit
from pipeline.tables import frames
from pipeline.words import count

CONSTANT = "constant"
"""The name of the row with the constant."""
NUMBERS = ("attributes", "relatives", "usual")
"""The columns with numbers."""
DIGITS = 6
"""The significant digits of a weight."""
PATH = "custom/model.csv"
FIT = Command("flag --fit all")
REPAIR = Message(Command("restore --only model.csv"), " brings it back; or delete it, and ", FIT, " makes a new one.")


@dataclass(frozen=True, slots=True)
class Model:
    """Weights by name of a column, the dates of the record that they were fitted on, and the checksum of its lists.

    `weights` has the weights of the first fit (`attributes`), those of the second, which knows the record of relatives,
    and the mean of each column over the tried words (`usual`). Without rows, nothing could be learned yet.
    """

    weights: pd.DataFrame
    covered: frozenset[str] = frozenset()
    lists: str = ""

    def weights_of(self, names: Sequence[str], which: str) -> tuple[Array, float]:
        """Return the weights of columns by name, 0 for those that the model does not know, and the constant.

        `which` is `attributes` for the weights of the first fit, or `relatives` for those of the second.
        """
        weight = self.weights.set_index("name")[which]
        return weight.reindex(list(names)).fillna(0.0).to_numpy(), float(weight[CONSTANT])

    def means_of(self, names: Sequence[str]) -> Array:
        """Return the mean of columns by name over the tried words, 0 for those that the model does not know."""
        return self.weights.set_index("name")["usual"].reindex(list(names)).fillna(0.0).to_numpy()


EMPTY = Model(frames.empty("model"))
"""The model before there is anything to learn from."""


def from_fits(names: Sequence[str], first_fit: Fit, second_fit: Fit) -> Model:
    """Combine two fits: `names` are the columns of the second, of which the first has the beginning."""
    first_weights = np.zeros(len(names))
    first_weights[: len(first_fit.weights)] = first_fit.weights
    cells = {
        "name": [CONSTANT, *names],
        "attributes": [first_fit.constant, *first_weights],
        "relatives": [second_fit.constant, *second_fit.weights],
        "usual": [1.0, *second_fit.mean],
    }
    return Model(_rounded(pd.DataFrame(cells)))


def add_fitted_columns(model: Model, names: Sequence[str], first_fit: Fit, second_fit: Fit) -> Model:
    """Add columns to a model by two fits of their weights; all that it has stays, also the constant."""
    cells = {
        "name": list(names),
        "attributes": first_fit.weights,
        "relatives": second_fit.weights,
        "usual": first_fit.mean,
    }
    return replace(model, weights=_rounded(pd.concat([model.weights, pd.DataFrame(cells)], ignore_index=True)))


def _rounded(weights: pd.DataFrame) -> pd.DataFrame:
    """Round weights to the digits that the file keeps."""
    rounded = {name: [float(f"{cell:.{DIGITS}g}") for cell in weights[name]] for name in NUMBERS}
    return frames.check(weights.assign(**rounded), "model")


def fitted_on(model: Model, covered: Collection[str], lists: str) -> Model:
    """Note the record and the word lists that a model was fitted on."""
    return replace(model, covered=frozenset(covered), lists=lists)


def outdated(model: Model, covered: Collection[str], lists: str) -> str:
    """Say why a model should be fitted again, because of other word lists or another record; or ""."""
    if model.lists != lists:
        return f"it was fitted with other word lists; {FIT} fits it again"
    lost_days = model.covered - set(covered)
    if lost_days:
        return f"it was fitted on {count(len(lost_days), 'day')} that the record does not have; {FIT} fits it again"
    if len(covered) >= 2 * max(1, len(model.covered)):
        return f"it was fitted on {len(model.covered):,} of {count(len(covered), 'day')}; {FIT} fits it again"
    return ""


def usable(model: Model | None, covered: Collection[str]) -> Model:
    """Return the model for forecasts, or `EMPTY` if the record has grown to twice what it was fitted on."""
    if model is None or 2 * len(model.covered) <= len(covered):
        return EMPTY
    return model


def encode(model: Model) -> bytes:
    """Encode the file of a model."""
    first_line = f" fitted on {ranges(model.covered)} with lists {model.lists}\n"
    content = first_line.encode() + frames.csv_bytes(model.weights)
    return f"# sha256 {reader.sha256(content)}".encode() + content


def decode(data: bytes) -> Model:
    """Decode the file of a model; raise DataError if it is damaged."""
    first_line = re.match(
        rb"# sha256 (?P<sha256>[0-9a-f]{64})(?P<content> fitted on (?P<days>[^\n]*) with lists (?P<lists>[0-9a-f]*)\n)",
        data,
    )
    if not first_line or first_line["sha256"].decode() != reader.sha256(data[first_line.start("content") :]):
        raise DataError(f"{PATH} was changed or cut short: its checksum does not match; ", REPAIR)
    weights = frames.from_text(frames.read_csv(data, PATH), "model")
    covered = dates(first_line["days"].decode("ascii", "replace"))
    return Model(weights, covered, first_line["lists"].decode())
