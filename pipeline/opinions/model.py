"""The model: the weights of the estimate, which are stored in `custom/model.csv` and fitted only when a person asks.

So a new day changes only the estimates of relatives of the words that it tried. The first line has a checksum, the
dates of the record on which the model was fitted, and a checksum of the word lists with which it was fitted:

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
"""The number of significant digits of a weight."""
PATH = "custom/model.csv"
FIT = Command("flag --fit all")
REPAIR = Message(Command("restore --only model.csv"), " brings it back. Or delete it; then ", FIT, " makes a new one.")


@dataclass(frozen=True, slots=True)
class Model:
    """The weights by name of a column, the dates of the record on which they were fitted, and the checksum of the
    lists.

    `weights` has, for each column, the weight of the first fit (`attributes`), the weight of the second fit, which also
    uses the record of relatives (`relatives`), and the mean of the column over the tried words (`usual`). It has no
    rows if there was nothing to learn from.
    """

    weights: pd.DataFrame
    covered: frozenset[str] = frozenset()
    lists: str = ""

    def weights_of(self, names: Sequence[str], which: str) -> tuple[Array, float]:
        """Return the weights of the named columns, 0 for those that the model does not have, and the constant.

        `which` is `attributes` for the weights of the first fit, or `relatives` for those of the second.
        """
        weight = self.weights.set_index("name")[which]
        return weight.reindex(list(names)).fillna(0.0).to_numpy(), float(weight[CONSTANT])

    def means_of(self, names: Sequence[str]) -> Array:
        """Return the means of the named columns over the tried words, 0 for those that the model does not have."""
        return self.weights.set_index("name")["usual"].reindex(list(names)).fillna(0.0).to_numpy()


EMPTY = Model(frames.empty("model"))
"""The model that is used if there is nothing to learn from."""


def from_fits(names: Sequence[str], first_fit: Fit, second_fit: Fit) -> Model:
    """Return the model of two fits. `names` are the columns of the second fit; the first fit has only the first of
    them."""
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
    """Return a model with new columns, whose weights come from two fits. The existing weights and the constant stay."""
    cells = {
        "name": list(names),
        "attributes": first_fit.weights,
        "relatives": second_fit.weights,
        "usual": first_fit.mean,
    }
    return replace(model, weights=_rounded(pd.concat([model.weights, pd.DataFrame(cells)], ignore_index=True)))


def _rounded(weights: pd.DataFrame) -> pd.DataFrame:
    """Return weights rounded to `DIGITS`."""
    rounded = {name: [float(f"{cell:.{DIGITS}g}") for cell in weights[name]] for name in NUMBERS}
    return frames.check(weights.assign(**rounded), "model")


def fitted_on(model: Model, covered: Collection[str], lists: str) -> Model:
    """Return a model with the dates of the record and the checksum of the word lists that it was fitted on."""
    return replace(model, covered=frozenset(covered), lists=lists)


def outdated(model: Model, covered: Collection[str], lists: str) -> str:
    """Return why a model should be fitted again: the word lists or the record have changed; or "" if it should not."""
    if model.lists != lists:
        return f"it was fitted with other word lists; run {FIT} to fit it again"
    lost_days = model.covered - set(covered)
    if lost_days:
        return (
            f"it was fitted on {count(len(lost_days), 'day')} that the record does not have; run {FIT} to fit it again"
        )
    if len(covered) >= 2 * max(1, len(model.covered)):
        return f"it was fitted on {len(model.covered):,} of {count(len(covered), 'day')}; run {FIT} to fit it again"
    return ""


def usable(model: Model | None, covered: Collection[str]) -> Model:
    """Return the model for forecasts, or `EMPTY` if the record has grown to twice what it was fitted on."""
    if model is None or 2 * len(model.covered) <= len(covered):
        return EMPTY
    return model


def encode(model: Model) -> bytes:
    """Return the file of a model."""
    first_line = f" fitted on {ranges(model.covered)} with lists {model.lists}\n"
    content = first_line.encode() + frames.csv_bytes(model.weights)
    return f"# sha256 {reader.sha256(content)}".encode() + content


def decode(data: bytes) -> Model:
    """Return the model of a file; raise DataError if the file is damaged."""
    first_line = re.match(
        rb"# sha256 (?P<sha256>[0-9a-f]{64})(?P<content> fitted on (?P<days>[^\n]*) with lists (?P<lists>[0-9a-f]*)\n)",
        data,
    )
    if not first_line or first_line["sha256"].decode() != reader.sha256(data[first_line.start("content") :]):
        raise DataError(f"{PATH} was changed or cut short: its checksum does not match; ", REPAIR)
    weights = frames.from_text(frames.read_csv(data, PATH), "model")
    covered = dates(first_line["days"].decode("ascii", "replace"))
    return Model(weights, covered, first_line["lists"].decode())
