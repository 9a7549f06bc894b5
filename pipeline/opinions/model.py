"""The model: the weights of the estimate, which are stored in `custom/model.csv` and fitted only when a person asks.

So a new day changes only the estimates of relatives of the words that it tried. Each row also has the number of days
on which the model was fitted, and a checksum of the word lists with which it was fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from pipeline.errors import DataError
from pipeline.opinions.logistic import Array, Fit
from pipeline.tables import frames

CONSTANT = "constant"
"""The name of the row with the constant."""
OWN_LISTS = "own list"
"""The name of the column that says whether an own list of the user has a word."""
NUMBERS = ("attributes", "relatives")
"""The columns with numbers."""
DIGITS = 6
"""The number of significant digits of a weight."""
PATH = "custom/model.csv"
FIT = "`bee flag --fit`"


@dataclass(frozen=True, slots=True)
class Model:
    """The table `model`: for each column, the weight of the first fit (`attributes`) and that of the second fit, which
    also uses the record of relatives (`relatives`); for the opinions of readers, that of the third fit is there. Each
    row has the number of days and the checksum of the word lists of the fit. It has no rows if there was nothing to
    learn from.
    """

    weights: pd.DataFrame

    @property
    def days(self) -> int:
        """The number of days on which the weights were fitted."""
        return int(self.weights["days"].max()) if len(self.weights) else 0

    @property
    def lists(self) -> str:
        """The checksum of the word lists with which the weights were fitted."""
        return str(self.weights["lists"].max()) if len(self.weights) else ""

    def require_names(self, names: Sequence[str]) -> None:
        """Raise DataError if the weights are not those of the named columns. The column of the user's own lists may be
        on one side only, because these come and go."""
        differing = {*names, CONSTANT, OWN_LISTS} ^ {*self.weights["name"], OWN_LISTS}
        for name in sorted(differing):
            problem = f'lacks the weight "{name}"' if name in names else f'has the weight "{name}", which nothing has'
            raise DataError(f"{PATH} {problem}. It is of another version of the program; {FIT} makes new weights.")

    def weights_of(self, names: Sequence[str], which: str) -> tuple[Array, float]:
        """Return the weights of the named columns, 0 for one that the model does not have, and the constant.

        `which` is `attributes` for the weights of the first fit, or `relatives` for those of the second.
        """
        weight = self.weights.set_index("name")[which]
        return weight.reindex(list(names)).fillna(0.0).to_numpy(), float(weight[CONSTANT])


EMPTY = Model(frames.empty("model"))
"""The model that is used if there is nothing to learn from."""


def from_fits(names: Sequence[str], first_fit: Fit, second_fit: Fit, opinions: pd.Series) -> Model:
    """Return the model of two fits and of the weights of `opinions`, by name. `names` are the columns of the second
    fit; the first fit has only the first of them."""
    first_weights = np.zeros(len(names))
    first_weights[: len(first_fit.weights)] = first_fit.weights
    cells = {
        "name": [CONSTANT, *names, *opinions.index],
        "attributes": [first_fit.constant, *first_weights, *(0.0 for _ in opinions)],
        "relatives": [second_fit.constant, *second_fit.weights, *opinions],
    }
    return Model(_rounded(pd.DataFrame(cells).assign(days=0, lists="")))


def _rounded(weights: pd.DataFrame) -> pd.DataFrame:
    """Return weights rounded to `DIGITS`."""
    rounded = {name: [float(f"{cell:.{DIGITS}g}") for cell in weights[name]] for name in NUMBERS}
    return frames.check(weights.assign(**rounded), "model")


def fitted_on(model: Model, days: int, lists: str) -> Model:
    """Return a model with the number of days and the checksum of the word lists that it was fitted on."""
    return Model(model.weights.assign(days=days, lists=lists))


def outdated(model: Model, days: int, lists: str) -> str:
    """Return why a model should be fitted again: the word lists have changed, or the record has fewer days or more than
    twice as many; or "" if it should not."""
    if len(model.weights) and model.lists != lists:
        return f"it was fitted with other word lists; run {FIT} to fit it again"
    if not model.days <= days < 2 * max(1, model.days):
        return f"it was fitted on {model.days:,} days, and the record has {days:,}; run {FIT} to fit it again"
    return ""


def encode(model: Model) -> bytes:
    """Return the file of a model."""
    return frames.csv_bytes(model.weights)


def decode(data: bytes) -> Model:
    """Return the model of a file; raise DataError if the file is damaged."""
    try:
        weights = frames.from_text(frames.read_csv(data, PATH), "model")
    except DataError as error:
        raise DataError(f"{PATH} is damaged ({error}); {FIT} makes a new one.") from error
    is_of_one_fit = len(weights[["days", "lists"]].drop_duplicates()) == 1 and CONSTANT in set(weights["name"])
    if len(weights) and not is_of_one_fit:
        raise DataError(f"{PATH} is damaged (its rows are not of one fit); {FIT} makes a new one.")
    if not np.isfinite(weights[list(NUMBERS)].to_numpy()).all():
        raise DataError(f"{PATH} is damaged (a weight is not a number); {FIT} makes a new one.")
    return Model(weights)
