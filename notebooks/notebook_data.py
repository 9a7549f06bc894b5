"""Notebook data: what each notebook loads first: the tables of a workspace, and what hides offensive words."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

import html_tables
import pandas as pd

from pipeline import store
from pipeline.publishing import diff
from pipeline.review import queue
from pipeline.run import registry
from pipeline.store import Workspace
from pipeline.words import LISTED, OFFENSIVE


@dataclass(frozen=True)
class NotebookData(queue.QueueTables):
    """The tables of a workspace, by their names in `registry.ENTRIES`."""

    workspace: Workspace
    listed: set[str]
    """The words on the list."""
    censor: Callable[[str], str]
    """Hides offensive words in a text."""
    answers: pd.DataFrame
    candidates: pd.DataFrame
    diffs: pd.DataFrame
    puzzles: pd.DataFrame
    trials: pd.DataFrame
    waits: pd.DataFrame

    def censored(self, frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
        """Return a table with offensive words hidden in some columns of text."""
        return frame.assign(**{name: frame[name].map(self.censor) for name in columns})


def load(show_offensive: bool = False) -> NotebookData:
    """Load the workspace that BEE_DATA names, or that of the checkout, and the library that shows tables."""
    html_tables.load_library()
    workspace = store.find_workspace(os.environ.get("BEE_DATA"))
    tables = vars(queue.load(workspace))
    tables |= registry.load_all(workspace, "answers", "candidates", "diffs", "puzzles", "trials", "waits")
    decisions, flags = tables["decisions"], tables["flags"]
    listed = set(decisions["word"][decisions["tier"].isin(LISTED)])
    offensive_words = set(flags["word"][flags["flag"].isin(OFFENSIVE)])
    censor = str if show_offensive else censor_of(offensive_words)
    return NotebookData(workspace=workspace, listed=listed, censor=censor, **tables)


def censor_of(words: Collection[str]) -> Callable[[str], str]:
    """Return a function that hides words in a text.

    >>> censor_of({"cove"})("cove, but not coves")
    'c···, but not coves'
    """

    def hide(match: re.Match[str]) -> str:
        word = match[0]
        return word[0] + "·" * (len(word) - 1) if word in words else word

    return lambda text: re.sub("[a-z]+", hide, text)


def consistent(data: NotebookData) -> bool:
    """Return whether the tables come from the same run: every puzzle has trials, and the diffs are of this list."""
    same_days = set(data.trials["date"]) == set(data.puzzles["date"])
    return same_days and data.diffs.equals(diff.diff(data.trials, data.decisions))
