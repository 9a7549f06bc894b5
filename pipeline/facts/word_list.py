"""A word list of the lexicon: one value with everything needed to read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.words import BeeError

if TYPE_CHECKING:
    import pandas as pd

Files = Mapping[str, bytes]
"""The files of a list, by path."""
Rejected = Counter[str]
"""The number of lines of a list that broke each rule of `words.rule_broken`."""
NO_SIZE = 100
"""The size of a word that is in none of SCOWL's lists of some kind, so that `size <= 60` is false for it."""


class ListError(BeeError):
    """A word list or its package is not as expected."""


@dataclass(frozen=True, slots=True)
class WordList:
    """A list of the lexicon: its name and title, the columns of its table that are whole numbers (`numbers`), the
    columns that it adds to the lexicon, each indexed by word (`attributes`), and their values for other words
    (`defaults`). `lexicon/` builds its table."""

    name: str
    title: str
    numbers: tuple[str, ...]
    attributes: Callable[[pd.DataFrame], dict[str, pd.Series]]
    defaults: Mapping[str, object]
