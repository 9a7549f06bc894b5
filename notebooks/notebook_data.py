"""Notebook data: what each notebook starts from: a run on a workspace, and what hides offensive words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

import html_tables
import pandas as pd

from pipeline import run, store
from pipeline.run import Update
from pipeline.store import Workspace
from pipeline.words import LISTED, OFFENSIVE


@dataclass(frozen=True)
class NotebookData(Update):
    """What a run makes of a workspace."""

    workspace: Workspace
    listed: set[str]
    """The words on the list."""
    censor: Callable[[str], str]
    """Hides offensive words in a text."""

    def censored(self, frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
        """Return a table with offensive words hidden in some columns of text."""
        return frame.assign(**{name: frame[name].map(self.censor) for name in columns})


def load(show_offensive: bool = False) -> NotebookData:
    """Update the workspace that BEE_DATA names, or that of the checkout, and load the library that shows tables.

    This takes a few seconds and writes nothing but the cache of the lexicon.
    """
    html_tables.load_library()
    workspace = store.find_workspace(os.environ.get("BEE_DATA"))
    made = run.update(workspace)
    listed = set(made.decisions["word"][made.decisions["tier"].isin(LISTED)])
    offensive_words = set(made.flags["word"][made.flags["flag"].isin(OFFENSIVE)])
    censor = str if show_offensive else censor_of(offensive_words)
    return NotebookData(**vars(made), workspace=workspace, listed=listed, censor=censor)


def censor_of(words: Collection[str]) -> Callable[[str], str]:
    """Return a function that hides words in a text.

    >>> censor_of({"cove"})("cove, but not coves")
    'c···, but not coves'
    """

    def hide(match: re.Match[str]) -> str:
        word = match[0]
        return word[0] + "·" * (len(word) - 1) if word in words else word

    return lambda text: re.sub("[a-z]+", hide, text)
